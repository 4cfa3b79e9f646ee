"""Positions of Steam for the tests of its rules: the map `tiny`, and links in a short notation.

``0: Alder B4 >SE`` is an incomplete link of seat 0 with root Alder, last tile on B4 and head SE; ``*`` behind it is its
mark. ``0: Alder B4 Usk`` is complete, ``-:`` is nobody's, ``1: Usk >N`` a loose spur. ``;`` stands between links.
"""

import re
from typing import Any

from steam_env.steam import Game

ROWS = ". . ~ .\n . o . \n@ . h @\n . . h \n. o . .\n . @ . \n@ . . @"
TINY: dict[str, Any] = {
    "name": "tiny",
    "title": "Tiny",
    "seats": [3, 4],
    "cities": [
        {"name": "Alder", "color": "red", "cubes": 2},
        {"name": "Dale", "color": "blue", "cubes": 1},
        {"name": "Cedar", "color": "yellow", "cubes": 2},
        {"name": "Birch", "color": "red", "cubes": 2},
        {"name": "Elm", "color": "gray", "cubes": 2},
    ],
    "towns": ["Usk", "Toll"],
    "rivers": ["B4", "F4"],
    "walls": ["C1 SE"],
    "rows": ROWS,
}
MOOR = {**TINY, "towns": ["Moor", "Usk", "Toll"], "rows": ROWS.replace("@ . h @", "@ o h @")}
FIVE_SEATS = {**TINY, "seats": [3, 4, 5]}
TILES = (1, 5, 7, 6, 2)  # of the seats in turn: nobody is first in a phase, nobody has an Engineer
PASSING = (5, 7)  # taken with pass, unless they are to do
RICH = 99
EMPTY_SUPPLY = ["RP"] + [""] * 11
NETWORK = "0: Dale A5 Alder; 0: Alder B4 Usk; 1: Usk Cedar; 1: Cedar E5 F4 Birch; 2: Birch G5 Elm"  # of section 6


def read_links(text: str) -> list[dict[str, Any]]:
    """Links of a scenario from the short notation."""
    return [_read_link(part.strip()) for part in text.split(";") if part.strip()]


def _read_link(text: str) -> dict[str, Any]:
    owner, words = text.split(": ")
    parts = words.split()
    link: dict[str, Any] = {"owner": -1 if owner == "-" else int(owner)}
    if parts[-1] == "*":
        parts.pop()
        link["extended"] = True
    if parts[-1].startswith(">"):
        link["open"] = parts.pop()[1:]
    return {**link, "path": parts}


def write_links(game: Game) -> list[str]:
    """The links of a game in the short notation, without marks, sorted."""
    return sorted(write_link(link) for link in game.links())


def write_link(link: dict[str, Any]) -> str:
    owner = "-" if link["owner"] < 0 else str(link["owner"])
    head = [f">{link['open']}"] if "open" in link else []
    return f"{owner}: {' '.join([*link['path'], *head])}"


def same_links(game: Game, text: str) -> bool:
    """Whether the game's links are these; a complete one may be named from either end."""
    return write_links(game) == sorted(write_link(turn(link)) for link in read_links(text))


STOPS = ("Alder", "Dale", "Moor", "Usk", "Toll", "Cedar", "Birch", "Elm")  # in map order


def turn(link: dict[str, Any]) -> dict[str, Any]:
    """A complete link from its stop that comes first in map order."""
    if "open" in link or STOPS.index(link["path"][0]) < STOPS.index(link["path"][-1]):
        return link
    return {**link, "path": link["path"][::-1]}


OF_SEATS = ("money", "income", "vp", "level", "bankrupt", "tile", "passed", "to_do", "improved")
ENTRIES = ("cubes", "supply", "grown", "new_cities", "tiles", "map")


def describe(links: str = "", *, seat: int = 0, phase: str = "build", seats: int = 3, **options: Any) -> dict[str, Any]:
    """A scenario in which it is a seat's decision; all have cash enough, income 0 and 0 VP unless said.

    The order track begins with the seat. ``options``: entries of the table ``seats``, or of the scenario.
    """
    order = [*range(seat, seats), *range(seat)]
    by_place = dict(zip(order, TILES, strict=False))
    tiles = options.get("tile", [0 if phase == "take" else by_place[one] for one in range(seats)])
    to_do = options.get("to_do", [False] * seats)
    return {
        "game": "steam",
        "map": TINY,
        "rules": {"num_players": seats, **options.get("rules", {})},
        "turn": {"phase": phase, "order": order, "seat": seat, **options.get("turn", {})},
        "seats": {
            "money": [RICH] * seats,
            "tile": tiles,
            "passed": [tile in PASSING and not left for tile, left in zip(tiles, to_do, strict=True)],
            **{name: value for name, value in options.items() if name in OF_SEATS},
        },
        "cubes": {},
        "supply": EMPTY_SUPPLY,
        "links": read_links(links),
        **{name: value for name, value in options.items() if name in ENTRIES},
    }


def position(links: str = "", **options: Any) -> Game:
    """The game at the position that ``describe`` describes."""
    return Game.from_scenario(describe(links, **options), seed=0)


def play(game: Game, *actions: str) -> Game:
    """Play actions as texts; returns the game."""
    for action in actions:
        game.step(action)
    return game


def explain_rule(game: Game, action: str) -> str | None:
    """The number of the rule that forbids an action; None if it is legal."""
    reason = game.explain(action)
    if reason is None:
        return None
    match = re.search(r"\(rule ([0-9.]+(?: [a-d])?)\)$", reason)
    assert match, reason
    return match[1]


def end_turn(game: Game) -> Game:
    """Pass until the next turn, or the end; points go on VP."""
    number = game.round
    while not game.done and game.round == number:
        legal = game.legal_text()
        game.step("pass" if "pass" in legal else "vp" if "vp" in legal else legal[0])
    return game
