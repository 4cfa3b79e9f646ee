"""Automas' turns of random games against the reference engine, which lists every path and sorts by the written keys.

``tests.verification.lockstep`` plays them, and would go on for longer; here every game has Automas, some of
them with few trains, and some games begin where the shortest way is no path.
"""

import random
from typing import Any

from steam_env import Game
from tests.verification.lockstep.compare import Start, begin_reference
from tests.verification.lockstep.play import play_game
from tests.verification.lockstep.played import Played
from tests.verification.lockstep.scenarios import MAX_CONTRACTS, Scenario, draw_deck, draw_scenario
from tests.verification.reference import Reference
from tests.verification.reference.automa_path import Search

GAMES = 60
KNOTTED = 0.2  # of the games
FEW_TRAINS = (1, 2, 3, 21, 21, 21)  # of an Automa

# Met in the games of a seed at least so often.
LEAST_MET = {
    **{"automa turn": 700, "reshuffle": 20, "event no_contract": 100},
    **{"event base": 100, "base with others in its group": 150, "event no_target": 400, "event unreachable": 4},
    **{"no_track: start": 20, "no_track: train": 5, "no_track: colors": 15, "no_track: target": 200},
    **{"target: only": 25, "target: only_in_reach": 2, "target: nearest": 10, "target: marker": 25},
    **{"path: only": 25, "path: lowest_cost": 5, "path: marker": 25, "not_laid: money": 15, "event coins": 50},
    **{"coins cleared": 3, "coins cleared with link": 3, "coins cleared by an Automa": 1},
    **{"choose_source: cheapest": 50, "choose_source: own": 3, "choose_source: fewest_left": 15},
    **{"choose_source: most_left": 20, "choose_source: marker": 25, "event choose_hop": 5, "several hops": 3},
    **{"choose_city: least_present": 5, "choose_city: nearest": 1, "choose_city: marker": 50, "event instead": 300},
    "track bonus without a train": 1,
    **{f"compensation: {why}": 30 for why in ("bonus_track", "bonus_factory", "contracts")},
}


def draw_start(rng: random.Random) -> Scenario:
    """A start with a city of each colour where there is room, and contracts that are drawn and not dealt."""
    scenario = draw_scenario(rng.getrandbits(32), kind="automas", max_side=8, mid_game=False)
    seats, cities = scenario["rules"]["num_players"], len(scenario["cities"])
    colors = ["W", "B", "O", "G", *rng.choices("WBOGP", weights=[3, 3, 3, 3, rng.choice([0.5, 2])], k=cities)]
    bonuses = rng.choices(["track", "factory", "contracts", "none"], weights=[4, 3, 2, 1], k=MAX_CONTRACTS)
    deck = draw_deck(rng, MAX_CONTRACTS)
    return {
        **scenario,
        "rules": {**scenario["rules"], "max_rounds": rng.choice([5, 10, 20]), "contracts_to_end": 20},
        "cities": "".join(rng.sample(colors[:cities], cities)),
        "contracts": [{**card, "bonus": bonus} for card, bonus in zip(deck, bonuses, strict=True)],
        "seats": {"hands": [[]] * seats, "money": [rng.choice([0, 5, 20]) for _ in range(seats)]},
        "deck": {"order": rng.sample(range(MAX_CONTRACTS), MAX_CONTRACTS)},
    }


def tie_a_knot(rng: random.Random, scenario: Scenario) -> Scenario:
    """The start on a map where the shortest way between cities crosses itself, so that it is no path (rule 8.11).

    From Town South an Automa must cross player_0's links on C9 and D8. To Town West, on the other side of D8, it
    comes only by turning round over E7, F8 and E9, and by crossing D8 once more. Often there is a way to Town Far.
    """
    hexes = dict.fromkeys(["C9", "D10", "D8", "E7", "E9", "F8"], "plains")
    hexes |= dict.fromkeys(["G9", "G11", "F12"] if rng.random() < 0.7 else [], "plains")
    hexes |= dict.fromkeys(["C7", "C11", "D6", "E11"], "city")
    white = scenario["automa"]["corners"].index("white")
    return {
        **scenario,
        "map": {"name": "knot", "cities": ["Town West", "Town South", "Town North", "Town Far"], "hexes": hexes},
        "cities": f"PWP{rng.choice('BOGPPP')}",
        "contracts": [{**card, "needs": f"B{card['needs'][1:]}"} for card in scenario["contracts"]],  # a purple city
        "links": [
            {"owner": 0, "path": ["Town West", "C9", "D10", "D8", "Town North"]},
            {"owner": 0, "path": ["Town North", "E7", "E9", "Town Far"]},
        ],
        "automa": {**scenario["automa"], "marker": [(white - 1) % 4] * scenario["rules"]["automas"]},
    }


def begin_with_few_trains(start: Start, game: Game) -> Reference:
    """The reference; Automas have the trains that are left to them, in both engines."""
    reference: Reference = begin_reference(start, game)
    for seat, trains in start["trains"].items():
        game.record["trains"][seat] = reference.table.trains[seat] = trains
    return reference


def test_rule_8_4__automa_turns_are_as_the_reference_says() -> None:
    total = Played()
    for number in range(GAMES):
        rng = random.Random(f"2/{number}")
        scenario = draw_start(rng)
        if rng.random() < KNOTTED:
            scenario = tie_a_knot(rng, scenario)
        seats, automas = scenario["rules"]["num_players"], scenario["rules"]["automas"]
        trains: dict[int, Any] = {seat: rng.choice(FEW_TRAINS) for seat in range(seats - automas, seats)}
        total.add(play_game(number, begin_with_few_trains, {"scenario": scenario, "trains": trains}))
        assert not total.found, f"game {number}: {total.found}"
    rare = {what: total.met[what] for what, least in LEAST_MET.items() if total.met[what] < least}
    assert not rare, f"too seldom, so the test shows little: {rare}"


def test_rule_8_11__the_reference_lists_every_path() -> None:
    """What spares it dead ends spares no path: short ones are listed again without it."""
    listed = 0
    for number in range(40):
        rng = random.Random(f"paths {number}")
        table = Reference.from_scenario(draw_scenario(number, kind="players", max_side=8)).table
        city = rng.randrange(len(table.board.group))
        origins = [city] if rng.random() < 0.5 else table.board.members([table.board.group[city]])
        search = Search(table, origins, trains=rng.randint(1, 3))
        for group in [group for group, tiles in search.fewest.items() if 0 < tiles < 5]:
            paths = search.paths(group)
            assert paths == search.paths(group, spare=False)
            listed += len(paths)
    assert listed > 150
