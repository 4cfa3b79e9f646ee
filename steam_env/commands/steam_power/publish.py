"""``python -m steam_env.commands.steam_power.publish``: make a training run's policy a shipped one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from steam_env.agents.policy_files import SUFFIX
from steam_env.data.steam_power.rules import AUTOMA
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
from steam_env.pages.steam_power.policies import FOLDER, ON, PAGE, PICTURES, make_files
from steam_env.spec import find_spec
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
  python -m steam_env.commands.steam_power.publish duel --run runs/standard
  # the policy of a run that went on from that of another
  python -m steam_env.commands.steam_power.publish duel --run runs/standard --run runs/duel
  # the matches of the policy that is shipped
  python -m steam_env.commands.steam_power.publish duel
"""
MOST_BYTES = 5 * 2**20  # of a shipped policy
SEED = 2027  # of its matches: no training plays them
YARDSTICKS = {
    "duel": (
        "greedy",
        "greedy+any",
        "planner",
        *(f"{AUTOMA}:{level}" for level in ("very_easy", "easy", "normal", "hard", "very_hard")),
    ),
    "table": (
        "greedy+greedy",
        "greedy+greedy+greedy",
        "greedy+greedy+greedy+greedy",
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
}


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        name: Which shipped policy.
        run: The folder of a training run; several, each beginning with the policy of the one before, in their order.
            Left out: the policy stays.
        games: Games of each match, at least.
        quiet: No progress bar.
    """

    name: Annotated[str, show_value_as("NAME")]
    run: Annotated[tuple[Path, ...], show_value_as("FOLDER")] = ()
    games: int = 2000
    quiet: bool = False


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the command line names; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        if options.name not in find_spec().players.policies:
            raise ValueError(f"name={options.name!r}: {', '.join(map(repr, find_spec().players.policies))} is allowed")
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
    content = copy_policy(options.name, options.run, path) if options.run else read_json(facts, "shipped policy")
    content |= {
        "matches": list(measure(path, YARDSTICKS[options.name], options.games, quiet=options.quiet)),
        "measured": {"software": describe_software(), "machine": describe_machine(), "seed": SEED},
    }
    write_whole(facts, dump_json(content, indent=1) + "\n")


def copy_policy(name: str, folders: Sequence[Path], path: Path) -> dict[str, Any]:
    """Copy the policy of the last run to its place and draw its curve; returns what is known of its training.

    Raises:
        ValueError: if the runs do not go on from each other, or the policy is too large.
    """
    runs = list(read_runs(folders))
    history = join_histories([read_history(folder) for folder in folders])
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
        "runs": runs,
        "curve": [
            {name: entry[name] for name in ("decisions", "stage", "evaluation")}
            for entry in history
            if "evaluation" in entry
        ],
    }


def read_runs(folders: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """The facts of each run: its configuration, software and machine, its decisions and seconds.

    Raises:
        ValueError: if one does not begin with the policy of the one before.
    """
    start: Path | None = None
    for folder in folders:
        history = read_history(folder)
        if not (folder / POLICY).is_file() or not history:
            raise ValueError(f"run={folder}: a folder with {CONFIG}, {HISTORY} and {POLICY} is needed")
        read_config(folder)
        known = read_json(folder / CONFIG, "run's configuration")
        given = known["config"]["start"]
        if (None if given is None else Path(given)) != start:
            raise ValueError(
                f"run={folder}: it began with {given or 'random weights'}, not {start or 'random weights'}"
            )
        start = folder / POLICY
        seconds = round(sum(entry["seconds"] for entry in history))
        yield {**known, "folder": folder.name, "decisions": history[-1]["decisions"], "seconds": seconds}


def join_histories(histories: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The histories of runs that went on from each other as one: decisions are counted from the first one's."""
    joined: list[dict[str, Any]] = []
    for history in histories:
        earlier = joined[-1]["decisions"] if joined else 0
        joined += [{**entry, "decisions": earlier + entry["decisions"]} for entry in history]
    return joined


def measure(path: Path, opponents: Sequence[str], games: int, *, quiet: bool) -> Iterator[dict[str, Any]]:
    """Play the matches of a policy's file; yields their results, with intervals over deals."""
    configs = [make_match(str(path), text, games) for text in opponents]
    with show_progress(sum(config.num_games for config in configs), quiet=quiet) as report:
        for text, config in zip(opponents, configs, strict=True):
            summary = summarise(play_match(config, report=report, make_agent=make_any_agent))
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


def make_match(agent: str, text: str, games: int) -> MatchConfig:
    """A match of at least ``games`` games; after an @ in the text comes the set of maps that it is played on."""
    names, _, worlds = text.partition(ON)
    lineup = read_lineup(names, find_spec())
    deals = -(-games // (1 + len(lineup.opponents)))
    rules: dict[str, Any] = {"map": worlds, "contracts": worlds, "each_map": True} if worlds else {}
    return MatchConfig(agent, lineup.names, deals=deals, seed=SEED, **rules)


def list_estimate(estimate: Estimate) -> list[float]:
    """Mean, lower and upper bound of the 95 % interval."""
    bounds = (estimate.mean, estimate.low, estimate.high)
    return [round(float(value), 4) for value in bounds if value is not None]


if __name__ == "__main__":
    raise SystemExit(main())
