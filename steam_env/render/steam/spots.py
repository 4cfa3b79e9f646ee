"""What a click on the picture means: the actions of each place that it marks, and what there is to know of it."""

from __future__ import annotations

from collections.abc import Iterator

from steam_env.core.steam.actions import (
    BUILD_ON,
    FROM,
    GROW,
    HOP_TO,
    PASSED_TILES,
    SPACE_OF,
    TAKE_PASS,
    TAKE_TILE,
    URBANIZE,
)
from steam_env.core.steam.state import GROWTH_COST, LOCOMOTIVE_COST, TILE_NAMES, URBANIZATION_COST
from steam_env.kit.show import say_count
from steam_env.render.spots import Spot, name_spot
from steam_env.render.steam.draw_map import tell_stop
from steam_env.render.steam.things import Scene, Seat

STOP_BLOCKS = {"from": FROM, "hop": HOP_TO, "grow": GROW, "urbanize": URBANIZE}  # kind of action -> first id, by stop


TILE_MEANINGS = {  # rule 6.1
    1: "nothing but its place in the order of the next turn",
    2: "first in both goods rounds",
    3: "lays up to 4 tiles of track",
    4: "lays track first",
    5: f"${GROWTH_COST}: a group of cubes of the supply comes to a city; or passed for nothing",
    6: f"${LOCOMOTIVE_COST} and $1 for the new level: one level more at once",
    7: f"${URBANIZATION_COST}: a town becomes a New City with a group of cubes; or passed for nothing",
}


def list_spots(scene: Scene) -> dict[str, Spot]:
    """What a click means, by the names with which the picture marks its places."""
    return dict(_list_spots(scene))


def _list_spots(scene: Scene) -> Iterator[tuple[str, Spot]]:
    kinds = [kind for kind in STOP_BLOCKS if any(choice.kind == kind for choice in scene.choices)]
    builds = any(choice.kind == "build" for choice in scene.choices)
    land = 0  # hexes of the rules, who know no water
    for number, tile in enumerate(scene.hexes):
        if tile.terrain != "water":
            yield name_spot("hex", number), Spot(f"hex {tile.name}", "", (BUILD_ON + land,) if builds else ())
            land += 1
    for number, stop in enumerate(scene.stops):
        words = tell_stop(stop) if stop.color else f"{stop.name}: town"
        title, _, text = words.partition(": ")
        yield name_spot("stop", number), Spot(title, text, tuple(STOP_BLOCKS[kind] + number for kind in kinds))
    yield from _list_panel_spots(scene)


def _list_panel_spots(scene: Scene) -> Iterator[tuple[str, Spot]]:
    """Seats, action tiles, spaces of the Goods Supply, and the track tiles that may be laid."""
    for seat in scene.seats:
        actions = tuple(choice.action for choice in scene.choices if choice.seat == seat.seat)
        yield name_spot("seat", seat.seat), Spot(seat.name, tell_seat(seat), actions)
    holders = {seat.tile: seat for seat in scene.seats if seat.tile}
    for number, meaning in TILE_MEANINGS.items():
        words = f"{meaning}; {holders[number].name} has it" if number in holders else meaning
        passed = (TAKE_PASS + PASSED_TILES.index(number),) if number in PASSED_TILES else ()
        yield name_spot("tile", number), Spot(TILE_NAMES[number], words, (TAKE_TILE + number - 1, *passed))
    for space, cubes in enumerate(scene.supply.spaces):
        words = f"cubes {cubes}" if cubes else "no cubes"
        yield name_spot("space", space), Spot(f"space {space + 1} of the supply", words, (SPACE_OF + space,))
    for choice in scene.choices:
        if choice.pattern:
            yield name_spot("pattern", choice.action), Spot(choice.text, "", (choice.action,))


def tell_seat(seat: Seat) -> str:
    """What a seat has, in words."""
    if seat.bankrupt:
        return f"bankrupt in turn {seat.bankrupt}"
    tile = f"action tile {TILE_NAMES[seat.tile]}" if seat.tile else "no action tile"
    words = (f"${seat.money}", f"income {seat.income}", f"{seat.vp} VP", f"locomotive {seat.level}", tile)
    return ", ".join((*words, say_count(seat.links, "link")))
