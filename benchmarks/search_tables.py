"""The tables of what a search costs, for the terminal and the page."""

from collections.abc import Mapping
from typing import Any

from benchmarks.results import say_rate, say_ratio

WHOLE = "all but the network"


def list_parts(content: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The parts of an evaluation as rows of words, what costs most first; the sum without the network last."""
    parts = dict(content["parts"])
    whole = parts.pop(WHOLE)
    rows = sorted(parts.items(), key=lambda entry: -entry[1])
    told = f"{WHOLE} (wanted: at most {content['most']:g})"
    return [*((part, f"{value:.1f}") for part, value in rows), (told, f"{whole:.1f}")]


def list_playouts(content: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """How fast greedy's games are, as rows of words; the ratio is to the matches of the base, if there is one."""
    rates, base = content["playouts"], content.get("base")
    rows = [("greedy against itself in a match", say_rate(rates["match"]))]
    if base is not None:
        rows.insert(0, (f"greedy against itself in a match, `{base['commit'][:12]}`", say_rate(rates["base"])))
    ratio = say_ratio(rates["playouts"] / rates["match" if base is None else "base"])
    rows += [
        ('`GameBatch.rollout("greedy")`', say_rate(rates["playouts"])),
        (f"ratio of the last to the first (wanted: {content['wanted_ratio']:g})", ratio),
    ]
    if "peer" in rates:
        told = f"Catanatron {content['peer']}, two `VictoryPointPlayer`"
        ratio = say_ratio(rates["playouts"] / rates["peer"])
        rows += [
            (told, say_rate(rates["peer"])),
            (f"playouts : that (wanted: {content['wanted_peer_ratio']:g})", ratio),
        ]
    return rows
