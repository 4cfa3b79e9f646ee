"""Makes a difference small: the position just before it, with all left out that it does not need."""

import copy
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from steam_env import IllegalActionError, ScenarioError
from tests.verification.lockstep.compare import Begin, Start, begin_game, begin_reference, replay
from tests.verification.lockstep.played import Found
from tests.verification.lockstep.scenarios import Scenario

FOUND = Path(__file__).parent.parent / "found"
Stays = Callable[[Scenario, Sequence[str]], bool]


def minimise(found: Found, begin: Begin = begin_reference) -> Found:
    """The same kind of difference in a smaller scenario after fewer moves."""
    topic = found.difference.topic

    def stays(scenario: Scenario, moves: Sequence[str]) -> bool:
        try:
            difference = replay({"scenario": scenario}, moves, begin).difference
        except (ScenarioError, IllegalActionError):
            return False
        return difference is not None and difference.topic == topic

    scenario, moves = _find_latest(found, stays)
    if scenario is None:
        return found
    before = None
    while before != (before := json.dumps([scenario, moves])):
        moves = _drop_items(moves, partial(stays, scenario))
        scenario, moves = _shrink(scenario, moves, stays)
    difference = replay({"scenario": scenario}, moves, begin).difference
    assert difference is not None, "the difference has stayed all the way"
    return Found({"scenario": scenario}, moves, difference)


def _find_latest(found: Found, stays: Stays) -> tuple[Scenario | None, list[str]]:
    """The latest position between actions from which the rest of the moves shows the difference."""
    game = begin_game(found.start)
    positions: list[tuple[Scenario, list[str]]] = []
    for number, move in enumerate(found.moves):
        if game.phase == "action":
            positions.append((game.to_scenario(), list(found.moves[number:])))
        game.step(move)
    if not game.done and game.phase == "action":
        positions.append((game.to_scenario(), []))
    if "scenario" in found.start:
        positions.insert(0, (dict(found.start["scenario"]), list(found.moves)))
    return next((position for position in reversed(positions) if stays(*position)), (None, []))


def _drop_items(items: list[Any], stays: Callable[[list[Any]], bool]) -> list[Any]:
    """The list with as much left out as can be, first in large pieces and then one by one."""
    piece = max(1, len(items) // 2)
    while True:
        start = 0
        while start < len(items):
            kept = items[:start] + items[start + piece :]
            if stays(kept):
                items = kept
            else:
                start += piece
        if piece == 1:
            return items
        piece //= 2


def _shrink(scenario: Scenario, moves: list[str], stays: Stays) -> tuple[Scenario, list[str]]:
    """The scenario with less of everything."""
    if isinstance(scenario["map"], dict):
        hexes = list(scenario["map"]["hexes"])
        scenario = _keep_hexes(scenario, _drop_items(hexes, lambda kept: stays(_keep_hexes(scenario, kept), moves)))
    if isinstance(scenario["contracts"], list):
        for contract in reversed(range(len(scenario["contracts"]))):
            smaller, renamed = _without_contract(scenario, contract), [_rename(move, contract) for move in moves]
            if stays(smaller, renamed):
                scenario, moves = smaller, renamed
    while len(scenario["seats"]["money"]) > 2 and stays(_without_last_seat(scenario), moves):
        scenario = _without_last_seat(scenario)
    for place in reversed(list(_walk(scenario))):
        for plainer in _plainer(place, scenario):
            if stays(plainer, moves):
                scenario = plainer
                break
    return scenario, moves


# --- every entry ------------------------------------------------------------------------------------------
ABSENT = object()
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
PLAIN: dict[type, tuple[Any, ...]] = {int: (0, 1, 5, 50), str: ("", "none", "plains")}


def _walk(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every entry: keys and indices on the way to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in items:
        yield (*place, key)
        yield from _walk(entry, (*place, key))


def _plainer(place: tuple[Any, ...], scenario: Scenario) -> Iterator[Scenario]:
    """The scenario without the entry, or with a plainer value of it."""
    value: Any = scenario
    for key in place:
        value = value[key]
    values = PLAIN.get(type(value), ())
    shorter = [value[:-1]] if isinstance(value, str) and place[-1] == "needs" else []
    optional = isinstance(place[-1], int) or place[-1] in OPTIONAL
    for other in (*[ABSENT] * optional, *(values[: values.index(value)] if value in values else values), *shorter):
        changed = container = copy.deepcopy(scenario)
        for key in place[:-1]:
            container = container[key]
        if other is ABSENT:
            del container[place[-1]]
        else:
            container[place[-1]] = other
        yield changed


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


# --- files ------------------------------------------------------------------------------------------------
def write_found(found: Found, folder: Path = FOUND) -> Path:
    """Write it as a file that ``tests/test_transcripts.py`` replays from now on."""
    text = json.dumps(
        {"difference": str(found.difference), "start": dict(found.start), "moves": list(found.moves)}, indent=1
    )
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    folder.mkdir(exist_ok=True)
    path = folder / f"{found.difference.topic.replace('.', '-')}-{digest}.json"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def read_found(path: Path) -> tuple[Start, list[str]]:
    """The start and the moves of such a file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return content["start"], content["moves"]
