"""The scene as a picture, in layers, and what is told beside it.

A layer is a group with its name as class. Those of the map, the lowest first: `land`, `axes`, `track`, `cities` (towns,
too), `discs`, `rings`, `names`, `choices`; those of the panel: ``PANEL_LAYERS``. What stands for a legal action has the
action's text as its title: rings of `grow`, `urbanize`, `from`, `hop`; hexes of `build`; in `tiles` those of `take`, in
`supply` of `space`, in `stock` of `tile`.
"""

from __future__ import annotations

from steam_env.render.canvas import BOLD, HEIGHT, WIDTH, Canvas
from steam_env.render.frame import Box
from steam_env.render.steam.draw_map import MapDrawer
from steam_env.render.steam.draw_panel import PanelDrawer
from steam_env.render.steam.things import Scene

PANEL_LAYERS = ("decision", "seats", "income", "tiles", "supply", "stock")
MARGIN = 16
HEADER = 44
TITLE_ROOM, TITLE_GAP = 400, 24
PANEL_X = 802
MAP_BOX: Box = (MARGIN, HEADER, PANEL_X - 2 * MARGIN, HEIGHT - HEADER - MARGIN)
PANEL_BOX: Box = (PANEL_X, MARGIN, WIDTH - PANEL_X - MARGIN, HEIGHT - 2 * MARGIN)


def draw_canvas(scene: Scene) -> Canvas:
    """The picture before it is written out, in layers."""
    canvas = Canvas(WIDTH, HEIGHT, "steam")
    canvas.box(0, 0, WIDTH, HEIGHT, "paper", radius=0)
    _draw_header(canvas, scene)
    MapDrawer(canvas, scene, MAP_BOX).draw()
    PanelDrawer(canvas, scene, PANEL_BOX).draw()
    return canvas


def describe(scene: Scene) -> str:
    """The picture in one sentence, for those who cannot see it."""
    mover = "" if scene.decision.seat is None else f"player_{scene.decision.seat} decides: "
    return f"Steam, {scene.title}, turn {scene.round} of {scene.last_round}; {mover}{scene.decision.text}"


def _draw_header(canvas: Canvas, scene: Scene) -> None:
    canvas.open("header")
    left, right = MARGIN + 4, PANEL_X - MARGIN  # the details end there: a wider font than ours has the gap to grow
    title_width = canvas.write(scene.title, left, 30, 22, weight=BOLD, width=TITLE_ROOM)
    details = f"turn {scene.round} of {scene.last_round} · {len(scene.seats)} seats"
    canvas.write(details, right, 30, 14, "muted", "end", width=right - left - title_width - TITLE_GAP)
    canvas.close()


def tell_facts(scene: Scene) -> str:
    """The line in the head of a replay that tells of the game."""
    return f"{len(scene.seats)} seats · {scene.last_round} turns · nothing is hidden"


def frame_map(scene: Scene) -> Box:
    """The part of the picture that the map takes up."""
    return MapDrawer(Canvas(0, 0), scene, MAP_BOX).frame.box
