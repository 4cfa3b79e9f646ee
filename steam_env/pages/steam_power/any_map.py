"""The tables of ``docs/maps.md`` on what learns from many maps: level replay, and a run of the preset ``nomad``.

New files are told of by copying them there:

    python examples/level_replay.py --out docs/level_replay
    cp runs/nomad/config.json runs/nomad/history.jsonl docs/training/nomad/
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steam_env.evaluation.report import say_percent
from steam_env.kit.json_text import read_json
from steam_env.pages.markdown import code, join, say_commit, table
from steam_env.training.config import make_config
from steam_env.training.run import CONFIG, read_history

REPLAY = Path("docs") / "level_replay" / "level_replay.json"
RUN = Path("docs") / "training" / "nomad"


def tell_replay() -> str:
    """A table of both curves of the example, and how long they took."""
    content = read_json(REPLAY, "result of the example")
    curves = content["curves"]
    points = [*zip(*(curve["curve"] for curve in curves), strict=True)]
    rows = [(f"{one[0]['decisions']:,}", *(f"{point['points']:.1f}" for point in one)) for one in points]
    rows += [
        ("the maps learnt from, at the end", *(f"{curve['learnt_from']:.1f}" for curve in curves)),
        ("seconds of one core", *(f"{curve['cpu_seconds']:.0f}" for curve in curves)),
    ]
    return table(("decisions", *(curve["way"] for curve in curves)), rows)


def tell_run() -> str:
    """The command of a run of ``nomad``, what it cost, and its evaluations."""
    known, history = read_json(RUN / CONFIG, "run's configuration"), read_history(RUN)
    seconds = sum(entry["seconds"] for entry in history)
    decisions, commit = history[-1]["decisions"], say_commit(known["software"])
    cost = f"{decisions:,} decisions in {seconds / 60:.0f} minutes, commit {commit}."
    return join(code([make_config(known["config"]).command()]), cost, _tabulate_run(history))


def _tabulate_run(history: list[dict[str, Any]]) -> str:
    told = [entry for entry in history if "evaluation" in entry]
    names = list(dict.fromkeys(name for entry in told for name in entry["evaluation"]))
    rows = []
    for entry in told:
        results = [entry["evaluation"][name] for name in names]
        cells = [cell for one in results for cell in (say_percent(one["win_rate"]), f"{one['margin']:+.1f}")]
        rows.append((f"{entry['decisions']:,}", *cells))
    heads = [cell for name in names for cell in (f"{name}: win rate", "VP margin")]
    return table(("decisions", *heads), rows)
