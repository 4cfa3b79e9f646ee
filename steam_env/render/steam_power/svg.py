"""The scene as a picture, in layers, and what is told beside it."""

from __future__ import annotations

from steam_env.core.steam_power.hidden import NO_SEAT
from steam_env.core.steam_power.state import SOLO_ROUNDS
from steam_env.render.canvas import Canvas
from steam_env.render.frame import Box
from steam_env.render.sheet import MAP_BOX, PANEL_BOX, open_sheet
from steam_env.render.steam_power.draw_map import MapDrawer
from steam_env.render.steam_power.draw_panel import PanelDrawer
from steam_env.render.steam_power.things import Scene
from steam_env.words.seats import name_seat

PANEL_LAYERS = ("decision", "seats", "hands", "supply")


def draw_canvas(scene: Scene) -> Canvas:
    """The picture before it is written out, in layers."""
    canvas = open_sheet("steam-power", scene.title, _tell_details(scene))
    MapDrawer(canvas, scene, MAP_BOX).draw()
    PanelDrawer(canvas, scene, PANEL_BOX).draw()
    return canvas


def describe(scene: Scene) -> str:
    """The picture in one sentence, for those who cannot see it."""
    mover = "" if scene.decision.seat is None else f"player_{scene.decision.seat} decides: "
    return f"Steam Power, {scene.title}, round {scene.round}; {mover}{scene.decision.text}"


def _tell_details(scene: Scene) -> str:
    """What the head tells beside the title."""
    details = [f"round {scene.round} of at most {scene.max_rounds}"]
    if scene.mode == "solo":
        details = [f"solo, round {scene.round} of {SOLO_ROUNDS}"]
    else:
        details.append(f"{scene.end_trigger} contracts trigger the end")
    if scene.edition != "final":
        details.append(f"{scene.edition} edition")
    if scene.mode != "solo":
        details.append(_tell_viewer(scene, "seen by {}"))
    return " · ".join(details)


def tell_facts(scene: Scene) -> str:
    """The line in the head of a replay that tells of the game."""
    if scene.mode == "solo":
        words = [f"solo, {SOLO_ROUNDS} rounds"]
    else:
        words = [f"{len(scene.seats)} seats", f"{scene.end_trigger} contracts trigger the end"]
    if scene.edition != "final":
        words.append(f"{scene.edition} edition")
    if scene.mode != "solo":
        words.append(_tell_viewer(scene, "as {} sees it"))
    return " · ".join(words)


def _tell_viewer(scene: Scene, words: str) -> str:
    """Whose hands are shown."""
    if scene.viewer is None:
        return "all hands shown"
    return "hands hidden" if scene.viewer == NO_SEAT else words.format(name_seat(scene.viewer))


def frame_map(scene: Scene) -> Box:
    """The part of the picture that the map takes up."""
    return MapDrawer(Canvas(0, 0), scene, MAP_BOX).frame.box


def title_seats(scene: Scene) -> list[str]:
    """By seat, the level of an Automa that sits there; empty for players."""
    automa = f"Automa, {scene.automa_level}".replace("_", " ")
    return [automa if seat.kind == "automa" else "" for seat in scene.seats]
