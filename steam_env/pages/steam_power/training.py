"""``python -m steam_env.pages.steam_power.training``: renew what docs/training.md tells of the preset `standard`.

The run's files are in docs/training/: its history, its configuration with versions and commit, and the matches of
protocol v0 that its policy has played.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from steam_env.kit.command_line import BAD_INPUT, fail, parse_options, show_value_as
from steam_env.kit.files import write_whole
from steam_env.training.clock import PARTS
from steam_env.training.plot import draw_curve
from steam_env.training.run import CONFIG, HISTORY, read_config, read_history, weigh_share

PROGRAM = "page"
DESCRIPTION = """\
Renew what docs/training.md tells of the run of the preset standard, from the files in docs/training/.

examples:
  # from the files that are there
  python -m steam_env.pages.steam_power.training
  # of a new run, once its policy has played protocol v0
  python evaluate.py runs/standard/policy.safetensors --protocol v0 --json docs/training/standard/v0.json
  python -m steam_env.pages.steam_power.training --run runs/standard
"""
PAGE = Path("docs") / "training.md"
FOLDER = Path("docs") / "training" / "standard"
MATCHES, CURVE = "v0.json", "curve.svg"
BLOCK = re.compile(r"(<!-- standard -->\n).*?(<!-- end -->\n)", re.DOTALL)
STAGES = ("imitation", "self-play")


@dataclass(frozen=True)
class Options:
    """The command line.

    Attributes:
        run: The folder of a new run, whose configuration and history are copied first.
    """

    run: Annotated[Path | None, show_value_as("FOLDER")] = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew the page; the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        if options.run is not None:
            take_run(options.run)
        write_whole(PAGE, renew(PAGE.read_text(encoding="utf-8")))
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
    print(f"written: {PAGE}")
    return 0


def take_run(folder: Path) -> None:
    """Copy what is told of a run, and draw its curve.

    Raises:
        ValueError: if there is no run.
    """
    read_config(folder)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in (CONFIG, HISTORY):
        shutil.copyfile(folder / name, FOLDER / name)
    draw_curve(read_history(FOLDER), FOLDER / CURVE)


def renew(text: str) -> str:
    """The page with what is told of the run written anew."""
    told = "\n\n".join([tell_run(), tell_matches(), tell_shares(), f"![Win rates](training/{FOLDER.name}/{CURVE})"])
    return BLOCK.sub(lambda block: f"{block[1]}{told}\n{block[2]}", text)


def tell_run() -> str:
    """How long it took, on what."""
    history = read_history(FOLDER)
    known = json.loads((FOLDER / CONFIG).read_text(encoding="utf-8"))
    software, machine = known["software"], known["machine"]
    decisions, seconds = history[-1]["decisions"], sum(entry["seconds"] for entry in history)
    return (
        f"{decisions:,} decisions in {seconds / 60:.0f} minutes ({decisions / seconds:,.0f} a second; evaluations are "
        f"not counted), seed {known['config']['seed']}, commit {software['git']['commit'][:10]}, "
        f"PyTorch {software['torch']}, {machine['cpu_count']} cores."
    )


def tell_matches() -> str:
    """What its policy came to against each opponent of protocol v0."""
    lines = [
        "| protocol v0, against | games | win rate | 95 % interval | VP margin |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for match in json.loads((FOLDER / MATCHES).read_text(encoding="utf-8"))["matches"]:
        results = match["results"]
        rate, margin = results["agents"][0]["win_rate"], results["agents"][0]["margin"]
        interval = f"{rate['low']:.1%} to {rate['high']:.1%}"
        lines.append(
            f"| {match['opponent']} | {results['games']:,} | {rate['mean']:.1%} | {interval} | {margin['mean']:+.1f} |"
        )
    return "\n".join(lines)


def tell_shares() -> str:
    """Where its time went."""
    history = read_history(FOLDER)
    lines = [f"| time in | {' | '.join(PARTS)} |", f"| --- | {' | '.join(['---:'] * len(PARTS))} |"]
    for stage in STAGES:
        entries = [entry for entry in history if entry["stage"] == stage]
        if entries:
            shares = [weigh_share(entries, part) for part in PARTS]
            lines.append(f"| {stage} | {' | '.join(f'{share:.1%}' for share in shares)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
