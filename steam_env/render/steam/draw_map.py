"""The map part of the picture: land, towns, cities with their cubes, track, and what may be done where."""

from __future__ import annotations

from collections import defaultdict

from steam_env.render import shapes
from steam_env.render.canvas import BOLD, HALOED, Canvas
from steam_env.render.frame import Box, MapFrame
from steam_env.render.pieces import TRACK_LAYER, draw_ring, draw_token, draw_tracks
from steam_env.render.shapes import Point
from steam_env.render.spots import name_spot
from steam_env.render.steam.theme import LOOK_OF, LOOKS
from steam_env.render.steam.things import NOBODY, LinkLine, Scene, Segment, Stop
from steam_env.render.theme import ON_SEAT

# In sides of a hex.
RIVER, WALL = 0.15, 0.2
CITY = 0.9  # the coloured hex of a city
SIGN, SIGN_UP = 0.24, 0.5  # the city's own colour, above the middle
PLATE_WIDTH, PLATE_TOP, PLATE_HEIGHT = 1.3, -0.19, 0.76  # where its cubes lie
MARKER, MARKER_RIGHT = 0.2, 0.47  # beside the sign
TOWN = 0.25
LABEL, LABEL_ROOM = 0.34, 2.7
LABEL_DOWN = {True: 0.87, False: 0.66}  # of cities, of towns
DISC = 0.48
OFF_MIDDLE, ON_SPUR = 0.8, 0.66  # parts of the way to the edge
RINGS = {"from": "source", "hop": "hop", "grow": "build", "urbanize": "build"}  # kind of action -> kind of ring
CITY_RING, TOWN_RING = 0.98, 0.5
MOST_IN_ROW = {1: 3, 2: 4, 3: 6}  # rows of cubes -> so many side by side
MOST_TOKEN = 0.23  # half the width of a cube, at most


class MapDrawer:
    """Draws the map of a scene into a box."""

    def __init__(self, canvas: Canvas, scene: Scene, box: Box) -> None:
        self.canvas, self.scene = canvas, scene
        self.frame = MapFrame(scene.hexes, box)
        self.side, self.place = self.frame.side, self.frame.place

    def draw(self) -> None:
        """Draw all layers, the lowest first."""
        self._draw_land()
        self.frame.draw_axes(self.canvas)
        self._draw_track()
        self._draw_stops()
        self._draw_discs()
        self._draw_rings()
        self._draw_names()
        self._draw_choices()
        self._mark_places()

    # --- land -----------------------------------------------------------------------------------------

    def _draw_land(self) -> None:
        self.canvas.open("land")
        self.frame.draw_land(self.canvas, (tile.terrain for tile in self.scene.hexes))
        rivers = [self._river(number) for number, tile in enumerate(self.scene.hexes) if tile.river]
        self.canvas.draw("".join(rivers), None, "wave", RIVER * self.side, more='stroke-linecap="round"')
        walls = [self._wall(*wall) for wall in self.scene.walls]
        self.canvas.draw("".join(walls), None, "wall", WALL * self.side, more='stroke-linecap="round"')
        self.canvas.close()

    def _river(self, number: int) -> str:
        """A winding line across the hex."""
        (x, y), s, n = self.place(number), self.side, shapes.number
        return f"M{n(x - 0.72 * s)} {n(y + 0.08 * s)}q{n(0.36 * s)} {n(-0.5 * s)} {n(0.72 * s)} 0t{n(0.72 * s)} 0"

    def _wall(self, number: int, edge: int) -> str:
        x, y = self.place(number)
        ends = (shapes.CORNERS[(edge + 4) % 6], shapes.CORNERS[(edge + 5) % 6])
        return shapes.polyline(shapes.move(ends, x, y, self.side))

    # --- track ----------------------------------------------------------------------------------------

    def _draw_track(self) -> None:
        """What lies below at crossings, then what lies above on its bridge."""
        self.canvas.open(TRACK_LAYER)
        for over in (False, True):
            self._draw_layer([segment for segment in self.scene.segments if segment.over is over], over)
        self.canvas.close()

    def _draw_layer(self, segments: list[Segment], bridge: bool) -> None:
        paths: dict[int, list[str]] = defaultdict(list)
        for segment in segments:
            paths[segment.owner].append(self._path(segment))
        draw_tracks(self.canvas, paths, self.side, bridge=bridge)

    def _path(self, segment: Segment) -> str:
        return track_path(*self.place(segment.hex), self.side, segment.edges)

    # --- cities and towns -----------------------------------------------------------------------------

    def _draw_stops(self) -> None:
        self.canvas.open("cities")
        for stop in self.scene.stops:
            (self._draw_city if stop.color else self._draw_town)(stop)
        self.canvas.close()

    def _draw_town(self, stop: Stop) -> None:
        path = shapes.shape("circle", *self.place(stop.hex), TOWN * self.side)
        self.canvas.draw(path, "city", "rim", 0.07 * self.side, f"{stop.name}: town")

    def _draw_city(self, stop: Stop) -> None:
        canvas, s, look = self.canvas, self.side, LOOKS[stop.color]
        x, y = self.place(stop.hex)
        canvas.draw(shapes.hexagon(x, y, CITY * s), look.color, "rim", 0.05 * s, tell_stop(stop))
        if stop.new:  # a tile that was laid here
            canvas.draw(shapes.hexagon(x, y, (CITY - 0.1) * s), None, look.ink, 0.035 * s, more=dash(0.12 * s))
        up = y - SIGN_UP * s
        canvas.draw(shapes.shape(look.shape, x, up, SIGN * s), None, look.ink, 0.035 * s)
        canvas.write(look.letter, x, up + 0.1 * s, 0.3 * s, look.ink, "middle", weight=BOLD)
        if stop.marker:
            self._draw_marker(x + MARKER_RIGHT * s, up + 0.02 * s)
        self._draw_cubes(stop.cubes, x, y)

    def _draw_marker(self, x: float, y: float) -> None:
        s = self.side
        self.canvas.draw(shapes.shape("circle", x, y, MARKER * s), "panel", "rim", 0.04 * s, "growth marker")
        arm = 0.11 * s
        cross = shapes.polyline([(x - arm, y), (x + arm, y)]) + shapes.polyline([(x, y - arm), (x, y + arm)])
        self.canvas.draw(cross, None, "good", 0.07 * s)

    def _draw_cubes(self, cubes: str, x: float, y: float) -> None:
        """The cubes on their plate, in as few rows as they need."""
        if not cubes:
            return
        s = self.side
        rows = next((rows for rows, most in MOST_IN_ROW.items() if len(cubes) <= rows * most), max(MOST_IN_ROW))
        per_row = -(-len(cubes) // rows)
        size = min(MOST_TOKEN, PLATE_WIDTH / per_row / 2.3, PLATE_HEIGHT / rows / 2.3) * s
        step = 2.25 * size
        width, height = per_row * step + 0.25 * size, rows * step + 0.15 * size
        top = y + (PLATE_TOP + PLATE_HEIGHT / 2) * s - height / 2
        self.canvas.box(x - width / 2, top, width, height, "panel", "rim", 0.09 * s, 0.02 * s)
        for place, letter in enumerate(cubes):
            row, column = divmod(place, per_row)
            here = min(per_row, len(cubes) - row * per_row)
            token_x = x + (column - (here - 1) / 2) * step
            draw_token(self.canvas, LOOK_OF[letter], token_x, top + 0.075 * size + (row + 0.5) * step, 0.88 * size)

    def _draw_names(self) -> None:
        self.canvas.open("names")
        size = max(8.0, LABEL * self.side)
        for stop in self.scene.stops:
            x, y = self.place(stop.hex)
            y += LABEL_DOWN[bool(stop.color)] * self.side
            room = LABEL_ROOM * self.side
            weight_size = size if stop.color else 0.88 * size
            self.canvas.write(stop.name, x, y, weight_size, "ink", "middle", weight=HALOED, width=room)
        self.canvas.close()

    # --- discs ----------------------------------------------------------------------------------------

    def _draw_discs(self) -> None:
        """The owner's disc on each link; an arrow at each open end, hollow where the link may lapse."""
        self.canvas.open("discs")
        s = self.side
        for number, link in enumerate(self.scene.links):
            if link.open_edge is not None:
                self._draw_open_end(link)
            if link.owner != NOBODY:
                x, y = self._find_middle(number, link)
                draw_disc(self.canvas, link.owner, x, y, (DISC if link.end is not None else 0.8 * DISC) * s)
        self.canvas.close()

    def _find_middle(self, number: int, link: LinkLine) -> Point:
        """Where the disc lies: half-way along the link, off crossings where that can be."""
        mine = {part.hex: part for part in self.scene.segments if part.link == number and part.edges[1] is not None}
        crossed = {part.hex for part in self.scene.segments if part.over}
        way = [here for here in link.hexes if here in mine]
        free = [here for here in way if here not in crossed] or way
        if free:
            part = mine[free[len(free) // 2]]
            first, second = part.edges
            assert second is not None
            if part.hex in crossed:  # off the middle, where the other link has its own
                return shapes.edge_point(*self.place(part.hex), self.side, first, OFF_MIDDLE)
            return shapes.track_middle(*self.place(part.hex), self.side, (first, second))
        spur = next(part for part in self.scene.segments if part.link == number)
        return shapes.edge_point(
            *self.place(spur.hex), self.side, spur.edges[0], 1.0 if link.end is not None else ON_SPUR
        )

    def _draw_open_end(self, link: LinkLine) -> None:
        assert link.open_edge is not None
        here = link.hexes[-1] if link.hexes else self.scene.stops[link.start].hex
        tip = shapes.edge_point(*self.place(here), self.side, link.open_edge, 0.96)
        color = "gray" if link.owner == NOBODY else f"seat{link.owner}"
        fill = color if link.mark or link.owner == NOBODY else "halo"
        owner = "nobody" if link.owner == NOBODY else f"player_{link.owner}"
        path = shapes.arrow(*tip, link.open_edge, 0.24 * self.side)
        rim = "outline" if fill == color else color
        self.canvas.draw(path, fill, rim, 0.06 * self.side, f"open end of {owner}")

    # --- choices --------------------------------------------------------------------------------------

    def _draw_rings(self) -> None:
        """Round stops: the way of the cube so far, the one that grows, and those that may be chosen."""
        self.canvas.open("rings")
        decision = self.scene.decision
        for stop in dict.fromkeys(decision.route):
            self._ring(stop, "source")
        if decision.stop is not None:
            self._ring(decision.stop, "build")
        for choice in self.scene.choices:
            if choice.stop is not None:
                self._ring(choice.stop, RINGS[choice.kind], choice.text)
        self.canvas.close()

    def _ring(self, stop: int, kind: str, text: str = "") -> None:
        shown = self.scene.stops[stop]
        draw_ring(
            self.canvas, kind, *self.place(shown.hex), (CITY_RING if shown.color else TOWN_RING) * self.side, text
        )

    def _draw_choices(self) -> None:
        """Dashed hexes on which a tile may be laid, the one that is being laid on, and the cube under way."""
        self.canvas.open("choices")
        s, decision = self.side, self.scene.decision
        for choice in self.scene.choices:
            if choice.kind == "build":
                path = shapes.hexagon(*self.place(choice.hex), 0.88 * s)
                self.canvas.draw(path, None, "accent", 0.05 * s, choice.text, more=dash(0.16 * s))
        if decision.hex is not None:
            self.canvas.draw(shapes.hexagon(*self.place(decision.hex), 0.92 * s), None, "accent", 0.12 * s)
        if decision.cube is not None:
            x, y = self.place(self.scene.stops[decision.route[-1]].hex)
            x, y = x - 0.62 * s, y - 0.5 * s
            self.canvas.draw(shapes.shape("circle", x, y, 0.36 * s), "accent", "halo", 0.05 * s, "the cube under way")
            draw_token(self.canvas, LOOKS[decision.cube], x, y, 0.2 * s)
        self.canvas.close()

    def _mark_places(self) -> None:
        """Where the map can be clicked: on land while tiles are laid, and on cities and towns."""
        if any(choice.kind == "build" for choice in self.scene.choices):
            for number, tile in enumerate(self.scene.hexes):
                if tile.terrain != "water":
                    self.canvas.mark(name_spot("hex", number), shapes.hexagon(*self.place(number), self.side))
        for number, stop in enumerate(self.scene.stops):
            side = (CITY if stop.color else TOWN_RING) * self.side
            self.canvas.mark(name_spot("stop", number), shapes.hexagon(*self.place(stop.hex), side))


def dash(length: float) -> str:
    """Attributes of a dashed line."""
    return f'stroke-dasharray="{shapes.number(length)} {shapes.number(0.7 * length)}"'


def track_path(x: float, y: float, side: float, edges: tuple[int, int | None]) -> str:
    """The path of a segment: between two edges, or from an edge to the middle."""
    first, second = edges
    if second is None:
        return shapes.polyline([shapes.edge_point(x, y, side, first), (x, y)])
    return shapes.track_path(x, y, side, (first, second))


def draw_disc(canvas: Canvas, seat: int, x: float, y: float, size: float) -> None:
    """Draw the disc of a seat, with its number."""
    canvas.box(x - size / 2, y - size / 2, size, size, f"seat{seat}", "outline", size / 2, 0.07 * size)
    canvas.write(str(seat), x, y + 0.26 * size, 0.76 * size, ON_SEAT[seat], "middle", weight=BOLD)


def tell_stop(stop: Stop) -> str:
    """A city in words."""
    kind = f"New City, {stop.color}" if stop.new else stop.color
    return f"{stop.name}: {kind}, {'cubes ' + stop.cubes if stop.cubes else 'no cubes'}"
