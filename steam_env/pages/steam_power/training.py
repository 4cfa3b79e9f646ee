"""The tables of ``docs/training.md`` on the run of the preset `standard`, from ``docs/training/standard/``.

A new run is told of by copying its files there, and the matches of the protocol that its policy has played:

    cp runs/standard/config.json runs/standard/history.jsonl runs/standard/curve.svg docs/training/standard/
    python evaluate.py runs/standard/policy.safetensors --protocol v1 --json docs/training/standard/protocol.json
"""

from __future__ import annotations

from pathlib import Path

from steam_env.evaluation.report import say_percent
from steam_env.kit.json_text import read_json
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import INTERVAL, say_commit, say_margin, say_rate, table
from steam_env.training.clock import PARTS
from steam_env.training.run import CONFIG, read_history, weigh_share

PAGE = Path("docs") / "training.md"
FOLDER = Path("docs") / "training" / "standard"
MATCHES = "protocol.json"
STAGES = ("imitation", "self-play")


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, {"run": tabulate_run, "matches": tabulate_matches, "shares": tabulate_shares})}


def tabulate_run() -> str:
    """A table of how long the run took and with what; evaluations are not counted."""
    history = read_history(FOLDER)
    known = read_json(FOLDER / CONFIG, "run's configuration")
    decisions, seconds = history[-1]["decisions"], sum(entry["seconds"] for entry in history)
    row = (
        f"{decisions:,}",
        f"{seconds / 60:.0f}",
        f"{decisions / seconds:,.0f}",
        str(known["config"]["seed"]),
        say_commit(known["software"]),
        known["software"]["torch"],
        str(known["machine"]["cpu_count"]),
    )
    return table(("decisions", "minutes", "decisions/s", "seed", "commit", "PyTorch", "cores"), [row])


def tabulate_matches() -> str:
    """A table of the results of the run's policy in each match of the protocol."""
    rows, content = [], read_json(FOLDER / MATCHES, "result")
    for match in content["matches"]:
        agent = match["results"]["agents"][0]
        games = f"{match['results']['games']:,}"
        rows.append((match["opponent"], games, *say_rate(agent["win_rate"]), *say_margin(agent["margin"])))
    return table(
        (f"protocol {content['protocol']}, against", "games", "win rate", INTERVAL, "VP margin", INTERVAL), rows
    )


def tabulate_shares() -> str:
    """A table of where the run's time went."""
    rows = []
    for stage in STAGES:
        entries = [entry for entry in read_history(FOLDER) if entry["stage"] == stage]
        rows.append((stage, *(say_percent(weigh_share(entries, part)) for part in PARTS)))
    return table(("time in", *PARTS), rows)
