"""Small boards drawn as text, and the words in which the tests of the rules speak.

A drawing has the hex of column c, row r at character c of line r, as the rows of a map file have:
`.` plains, `h` hills, `m` mountains, `~` water, a space void, and a capital letter for a city, which
is called by the name of that letter (`A` is Ames). A link is a text as well: "0: Ames B2 Boone" is a
complete one of seat 0, "1: Boone C3 > NE" an incomplete one of seat 1 with its open edge. Geometry
is told here anew, on purpose: the tests must not believe the game's.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

from steam_env import Game
from steam_env.kit.errors import IllegalActionError
from tests.verification.reference.geometry import name_hex as name_of

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGES = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)}
NAMES = (
    *("Ames", "Boone", "Clinton", "Dyson", "Elgin", "Fargo", "Galena", "Hibbing", "Ironton", "Joliet"),
    *("Keokuk", "Lamoni", "Moline", "Newton", "Ottumwa", "Peoria", "Quincy", "Racine", "Streator"),
    *("Tama", "Urbana", "Vinton", "Waterloo", "Xenia", "Yorkville", "Zion"),
)
CITY_OF = {name[0]: name for name in NAMES}
PLAIN_CARD = {"needs": "W", "money": 0, "vp": 1, "bonus": "none", "automa": "track"}
LEVELS = ("Attic", "Upper", "Lower", "Cellar")  # rows of cities of the quilt
STOCK_OWNERS = {"simple": 4, "tight": 3, "straights": 3, "curved": 2}  # of the links that use the stock up

# Five links side by side, one for each seat: Ames to Fargo, Boone to Galena, and so on.
LADDER = """
    A B C D E
     . . . .
    . . . . .
     . . . .
    F G H I J
     . . . .
    . . . . .
"""
RUNGS = ("0: Ames Fargo", "1: Boone Galena", "2: Clinton Hibbing", "3: Dyson Ironton", "4: Elgin Joliet")

Cell = tuple[int, int]
Cells = dict[Cell, str]  # by column and row: a character of the terrain or a city's name


# --- geometry -----------------------------------------------------------------------------------------
def beside(hex_name: str, edge: str) -> str:
    """The hex across an edge."""
    col, row = cell_of(hex_name)
    return name_of((col + STEPS[edge][0], row + STEPS[edge][1]))


def opposite(edge: str) -> str:
    return EDGES[(EDGES.index(edge) + 3) % 6]


def apart(one: str, other: str) -> int:
    """How far two edges are apart round the hex: 1 neighbours, 2 two apart, 3 opposite."""
    steps = abs(EDGES.index(one) - EDGES.index(other))
    return min(steps, 6 - steps)


def alternate(pair: Sequence[str], other: Sequence[str]) -> bool:
    """Whether exactly one end of `other` lies on the way round from one end of `pair` to its other end."""
    first, last = sorted(EDGES.index(edge) for edge in pair)
    return len({*pair, *other}) == 4 and sum(first < EDGES.index(edge) < last for edge in other) == 1


def cell_of(hex_name: str) -> Cell:
    match = re.fullmatch(r"([A-Z]+)(\d+)", hex_name)
    assert match
    col = 0
    for letter in match[1]:
        col = col * 26 + LETTERS.index(letter) + 1
    return col, int(match[2])


# --- boards -------------------------------------------------------------------------------------------
def draw(drawing: str) -> Cells:
    """The cells of a drawing; some hex of it is in the first column."""
    lines = dedent(drawing).strip("\n").split("\n")
    return {
        (col, row): CITY_OF.get(mark, mark)
        for row, line in enumerate(lines, 1)
        for col, mark in enumerate(line, 1)
        if mark != " "
    }


def flower(center: str = ".", petals: Mapping[str, str] | None = None) -> Cells:
    """A hex D4 with its six neighbours: plains but for those that `petals` names by edge."""
    marks = {beside("D4", edge): (petals or {}).get(edge, ".") for edge in EDGES}
    return {cell_of(at): CITY_OF.get(mark, mark) for at, mark in {"D4": center, **marks}.items()}


def map_of(cells: Cells) -> dict[str, Any]:
    """The cells as a scenario's map."""
    rows = []
    for row in range(1, max(row for _, row in cells) + 1):
        marks = [cells.get((col, row), " ") for col in range(1, max(col for col, _ in cells) + 1)]
        rows.append("".join("@" if len(mark) > 1 else mark for mark in marks).rstrip())
    return {"name": "drawn", "cities": cities_of(cells), "rows": "\n".join(rows)}


def cities_of(cells: Cells) -> list[str]:
    """Names in map order."""
    return [cells[cell] for cell in sorted(cells) if len(cells[cell]) > 1]


# --- positions ----------------------------------------------------------------------------------------
def table(
    cells: Cells,
    links: Iterable[str] = (),
    factories: Iterable[str] = (),
    *,
    colors: Mapping[str, str] | None = None,
    contracts: Sequence[Mapping[str, Any]] | int = 20,
    off_map: str = "",
    **more: Any,
) -> dict[str, Any]:
    """A scenario; cities are white but for `colors` ({"Ames": "P"}); contracts may be a number of dull ones."""
    return {
        "map": map_of(cells),
        "cities": "".join((colors or {}).get(name, "W") for name in cities_of(cells)),
        "contracts": [PLAIN_CARD] * contracts if isinstance(contracts, int) else list(contracts),
        "links": [read_link(text, cells) for text in links],
        "factories": [read_factory(text) for text in factories],
        "off_map": off_map,
        **more,
    }


def fill_in(usual: Mapping[str, Any], entries: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """What a position has, by attribute, as the entries or else as usual; and entries that are none of the usual."""
    known = {name: entries.get(name, value) for name, value in usual.items()}
    return SimpleNamespace(**known), {name: value for name, value in entries.items() if name not in usual}


USUAL_ENTRIES: dict[str, Any] = {
    "seats": 2,
    "money": 5,
    "factories": (),
    "hands": None,
    "fulfilled": None,
    "turn": None,
    "rules": None,
    "used": None,
    "known": None,
    "seed": 0,
}


def position(board: str | Cells, *links: str, **entries: Any) -> Game:
    """A game at a position: what is not said is as dull as can be.

    Hands are empty; `factories` are texts "1: Ames 3"; `used` has so many tiles of a kind (see `use_up`) lie
    elsewhere, which takes five seats; `more` is for `table`.
    """
    its, more = fill_in(USUAL_ENTRIES, entries)
    seats = its.seats
    cells = dict(draw(board)) if isinstance(board, str) else dict(board)
    paths = list(links)
    for kind, count in (its.used or {}).items():
        seats = 5
        paths += use_up(cells, kind, count, STOCK_OWNERS[kind])
    piles = {
        "money": [its.money] * seats if isinstance(its.money, int) else list(its.money),
        "hands": its.hands or [[]] * seats,
        "fulfilled": its.fulfilled or [[]] * seats,
        "known": its.known or [[]] * seats,
    }
    rules = {"num_players": seats, **(its.rules or {})}
    scenario = table(cells, paths, its.factories, rules=rules, seats=piles, turn=dict(its.turn or {}), **more)
    return Game.from_scenario(scenario, seed=its.seed)


def read_link(text: str, cells: Cells | None = None) -> dict[str, Any]:
    """A link; given the cells, a single tile between two cities need not be told: "0 Ames Dyson"."""
    owner, *path = text.replace(":", " ").replace(">", " ").split()
    if path[-1] in EDGES:
        return {"owner": int(owner), "path": path[:-1], "open": path[-1]}
    if len(path) == 2 and cells:
        (col, row), (other_col, other_row) = (next(at for at in cells if cells[at] == city) for city in path)
        path.insert(1, name_of(((col + other_col) // 2, (row + other_row) // 2)))
    return {"owner": int(owner), "path": path}


def read_factory(text: str) -> dict[str, Any]:
    owner, city, resources = text.replace(":", "").split()
    return {"owner": int(owner), "city": city, "resources": int(resources)}


def use_up(cells: Cells, kind: str, count: int, owner: int) -> list[str]:
    """Add hexes below the board, and links of `owner` on them with exactly `count` tiles of a kind.

    Kinds: "simple" straight tiles, "tight" curves, "straights" (straight x straight), "curved" (straight x curve).
    The crossings use no other tiles: each replaces the only tile of a link from the city above to the one below.
    """
    top = max(row for _, row in cells) + 4
    top += top % 2  # (0, top) is a place of the honeycomb
    if count == 0:
        return []
    if kind in ("simple", "tight"):
        walk = [(1, top + 1)]
        for index in range(count + 1):
            down = kind == "simple" or index % 2 == 0
            step = STEPS["S"] if down else STEPS["NE"]
            walk.append((walk[-1][0] + step[0], walk[-1][1] + step[1]))
        cells |= dict.fromkeys(walk[1:-1], ".")
        cells |= {walk[0]: f"First{kind}", walk[-1]: f"Last{kind}"}
        return [f"{owner}: First{kind} {' '.join(map(name_of, walk[1:-1]))} Last{kind}"]
    line = [(1, top + 3)]
    for index in range(count + 1):
        step = STEPS["SE"] if kind == "straights" or index % 2 == 0 else STEPS["NE"]
        line.append((line[-1][0] + step[0], line[-1][1] + step[1]))
    cells |= dict.fromkeys(line[1:-1], ".")
    cells |= {line[0]: f"First{kind}", line[-1]: f"Last{kind}"}
    paths = []
    for index, (col, row) in enumerate(line[1:-1]):
        cells |= {(col, row - 2): f"Over{kind}{index}", (col, row + 2): f"Under{kind}{index}"}
        paths.append(f"{owner}: Over{kind}{index} {name_of((col, row))} Under{kind}{index}")
    return [*paths, f"{owner}: First{kind} {' '.join(map(name_of, line[1:-1]))} Last{kind}"]


def quilt(owner: int) -> tuple[Cells, list[str]]:
    """Four rows of eight cities with single hexes between them, and a link for each of those 24; one network."""
    cells: Cells = {}
    paths = []
    for level in range(4):
        for col in range(1, 9):
            row = 1 + 4 * level + (col + 1) % 2
            cells[col, row] = f"{LEVELS[level]}{col}"
            if level < 3:
                cells[col, row + 2] = "."
                paths.append(f"{owner}: {LEVELS[level]}{col} {name_of((col, row + 2))} {LEVELS[level + 1]}{col}")
    return cells, paths


# --- play and look --------------------------------------------------------------------------------------
def play(game: Game, *actions: str) -> Game:
    """Play actions given as "start Ames S, head S, done"; every one must be legal."""
    for action in ", ".join(actions).split(", "):
        can(game, action)
        game.step(action)
    return game


def can(game: Game, actions: str) -> None:
    """Each of the actions is legal now."""
    for action in actions.split(", "):
        reason = game.explain(action)
        assert reason is None, f"{action} must be legal: {reason}; {short(game)}"
        assert action in game.legal_text()


def cannot(game: Game, actions: str, rule: str) -> None:
    """Each of the actions is refused because of the rule (of one of them, as in "1.4 or 4.2"); nothing changes."""
    for action in actions.split(", "):
        reason = game.explain(action)
        assert reason is not None, f"{action} must be illegal by {rule}; {short(game)}"
        assert cites(reason, rule), f"{action}: {reason!r} does not say rule {rule}"
        before = (game.record.tobytes(), game.legal(), game.num_steps)
        with pytest.raises(IllegalActionError) as caught:
            game.step(action)
        assert cites(str(caught.value), rule)
        assert (game.record.tobytes(), game.legal(), game.num_steps) == before
        assert action not in game.legal_text()


def cites(reason: str, rule: str) -> bool:
    return any(re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", reason) for number in rule.split(" or "))


def legal(game: Game) -> set[str]:
    return set(game.legal_text())


def choices(game: Game, word: str) -> set[str]:
    """What may follow the word now: choices(game, "head") is {"N", "SE"}, say."""
    return {text.partition(" ")[2] for text in game.legal_text() if text.partition(" ")[0] == word}


def cities_to_start(game: Game) -> set[str]:
    return {start.rpartition(" ")[0] for start in choices(game, "start")}


def links(game: Game, *owners: int) -> list[str]:
    """The links of these seats (all seats) as texts, in the order in which they were begun."""
    texts = []
    for link in game.links():
        assert link["complete"] == (link["open"] is None)
        if not owners or link["owner"] in owners:
            end = "" if link["complete"] else f" > {link['open']}"
            texts.append(f"{link['owner']}: {' '.join(link['path'])}{end}")
    return texts


def connected(game: Game, seat: int) -> set[str]:
    """The cities that are in the seat's network."""
    return {name for name in game.setting.map.cities if seat in game.city(name)["connected"]}


def next_turn(game: Game) -> Game:
    """The mover takes money until it is another seat's turn."""
    mover = game.seat
    while game.seat == mover:
        play(game, "money")
    return game


def short(game: Game) -> str:
    """What a failure tells of a position."""
    mine = [text if len(text) < 80 else f"{text[:60]}..." for text in links(game, game.seat)]
    return f"{game!r}, own links {mine}, legal {game.legal_text()[:30]}"
