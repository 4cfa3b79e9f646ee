"""The scene as a picture, in layers, and what is told beside it.

A layer is a group with its name as class. Those of the map, the lowest first: `land`, `axes`, `track`, `cities` (towns,
too), `discs`, `rings`, `names`, `choices`; those of the panel: ``PANEL_LAYERS``. What stands for a legal action has the
action's text as its title: rings of `grow`, `urbanize`, `from`, `hop`; hexes of `build`; in `tiles` those of `take`, in
`supply` of `space`, in `stock` of `tile`.
"""

from __future__ import annotations

from steam_env.render.canvas import Canvas
from steam_env.render.frame import Box
from steam_env.render.sheet import MAP_BOX, PANEL_BOX, open_sheet
from steam_env.render.steam.draw_map import MapDrawer
from steam_env.render.steam.draw_panel import PanelDrawer
from steam_env.render.steam.things import Scene

PANEL_LAYERS = ("decision", "seats", "income", "tiles", "supply", "stock")


def draw_canvas(scene: Scene) -> Canvas:
    """The picture before it is written out, in layers."""
    details = f"turn {scene.round} of {scene.last_round} · {len(scene.seats)} seats"
    canvas = open_sheet("steam", scene.title, details)
    MapDrawer(canvas, scene, MAP_BOX).draw()
    PanelDrawer(canvas, scene, PANEL_BOX).draw()
    return canvas


def describe(scene: Scene) -> str:
    """The picture in one sentence, for those who cannot see it."""
    mover = "" if scene.decision.seat is None else f"player_{scene.decision.seat} decides: "
    return f"Steam, {scene.title}, turn {scene.round} of {scene.last_round}; {mover}{scene.decision.text}"


def tell_facts(scene: Scene) -> str:
    """The line in the head of a replay that tells of the game."""
    return f"{len(scene.seats)} seats · {scene.last_round} turns · nothing is hidden"


def frame_map(scene: Scene) -> Box:
    """The part of the picture that the map takes up."""
    return MapDrawer(Canvas(0, 0), scene, MAP_BOX).frame.box
