"""The panel beside the map: the decision, the seats, hands as cards, and what lies beside the board."""

from __future__ import annotations

from collections.abc import Sequence

from steam_env.core.steam_power.state import COLOR_NAMES, NUM_RESOURCES
from steam_env.render import shapes
from steam_env.render.canvas import BOLD, Canvas
from steam_env.render.frame import Box
from steam_env.render.panel import PAD, Panel
from steam_env.render.pieces import draw_badge, draw_sample, draw_token
from steam_env.render.spots import name_spot
from steam_env.render.steam_power.draw_map import draw_choice_sign, draw_factory, draw_train
from steam_env.render.steam_power.scene import TILE_KINDS
from steam_env.render.steam_power.theme import LETTERS, LOOKS, ON_COLOR
from steam_env.render.steam_power.things import Card, Scene, Seat

GAP = 8.0
SEAT_HEIGHT, COMPANY_HEIGHT = 64.0, 34.0
SUPPLY_HEIGHT, BAG_HEIGHT, LINE = 98.0, 26.0, 17.0
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 64.0, 44.0, 4.0
CARD_SCALES = (1.05, 0.98, 0.92, 0.85, 0.78, 0.7, 0.62, 0.55, 0.48, 0.4)
HAND_LABEL = 26.0
BONUS_WORDS = {"track": "+track", "factory": "+factory", "contracts": "+cards", "none": ""}


class PanelDrawer(Panel):
    """Draws everything but the map into a box."""

    gap, decision_height, choices_down, legend_down = GAP, 98.0, 74.0, 87.0
    map_kinds = ("start", "head", "replace", "remove", "build", "source", "hop")
    scene: Scene

    def __init__(self, canvas: Canvas, scene: Scene, box: Box) -> None:
        super().__init__(canvas, scene, box)
        self.fulfillable = {choice.contract for choice in scene.choices if choice.contract is not None}
        self.asked_about = {choice.seat for choice in scene.choices if choice.seat is not None}

    def draw(self) -> None:
        """Draw all parts, from top to bottom."""
        bottom = self.y + self.height
        y = self.draw_decision(self.y)
        y = self._draw_seats(y)
        supply = self.scene.supply
        height = SUPPLY_HEIGHT + (LINE if supply.discards else 0) + (BAG_HEIGHT if supply.bag else 0)
        self._draw_hands(y, bottom - height - GAP)
        self._draw_supply(bottom - height, height)

    # --- the decision ---------------------------------------------------------------------------------

    def draw_aside(self, y: float) -> float:
        """The contract under way."""
        contract = self.scene.decision.contract
        if contract is None:
            return 0.0
        self._draw_card(contract, self.x + self.width - PAD - CARD_WIDTH, y + PAD, 1, self._count_handled())
        return CARD_WIDTH + GAP

    def _count_handled(self) -> int:
        """Resources of the contract under way that are there already."""
        decision = self.scene.decision
        if decision.contract is None or decision.in_bonus:
            return len(decision.contract.needs) if decision.contract else 0
        return max(decision.need, 0)

    def draw_sign(self, kind: str, x: float, y: float) -> None:
        """As on the map."""
        draw_choice_sign(self.canvas, kind, x, y, 15)

    # --- seats ----------------------------------------------------------------------------------------

    def _draw_seats(self, y: float) -> float:
        self.canvas.open("seats")
        if self.scene.solo is not None:
            self._draw_player(self.scene.solo, y)
            y += SEAT_HEIGHT + GAP
        for seat in self.scene.seats:
            if seat.kind == "company":
                self._draw_company(seat, y)
                y += COMPANY_HEIGHT + GAP / 2
            else:
                self._draw_player(seat, y)
                y += SEAT_HEIGHT + GAP
        self.canvas.close()
        return y + (GAP / 2 if self.scene.solo is not None else 0)

    def _frame(self, seat: Seat, y: float, height: float) -> None:
        is_seat = seat.kind != "solo"
        self.frame_seat(y, height, decides=is_seat and seat.decides, asked=is_seat and seat.seat in self.asked_about)
        if is_seat:
            self.mark_seat(seat.seat, y, height)

    def _draw_player(self, seat: Seat, y: float) -> None:
        canvas, left, right = self.canvas, self.x + PAD, self.x + self.width - PAD
        self._frame(seat, y, SEAT_HEIGHT)
        x = left
        if seat.kind != "solo":
            draw_sample(canvas, seat.seat, left, y + 18)
            x += 66
        x += canvas.write(seat.name, x, y + 22, 15, weight=BOLD) + 8
        canvas.write(self._tell_kind(seat), x, y + 22, 12, "muted", width=right - 70 - x)
        canvas.write(f"{seat.vp} VP", right, y + 22, 16, "good" if seat.wins else "ink", "end", weight=BOLD)
        x = left + canvas.write(f"${seat.money}", left, y + 42, 15, weight=BOLD) + 14
        if seat.trains is not None and seat.factories is not None:
            x = self._draw_reserve(seat.seat, seat.trains, seat.factories, max(x, left + 66), y + 42)
        canvas.write(f"{seat.hand_size} in hand", x + 4, y + 42, 12.5, "muted")
        self._draw_fulfilled(seat, right, y + 42)

    def _tell_kind(self, seat: Seat) -> str:
        words = []
        if seat.kind == "automa":
            words.append(f"Automa, {self.scene.automa_level}".replace("_", " "))
        if seat.seat == self.scene.viewer and seat.kind == "player":
            words.append("you")
        if seat.first:
            words.append("first player")
        if seat.wins:
            words.append("winner")
        return " · ".join(words)

    def _draw_reserve(self, seat: int, trains: int, factories: int, x: float, y: float) -> float:
        draw_train(self.canvas, seat, x + 9, y - 5, 19)
        x += 23 + self.canvas.write(str(trains), x + 23, y, 14)
        draw_factory(self.canvas, seat, x + 19, y - 4, 17)
        return x + 33 + self.canvas.write(str(factories), x + 33, y, 14) + 6

    def _draw_fulfilled(self, seat: Seat, right: float, y: float) -> None:
        """How many contracts are fulfilled, and which."""
        trigger = f" of {self.scene.end_trigger}" if self.scene.mode != "solo" else ""
        text = f"{len(seat.fulfilled)}{trigger} done"
        self.canvas.write(text, right, y, 13, "ink", "end", weight=BOLD)
        numbers = " ".join(str(card.number) for card in seat.fulfilled)
        if numbers:
            self.canvas.write(f"fulfilled {numbers}", self.x + PAD, y + 15, 11, "muted", width=self.width - 2 * PAD)

    def _draw_company(self, seat: Seat, y: float) -> None:
        self._frame(seat, y, COMPANY_HEIGHT)
        left = self.x + PAD
        draw_sample(self.canvas, seat.seat, left, y + COMPANY_HEIGHT / 2)
        self.canvas.write(seat.name, left + 66, y + 22, 14, weight=BOLD)
        if seat.trains is not None and seat.factories is not None:
            self._draw_reserve(seat.seat, seat.trains, seat.factories, left + 160, y + 22)

    # --- hands ----------------------------------------------------------------------------------------

    def _draw_hands(self, top: float, bottom: float) -> None:
        """The cards that the viewer knows, as large as they fit."""
        hands = [(seat, seat.hand) for seat in self.scene.owners if seat.hand]
        scale = next((scale for scale in CARD_SCALES if self._height_of(hands, scale) <= bottom - top), CARD_SCALES[-1])
        self.canvas.open("hands")
        y = top
        for seat, hand in hands:
            label = self._label_width()
            if label:
                draw_badge(self.canvas, seat.seat, self.x + 9, y + CARD_HEIGHT * scale / 2, 18)
            per_row = self._cards_per_row(scale)
            for place, card in enumerate(hand):
                x = self.x + label + (place % per_row) * (CARD_WIDTH + CARD_GAP) * scale
                card_y = y + (place // per_row) * (CARD_HEIGHT + CARD_GAP) * scale
                self._draw_card(card, x, card_y, scale)
                path = shapes.rectangle(x, card_y, CARD_WIDTH * scale, CARD_HEIGHT * scale)
                self.canvas.mark(name_spot("contract", card.number), path)
            y += self._height_of([(seat, hand)], scale)
        self.canvas.close()

    def _label_width(self) -> float:
        return 0.0 if self.scene.solo is not None else HAND_LABEL

    def _cards_per_row(self, scale: float) -> int:
        room = self.width - self._label_width() + CARD_GAP * scale
        return max(int(room // ((CARD_WIDTH + CARD_GAP) * scale)), 1)

    def _height_of(self, hands: Sequence[tuple[Seat, tuple[Card, ...]]], scale: float) -> float:
        per_row = self._cards_per_row(scale)
        rows = sum(-(-len(hand) // per_row) for _, hand in hands)
        return rows * (CARD_HEIGHT + CARD_GAP) * scale + len(hands) * CARD_GAP

    def _draw_card(self, card: Card, x: float, y: float, scale: float, handled: int = 0) -> None:
        """A contract: number and bonus, needs, reward; those of its resources that are there are ticked off."""
        canvas, k = self.canvas, scale
        lit = card.number in self.fulfillable
        canvas.box(
            x,
            y,
            CARD_WIDTH * k,
            CARD_HEIGHT * k,
            "tint" if lit else "panel",
            "accent" if lit else "muted",
            4 * k,
            1.5 if lit else 0.8,
        )
        left, right = x + 5 * k, x + (CARD_WIDTH - 5) * k
        room = right - left - 4 * k - canvas.write(f"#{card.number}", left, y + 11.5 * k, 9.5 * k, "muted")
        canvas.write(BONUS_WORDS[card.bonus], right, y + 11.5 * k, 9.5 * k, "good", "end", weight=BOLD, width=room)
        for place, color in enumerate(card.needs):
            token_x = x + (9.5 + 11.2 * place) * k
            draw_token(canvas, LOOKS[color], token_x, y + 21.5 * k, 4.6 * k)
            if place < handled:
                tick = [(token_x - 4 * k, y + 21 * k), (token_x - k, y + 25 * k), (token_x + 5 * k, y + 17 * k)]
                canvas.draw(shapes.polyline(tick), None, "accent", 1.8 * k)
        canvas.write(f"${card.money}", left, y + 39 * k, 11.5 * k, weight=BOLD)
        canvas.write(f"{card.vp} VP", right, y + 39 * k, 11.5 * k, "ink", "end", weight=BOLD)

    # --- the supply -----------------------------------------------------------------------------------

    def _draw_supply(self, y: float, height: float) -> None:
        canvas, supply, left = self.canvas, self.scene.supply, self.x + PAD
        canvas.open("supply")
        canvas.box(self.x, y, self.width, height, "panel", "line")
        step, column = 48.0, left + 92
        canvas.write("tiles off the map", left, y + 22, 12, "muted")
        for place, (color, count) in enumerate(zip(COLOR_NAMES, supply.off_map, strict=True)):
            x = column + 14 + place * step
            canvas.draw(shapes.hexagon(x, y + 18, 10), color, "rim", 1)
            canvas.write(LETTERS[color], x, y + 21.8, 10.5, ON_COLOR[color], "middle", weight=BOLD)
            canvas.write(str(count), x + 14, y + 22.5, 13)
        canvas.write("resources left", left, y + 48, 12, "muted")
        for place, (color, count) in enumerate(zip(COLOR_NAMES[:NUM_RESOURCES], supply.stock, strict=True)):
            x = column + 14 + place * step
            draw_token(canvas, LOOKS[color], x, y + 44, 8)
            canvas.write(str(count), x + 14, y + 48.5, 13)
        room = self.width - 2 * PAD
        canvas.write(self._tell_contracts(), left, y + 71, 12, width=room)
        tiles = " · ".join(f"{count} {kind}" for kind, count in zip(TILE_KINDS, supply.tiles, strict=True))
        canvas.write(f"track tiles: {tiles}", left, y + 88, 12, "muted", width=room)
        end = y + 88
        if supply.discards:
            end += LINE
            discards = " ".join(str(card.number) for card in supply.discards)
            canvas.write(f"discards: {discards}", left, end, 12, "muted", width=room)
        if supply.bag:
            self._draw_bag(left, end + 18)
        canvas.close()

    def _tell_contracts(self) -> str:
        """Where the contracts are that nobody has."""
        supply = self.scene.supply
        words = [f"{supply.deck} {'contract' if supply.deck == 1 else 'contracts'} in the deck"]
        if self.scene.mode == "solo":
            words.append(f"{supply.aside} set aside")
        if supply.discards:
            words.append(f"{len(supply.discards)} discarded")
        return " · ".join(words)

    def _draw_bag(self, x: float, y: float) -> None:
        self.canvas.write("in the bag", x, y + 4, 12, "muted")
        x += 84
        for company, count in enumerate(self.scene.supply.bag):
            for _ in range(count):
                draw_badge(self.canvas, company, x, y, 16)
                x += 22
