"""The panel beside the map: the decision, the seats, action tiles, the income track, and what lies beside the board."""

from __future__ import annotations

from steam_env.core.steam.state import (
    CITY_GROWTH,
    COLOR_NAMES,
    GROWTH_COST,
    LOCOMOTIVE,
    LOCOMOTIVE_COST,
    MAX_LEVEL,
    MIN_INCOME,
    TILE_NAMES,
    URBANIZATION,
    URBANIZATION_COST,
)
from steam_env.core.steam.tiles import CENTRE, PATTERNS
from steam_env.kit.show import say_count
from steam_env.render import shapes
from steam_env.render.canvas import BOLD, Canvas
from steam_env.render.choices import Choice
from steam_env.render.frame import Box
from steam_env.render.panel import PAD, Panel
from steam_env.render.pieces import draw_ring, draw_sample, draw_token, draw_track
from steam_env.render.spots import name_spot
from steam_env.render.steam.draw_map import RINGS, dash, draw_disc, track_path
from steam_env.render.steam.theme import LOOK_OF, LOOKS
from steam_env.render.steam.things import Choice as SteamChoice
from steam_env.render.steam.things import Scene, Seat, Stock
from steam_env.words.steam.actions import parse_pattern

GAP = 7.0
SEAT_HEIGHT = 54.0
TILE_HEIGHT, TILE_GAP = 30.0, 6.0
TILES_IN_ROWS = (4, 3)
COSTS = {  # of action tiles, rule 6.1
    CITY_GROWTH: f"${GROWTH_COST}",
    LOCOMOTIVE: f"${LOCOMOTIVE_COST + 2}–{LOCOMOTIVE_COST + MAX_LEVEL}",  # by the new level
    URBANIZATION: f"${URBANIZATION_COST}",
}
INCOME_DISC = 15.0
SUPPLY_HEIGHT, SPACE_HEIGHT, SPACES_PER_ROW = 106.0, 28.0, 6
MOST_STOCK, MOST_FACE, MOST_PATTERN = 124.0, 16.0, 24.0  # of the stock: its height, sides of hexes there
MOST_FACES = 3  # of a kind that are drawn
PANEL_KINDS = ("take", "tile", "space")  # shown where they lie, not listed
HIGHEST_SHOWN = 10  # income above it stands in the last cell
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")


class PanelDrawer(Panel):
    """Draws everything but the map into a box."""

    gap, decision_height, choices_down, legend_down = GAP, 96.0, 72.0, 84.0
    map_kinds = ("build", "grow", "urbanize", "from", "hop")
    scene: Scene

    def draw(self) -> None:
        """Draw all parts, from top to bottom."""
        y = self.draw_decision(self.y)
        y = self._draw_seats(y)
        y = self._draw_income(y)
        y = self._draw_tiles(y)
        y = self._draw_supply(y)
        self._draw_stock(y)

    # --- the decision ---------------------------------------------------------------------------------

    def tell_left(self) -> str:
        """The goods round, or placements of track."""
        decision = self.scene.decision
        if decision.goods_round:
            return f"goods round {decision.goods_round} of 2"
        return f"{say_count(decision.placements, 'placement')} left" if decision.placements else ""

    def is_listed(self, choice: Choice) -> bool:
        """Whether a legal action is shown neither on the map nor where the thing lies that it is about."""
        return super().is_listed(choice) and choice.kind not in PANEL_KINDS

    def draw_sign(self, kind: str, x: float, y: float) -> None:
        """A dashed hex where track may be laid, else a ring."""
        if kind == "build":
            self.canvas.draw(shapes.hexagon(x, y, 8), None, "accent", 1.4, more=dash(3))
        else:
            draw_ring(self.canvas, RINGS[kind], x, y, 6.5)

    # --- seats ----------------------------------------------------------------------------------------

    def _draw_seats(self, y: float) -> float:
        """The seats in the order of play."""
        self.canvas.open("seats")
        asked = {choice.seat for choice in self.scene.choices}
        for seat in self.scene.in_order:
            self.frame_seat(y, SEAT_HEIGHT, decides=seat.decides, asked=seat.seat in asked)
            self.mark_seat(seat.seat, y, SEAT_HEIGHT)
            self._draw_seat(seat, y)
            y += SEAT_HEIGHT + GAP - 2
        self.canvas.close()
        return y + 2

    def _draw_seat(self, seat: Seat, y: float) -> None:
        canvas, left, right = self.canvas, self.x + PAD, self.x + self.width - PAD
        draw_sample(canvas, seat.seat, left, y + 18)
        x = left + 66
        x += canvas.write(seat.name, x, y + 22, 15, weight=BOLD) + 8
        canvas.write(self._tell_state(seat), x, y + 22, 12, "muted", width=right - 74 - x)
        canvas.write(f"{seat.vp} VP", right, y + 22, 16, "good" if seat.wins else "ink", "end", weight=BOLD)
        if seat.bankrupt:
            canvas.write(f"bankrupt in turn {seat.bankrupt}", left, y + 43, 13)
            return
        x = left + canvas.write(f"${seat.money}", left, y + 43, 15, weight=BOLD) + 12
        x = max(x, left + 44)
        x += canvas.write(f"income {tell_signed(seat.income)}", x, y + 43, 13) + 12
        self._draw_engine(seat, x + 10, y + 38)
        x += 26
        x += canvas.write(f"reaches {seat.level}", x, y + 43, 13) + 12
        canvas.write(say_count(seat.links, "link"), x, y + 43, 13, width=right - 62 - x)
        canvas.write(f"score {tell_signed(seat.score).removeprefix('+')}", right, y + 43, 13, "muted", "end")

    def _draw_engine(self, seat: Seat, x: float, y: float) -> None:
        path = shapes.points_of(shapes.move(shapes.ENGINE, x, y, 19))
        self.canvas.draw(path, f"seat{seat.seat}", "outline", 1.3, more='stroke-linejoin="round"')

    def _tell_state(self, seat: Seat) -> str:
        words = []
        if seat.wins:
            words.append("winner")
        elif seat.place is not None and not seat.bankrupt:
            words.append(f"{ORDINALS[seat.place - 1]} in order")
        if seat.points:
            words.append(f"{say_count(seat.points, 'point')} to put down")
        return " · ".join(words)

    # --- income ---------------------------------------------------------------------------------------

    def _draw_income(self, y: float) -> float:
        """The income track with a disc for each seat, those on one cell one above the other."""
        canvas, scene = self.canvas, self.scene
        canvas.open("income")
        seats = [seat for seat in scene.seats if not seat.bankrupt]
        cells: dict[int, list[int]] = {}
        for seat in seats:
            cells.setdefault(min(seat.income, HIGHEST_SHOWN), []).append(seat.seat)
        most = max(map(len, cells.values()), default=1)
        step = INCOME_DISC * (0.92 if most < 4 else 0.62)
        height = 52.0 + step * (min(len(scene.seats), most) - 1)
        canvas.box(self.x, y, self.width, height, "panel", "line")
        numbers = range(MIN_INCOME, HIGHEST_SHOWN + 1)
        cell = (self.width - 2 * PAD) / len(numbers)
        top = y + height - 22
        for number in numbers:
            x = self.x + PAD + (number - MIN_INCOME) * cell
            canvas.box(x, top, cell, 16, "tint" if number < 0 else "paper", "line", 2, 0.8)
            canvas.write(str(number), x + cell / 2, top + 11.8, 10, "ink", "middle", width=cell - 1)
            for place, here in enumerate(cells.get(number, ())):
                draw_disc(canvas, here, x + cell / 2, top - INCOME_DISC / 2 - 1 - place * step, INCOME_DISC)
        limit = "no limit" if scene.income_max is None else f"at most {scene.income_max}"
        told = "income" if scene.income_max == HIGHEST_SHOWN else f"income, {limit}"
        canvas.write(told, self.x + PAD, y + 15, 12, "muted")
        canvas.close()
        return y + height + GAP

    # --- action tiles ---------------------------------------------------------------------------------

    def _draw_tiles(self, y: float) -> float:
        """The seven action tiles, and who has taken them."""
        self.canvas.open("tiles")
        holders = {seat.tile: seat for seat in self.scene.seats if seat.tile}
        offered: dict[int, list[str]] = {}
        for choice in self.scene.choices:
            if choice.action_tile is not None:
                offered.setdefault(choice.action_tile, []).append(choice.text)
        place = 0
        for row, count in enumerate(TILES_IN_ROWS):
            width = (self.width - (count - 1) * TILE_GAP) / count
            for column in range(count):
                place += 1
                box = (
                    self.x + column * (width + TILE_GAP),
                    y + row * (TILE_HEIGHT + TILE_GAP),
                    width,
                    TILE_HEIGHT,
                )
                self._draw_tile(place, holders.get(place), offered.get(place, []), box)
        self.canvas.close()
        return y + len(TILES_IN_ROWS) * (TILE_HEIGHT + TILE_GAP) - TILE_GAP + GAP

    def _draw_tile(self, number: int, holder: Seat | None, texts: list[str], box: Box) -> None:
        canvas = self.canvas
        x, y, width, height = box
        canvas.mark(name_spot("tile", number), shapes.rectangle(*box))
        canvas.box(x, y, width, height, "tint" if texts else "panel", "accent" if texts else "line", 5)
        for text in texts:
            frame_choice(canvas, box, text)
        canvas.write(str(number), x + 6, y + 20.5, 15, "accent" if texts else "ink", weight=BOLD)
        canvas.write(TILE_NAMES[number], x + 18, y + 20, 11.5, width=width - 24)
        if holder is None:
            canvas.write(COSTS.get(number, ""), x + width - 7, y + 20, 11, "muted", "end")
            return
        note = "passed" if holder.passed else "to do" if holder.to_do else ""
        canvas.write(note, x + width - 12, y + 26, 10.5, "muted", "end")
        draw_disc(canvas, holder.seat, x + width - 9, y + 5, 17)

    # --- the supply -----------------------------------------------------------------------------------

    def _draw_supply(self, y: float) -> float:
        canvas, supply = self.canvas, self.scene.supply
        canvas.open("supply")
        canvas.box(self.x, y, self.width, SUPPLY_HEIGHT, "panel", "line")
        offered = {choice.space: choice.text for choice in self.scene.choices if choice.space is not None}
        width = (self.width - 2 * PAD + 4) / SPACES_PER_ROW
        for space, cubes in enumerate(supply.spaces):
            row, column = divmod(space, SPACES_PER_ROW)
            box = (self.x + PAD + column * width, y + 8 + row * (SPACE_HEIGHT + 4), width - 4, SPACE_HEIGHT)
            self._draw_space(space, cubes, offered.get(space), box)
        base = y + SUPPLY_HEIGHT - 16
        x = self.x + PAD + canvas.write("New Cities", self.x + PAD, base + 4, 12, "muted") + 14
        for name, count in zip(COLOR_NAMES, supply.new_cities, strict=True):
            canvas.draw(shapes.hexagon(x, base, 11), name, "rim", 1)
            canvas.write(LOOKS[name].letter, x, base + 4, 11, LOOKS[name].ink, "middle", weight=BOLD)
            canvas.write(str(count), x + 14, base + 4.5, 13)
            x += 37
        canvas.write(f"growth markers {supply.markers}", self.x + self.width - PAD, base + 4, 12, "muted", "end")
        canvas.close()
        return y + SUPPLY_HEIGHT + GAP

    def _draw_space(self, space: int, cubes: str, text: str | None, box: Box) -> None:
        x, y, width, height = box
        self.canvas.mark(name_spot("space", space), shapes.rectangle(*box))
        self.canvas.box(x, y, width, height, "tint" if text else "paper", "accent" if text else "line", 5)
        if text:
            frame_choice(self.canvas, box, text)
        self.canvas.write(str(space + 1), x + 4, y + 12, 10, "muted")
        step = (width - 16) / 3
        for place, letter in enumerate(cubes):
            draw_token(self.canvas, LOOK_OF[letter], x + 18 + (place % 3 + 0.3) * step, y + height / 2, 6.4)

    # --- track tiles ----------------------------------------------------------------------------------

    def _draw_stock(self, y: float) -> None:
        """The tiles that may be laid where that is decided, else how many of each kind are left."""
        canvas = self.canvas
        canvas.open("stock")
        bottom = self.y + self.height
        height = min(MOST_STOCK, bottom - y)
        canvas.box(self.x, y, self.width, height, "panel", "line")
        patterns = [choice for choice in self.scene.choices if choice.pattern]
        if patterns:
            self._draw_patterns(patterns, y, height)
        else:
            self._draw_kinds(y, height)
        canvas.close()

    def _draw_patterns(self, patterns: list[SteamChoice], y: float, height: float) -> None:
        room = self.width - 2 * PAD
        rows, side, per_row = 0, 0.0, 0
        while len(patterns) > rows * per_row:
            rows += 1
            side = min(MOST_PATTERN, (height - 26) / (1.85 * rows))
            per_row = int(room / (1.9 * side))
        for place, choice in enumerate(patterns):
            row, column = divmod(place, per_row)
            x, middle = self.x + PAD + (0.95 + 1.9 * column) * side, y + 6 + (0.9 + 1.85 * row) * side
            draw_face(self.canvas, choice.pattern, x, middle, 0.92 * side, self.scene.decision.seat)
            outline = shapes.hexagon(x, middle, 0.92 * side)
            self.canvas.mark(name_spot("pattern", choice.action), outline)
            self.canvas.draw(outline, None, "accent", 1.4, choice.text)
        where = self.scene.decision.hex
        if where is not None:
            told = f"tiles that may lie on {self.scene.hexes[where].name}"
            self.canvas.write(told, self.x + PAD, y + height - 9, 12, "muted")

    def _draw_kinds(self, y: float, height: float) -> None:
        kinds = self.scene.supply.stock
        step = (self.width - 2 * PAD) / max(len(kinds), 1)
        side = min(MOST_FACE, step / 2.2, (height - 24) / (MOST_FACES * 1.85))
        for place, kind in enumerate(kinds):
            x = self.x + PAD + (place + 0.5) * step
            shown = kind.faces[:MOST_FACES]
            for number, face in enumerate(shown):
                draw_face(self.canvas, face, x, y + 5 + (1 + 1.85 * number) * side, side)
            self.canvas.write(tell_count(kind), x, y + height - 7, 12, "ink", "middle", weight=BOLD, width=step)


def tell_signed(number: int) -> str:
    """A number with its sign."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def tell_count(kind: Stock) -> str:
    """How many tiles of a kind are left."""
    return "∞" if kind.count is None else str(kind.count)


def frame_choice(canvas: Canvas, box: Box, text: str) -> None:
    """Draw a frame round something that may be chosen; the action's text is its title."""
    x, y, width, height = box
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    canvas.draw(shapes.points_of(corners), None, "accent", 1.6, text, more='stroke-linejoin="round"')


def split_pattern(pattern: str) -> list[tuple[int, int | None]]:
    """The segments of a pattern: two edges each, or an edge and None for a spur."""
    return [(first, None if second == CENTRE else second) for first, second in PATTERNS[parse_pattern(pattern)]]


def draw_face(canvas: Canvas, pattern: str, x: float, y: float, side: float, seat: int | None = None) -> None:
    """Draw a small track tile, its track in a seat's colour."""
    canvas.draw(shapes.hexagon(x, y, side), "plains", "rim", 0.8)
    segments = split_pattern(pattern)
    for edges in segments:
        path = track_path(x, y, side, edges)
        if seat is None:
            canvas.draw(path, None, "parapet", 0.2 * side)
        else:
            draw_track(canvas, seat, path, side)
    if segments[0][1] is None:
        canvas.draw(shapes.shape("circle", x, y, 0.3 * side), "city", "rim", 0.08 * side)
