"""The scene: all that is to be seen of one position, as plain data, for one viewer or for all.

Every output (picture, text, window, replay) is drawn from a scene and from nothing else. A scene for one seat is made
from that seat's view (rule 11), so that what is hidden from it cannot get into any drawing. Nothing here knows of
pixels: places are board indices, columns and rows (rule 1.1), edges 0 to 5 from north, clockwise.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, NUM_EDGES, PAIRS
from steam_env.core.steam_power.actions import (
    BUILD,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    PAY_TO,
    REMOVE,
    REPLACE,
    SOURCE_FROM,
    START,
    TAKE,
    block_of,
)
from steam_env.core.steam_power.hidden import NO_SEAT, blank_games
from steam_env.core.steam_power.scoring import NUM_SCORE_PARTS, TOTAL, score_games
from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    COLOR_NAMES,
    CORNER_NAMES,
    FLIPPED_VP,
    MAX_SEATS,
    OVER,
    PHASE_NAMES,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PREVIEW,
    PURPLE,
    PURPLE_VP,
    SOLO,
    TERRAIN_NAMES,
)
from steam_env.data.hexes import hex_name
from steam_env.data.steam_power.decks import Contract
from steam_env.data.steam_power.setting import Setting
from steam_env.render.steam_power.things import (
    Card,
    Choice,
    CityTile,
    CoinPath,
    Corner,
    Decision,
    HexTile,
    LinkLine,
    Scene,
    Seat,
    Segment,
    Supply,
)
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.actions import texts_of
from steam_env.words.steam_power.links import Link, trace_links

TILE_KINDS = ("plain", "tight or straight crossing", "other crossing")  # rule 1.5


def make_scene(setting: Setting, records: np.ndarray, mask: np.ndarray | None = None, seat: int | None = None) -> Scene:
    """The scene of a position.

    Args:
        setting: rules, map and deck.
        records: (1,) ``GAME``; read only.
        mask: (372,) the mover's legal actions, to be shown; None shows none.
        seat: the observer; None sees all hands, -1 none. Nobody sees the order of the deck or of the bag.
    """
    if seat is not None:
        records = records.copy()
        blank_games(records, np.array([seat], np.int64))
    return _SceneMaker(setting, records, seat).make(mask)


class _SceneMaker:
    """Reads one record, already blanked for the viewer."""

    def __init__(self, setting: Setting, records: np.ndarray, viewer: int | None) -> None:
        self.setting, self.records, self.viewer = setting, records, viewer
        self.game, self.board = records[0], setting.boards[0]
        self.cities = setting.map.cities
        self.is_solo = bool(self.game.mode == SOLO)
        self.links = trace_links(self.game, self.board)
        self.cards = tuple(_card(number, contract) for number, contract in enumerate(setting.deck.contracts))

    def make(self, mask: np.ndarray | None) -> Scene:
        game, rules = self.game, self.setting.rules
        return Scene(
            title=self.setting.map.title,
            viewer=self.viewer,
            mode=rules.mode,
            edition=rules.edition,
            round=int(game.round_number),
            max_rounds=int(game.max_rounds),
            end_trigger=int(game.contracts_to_end),
            truncated=bool(game.truncated),
            automa_level=rules.automa_level if rules.automas else None,
            hexes=tuple(
                HexTile(hex_name(col, row), col, row, TERRAIN_NAMES[terrain])
                for col, row, terrain in self.setting.map.hexes
            ),
            cities=tuple(self._city(city) for city in range(len(self.cities))),
            segments=tuple(self._list_segments()),
            links=tuple(self._line(number, link) for number, link in enumerate(self.links)),
            coins=tuple(self._list_coins()),
            corners=tuple(self._list_corners()),
            seats=tuple(self._list_seats()),
            solo=self._solo_player() if self.is_solo else None,
            supply=self._supply(),
            decision=self._decision(),
            choices=tuple(self._list_choices(mask)),
        )

    # --- the map ------------------------------------------------------------------------------------

    def _city(self, city: int) -> CityTile:
        game = self.game
        owner, color, resources = int(game.owner[city]), int(game.color[city]), int(game.resources[city])
        return CityTile(
            name=self.cities[city],
            hex=int(self.board.city_hex[city]),
            color=COLOR_NAMES[color],
            group=int(self.board.group[city]),
            owner=None if owner == NONE else owner,
            resources=resources,
            flipped=owner != NONE and resources == 0,
            vp=self._worth(color),
        )

    def _worth(self, color: int) -> int:
        """The points of a City tile of the colour (rule 3.3; rule 9.4 in solo, rule 10 in the preview edition)."""
        if color == PURPLE and self.is_solo:
            return 1
        base = PURPLE_VP if color == PURPLE else FLIPPED_VP
        return base + (0 if self.game.edition == PREVIEW else int(self.game.off_map[color]))

    def _list_segments(self) -> Iterator[Segment]:
        """Track hex by hex; of two that cross, the one begun later lies above."""
        for here in range(len(self.setting.map.hexes)):
            laid = [
                (int(link), int(pair))
                for pair, link in zip(self.game.track[here], self.game.track_link[here], strict=True)
                if pair != NONE
            ]
            for place, (link, pair) in enumerate(sorted(laid)):
                owner = self.links[link].owner
                yield Segment(here, PAIRS[pair], owner, link, len(laid) > 1, place > 0)

    def _line(self, number: int, link: Link) -> LinkLine:
        complete = link.end != NONE
        return LinkLine(
            owner=link.owner,
            start=link.start,
            start_edge=int(self.game.link_edge[number]),
            hexes=link.hexes,
            end=link.end if complete else None,
            end_edge=self._edge_towards(int(self.board.city_hex[link.end]), link.hexes[-1]) if complete else None,
            open_edge=None if complete else link.open_edge,
        )

    def _edge_towards(self, city_hex: int, last_hex: int) -> int:
        """The edge of the last city by which the link comes in."""
        return next(edge for edge in range(NUM_EDGES) if int(self.board.neighbour[city_hex, edge]) == last_hex)

    def _list_coins(self) -> Iterator[CoinPath]:
        first = int(self.game.num_seats) - int(self.game.num_automas)
        for number in range(int(self.game.num_automas)):
            size = int(self.game.num_coins[number])
            if size:
                yield CoinPath(first + number, tuple(self.game.coins[number, :size].tolist()))

    def _list_corners(self) -> Iterator[Corner]:
        first = int(self.game.num_seats) - int(self.game.num_automas)
        markers = self.game.marker[: self.game.num_automas].tolist()
        for corner, color in enumerate(self.game.corners.tolist()):
            if color != NONE:
                here = tuple(first + number for number, place in enumerate(markers) if place == corner)
                yield Corner(CORNER_NAMES[corner], COLOR_NAMES[color], here)

    # --- seats --------------------------------------------------------------------------------------

    def _cards_at(self, place: int) -> tuple[Card, ...]:
        return tuple(self.cards[number] for number in np.flatnonzero(self.game.place == place).tolist())

    def _list_seats(self) -> Iterator[Seat]:
        game, rules = self.game, self.setting.rules
        points, winners = self._count()
        for seat in range(int(game.num_seats)):
            decides = bool(seat == game.seat)
            if self.is_solo:
                trains, factories = int(game.trains[seat]), int(game.factories[seat])
                name = name_seat(seat)
                yield Seat(seat, name, "company", None, trains, factories, None, (), (), None, decides, False, False)
                continue
            kind = "player" if seat < rules.players else "automa"
            yield Seat(
                seat=seat,
                name=name_seat(seat),
                kind=kind,
                money=int(game.money[seat]),
                trains=int(game.trains[seat]),
                factories=int(game.factories[seat]),
                hand_size=int(game.hand_size[seat]),
                hand=self._cards_at(PLACE_HAND + seat),
                fulfilled=self._cards_at(PLACE_FULFILLED + seat),
                vp=int(points[seat]),
                decides=decides,
                first=bool(seat == game.first_player),
                wins=bool(game.phase == OVER and winners[seat]),
            )

    def _solo_player(self) -> Seat:
        """The one purse and the one hand (rule 9.1)."""
        game = self.game
        points, _ = self._count()
        return Seat(
            seat=0,
            name="the player",
            kind="solo",
            money=int(game.money[0]),
            trains=None,
            factories=None,
            hand_size=int(game.hand_size[0]),
            hand=self._cards_at(PLACE_HAND),
            fulfilled=self._cards_at(PLACE_FULFILLED),
            vp=int(points[0]),
            decides=bool(game.phase != OVER),
            first=False,
            wins=False,
        )

    def _count(self) -> tuple[np.ndarray, np.ndarray]:
        """Victory points by seat as the position stands, and who would win."""
        scores = np.zeros((1, MAX_SEATS, NUM_SCORE_PARTS), np.int64)
        winners = np.zeros((1, MAX_SEATS), np.bool_)
        score_games(self.records, self.setting.boards, self.setting.decks, scores, winners)
        return scores[0, :, TOTAL], winners[0]

    def _supply(self) -> Supply:
        game = self.game
        discards = self._cards_at(PLACE_DISCARDED)
        held = int(game.hand_size.sum()) + int(game.num_fulfilled.sum()) + len(discards) + int(game.deck_size)
        trains = game.bag[: game.bag_size]
        return Supply(
            deck=int(game.deck_size),
            aside=len(self.cards) - held if self.is_solo else 0,
            discards=discards,
            off_map=tuple(game.off_map.tolist()),
            stock=tuple(game.stock.tolist()),
            tiles=tuple(game.tiles.tolist()),
            bag=tuple(int((trains == company).sum()) for company in range(game.num_seats)) if self.is_solo else (),
        )

    # --- the decision -------------------------------------------------------------------------------

    def _decision(self) -> Decision:
        game = self.game
        over = bool(game.phase == OVER)
        return Decision(
            seat=None if over else int(game.seat),
            phase=PHASE_NAMES[game.phase],
            text=self._tell_decision(),
            actions_left=int(game.actions_left),
            placements_left=int(game.placements_left),
            takes_left=int(game.takes_left),
            contract=None if game.contract == NONE else self.cards[game.contract],
            need=int(game.need),
            in_bonus=bool(game.in_bonus),
            start=None if game.start_city == NONE else (int(game.start_city), int(game.start_edge)),
            cargo=None if game.cargo_group == NONE else int(self.board.city_hex[game.cargo_group]),
            visited=tuple(group for group in range(len(self.cities)) if int(game.visited) >> group & 1),
            target=None if game.hop_group == NONE else int(game.hop_group),
            building=None if game.build_city == NONE else int(game.build_city),
        )

    def _tell_decision(self) -> str:
        return str(getattr(self, f"_tell_{PHASE_NAMES[self.game.phase]}")())

    def _tell_action(self) -> str:
        left = int(self.game.actions_left)
        return "1 action left" if left == 1 else f"{left} actions left"

    def _tell_head(self) -> str:
        where = f"{self.cities[self.game.start_city]} {EDGE_NAMES[self.game.start_edge]}"
        return f"where the new link from {where} leads"

    def _tell_track(self) -> str:
        return "a second placement of track, or done"

    def _tell_source(self) -> str:
        return f"where {self._cargo()} comes from"

    def _tell_hop(self) -> str:
        return f"where {self._cargo()} goes from {self.cities[self.game.cargo_group]}"

    def _tell_pay(self) -> str:
        return f"whose link to {self.cities[self.game.hop_group]}, {self._cargo()}"

    def _cargo(self) -> str:
        """The resource under way: "gray (2 of 3, contract 17)"."""
        needs, need = self.cards[self.game.contract].needs, int(self.game.need)
        return f"{needs[need]} ({need + 1} of {len(needs)}, contract {self.game.contract})"

    def _tell_bonus(self) -> str:
        card = self.cards[self.game.contract]
        return f"the bonus of contract {card.number}: {card.bonus}"

    def _tell_amount(self) -> str:
        return f"how many resources the factory in {self.cities[self.game.build_city]} brings"

    def _tell_take_from(self) -> str:
        left = int(self.game.takes_left)
        return f"whose hand to take a contract from ({left} to take)"

    def _tell_over(self) -> str:
        limit = " by the round limit" if self.game.truncated else ""
        if self.is_solo:
            return f"the game is over{limit}"
        _, winners = self._count()
        names = " and ".join(name_seat(seat) for seat in np.flatnonzero(winners).tolist())
        return f"the game is over{limit}: {names} {'win' if ' and ' in names else 'wins'}"

    # --- choices ------------------------------------------------------------------------------------

    def _list_choices(self, mask: np.ndarray | None) -> Iterator[Choice]:
        """The legal actions, if the viewer may know them: `fulfil` tells what is in a hand."""
        game = self.game
        sees_all = self.viewer is None or (self.is_solo and self.viewer != NO_SEAT)
        if mask is None or game.phase == OVER or not (sees_all or self.viewer == game.seat):
            return
        texts = texts_of(game, self.setting)
        for action in np.flatnonzero(mask).tolist():
            block = block_of(action)
            where = self._place_choice(block.start, action - block.start)
            yield Choice(action, texts.text(action), block.name, **where)

    def _place_choice(self, start: int, offset: int) -> dict[str, int]:
        """Where on the map, or beside it, an action is to be shown."""
        game, board = self.game, self.board
        seat = int(game.seat)
        if start == START:
            return {"hex": int(board.city_hex[offset // NUM_EDGES]), "edge": offset % NUM_EDGES}
        if start == HEAD_TO:
            return {"hex": self._next_hex(seat), "edge": offset}
        if start == REPLACE:
            return {"hex": int(game.tail_hex[seat]), "edge": offset}
        if start == REMOVE:
            return {"hex": int(game.tail_hex[seat])}
        if start in (BUILD, SOURCE_FROM, HOP_TO):
            return {"hex": int(board.city_hex[offset])}
        if start == FULFIL:
            return {"contract": offset}
        if start in (PAY_TO, TAKE):
            return {"seat": (seat + offset + 1) % int(game.num_seats)}
        return {}

    def _next_hex(self, seat: int) -> int:
        """Where the next tile goes: beside the city that a link starts from, or beyond the tail."""
        game, board = self.game, self.board
        if game.start_city != NONE:
            return int(board.neighbour[board.city_hex[game.start_city], game.start_edge])
        return int(board.neighbour[game.tail_hex[seat], game.tail_exit[seat]])


def _card(number: int, contract: Contract) -> Card:
    needs = tuple(COLOR_NAMES[COLOR_LETTERS.index(letter)] for letter in contract.needs)
    return Card(number, needs, contract.money, contract.vp, contract.bonus, contract.automa)
