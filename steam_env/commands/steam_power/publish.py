"""``python -m steam_env.commands.steam_power.publish``: a training run's policy becomes a shipped one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from steam_env.agents.policy_files import SUFFIX, find_policy
from steam_env.data.steam_power.rules import AUTOMA
from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.evaluation.summary import summarise
from steam_env.kit.command_line import BAD_INPUT, fail, parse_options, show_progress, show_value_as
from steam_env.kit.files import write_whole
from steam_env.replay.page import write_replay
from steam_env.spec import find_spec
from steam_env.training.config import make_config, read_lineup
from steam_env.training.plot import draw_curve
from steam_env.training.run import CONFIG, HISTORY, POLICY, read_config, read_history

PROGRAM = "publish"
DESCRIPTION = """\
Make the policy of a training run a shipped one: its weights, configurations and curve, and matches against what it
is measured by go to agents/policies/, and docs/policies.md is written anew.

examples:
  python -m steam_env.commands.steam_power.publish duel --run runs/standard
  # the policy of a run that went on from that of another
  python -m steam_env.commands.steam_power.publish duel --run runs/standard --run runs/duel
  # the page alone, from what is there
  python -m steam_env.commands.steam_power.publish duel --page-only
"""
FOLDER = Path("agents") / "policies"
PAGE, PICTURES = Path("docs") / "policies.md", Path("docs") / "policies"  # curves, and a game of each
MOST_BYTES = 5 * 2**20  # of a shipped policy
SEED = 2027  # of its matches: no training plays them
YARDSTICKS = {
    "duel": ("greedy", *(f"{AUTOMA}:{level}" for level in ("very_easy", "easy", "normal", "hard", "very_hard"))),
    "table": (
        "greedy+greedy",
        "greedy+greedy+greedy",
        "greedy+greedy+greedy+greedy",
        "greedy+automa:normal",
        "greedy+greedy+automa:normal",
        "greedy+greedy+greedy+automa:normal",
    ),
}
TITLES = {"duel": "for 2 seats", "table": "for 3 to 5 seats"}


@dataclass(frozen=True)
class Options:
    """The command line.

    Attributes:
        name: Which shipped policy.
        run: The folder of a training run; several, each beginning with the policy of the one before, in their order.
        games: Games of each match, at least.
        page_only: Write the page alone.
        quiet: No progress bar.
    """

    name: Annotated[str, show_value_as("NAME")]
    run: Annotated[tuple[Path, ...], show_value_as("FOLDER")] = ()
    games: int = 2000
    page_only: bool = False
    quiet: bool = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish what the command line names; the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        if options.name not in find_spec().players.policies:
            raise ValueError(f"name={options.name!r}: {', '.join(map(repr, find_spec().players.policies))} is allowed")
        if not options.page_only:
            publish(options)
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
    write_whole(PAGE, write_page())
    print(f"written: {PAGE}")
    return 0


def publish(options: Options) -> None:
    """Copy the policy of the last run, measure it, and write what is known of it.

    Raises:
        ValueError: if there is no run, the runs do not go on from each other, or the policy is too large.
    """
    runs = list(read_runs(options.run))
    history = join_histories([read_history(folder) for folder in options.run])
    weights = (options.run[-1] / POLICY).read_bytes()
    if len(weights) > MOST_BYTES:
        raise ValueError(f"{options.run[-1] / POLICY}: {len(weights):,} bytes: at most {MOST_BYTES:,} are allowed")
    FOLDER.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{options.name}{SUFFIX}"
    path.write_bytes(weights)
    draw_curve(history, PICTURES / f"{options.name}.svg")
    content = {
        "name": options.name,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "bytes": len(weights),
        "runs": runs,
        "curve": [
            {name: entry[name] for name in ("decisions", "stage", "evaluation")}
            for entry in history
            if "evaluation" in entry
        ],
        "matches": list(measure(path, YARDSTICKS[options.name], options.games, quiet=options.quiet)),
        "measured": {"software": describe_software(), "machine": describe_machine(), "seed": SEED},
    }
    write_whole(path.with_suffix(".json"), json.dumps(content, indent=1) + "\n")
    write_game(path, YARDSTICKS[options.name][-1])


def read_runs(folders: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """What is known of each run: its configuration, what it ran on, its decisions and seconds.

    Raises:
        ValueError: if there is none, or one does not begin with the policy of the one before.
    """
    if not folders:
        raise ValueError("run=(): the folder of a run is needed")
    start: Path | None = None
    for folder in folders:
        history = read_history(folder)
        if not (folder / POLICY).is_file() or not history:
            raise ValueError(f"run={folder}: a folder with {CONFIG}, {HISTORY} and {POLICY} is needed")
        read_config(folder)
        known = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
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
    """The matches of a policy's file, with intervals over deals."""
    configs = [make_match(str(path), text, games) for text in opponents]
    with show_progress(sum(config.num_games for config in configs), quiet=quiet) as report:
        for text, config in zip(opponents, configs, strict=True):
            summary = summarise(play_match(config, report=report))
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


def write_game(path: Path, text: str) -> None:
    """Write the first game of a match as a page for a browser, with what the policy thought."""
    result = play_match(make_match(str(path), text, 1), record=1, rotations=1)
    (recorded,) = result.recorded
    game, policy = recorded.play_again(result.setting)
    players = [path.stem if player == str(path) else player for player in recorded.players]
    write_replay(game, PICTURES / f"{path.stem}.html", players=players, policy=policy)


def make_match(agent: str, text: str, games: int) -> MatchConfig:
    """A match of so many games at least."""
    lineup = read_lineup(text, find_spec())
    players = 1 + len(lineup.opponents)
    return MatchConfig(agent, lineup.names, deals=-(-games // players), seed=SEED)


def list_estimate(estimate: Estimate) -> list[float]:
    """Mean, lower and upper bound of the 95 % interval."""
    bounds = (estimate.mean, estimate.low, estimate.high)
    return [round(float(value), 4) for value in bounds if value is not None]


# --- the page ---------------------------------------------------------------------------------------


def write_page() -> str:
    """The page of all shipped policies, from what is known of them."""
    parts = [
        "# Trained policies",
        "Written by `python -m steam_env.commands.steam_power.publish` from [agents/policies/](../agents/policies/): "
        "do not edit.",
        '```python\nfrom steam_env.agents import load_policy\n\nagent = load_policy("duel")\n```',
        "A policy is a safetensors file, which holds numbers and runs no code, with the game and SHA-256 hashes of the "
        "observation layout and the action list that it was trained with: `load_policy` refuses a file that does not "
        "fit. `python -m steam_env.commands.convert_policy FILE` adds them to an older file.",
        "It plays what it thinks likeliest; "
        "`load_policy(name, is_greedy=False)` draws by its probabilities. On the command line: "
        "`python evaluate.py duel --against automa:very_hard`.",
    ]
    for name in find_spec().players.policies:
        path = FOLDER / f"{name}.json"
        if path.exists():
            parts += describe(json.loads(path.read_text(encoding="utf-8")))
    return "\n\n".join(parts) + "\n"


def describe(content: dict[str, Any]) -> Iterator[str]:
    """The part of the page on one policy."""
    name, last = content["name"], content["runs"][-1]["config"]
    total = sum(run["decisions"] for run in content["runs"])
    yield f"## `{name}`, {TITLES[name]}"
    yield (
        f"{content['bytes']:,} bytes, SHA-256 `{content['sha256']}`. Trained on map `{last['map']}` with deck "
        f"`{last['contracts']}`, from random weights, on {total:,} decisions. All of the configuration and the curve: "
        f"[{name}.json](../agents/policies/{name}.json)."
    )
    yield "\n".join(describe_run(run) for run in content["runs"])
    yield f"![Learning curve](policies/{name}.svg)"
    opponents = content["matches"][-1]["against"].replace("+", ", ")
    yield (
        f"[A game of it against {opponents}](policies/{name}.html), with what it thought: a page to save and open in a "
        "browser."
    )
    lines = [
        "| against | seats | games | win rate | 95 % interval | 1/n | VP margin | 95 % interval |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for match in content["matches"]:
        rate, low, high = match["win_rate"]
        margin, least, most = match["margin"]
        lines.append(
            f"| {match['against'].replace('+', ', ')} | {match['seats']} | {match['games']:,} | {rate:.1%} "
            f"| {low:.1%} to {high:.1%} | {match['chance']:.1%} | {margin:+.1f} | {least:+.1f} to {most:+.1f} |"
        )
    yield "\n".join(lines)
    yield (
        f"Matches of seed {content['measured']['seed']}, each deal in all rotations of the player seats; intervals are "
        "over deals, and 1/n is the win rate of n equal seats."
    )


def describe_run(run: dict[str, Any]) -> str:
    """One run as an item of a list: its command, and what it ran on."""
    command, git = make_config(run["config"]).command(), run["software"]["git"]
    return (
        f"- `{command}`: {run['decisions']:,} decisions in {run['seconds'] / 60:.0f} minutes, "
        f"commit {git['commit'][:10] if git else 'unknown'}"
    )


def read_shipped(name: str) -> dict[str, Any]:
    """What is known of a shipped policy."""
    content: dict[str, Any] = json.loads(find_policy(name).with_suffix(".json").read_text(encoding="utf-8"))
    return content


if __name__ == "__main__":
    raise SystemExit(main())
