"""Games that differ only in what one seat never sees: to find out whether it is shown anything of that."""

import itertools
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steam_env import Game
from steam_env.core.steam_power.state import BAG_SIZE, MAX_CONTRACTS
from steam_env.spec import find_spec
from steam_env.words.events import Event, outcomes_of
from tests.seen import is_unseen
from tests.verification.invariants import ALL_RULES
from tests.verification.lockstep.scenarios import Players, draw_scenario

STEPS = 50
DEALT = ALL_RULES[::9]
NUM_HISTORIES = len(DEALT) + 18  # the others begin with a random scenario


@dataclass(frozen=True)
class History:
    """A game from its start on: what was played, and what chance did; ``NUM_HISTORIES`` are good to look at."""

    start: Game
    actions: list[int]
    events: list[list[Event]]  # by action

    @property
    def all_events(self) -> list[Event]:
        return list(itertools.chain(*self.events))


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


def takes_part(event: Event, seat: int, solo: bool) -> bool:
    return solo or seat in (event.actor, event.values.get("from_seat"))


def contracts_seen(history: History, seat: int) -> set[int]:
    """The contracts whose whereabouts the seat ever knew, by rules 11.1 and 11.2."""
    game = history.start
    seen = set(np.flatnonzero(~is_unseen(game.records, seat)[0]).tolist())
    open_kinds = ("fulfil", "reward", "reveal", "discard")
    for event in game.events + history.all_events:
        private = event.kind in ("draw", "take") and takes_part(event, seat, game.rules.mode == "solo")
        if event.kind in open_kinds or private:
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
    for event in history.all_events:
        drawn = 0 if event.kind == "bag" else drawn + (event.kind == "train")
    return drawn


def other_order(values: Sequence[int], kept: int) -> list[int]:
    """The first ``kept`` as they are, the others the other way round."""
    return [*values[:kept], *reversed(values[kept:])]


def other_outcomes(history: History, step: int, other: list[int]) -> list[int]:
    """What chance does in the other game: the same to contracts in others' stead, hidden orders changed."""
    outcomes: list[int] = []

    def last_step_with(kind: str) -> int:
        return max(index for index, events in enumerate(history.events) if kind in [event.kind for event in events])

    for kind, group in itertools.groupby(history.events[step], lambda event: event.kind):
        values = outcomes_of(group, find_spec().facts)
        if kind == "bag" and step == last_step_with("bag"):
            values = other_order(values, draws_of_trains(history))
        elif kind == "take":
            values = [other[contract] for contract in values]
        elif kind == "stack" and step == last_step_with("stack"):  # what is never drawn lies the other way round
            later = [event.kind for event in itertools.chain(*history.events[step:])]
            if [event.kind for event in history.events[step]].count("reshuffle") == 1:
                values = other_order(values, sum(later.count(kind) for kind in ("draw", "reveal", "aside")))
        outcomes += values
    return outcomes


def other_start(history: History, seat: int, other: list[int], rng: random.Random) -> Game:
    """The start with contracts in others' stead, other knowledge of other seats, other orders, another seed."""
    game = history.start
    refilled = any(event.kind == "bag" for event in history.all_events)
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
    for knower, known in enumerate(seats.get("known", [])):
        if knower != seat:  # what others know is hidden
            seats["known"][knower] = [other[c] for c in known if other[c] == c or rng.random() < 0.5]
    scenario["deck"]["order"] = [other[contract] for contract in scenario["deck"]["order"]]
    if "solo" in scenario:
        scenario["solo"]["trains"] = other_order(scenario["solo"]["trains"], kept)
    scenario["random"] = {"state": "12" * 32}
    return Game.from_scenario(scenario, seed=0)
