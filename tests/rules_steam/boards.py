"""Positions as texts, and the words in which the tests of the rules speak.

A link is a text: ``0: Alder B4 >SE`` an incomplete one of seat 0, with its root, its last tile and its head;
``0: Alder B4 Usk`` a complete one; ``-:`` unowned; ``1: Usk >N`` a loose spur. ``*`` behind it: with the mark of 8.10.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.rules_steam.engines import Engine

TINY: dict[str, Any] = tomllib.loads(Path(__file__).with_name("tiny.toml").read_text(encoding="utf-8"))
STOPS = ("Alder", "Dale", "Moor", "Usk", "Toll", "Cedar", "Birch", "Elm")  # of tiny, in map order; Moor is on C3

MOOR: dict[str, Any] = {**TINY, "towns": ["Moor", *TINY["towns"]], "rows": TINY["rows"].replace("@ . h @", "@ o h @")}

RICH = 100  # cash enough for anything
QUIET_TILES = (1, 6, 5, 7, 2, 3)  # by seat action tiles; the first five do nothing in phase 2
WITH_PASS = (5, 7)
SPACES = 12
USUAL = {
    **{"money": RICH, "income": 0, "vp": 0, "level": 1, "bankrupt": 0},
    **{"tile": 0, "passed": False, "to_do": False, "improved": False},
}
OF_TURN = ("number", "phase", "order", "seat", "placements", "round")

COVERED: set[int] = set()  # numbers of the worked examples that a test has


def example(*numbers: int) -> Any:
    """A test of worked examples."""
    COVERED.update(numbers)
    return lambda test: test


# --- positions ------------------------------------------------------------------------------------
def position(engine: type[Engine], *links: str, **entries: Any) -> Engine:
    """A game at a track turn of seat 0 on tiny, unless the entries say otherwise.

    Entries: those of a scenario's ``[turn]`` and ``[seats]`` by their names, where one number is every seat's and a
    dict names some seats; ``seats``; ``rules``, ``map``, ``tiles``, ``grown`` as in a scenario; ``new_cities`` by stop;
    ``cubes`` ("Alder RY, Dale G") and ``supply`` ("1 RP, 5 G").
    """
    return engine.from_scenario(scenario(*links, **entries))


def scenario(*links: str, **entries: Any) -> dict[str, Any]:
    """Likewise; ``phase=None``: at the beginning of a game; ``cubes=None`` or ``supply=None``: to be drawn."""
    rules = dict(entries.get("rules", {}))
    seats = rules.setdefault("num_players", entries.get("seats", 3))
    told = {
        "rules": rules,
        "map": entries.get("map", TINY),
        "supply": read_supply(entries.get("supply") or ""),
        "grown": entries.get("grown", []),
        "turn": {"phase": "build", **{name: entries[name] for name in OF_TURN if name in entries}},
        "seats": per_seat(entries, seats),
        "cubes": read_cubes(entries.get("cubes") or ""),
        "new_cities": [{"stop": stop, "color": color} for stop, color in entries.get("new_cities", {}).items()],
        "links": [read_link(text) for text in links],
    }
    if told["turn"]["phase"] is None:
        del told["turn"]
    for name in ("cubes", "supply"):
        if entries.get(name, "") is None:
            del told[name]
    return told | {name: entries[name] for name in ("tiles",) if name in entries}


def per_seat(entries: Mapping[str, Any], seats: int) -> dict[str, list[Any]]:
    """What the entries say, else as usual; at the beginning of a game what they say alone.

    Bankrupt seats have nothing. In phases 2 and 3 who is given no action tile has a quiet one. Action tiles 5 and 7 are
    taken with pass if nothing is to do.
    """
    usual = {name: [value] * seats for name, value in USUAL.items()}
    told = {name: spread(entries.get(name, {}), row) for name, row in usual.items()}
    phase = entries.get("phase", "build")
    if phase is None:
        return {name: row for name, row in told.items() if name in entries}
    for number in range(seats):
        if told["bankrupt"][number]:
            told["money"][number] *= "money" in entries
        elif phase != "take":
            told["tile"][number] = told["tile"][number] or QUIET_TILES[number]
        told["passed"][number] = told["tile"][number] in WITH_PASS and not told["to_do"][number]
    return told


def spread(value: Any, usual: Sequence[Any]) -> list[Any]:
    """A list as it is; a dict's seats over the usual values; one value for all."""
    if isinstance(value, dict):
        return [value.get(seat, own) for seat, own in enumerate(usual)]
    return list(value) if isinstance(value, list) else [value] * len(usual)


def read_cubes(text: str) -> dict[str, str]:
    return dict(entry.split() for entry in text.split(",") if entry.strip())


def read_supply(text: str) -> list[str]:
    groups = read_cubes(text)
    return [groups.get(str(space), "") for space in range(1, SPACES + 1)]


def read_link(text: str) -> dict[str, Any]:
    owner, _, rest = text.partition(":")
    words = [word for word in rest.split() if word != "*"]
    told: dict[str, Any] = {"owner": -1 if owner == "-" else int(owner), "path": words}
    if words[-1].startswith(">"):
        told |= {"path": words[:-1], "open": words[-1][1:]}
    return told | ({"extended": True} if rest.endswith("*") else {})


# --- what is seen ---------------------------------------------------------------------------------
def links(game: Engine, *, marks: bool = False) -> set[str]:
    """The links as texts, complete ones from the stop that comes first in map order."""
    return {name_link(link, marks) for link in game.state()["links"]}


def name_link(link: Mapping[str, Any], marks: bool = False) -> str:
    owner = "-" if link["owner"] == -1 else str(link["owner"])
    head = [f">{link['open']}"] if "open" in link else []
    return " ".join([f"{owner}:", *link["path"], *head, *["*"] * (marks and link.get("extended", False))])


def as_told(*texts: str) -> set[str]:
    """Links of an example, likewise."""
    found = set()
    for text in texts:
        link = read_link(text)
        if "open" not in link and STOPS.index(link["path"][0]) > STOPS.index(link["path"][-1]):
            link["path"].reverse()
        found.add(name_link(link))
    return found


def words(game: Engine, word: str) -> set[str]:
    """What stands behind this word in the legal actions."""
    return {text.removeprefix(f"{word} ") for text in game.legal() if text.startswith(f"{word} ")}


def play(game: Engine, *texts: str) -> Engine:
    """Play the actions of a line, two spaces apart, or one by one."""
    for line in texts:
        for text in line.split("  "):
            if text.strip():
                game.apply(text.strip())
    return game


def place(game: Engine, placement: str) -> Engine:
    """``B4 SE-NW``."""
    at, pattern = placement.split()
    return play(game, f"build {at}", f"tile {pattern}")


def refused() -> Any:
    """A ValueError that says something."""
    return pytest.raises(ValueError, match=r"\w")


def is_refused(game: Engine, text: str) -> bool:
    """Whether the action is not legal, is refused, and changes nothing."""
    before, legal = game.state(), game.legal()
    with refused():
        game.apply(text)
    return text not in legal and game.state() == before and game.legal() == legal


def seat(game: Engine, number: int, *names: str) -> tuple[Any, ...]:
    """What a seat has."""
    state = game.state()
    return tuple(state[name][number] for name in names)


def after_phase_4(engine: type[Engine], *links: str, **entries: Any) -> Engine:
    """Nobody has anything left to do in phase 3, so that the game goes on to phase 4 and beyond at once."""
    return position(engine, *links, **{"phase": "goods", "round": 2, "level": 6, "money": 0, **entries})
