"""The scene as text for a terminal, with colour where that is wanted: map, decision and seats, then the details."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam_power.state import COLOR_NAMES, NUM_RESOURCES, SOLO_ROUNDS
from steam_env.render.pen import (
    ARROWS,
    CAN_ACT,
    CAN_ACT_STYLE,
    LINE_WIDTH,
    Pen,
    Run,
    abbreviate,
    mark_track,
    wants_color,
    write_rows,
)
from steam_env.render.steam_power.scene import TILE_KINDS
from steam_env.render.steam_power.theme import ANSI_COLORS, ANSI_TERRAIN, LETTERS
from steam_env.render.steam_power.things import OFF_THE_MAP, Card, Corner, LinkLine, Scene, Seat

SHORT_CHOICES = 3  # lines for the legal actions, where the text is to be short
TERRAIN_MARKS = {"plains": ".", "hills": "h", "mountains": "m", "water": "~"}
COIN = "$"
LEGEND = (
    "WCHI01: white city, factory of seat 0, 1 resource left (* = flipped); ! choice\n"
    ". plains  h hills  m mountains  ~ water  $2 coin of seat 2  ↗ open end\n"
    "0| track of seat 0: | / \\ straight, c curve, t tight; 0|1/ crossing, 1 above"
)


def draw_text(scene: Scene, color: bool | None = None, details: bool = True) -> str:
    """The position in lines of text.

    Args:
        scene: what to write.
        color: whether with ANSI colours; None: on a terminal, if ``NO_COLOR`` is not set.
        details: whether legend, cities, links, hands and supply follow; without them, and with a long list of legal
            actions cut short, a small map fits on 80 x 24.
    """
    pen = Pen(wants_color() if color is None else color)
    lines = [*_tell_state(scene, pen), *write_map(scene, pen), *tell_corners(scene)]
    lines += [*_tell_choices(scene, pen, None if details else SHORT_CHOICES), *_list_seats(scene, pen)]
    if details:
        for part in (LEGEND.split("\n"), list_cities(scene), list_links(scene, pen), _list_hands(scene, pen)):
            lines += ["", *part]
        lines += list_supply(scene)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _codes(scene: Scene) -> list[str]:
    return abbreviate(tuple(city.name for city in scene.cities))


# --- the state, the decision ------------------------------------------------------------------------


def _tell_state(scene: Scene, pen: Pen) -> Iterator[str]:
    limit = f" of {SOLO_ROUNDS if scene.mode == 'solo' else scene.max_rounds}"
    trigger = f", {scene.end_trigger} contracts trigger the end" if scene.mode != "solo" else ", solo"
    yield f"{pen.paint(scene.title, '1')}, round {scene.round}{limit}{trigger}, deck {scene.supply.deck}"
    decision = scene.decision
    if decision.seat is None:
        yield decision.text
        return
    mover = pen.paint(f"player_{decision.seat}", pen.seat(decision.seat))
    yield f"{mover} decides {decision.phase}: {decision.text}"


def _tell_choices(scene: Scene, pen: Pen, max_lines: int | None) -> Iterator[str]:
    """The legal actions, those of one kind together; a city with several edges once."""
    kinds: dict[str, dict[str, list[str]]] = {}
    for choice in scene.choices:
        what = choice.text.removeprefix(choice.kind).strip()
        name, _, edge = what.rpartition(" ") if choice.kind == "start" else (what, "", "")
        kinds.setdefault(choice.kind, {}).setdefault(name, []).append(edge)
    parts = []
    for kind, whats in kinds.items():
        names = [" ".join([name, *edges]).strip() for name, edges in whats.items()]
        parts.append(" ".join([kind, ", ".join(names)]).strip())
    if parts:
        for line in wrap(
            "legal: " + "; ".join(parts), LINE_WIDTH, subsequent_indent="  ", max_lines=max_lines, placeholder=" ..."
        ):
            yield pen.paint(line, "36")


# --- the map ------------------------------------------------------------------------------------------


def write_map(scene: Scene, pen: Pen) -> Iterator[str]:
    """One line for each row; hexes of a row stand two columns apart."""
    return write_rows(scene.hexes, pen, _MapWriter(scene, pen).write_hex)


def tell_corners(scene: Scene) -> Iterator[str]:
    """The resources in the map's corners, with the direction markers that are there."""
    if scene.corners:
        yield "corners: " + ", ".join(f"{_name_corner(corner)} {corner.name}" for corner in scene.corners)


def _name_corner(corner: Corner) -> str:
    markers = "".join(f"<{seat}" for seat in corner.markers)
    return f"[{LETTERS[corner.color]}]{markers}"


class _MapWriter:
    """Writes the hexes of one scene."""

    def __init__(self, scene: Scene, pen: Pen) -> None:
        self.scene, self.pen, self.codes = scene, pen, _codes(scene)
        self.city_at = {city.hex: number for number, city in enumerate(scene.cities)}
        self.coins = [(here, path.seat) for path in scene.coins for here in path.hexes]
        self.can_act = {choice.hex for choice in scene.choices if choice.hex != OFF_THE_MAP}

    def write_hex(self, index: int) -> list[Run]:
        """What stands on a hex."""
        runs = self._write_city(self.city_at[index]) if index in self.city_at else self._write_land(index)
        if index in self.can_act:
            runs.append((CAN_ACT, CAN_ACT_STYLE))
        return runs

    def _write_city(self, number: int) -> list[Run]:
        city = self.scene.cities[number]
        runs = [(f"{LETTERS[city.color]}{self.codes[number]}", self.pen.tile(ANSI_COLORS[city.color]))]
        if city.owner is not None:
            runs.append((f"{city.owner}{city.resources or '*'}", self.pen.seat(city.owner)))
        return runs

    def _write_land(self, index: int) -> list[Run]:
        tile = self.scene.hexes[index]
        runs = [
            (
                f"{segment.owner}{mark_track(segment.edges)}{self._open_end(index, segment.link)}",
                self.pen.seat(segment.owner),
            )
            for segment in self.scene.segments
            if segment.hex == index
        ]
        runs += [(f"{COIN}{seat}", self.pen.seat(seat)) for here, seat in self.coins if here == index]
        return runs or [(f" {TERRAIN_MARKS[tile.terrain]}", self.pen.ground(ANSI_TERRAIN[tile.terrain]))]

    def _open_end(self, index: int, number: int) -> str:
        link = self.scene.links[number]
        return ARROWS[link.open_edge] if link.open_edge is not None and link.hexes[-1] == index else ""


# --- seats ----------------------------------------------------------------------------------------------


def _list_seats(scene: Scene, pen: Pen) -> Iterator[str]:
    yield "seat       money  trains  factories  hand  fulfilled  VP"
    for seat in scene.seats:
        yield _tell_seat(scene, pen, seat)
    if scene.solo is not None:
        player = scene.solo
        yield f"{player.name:<9}  ${player.money:<4}{player.hand_size:>25}{len(player.fulfilled):>11}{player.vp:>4}"


def _tell_seat(scene: Scene, pen: Pen, seat: Seat) -> str:
    mark = "*" if seat.decides else " "
    name = pen.paint(f"{seat.name}{mark}", pen.seat(seat.seat))
    pieces = f"{seat.trains:>6}  {seat.factories:>9}"
    if seat.kind == "company":  # in solo the other companies have no purse and no hand
        return f"{name}         {pieces}"
    notes = []
    if seat.kind == "automa":
        notes.append(f"Automa {scene.automa_level}".replace("_", " "))
    if seat.seat == scene.viewer:
        notes.append("you")
    if seat.first:
        notes.append("first")
    if seat.wins:
        notes.append("wins")
    counts = f"{seat.hand_size:>4}  {len(seat.fulfilled):>9}  {seat.vp:>2}"
    return f"{name}  ${seat.money:<4}  {pieces}  {counts}  {', '.join(notes)}"


# --- details --------------------------------------------------------------------------------------------


def list_cities(scene: Scene) -> Iterator[str]:
    """The cities with their codes, three to a line, and the groups of several."""
    codes = _codes(scene)
    entries = [f"{code:3} {city.name} ({city.color})".ljust(27) for code, city in zip(codes, scene.cities, strict=True)]
    for start in range(0, len(entries), 3):
        yield "".join(entries[start : start + 3])
    groups: dict[int, list[str]] = {}
    for code, city in zip(codes, scene.cities, strict=True):
        groups.setdefault(city.group, []).append(code.strip())
    joined = ["-".join(group) for group in groups.values() if len(group) > 1]
    if joined:
        yield from wrap(f"groups: {', '.join(joined)}", LINE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def list_links(scene: Scene, pen: Pen) -> Iterator[str]:
    """Each link with its train: from city to city, or to its open end."""
    for link in scene.links:
        lines = wrap(f"player_{link.owner}: {_tell_link(scene, link)}", LINE_WIDTH, subsequent_indent="  ")
        yield from (pen.paint(line, pen.seat(link.owner)) for line in lines)
    for path in scene.coins:
        way = " - ".join(_name_place(scene, here) for here in path.hexes)
        yield from wrap(f"coins of player_{path.seat}: {way}", LINE_WIDTH, subsequent_indent="  ")


def _tell_link(scene: Scene, link: LinkLine) -> str:
    places = [scene.cities[link.start].name, *(scene.hexes[here].name for here in link.hexes)]
    if link.end is not None:
        places.append(scene.cities[link.end].name)
    end = "" if link.open_edge is None else f" ... {EDGE_NAMES[link.open_edge]}"
    return " - ".join(places) + end


def _name_place(scene: Scene, here: int) -> str:
    names = [city.name for city in scene.cities if city.hex == here]
    return names[0] if names else scene.hexes[here].name


def tell_card(card: Card) -> str:
    """A contract in a few characters: "17 BGOO $3 5vp +contracts"."""
    needs = "".join(LETTERS[color] for color in card.needs)
    bonus = "" if card.bonus == "none" else f" +{card.bonus}"
    return f"{card.number} {needs} ${card.money} {card.vp}vp{bonus}"


def _list_hands(scene: Scene, pen: Pen) -> Iterator[str]:
    """The contracts that the viewer knows in hands, those fulfilled, and the one under way."""
    if scene.decision.contract is not None:
        yield f"under way: {tell_card(scene.decision.contract)}"
    for seat in scene.owners:
        for what, cards in (("holds", seat.hand), ("has fulfilled", seat.fulfilled)):
            if cards:
                text = f"{seat.name} {what}: {'; '.join(map(tell_card, cards))}"
                for line in wrap(text, LINE_WIDTH, subsequent_indent="  "):
                    yield pen.paint(line, "" if scene.solo is not None else pen.seat(seat.seat))


def list_supply(scene: Scene) -> Iterator[str]:
    """What lies beside the map."""
    supply = scene.supply
    off_map = " ".join(f"{count} {color}" for color, count in zip(COLOR_NAMES, supply.off_map, strict=True) if count)
    stock = " ".join(f"{count} {color}" for color, count in zip(COLOR_NAMES[:NUM_RESOURCES], supply.stock, strict=True))
    yield f"tiles off the map: {off_map or 'none'}"
    yield f"resources left: {stock}"
    yield "track tiles: " + ", ".join(f"{count} {kind}" for count, kind in zip(supply.tiles, TILE_KINDS, strict=True))
    if supply.discards:
        discards = " ".join(str(card.number) for card in supply.discards)
        yield from wrap(f"discards: {discards}", LINE_WIDTH, subsequent_indent="  ")
    if scene.mode == "solo":
        bag = " ".join(f"player_{company}" for company, count in enumerate(supply.bag) for _ in range(count))
        yield f"contracts set aside: {supply.aside}"
        yield from wrap(f"trains in the bag: {bag or 'none'}", LINE_WIDTH, subsequent_indent="  ")
