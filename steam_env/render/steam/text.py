"""The scene as text for a terminal, with colour where that is wanted: map, decision and seats, then the details."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from steam_env.core.steam.state import COLOR_LETTERS, TILE_NAMES
from steam_env.kit.show import say_count
from steam_env.render.choices import group_choices
from steam_env.render.pen import ARROWS, LINE_WIDTH, Pen, Run, mark_track, wants_color
from steam_env.render.steam.theme import ANSI_COLORS, ANSI_TERRAIN, LOOKS
from steam_env.render.steam.things import NOBODY, Scene, Seat, Segment, Stop
from steam_env.render.text_board import (
    HexWriter,
    code_places,
    join_lines,
    set_columns,
    tell_choices,
    tell_head,
    tell_link,
    tell_owned,
)

TERRAIN_MARKS = {"plains": ".", "hills": "h", "water": "~"}
RIVER, UNOWNED = "=", "_"
STOPS_PER_LINE, STOP_WIDTH = 2, 40
LEGEND = (
    "RMIL2+: red city, 2 cubes, growth marker; ! choice\n"
    "oPIA01: town, with spurs of seats 0 and 1; _ unowned\n"
    ". plains  h hills  ~ water  = river  ↗ open end\n"
    "0| track of seat 0: | / \\ straight, c curve, t tight; 0|1/ two pieces of track"
)


def draw_text(scene: Scene, color: bool | None = None) -> str:
    """The position in lines of text.

    Args:
        scene: what to write.
        color: whether with ANSI colours; None: on a terminal, if ``NO_COLOR`` is not set.
    """
    pen = Pen(wants_color() if color is None else color)
    lines = [*_tell_state(scene, pen), *write_map(scene, pen)]
    lines += [*tell_choices(pen, group_choices(scene.choices)), *list_seats(scene, pen)]
    for part in (LEGEND.split("\n"), list_stops(scene), list_links(scene, pen), list_supply(scene)):
        lines += ["", *part]
    return join_lines(lines)


def _tell_state(scene: Scene, pen: Pen) -> Iterator[str]:
    decision = scene.decision
    where = f", goods round {decision.goods_round}" if decision.goods_round else ""
    if decision.placements:
        where = f", {say_count(decision.placements, 'placement')} left"
    turn = f"turn {scene.round} of {scene.last_round}{where}"
    return tell_head(pen, scene.title, turn, decision.seat, decision.text)


# --- the map ------------------------------------------------------------------------------------------


def write_map(scene: Scene, pen: Pen) -> Iterator[str]:
    """One line for each row; hexes of a row stand two columns apart."""
    return _HexWriter(scene, pen, scene.stops).write_map()


class _HexWriter(HexWriter):
    scene: Scene

    def write_place(self, number: int) -> list[Run]:
        """A city with its cubes, or a town with its track."""
        stop = self.scene.stops[number]
        if not stop.color:
            return [(f"o{self.codes[number]}", "1"), *self._write_track(stop.hex)]
        runs = [(f"{LOOKS[stop.color].letter}{self.codes[number]}", self.pen.tile(ANSI_COLORS[stop.color]))]
        return [*runs, (f"{len(stop.cubes) or ''}{'+' if stop.marker else ''}", "")]

    def write_land(self, index: int) -> list[Run]:
        """Track, or the terrain."""
        tile = self.scene.hexes[index]
        mark = f" {TERRAIN_MARKS.get(tile.terrain, '.')}{RIVER if tile.river else ''}"
        return self._write_track(index) or [(mark, self.pen.ground(ANSI_TERRAIN[tile.terrain]))]

    def _write_track(self, index: int) -> list[Run]:
        return [self._write_segment(segment) for segment in self.scene.segments if segment.hex == index]

    def _write_segment(self, segment: Segment) -> Run:
        owned = segment.owner != NOBODY
        first, second = segment.edges
        mark = "" if second is None else mark_track((first, second)) + self._open_end(segment)
        style = self.pen.seat(segment.owner) if owned else ""
        return f"{segment.owner if owned else UNOWNED}{mark}", style

    def _open_end(self, segment: Segment) -> str:
        link = self.scene.links[segment.link]
        ends_here = link.open_edge is not None and link.hexes[-1:] == (segment.hex,) and link.open_edge in segment.edges
        return ARROWS[link.open_edge] if ends_here and link.open_edge is not None else ""


# --- seats ----------------------------------------------------------------------------------------------


def list_seats(scene: Scene, pen: Pen) -> Iterator[str]:
    """A line for each seat, in the order of play."""
    yield "seat       money  income  VP  level  links  score  action tile"
    for seat in scene.in_order:
        yield _tell_seat(pen, seat)


def _tell_seat(pen: Pen, seat: Seat) -> str:
    name = pen.paint(f"{seat.name}{'*' if seat.decides else ' '}", pen.seat(seat.seat))
    notes = [tell_tile(seat)] if seat.tile else []
    if seat.points:
        notes.append(f"+{seat.points}")  # of the move under way; more words would not fit the line
    if seat.bankrupt:
        notes.append(f"bankrupt in turn {seat.bankrupt}")
    if seat.wins:
        notes.append("wins")
    counts = f"{seat.income:>6}{seat.vp:>4}{seat.level:>7}{seat.links:>7}{seat.score:>7}"
    return f"{name}  ${seat.money:<4}  {counts}  {', '.join(notes)}"


def tell_tile(seat: Seat) -> str:
    """The action tile of a seat in words."""
    note = " (passed)" if seat.passed else " (to do)" if seat.to_do else ""
    return f"{seat.tile} {TILE_NAMES[seat.tile]}{note}"


# --- details --------------------------------------------------------------------------------------------


def list_stops(scene: Scene) -> Iterator[str]:
    """Cities with their cubes and towns, with their codes, two to a line."""
    codes = code_places(scene.stops)
    told = (f"{code:3} {_tell_stop(stop)}" for code, stop in zip(codes, scene.stops, strict=True))
    return set_columns(told, STOP_WIDTH, STOPS_PER_LINE)


def _tell_stop(stop: Stop) -> str:
    kind = "town" if not stop.color else f"{'New City, ' if stop.new else ''}{stop.color}"
    marker = ", grown" if stop.marker and not stop.new else ""
    return f"{stop.name} ({kind}{marker}){': ' + stop.cubes if stop.cubes else ''}"


def list_links(scene: Scene, pen: Pen) -> Iterator[str]:
    """Each link: from stop to stop, or to its open end; * was begun or extended in this track turn."""
    for link in scene.links:
        yield from tell_owned(pen, link.owner, tell_link(link, scene.stops, scene.hexes) + (" *" if link.mark else ""))


def list_supply(scene: Scene) -> Iterator[str]:
    """What lies beside the map."""
    supply = scene.supply
    spaces = "  ".join(f"{space} {cubes}" for space, cubes in enumerate(supply.spaces, 1) if cubes)
    yield from wrap(f"Goods Supply: {spaces or 'empty'}", LINE_WIDTH, subsequent_indent="  ")
    new = "".join(letter * count for letter, count in zip(COLOR_LETTERS, supply.new_cities, strict=True))
    yield f"New Cities: {new or 'none'}, growth markers: {supply.markers}"
    kinds = (f"{'unlimited' if kind.count is None else kind.count} x {' '.join(kind.faces)}" for kind in supply.stock)
    yield from wrap(f"track tiles: {'; '.join(kinds)}", LINE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
