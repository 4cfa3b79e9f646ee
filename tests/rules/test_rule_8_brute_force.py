"""Automas' turns of random games against the reference engine, which lists every path and sorts by the written keys.

``python -m tests.rules.test_rule_8_brute_force --turns 20000 --seed 1`` plays on and prints what was met.
"""

import argparse
import json
import random
import string
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar
from unittest.mock import patch

import pytest

from steam_env import Event, Game
from steam_env.core.fields import NONE
from steam_env.core.steam_power.events import CRITERIA, OBSTACLES
from steam_env.data.steam_power.rules import AUTOMA_LEVELS
from steam_env.words.events import outcomes_of
from tests.lockstep.compare import describe
from tests.reference import Reference, automa
from tests.reference.automa_path import FAR, Search
from tests.reference.choice import rank_city, rank_group
from tests.reference.geometry import EDGE_NAMES, Hex, beside, distance, name_hex
from tests.reference.state import Table

Scenario = dict[str, Any]

LAND = ("plains", "hills", "mountains")
# What a player likes to do: laying and building, so that something is there to be chosen from.
WEIGHTS = {"start": 8, "head": 12, "build": 5, "fulfil": 5, "money": 2, "contracts": 1, "done": 0.3, "remove": 1}

# In a slice of so many turns each of these must have been met so often.
TURNS = 1500
LEAST_MET = {
    "first track": 200,
    "first track: starts from another city of the group": 40,
    "no track: start": 40,
    "no track: train": 25,
    "no track: colors": 20,
    "no track: target": 300,
    "a colour gives no target": 600,
    "trains limit": 4,
    "trains make a group farther": 4,
    "no path without a hex twice": 4,
    "next nearest target, for want of a path without a hex twice": 1,
    "target: only": 40,
    "target: only_in_reach": 4,
    "target: nearest": 30,
    "target: marker": 80,
    "path: only": 50,
    "path: lowest_cost": 20,
    "path: most_stops": 1,
    "path: marker": 80,
    "path with a stop": 8,
    "a group left by another city": 3,
    "second placement": 100,
    "coin path followed": 120,
    "coin path followed without a train": 3,
    "tile not laid: illegal": 2,
    "tile not laid: money": 40,
    "coin path cleared": 12,
    "coin path cleared with a link": 10,
    "coin path cleared by an Automa": 4,
    "source: cheapest": 150,
    "source: own": 10,
    "source: fewest_left": 30,
    "source: most_left": 80,
    "source: marker": 70,
    "route: several groups": 10,
    "route: a group stands elsewhere than in map order": 20,
    "route: several owners of a hop": 15,
    "route: several hops": 10,
    "factory: outside the extended network": 70,
    "factory: least_present": 20,
    "factory: nearest": 8,
    "factory: marker": 120,
    "compensation: bonus_track": 100,
    "compensation: bonus_factory": 80,
    "compensation: contracts": 40,
    "neither track nor factory": 150,
    "reshuffle": 80,
    "fewer than two contracts drawn": 80,
}
KNOTTED = 0.2  # of the games start with such a position


# --- random games -----------------------------------------------------------------------------------
def random_map(rng: random.Random) -> dict[str, Any]:
    """5x5 to 8x8 hexes: cities, some of them in groups, water, hills, mountains."""
    columns, rows = rng.choice([5, 6, 7, 8, 8, 8]), rng.choice([5, 6, 7, 8, 8, 8])
    cells = [(col, 2 * row - col % 2) for col in range(1, columns + 1) for row in range(1, rows + 1)]
    terrain = random_land(rng, cells, wet=rng.choice([0.02, 0.05, 0.1, 0.25]))
    for at in choose_cities(rng, sorted(terrain), len(cells) // rng.choice([3, 4, 5, 6])):
        terrain[at] = "city"
    return as_map(terrain)


def random_land(rng: random.Random, cells: list[Hex], wet: float) -> dict[Hex, str]:
    """Land of some roughness; where it is wet there is water or no hex at all."""
    land = rng.choices(LAND, weights=[6, rng.choice([1, 4]), rng.choice([0.5, 3])], k=len(cells))
    terrain = {at: "water" if rng.random() < wet else kind for at, kind in zip(cells, land, strict=True)}
    return {at: kind for at, kind in terrain.items() if kind != "water" or rng.random() < 0.8}


def choose_cities(rng: random.Random, cells: list[Hex], number: int) -> set[Hex]:
    """Hexes for cities, often one beside the other."""
    chosen: set[Hex] = set()
    sociable = rng.choice([0.1, 0.2, 0.5])
    while len(chosen) < number:
        near = [at for at in cells if at not in chosen and any(distance(at, city) == 1 for city in chosen)]
        chosen.add(rng.choice(near if near and rng.random() < sociable else cells))
    return chosen


def knotted_scenario(rng: random.Random) -> Scenario:
    """A start where the shortest way from one city to others crosses itself, so that it is no path (rule 8.11).

    From Town South an Automa must cross player_0's links on C9 and D8. To Town West, on the other side of D8, it
    comes only by turning round over E7, F8 and E9, and by crossing D8 once more.
    """
    scenario = random_scenario(rng)
    cells = [(col, 2 * row - col % 2) for col in range(1, 7) for row in range(1, 8)]
    terrain = random_land(rng, cells, wet=rng.choice([0.5, 0.8, 1, 1]))
    terrain |= dict.fromkeys([(3, 9), (4, 10), (4, 8), (5, 7), (5, 9), (6, 8)], "plains")
    if rng.random() < 0.7:  # a longer way to Town Far
        terrain |= dict.fromkeys([(7, 9), (7, 11), (6, 12)], "plains")
    terrain |= dict.fromkeys([(5, 5), (6, 6), (6, 10), (4, 12)], "water")
    terrain |= dict.fromkeys([(3, 7), (3, 11), (4, 6), (5, 11)], "city")
    scenario["map"] = as_map(terrain)
    scenario["map"]["cities"] = ["Town West", "Town South", "Town North", "Town Far"]
    scenario["cities"] = f"PWP{rng.choice('BOGPPP')}"
    scenario["links"] = [
        {"owner": 0, "path": ["Town West", "C9", "D10", "D8", "Town North"]},
        {"owner": 0, "path": ["Town North", "E7", "E9", "Town Far"]},
    ]
    for contract in scenario["contracts"][::2]:
        contract["needs"] = "B" + contract["needs"][1:]  # asks for a purple city (rule 8.10)
    white = scenario["automa"]["corners"].index("white")
    scenario["automa"]["marker"] = [(white - 1) % 4] * scenario["rules"]["automas"]
    return scenario


def as_map(terrain: dict[Hex, str]) -> dict[str, Any]:
    """The map's table."""
    number = sum(kind == "city" for kind in terrain.values())
    names = {name_hex(at): kind for at, kind in sorted(terrain.items())}
    return {
        "name": "random",
        "cities": [f"Town {letter}" for letter in string.ascii_uppercase[:number]],
        "hexes": names,
    }


def random_contract(rng: random.Random) -> dict[str, Any]:
    return {
        "needs": "".join(rng.choices("WBOG", k=rng.choice([1, 1, 2, 2, 3, 4, 5]))),
        "money": rng.randint(0, 6),
        "vp": rng.randint(0, 9),
        "bonus": rng.choices(["none", "track", "factory", "contracts"], weights=[1, 4, 3, 1])[0],
        "automa": rng.choice(["track", "factory"]),
    }


def random_colors(rng: random.Random, number: int) -> str:
    """Colours of cities, often with each that an Automa may begin in."""
    colors = rng.choices("WBOGP", weights=[3, 3, 3, 3, rng.choice([0.5, 2])], k=number)
    if number > 3 and rng.random() < 0.8:
        colors[:4] = "WBOG"
    return "".join(rng.sample(colors, number))


def random_scenario(rng: random.Random) -> Scenario:
    """The start of a game of 2 to 5 seats, 1 to 4 of them Automas."""
    seats = rng.randint(2, 5)
    automas = rng.randint(1, seats - 1)
    players = seats - automas
    board = random_map(rng)
    size = min(48, 5 * players + rng.choice([4, 8, 30, 40]))
    order = rng.sample(range(size), size)
    hands = [sorted(order[5 * seat : 5 * seat + 5]) if seat < players else [] for seat in range(seats)]
    first = rng.randrange(players)
    return {
        "rules": {
            "num_players": seats,
            "automas": automas,
            "automa_level": rng.choice(AUTOMA_LEVELS),
            "contracts_to_end": rng.choice([6, 20, 48]),
            "max_rounds": rng.choice([5, 7, 10]),
        },
        "map": board,
        "cities": random_colors(rng, len(board["cities"])),
        "off_map": "WBOGP",
        "contracts": [random_contract(rng) for _ in range(size)],
        "seats": {
            "money": [rng.choice([5, 10, 30] if seat < players else [0, 5, 20]) for seat in range(seats)],
            "hands": hands,
        },
        "turn": {"seat": first, "first_player": first, "actions_left": 2},
        "deck": {"order": order[5 * players :]},
        "automa": {
            "corners": rng.sample(["white", "black", "orange", "gray"], 4),
            "marker": [rng.randrange(4) for _ in range(automas)],
        },
    }


@dataclass
class Trail:
    """A game in both engines, with what is needed to come to the same position again."""

    scenario: Scenario
    game: Game = field(init=False)
    reference: Reference = field(init=False)
    fields: dict[str, list[int]] = field(default_factory=dict)  # set by hand after loading
    actions: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = Game.from_scenario(self.scenario, seed=0)
        self.reference = Reference.from_scenario(self.game.to_scenario())

    @property
    def table(self) -> Table:
        return self.reference.table

    def set_fields(self, **values: list[int]) -> None:
        """Stocks that no scenario can give; the mover's mask is current again after its next step."""
        self.fields = values
        for name, value in values.items():
            self.game.record[name][: len(value)] = value
        self.table.trains = values.get("trains", self.table.trains)[: len(self.table.trains)]
        for name, stock in (("tiles", self.table.tiles), ("stock", self.table.stock)):
            stock.update(zip(stock, values.get(name, stock.values()), strict=True))

    def step(self, action: str) -> list[Event]:
        """Play the action in both engines; a difference is an error."""
        before = self.game.num_steps
        self.actions.append(action)
        self.game.step(action)
        events = [event for event in self.game.events_since(before) if event.kind != "deal"]
        told = [event.to_dict() for event in events]
        slowly = self.reference.step(action, outcomes_of(events))
        game, reference = describe(self.game), self.reference.state()
        differences = {name: (game[name], reference[name]) for name in game if game[name] != reference[name]}
        if told != slowly or differences or self.game.seat != self.reference.seat:
            raise AssertionError(describe_difference(self.report(), told, slowly, differences))
        return events

    def report(self) -> str:
        return json.dumps({"scenario": self.scenario, "fields": self.fields, "actions": self.actions})


def replay(report: str) -> Trail:
    """The game of a report, played up to its last action."""
    told = json.loads(report)
    trail = Trail(told["scenario"])
    trail.set_fields(**told["fields"])
    for action in told["actions"]:
        trail.step(action)
    return trail


def describe_difference(
    report: str, told: Sequence[Any], slowly: Sequence[Any], differences: dict[str, tuple[Any, Any]]
) -> str:
    same = next((n for n, (one, other) in enumerate(zip(told, slowly, strict=False)) if one != other), None)
    at = min(len(told), len(slowly)) if same is None else same
    lines = ["the game and the reference differ"]
    lines += [f"  both: {event}" for event in told[:at]]
    lines += [f"  game: {event}" for event in told[at : at + 6]]
    lines += [f"  reference: {event}" for event in slowly[at : at + 6]]
    lines += [f"  {name}: game {one}, reference {other}" for name, (one, other) in differences.items()]
    return "\n".join([*lines, f"  replay({report!r})"])


def choose_action(rng: random.Random, trail: Trail) -> str:
    """A random legal action; players like to build across Automas' coin paths."""
    texts, board = trail.game.legal_text(), trail.table.board
    words = sorted({text.split()[0] for text in texts})
    word = rng.choices(words, weights=[WEIGHTS.get(word, 1) for word in words])[0]
    chosen = [text for text in texts if text.split()[0] == word]
    wanted = {at for path in trail.table.coins.values() for at in path}
    if word == "start" and wanted and rng.random() < 0.7:
        spots = []
        for text in chosen:
            name, _, edge = text.removeprefix("start ").rpartition(" ")
            spots.append(beside(board.place_at[name], EDGE_NAMES.index(edge)))
        return rng.choices(chosen, weights=[6 if spot in wanted else 1 for spot in spots])[0]
    return rng.choice(chosen)


def perturb(rng: random.Random, trail: Trail) -> Trail:
    """The same position with other money, markers and deck order, and with few trains, tiles or resources."""
    scenario = trail.game.to_scenario()
    automas, seats = scenario["rules"]["automas"], scenario["rules"]["num_players"]
    for seat in range(seats - automas, seats):
        if rng.random() < 0.5:
            scenario["seats"]["money"][seat] = rng.choice([0, 1, 2, 3, 5, 8, 15, 40])
    scenario["automa"]["marker"] = [rng.randrange(4) for _ in range(automas)]
    scenario["rules"]["automa_level"] = rng.choice(AUTOMA_LEVELS)
    used = [number for pile in scenario["seats"]["fulfilled"] for number in pile]
    scenario["seats"]["fulfilled"] = [[] for _ in range(seats)]
    scenario["deck"]["order"] = rng.sample(
        [*scenario["deck"]["order"], *used], len(scenario["deck"]["order"]) + len(used)
    )
    changed = Trail(scenario)
    record = changed.game.record
    fields = {}
    if rng.random() < 0.4:
        trains = record.trains.tolist()
        for number in range(automas):
            if not record.num_coins[number]:
                seat = seats - automas + number
                trains[seat] = min(trains[seat], rng.choice([0, 1, 1, 1, 2, 2, 3]))
        fields["trains"] = trains
    if rng.random() < 0.2:
        few = [rng.choice([0, 2, 5, 40, 40]), rng.choice([0, 0, 2]), rng.choice([0, 0, 2])]
        fields["tiles"] = [min(pair) for pair in zip(few, record.tiles.tolist(), strict=True)]
    if rng.random() < 0.3:
        fields["stock"] = [min(left, rng.choice([0, 1, 3, 9])) for left in record.stock.tolist()]
    if fields:
        changed.set_fields(**fields)
    return changed


# --- one step of a game -------------------------------------------------------------------------------
def check_order(mover: int, game: Game, events: Sequence[Event]) -> None:
    """Rule 3: after a player's turn the Automa seats that follow it play, each once, unless the game ends before."""
    automas = [event.actor for event in events if event.kind == "automa"]
    order = [(mover + 1 + number) % game.seats for number in range(len(automas))]
    assert automas == order, f"Automas play in the order {automas} after seat {mover}"
    following = (mover + 1 + len(automas)) % game.seats
    assert not automas or game.done or game.seat == following, f"seat {game.seat} moves, not {following}"


def check_step(trail: Trail, action: str) -> Counter[str]:
    """Play the action and whatever the Automas do after it; what was met."""
    mover = trail.game.seat
    events = trail.step(action)
    check_order(mover, trail.game, events)
    return note_events(trail.table, events)


# --- what was met ---------------------------------------------------------------------------------------
@dataclass
class Meeting:
    """Counts what is special about the decisions that an Automa's events tell."""

    table: Table
    met: Counter[str] = field(default_factory=Counter)
    path: list[dict[str, Any]] = field(default_factory=list)  # the hexes of the path just chosen
    base: int | None = None  # the city of a first track whose path is to come
    passed_over: bool = False
    laid: int = 0

    def note(self, event: Event, following: Event | None) -> None:
        note = getattr(self, f"note_{event.kind}", None)
        if note is not None:
            note(event, following)

    def note_automa(self, _event: Event, _following: Event | None) -> None:
        self.met["turns"] += 1

    def note_base(self, event: Event, _following: Event | None) -> None:
        self.met["first track"] += 1
        self.base = event.values["city"]

    def note_no_target(self, _event: Event, _following: Event | None) -> None:
        self.met["a colour gives no target"] += 1
        self.passed_over = False

    def note_unreachable(self, _event: Event, _following: Event | None) -> None:
        self.met["no path without a hex twice"] += 1
        self.passed_over = True

    def note_target(self, event: Event, _following: Event | None) -> None:
        self.met["next nearest target, for want of a path without a hex twice"] += self.passed_over
        self.met[f"target: {CRITERIA[event.values['why']]}"] += 1
        self.passed_over = False

    def note_path(self, event: Event, _following: Event | None) -> None:
        self.met[f"path: {CRITERIA[event.values['why']]}"] += 1
        self.met["path with a stop"] += event.values["stops"] > 0
        self.path = []

    def note_path_hex(self, event: Event, following: Event | None) -> None:
        self.path.append(event.values)
        if following is None or following.kind != "path_hex":
            cities = [values["cost"] == NONE for values in self.path]
            self.met["a group left by another city"] += (True, True) in pairwise(cities)
            if self.base is not None:
                start = self.table.board.hex_number[self.table.board.cities[self.base]]
                self.met["first track: starts from another city of the group"] += start != self.path[0]["hex"]
            self.base = None

    def note_no_track(self, event: Event, _following: Event | None) -> None:
        self.met[f"no track: {OBSTACLES[event.values['why']]}"] += 1
        self.laid = 0

    def note_place(self, event: Event, _following: Event | None) -> None:
        self.laid += 1
        self.met["second placement"] += self.laid == 2
        self.note_following(event)

    def note_not_laid(self, event: Event, _following: Event | None) -> None:
        self.met[f"tile not laid: {OBSTACLES[event.values['why']]}"] += 1
        self.note_following(event)

    def note_following(self, event: Event) -> None:
        if not self.path:
            self.met["coin path followed"] += 1
            self.met["coin path followed without a train"] += self.table.trains[event.actor] == 0
        self.path = []

    def note_clear_coins(self, event: Event, following: Event | None) -> None:
        self.met["coin path cleared"] += 1
        self.met["coin path cleared with a link"] += following is not None and following.kind == "remove"
        self.met["coin path cleared by an Automa"] += event.values["mover"] in self.table.automa_seats

    def note_choose_source(self, event: Event, _following: Event | None) -> None:
        self.met[f"source: {CRITERIA[event.values['why']]}"] += 1

    def note_choose_hop(self, event: Event, _following: Event | None) -> None:
        self.met["route: several groups"] += event.values["ways"] > 1
        self.met["route: several owners of a hop"] += event.values["owners"] > 1

    def note_hop(self, event: Event, following: Event | None) -> None:
        if following is not None and following.kind in ("hop", "choose_hop"):
            self.met["route: several hops"] += 1

    def note_choose_city(self, event: Event, _following: Event | None) -> None:
        self.met[f"factory: {CRITERIA[event.values['why']]}"] += 1
        self.met["factory: outside the extended network"] += not event.values["in_aen"]

    def note_assess(self, _event: Event, _following: Event | None) -> None:
        self.laid = 0

    def note_compensation(self, event: Event, _following: Event | None) -> None:
        self.met[f"compensation: {OBSTACLES[event.values['why']]}"] += 1

    def note_instead(self, event: Event, _following: Event | None) -> None:
        self.met["neither track nor factory"] += event.values["then"] == NONE

    def note_no_contract(self, _event: Event, _following: Event | None) -> None:
        self.met["fewer than two contracts drawn"] += 1


def note_events(table: Table, events: Sequence[Event]) -> Counter[str]:
    """What was met in Automas' turns."""
    meeting = Meeting(table)
    meeting.met["reshuffle"] += sum(event.kind == "reshuffle" for event in events)
    for event, following in zip(events, [*events, None][1:], strict=True):
        if event.actor in table.automa_seats:
            meeting.note(event, following)
    return meeting.met


class WatchedSearch(Search):
    """Counts where the trains left make a group farther, or put it out of reach."""

    met: ClassVar[Counter[str]] = Counter()

    def __init__(self, table: Table, home: set[int], trains: int) -> None:
        super().__init__(table, home, trains)
        if trains < 8:
            free = Search(table, home, FAR).fewest
            self.met["trains limit"] += free != self.fewest
            self.met["trains make a group farther"] += any(free[group] < far for group, far in self.fewest.items())


def watched_rank(table: Table, seat: int, group: int) -> Hex:
    """Counts groups whose first city by the marker is not the first in map order (rule 8.6)."""
    found = rank_group(table, seat, group)
    WatchedSearch.met["route: a group stands elsewhere than in map order"] += found != rank_city(table, seat, group)
    return found


# --- games ---------------------------------------------------------------------------------------------
def play_game(seed: str) -> Counter[str]:
    """One random game to its end or for a while; what was met."""
    rng = random.Random(seed)
    trail = Trail(knotted_scenario(rng) if rng.random() < KNOTTED else random_scenario(rng))
    met: Counter[str] = Counter()
    changes = rng.choice([0.0, 0.05, 0.15])
    while not trail.game.done:
        idle = not trail.table.deck and not trail.table.discards
        if trail.game.phase == "action" and (idle or rng.random() < changes):
            trail = perturb(rng, trail)
            met += check_step(trail, "money")
            continue
        met += check_step(trail, choose_action(rng, trail))
    return met


def play_turns(turns: int, seed: int, progress: bool = False) -> Counter[str]:
    """Random games until so many Automa turns have been played."""
    met: Counter[str] = Counter()
    games, begun = 0, time.monotonic()
    WatchedSearch.met.clear()
    while met["turns"] < turns:
        with patch.object(automa, "Search", WatchedSearch), patch.object(automa, "rank_group", watched_rank):
            met += play_game(f"{seed}/{games}")
        games += 1
        if progress:
            spent = time.monotonic() - begun
            print(
                f"\r{met['turns']} of {turns} turns, {games} games, {spent:.0f} s", end="", flush=True, file=sys.stderr
            )
    met["games"] = games
    return met + WatchedSearch.met


@pytest.mark.parametrize("seed", [1, 2])
def test_rule_8_4__automa_turns_are_as_the_reference_says(seed: int) -> None:
    met = play_turns(TURNS, seed)
    rare = {what: met[what] for what, least in LEAST_MET.items() if met[what] < least}
    assert not rare, f"too seldom in {met['turns']} turns, so the test shows little: {rare}"


def test_rule_8_11__the_reference_lists_every_path() -> None:
    """What spares it dead ends spares no path: short ones are listed again without it."""
    listed = 0
    for number in range(40):
        rng = random.Random(f"paths {number}")
        trail = Trail(random_scenario(rng))
        for _ in range(10):
            if not trail.game.done:
                trail.step(choose_action(rng, trail))
        home = {rng.choice(trail.table.board.group)}
        search = Search(trail.table, home, trains=rng.randint(1, 3))
        for group in [group for group, tiles in search.fewest.items() if 0 < tiles < 5]:
            paths = search.paths(group)
            assert paths == search.paths(group, spare=False)
            listed += len(paths)
    assert listed > 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=20000, help="Automa turns to play")
    parser.add_argument("--seed", type=int, default=1, help="of the random games")
    options = parser.parse_args()
    met = play_turns(options.turns, options.seed, progress=True)
    print(file=sys.stderr)
    for what, times in sorted(met.items(), key=lambda item: -item[1]):
        print(f"{times:9} {what}")


if __name__ == "__main__":
    main()
