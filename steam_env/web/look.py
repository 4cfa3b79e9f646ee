"""What one viewer may see of a position, as plain data for the page: pictures in layers, places to click, the story.

All of it is made from the viewer's scene and events and from nothing else, so that what is hidden from a seat cannot
get into a message to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from steam_env.core.fields import NONE
from steam_env.render.canvas import Canvas
from steam_env.render.pieces import TRACK_LAYER
from steam_env.render.spots import Spot
from steam_env.spec import GameSpec, find_spec
from steam_env.table.engine import find_engine
from steam_env.table.game import Game, game_class_of
from steam_env.table.lines import follow_line
from steam_env.table.moments import list_moments
from steam_env.table.view import view_records
from steam_env.words.events import Event
from steam_env.words.seats import name_seat

ALL = None  # a viewer who sees all hands
NOBODY = NONE  # one who sees none
LEFT_OUT = ("header",)  # layers of the picture in place of which the page has text
WARM_UP_STEPS = 50  # of a game in which most that can happen happens
EDGE = 8.0  # round the two parts of the picture

Viewer = int | None


@dataclass(frozen=True, eq=False)
class Look:
    """What a viewer sees, in parts: whoever has seen a part as it is needs it no more."""

    parts: dict[str, Any]
    _changes: WeakKeyDictionary[Look, dict[str, Any]] = field(default_factory=WeakKeyDictionary, repr=False)

    def since(self, other: Look | None) -> dict[str, Any]:
        """The parts that have changed; found once for all who saw the same before."""
        if other is None:
            return self.parts
        if other not in self._changes:
            self._changes[other] = self._compare(other)
        return self._changes[other]

    def _compare(self, other: Look) -> dict[str, Any]:
        """The parts that differ; layers of the picture one by one."""
        changed = {name: part for name, part in self.parts.items() if other.parts.get(name) != part}
        before = other.parts.get("layers")
        if "layers" in changed and before is not None:
            changed["layers"] = {name: text for name, text in changed["layers"].items() if text != before.get(name)}
        return changed


def look_at(game: Game, viewer: Viewer, decides: bool) -> Look:
    """What a viewer sees of a position.

    Args:
        game: the position.
        viewer: a seat of the record, ``ALL`` or ``NOBODY``.
        decides: whether the decision is this viewer's, who then sees what is legal.
    """
    return Look(_LookMaker(game, viewer, decides).make())


class _LookMaker:
    """Collects the parts of a look."""

    def __init__(self, game: Game, viewer: Viewer, decides: bool) -> None:
        self.game, self.viewer, self.decides = game, viewer, decides
        self.spec = find_spec(game.rules.game)
        self.sight = self.spec.sight
        self.scene = self.sight.scene(game.setting, game.records, game.mask, viewer)

    def make(self) -> dict[str, Any]:
        """All parts by name."""
        scene, decision = self.scene, self.scene.decision
        over = decision.seat is None or decision.seat == NONE
        parts: dict[str, Any] = {
            "title": scene.title,
            "facts": self.sight.facts(scene),
            "about": self.sight.describe(scene),
            "round": int(scene.round),
            "decides": None if over else int(decision.seat),
            "asked": decision.text,
            "scores": count_points(self.game, self.viewer),
            "winners": self.game.winners() if over else [],
            "choices": self._list_choices(),
        }
        return {**parts, **(self._draw() if self.sight.draw_canvas else {"board": self.sight.draw_text(scene)})}

    def _list_choices(self) -> list[tuple[int, str]]:
        """The legal actions and their texts, for whoever decides."""
        return list(zip(self.game.legal(), self.game.legal_text(), strict=True)) if self.decides else []

    def _draw(self) -> dict[str, Any]:
        """The picture in layers, and where it can be clicked."""
        canvas: Canvas = self.sight.draw_canvas(self.scene)  # type: ignore[misc]  # asked for before
        layers = {name: "".join(parts) for name, parts in canvas.layers().items() if name not in LEFT_OUT}
        frame = self.sight.map_frame
        return {
            "layer_names": list(layers),
            "layers": layers,
            "panel": list(self.sight.panel_layers),
            "boxes": {
                "map": _widen(frame(self.scene) if frame else (0, 0, canvas.width, canvas.height)),
                "panel": _widen(self.sight.panel_frame),
            },
            "places": {name: path for name, (_, path) in canvas.places.items()},
            "spots": self._list_spots(canvas),
        }

    def _list_spots(self, canvas: Canvas) -> dict[str, dict[str, Any]]:
        """By place its words, whether it is in the panel, the legal actions that a click may mean, and the others."""
        legal = set(self.game.legal()) if self.decides else set()
        spots = {}
        for name, spot in self.sight.spots(self.scene).items():
            if name in canvas.places:
                spots[name] = {
                    "panel": canvas.places[name][0] in self.sight.panel_layers,
                    "title": spot.title,
                    "text": spot.text,
                    "legal": [action for action in spot.actions if action in legal],
                    "other": [action for action in spot.actions if action not in legal] if self.decides else [],
                }
        return spots


def draw_line(game: Game, line: Sequence[int]) -> dict[str, Any]:
    """A line of play from a position, for the mover: what is touched, in order, and the track that would lie there.

    Returns:
        ``line``: of each action its text, the path round its place in the picture or None, and whether that is in the
        panel; ``ahead``: layers of the picture as they would be then.
    """
    sight, steps, canvas = find_spec(game.rules.game).sight, [], None
    for position, action in follow_line(game, line):
        scene = sight.scene(position.setting, position.records, position.mask, game.seat)
        canvas = sight.draw_canvas(scene) if sight.draw_canvas is not None else None
        if action is not None:
            layer, path = find_place(canvas, sight.spots(scene), action)
            steps.append({"text": position.text(action), "place": path, "panel": layer in sight.panel_layers})
    layers = {} if canvas is None else canvas.layers()
    return {"line": steps, "ahead": {TRACK_LAYER: "".join(layers[TRACK_LAYER])} if TRACK_LAYER in layers else {}}


def find_place(canvas: Canvas | None, spots: Mapping[str, Spot], action: int) -> tuple[str, str | None]:
    """The layer and the path of the place that means an action most: the one that may mean least beside it."""
    places = {} if canvas is None else canvas.places
    meant = [name for name, spot in spots.items() if action in spot.actions and name in places]
    return places[min(meant, key=lambda name: len(spots[name].actions))] if meant else ("", None)


def count_points(game: Game, viewer: Viewer) -> list[list[int]]:
    """The points of each seat as a viewer can count them, by the game's ``Facts.score_parts``."""
    seen = game.records if viewer is ALL else view_records(game.records, np.array([viewer]), game.setting).records
    scores, _ = find_engine(game.rules.game).score(seen, game.setting)
    rows: list[list[int]] = scores[0][: game.setting.num_seats].tolist()
    return rows


def _widen(box: Sequence[float]) -> list[float]:
    """The frame of a part of the picture, with some air."""
    x, y, width, height = box
    return [round(value) for value in (x - EDGE, y - EDGE, width + 2 * EDGE, height + 2 * EDGE)]


def warm_up(spec: GameSpec) -> None:
    """Compile or load what games and looks at them need, before anybody waits for it."""
    rules = spec.fill_seats({}, None)
    game, chance = game_class_of(spec.load(rules))(rules, seed=0), np.random.default_rng(0)
    for _ in range(WARM_UP_STEPS):
        if game.done:
            break
        for viewer in (game.seat, NOBODY):
            look_at(game, viewer, decides=True)
        action = int(chance.choice(game.legal()))
        game.explain(action)
        game.step(action)
    Story(0).tell(game)
    if spec.kernels.watch_scripted is not None:
        _warm_up_watching(spec)


def _warm_up_watching(spec: GameSpec) -> None:
    """The same for what it takes to follow scripted opponents."""
    rules = spec.make_match_rules(spec.facts.seat_counts[0], spec.players.scripted[:1], {})
    game, chance = game_class_of(spec.load(rules))(rules, seed=0), np.random.default_rng(0)
    while not game.done and game.num_steps < WARM_UP_STEPS:
        game.step(int(chance.choice(game.legal())))
        list_moments(game, game.num_steps)


class Line(NamedTuple):
    """What is told of an event.

    Attributes:
        step: number of the action that led to it.
        actor: the seat; None: the table.
        words: what happened.
        kind: "headline", or nothing.
        event: its number in the step, if how the game stood then is to be seen; see ``PlayedGame.find_moment``.
    """

    step: int
    actor: int | None
    words: str
    kind: str
    event: int | None


class Story:
    """What happened, line by line, as one viewer may know it; it grows as the game does.

    Attributes:
        lines: what is told of each event.
    """

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.lines: list[Line] = []
        self._steps = -1  # that have been told

    def tell(self, game: Game) -> list[Line]:
        """The lines up to the position; ``game`` goes on from the position told before."""
        spec = find_spec(game.rules.game)
        narrate = spec.words.narrator(game.setting)
        if self._steps < 0:
            positions = game.positions()
            self._add(0, next(positions).events, spec, game, narrate)
            self._steps = 0
        if self._steps < game.num_steps:
            self._add_steps(game, spec, narrate)
        return self.lines

    def _add_steps(self, game: Game, spec: GameSpec, narrate: Any) -> None:
        """Tell the steps that are new, one by one."""
        steps = range(self._steps, game.num_steps)
        tails = [game.events_since(step) if step else game.events[self._count_opening(game) :] for step in steps]
        ends = [*map(len, tails[1:]), 0]
        for step, tail, rest in zip(steps, tails, ends, strict=True):
            self._add(step + 1, tail[: len(tail) - rest], spec, game, narrate)
        self._steps = game.num_steps

    def _count_opening(self, game: Game) -> int:
        return len(next(game.positions()).events)

    def _add(self, step: int, events: Sequence[Event], spec: GameSpec, game: Game, narrate: Any) -> None:
        scripted = range(game.setting.num_players, game.setting.num_seats)
        is_watched = spec.kernels.watch_scripted is not None and any(event.actor in scripted for event in events)
        for number, event in enumerate(events):
            shown = event
            if self.viewer is not ALL:
                solo = game.setting.is_solo and self.viewer != NOBODY
                shown = spec.words.hide_event(event, self.viewer, solo)
            actor = None if event.actor == NONE else event.actor
            line = narrate(shown).removeprefix(f"{name_seat(event.actor)} " if actor is not None else "")
            kind = "headline" if event.kind in spec.facts.headlines else ""
            self.lines.append(Line(step, actor, line, kind, number if step and is_watched else None))
