"""All worlds that rule 11.4 allows for a position, listed one by one, and whether redeals are even over them."""

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import BAG_SIZE, MAX_CONTRACTS, PLACE_DECK
from tests.rules import boards
from tests.seen import is_unseen
from tests.verification.lockstep.scenarios import Players, draw_scenario

MOST_WORLDS = 1500
FEWEST_SAMPLES, MOST_SAMPLES = 3000, 20000
SAMPLES_OF_A_WORLD = 200
ROWS_AT_ONCE = 10000  # of 4 KiB each
FALSE_ALARM = 1e-9  # of one comparison; there are fewer than 200

Layout = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # place by contract, deck and bag, next draw last


def arrangements(values: Sequence[int]) -> list[tuple[int, ...]]:
    """All different orders of values, some of which may be equal."""
    if not values:
        return [()]
    orders = []
    for first in sorted(set(values)):
        rest = list(values)
        rest.remove(first)
        orders += [(first, *order) for order in arrangements(rest)]
    return orders


def by_generation(game: Game, seat: int) -> list[list[int]]:
    generation = game.record.generation
    classes = defaultdict(list)
    for contract in np.flatnonzero(is_unseen(game.records, seat)[0]).tolist():
        classes[int(generation[contract])].append(contract)
    return [classes[number] for number in sorted(classes)]


def count_orders(values: Sequence[int]) -> int:
    return math.factorial(len(values)) // math.prod(math.factorial(count) for count in Counter(values).values())


def count_worlds(game: Game, seat: int) -> int:
    record = game.record
    places = record.place.tolist()
    ways = math.prod(count_orders([places[c] for c in members]) for members in by_generation(game, seat))
    return ways * math.factorial(game.deck_size) * count_orders(record.bag[: record.bag_size].tolist())


def list_worlds(game: Game, seat: int) -> list[Layout]:
    """Every world that rule 11.4 allows: unknown contracts change places within their generation, orders are any."""
    record = game.record
    places = record.place.tolist()
    classes = by_generation(game, seat)
    bags = arrangements(record.bag[: record.bag_size].tolist())
    worlds = []
    for chosen in itertools.product(*(arrangements([places[c] for c in members]) for members in classes)):
        world = list(places)
        for members, now in zip(classes, chosen, strict=True):
            for contract, place in zip(members, now, strict=True):
                world[contract] = place
        deck = [contract for contract, place in enumerate(world) if place == PLACE_DECK]
        worlds += [(tuple(world), order, bag) for order in itertools.permutations(deck) for bag in bags]
    return worlds


def keys_of(worlds: Sequence[Layout]) -> np.ndarray:
    """(n, values) int8: the rows of records that have these layouts."""
    rows = np.full((len(worlds), 2 * MAX_CONTRACTS + BAG_SIZE), NONE, np.int8)
    for row, (place, deck, bag) in zip(rows, worlds, strict=True):
        row[:MAX_CONTRACTS] = place
        row[MAX_CONTRACTS : MAX_CONTRACTS + len(deck)] = deck
        row[2 * MAX_CONTRACTS : 2 * MAX_CONTRACTS + len(bag)] = bag
    return rows


def sample_keys(game: Game, seat: int, count: int) -> Iterator[np.ndarray]:
    view = game.view(seat)
    for seed, start in enumerate(range(0, count, ROWS_AT_ONCE)):
        records = view.sample(min(ROWS_AT_ONCE, count - start), seed=1000 + seed).records
        yield np.concatenate([records["place"], records["deck_order"], records["bag"]], axis=1)


def surprise(seen: int, total: int, share: float) -> float:
    """-log of a bound for the chance of seeing so many, or still more unlikely many, of an event of that share.

    Chernoff's bound for binomial numbers, which holds for every ``total``: exp(-total x relative entropy).
    """
    rate = seen / total
    terms = ((rate, share), (1 - rate, 1 - share))
    return total * sum(part * math.log(part / whole) for part, whole in terms if part > 0)


def is_even(counts: np.ndarray, shares: np.ndarray, total: int) -> bool:
    """Whether events of these shares were seen about as often as they should be.

    By Chernoff's bound on both sides of each event this is false for right shares with a probability of at
    most ``FALSE_ALARM``; an event of share 0 or 1 must never, or always, be seen.
    """
    if (counts[shares == 0] != 0).any() or (counts[shares == 1] != total).any():
        return False
    open_ones = (shares > 0) & (shares < 1)
    limit = math.log(2 * max(1, int(open_ones.sum())) / FALSE_ALARM)
    pairs = zip(counts[open_ones].tolist(), shares[open_ones].tolist(), strict=True)
    return all(surprise(seen, total, share) < limit for seen, share in pairs)


def compare_with_worlds(game: Game, seat: int, most: int = MOST_SAMPLES) -> None:
    """Redeals are worlds of the list, each about equally often, and so is each value at each place of the layout."""
    worlds = keys_of(list_worlds(game, seat))
    total = min(max(SAMPLES_OF_A_WORLD * len(worlds), FEWEST_SAMPLES), most)
    index = {row.tobytes(): number for number, row in enumerate(worlds)}
    assert len(index) == len(worlds) == count_worlds(game, seat)
    counts = np.zeros(len(worlds), np.int64)
    for rows in sample_keys(game, seat, total):
        found, often = np.unique(rows, axis=0, return_counts=True)
        for row, times in zip(found, often.tolist(), strict=True):
            assert row.tobytes() in index, f"a world that rule 11.4 does not allow seat {seat} of {game}"
            counts[index[row.tobytes()]] += times
    assert is_even(counts, np.full(len(worlds), 1 / len(worlds)), total), (game, seat)
    for value in np.unique(worlds):
        here = worlds == value
        assert is_even(counts @ here, here.mean(axis=0), total), (game, seat, value)


# --- positions to redeal ----------------------------------------------------------------------------------


def position(
    hands: Sequence[Sequence[int]],
    deck: Sequence[int] = (),
    generation: Sequence[int] = (),
    discards: Sequence[int] = (),
    trains: Sequence[int] | None = None,
    set_aside: int = 0,
) -> Game:
    """An empty last hand is an Automa's; with trains solo."""
    more: dict[str, Any] = {"rules": {"automas": int(not hands[-1])}}
    if discards:
        more["automa"] = {"discards": list(discards)}
    if trains is not None:
        more = {"rules": {"mode": "solo"}, "solo": {"trains": list(trains), "set_aside": set_aside}}
    return boards.position(
        boards.LADDER,
        seats=len(hands),
        hands=hands,
        contracts=sum(map(len, (*hands, deck, discards))) + set_aside,
        deck={"order": list(deck), **({"generation": list(generation)} if generation else {})},
        turn={"seat": 0},
        **more,
    )


def after_takes() -> Game:
    """Seat 0 has taken two contracts from seat 1, who knows them; seats 2 and 3 do not."""
    game = position([[0], [1, 2, 3, 4, 5], [6], [7, 8]])
    game.step("contracts", [2, 4])
    return game


def after_takes_from_the_taker() -> Game:
    """Then seat 2 takes one of those of seat 0: seat 1 may not know any more which."""
    game = after_takes()
    for action in ("money", "money", "money", "contracts", "take_from player_0"):
        game.step(action)
    return game


def after_takes_of_two_generations() -> Game:
    """Seat 0 has taken 3 (generation 1) and 1 (generation 0) from seat 1: they keep their generations."""
    game = position([[0], [1, 2, 3, 4], [5, 6], []], generation=[0, 0, 0, 1, 1, 0, 0])
    game.step("contracts", outcomes=[3, 1])
    assert game.record.generation[:7].tolist() == [0, 0, 0, 1, 1, 0, 0]
    return game


def after_reshuffle() -> Game:
    """Seat 0 has drawn 9, the deck's last, and then 6 of the former discards, which are of a new generation."""
    game = position([[0, 1], [2, 3], []], deck=[9], discards=[4, 5, 6, 7, 8])
    game.step("contracts", outcomes=[6, 4, 5, 7, 8])
    assert game.hand(0) == [0, 1, 6, 9]
    assert game.record.deck_order[: game.deck_size].tolist() == [8, 7, 5, 4]
    assert game.record.generation[:10].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 0]
    return game


def three_generations() -> Game:
    return position([[5], [0, 2, 4], [1, 3], []], deck=[6, 7], generation=[0, 0, 1, 1, 2, 3, 2, 2])


def solo_with_contracts_aside() -> Game:
    return position([[0]], deck=[1, 2, 3], trains=[2, 2, 4], set_aside=2)


def solo_with_an_empty_deck() -> Game:
    return position([[0, 1]], trains=[2, 1, 4, 1], set_aside=3)


WORLDS: dict[Callable[[], Game], list[int]] = {  # counted by hand from rules 11.2 and 11.4, for each player
    after_takes: [60, 12, 560, 140],
    after_takes_from_the_taker: [90, 90, 90, 210],
    after_takes_of_two_generations: [3, 3, 6],
    after_reshuffle: [24, 120],  # which of the former discards seat 0 drew, and the order of the others
    three_generations: [24, 2, 6],
    solo_with_contracts_aside: [180],
    solo_with_an_empty_deck: [12],
}


@cache
def small_positions() -> list[tuple[Game, int]]:
    """Positions on the way through random games, and seats for which there are several worlds but not too many."""
    found = []
    for number in range(120):
        game = Game.from_scenario(draw_scenario(number, max_side=6, mid_game=number % 2 == 0), seed=number)
        rng = random.Random(f"small {number}")
        players = Players(rng, tastes=["taker"] * 3 + ["usual"] * 2)
        for _ in range(rng.choice([0, 4, 10, 25])):
            if not game.done:
                game.step(players.choose(game))
        seat = rng.randrange(game.rules.players)
        if 2 <= count_worlds(game, seat) <= MOST_WORLDS:
            found.append((game, seat))
    return found
