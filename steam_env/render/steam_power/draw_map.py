"""The map part of the picture: land, cities, track, coins, corners, and what may be done where."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from steam_env.render import shapes
from steam_env.render.canvas import BOLD, HALOED, Canvas
from steam_env.render.frame import AXIS, Box, MapFrame
from steam_env.render.pieces import TRACK_LAYER, draw_arrow, draw_ring, draw_tracks
from steam_env.render.shapes import OUTWARD, Point
from steam_env.render.spots import name_spot
from steam_env.render.steam_power.theme import LETTERS, ON_COLOR, SHAPES
from steam_env.render.steam_power.things import CityTile, Corner, LinkLine, Scene, Segment
from steam_env.render.theme import ON_SEAT

CORNER_ROOM = 26.0  # room above and below for what lies in the corners
# In sides of a hex.
TILE = 0.6  # a City tile
TILE_UP = 0.14  # it lies above the middle, its name below
LABEL, LABEL_DOWN, LABEL_ROOM = 0.31, 0.72, 2.7
# By kind of action: where its arrow stands, as a part of the way to the edge, and its size.
ARROW_AT = {"start": (1.13, 0.17), "head": (0.72, 0.22), "replace": (0.72, 0.22)}
HOLLOW_KIND = "replace"
RING_KINDS = ("build", "source", "hop")
NORTH_EAST, SOUTH_EAST, SOUTH_WEST = 1, 2, 4
CROSS_AT, CROSS = 0.95, 0.36  # what takes a tile back: as a part of the way to the edge, and its size
# Arrows of starts that move along the edge, to stay clear of the factory and of a long name.
BESIDE = {NORTH_EAST: (0.09, 0.15), SOUTH_EAST: (0.09, -0.16), SOUTH_WEST: (-0.09, -0.16)}


class MapDrawer:
    """Draws the map of a scene into a box."""

    def __init__(self, canvas: Canvas, scene: Scene, box: Box) -> None:
        self.canvas, self.scene = canvas, scene
        self.frame = MapFrame(scene.hexes, box, CORNER_ROOM if scene.corners else 0.0)
        self.side, self.place = self.frame.side, self.frame.place
        self.left, self.top = self.frame.left, self.frame.top
        self.right, self.bottom = self.frame.right, self.frame.bottom
        self.city_at = {city.hex: city for city in scene.cities}

    def tile_of(self, city: CityTile) -> Point:
        """The middle of the City tile."""
        x, y = self.place(city.hex)
        return x, y - TILE_UP * self.side

    def draw(self) -> None:
        """Draw all layers, the lowest first."""
        self._draw_land()
        self.frame.draw_axes(self.canvas)
        self._draw_groups()
        self._draw_track()
        self._draw_coins()
        self._draw_rings()
        self._draw_cities()
        self._draw_trains()
        self._draw_corners()
        self._draw_choices()

    # --- land -----------------------------------------------------------------------------------------

    def _draw_land(self) -> None:
        self.canvas.open("land")
        self.frame.draw_land(self.canvas, (tile.terrain for tile in self.scene.hexes))
        self.canvas.close()

    # --- cities ---------------------------------------------------------------------------------------

    def _draw_groups(self) -> None:
        """A street between neighbouring cities of a group."""
        self.canvas.open("groups")
        cities = self.scene.cities
        paths = [
            shapes.polyline([self.tile_of(city), self.tile_of(other)])
            for city, other in combinations(cities, 2)
            if other.group == city.group and self._are_neighbours(city, other)
        ]
        self.canvas.draw("".join(paths), None, "rim", 0.5 * self.side)
        self.canvas.draw("".join(paths), None, "city", 0.4 * self.side)
        self.canvas.close()

    def _are_neighbours(self, city: CityTile, other: CityTile) -> bool:
        one, two = self.scene.hexes[city.hex], self.scene.hexes[other.hex]
        across, down = abs(one.col - two.col), abs(one.row - two.row)
        return (across, down) in ((0, 2), (1, 1))

    def _draw_cities(self) -> None:
        self.canvas.open("cities")
        for city in self.scene.cities:
            self._draw_city(city)
        self.canvas.close()
        self.canvas.open("names")
        size = max(7.0, LABEL * self.side)
        for city in self.scene.cities:
            x, y = self.place(city.hex)
            y += LABEL_DOWN * self.side
            room = LABEL_ROOM * self.side
            self.canvas.write(city.name, x, y, size, "ink", "middle", weight=HALOED, width=room)
        self.canvas.close()

    def _draw_city(self, city: CityTile) -> None:
        s, canvas = self.side, self.canvas
        x, y = self.tile_of(city)
        canvas.mark(name_spot("city", city.hex), shapes.hexagon(*self.place(city.hex), s))
        title = f"{city.name}: {city.color}"
        if city.owner is not None:
            title += f", factory of player_{city.owner}, " + ("flipped" if city.flipped else f"{city.resources} left")
        if city.flipped:
            canvas.draw(shapes.hexagon(x, y, TILE * s), "panel", "rim", 0.05 * s, title)
            canvas.draw(shapes.hexagon(x, y, (TILE - 0.1) * s), None, city.color, 0.14 * s)
            canvas.draw(shapes.hexagon(x, y, (TILE - 0.18) * s), None, "rim", 0.02 * s)
        else:
            canvas.draw(shapes.hexagon(x, y, TILE * s), city.color, "rim", 0.05 * s, title)
        self._draw_stock(city, x, y)
        if city.owner is not None:
            draw_factory(canvas, city.owner, x + 0.52 * s, y - 0.34 * s, 0.6 * s)

    def _draw_stock(self, city: CityTile, x: float, y: float) -> None:
        """What the tile offers: its letter before a factory is there, then the number left, then its points."""
        s, canvas = self.side, self.canvas
        if city.flipped:
            canvas.write(f"{city.vp}vp", x, y + 0.11 * s, 0.33 * s, "ink", "middle", weight=BOLD)
            return
        ink = ON_COLOR[city.color]
        text = LETTERS[city.color] if city.owner is None else str(city.resources)
        canvas.draw(shapes.shape(SHAPES[city.color], x, y + 0.01 * s, 0.31 * s), None, ink, 0.035 * s)
        canvas.write(text, x, y + 0.12 * s, 0.34 * s, ink, "middle", weight=BOLD)

    # --- track ----------------------------------------------------------------------------------------

    def _draw_track(self) -> None:
        """Ends in cities, then what lies below at crossings, then what lies above on its bridge."""
        self.canvas.open(TRACK_LAYER)
        self._draw_stubs()
        self._draw_layer([segment for segment in self.scene.segments if not segment.over], bridge=False)
        self._draw_layer([segment for segment in self.scene.segments if segment.over], bridge=True)
        self.canvas.close()

    def _draw_stubs(self) -> None:
        paths: dict[int, list[str]] = defaultdict(list)
        for link in self.scene.links:
            for city, edge in ((link.start, link.start_edge), (link.end, link.end_edge)):
                if city is not None and edge is not None:
                    paths[link.owner].append(self._stub(city, edge))
        draw_tracks(self.canvas, paths, self.side)

    def _stub(self, city: int, edge: int) -> str:
        x, y = self.place(self.scene.cities[city].hex)
        return shapes.polyline([shapes.edge_point(x, y, self.side, edge), self.tile_of(self.scene.cities[city])])

    def _draw_layer(self, segments: list[Segment], bridge: bool) -> None:
        paths: dict[int, list[str]] = defaultdict(list)
        for segment in segments:
            x, y = self.place(segment.hex)
            paths[segment.owner].append(shapes.track_path(x, y, self.side, segment.edges))
        draw_tracks(self.canvas, paths, self.side, bridge=bridge)

    def _draw_trains(self) -> None:
        """The train of each link, with its owner's number; an arrow at an open end."""
        self.canvas.open("trains")
        crossings = {segment.hex for segment in self.scene.segments if segment.crossing}
        edges_of = {(segment.link, segment.hex): segment.edges for segment in self.scene.segments}
        for number, link in enumerate(self.scene.links):
            free = [here for here in link.hexes if here not in crossings] or list(link.hexes)
            here = free[len(free) // 2]
            x, y = shapes.track_middle(*self.place(here), self.side, edges_of[number, here])
            draw_train(self.canvas, link.owner, x, y, 0.62 * self.side)
            self._draw_open_end(link)
        self.canvas.close()

    def _draw_open_end(self, link: LinkLine) -> None:
        if link.open_edge is None:
            return
        x, y = self.place(link.hexes[-1])
        tip = shapes.edge_point(x, y, self.side, link.open_edge, 0.92)
        path = shapes.arrow(*tip, link.open_edge, 0.3 * self.side)
        self.canvas.draw(path, f"seat{link.owner}", "outline", 0.06 * self.side, f"open end of player_{link.owner}")

    # --- Automas --------------------------------------------------------------------------------------

    def _draw_coins(self) -> None:
        self.canvas.open("coins")
        s = self.side
        for path in self.scene.coins:
            places = [self.place(here) for here in path.hexes]
            way = self._find_open_end(path.seat) + places
            dashes = f'stroke-dasharray="{shapes.number(0.08 * s)} {shapes.number(0.14 * s)}" stroke-linecap="round"'
            self.canvas.draw(shapes.polyline(way), None, "outline", 0.16 * s, more=dashes)
            self.canvas.draw(shapes.polyline(way), None, f"seat{path.seat}", 0.1 * s, more=dashes)
            for here, (x, y) in zip(path.hexes, places, strict=True):
                if here not in self.city_at:
                    title = f"coin of player_{path.seat}"
                    self.canvas.draw(shapes.shape("circle", x, y, 0.25 * s), "coin", "outline", 0.05 * s, title)
                    self.canvas.write(str(path.seat), x, y + 0.11 * s, 0.3 * s, "on_light", "middle", weight=BOLD)
        self.canvas.close()

    def _find_open_end(self, seat: int) -> list[Point]:
        """Where the coins go on from the seat's incomplete link, if it has one."""
        return [
            shapes.edge_point(*self.place(link.hexes[-1]), self.side, link.open_edge)
            for link in self.scene.links
            if link.owner == seat and link.open_edge is not None
        ]

    def _draw_corners(self) -> None:
        self.canvas.open("corners")
        for corner in self.scene.corners:
            self._draw_corner(corner)
        self.canvas.close()

    def _draw_corner(self, corner: Corner) -> None:
        """The resource, and beside it the direction markers."""
        vertical, horizontal = corner.name.split()
        x = self.left + 2 if horizontal == "left" else self.right - 2
        y = self.top - AXIS - 13 if vertical == "top" else self.bottom + 15
        inward = 1 if horizontal == "left" else -1
        self.canvas.draw(
            shapes.shape(SHAPES[corner.color], x + inward * 8, y, 8),
            corner.color,
            "rim",
            1.2,
            f"{corner.name}: {corner.color}",
        )
        self.canvas.write(
            LETTERS[corner.color], x + inward * 8, y + 3.4, 9.5, ON_COLOR[corner.color], "middle", weight=BOLD
        )
        for count, seat in enumerate(corner.markers):
            self._draw_marker(seat, x + inward * (30 + 22 * count), y)

    def _draw_marker(self, seat: int, x: float, y: float) -> None:
        self.canvas.box(x - 9, y - 9, 18, 18, f"seat{seat}", "outline", 9, 1.2)
        self.canvas.write(str(seat), x, y + 4.2, 12, ON_SEAT[seat], "middle", weight=BOLD)

    # --- choices --------------------------------------------------------------------------------------

    def _draw_rings(self) -> None:
        """Round cities, beneath their tiles: a link that is being started, where a resource was, rings of choices."""
        self.canvas.open("rings")
        decision = self.scene.decision
        if decision.start is not None:
            self.canvas.draw(self._stub(*decision.start), None, "accent", 0.14 * self.side)
        for group in decision.visited:
            self._ring_city("build", self.scene.cities[group])
        for index in (decision.target, decision.building):
            if index is not None:
                self._ring_city("source", self.scene.cities[index])
        for choice in self.scene.choices:
            if choice.kind == "hop":
                for city in self.scene.cities:
                    if city.group == self.city_at[choice.hex].group:
                        self._ring_city("hop", city, choice.text)
            elif choice.kind in RING_KINDS:
                self._ring_city(choice.kind, self.city_at[choice.hex], choice.text)
        self.canvas.close()

    def _ring_city(self, kind: str, city: CityTile, text: str = "") -> None:
        draw_ring(self.canvas, kind, *self.tile_of(city), (TILE + 0.1) * self.side, text)

    def _draw_choices(self) -> None:
        """Arrows of choices, and the resource under way."""
        self.canvas.open("choices")
        for hex_index in sorted({choice.hex for choice in self.scene.choices if choice.kind == "head"}):
            path = shapes.hexagon(*self.place(hex_index), 0.94 * self.side)
            self.canvas.draw(path, None, "accent", 0.06 * self.side, more=self._dashes())
        self._mark_edges()
        self._draw_cargo()
        for choice in self.scene.choices:
            if choice.edge is not None:
                self._draw_arrow(choice.kind, choice.hex, choice.edge, choice.text)
            elif choice.kind == "remove":
                x, y = self._place_cross(choice.hex)
                draw_cross(self.canvas, x, y, CROSS * self.side, choice.text)
                self.canvas.mark(name_spot("tail", choice.hex), shapes.shape("circle", x, y, CROSS * self.side))
        self.canvas.close()

    def _mark_edges(self) -> None:
        """Where an edge can be clicked: over those of starts, within a hex of which a far edge is chosen."""
        edges = {(choice.hex, choice.edge) for choice in self.scene.choices if choice.kind == "start"}
        inside = {choice.hex for choice in self.scene.choices if choice.kind in ("head", "replace")}
        edges |= {(here, edge) for here in inside for edge in range(len(OUTWARD))}
        for here, edge in sorted(edges):
            if edge is not None:
                path = shapes.sector(*self.place(here), self.side, edge, outside=here not in inside)
                self.canvas.mark(name_spot("edge", here, edge), path)

    def _draw_cargo(self) -> None:
        decision, s = self.scene.decision, self.side
        if decision.cargo is None or decision.contract is None:
            return
        color = decision.contract.needs[decision.need]
        x, y = self.tile_of(self.city_at[decision.cargo])
        x, y = x - 0.5 * s, y - 0.36 * s
        self.canvas.draw(shapes.shape("circle", x, y, 0.3 * s), "accent", "halo", 0.05 * s, "the resource under way")
        self.canvas.draw(shapes.shape(SHAPES[color], x, y, 0.16 * s), color, "rim", 0.03 * s)

    def _place_cross(self, hex_index: int) -> Point:
        """On the mover's track where it comes into the tail's hex: no arrow points there, the train is further on."""
        number, exit_edge = next(
            (number, link.open_edge)
            for number, link in enumerate(self.scene.links)
            if link.open_edge is not None and link.hexes[-1] == hex_index and link.owner == self.scene.decision.seat
        )
        tail = next(  # a link may cross itself on its tail's hex
            part.edges
            for part in self.scene.segments
            if (part.link, part.hex) == (number, hex_index) and exit_edge in part.edges
        )
        (entry,) = set(tail) - {exit_edge}
        return shapes.edge_point(*self.place(hex_index), self.side, entry, CROSS_AT)

    def _dashes(self) -> str:
        return f'stroke-dasharray="{shapes.number(0.16 * self.side)} {shapes.number(0.1 * self.side)}"'

    def _draw_arrow(self, kind: str, hex_index: int, edge: int, text: str) -> None:
        s = self.side
        part, size = ARROW_AT[kind]
        x, y = shapes.edge_point(*self.place(hex_index), s, edge, part)
        if kind == "start" and edge in BESIDE:
            right, down = BESIDE[edge]
            x, y = x + right * s, y + down * s
        draw_arrow(self.canvas, x, y, edge, size * s, text, hollow=kind == HOLLOW_KIND)


# --- signs of legal actions --------------------------------------------------------------------------------


def draw_choice_sign(canvas: Canvas, kind: str, x: float, y: float, size: float) -> None:
    """Draw the sign of a kind of action that is done on the map."""
    if kind in ARROW_AT:
        draw_arrow(canvas, x, y + 0.1 * size, 0, 0.45 * size, hollow=kind == HOLLOW_KIND)
    elif kind == "remove":
        draw_cross(canvas, x, y, 0.7 * size)
    else:
        draw_ring(canvas, kind, x, y, 0.5 * size)


def draw_cross(canvas: Canvas, x: float, y: float, size: float, text: str = "") -> None:
    """Draw a cross on a tail that may be taken back."""
    d = size / 2
    cross = shapes.polyline([(x - d, y - d), (x + d, y + d)]) + shapes.polyline([(x - d, y + d), (x + d, y - d)])
    canvas.draw(cross, None, "halo", 0.5 * size)
    canvas.draw(cross, None, "accent", 0.26 * size, text)


# --- what the panel draws too -----------------------------------------------------------------------------


def draw_factory(canvas: Canvas, seat: int, x: float, y: float, width: float) -> None:
    """Draw a factory of the seat, with its number."""
    path = shapes.points_of(shapes.move(shapes.FACTORY, x, y, width))
    canvas.draw(path, f"seat{seat}", "outline", 0.07 * width, more='stroke-linejoin="round"')
    canvas.write(str(seat), x, y + 0.33 * width, 0.52 * width, ON_SEAT[seat], "middle", weight=BOLD)


def draw_train(canvas: Canvas, seat: int, x: float, y: float, width: float) -> None:
    """Draw a train of the seat, with its number."""
    path = shapes.points_of(shapes.move(shapes.ENGINE, x, y, width))
    canvas.draw(path, f"seat{seat}", "outline", 0.07 * width, more='stroke-linejoin="round"')
    wheels = "".join(shapes.shape("circle", x + part * width, y + 0.32 * width, 0.11 * width) for part in (-0.28, 0.28))
    canvas.draw(wheels, "outline")
    canvas.write(str(seat), x - 0.2 * width, y + 0.17 * width, 0.48 * width, ON_SEAT[seat], "middle", weight=BOLD)
