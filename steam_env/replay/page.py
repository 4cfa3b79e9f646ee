"""A game as one page of HTML, on which to step through it and read the events beside the board.

The page needs nothing but itself: no network, no font or script from elsewhere. All drawing is done here, by the same
functions that draw single pictures; the page holds each element and each layer of its many pictures once, and its
script only puts them together.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from steam_env.kit.files import write_whole
from steam_env.kit.json_text import dump_json
from steam_env.render.canvas import FONTS, Canvas
from steam_env.render.theme import ON_SEAT, PALETTE
from steam_env.spec import find_spec
from steam_env.table import notes
from steam_env.table.files import read_notes
from steam_env.table.game import Game
from steam_env.words.events import TABLE
from steam_env.words.seats import name_seat

FOLDER = Path(__file__).parent
TEMPLATE, STYLE, SCRIPT = "page.html", "page.css", "page.js"
LEFT_OUT = ("header",)  # the page has its own
EDGE = 8.0  # around the two parts of the picture
PROBABILITY_DIGITS, VALUE_DIGITS = 4, 4
DASHES = ("none", "7 3", "2 3", "9 3 2 3", "4 2")  # of the seats' lines in the chart, which differ by more than colour


def write_replay(
    game: Game | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    seat: int | None = None,
    policy: Sequence[Mapping[str, Any] | None] | None = None,
    players: Sequence[str] | None = None,
) -> int:
    """Write a game as one page of HTML that a browser opens from disk.

    Args:
        game: a game, finished or not, or the path of a game file, whose notes on players and policy are then used.
        path: of the page.
        seat: the observer: the page holds nothing that this seat may not see (rule 11). None shows all hands.
        policy: for each action of the game None or ``{"probabilities": {text: p}, "value": v}``, see
            ``steam_env.table.notes``. With ``seat`` only the entries of its own decisions are shown.
        players: a name for each seat, to be shown.

    Returns:
        the number of positions on the page.

    Raises:
        ValueError: for a bad seat, policy or list of players, naming it.
        SaveError: for a game file that cannot be read or does not replay.

    Example:
        >>> write_replay("game.json", "game.html", seat=0)  # doctest: +SKIP
        321
    """
    if isinstance(game, str | os.PathLike):
        source = Path(game)
        game, given = Game.from_file(source), read_notes(source)
        policy = given.policy if policy is None else policy
        players = given.players if players is None else players
    page = draw_replay(game, seat=seat, policy=policy, players=players)
    write_whole(Path(path), page)
    return game.num_steps + 1


def draw_replay(
    game: Game,
    *,
    seat: int | None = None,
    policy: Sequence[Mapping[str, Any] | None] | None = None,
    players: Sequence[str] | None = None,
) -> str:
    """The page that ``write_replay`` writes, as text."""
    return _PageMaker(game, seat, policy, players).write()


class _PageMaker:
    """Collects what the page shows, position by position."""

    def __init__(
        self,
        game: Game,
        seat: int | None,
        policy: Sequence[Mapping[str, Any] | None] | None,
        players: Sequence[str] | None,
    ) -> None:
        self.game, self.seat = game, seat
        self.spec = find_spec(game.rules.game)
        self.sight = self.spec.sight
        if self.sight.draw_canvas is None or self.sight.map_frame is None:
            raise ValueError(f"{self.spec.facts.title} has no pictures, of which a replay is made")
        self.draw, self.frame_map = self.sight.draw_canvas, self.sight.map_frame
        self.scene = game.scene(seat)
        self.is_solo = game.setting.is_solo
        count = game.num_steps
        self.policy = [None] * count if policy is None else notes.check_policy(policy, count)
        self.players = [] if players is None else notes.check_players(players, game.seats)
        self.narrate = self.spec.words.narrator(game.setting)
        self.elements: dict[str, int] = {}
        self.layers: dict[tuple[int, ...], int] = {}
        self.names: list[str] = []
        self.frames: list[list[int]] = []
        self.steps: list[dict[str, Any]] = []
        self.log: list[list[Any]] = []
        actions = [*game.actions, None]
        for number, position in enumerate(game.positions()):
            self._add(number, position, actions[number])

    def _add(self, number: int, position: Game, action: int | None) -> None:
        """One more position, with the action that is played there."""
        scene = position.scene(self.seat)
        self._add_frame(self.draw(scene))
        first_line = len(self.log)
        self._add_lines(number, position)
        step: dict[str, Any] = {
            "about": self.sight.describe(scene),
            "seat": scene.decision.seat,
            "round": scene.round,
            "text": scene.decision.text,
            "lines": [first_line, len(self.log)],
            "scores": [list(score.values()) for score in position.scores()],
        }
        if action is not None:
            step["plays"] = position.text(action)
            entry = self.policy[number]
            if entry is not None:
                checked = notes.check_entry(entry, position.legal_text(), f"policy[{number}]")
                if self._may_see(scene):
                    step["policy"] = _shorten(checked)
        self.steps.append(step)

    def _may_see(self, scene: Any) -> bool:
        """Whether what the mover thinks may be shown: it tells what is in its hand."""
        return self.seat is None or self.is_solo or scene.decision.seat == self.seat

    def _add_frame(self, canvas: Canvas) -> None:
        """Number the picture's elements and layers; what was there before keeps its number."""
        frame = {
            name: tuple(self.elements.setdefault(element, len(self.elements)) for element in elements)
            for name, elements in canvas.layers().items()
            if name not in LEFT_OUT
        }
        self.names = list(frame)
        self.frames.append([self.layers.setdefault(layer, len(self.layers)) for layer in frame.values()])

    def _add_lines(self, number: int, position: Game) -> None:
        """What led to this position: seat or None, words, and whether it is a headline."""
        events = position.events_since(max(number - 1, 0))
        if number == 1:  # after the first action: the deal and what Automas did before it were told already
            events = events[len(self.log) :]
        for event in events:
            shown = event if self.seat is None else self.spec.words.hide_event(event, self.seat, self.is_solo)
            line = self.narrate(shown)
            actor = None if event.actor == TABLE else event.actor
            self.log.append([number, actor, line, int(event.kind in self.spec.facts.headlines)])

    # --- the page -------------------------------------------------------------------------------------

    def write(self) -> str:
        """The page."""
        scene = self.scene
        return Template(_read(TEMPLATE)).substitute(
            title=escape(f"{self.spec.facts.title}: {scene.title}"),
            heading=escape(scene.title),
            facts=escape(self.sight.facts(scene)),
            points=escape(self.spec.facts.score_word.capitalize()),
            short_points=escape(_shorten_words(self.spec.facts.score_word)),
            round=escape(self.spec.facts.round_word),
            style=write_style(),
            script=_read(SCRIPT),
            map_box=_frame(*self.frame_map(scene)),
            panel_box=_frame(*self.sight.panel_frame),
            map_layers=_list_layers(name for name in self.names if name not in self.sight.panel_layers),
            panel_layers=_list_layers(name for name in self.names if name in self.sight.panel_layers),
            last=len(self.frames) - 1,
            data=_dump(self._collect()),
        )

    def _collect(self) -> dict[str, Any]:
        """What the script reads."""
        seats = [{"name": "the player"}] if self.is_solo else list(map(self._tell_seat, range(self.game.seats)))
        return {
            "seats": seats,
            "solo": self.is_solo,
            "round": self.spec.facts.round_word,
            "parts": list(self.spec.facts.score_parts),
            "names": self.names,
            "elements": list(self.elements),
            "layers": list(self.layers),
            "frames": self.frames,
            "steps": self.steps,
            "log": self.log,
        }

    def _tell_seat(self, seat: int) -> dict[str, str]:
        told = {"name": name_seat(seat)}
        if self.players:
            told["player"] = self.players[seat]
        elif self.sight.seat_titles is not None and self.sight.seat_titles(self.scene)[seat]:
            told["player"] = self.sight.seat_titles(self.scene)[seat]
        return told


def _shorten_words(words: str) -> str:
    """The first letters of several words, "VP"; one word stays as it is."""
    return words if " " not in words else "".join(word[0] for word in words.split()).upper()


def _shorten(entry: dict[str, Any]) -> dict[str, Any]:
    """A policy's entry for the page: actions by probability, the most likely first; what was tried; the line."""
    short: dict[str, Any] = {}
    if notes.PROBABILITIES in entry:
        table = entry[notes.PROBABILITIES].items()
        ranked = sorted(table, key=lambda item: -item[1])
        short["p"] = [[text, round(value, PROBABILITY_DIGITS)] for text, value in ranked]
    if notes.VALUE in entry:
        short["v"] = round(entry[notes.VALUE], VALUE_DIGITS)
    if notes.VISITS in entry:
        short["n"] = entry[notes.VISITS]
    if notes.VALUES in entry:
        short["q"] = {text: round(value, VALUE_DIGITS) for text, value in entry[notes.VALUES].items()}
    if notes.LINE in entry:
        short["line"] = entry[notes.LINE]
    return short


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def write_style() -> str:
    """The style sheet of pages that show pictures: its colours, then the rest."""
    return _write_colors() + _read(STYLE)


def _write_colors() -> str:
    """The palette as variables of a style sheet, and the classes of the pictures' elements that use them."""
    light, dark = ("".join(f"--{name}:{colors[index]};" for name, colors in PALETTE.items()) for index in (0, 1))
    rules = [
        f":root{{color-scheme:light;--font:{FONTS};{light}}}",
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}",
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
    ]
    rules += [f".picture .f-{name}{{fill:var(--{name})}}.picture .s-{name}{{stroke:var(--{name})}}" for name in PALETTE]
    for seat, (ink, dashes) in enumerate(zip(ON_SEAT, DASHES, strict=True)):
        rules.append(f".seat-{seat}{{--seat:var(--seat{seat});--on-seat:var(--{ink});--dashes:{dashes}}}")
    return "\n".join(rules) + "\n"


def _frame(x: float, y: float, width: float, height: float) -> str:
    return " ".join(f"{value:.0f}" for value in (x - EDGE, y - EDGE, width + 2 * EDGE, height + 2 * EDGE))


def _list_layers(names: Any) -> str:
    return "".join(f'<g class="{name}"></g>' for name in names)


def _dump(data: dict[str, Any]) -> str:
    """JSON that cannot end the script element in which it stands."""
    text = dump_json(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!", "\\u003c!")
