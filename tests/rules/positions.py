"""Hand-drawn positions for the tests of factories, contracts, taking and information.

``GRID`` is a lattice of eight cities, straight track of one tile between neighbours; ``BELT`` is one long
group of adjacent cities and a city apart. A position is written in a few short texts::

    position(
        colors="Boone W, Elgin B",             # every other city is purple
        links="0 Ames Dyson / 1 Boone Dyson",  # owner, start city, any tiles on the way, end city or open edge
        factories="1 Boone 3",                 # owner, city, resources
        contracts="WB $3 bonus=track / WW",
        money=[5, 0, 5],
    )
"""

from collections.abc import Iterable, Sequence
from typing import Any

from steam_env import Game

GRID_ROWS = """
. . . .
 @ . @
. . . .
 . @ .
. . . .
 @ . @
. . . .
 . @ .
. . . .
 @ . @
. . . .
"""
GRID_CITIES = {
    **{"B2": "Ames", "B6": "Boone", "B10": "Clinton"},
    **{"D4": "Dyson", "D8": "Elgin"},
    **{"F2": "Fargo", "F6": "Galena", "F10": "Helena"},
}
TERRAIN = {".": "plains", "@": "city"}
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
EDGES = ("N", "NE", "SE", "S", "SW", "NW")

Map = dict[str, Any]


def place_of(hex_name: str) -> tuple[int, int]:
    """Column and row of a hex's name."""
    return ord(hex_name[0]) - ord("A") + 1, int(hex_name[1:])


def hex_at(col: int, row: int) -> str:
    return f"{chr(ord('A') + col - 1)}{row}"


def make_map(hexes: dict[str, str], names: dict[str, str]) -> Map:
    """An inline map; ``names`` gives the cities' names by hex."""
    return {"name": "drawn", "cities": [names[at] for at in sorted(names, key=place_of)], "hexes": hexes}


def grid(**changes: str) -> Map:
    """The lattice; ``B8="Beloit"`` puts a city on a hex, ``C3="hills"`` changes its terrain.

    Ames       Fargo
         Dyson
    Boone      Galena
         Elgin
    Clinton    Helena
    """
    hexes, names = {}, dict(GRID_CITIES)
    for row, line in enumerate(GRID_ROWS.split("\n")[1:-1], start=1):
        for col, letter in enumerate(line, start=1):
            if letter != " ":
                hexes[hex_at(col, row)] = TERRAIN[letter]
    for at, what in changes.items():
        if what in ("plains", "hills", "mountains", "water"):
            hexes[at] = what
        else:
            hexes[at], names[at] = "city", what
    return make_map(hexes, names)


def belt(length: int) -> Map:
    """A column of adjacent cities ``Town 1``, ``Town 2``, ...: one group; then a plains hex and the city ``Zion``."""
    names = {hex_at(1, 2 * index + 1): f"Town {index + 1}" for index in range(length)}
    names[hex_at(1, 2 * length + 3)] = "Zion"
    hexes = dict.fromkeys(names, "city")
    hexes[hex_at(1, 2 * length + 1)] = "plains"
    return make_map(hexes, names)


def towns(numbers: Iterable[int], template: str) -> str:
    """``template`` for each town of a belt, as ``position`` reads it: ``towns(range(1, 4), "{} W")``."""
    return ", ".join(template.format(f"Town {number}") for number in numbers)


def position(
    *,
    board: Map | None = None,
    colors: str = "",
    links: str = "",
    factories: str = "",
    contracts: str = "W",
    seats: int = 3,
    money: Sequence[int] | None = None,
    hands: Sequence[Sequence[int]] | None = None,
    fulfilled: Sequence[Sequence[int]] | None = None,
    known: Sequence[Sequence[int]] | None = None,
    deck: Sequence[int] | None = None,
    generation: Sequence[int] | None = None,
    seat: int = 0,
    actions_left: int = 2,
    first_player: int = 0,
    off_map: str = "",
    seed: int = 0,
    **rules: Any,
) -> Game:
    """The game at a position; see the module's example. Without ``hands`` all contracts are in the mover's."""
    return Game.from_scenario(
        scenario(
            **{name: value for name, value in locals().items() if name not in ("seed", "rules")},
            rules={"num_players": seats, **rules},
        ),
        seed=seed,
    )


def scenario(
    board: Map | None,
    colors: str,
    links: str,
    factories: str,
    contracts: str,
    seats: int,
    money: Sequence[int] | None,
    hands: Sequence[Sequence[int]] | None,
    fulfilled: Sequence[Sequence[int]] | None,
    known: Sequence[Sequence[int]] | None,
    deck: Sequence[int] | None,
    generation: Sequence[int] | None,
    seat: int,
    actions_left: int,
    first_player: int,
    off_map: str,
    rules: dict[str, Any],
) -> dict[str, Any]:
    """The scenario that ``position`` loads."""
    chosen = grid() if board is None else board
    by_city = dict(item.rsplit(" ", 1) for item in _items(colors, ","))
    cards = [_read_contract(item) for item in _items(contracts, "/")]
    if hands is None:
        hands = [list(range(len(cards))) if index == seat else [] for index in range(seats)]
    piles: dict[str, Any] = {"hands": [list(hand) for hand in hands]}
    for name, value in (("money", money), ("fulfilled", fulfilled), ("known", known)):
        if value is not None:
            piles[name] = list(value)
    stack: dict[str, Any] = {}
    if deck is not None:
        stack["order"] = list(deck)
    if generation is not None:
        stack["generation"] = list(generation)
    return {
        "rules": rules,
        "map": chosen,
        "cities": "".join(by_city.get(name, "P") for name in chosen["cities"]),
        "off_map": off_map,
        "contracts": cards,
        "links": [_read_link(item, chosen) for item in _items(links, "/")],
        "factories": [_read_factory(item) for item in _items(factories, ",")],
        "seats": piles,
        "deck": stack,
        "turn": {"seat": seat, "actions_left": actions_left, "first_player": first_player, "round": 1},
    }


def _items(text: str, separator: str) -> list[str]:
    return [item.strip() for item in text.split(separator) if item.strip()]


def _read_contract(text: str) -> dict[str, Any]:
    """``WB $3 vp=2 bonus=track``."""
    needs, *rest = text.split()
    card = {"needs": needs, "money": 0, "vp": 1, "bonus": "none", "automa": "track"}
    for word in rest:
        if word.startswith("$"):
            card["money"] = int(word[1:])
        else:
            name, _, value = word.partition("=")
            card[name] = int(value) if name == "vp" else value
    return card


def _read_factory(text: str) -> dict[str, Any]:
    owner, rest = text.split(" ", 1)
    city, resources = rest.rsplit(" ", 1)
    return {"owner": int(owner), "city": city, "resources": int(resources)}


def _read_link(text: str, board: Map) -> dict[str, Any]:
    """``0 Ames Dyson`` over the tile between them, ``0 Ames A3 A5 Boone``, or incomplete ``0 Ames A3 S``."""
    owner, *path = _split_names(text, board["cities"])
    if len(path) == 2 and path[1] not in EDGES:
        path.insert(1, _tile_between(board, *path))
    if path[-1] in EDGES:
        return {"owner": int(owner), "path": path[:-1], "open": path[-1]}
    return {"owner": int(owner), "path": path}


def _split_names(text: str, cities: Sequence[str]) -> list[str]:
    """Words, with the words of a city's name kept together."""
    for city in cities:
        if " " in city:
            text = text.replace(city, city.replace(" ", "_"))
    return [word.replace("_", " ") for word in text.split()]


def _tile_between(board: Map, city: str, other: str) -> str:
    at = dict(zip(board["cities"], sorted_city_hexes(board), strict=True))
    (col, row), (other_col, other_row) = place_of(at[city]), place_of(at[other])
    return hex_at((col + other_col) // 2, (row + other_row) // 2)


def sorted_city_hexes(board: Map) -> list[str]:
    """The City hexes in map order."""
    return sorted((at for at, what in board["hexes"].items() if what == "city"), key=place_of)


def play(game: Game, *actions: str) -> None:
    """Play the actions, given as texts."""
    for action in actions:
        game.step(action)


def legal(game: Game, word: str | None = None) -> set[str]:
    """The legal actions as texts; only those that begin with ``word`` if it is given."""
    return {text for text in game.legal_text() if word is None or text.split()[0] == word}


def refused(game: Game, action: str, rule: str) -> bool:
    """Whether the action is illegal by this rule: neither offered nor playable, and the reason names the rule."""
    reason = game.explain(action)
    return action not in game.legal_text() and reason is not None and f"(rule {rule})" in reason
