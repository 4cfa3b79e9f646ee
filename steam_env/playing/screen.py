"""The screen of a person at the table: board, seats, hand, news, legal actions, as many lines as there are."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.text import Text

from steam_env.playing.desk import SeatLine
from steam_env.playing.session import Page, Session
from steam_env.render.pen import Pen
from steam_env.words.seats import name_seat

GAP = 1  # columns between panes
SIDE_WIDTH = 38  # of the pane beside the map, at least; where it does not fit, it goes below
COLUMN_WIDTH = 4  # of the other columns
WHO_WIDTH = 22  # of the column with the seats' names, at most
INFO_LINES = 6  # of the pane below the map, at least
MIN_CHOICES = 3  # lines of legal actions
MAX_REPLY = 5  # lines of an answer
MIN_NEWS = 2
MORE_ROWS = "{sign}{more}"  # at the end of a map that is cut
INDENT = "  "
PLAIN_HEIGHT = 10_000  # where nothing is cut

Lines = list[Text]


class Screen:
    """Draws a session in a given number of lines and columns, and remembers how far it is scrolled.

    Attributes:
        color: whether with colours.
    """

    def __init__(self, session: Session, color: bool) -> None:
        self.session, self.color = session, color
        self._page: Page | None = None
        self._page_top = self._page_lines = self._page_step = 0
        self._map_top = self._map_lines = self._map_step = 0
        self._focused: object = None  # the position that the map was moved to

    def draw(self, width: int, height: int | None = None) -> str:
        """The screen as text, at most so many lines; ``None``: as many as it takes."""
        room = PLAIN_HEIGHT if height is None else height
        if self.session.page is not None:
            lines = self._draw_page(self.session.page, width, room)
        elif self.session.is_waiting:
            lines = self._draw_passing(width)
        else:
            lines = self._draw_board(width, room)
        return self._print(lines[-room:], width)  # of what is too much, the decision stays

    def scroll(self, steps: int) -> None:
        """Move the page, or the map, by so many screens; what is past an end is the end."""
        if self.session.page is not None:
            self._page_top += steps * self._page_step
        else:
            self._map_top += steps * max(self._map_step // 2, 1)

    def leaf(self) -> bool:
        """Go on in the page that is shown; returns whether there was more of it."""
        more = self.session.page is not None and self._page_top + self._page_step < self._page_lines
        if more:
            self.scroll(1)
        return more

    def _print(self, lines: Sequence[Text], width: int) -> str:
        console = Console(
            file=io.StringIO(),
            width=width,
            color_system="256" if self.color else None,
            force_terminal=self.color,
            no_color=not self.color,
            legacy_windows=False,
            _environ={},
        )
        with console.capture() as capture:
            for line in lines:
                console.print(line, no_wrap=True, overflow="crop", crop=True)
        return capture.get().rstrip("\n")

    # --- pages -----------------------------------------------------------------------------------------

    def _draw_page(self, page: Page, width: int, room: int) -> Lines:
        lines = _fold([Text.from_ansi(line) for line in page.lines], width)
        if page is not self._page:
            self._page, self._page_top = page, 0
        self._page_lines, self._page_step = len(lines), max(room - 2, 1)
        self._page_top = max(0, min(self._page_top, self._page_lines - self._page_step))
        shown = lines[self._page_top : self._page_top + self._page_step]
        where = ""
        if len(shown) < len(lines):
            where = f"lines {self._page_top + 1} to {self._page_top + len(shown)} of {len(lines)}: PgDn, PgUp; "
        foot = [Text(f"{where}Enter goes on", "dim")] if room < PLAIN_HEIGHT else []
        return [Text(page.title, "bold"), *shown, *foot]

    def _draw_passing(self, width: int) -> Lines:
        played = self.session.played
        name = name_seat(played.mover)
        return [
            *_fold_text(self.session.reply, width),
            Text(),
            *_fold_text(f"{name} decides: pass the keyboard to {name}.", width, "bold"),
            *_fold_text(f"{name} presses Enter and sees the board. Nobody's hand is shown until then.", width),
        ]

    # --- the board ---------------------------------------------------------------------------------------

    def _draw_board(self, width: int, room: int) -> Lines:
        session, scene = self.session, self.session.scene
        map_lines = [Text.from_ansi(line.rstrip()) for line in session.desk.write_map(scene, Pen(True))]
        map_width = max(line.cell_len for line in map_lines)
        top = [_head(session, scene)]
        bottom = [_tell_decision(scene), *_fold_text(self.session.reply, width, "bold yellow")[:MAX_REPLY]]
        room -= len(top) + len(bottom)
        beside = width - map_width - GAP >= SIDE_WIDTH
        below = max(INFO_LINES, len(self._list_seats(scene, width)) + MIN_NEWS)
        needed = len(map_lines) if beside else len(map_lines) + below
        choices = self._list_choices(scene, width, max(room - needed, MIN_CHOICES))
        room -= len(choices)
        if beside:
            wide = width - map_width - GAP
            side = self._draw_info(scene, wide, max(len(map_lines), room if room < PLAIN_HEIGHT // 2 else 0))
            shown = self._cut_map(scene, map_lines, map_width, min(room, len(map_lines)))
            panes = _join(shown, side[:room], map_width)
        else:
            low = min(max(below, room - len(map_lines)), max(room - 1, 0))
            info = self._draw_wide_info(scene, width, below if room > PLAIN_HEIGHT // 2 else low)
            panes = [*self._cut_map(scene, map_lines, width, room - len(info)), *info]
        if room < PLAIN_HEIGHT // 2:  # the decision stands right above the line that is typed
            panes += [Text()] * (room - len(panes))
        return [*top, *panes, *choices, *bottom]

    def _cut_map(self, scene: Any, lines: Lines, width: int, room: int) -> Lines:
        """As much of the map as fits, where the decision is unless it is scrolled."""
        room = max(room, 1)
        if room >= len(lines):
            return lines
        position = self.session.played.game.num_steps
        if position != self._focused:
            self._focused = position
            self._map_top = _find_focus(scene, self._map_top, room)
        self._map_step = room
        self._map_top = max(0, min(self._map_top, len(lines) - room))
        shown = [line.copy() for line in lines[self._map_top : self._map_top + room]]
        for at, sign, more in ((0, "▲", self._map_top), (-1, "▼", len(lines) - self._map_top - room)):
            if more:
                shown[at].truncate(max(width - len(MORE_ROWS.format(sign=sign, more=more)), 0), pad=True)
                shown[at].append(MORE_ROWS.format(sign=sign, more=more), "bold cyan")
        return shown

    def _draw_info(self, scene: Any, width: int, room: int) -> Lines:
        """Seats, what the person has, and news, one below the other."""
        lines = self._list_seats(scene, width)
        hand = self._list_aside(scene)
        spare = room - len(lines) - MIN_NEWS
        if len(hand) > spare:
            hand = self._cut_aside(hand, max(spare - 1, 1))
        lines += hand
        return [*lines, *self._tell_news(width, max(room - len(lines), MIN_NEWS))]

    def _draw_wide_info(self, scene: Any, width: int, room: int) -> Lines:
        """Seats and news on the left, what the person has on the right."""
        half = (width - GAP) // 2
        hand = self._list_aside(scene)
        half = half if hand else width
        seats = self._list_seats(scene, half)
        if len(hand) > room:
            hand = self._cut_aside(hand, room - 1)
        news = self._tell_news(half, max(room - len(seats), 0))
        return _join([*seats, *news][:room], hand, half)

    def _tell_news(self, width: int, room: int) -> Lines:
        """The last of what happened; what is new is bright, and if it does not fit, the first line says so."""
        lines, known = self.session.news()
        shown: Lines = []
        first = len(lines)
        while first:
            style = "" if first > known else "dim"
            folded = _fold_text(lines[first - 1].replace("player_", "p"), width, style)
            mark = first - 1 > known  # a line is kept for saying that more has happened
            if len(shown) + len(folded) + mark > room:
                break
            shown = [*folded, *shown]
            first -= 1
        if first > known and room:
            shown = [Text("... more has happened: news", "dim"), *shown]
        return shown

    def _list_seats(self, scene: Any, width: int) -> Lines:
        """The table of seats, and the notes below it."""
        desk, session = self.session.desk, self.session
        room = max(min(width - COLUMN_WIDTH * len(desk.columns), WHO_WIDTH), 1)
        lines = [Text(f"{'player_':{room}}" + "".join(f"{head:>{COLUMN_WIDTH}}" for head in desk.columns), "dim")]
        seats = desk.list_seats(scene, session.person, session.played.names)
        lines += [_tell_seat(seat, room) for seat in seats]
        return [*lines, *(line for note in desk.list_notes(scene) for line in _fold_text(note, width, "dim"))]

    def _list_aside(self, scene: Any) -> Lines:
        """What the game has beside seats and news, such as a hand."""
        lines = list(self.session.desk.list_aside(scene, self.session.person))
        shown = [Text(line.text, "bold" if line.bold else "") for line in lines]
        for heading in shown[:1]:
            heading.stylize("dim")
        return shown

    def _cut_aside(self, lines: Lines, room: int) -> Lines:
        """The first of these lines, and the command for the rest."""
        more = f"{INDENT}and {len(lines) - room} more: {self.session.desk.aside_command}"
        return [*lines[:room], Text(more, "dim")]

    def _list_choices(self, scene: Any, width: int, room: int) -> Lines:
        """The legal actions with their numbers, kind by kind; long lists are cut so that every kind is there."""
        groups: list[tuple[str, list[str]]] = []
        numbered = [(number, *self.session.desk.split(choice.text)) for number, choice in enumerate(scene.choices, 1)]
        plain = [f"{kind} [{number}]" for number, kind, what, _ in numbered if not what]
        if plain:
            groups.append(("", plain))
        for kind, actions in groupby((action for action in numbered if action[2]), key=lambda action: action[1]):
            items = []
            for what, edges in groupby(actions, key=lambda action: action[2]):
                here = list(edges)
                if here[0][3]:  # a place with its edges is one entry
                    items.append(" ".join([what, *(f"{edge}[{number}]" for number, _, _, edge in here)]))
                else:
                    items += [f"{what} [{number}]" for number, _, _, _ in here]
            groups.append((kind, items))
        longest = max(groups, key=lambda group: len(group[1]), default=None)
        groups.sort(key=lambda group: group is longest)  # the last one, so the first to be cut
        lines: Lines = []
        for left, (kind, items) in zip(range(len(groups) - 1, -1, -1), groups, strict=True):
            lines += _fill(kind, items, width, max(room - len(lines) - left, 1))
        if len(lines) > room:
            lines = [*lines[: room - 1], Text("... more: actions", "cyan")]
        for line in lines:
            line.highlight_regex(r"\[\d+\]", "dim cyan")
        return lines


# --- parts -------------------------------------------------------------------------------------------------


def _head(session: Session, scene: Any) -> Text:
    """Map, round, and what else matters, in one line."""
    title, rest = session.desk.tell_head(scene)
    return Text(title, "bold").append(f"  {rest}", "not bold")


def _tell_decision(scene: Any) -> Text:
    decision = scene.decision
    if decision.seat is None:
        return Text(decision.text, "bold")
    mover = Text.from_ansi(Pen(True).paint(name_seat(decision.seat), Pen(True).seat(decision.seat)))
    return mover.append(f" decides {decision.phase}: {decision.text}")


def _tell_seat(seat: SeatLine, room: int) -> Text:
    cells = "".join(f"{'' if cell is None else str(cell):>{COLUMN_WIDTH}}" for cell in seat.cells)
    text = f"{'*' if seat.decides else ' '}{seat.who}"
    if len(text) > room:
        text = text[: room - 1] + "…"
    style = "" if seat.seat is None else Pen(True).seat(seat.seat)
    return Text.from_ansi(Pen(True).paint(f"{text:{room}}", style)).append(cells, "not bold default")


def _fill(kind: str, items: Sequence[str], width: int, room: int) -> Lines:
    """The entries in lines of this width; if there are too many, the last line names the command for the rest."""
    lines: list[str] = []
    line = kind
    for number, item in enumerate(items):
        gap = "" if not line else ("  " if number else " ")
        end = f" ... actions {kind}".rstrip()
        last = len(lines) == room - 1
        reserve = len(end) if last and number < len(items) - 1 else 0
        if len(line) + len(gap) + len(item) + reserve <= width:
            line += gap + item
        elif last:
            line = line[: width - len(end)] + end
            break
        else:
            lines.append(line)
            line = INDENT + item
    lines.append(line)
    return [_bold_start(text, len(kind)) for text in lines]


def _bold_start(line: str, size: int) -> Text:
    text = Text(line)
    if not line.startswith(INDENT):
        text.stylize("bold cyan", 0, size)
    return text


# --- lines ---------------------------------------------------------------------------------------------------


def _find_focus(scene: Any, top: int, room: int) -> int:
    """The first row of the map to show: the places of the decision are seen, or the middle of them."""
    first = min(tile.row for tile in scene.hexes)
    rows = sorted(scene.hexes[choice.hex].row - first for choice in scene.choices if choice.hex >= 0)
    if not rows or (rows[0] >= top and rows[-1] < top + room):
        return top
    return int(rows[0] + rows[-1] - room) // 2 + 1


def _join(left: Lines, right: Lines, width: int) -> Lines:
    """Two panes side by side, the left one so wide."""
    joined = []
    for number in range(max(len(left), len(right))):
        line = left[number].copy() if number < len(left) else Text()
        line.truncate(width, pad=True)
        joined.append(Text.assemble(line, " " * GAP, right[number] if number < len(right) else ""))
    return joined


def _fold(lines: Sequence[Text], width: int) -> Lines:
    """The lines, the long ones in several."""
    console = Console(file=io.StringIO(), width=width, _environ={})
    return [part for line in lines for part in (line.wrap(console, width) if line.cell_len > width else [line])]


def _fold_text(text: str, width: int, style: str = "") -> Lines:
    return _fold([Text(text, style)], width) if text else []
