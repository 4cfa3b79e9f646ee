"""What a click on the picture means: the actions of each place that it marks, and what there is to know of it."""

from __future__ import annotations

from collections.abc import Iterator

from steam_env.core.steam.actions import BUILD_ON, FROM, GROW, HOP_TO, URBANIZE
from steam_env.render.spots import Spot, name_spot
from steam_env.render.steam.draw_map import tell_stop
from steam_env.render.steam.things import Scene

STOP_BLOCKS = {"from": FROM, "hop": HOP_TO, "grow": GROW, "urbanize": URBANIZE}  # kind of action -> first id, by stop


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
    for seat in scene.seats:
        actions = tuple(choice.action for choice in scene.choices if choice.seat == seat.seat)
        yield name_spot("seat", seat.seat), Spot(seat.name, "", actions)
