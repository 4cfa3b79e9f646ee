"""Rules 8.2 to 8.7: the placements of random games, found again by laying each tile and looking at what it joins."""

from typing import Any

import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import opposite
from steam_env.core.steam.tiles import CENTRE, PATTERNS, name_pattern
from steam_env.steam import Game
from steam_env.words.steam.actions import parse_pattern
from tests.rules_steam.games import play
from tests.rules_steam.players import KINDS, walk

EVERY = 5  # track decisions

Ends = tuple[int, int]  # of a segment: edges, or an edge and the centre
Track = dict[int, frozenset[Ends]]  # by hex


class Board:
    """A position in plain Python: where track lies, whose it is, and what lies beside it."""

    def __init__(self, game: Game) -> None:
        self.game, self.seat, self.state = game, game.seat, game.state()
        self.names, record = game.setting.hex_names, game.record
        self.board: Any = game.setting.boards[0]
        tiles = {self.names.index(name): parse_pattern(text) for name, text in self.state["tiles"].items()}
        self.track: Track = {here: frozenset(PATTERNS[pattern]) for here, pattern in tiles.items()}
        self.owner: dict[tuple[int, Ends], int] = {}
        for here, lying in self.track.items():
            for slot, ends in enumerate(sorted(lying)):
                self.owner[here, ends] = int(record.link_owner[record.segment_link[here, slot]])
        own = [link["path"] for link in self.state["links"] if link["owner"] == self.seat and "open" not in link]
        self.served = {stop for path in own for stop in (path[0], path[-1])}

    def stop_at(self, here: int) -> int:
        return int(self.board.hex_stop[here])

    def is_city(self, stop: int) -> bool:
        return stop != NONE and self.game.setting.map.stops[stop] in self.state["cubes"]

    def beyond(self, here: int, edge: int) -> int:
        return int(self.board.beyond[here, edge])

    def join(self, track: Track, here: int, ends: Ends) -> tuple[set[tuple[int, Ends]], list[int], list[int]]:
        """The link that a segment is in: its segments, the stops at its ends, and the hexes that open ends point at."""
        members, stops, heads, waiting = {(here, ends)}, [], [], [(here, ends)]
        while waiting:
            at, both = waiting.pop()
            for end in both:
                if end == CENTRE:
                    stops.append(self.stop_at(at))
                    continue
                other = self.beyond(at, end)
                if self.is_city(self.stop_at(other)):
                    stops.append(self.stop_at(other))
                    continue
                joined = [(other, one) for one in track.get(other, ()) if opposite(end) in one]
                heads += [] if joined else [other]
                waiting += [one for one in joined if one not in members]
                members |= set(joined)
        return members, stops, heads

    def allows(self, here: int, pattern: int) -> bool:
        """Whether the mover may make the placement."""
        lying, laid = self.track.get(here, frozenset()), frozenset(PATTERNS[pattern])
        is_town = self.stop_at(here) != NONE
        if self.is_city(self.stop_at(here)) or is_town != (CENTRE in PATTERNS[pattern][0]) or lying == laid:
            return False
        fresh, moved = laid - lying, lying - laid
        if moved and not self.may_turn(here, moved, fresh, laid, is_town):
            return False
        return self.connects(here, laid, fresh, moved, is_town) and self.can_get(here, lying, laid, is_town, pattern)

    def may_turn(
        self, here: int, moved: frozenset[Ends], fresh: frozenset[Ends], laid: frozenset[Ends], is_town: bool
    ) -> bool:
        """Whether one last segment of an own or unowned link keeps its inner edge, and no other (rule 8.2)."""
        if is_town or len(moved) != 1 or len(fresh) != 1 or len(laid) != len(self.track[here]):
            return False
        (old,), (new,) = moved, fresh
        heads = [end for end in old if self.is_open(here, end)]
        if len(heads) != 1 or self.owner[here, old] not in (self.seat, -1):
            return False
        (inner,) = set(old) - set(heads)
        return inner in new and heads[0] not in new

    def is_open(self, here: int, edge: int) -> bool:
        other = self.beyond(here, edge)
        met = any(opposite(edge) in one for one in self.track.get(other, ()))
        return not met and not self.is_city(self.stop_at(other))

    def connects(
        self, here: int, laid: frozenset[Ends], fresh: frozenset[Ends], moved: frozenset[Ends], is_town: bool
    ) -> bool:
        """Rule 8.3 for every new segment."""
        if any(self.beyond(here, end) == NONE for ends in fresh for end in ends if end != CENTRE):
            return False
        after = {**self.track, here: laid}
        supported = []
        for ends in fresh:
            members, stops, heads = self.join(after, here, ends)
            before = {self.owner[one] for one in members if one in self.owner and one != (here, ends)}
            before |= {self.owner[here, one] for one in moved}
            if before - {self.seat, -1} or len(stops) + len(heads) != 2:
                return False
            if len(set(stops)) < len(stops) or any(self.board.stop_hex[stop] in heads for stop in stops):
                return False
            names = [self.game.setting.map.stops[stop] for stop in stops]
            own = self.seat in before or any(name in self.served or name in self.state["cubes"] for name in names)
            supported.append(own)
        return any(supported) if is_town else all(supported)

    def can_get(self, here: int, lying: frozenset[Ends], laid: frozenset[Ends], is_town: bool, pattern: int) -> bool:
        """Whether there is a tile, and money for it (rules 2.5, 7.4, 8.6)."""
        exits = sum(end != CENTRE for ends in laid for end in ends)
        cost = exits + is_town + (0 if lying else int(self.board.hills[here]) * 2 + int(self.board.river[here]))
        seat, state = self.seat, self.state
        budget = state["money"][seat] + 5 * (state["income"][seat] + 10 + state["vp"][seat] // 2)
        kind = int(self.board.kind[pattern])
        back = bool(lying) and self.board.kind[PATTERNS.index(tuple(sorted(lying)))] == kind
        left = 1 if self.game.rules.tiles == "unlimited" else list(state["stock"].values())[kind]
        return cost <= budget and left + back > 0


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_rule_8_3__placements_are_those_of_the_rules(number: int) -> None:
    seen = looked_at = 0
    for game in walk(number, share=0.3):
        looked_at += game.phase == "build"
        if game.phase != "build" or looked_at % EVERY or not game.state()["placements"]:
            continue
        board = Board(game)
        legal = game.legal_text()
        for here, name in enumerate(board.names):
            expected = [pattern for pattern in range(len(PATTERNS)) if board.allows(here, pattern)]
            assert (f"build {name}" in legal) == bool(expected), (game.num_steps, name)
            if expected:
                tiles = play(game.clone(), f"build {name}").legal_text()
                assert tiles == [f"tile {name_pattern(pattern)}" for pattern in expected], (game.num_steps, name)
                seen += len(tiles)
    assert seen > 500
