"""The scene: all that is to be seen of one position, as plain data; every output is drawn from one and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.actions import (
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    HOP_TO,
    LAY,
    OVER_LINK,
    PASSED_TILES,
    SPACE_OF,
    TAKE_PASS,
    TAKE_TILE,
    UNOWNED_OFFSET,
    URBANIZE,
    block_of,
)
from steam_env.core.steam.growth import has_marker
from steam_env.core.steam.links import count_complete
from steam_env.core.steam.scoring import NUM_SCORE_PARTS, TOTAL, score_games
from steam_env.core.steam.state import (
    BID,
    COLOR_NAMES,
    COLOUR,
    CUBE,
    END,
    HOP,
    MAX_SEATS,
    NO_INCOME_LIMIT,
    OVER,
    PHASE_NAMES,
    SCORE,
    SPACE,
    TILE,
    TILE_NAMES,
)
from steam_env.core.steam.tiles import CENTRE, PATTERNS, name_pattern
from steam_env.data.hexes import hex_name
from steam_env.data.steam.maps import CITY, HILL_TOWN, HILLS, WATER
from steam_env.data.steam.setting import Setting
from steam_env.data.steam.tiles import parse_face
from steam_env.render.steam.things import (
    NOBODY,
    Choice,
    Decision,
    HexTile,
    LinkLine,
    Scene,
    Seat,
    Segment,
    Stock,
    Stop,
    Supply,
)
from steam_env.words.seats import name_seat
from steam_env.words.steam.actions import texts_of
from steam_env.words.steam.deal import write_letters
from steam_env.words.steam.links import trace_links
from steam_env.words.steam.reasons import PHASE_TEXTS

TERRAINS = {CITY: "city", HILLS: "hills", HILL_TOWN: "hills", WATER: "water"}  # what is missing is plains
ROUTE_PHASES = (CUBE, HOP, OVER)
GROWING_PHASES = (COLOUR, SPACE)


def make_scene(setting: Setting, records: np.ndarray, mask: np.ndarray | None = None, seat: int | None = None) -> Scene:
    """The scene of a position.

    Args:
        setting: rules and map.
        records: (1,) ``GAME``; read only.
        mask: (660,) the mover's legal actions, to be shown; None shows none.
        seat: the observer: every seat sees the same, and the mover's choices only if it is the mover.
    """
    return _SceneMaker(setting, records, seat).make(mask)


class _SceneMaker:
    """Reads one record."""

    def __init__(self, setting: Setting, records: np.ndarray, viewer: int | None) -> None:
        self.setting, self.records, self.viewer = setting, records, viewer
        self.game, self.board = records[0], setting.boards[0]
        cells = setting.map.cells
        self.cell_of = [index for index, (_, _, sign) in enumerate(cells) if sign != WATER]  # by hex of the rules
        self.scores, self.winners = _count(records, setting)

    def make(self, mask: np.ndarray | None) -> Scene:
        game, chosen = self.game, self.setting.map
        places = {(col, row): index for index, (col, row, _) in enumerate(chosen.cells)}
        return Scene(
            title=chosen.title,
            round=int(game.round_number),
            last_round=int(game.num_turns),
            decision=self._decision(),
            hexes=tuple(self._list_hexes()),
            walls=tuple((places[cell], edge) for cell, edge in chosen.walls),
            stops=tuple(self._stop(stop) for stop in range(len(chosen.stops))),
            segments=tuple(self._list_segments()),
            links=tuple(self._list_links()),
            seats=tuple(self._seat(seat) for seat in range(self.setting.num_seats)),
            income_max=None if game.income_max >= NO_INCOME_LIMIT else int(game.income_max),
            supply=self._supply(),
            choices=tuple(self._list_choices(mask)),
        )

    # --- the map ------------------------------------------------------------------------------------

    def _list_hexes(self) -> Iterator[HexTile]:
        numbers = {cell: number for number, cell in enumerate(self.cell_of)}
        rivers = set(self.setting.map.rivers)
        for index, (col, row, sign) in enumerate(self.setting.map.cells):
            number = numbers.get(index)
            pattern = NONE if number is None else int(self.game.pattern[number])
            tile = "" if pattern == NONE else name_pattern(pattern)
            terrain = TERRAINS.get(sign, "plains")
            yield HexTile(hex_name(col, row), col, row, terrain, (col, row) in rivers, number, tile)

    def _stop(self, stop: int) -> Stop:
        color = int(self.game.city_color[stop])
        return Stop(
            name=self.setting.map.stops[stop],
            hex=self.cell_of[self.board.stop_hex[stop]],
            color="" if color == NONE else COLOR_NAMES[color],
            cubes=write_letters(self.game.cubes[stop]),
            marker=bool(has_marker(self.game, self.board, stop)),
            new=color != NONE and self.board.stop_color[stop] == NONE,
        )

    def _list_segments(self) -> Iterator[Segment]:
        for here in np.flatnonzero(self.game.pattern != NONE).tolist():
            parts = PATTERNS[self.game.pattern[here]]
            for slot, (first, second) in enumerate(parts):
                link = int(self.game.segment_link[here, slot])
                edges = (first, None if second == CENTRE else second)
                crosses = slot > 0 and second != CENTRE and _cross(parts[0], parts[slot])
                yield Segment(self.cell_of[here], edges, int(self.game.link_owner[link]), link, crosses)

    def _list_links(self) -> Iterator[LinkLine]:
        for link in trace_links(self.game, self.board):
            yield LinkLine(
                owner=link.owner,
                start=link.start,
                end=None if link.end == NONE else link.end,
                hexes=tuple(self.cell_of[here] for here in link.hexes),
                open_edge=None if link.open_edge == NONE else link.open_edge,
                mark=link.mark,
            )

    # --- seats and supply ---------------------------------------------------------------------------

    def _seat(self, seat: int) -> Seat:
        game = self.game
        order = game.order[: self.setting.num_seats].tolist()
        return Seat(
            seat=seat,
            name=name_seat(seat),
            money=int(game.money[seat]),
            income=int(game.income[seat]),
            vp=int(game.vp[seat]),
            level=int(game.level[seat]),
            tile=int(game.tile[seat]),
            passed=bool(game.passed[seat]),
            to_do=bool(game.to_do[seat]),
            links=int(count_complete(game, seat)),
            score=self.scores[seat],
            place=None if game.phase == BID or seat not in order else order.index(seat) + 1,
            bankrupt=int(game.bankrupt[seat]),
            points=int(game.points[seat]) if game.phase == SCORE else 0,
            decides=seat == game.seat,
            wins=bool(game.phase == END and self.winners[seat]),
        )

    def _supply(self) -> Supply:
        game = self.game
        counts = [None if game.unlimited else int(count) for count in game.stock[: len(self.setting.tiles)]]
        faces = [tuple(name_pattern(parse_face(face)) for face in kind.faces) for kind in self.setting.tiles]
        return Supply(
            spaces=tuple(write_letters(group) for group in game.supply),
            new_cities=tuple(game.new_cities.tolist()),
            markers=int(game.markers),
            stock=tuple(Stock(*one) for one in zip(faces, counts, strict=True)),
        )

    # --- the decision -------------------------------------------------------------------------------

    def _decision(self) -> Decision:
        game = self.game
        phase = int(game.phase)
        hops = int(game.hops) if phase in ROUTE_PHASES else NONE
        return Decision(
            seat=None if game.seat == NONE else int(game.seat),
            phase=PHASE_NAMES[phase],
            text=self._tell_decision(phase),
            hex=self.cell_of[game.hex] if phase == TILE else None,
            stop=int(game.stop) if phase in GROWING_PHASES else None,
            route=tuple(game.route_stop[: hops + 1].tolist()),
            cube=COLOR_NAMES[game.color] if phase in (HOP, OVER) else None,
            placements=int(game.placements_left),
            goods_round=int(game.goods_round),
        )

    def _tell_decision(self, phase: int) -> str:
        game, stops = self.game, self.setting.map.stops
        if phase == END:
            names = " and ".join(name_seat(seat) for seat in np.flatnonzero(self.winners).tolist())
            return f"the game is over: {names} {'win' if ' and ' in names else 'wins'}"
        text = PHASE_TEXTS[phase]
        if phase == TILE:
            return f"{text}: {self.setting.hex_names[game.hex]}"
        if phase in GROWING_PHASES:
            return f"{text}: {stops[game.stop]}, {TILE_NAMES[game.tile[game.seat]]}"
        if phase in ROUTE_PHASES:
            cube = "" if phase == CUBE else f"{COLOR_NAMES[game.color]}, "
            return f"{text}: {cube}{stops[game.route_stop[game.hops]]}"
        if phase == SCORE:
            return f"{text}: {int(game.points[game.seat])}"
        return text

    def _list_choices(self, mask: np.ndarray | None) -> Iterator[Choice]:
        if mask is None or self.game.phase == END or self.viewer not in (None, int(self.game.seat)):
            return
        texts = texts_of(self.game, self.setting)
        for action in np.flatnonzero(mask).tolist():
            start = block_of(action).start
            text = texts.text(action)
            yield Choice(action, text, text.partition(" ")[0], **self._place_choice(start, action - start))

    def _place_choice(self, start: int, offset: int) -> dict[str, Any]:
        """What an action is about, by its block."""
        if start == TAKE_TILE:
            return {"action_tile": offset + 1}
        if start == TAKE_PASS:
            return {"action_tile": PASSED_TILES[offset]}
        if start == BUILD_ON:
            return {"hex": self.cell_of[offset]}
        if start == LAY:
            return {"hex": self.cell_of[self.game.hex], "pattern": name_pattern(offset)}
        if start in (GROW, URBANIZE, FROM, HOP_TO):
            return {"hex": self.cell_of[self.board.stop_hex[offset]], "stop": offset}
        if start == COLOUR_OF:
            return {"color": COLOR_NAMES[offset]}
        if start == SPACE_OF:
            return {"space": offset}
        if start == OVER_LINK:
            unowned = offset == UNOWNED_OFFSET
            return {"seat": NOBODY if unowned else (int(self.game.seat) + offset) % self.setting.num_seats}
        return {}


def _count(records: np.ndarray, setting: Setting) -> tuple[list[int], np.ndarray]:
    """Each seat's score as it stands, and who would win."""
    scores = np.zeros((1, MAX_SEATS, NUM_SCORE_PARTS), np.int64)
    winners = np.zeros((1, MAX_SEATS), np.bool_)
    score_games(records, setting.boards, scores, winners)
    return scores[0, :, TOTAL].tolist(), winners[0]


def _cross(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether two segments with four different edges cross each other."""
    return sum(first[0] < edge < first[1] for edge in second) == 1
