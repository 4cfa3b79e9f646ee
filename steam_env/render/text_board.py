"""What the text boards of all games are written with: head, choices, the hexes of the map, links, columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Protocol

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES
from steam_env.render.choices import OFF_THE_MAP
from steam_env.render.frame import Tile
from steam_env.render.pen import CAN_ACT, CAN_ACT_STYLE, LINE_WIDTH, Pen, Run, abbreviate, write_rows
from steam_env.words.seats import name_seat

TITLE_STYLE, CHOICE_STYLE = "1", "36"
NOBODY_NAME = "nobody"


class Place(Protocol):
    """A city or town of a scene: its name, and the index of its hex."""

    @property
    def name(self) -> str: ...  # noqa: D102 - see the class
    @property
    def hex(self) -> int: ...  # noqa: D102


class Link(Protocol):
    """A link of a scene: places at its ends, None at an open one, hexes between them, the edge at an open end."""

    @property
    def start(self) -> int: ...  # noqa: D102 - see the class
    @property
    def end(self) -> int | None: ...  # noqa: D102
    @property
    def hexes(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def open_edge(self) -> int | None: ...  # noqa: D102


class HexWriter:
    """Writes the hexes of a scene; a game says what stands on those with a place, and on others.

    Args:
        scene: with ``hexes`` and ``choices``.
        pen: to write with.
        places: cities and towns, by number.
    """

    scene: Any

    def __init__(self, scene: Any, pen: Pen, places: Sequence[Place]) -> None:
        self.scene, self.pen, self.codes = scene, pen, code_places(places)
        self._place_at = {place.hex: number for number, place in enumerate(places)}
        self._can_act = {choice.hex for choice in scene.choices if choice.hex != OFF_THE_MAP}

    def write_map(self) -> Iterator[str]:
        """One line for each row; hexes of a row stand two columns apart."""
        return write_rows(self.scene.hexes, self.pen, self.write_hex)

    def write_hex(self, index: int) -> list[Run]:
        """What stands on a hex, and whether something may be done there."""
        runs = self.write_place(self._place_at[index]) if index in self._place_at else self.write_land(index)
        return [*runs, (CAN_ACT, CAN_ACT_STYLE)] if index in self._can_act else runs

    def write_place(self, number: int) -> list[Run]:
        """What stands on the hex of a city or town."""
        raise NotImplementedError

    def write_land(self, index: int) -> list[Run]:
        """What stands on any other hex."""
        raise NotImplementedError


def code_places(places: Sequence[Place]) -> list[str]:
    """Cities and towns as the map writes them, in three letters."""
    return abbreviate([place.name for place in places])


def join_lines(lines: Iterable[str]) -> str:
    """A board of these lines, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in lines) + "\n"


def tell_head(pen: Pen, title: str, facts: str, seat: int | None, what: str) -> Iterator[str]:
    """The first lines: the map, what stands beside it, and what the seat decides; None: how the game ended."""
    yield f"{pen.paint(title, TITLE_STYLE)}, {facts}"
    yield what if seat is None else f"{pen.paint(name_seat(seat), pen.seat(seat))} decides {what}"


def tell_choices(pen: Pen, kinds: Mapping[str, Sequence[str]], max_lines: int | None = None) -> Iterator[str]:
    """The legal actions by kind, cut short after so many lines; nothing if there are none."""
    told = "; ".join(" ".join([kind, ", ".join(whats)]).strip() for kind, whats in kinds.items())
    if told:
        form: dict[str, Any] = {"break_on_hyphens": False, "max_lines": max_lines, "placeholder": " ..."}
        lines = wrap(f"legal: {told}", LINE_WIDTH, subsequent_indent="  ", **form)
        yield from (pen.paint(line, CHOICE_STYLE) for line in lines)


def tell_link(link: Link, places: Sequence[Place], hexes: Sequence[Tile]) -> str:
    """A link from place to place, or to its open end."""
    way = [places[link.start].name, *(hexes[here].name for here in link.hexes)]
    if link.end is not None:
        way.append(places[link.end].name)
    return " - ".join(way) + ("" if link.open_edge is None else f" ... {EDGE_NAMES[link.open_edge]}")


def tell_owned(pen: Pen, owner: int, what: str) -> Iterator[str]:
    """What belongs to a seat, in its colour; NONE: to nobody."""
    who, style = (NOBODY_NAME, "") if owner == NONE else (name_seat(owner), pen.seat(owner))
    lines = wrap(f"{who}: {what}", LINE_WIDTH, subsequent_indent="  ")
    yield from (pen.paint(line, style) for line in lines)


def set_columns(entries: Iterable[str], width: int, per_line: int) -> Iterator[str]:
    """Entries side by side, so many to a line."""
    told = [entry.ljust(width) for entry in entries]
    for start in range(0, len(told), per_line):
        yield "".join(told[start : start + per_line])
