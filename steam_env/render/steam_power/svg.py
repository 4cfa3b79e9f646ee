"""The scene as a picture: one SVG document, written in pure Python, with no font, script or file from elsewhere."""

from __future__ import annotations

from steam_env.core.steam_power.state import SOLO_ROUNDS
from steam_env.render.canvas import Canvas
from steam_env.render.steam_power.draw_map import MapDrawer
from steam_env.render.steam_power.draw_panel import PanelDrawer
from steam_env.render.steam_power.scene import Scene
from steam_env.render.theme import LIGHT, check_theme

WIDTH, HEIGHT = 1200, 800  # of every picture, so that the frames of a video have one size
MARGIN = 16
HEADER = 44
TITLE_ROOM, TITLE_GAP = 400, 24
PANEL_X = 802
MAP_BOX = (MARGIN, HEADER, PANEL_X - 2 * MARGIN, HEIGHT - HEADER - MARGIN)
PANEL_BOX = (PANEL_X, MARGIN, WIDTH - PANEL_X - MARGIN, HEIGHT - 2 * MARGIN)


def draw_svg(scene: Scene, theme: str = LIGHT) -> str:
    """The picture as text.

    Args:
        scene: what to draw.
        theme: ``"light"``, ``"dark"``, or ``"auto"``: as the reader's system prefers.

    Raises:
        ValueError: for another theme.
    """
    check_theme(theme)
    return draw_canvas(scene).to_svg(theme, describe(scene))


def draw_canvas(scene: Scene) -> Canvas:
    """The picture before it is written out, in layers."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.box(0, 0, WIDTH, HEIGHT, "paper", radius=0)
    _draw_header(canvas, scene)
    MapDrawer(canvas, scene, MAP_BOX).draw()
    PanelDrawer(canvas, scene, PANEL_BOX).draw()
    return canvas


def describe(scene: Scene) -> str:
    """The picture in one sentence, for those who cannot see it."""
    mover = "" if scene.decision.seat is None else f"player_{scene.decision.seat} decides: "
    return f"Steam Power, {scene.title}, round {scene.round}; {mover}{scene.decision.text}"


def _draw_header(canvas: Canvas, scene: Scene) -> None:
    canvas.open("header")
    left, right = MARGIN + 4, PANEL_X - MARGIN  # the details end there: a wider font than ours has the gap to grow
    title_width = canvas.write(scene.title, left, 30, 22, bold=True, width=TITLE_ROOM)
    details = [f"round {scene.round} of at most {scene.max_rounds}"]
    if scene.mode == "solo":
        details = [f"solo, round {scene.round} of {SOLO_ROUNDS}"]
    else:
        details.append(f"{scene.end_trigger} contracts trigger the end")
    if scene.edition != "final":
        details.append(f"{scene.edition} edition")
    if scene.mode != "solo":
        details.append("all hands shown" if scene.viewer is None else f"seen by player_{scene.viewer}")
    canvas.write(" · ".join(details), right, 30, 14, "muted", "end", width=right - left - title_width - TITLE_GAP)
    canvas.close()
