"""The game of ``tests/toy.py`` with all cards open, and what play is worth in it, found by looking at everything."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steam_env.core.rng import seed_stream
from tests import toy
from tests.toy import CARDS, DRAW, NONE


@dataclass(frozen=True)
class Rules(toy.Rules):
    game: ClassVar[str] = "tests.open_toy:SPEC"


def blank(records: Any, seats: Any) -> None:
    records["rng"] = 0


def fill(records: Any, seeds: Any) -> None:
    for game, seed in zip(records, seeds, strict=True):
        seed_stream(game["rng"][0], int(seed), 1)


SPEC = replace(
    toy.SPEC,
    game=Rules.game,
    facts=replace(toy.SPEC.facts, rules=Rules),
    kernels=replace(toy.SPEC.kernels, blank=blank, fill=fill),
    players=replace(toy.SPEC.players, playouts={"random": "steam_env.table.rollout:choose_randomly"}),
)


class Position(NamedTuple):
    """A position of the game, written down once more."""

    seat: int
    pile: int
    stones: tuple[int, ...]
    cards: tuple[int, ...]

    def list_actions(self) -> list[int]:
        return [*range(min(self.pile, 3)), *([DRAW] if self.cards[self.seat] == NONE else [])]

    def play(self, action: int) -> Iterator["Position"]:
        """All positions that an action may lead to, each as likely as another."""
        after = (self.seat + 1) % len(self.stones)
        if action == DRAW:
            for card in range(CARDS):
                yield self._replace(seat=after, cards=put(self.cards, self.seat, card))
        else:
            stones = put(self.stones, self.seat, self.stones[self.seat] + action + 1)
            yield self._replace(seat=after, pile=self.pile - action - 1, stones=stones)

    def write(self, rules: Rules) -> np.ndarray:
        """The record of the position."""
        records = toy.load(rules).blank.copy()
        records["seat"], records["pile"] = self.seat, self.pile
        records["stones"][0, : len(self.stones)], records["card"][0, : len(self.cards)] = self.stones, self.cards
        return records


def put(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


@cache
def find_worth(position: Position) -> tuple[float, ...]:
    """What a position is worth to each seat if all play best for themselves: of a win 0.5, of a point 0.02."""
    if position.pile == 0:
        return count_worth(position)
    return max((rate(position, action) for action in position.list_actions()), key=lambda worth: worth[position.seat])


def rate(position: Position, action: int) -> tuple[float, ...]:
    """The mean over what chance does."""
    worths = [find_worth(after) for after in position.play(action)]
    return tuple(sum(column) / len(worths) for column in zip(*worths, strict=True))


def count_worth(position: Position) -> tuple[float, ...]:
    points = [stones + max(card, 0) for stones, card in zip(position.stones, position.cards, strict=True)]
    best, seats = max(points), len(points)
    winners = points.count(best)
    worths = []
    for mine in points:
        won = 0.0 if winners == seats else 1 / winners if mine == best else -1 / (seats - winners)
        worths.append(0.5 * won + 0.02 * (mine - (sum(points) - mine) / (seats - 1)))
    return tuple(worths)
