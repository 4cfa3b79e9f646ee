"""Automas' turns of random games against the slow search of ``slow_automa``, which lists everything.

``python -m tests.rules.test_rule_8_brute_force --turns 20000 --seed 1`` plays on and prints what was met.
"""

import argparse
import json
import random
import string
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from steam_env import Game
from steam_env.core.state import PLACE_DISCARDED
from steam_env.rules import AUTOMA_LEVELS

if __package__:  # started as a module
    from tests.rules import slow_automa as slow
else:
    import slow_automa as slow

Scenario = dict[str, Any]

LAND = ("plains", "hills", "mountains")
EDGES = ("N", "NE", "SE", "S", "SW", "NW")
COMPARED = (
    *("links", "owner", "resources", "money", "trains", "factories", "stock", "tiles"),
    *("deck", "discards", "fulfilled", "marker", "coins"),
)
# What a player likes to do: laying and building, so that something is there to be chosen from.
WEIGHTS = {"start": 8, "head": 12, "build": 5, "fulfil": 5, "money": 2, "contracts": 1, "done": 0.3, "remove": 1}

# In a slice of so many turns each of these must have been met so often.
TURNS = 1500
LEAST_MET = {
    "first track": 200,
    "targets equally near": 150,
    "trains limit": 20,
    "trains make a target farther": 3,
    "no path without a hex twice": 5,
    "next nearest target, for want of a path without a hex twice": 1,
    "a colour gives no target": 200,
    "no colour left for another target": 15,
    "paths at different costs": 50,
    "paths at one cost": 150,
    "most stops decides": 6,
    "marker decides between paths": 80,
    "path with a stop": 20,
    "a group left by another city": 8,
    "first track: starts from another city of the group": 40,
    "second placement": 100,
    "coin path followed": 150,
    "coin path followed without a train": 2,
    "next tile of a coin path is not to be had": 1,
    "tile too dear": 50,
    "coin path cleared": 15,
    "coin path cleared with a link": 12,
    "coin path cleared by an Automa": 6,
    "source: own before foreign at one cost": 30,
    "source: fewest or most left": 100,
    "source: first by marker": 80,
    "route: several groups": 25,
    "route: the first city in map order would decide otherwise": 2,
    "route: several owners of a hop": 20,
    "route: several hops": 10,
    "route: several hops with several owners": 2,
    "factory: outside the extended network": 100,
    "factory: least present colour": 50,
    "factory: nearest city": 25,
    "factory: first by marker": 120,
    "bonus done": 80,
    "bonus compensated: track": 100,
    "bonus compensated: factory": 80,
    "bonus compensated: contracts": 40,
    "neither track nor factory": 200,
    "reshuffle": 100,
    "fewer than two contracts drawn": 80,
}


# --- random games -----------------------------------------------------------------------------------
def random_map(rng: random.Random) -> dict[str, Any]:
    """5x5 to 8x8 hexes: cities, some of them in groups, water, hills, mountains."""
    columns, rows = rng.choice([5, 6, 7, 8, 8, 8]), rng.choice([5, 6, 7, 8, 8, 8])
    cells = [(col, 2 * row - col % 2) for col in range(1, columns + 1) for row in range(1, rows + 1)]
    terrain = random_land(rng, cells, wet=rng.choice([0.02, 0.05, 0.1, 0.25]))
    for at in choose_cities(rng, sorted(terrain), len(cells) // rng.choice([3, 4, 5, 6])):
        terrain[at] = "city"
    return as_map(terrain)


def random_land(rng: random.Random, cells: list[slow.Hex], wet: float) -> dict[slow.Hex, str]:
    """Land of some roughness; where it is wet there is water or no hex at all."""
    land = rng.choices(LAND, weights=[6, rng.choice([1, 4]), rng.choice([0.5, 3])], k=len(cells))
    terrain = {at: "water" if rng.random() < wet else kind for at, kind in zip(cells, land, strict=True)}
    return {at: kind for at, kind in terrain.items() if kind != "water" or rng.random() < 0.8}


def choose_cities(rng: random.Random, cells: list[slow.Hex], number: int) -> set[slow.Hex]:
    """Hexes for cities, often one beside the other."""
    chosen: set[slow.Hex] = set()
    sociable = rng.choice([0.1, 0.2, 0.5])
    while len(chosen) < number:
        near = [at for at in cells if at not in chosen and any(slow.distance(at, city) == 1 for city in chosen)]
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


def as_map(terrain: dict[slow.Hex, str]) -> dict[str, Any]:
    """The map's table."""
    number = sum(kind == "city" for kind in terrain.values())
    names = {f"{string.ascii_uppercase[col - 1]}{row}": kind for (col, row), kind in sorted(terrain.items())}
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
    """A game with what is needed to come to the same position again."""

    scenario: Scenario
    game: Game = field(init=False)
    fields: dict[str, list[int]] = field(default_factory=dict)  # of the record, set by hand after loading
    actions: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = Game.from_scenario(self.scenario, seed=0)

    def set_fields(self, **values: list[int]) -> None:
        """Stocks that no scenario can give; the mover's mask is current again after its next step."""
        self.fields = values
        for name, value in values.items():
            self.game.record[name][: len(value)] = value

    def step(self, action: str) -> list[Any]:
        """Play the action; its events."""
        before = self.game.num_steps
        self.actions.append(action)
        self.game.step(action)
        return self.game.events_since(before)

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


def choose_action(rng: random.Random, game: Game, board: slow.Board, wanted: set[slow.Hex]) -> str:
    """A random legal action; players like to build across Automas' coin paths."""
    texts = game.legal_text()
    words = sorted({text.split()[0] for text in texts})
    word = rng.choices(words, weights=[WEIGHTS.get(word, 1) for word in words])[0]
    chosen = [text for text in texts if text.split()[0] == word]
    if word == "start" and wanted:
        names = game.setting.map.cities
        spots = []
        for text in chosen:
            name, _, edge = text.removeprefix("start ").rpartition(" ")
            spots.append(slow.beside(board.cities[names.index(name)], EDGES.index(edge)))
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


# --- one step of a game, twice ----------------------------------------------------------------------
# What the game adds to explain a decision; the slow search tells decisions only.
EXPLANATIONS = (
    *("assess", "choose_source", "choose_hop", "instead", "base", "present", "no_target", "unreachable", "path_hex"),
    *("no_track", "not_laid", "coins", "choose_city", "no_city", "no_contract", "reshuffle", "stack"),
)
TOLD_VALUES = {  # of these kinds only these values
    "automa": ("corner",),
    "target": ("color", "rule", "city"),
    "path": ("tiles", "cost", "stops"),
    "compensation": ("amount",),
    "clear_coins": (),
}


def as_told(event: Any, board: slow.Board) -> slow.Event | None:
    """The game's event in the form in which the slow search tells it; None if it does not tell such."""
    kind = event.kind
    values = {name: event.values[name] for name in TOLD_VALUES.get(kind, tuple(event.values))}
    if kind in EXPLANATIONS or (kind == "compensation" and values["amount"] == 0):
        return None
    if "hex" in values:
        values["hex"] = board.hexes[values["hex"]]
    if kind == "place":
        values["crossing"] = bool(values["crossing"])
    if kind in ("target", "purchase"):
        values["color"] = slow.COLORS[values["color"]]
    if kind == "act":
        values["icon"] = ("track", "factory")[values["icon"]]
    return (kind, event.actor, *values.values())


def predict(position: slow.Position, events: list[Any]) -> None:
    """Carry the position on: what the player did as told, what the Automas do by the slow search."""
    position.reshuffles = list_new_decks(events)
    automas = [event.actor for event in events if event.kind == "automa"]
    first = next((index for index, event in enumerate(events) if event.kind == "automa"), len(events))
    for event in events[:first]:
        if event.actor not in position.automa_seats:
            slow.follow_event(position, event.kind, event.actor, event.values)
    for seat in automas:
        slow.play_automa_turn(position, seat)


def check_order(mover: int, game: Game, events: list[Any]) -> None:
    """Rule 3: after a player's turn the Automa seats that follow it play, each once, unless the game ends before."""
    automas = [event.actor for event in events if event.kind == "automa"]
    order = [(mover + 1 + number) % game.seats for number in range(len(automas))]
    assert automas == order, f"Automas play in the order {automas} after seat {mover}"
    following = (mover + 1 + len(automas)) % game.seats
    assert not automas or game.done or game.seat == following, f"seat {game.seat} moves, not {following}"


def list_new_decks(events: list[Any]) -> list[list[int]]:
    """The outcome of each reshuffle (rule 8.5): chance, which nobody can predict."""
    decks: list[list[int]] = []
    for event in events:
        if event.kind == "reshuffle":
            decks.append([])
        elif event.kind == "stack":
            decks[-1].append(event.values["contract"])
    return decks


def check_step(trail: Trail, board: slow.Board, action: str) -> Counter[str]:
    """Play the action and whatever the Automas do after it; the difference from the slow search is an error."""
    position = slow.extract_position(trail.game, board)
    mover = trail.game.seat
    events = trail.step(action)
    check_order(mover, trail.game, events)
    predict(position, events)
    after = slow.extract_position(trail.game, board)
    told = [as_told(event, board) for event in events if event.actor in position.automa_seats]
    told = [event for event in told if event is not None]
    slowly = [event for event in position.events if event[1] in position.automa_seats]
    slowly = [event for event in slowly if event[0] != "compensation" or event[2]]
    differences = [name for name in COMPARED if getattr(position, name) != getattr(after, name)]
    if told != slowly or differences:
        raise AssertionError(describe_difference(trail, told, slowly, position, after, differences))
    return position.notes


def describe_difference(
    trail: Trail,
    told: list[slow.Event],
    slowly: list[slow.Event],
    position: slow.Position,
    after: slow.Position,
    differences: list[str],
) -> str:
    lines = ["the game and the slow search differ"]
    same = next((n for n, (one, other) in enumerate(zip(told, slowly, strict=False)) if one != other), None)
    at = min(len(told), len(slowly)) if same is None else same
    lines += [f"  both: {event}" for event in told[:at]]
    lines += [f"  game: {event}" for event in told[at : at + 6]]
    lines += [f"  slow: {event}" for event in slowly[at : at + 6]]
    lines += [f"  {name}: game {getattr(after, name)}, slow {getattr(position, name)}" for name in differences]
    return "\n".join([*lines, f"  replay({trail.report()!r})"])


# --- games ---------------------------------------------------------------------------------------------
def play_game(seed: str) -> Counter[str]:
    """One random game to its end or for a while; what was met."""
    rng = random.Random(seed)
    trail = Trail(knotted_scenario(rng) if rng.random() < 0.1 else random_scenario(rng))
    board = slow.extract_board(trail.game)
    met: Counter[str] = Counter()
    changes = rng.choice([0.0, 0.05, 0.15])
    while not trail.game.done:
        idle = trail.game.deck_size == 0 and not (trail.game.record.place == PLACE_DISCARDED).any()
        if trail.game.phase == "action" and (idle or rng.random() < changes):
            trail = perturb(rng, trail)
            met += check_step(trail, board, "money")
            continue
        wanted = slow_coins(trail.game, board) if rng.random() < 0.7 else set()
        met += check_step(trail, board, choose_action(rng, trail.game, board, wanted))
    return met


def slow_coins(game: Game, board: slow.Board) -> set[slow.Hex]:
    """The hexes with coins on them."""
    record = game.record
    return {
        board.hexes[index]
        for number in range(game.rules.automas)
        for index in record.coins[number, : record.num_coins[number]]
    }


def play_turns(turns: int, seed: int, progress: bool = False) -> Counter[str]:
    """Random games until so many Automa turns have been played."""
    met: Counter[str] = Counter()
    games, begun = 0, time.monotonic()
    while met["turns"] < turns:
        met += play_game(f"{seed}/{games}")
        games += 1
        if progress:
            spent = time.monotonic() - begun
            print(
                f"\r{met['turns']} of {turns} turns, {games} games, {spent:.0f} s", end="", flush=True, file=sys.stderr
            )
    met["games"] = games
    return met


@pytest.mark.parametrize("seed", [1, 2])
def test_rule_8_4__automa_turns_are_as_the_slow_search_says(seed: int) -> None:
    met = play_turns(TURNS, seed)
    rare = {what: met[what] for what, least in LEAST_MET.items() if met[what] < least}
    assert not rare, f"too seldom in {met['turns']} turns, so the test shows little: {rare}"


def test_rule_8_11__the_slow_search_lists_every_path() -> None:
    """What spares it dead ends spares no path: short ones are listed again without it."""
    listed = 0
    for number in range(40):
        rng = random.Random(f"paths {number}")
        game = Trail(random_scenario(rng)).game
        board = slow.extract_board(game)
        for _ in range(10):
            if not game.done:
                game.step(choose_action(rng, game, board, set()))
        home = {rng.choice(board.group)}
        search = slow.Search(slow.extract_position(game, board), home, trains=rng.randint(1, 3))
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
