"""``python -m steam_env.commands.publish``: make a training run's policy a shipped one."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from steam_env.agents.grounds import MAP
from steam_env.agents.policy_files import SUFFIX, find_game_of, read_policy
from steam_env.data.generate import SEPARATOR, find_worlds
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.evaluation.summary import summarise
from steam_env.kit.command_line import parse_options, show_progress, show_value_as
from steam_env.kit.files import tell_fault, write_whole
from steam_env.kit.json_text import dump_json, read_json
from steam_env.kit.locks import PATIENCE, hold
from steam_env.kit.program import BAD_INPUT, NOT_WRITTEN, fail, make_program
from steam_env.pages.policies import FOLDER, PAGE, PICTURES, make_files
from steam_env.spec import GameSpec
from steam_env.training.config import read_lineup
from steam_env.training.plot import draw_curve
from steam_env.training.run import CONFIG, HISTORY, POLICY, read_config, read_history

PROGRAM = "publish"
DESCRIPTION = """\
Make the policy of a training run a shipped one: its weights, configurations and curve, and matches against what it
is measured by go to agents/policies/, and the tables of docs/policies.md are written anew. Without a run, the shipped
policy stays, and its matches are played anew: maps, decks and opponents change.

exit codes: 0 published, 1 a file could not be written, 2 bad input, 4 an agent failed

examples:
  python -m steam_env.commands.publish duel --run runs/standard
  # the policy of a run that went on from that of another
  python -m steam_env.commands.publish duel --run runs/standard --run runs/duel
  # the policy of a run that went on from the shipped one: --start duel
  python -m steam_env.commands.publish duel --run runs/duel-later
  # a run from a checkout with changes, and its first iterations again from a clean one
  python -m steam_env.commands.publish duel --run runs/duel --again runs/duel-again
  # the matches of the policy that is shipped
  python -m steam_env.commands.publish duel
"""
MOST_BYTES = 5 * 2**20  # of a shipped policy
SEED = 2027  # of its matches: no training plays them
YARDSTICKS = {
    "duel": (
        "greedy",
        "greedy+any",
        "planner",
        *(f"automa:{level}" for level in ("very_easy", "easy", "normal", "hard", "very_hard")),
    ),
    "table": (
        "greedy+greedy",
        "greedy+greedy+greedy",
        "greedy+greedy+greedy+greedy",
        "planner+planner",
        "planner+planner+planner",
        "planner+planner+planner+planner",
        "greedy+automa:normal",
        "greedy+greedy+automa:normal",
        "greedy+greedy+greedy+automa:normal",
    ),
    "nomad": (  # it has learnt from none of these maps
        "greedy@gen-v1:test",
        "automa:normal@gen-v1:test",
        "greedy+greedy@gen-v1:test",
        "greedy+greedy+greedy+greedy@gen-v1:test",
        "greedy@gen-v1:ood",
        "greedy",
        "automa:normal",
    ),
    "magnate": (
        "greedy+greedy",
        "greedy+greedy+greedy",
        "greedy+greedy+greedy@rhineland",
        "greedy+greedy+greedy+greedy@rhineland",
    ),
}


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        name: Which shipped policy.
        run: The folder of a training run; several, each beginning with the policy of the one before, in their order.
            The first may have begun with the shipped one, by its name. Left out: the policy stays.
        again: The folder of a run that begins like one of these, from a clean checkout: what commit that was is told
            beside it. For a run from a checkout with changes, whose commit does not tell its program.
        games: Games of each match, at least.
        quiet: No progress bar.
    """

    name: Annotated[str, show_value_as("NAME")]
    run: Annotated[tuple[Path, ...], show_value_as("FOLDER")] = ()
    again: Annotated[tuple[Path, ...], show_value_as("FOLDER")] = ()
    games: int = 2000
    quiet: bool = False


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the command line names; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        find_game_of(options.name)
        with hold(FOLDER / f"{options.name}.json"):
            publish(options)
            with hold(PAGE.parent, PATIENCE):
                for page, text in make_files().items():
                    write_whole(page, text)
                    print(f"written: {page}")
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
    except OSError as error:
        return fail(PROGRAM, NOT_WRITTEN, tell_fault(error, FOLDER))
    return 0


def publish(options: Options) -> None:
    """Measure a policy, that of the last run or the shipped one, and write down how it was trained and how it plays.

    Raises:
        ValueError: if the runs do not go on from each other, the policy is too large, or there is none.
    """
    path = FOLDER / f"{options.name}{SUFFIX}"
    facts = path.with_suffix(".json")
    content = copy_policy(options, path) if options.run else read_json(facts, "shipped policy")
    content |= {
        "matches": list(measure(path, options)),
        "measured": {"software": describe_software(), "machine": describe_machine(), "seed": SEED},
    }
    write_whole(facts, dump_json(content, indent=1) + "\n")


def copy_policy(options: Options, path: Path) -> dict[str, Any]:
    """Copy the policy of the last run to its place and draw its curve; returns what is known of its training.

    Raises:
        ValueError: if the runs do not go on from each other, one is not begun again, or the policy is too large.
    """
    name, folders = options.name, options.run
    histories = [read_own_history(folder) for folder in folders]
    shipped = read_json(path.with_suffix(".json"), "shipped policy") if goes_on_from(name, folders[0]) else None
    runs = list(read_runs(folders, histories, shipped))
    for folder in options.again:
        note_again(runs, histories, folder)
    earlier: dict[str, Any] = shipped or {"runs": [], "curve": []}
    history = join_histories([*filter(None, [earlier["curve"]]), *histories])
    weights = (folders[-1] / POLICY).read_bytes()
    if len(weights) > MOST_BYTES:
        raise ValueError(f"{folders[-1] / POLICY}: {len(weights):,} bytes: at most {MOST_BYTES:,} are allowed")
    FOLDER.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    write_whole(path, weights)
    draw_curve(history, PICTURES / f"{name}.svg")
    return {
        "name": name,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "bytes": len(weights),
        "runs": [*earlier["runs"], *runs],
        "curve": [
            {name: entry[name] for name in ("decisions", "stage", "evaluation")}
            for entry in history
            if "evaluation" in entry
        ],
    }


def read_own_history(folder: Path) -> list[dict[str, Any]]:
    """The history of a run up to its policy: one that was stopped may have told an iteration more."""
    history, path = read_history(folder), folder / POLICY
    if not path.is_file():
        return history
    last = read_policy(path)[0].get("decisions", math.inf)
    return [entry for entry in history if entry["decisions"] <= last]


def goes_on_from(name: str, folder: Path) -> bool:
    """Whether a run began with the shipped policy of this name."""
    known = read_json(folder / CONFIG, "run's configuration")
    begun: bool = known.get("config", {}).get("start") == name
    return begun


def read_runs(
    folders: Sequence[Path], histories: Sequence[Sequence[dict[str, Any]]], shipped: dict[str, Any] | None
) -> Iterator[dict[str, Any]]:
    """The facts of each run: its configuration, software and machine, its decisions and seconds.

    Args:
        folders: of the runs, in their order.
        histories: theirs.
        shipped: what is known of the shipped policy with which the first one began; ``None``: with random weights.

    Raises:
        ValueError: if one does not begin with the policy of the one before, or with what is shipped now.
    """
    start = None if shipped is None else Path(shipped["name"])
    for folder, history in zip(folders, histories, strict=True):
        if not (folder / POLICY).is_file() or not history:
            raise ValueError(f"run={folder}: a folder with {CONFIG}, {HISTORY} and {POLICY} is needed")
        read_config(folder)
        known = read_json(folder / CONFIG, "run's configuration")
        given = known["config"]["start"]
        if (None if given is None else Path(given)) != start:
            raise ValueError(
                f"run={folder}: it began with {given or 'random weights'}, not {start or 'random weights'}"
            )
        if shipped is not None and folder == folders[0]:
            met, here = known.get("policies", {}).get(shipped["name"]), shipped["sha256"]
            if met != here:
                raise ValueError(f"run={folder}: it began with a policy {shipped['name']} of hash {met}, not {here}")
        start = folder / POLICY
        seconds = round(sum(entry["seconds"] for entry in history))
        yield {**known, "folder": folder.name, "decisions": history[-1]["decisions"], "seconds": seconds}


def note_again(runs: Sequence[dict[str, Any]], histories: Sequence[Sequence[dict[str, Any]]], folder: Path) -> None:
    """Write down beside a run that another one began like it: from which commit, and for how many iterations.

    Raises:
        ValueError: if it has the configuration of none of them, or comes to other figures.
    """
    read_config(folder)
    known, later = read_json(folder / CONFIG, "run's configuration"), read_history(folder)
    for run, history in zip(runs, histories, strict=True):
        if run["config"] == known["config"] and later:
            figures = [[(entry["decisions"], entry.get("train")) for entry in part] for part in (history, later)]
            if figures[0][: len(later)] != figures[1]:
                raise ValueError(f"again={folder}: its iterations come to other figures than those of {run['folder']}")
            run["again"] = {"git": known["software"]["git"], "iterations": len(later)}
            return
    raise ValueError(f"again={folder}: it has the configuration of none of the runs, or no iteration")


def join_histories(histories: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The histories of runs that went on from each other as one: decisions are counted from the first one's."""
    joined: list[dict[str, Any]] = []
    for history in histories:
        earlier = joined[-1]["decisions"] if joined else 0
        joined += [{**entry, "decisions": earlier + entry["decisions"]} for entry in history]
    return joined


def measure(path: Path, options: Options) -> Iterator[dict[str, Any]]:
    """Play the matches of a policy's file; yields their results, with intervals over deals."""
    opponents, spec = YARDSTICKS[options.name], find_game_of(options.name)
    configs = [make_match(str(path), text, options.games, spec) for text in opponents]
    maker = partial(make_any_agent, game=spec.game)
    with show_progress(sum(config.num_games for config in configs), quiet=options.quiet) as report:
        for text, config in zip(opponents, configs, strict=True):
            summary = summarise(play_match(config, report=report, make_agent=maker))
            agent = summary.agents[0]
            yield {
                "against": text,
                "seats": len(config.names),
                "games": summary.games,
                "chance": summary.chance,
                "win_rate": list_estimate(agent.win_rate),
                "margin": list_estimate(agent.margin),
                "by_seat": agent.by_seat,
            }


def make_match(agent: str, text: str, games: int, spec: GameSpec) -> MatchConfig:
    """A match of at least ``games`` games; one on a set of maps has as many deals on each of them."""
    lineup = read_lineup(text, spec)
    deals = -(-games // (1 + len(lineup.opponents)))
    world = dict(lineup.given).get(MAP, "")
    if SEPARATOR not in world:
        return MatchConfig(agent, lineup.names, deals=deals, seed=SEED, game=spec.game, given=lineup.given)
    rules: dict[str, Any] = dict(find_worlds(spec.game).name_fields(world))
    return MatchConfig(agent, lineup.names, deals=deals, seed=SEED, game=spec.game, each_map=True, **rules)


def list_estimate(estimate: Estimate) -> list[float]:
    """Mean, lower and upper bound of the 95 % interval."""
    bounds = (estimate.mean, estimate.low, estimate.high)
    return [round(float(value), 4) for value in bounds if value is not None]


if __name__ == "__main__":
    raise SystemExit(main())
