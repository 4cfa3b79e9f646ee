"""Makes a difference of Steam Power small."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from tests.verification.lockstep.compare import Begin, Start, begin_game, begin_reference, replay
from tests.verification.lockstep.played import Found
from tests.verification.lockstep.shrinking import (
    Position,
    Scenario,
    Shrinking,
    Stays,
    drop_items,
    make_plainer,
    minimise_with,
)

OPTIONAL = (
    "max_rounds",
    "contracts_to_end",
    "routing",
    "edition",
    "automa_level",
    "first_player",
    "known",
    "generation",
)


def minimise(found: Found, begin: Begin = begin_reference) -> Found:
    """The same kind of difference in a smaller scenario after fewer moves."""
    return minimise_with(Shrinking(partial(replay, begin=begin), list_positions, shrink), found)


def list_positions(start: Start, moves: Sequence[str]) -> list[Position]:
    """Positions between actions, each with the rest of the moves."""
    game = begin_game(start)
    positions: list[Position] = []
    if "scenario" in start:
        positions.append((dict(start["scenario"]), list(moves)))
    for number, move in enumerate(moves):
        if game.phase == "action":
            positions.append((game.to_scenario(), list(moves[number:])))
        game.step(move)
    if not game.done and game.phase == "action":
        positions.append((game.to_scenario(), []))
    return positions


def shrink(scenario: Scenario, moves: list[str], stays: Stays) -> Position:
    """The scenario with less of everything."""
    if isinstance(scenario["map"], dict):
        hexes = list(scenario["map"]["hexes"])
        scenario = _keep_hexes(scenario, drop_items(hexes, lambda kept: stays(_keep_hexes(scenario, kept), moves)))
    if isinstance(scenario["contracts"], list):
        for contract in reversed(range(len(scenario["contracts"]))):
            smaller, renamed = _without_contract(scenario, contract), [_rename(move, contract) for move in moves]
            if stays(smaller, renamed):
                scenario, moves = smaller, renamed
    while len(scenario["seats"]["money"]) > 2 and stays(_without_last_seat(scenario), moves):
        scenario = _without_last_seat(scenario)
    return make_plainer(scenario, moves, stays, OPTIONAL), moves


# --- the map ----------------------------------------------------------------------------------------------
def _keep_hexes(scenario: Scenario, names: list[str]) -> Scenario:
    """These hexes alone; cities take their names and colours with them."""
    board = scenario["map"]
    in_order = sorted((name for name, kind in board["hexes"].items() if kind == "city"), key=_place_of)
    kept = [index for index, name in enumerate(in_order) if name in set(names)]
    cities, hexes = [board["cities"][index] for index in kept], {name: board["hexes"][name] for name in names}
    colors = "".join(scenario["cities"][index] for index in kept)
    return {**scenario, "map": {**board, "cities": cities, "hexes": hexes}, "cities": colors}


def _place_of(name: str) -> tuple[int, str, int]:
    letters = name.rstrip("0123456789")
    return len(letters), letters, int(name[len(letters) :])


# --- contracts and seats ----------------------------------------------------------------------------------
def _without_contract(scenario: Scenario, gone: int) -> Scenario:
    """The contract left out; those after it move up by one."""

    def renumber(piles: Any) -> Any:
        if isinstance(piles, list):
            return [renumber(item) for item in piles if item != gone]
        return piles - (piles > gone)

    seats = {key: pile if key == "money" else renumber(pile) for key, pile in scenario["seats"].items()}
    deck = {**scenario["deck"], "order": renumber(scenario["deck"]["order"])}
    if "generation" in deck:
        deck["generation"] = deck["generation"][:gone] + deck["generation"][gone + 1 :]
    contracts = scenario["contracts"][:gone] + scenario["contracts"][gone + 1 :]
    smaller = {**scenario, "contracts": contracts, "seats": seats, "deck": deck}
    if "automa" in scenario:
        smaller["automa"] = {**scenario["automa"], "discards": renumber(scenario["automa"]["discards"])}
    return smaller


def _rename(move: str, gone: int) -> str:
    word, *rest = move.split()
    return f"fulfil {int(rest[0]) - (int(rest[0]) > gone)}" if word == "fulfil" else move


def _without_last_seat(scenario: Scenario) -> Scenario:
    """One seat fewer, an Automa where there are any; its contracts go under the deck."""
    rules = dict(scenario["rules"])
    rules["num_players"] -= 1
    gone = rules["num_players"]
    if rules.get("automas"):
        rules["automas"] -= 1
    seats = {key: list(entries[:-1]) for key, entries in scenario["seats"].items()}
    left = [*scenario["seats"]["hands"][-1], *scenario["seats"]["fulfilled"][-1]]
    if "known" in seats:
        seats["known"] = [[number for number in known if number not in left] for known in seats["known"]]
    smaller = {
        **scenario,
        "rules": rules,
        "seats": seats,
        "deck": {**scenario["deck"], "order": [*scenario["deck"]["order"], *left]},
        "links": [link for link in scenario["links"] if link["owner"] != gone],
        "factories": [factory for factory in scenario["factories"] if factory["owner"] != gone],
    }
    if "automa" in scenario:
        automa = scenario["automa"]
        smaller["automa"] = {**automa, "marker": automa["marker"][:-1], "coins": automa["coins"][:-1]}
        if not rules["automas"]:
            del smaller["automa"]
    return smaller
