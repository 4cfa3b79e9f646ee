"""The tables of ``docs/training.md`` on runs of the preset `standard` that differ in the seed.

They are in ``docs/training/standard/``, one folder for each seed. New ones are told of by copying their files there,
and the matches of the protocol that their policies have played:

    for seed in 1 2 3 4 5; do
        python train.py --preset standard --threads 1 --seed $seed --folder runs/standard-$seed
        python evaluate.py runs/standard-$seed/policy.safetensors --protocol v1 --json runs/standard-$seed/protocol.json
        cp runs/standard-$seed/{config.json,history.jsonl,protocol.json} docs/training/standard/$seed/
    done
    python -m steam_env.evaluation.seeds docs/training/standard/?/protocol.json --json docs/training/standard/seeds.json
    python -m steam_env.training.plot docs/training/standard/? --picture docs/training/standard/curve.svg
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steam_env.evaluation.report import say_percent
from steam_env.kit.json_text import read_json
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import INTERVAL, say_commit, say_rate, table
from steam_env.training.clock import PARTS
from steam_env.training.run import CONFIG, read_history, weigh_share

PAGE = Path("docs") / "training.md"
FOLDER = Path("docs") / "training" / "standard"
SEEDS = "seeds.json"
STAGES = ("imitation", "self-play")


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, {"run": tabulate_runs, "matches": tabulate_matches, "shares": tabulate_shares})}


def list_runs() -> list[Path]:
    """The folders of the runs, in the order of their seeds."""
    return sorted(path for path in FOLDER.iterdir() if path.is_dir())


def tabulate_runs() -> str:
    """A table of how long each run took and with what; evaluations are not counted."""
    rows = []
    for run in list_runs():
        history, known = read_history(run), read_json(run / CONFIG, "run's configuration")
        decisions, seconds = history[-1]["decisions"], sum(entry["seconds"] for entry in history)
        rows.append(
            (
                str(known["config"]["seed"]),
                f"{decisions:,}",
                f"{seconds / 60:.0f}",
                f"{decisions / seconds:,.0f}",
                say_commit(known["software"]),
                known["software"]["torch"],
                str(known["machine"]["cpu_count"]),
            )
        )
    return table(("seed", "decisions", "minutes", "decisions/s", "commit", "PyTorch", "cores"), rows)


def tabulate_matches() -> str:
    """A table of what the policies of all runs come to in each match of the protocol, and together."""
    content = read_json(FOLDER / SEEDS, "summary of runs")
    rows = [_make_row(match["opponent"], match, match["win_rates"]) for match in content["matches"]]
    rows.append(_make_row("all matches", content["all"], None))
    columns = (f"protocol {content['protocol']}, against", "of the runs", "mean", "interquartile mean", INTERVAL)
    return table(columns, rows)


def _make_row(name: str, told: dict[str, Any], rates: list[float] | None) -> tuple[str, ...]:
    spread = "-" if rates is None else " ".join(f"{100 * rate:.1f}" for rate in rates)
    return name, spread, say_percent(told["mean"]["mean"]), *say_rate(told["iqm"])


def tabulate_shares() -> str:
    """A table of where the runs' time went."""
    rows, history = [], [entry for run in list_runs() for entry in read_history(run)]
    for stage in STAGES:
        entries = [entry for entry in history if entry["stage"] == stage]
        rows.append((stage, *(say_percent(weigh_share(entries, part)) for part in PARTS)))
    return table(("time in", *PARTS), rows)
