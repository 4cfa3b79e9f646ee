"""The tables of ``docs/maps.md`` on what learns from many maps: level replay, and the policy ``nomad``.

``python examples/level_replay.py --out docs/level_replay`` writes the file of the former anew.
"""

from __future__ import annotations

from pathlib import Path

from steam_env.evaluation.report import say_percent
from steam_env.kit.json_text import read_json
from steam_env.pages.markdown import code, join, table
from steam_env.pages.policies import list_commands, read_shipped, say_opponents
from steam_env.spec import find_spec

REPLAY = Path("docs") / "level_replay" / "level_replay.json"


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


def tell_learning() -> str:
    """The command of each run that led to the policy ``nomad``, and a table of its evaluations."""
    content = read_shipped("nomad")
    told = content["curve"]
    names = list(dict.fromkeys(name for entry in told for name in entry["evaluation"]))
    rows = []
    for entry in told:
        results = [entry["evaluation"].get(name) for name in names]
        rows.append((f"{entry['decisions']:,}", *(cell for one in results for cell in say_result(one))))
    heads = [cell for name in names for cell in (f"{say_opponents(name, find_spec())}: win rate", "VP margin")]
    return join(code(list_commands(content)), table(("decisions", *heads), rows))


def say_result(result: dict[str, float] | None) -> tuple[str, str]:
    """Win rate and margin; dashes where a run was not evaluated against that."""
    return ("-", "-") if result is None else (say_percent(result["win_rate"]), f"{result['margin']:+.1f}")
