"""Rule 11 in games of every kind: what is hidden leaves no trace, what is visible always shows, redeals are even.

* Two games that differ only in what a seat never saw look the same to it from the first action to the last.
* Two positions that differ in one thing that the seat may see have different observations.
* Redeals are compared with all the worlds that rule 11.4 allows, listed one by one.

All seeds are fixed. Chance could have failed a right program with a probability below 1e-6 (see ``is_even``).
"""

import itertools
import math
import pickle
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.state import (
    BAG_SIZE,
    MAX_CONTRACTS,
    MAX_SEATS,
    PLACE_ABSENT,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
)
from steam_env.encoding import ENCODINGS
from steam_env.words.steam_power.events import Event, outcomes_of
from tests.test_hidden import position, solo_position
from tests.verification.invariants import ALL_RULES
from tests.verification.lockstep.scenarios import Players, Scenario, can_load, draw_scenario

# --- games that differ in hidden things alone ------------------------------------------------------------------

STEPS = 50
PARTS = 20
DEALT = ALL_RULES[::5]
SCENARIOS = 40


@dataclass(frozen=True)
class History:
    """A game from its start on: what was played, and what chance did."""

    start: Game
    actions: list[int]
    events: list[list[Event]]  # by action


def draw_start(number: int) -> Game:
    """A dealt game of some configuration, or a random scenario with a player to move."""
    if number < len(DEALT):
        return Game(DEALT[number], seed=number)
    for attempt in itertools.count():
        game = Game.from_scenario(draw_scenario(number + 1000 * attempt), seed=number)
        if not game.done and not game.events:  # no Automa has moved
            return game
    raise AssertionError


def play(number: int) -> History:
    start = draw_start(number)
    game, players = start.clone(), Players(random.Random(f"hidden {number}"))
    opening = len(game.events)
    events = []
    while not game.done and len(events) < STEPS:
        step = game.num_steps
        game.step(players.choose(game))
        events.append(game.events_since(step)[0 if step else opening :])
    return History(start, game.actions, events)


def player_of(game: Game, seat: int) -> int:
    return 0 if game.rules.mode == "solo" else seat


def contracts_seen(history: History, seat: int) -> set[int]:
    """The contracts whose whereabouts the seat ever knew, by rules 11.1 and 11.2."""
    game = history.start
    record, solo = game.record, game.rules.mode == "solo"
    seen = set(game.hand(seat))
    for contract, place in enumerate(record.place.tolist()):
        on_table = PLACE_FULFILLED <= place <= PLACE_DISCARDED or place == PLACE_ABSENT
        if on_table or int(record.known[contract]) >> seat & 1:
            seen.add(contract)
    open_kinds = ("fulfil", "reward", "reveal", "discard")
    for event in itertools.chain(game.events, *history.events):
        taking_part = solo or seat in (event.actor, event.values.get("from_seat"))
        if event.kind in open_kinds or (event.kind in ("draw", "take") and taking_part):
            seen.add(event.values["contract"])
    return seen


def relabel(history: History, seat: int) -> list[int]:
    """By contract: another one in its stead, of the same generation; those that the seat ever saw stay."""
    seen = contracts_seen(history, seat)
    classes = defaultdict(list)
    for contract, generation in enumerate(history.start.record.generation.tolist()):
        if contract not in seen:
            classes[generation].append(contract)
    other = list(range(MAX_CONTRACTS))
    for members in classes.values():
        for contract, stead in zip(members, members[1:] + members[:1], strict=True):
            other[contract] = stead
    return other


def draws_of_trains(history: History) -> int:
    """Trains drawn since the bag was last filled, as far as the history goes."""
    drawn = 0
    for event in itertools.chain(*history.events):
        drawn = 0 if event.kind == "bag" else drawn + (event.kind == "train")
    return drawn


def other_order(values: Sequence[int], kept: int) -> list[int]:
    """The first ``kept`` as they are, the others the other way round."""
    return [*values[:kept], *reversed(values[kept:])]


def other_stack(history: History, stacked: list[int], step: int) -> list[int]:
    """The order of a new deck as far as nobody has seen it: what is never drawn lies the other way round."""
    later = itertools.chain(*history.events[step:])
    drawn = sum(event.kind in ("draw", "reveal", "aside") for event in later)
    return other_order(stacked, min(drawn, len(stacked)))


def other_outcomes(history: History, step: int, other: list[int]) -> list[int]:
    """What chance does in the other game: the same to contracts in others' stead, hidden orders changed."""
    outcomes: list[int] = []
    refills = [index for index, events in enumerate(history.events) for event in events if event.kind == "bag"]
    for kind, group in itertools.groupby(history.events[step], lambda event: event.kind):
        values = outcomes_of(group)
        if kind == "bag" and step == refills[-1]:
            values = other_order(values, draws_of_trains(history))
        elif kind == "take":
            values = [other[contract] for contract in values]
        outcomes += values
    reshuffles = [index for index, events in enumerate(history.events) for event in events if event.kind == "stack"]
    stacks = [event.kind for event in history.events[step]].count("reshuffle")
    if reshuffles and step == reshuffles[-1] and stacks == 1:
        stacked = [event.values["contract"] for event in history.events[step] if event.kind == "stack"]
        at = outcomes.index(stacked[0])
        outcomes[at : at + len(stacked)] = other_stack(history, stacked, step)
    return outcomes


def other_start(history: History, seat: int, other: list[int], rng: random.Random) -> Game:
    """The start with contracts in others' stead, other knowledge of other seats, other orders, another seed."""
    game = history.start
    refilled = any(event.kind == "bag" for events in history.events for event in events)
    kept = BAG_SIZE if refilled else draws_of_trains(history)
    if game.events and game.events[0].kind == "deal":
        deal = dict(game.events[0].values)
        deal["hands"] = [sorted(other[contract] for contract in hand) for hand in deal["hands"]]
        deal["deck"] = [other[contract] for contract in deal["deck"]]
        if "trains" in deal:
            deal["trains"] = other_order(deal["trains"], 1 + kept)
        return Game(game.rules, seed=12345, deal=deal)
    scenario = game.to_scenario()
    seats = scenario["seats"]
    seats["hands"] = [sorted(other[contract] for contract in hand) for hand in seats["hands"]]
    if "known" in seats:
        unseen = [contract for contract, stead in enumerate(other) if stead != contract]
        for knower, known in enumerate(seats["known"]):
            if knower != seat:  # what others know is hidden
                seats["known"][knower] = [c for c in known if c not in unseen] + [
                    other[c] for c in known if c in unseen and rng.random() < 0.5
                ]
    scenario["deck"]["order"] = [other[contract] for contract in scenario["deck"]["order"]]
    if "solo" in scenario:
        scenario["solo"]["trains"] = other_order(scenario["solo"]["trains"], kept)
    scenario["random"] = {"state": "12" * 32}
    return Game.from_scenario(scenario, seed=0)


def observe(game: Game, seat: int) -> list[tuple[str, bytes]]:
    """What every encoding shows the seat of the position."""
    return [(name, pickle.dumps(game.observe(seat, name))) for name in ENCODINGS]


def look(game: Game, seat: int) -> dict[str, Any]:
    """All that the seat is shown of the position."""
    seen: dict[str, Any] = {
        "observations": observe(game, seat),
        "view": game.view(seat).records.tobytes(),
        "hand": game.hand(seat),
        "table": (game.money, game.trains, game.factories_left, game.deck_size, game.off_map, game.round, game.phase),
        "scores": (game.scores(), game.winners(), game.links(), game.done, game.truncated, game.actions_left),
        "fulfilled": [game.fulfilled(other) for other in range(game.seats)],
        "cities": [game.city(name) for name in game.setting.map.cities],
    }
    if game.seat != NONE and player_of(game, game.seat) == player_of(game, seat):
        seen["mask"] = game.mask.tobytes()
        seen["legal"] = game.legal_text()
    return seen


def explanations(game: Game) -> list[str | None]:
    return [game.explain(action) for action in range(NUM_ACTIONS)]


def shown(events: Sequence[Event], game: Game, seat: int) -> list[Event]:
    return [event.hide_from(seat, solo=game.rules.mode == "solo") for event in events]


@pytest.mark.parametrize("part", range(PARTS))
def test_hidden_things__leave_no_trace_in_what_a_seat_is_shown_in_a_whole_game(part: int) -> None:
    for number in range(part, len(DEALT) + SCENARIOS, PARTS):
        history = play(number)
        for seat in range(history.start.seats):
            compare_with_other_world(history, seat, random.Random(f"{number} {seat}"))


def compare_with_other_world(history: History, seat: int, rng: random.Random) -> None:
    """Play the same in a world that differs only in what the seat never sees, and look with its eyes at both."""
    other = relabel(history, seat)
    one, two = history.start.clone(), other_start(history, seat, other, rng)
    for step, action in enumerate(history.actions):
        if rng.random() < 0.25:
            assert look(one, seat) == look(two, seat), (seat, one)
            if one.seat == seat and rng.random() < 0.15:
                assert explanations(one) == explanations(two)
        told = len(one.events), len(two.events)
        one.step(action, outcomes_of(history.events[step]))
        two.step(action, other_outcomes(history, step, other))
        events = one.events[told[0] :], two.events[told[1] :]
        assert shown(events[0], one, seat) == shown(events[1], two, seat), (seat, step, one)
    assert look(one, seat) == look(two, seat)
    assert one.log_for(seat) == two.log_for(seat)
    assert one.record.rng.tobytes() != two.record.rng.tobytes()


def test_hidden_things__differ_in_those_games() -> None:
    """So that the test above looks at something."""
    changed: Counter[str] = Counter()
    for number in range(0, len(DEALT) + SCENARIOS, 7):
        history = play(number)
        for seat in range(history.start.seats):
            other = relabel(history, seat)
            two = other_start(history, seat, other, random.Random(0))
            places = zip(history.start.record.place.tolist(), two.record.place.tolist(), strict=True)
            moved = {place for place, now in places if place != now}
            changed["hand"] += any(PLACE_HAND <= place < PLACE_FULFILLED for place in moved)
            changed["deck"] += history.start.record.deck_order.tolist() != two.record.deck_order.tolist()
            changed["bag"] += history.start.record.bag.tolist() != two.record.bag.tolist()
            changed["aside"] += PLACE_ASIDE in moved
            kinds = Counter(event.kind for events in history.events for event in events)
            changed.update({kind: 1 for kind in ("draw", "take", "stack", "reveal", "bag") if kinds[kind]})
    assert min(changed[name] for name in ("hand", "deck", "bag", "draw", "take", "stack", "reveal")) > 3, changed


# --- positions that differ in one visible thing --------------------------------------------------------------------

Change = tuple[str, Scenario, Sequence[int] | None]  # what, the other scenario, who sees it (None: all seats)
VISIBLE_SCENARIOS = 36


def copy_of(scenario: Scenario) -> Scenario:
    """A copy of plain data."""
    if isinstance(scenario, dict):
        return {key: copy_of(value) for key, value in scenario.items()}
    return [copy_of(value) for value in scenario] if isinstance(scenario, list) else scenario


def changes_of(scenario: Scenario, seats: int) -> Iterator[Change]:
    """Scenarios that differ in one thing on the table (rule 11.1), or in what one seat has or knows (11.1, 11.2)."""
    rules = scenario["rules"]
    solo = rules.get("mode") == "solo"
    everyone = None

    def change(what: str, edit: Callable[[Scenario], object], who: Sequence[int] | None = everyone) -> Change:
        other = copy_of(scenario)
        edit(other)
        return what, other, who

    def put(table: Any, key: Any, value: Any) -> None:
        table[key] = value

    for purse, money in enumerate(scenario["seats"]["money"]):
        for more in (1, -1, 7, 100):
            yield change(f"money {more}", lambda s, p=purse, m=money + more: put(s["seats"]["money"], p, m))
    yield change("off_map", lambda s: put(s, "off_map", s["off_map"] + "P"))
    yield change("off_map", lambda s: put(s, "off_map", s["off_map"][1:]))
    for index, color in enumerate("WBOGP"):
        other = scenario["cities"][:index] + color + scenario["cities"][index + 1 :]
        yield change("color", lambda s, c=other: put(s, "cities", c))
    for index, factory in enumerate(scenario.get("factories", [])):
        for number in {0, 1, 2, 3, 4, 5} - {factory["resources"]}:
            yield change("resources", lambda s, i=index, n=number: put(s["factories"][i], "resources", n))
        for owner in set(range(seats)) - {factory["owner"]}:
            yield change("factory's owner", lambda s, i=index, o=owner: put(s["factories"][i], "owner", o))
        yield change("no factory", lambda s, i=index: s["factories"].pop(i))
    for index, link in enumerate(scenario.get("links", [])):
        for owner in set(range(seats)) - {link["owner"]}:
            yield change("link's owner", lambda s, i=index, o=owner: put(s["links"][i], "owner", o))
        yield change("no link", lambda s, i=index: s["links"].pop(i))
        if "open" in link:
            for edge in {"N", "NE", "SE", "S", "SW", "NW"} - {link["open"]}:
                yield change("open edge", lambda s, i=index, e=edge: put(s["links"][i], "open", e))
    turn = scenario["turn"]
    yield change("round", lambda s: put(s["turn"], "round", turn["round"] + 1))
    if not solo:
        players = seats - rules.get("automas", 0)
        for seat in set(range(players)) - {turn["seat"]}:
            yield change("seat", lambda s, n=seat: put(s["turn"], "seat", n))
        for seat in set(range(players)) - {turn["first_player"]}:
            yield change("first player", lambda s, n=seat: put(s["turn"], "first_player", n))
        yield change("actions left", lambda s: put(s["turn"], "actions_left", 3 - turn["actions_left"]))
    other = "any" if rules["routing"] == "cheapest" else "cheapest"
    yield change("routing", lambda s, r=other: put(s["rules"], "routing", r))
    yield change("max_rounds", lambda s: put(s["rules"], "max_rounds", rules["max_rounds"] + 1))
    if not solo:
        yield change("end", lambda s: put(s["rules"], "contracts_to_end", rules.get("contracts_to_end", 20) % 48 + 1))
    yield change("edition", lambda s: put(s["rules"], "edition", "preview" if rules["edition"] == "final" else "final"))
    if rules.get("automas"):
        for level in {"very_easy", "easy", "normal", "hard", "very_hard"} - {rules["automa_level"]}:
            yield change("level", lambda s, v=level: put(s["rules"], "automa_level", v))
        for number in range(rules["automas"]):
            for corner in set(range(4)) - {scenario["automa"]["marker"][number]}:
                yield change("marker", lambda s, n=number, c=corner: put(s["automa"]["marker"], n, c))
        corners = scenario["automa"]["corners"]
        for first, second in itertools.combinations(range(4), 2):
            swapped = list(corners)
            swapped[first], swapped[second] = corners[second], corners[first]
            yield change("corners", lambda s, c=swapped: put(s["automa"], "corners", c))
        yield change("no coins", lambda s: put(s["automa"], "coins", [[] for _ in range(rules["automas"])]))
    yield from _changes_of_contracts(scenario, seats, change)
    if solo and scenario["solo"]["trains"]:
        trains = scenario["solo"]["trains"]
        yield change("bag", lambda s: put(s["solo"], "trains", trains[1:]))
        yield change("bag", lambda s: put(s["solo"], "trains", [(trains[0] + 1) % 5, *trains[1:]]))


def _changes_of_contracts(scenario: Scenario, seats: int, change: Callable[..., Change]) -> Iterator[Change]:
    """Contracts elsewhere: on the table for all to see, in a hand for its owner alone."""
    order, done = scenario["deck"]["order"], scenario["seats"]["fulfilled"]
    hands = scenario["seats"]["hands"]
    generation = scenario["deck"].get("generation") or [0] * len(scenario["contracts"])
    solo = scenario["rules"].get("mode") == "solo"
    for pile, contracts in enumerate(done):
        for contract in contracts:
            for other in set(range(len(done))) - {pile}:

                def give(s: Scenario, c: int = contract, p: int = pile, o: int = other) -> None:
                    s["seats"]["fulfilled"][p].remove(c)
                    s["seats"]["fulfilled"][o] = sorted([*s["seats"]["fulfilled"][o], c])

                yield change("fulfilled by another", give)
            if "automa" in scenario:

                def discard(s: Scenario, c: int = contract, p: int = pile) -> None:
                    s["seats"]["fulfilled"][p].remove(c)
                    s["automa"]["discards"] = sorted([*s["automa"]["discards"], c])

                yield change("discarded", discard)

            def bury(s: Scenario, c: int = contract, p: int = pile) -> None:
                s["seats"]["fulfilled"][p].remove(c)
                s["deck"]["order"].append(c)

            yield change("back in the deck", bury)
    for contract in range(len(generation)):

        def age(s: Scenario, c: int = contract) -> None:
            s["deck"]["generation"] = [old + (number == c) for number, old in enumerate(generation)]

        yield change("generation", age)
    for seat, hand in enumerate(hands):
        if order:
            yield change("a draw", lambda s, h=seat: s["seats"]["hands"][h].append(s["deck"]["order"].pop(0)))
        for contract, other in itertools.product(hand, order[:4]):
            if generation[contract] == generation[other]:

                def swap(s: Scenario, c: int = contract, o: int = other, h: int = seat) -> None:
                    s["seats"]["hands"][h] = sorted(o if number == c else number for number in hands[h])
                    s["deck"]["order"] = [c if number == o else number for number in order]

                known = any(contract in of for of in scenario["seats"].get("known", []))
                if not known:
                    yield change("own hand", swap, range(5) if solo else [seat])
    if solo or "known" not in scenario["seats"]:
        return
    for knower, (holder, hand) in itertools.product(range(len(hands)), enumerate(hands)):
        for contract in hand if knower != holder and hands[knower] else ():

            def learn(s: Scenario, c: int = contract, k: int = knower) -> None:
                known = s["seats"]["known"][k]
                s["seats"]["known"][k] = [n for n in known if n != c] if c in known else [*known, c]

            yield change("known", learn, [knower])


def visible_changes(number: int) -> Iterator[tuple[str, Game, Game, Sequence[int] | None]]:
    scenario = draw_scenario(number, max_side=8)
    game = Game.from_scenario(scenario, seed=0)
    if game.done or game.events:
        return
    rng = random.Random(f"visible {number}")
    by_name: dict[str, list[Change]] = defaultdict(list)
    for changed in changes_of(scenario, game.seats):
        by_name[changed[0]].append(changed)
    for name, changes in by_name.items():
        for _, other, who in rng.sample(changes, min(2, len(changes))):
            if can_load(other):
                twin = Game.from_scenario(other, seed=0)
                if not twin.events and not twin.done and twin.records.tobytes() != game.records.tobytes():
                    yield name, game, twin, who


@pytest.mark.parametrize("part", range(6))
def test_visible_things__always_show_to_those_who_may_see_them(part: int) -> None:
    tried: Counter[str] = Counter()
    for number in range(part, VISIBLE_SCENARIOS, 6):
        for name, one, two, who in visible_changes(number):
            tried[name] += 1
            for seat in range(one.seats):
                views = [game.view(seat).records for game in (one, two)]
                sees = who is None or seat in who
                for (encoding, seen), (_, also) in zip(observe(one, seat), observe(two, seat), strict=True):
                    problem = f"{name}: seat {seat} {'does not see' if sees else 'sees'} it in {number} with {encoding}"
                    assert (seen != also) == sees, problem
                if sees:
                    assert views[0].tobytes() != views[1].tobytes(), name
    assert len(tried) > 15, tried


# --- redeals are even over all worlds of rule 11.4 --------------------------------------------------------------------

MOST_WORLDS = 1500
FEWEST_SAMPLES, MOST_SAMPLES = 4000, 40000
SAMPLES_OF_A_WORLD = 400
ROWS_AT_ONCE = 10000  # of 4 KiB each
FALSE_ALARM = 1e-9  # of one comparison; there are fewer than 200

Layout = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # place by contract, deck and bag, next draw last


def hidden_from(game: Game, seat: int) -> list[int]:
    """The contracts whose place the seat does not know: in other hands, in the deck, set aside (rules 11.1 to 11.3)."""
    record = game.record
    found = []
    for contract, place in enumerate(record.place.tolist()):
        in_other_hand = PLACE_HAND <= place < PLACE_HAND + MAX_SEATS and place != PLACE_HAND + player_of(game, seat)
        knows = int(record.known[contract]) >> seat & 1 or contract == record.contract
        if place in (PLACE_DECK, PLACE_ASIDE) or (in_other_hand and not knows):
            found.append(contract)
    return found


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
    for contract in hidden_from(game, seat):
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


def compare_with_worlds(game: Game, seat: int) -> None:
    """Redeals are worlds of the list, each about equally often, and so is each value at each place of the layout."""
    worlds = keys_of(list_worlds(game, seat))
    total = min(max(SAMPLES_OF_A_WORLD * len(worlds), FEWEST_SAMPLES), MOST_SAMPLES)
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


def emptied_deck() -> Game:
    return position(8, [[0], [1, 2, 3], [4, 5], [6, 7]], automas=0)


def after_takes() -> Game:
    """Seat 0 has taken two contracts from seat 1, who knows them; seats 2 and 3 do not."""
    game = position(9, [[0], [1, 2, 3, 4, 5], [6], [7, 8]], automas=0)
    game.step("contracts", [2, 4])
    return game


def after_takes_from_the_taker() -> Game:
    """Then seat 2 takes one of those of seat 0: seat 1 may not know any more which."""
    game = after_takes()
    for action in ("money", "money", "money", "contracts", "take_from player_0"):
        game.step(action)
    return game


def after_reshuffle() -> Game:
    """Seat 0 has drawn the deck's last and one of the former discards."""
    game = position(8, [[0], [1, 2], []], deck=[7], discards=[3, 4, 5, 6])
    game.step("contracts", outcomes=[4, 3, 5, 6])
    return game


def after_two_reshuffles() -> Game:
    """Contracts of three generations in hands, the deck empty."""
    return position(9, [[0, 4], [1, 5, 7], [2, 3, 6, 8], []], generation=[0, 0, 0, 0, 1, 1, 1, 2, 2])


def solo_with_contracts_aside() -> Game:
    return solo_position(6, hand=[0], deck=[1, 2, 3], trains=[2, 2, 4])


def solo_with_an_empty_deck() -> Game:
    return solo_position(5, hand=[0, 1], deck=[], trains=[2, 1, 4, 1])


WORLDS: dict[Callable[[], Game], list[int]] = {  # counted by hand from rules 11.2 and 11.4, for each player
    emptied_deck: [210, 30, 60, 60],
    after_takes: [60, 12, 560, 140],
    after_takes_from_the_taker: [90, 90, 90, 210],
    after_reshuffle: [6, 24],
    after_two_reshuffles: [12, 6, 4],
    solo_with_contracts_aside: [180],
    solo_with_an_empty_deck: [12],
}


@pytest.mark.parametrize("make", WORLDS, ids=lambda make: make.__name__)
def test_redeals__are_even_over_the_worlds_of_rule_11_4(make: Callable[[], Game]) -> None:
    game = make()
    assert [count_worlds(game, seat) for seat in range(game.rules.players)] == WORLDS[make]
    for seat in range(game.rules.players):
        compare_with_worlds(game, seat)


@cache
def small_positions() -> list[tuple[Game, int]]:
    """Positions on the way through random games, and seats for which there are several worlds but not too many."""
    found = []
    for number in range(200):
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


@pytest.mark.parametrize("part", range(4))
def test_redeals__are_even_over_the_worlds_of_random_positions(part: int) -> None:
    for game, seat in small_positions()[part::4]:
        compare_with_worlds(game, seat)


def test_small_positions__are_of_all_kinds() -> None:
    """So that the test above looks at something."""
    kinds: Counter[str] = Counter()
    for game, seat in small_positions():
        record = game.record
        kinds["empty deck"] += game.deck_size == 0
        kinds["deck"] += game.deck_size > 0
        kinds["known"] += bool((record.known >> seat & 1).any())
        kinds["generations"] += len(by_generation(game, seat)) > 1
        kinds["solo"] += game.rules.mode == "solo"
        kinds["aside"] += bool((record.place == PLACE_ASIDE).any())
        kinds["automas"] += game.rules.automas > 0
    assert len(small_positions()) >= 24
    assert min(kinds.values()) > 0, kinds
    assert len(kinds) == 7


def test_evenness__notices_shares_that_are_off() -> None:
    total, cells = 24000, 60
    shares = np.full(cells, 1 / cells)
    even = np.full(cells, total // cells)
    assert is_even(even, shares, total)
    assert is_even(np.random.default_rng(1).multinomial(total, shares), shares, total)
    for seen in (0, total // cells // 2, total // cells * 2):
        wrong = even.copy()
        wrong[7] = seen
        assert not is_even(wrong, shares, total)


def test_redeals__look_the_same_to_the_seat_in_every_configuration() -> None:
    for number in range(0, len(DEALT) + SCENARIOS, 2):
        history = play(number)
        game = history.start.clone()
        for step, action in enumerate(history.actions):
            game.step(action)
            if step % 12 == 0:
                for seat in range(game.seats):
                    redealt = game.redeal(seat, step)
                    assert look(redealt, seat) == look(game, seat), (seat, game)
