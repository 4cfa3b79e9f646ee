"""The scene as text for a terminal, with colour where that is wanted: map, decision and seats, then the details."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from steam_env.core.steam_power.state import COLOR_NAMES, NUM_RESOURCES, SOLO_ROUNDS
from steam_env.render.choices import group_choices
from steam_env.render.pen import ARROWS, LINE_WIDTH, Pen, Run, mark_track, wants_color
from steam_env.render.steam_power.scene import TILE_KINDS
from steam_env.render.steam_power.theme import ANSI_COLORS, ANSI_TERRAIN, LETTERS
from steam_env.render.steam_power.things import Card, Corner, Scene, Seat
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

CITIES_PER_LINE, CITY_WIDTH = 3, 27
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
    lines += [*tell_choices(pen, _group_choices(scene), None if details else SHORT_CHOICES), *_list_seats(scene, pen)]
    if details:
        for part in (LEGEND.split("\n"), list_cities(scene), list_links(scene, pen), _list_hands(scene, pen)):
            lines += ["", *part]
        lines += list_supply(scene)
    return join_lines(lines)


# --- the state, the decision ------------------------------------------------------------------------


def _tell_state(scene: Scene, pen: Pen) -> Iterator[str]:
    limit = f" of {SOLO_ROUNDS if scene.mode == 'solo' else scene.max_rounds}"
    trigger = f", {scene.end_trigger} contracts trigger the end" if scene.mode != "solo" else ", solo"
    facts = f"round {scene.round}{limit}{trigger}, deck {scene.supply.deck}"
    decision = scene.decision
    what = decision.text if decision.seat is None else f"{decision.phase}: {decision.text}"
    return tell_head(pen, scene.title, facts, decision.seat, what)


def _group_choices(scene: Scene) -> dict[str, list[str]]:
    """The legal actions by kind; a city of which a link may start over several edges once."""
    kinds = group_choices(scene.choices)
    if "start" in kinds:
        edges: dict[str, list[str]] = {}
        for what in kinds["start"]:
            city, _, edge = what.rpartition(" ")
            edges.setdefault(city, []).append(edge)
        kinds["start"] = [" ".join([city, *several]) for city, several in edges.items()]
    return kinds


# --- the map ------------------------------------------------------------------------------------------


def write_map(scene: Scene, pen: Pen) -> Iterator[str]:
    """One line for each row; hexes of a row stand two columns apart."""
    return _HexWriter(scene, pen).write_map()


def tell_corners(scene: Scene) -> Iterator[str]:
    """The resources in the map's corners, with the direction markers that are there."""
    if scene.corners:
        yield "corners: " + ", ".join(f"{_name_corner(corner)} {corner.name}" for corner in scene.corners)


def _name_corner(corner: Corner) -> str:
    markers = "".join(f"<{seat}" for seat in corner.markers)
    return f"[{LETTERS[corner.color]}]{markers}"


class _HexWriter(HexWriter):
    scene: Scene

    def __init__(self, scene: Scene, pen: Pen) -> None:
        super().__init__(scene, pen, scene.cities)
        self.coins = [(here, path.seat) for path in scene.coins for here in path.hexes]

    def write_place(self, number: int) -> list[Run]:
        """A city, and the factory there."""
        city = self.scene.cities[number]
        runs = [(f"{LETTERS[city.color]}{self.codes[number]}", self.pen.tile(ANSI_COLORS[city.color]))]
        if city.owner is not None:
            runs.append((f"{city.owner}{city.resources or '*'}", self.pen.seat(city.owner)))
        return runs

    def write_land(self, index: int) -> list[Run]:
        """Track and coins, or the terrain."""
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
    codes = code_places(scene.cities)
    entries = (f"{code:3} {city.name} ({city.color})" for code, city in zip(codes, scene.cities, strict=True))
    yield from set_columns(entries, CITY_WIDTH, CITIES_PER_LINE)
    groups: dict[int, list[str]] = {}
    for code, city in zip(codes, scene.cities, strict=True):
        groups.setdefault(city.group, []).append(code.strip())
    joined = ["-".join(group) for group in groups.values() if len(group) > 1]
    if joined:
        yield from wrap(f"groups: {', '.join(joined)}", LINE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def list_links(scene: Scene, pen: Pen) -> Iterator[str]:
    """Each link with its train: from city to city, or to its open end."""
    for link in scene.links:
        yield from tell_owned(pen, link.owner, tell_link(link, scene.cities, scene.hexes))
    for path in scene.coins:
        way = " - ".join(_name_place(scene, here) for here in path.hexes)
        yield from wrap(f"coins of player_{path.seat}: {way}", LINE_WIDTH, subsequent_indent="  ")


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
