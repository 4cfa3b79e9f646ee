"""Positions with Automas drawn as columns, and what an Automa's turn tells of its decisions.

A board is given column by column: `columns("A.B", "", "ChD")` has Ames, a plains hex and Boone below each
other in column A, nothing in column B (so that columns A and C do not touch), and Clinton, hills and
Dyson in column C. Column A has rows 1, 3, 5 ..., column B rows 2, 4, 6 ...

The player of seat 0 has one action left in the position; by `take_turn` it takes money, and the Automas
after it move. Each deck holds what they draw, in this order, and nothing else unless it is said.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from steam_env import Event, Game
from steam_env.core.steam_power.events import CRITERIA, OBSTACLES
from steam_env.core.steam_power.state import COLOR_NAMES, ICON_NAMES, TARGET_NAMES
from steam_env.words.steam_power.links import name_place
from tests.rules.boards import CITY_OF, LETTERS, Cells, fill_in, table

CORNERS = ("top left", "top right", "bottom right", "bottom left")  # as the marker moves
COLORS = ("white", "black", "orange", "gray")


def columns(*texts: str) -> Cells:
    """The cells of a board drawn column by column."""
    cells: Cells = {}
    for index, text in enumerate(texts):
        for step, mark in enumerate(text):
            if mark != " ":
                cells[index + 1, 2 * step + 1 + index % 2] = CITY_OF.get(mark, mark)
    return cells


def white_at(corner: str) -> list[str]:
    """Corner colours with white in this corner."""
    others = iter(COLORS[1:])
    return ["white" if name == corner else next(others) for name in CORNERS]


def card(needs: str, automa: str = "track", *, money: int = 0, vp: int = 1, bonus: str = "none") -> dict[str, Any]:
    """A printed contract."""
    return {"needs": needs, "money": money, "vp": vp, "bonus": bonus, "automa": automa}


def split(texts: Sequence[str] | str) -> Sequence[str]:
    """The texts, which may stand in one with commas."""
    return [text for text in texts.split(", ") if text] if isinstance(texts, str) else texts


USUAL_ENTRIES: dict[str, Any] = {
    "cards": (),
    "seats": 2,
    "automas": 1,
    "corner": "top left",
    "corner_colors": COLORS,
    "colors": "",
    "money": 4,
    "factories": (),
    "coins": (),
    "discards": (),
    "hands": None,
    "fulfilled": None,
    "order": None,
    "turn": None,
    "rules": None,
    "off_map": "",
}


def automa_scenario(cells: Cells, *links: str, **entries: Any) -> dict[str, Any]:
    """A scenario in which seat 0 has one action left; `corner` is where every marker goes next.

    Nobody can pay $5 to the bank unless `money` says so.
    Cities are white but for `colors` ("Ames P, Boone G"). `coins` are texts, one for each Automa: "A3 Boone".
    """
    its, more = fill_in(USUAL_ENTRIES, entries)
    painted = dict(item.split() for item in split(its.colors)) if isinstance(its.colors, str) else its.colors
    paths = [its.coins] if isinstance(its.coins, str) else list(its.coins) or [""] * its.automas
    elsewhere = {*its.discards, *(number for seat in [*(its.hands or []), *(its.fulfilled or [])] for number in seat)}
    deck = (
        [number for number in range(len(its.cards)) if number not in elsewhere]
        if its.order is None
        else list(its.order)
    )
    return table(
        cells,
        filter(None, links),
        split(its.factories),
        colors=painted,
        contracts=its.cards,
        off_map=its.off_map,
        rules={"num_players": its.seats, "automas": its.automas, **(its.rules or {})},
        seats={
            "money": [its.money] * its.seats if isinstance(its.money, int) else list(its.money),
            "hands": its.hands or [[]] * its.seats,
            "fulfilled": its.fulfilled or [[]] * its.seats,
        },
        turn={"actions_left": 1, **(its.turn or {})},
        deck={"order": deck},
        automa={
            "corners": list(its.corner_colors),
            "marker": [(CORNERS.index(its.corner) + 3) % 4] * its.automas,
            "coins": [path.split() for path in paths],  # the boards' names are single words
            "discards": list(its.discards),
        },
        **more,
    )


def automa_game(cells: Cells, *links: str, **entries: Any) -> Game:
    """The game at `automa_scenario`."""
    return Game.from_scenario(automa_scenario(cells, *links, **entries), seed=1)


def act(
    cells: Cells, *links: str, needs: str = "BB", icon: str = "track", **entries: Any
) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa cannot pay for the contract and uses it by its icon: the game afterwards, and what happened."""
    game = automa_game(cells, *links, **{"cards": [card(needs, icon)], **entries})
    return game, take_turn(game)


def take_turn(game: Game, action: str = "money") -> list[dict[str, Any]]:
    """The player acts, the Automas move; what happened, in names (see `name_values`)."""
    steps = game.num_steps
    game.step(action)
    return [name_values(game, event) for event in game.events_since(steps) if event.actor > 0]


def name_values(game: Game, event: Event) -> dict[str, Any]:
    """The event's kind, actor and values with the names of cities, hexes, colours and reasons."""
    map_ = game.setting.map
    board = game.setting.boards[0]

    readers: dict[str, Any] = {
        **dict.fromkeys(("city", "from_city", "to_city", "to_group", "from_group"), lambda value: map_.cities[value]),
        "hex": lambda value: name_place(board, map_, value),
        "color": lambda value: COLOR_NAMES[value],
        "rule": lambda value: TARGET_NAMES[value],
        "icon": lambda value: ICON_NAMES[value],
        "failed": lambda value: ICON_NAMES[value],
        "then": lambda value: "money" if value < 0 else ICON_NAMES[value],
        "corner": lambda value: CORNERS[value],
        "why": lambda value: (OBSTACLES if event.kind in WITH_OBSTACLES else CRITERIA)[value],
    }
    values = {name: readers[name](value) if name in readers else value for name, value in event.values.items()}
    return {"kind": event.kind, "actor": event.actor, **values}


WITH_OBSTACLES = ("no_track", "not_laid", "no_city", "compensation")


def told(turn: Sequence[Mapping[str, Any]], kind: str, *names: str) -> list[Any]:
    """These values of all events of the kind, in order: bare where one name is given, else as tuples."""
    rows = [tuple(event[name] for name in names) for event in turn if event["kind"] == kind]
    return [row[0] for row in rows] if len(names) == 1 else rows


def laid(turn: Sequence[Mapping[str, Any]]) -> list[str]:
    """The hexes on which track was laid."""
    return told(turn, "place", "hex")


def targets(turn: Sequence[Mapping[str, Any]]) -> list[str]:
    return told(turn, "target", "city")


def path(turn: Sequence[Mapping[str, Any]]) -> str:
    """The hexes of the paths chosen."""
    return " ".join(told(turn, "path_hex", "hex"))


def coins(game: Game, number: int = 0) -> list[str]:
    """The coin path of an Automa as scenario files have it."""
    way = game.record.coins[number, : game.record.num_coins[number]].tolist()
    return [name_place(game.setting.boards[0], game.setting.map, index) for index in way]


def chain(links: int, owner: int = 1, *, tail: str = "") -> tuple[Cells, list[str]]:
    """A column of cities with single hexes between them, linked by so many links of the owner; then `tail` below it."""
    cities = LETTERS[: links + 1]
    cells = columns(".".join(cities) + tail)
    paths = [
        f"{owner}: {CITY_OF[cities[index]]} A{4 * index + 3} {CITY_OF[cities[index + 1]]}" for index in range(links)
    ]
    return cells, paths
