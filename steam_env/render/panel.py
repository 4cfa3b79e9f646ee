"""The panel beside the map: what those of all games draw alike, the decision and the frames of seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from steam_env.render import shapes
from steam_env.render.canvas import BOLD, Canvas, wrap
from steam_env.render.choices import OFF_THE_MAP, Choice, group_choices
from steam_env.render.frame import Box
from steam_env.render.pieces import draw_badge
from steam_env.render.spots import name_spot

PAD = 10.0  # between a frame and what is in it
HEAD_DOWN, LINE = 24.0, 17.0  # of the decision: its head below the top, and each line below the one before
MOST_LINES = 2  # of its text


class Panel:
    """Draws a panel into a box; a game's panel says what else there is to draw, and how.

    Attributes:
        gap: between two parts.
        decision_height: of the part with the decision.
        choices_down, legend_down: where the legal actions are listed, and their signs shown, below its top.
        map_kinds: kinds of actions that are done on the map, in the order of the legend.
    """

    gap: ClassVar[float]
    decision_height: ClassVar[float]
    choices_down: ClassVar[float]
    legend_down: ClassVar[float]
    map_kinds: ClassVar[Sequence[str]]
    scene: Any

    def __init__(self, canvas: Canvas, scene: Any, box: Box) -> None:
        self.canvas, self.scene = canvas, scene
        self.x, self.y, self.width, self.height = box

    # --- the decision ---------------------------------------------------------------------------------

    def draw_decision(self, y: float) -> float:
        """Draw what is decided, by whom, and what may be chosen; where the next part begins."""
        canvas, decision = self.canvas, self.scene.decision
        canvas.open("decision")
        canvas.box(self.x, y, self.width, self.decision_height, "panel", "accent", pen=1.4)
        room = self.width - 2 * PAD - self.draw_aside(y)
        x, text_y = self.x + PAD, y + HEAD_DOWN
        head = "The game is over"
        if decision.seat is not None:
            head = f"player_{decision.seat} decides"
            draw_badge(canvas, decision.seat, x + 9, text_y - 5, 18)
            x += 26
        head_width = canvas.write(head, x, text_y, 16, weight=BOLD, width=room - 26)
        canvas.write(self.tell_left(), x + head_width + 10, text_y, 13, "muted", width=room - head_width - 40)
        text = decision.text.removeprefix("the game is over").removeprefix(": ").strip()
        for line in wrap(text, 13, room)[:MOST_LINES]:
            text_y += LINE
            canvas.write(line, self.x + PAD, text_y, 13, width=room)
        listed = group_choices(filter(self.is_listed, self.scene.choices))
        told = " · ".join(" ".join([kind, *whats]).strip() for kind, whats in listed.items())
        canvas.write(told, self.x + PAD, y + self.choices_down, 12.5, "accent", weight=BOLD, width=room)
        self._draw_legend(y + self.legend_down)
        canvas.close()
        return y + self.decision_height + self.gap

    def draw_aside(self, y: float) -> float:
        """Draw something at the right of the decision; how wide it is."""
        return 0.0

    def tell_left(self) -> str:
        """What is left to do, beside who decides."""
        return ""

    def is_listed(self, choice: Choice) -> bool:
        """Whether a legal action is told in words: it is not shown on the map."""
        return choice.hex == OFF_THE_MAP

    def _draw_legend(self, y: float) -> None:
        """How the legal actions on the map are shown."""
        kinds = {choice.kind for choice in self.scene.choices if choice.hex != OFF_THE_MAP}
        x = self.x + PAD
        for kind in (kind for kind in self.map_kinds if kind in kinds):
            self.draw_sign(kind, x + 8, y)
            x += 20 + self.canvas.write(kind, x + 20, y + 4, 12, "accent") + 12

    def draw_sign(self, kind: str, x: float, y: float) -> None:
        """Draw the sign of a kind of action that is done on the map."""
        raise NotImplementedError

    # --- seats ----------------------------------------------------------------------------------------

    def frame_seat(self, y: float, height: float, *, decides: bool, asked: bool) -> None:
        """Draw the frame of a seat that decides, or that a choice is about, or of any other."""
        lit = decides or asked
        color, pen = ("accent", 1.6) if lit else ("line", 1)
        self.canvas.box(self.x, y, self.width, height, "tint" if decides else "panel", color, pen=pen)

    def mark_seat(self, seat: int, y: float, height: float) -> None:
        """Let a click on the frame mean the seat."""
        self.canvas.mark(name_spot("seat", seat), shapes.rectangle(self.x, y, self.width, height))
