"""Makes a difference small: the position just before it, with all left out that it does not need."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from steam_env import IllegalActionError
from tests.lockstep.compare import Begin, Start, begin_game, begin_reference, replay
from tests.lockstep.play import Found
from tests.lockstep.scenarios import Scenario, can_load

FOUND = Path(__file__).parent.parent / "found"
Stays = Callable[[Scenario, Sequence[str]], bool]


def minimise(found: Found, begin: Begin = begin_reference) -> Found:
    """The same kind of difference in a smaller scenario after fewer moves."""
    topic = found.difference.topic

    def stays(scenario: Scenario, moves: Sequence[str]) -> bool:
        if not can_load(scenario):
            return False
        try:
            difference = replay({"scenario": scenario}, moves, begin).difference
        except IllegalActionError:
            return False
        return difference is not None and difference.topic == topic

    scenario, moves = _find_latest(found, stays)
    if scenario is None:
        return found
    before = None
    while before != (before := json.dumps([scenario, moves])):
        moves = _drop_moves(scenario, moves, stays)
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


def _drop_moves(scenario: Scenario, moves: list[str], stays: Stays) -> list[str]:
    return _drop_items(moves, lambda kept: stays(scenario, kept))


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
    for key in ("links", "factories"):
        scenario = _drop_entries(scenario, moves, key, stays)
    scenario = _drop_hexes(scenario, moves, stays)
    scenario = _level_hexes(scenario, moves, stays)
    scenario, moves = _drop_contracts(scenario, moves, stays)
    for smaller in (*_simpler(scenario), *_fewer_seats(scenario)):
        if smaller(scenario) != scenario and stays(smaller(scenario), moves):
            scenario = smaller(scenario)
    return scenario, moves


def _drop_entries(scenario: Scenario, moves: list[str], key: str, stays: Stays) -> Scenario:
    kept = _drop_items(scenario.get(key, []), lambda items: stays({**scenario, key: items}, moves))
    return {**scenario, key: kept}


# --- the map ----------------------------------------------------------------------------------------------
def _drop_hexes(scenario: Scenario, moves: list[str], stays: Stays) -> Scenario:
    """Hexes left off the map, cities with their names and colours too."""
    if isinstance(scenario["map"], str):
        return scenario
    kept = _drop_items(list(scenario["map"]["hexes"]), lambda names: stays(_keep_hexes(scenario, names), moves))
    return _keep_hexes(scenario, kept)


def _keep_hexes(scenario: Scenario, names: list[str]) -> Scenario:
    board = scenario["map"]
    in_order = sorted((name for name, kind in board["hexes"].items() if kind == "city"), key=_place_of)
    kept = [index for index, name in enumerate(in_order) if name in set(names)]
    smaller = {
        **board,
        "cities": [board["cities"][index] for index in kept],
        "hexes": {name: board["hexes"][name] for name in names},
    }
    return {**scenario, "map": smaller, "cities": "".join(scenario["cities"][index] for index in kept)}


def _place_of(name: str) -> tuple[int, str, int]:
    letters = name.rstrip("0123456789")
    return len(letters), letters, int(name[len(letters) :])


def _level_hexes(scenario: Scenario, moves: list[str], stays: Stays) -> Scenario:
    """Plains instead of hills and mountains."""
    if isinstance(scenario["map"], str):
        return scenario
    for name, kind in scenario["map"]["hexes"].items():
        if kind in ("hills", "mountains", "water"):
            board = {**scenario["map"], "hexes": {**scenario["map"]["hexes"], name: "plains"}}
            if stays({**scenario, "map": board}, moves):
                scenario = {**scenario, "map": board}
    return scenario


# --- contracts --------------------------------------------------------------------------------------------
def _drop_contracts(scenario: Scenario, moves: list[str], stays: Stays) -> tuple[Scenario, list[str]]:
    """Contracts left out of the game; those after them move up by one."""
    if not isinstance(scenario["contracts"], list):
        return scenario, moves
    for contract in reversed(range(len(scenario["contracts"]))):
        smaller = _without_contract(scenario, contract)
        renamed = [_rename_contract(move, contract) for move in moves]
        if stays(smaller, renamed):
            scenario, moves = smaller, renamed
    return scenario, moves


def _without_contract(scenario: Scenario, gone: int) -> Scenario:
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


def _rename_contract(move: str, gone: int) -> str:
    word, *rest = move.split()
    if word != "fulfil":
        return move
    return f"fulfil {int(rest[0]) - (int(rest[0]) > gone)}"


# --- the rest ---------------------------------------------------------------------------------------------
Change = Callable[[Scenario], Scenario]


def _simpler(scenario: Scenario) -> Iterator[Change]:
    """Changes that make it simpler, each for itself."""
    for name in ("max_rounds", "contracts_to_end", "routing", "edition", "automa_level", "first_player"):
        yield lambda table, name=name: _change_table(table, "rules", name, None)
    for name in ("known",):
        yield lambda table, name=name: _change_table(table, "seats", name, None)
    yield lambda table: _change_table(table, "deck", "generation", None)
    yield lambda table: _change_table(table, "turn", "round", 1)
    yield lambda table: _change_table(table, "turn", "first_player", table["turn"]["seat"])
    yield lambda table: {**table, "off_map": ""}
    for seat in range(len(scenario["seats"]["money"])):
        for amount in (0, 1, 5, 50):
            yield lambda table, seat=seat, amount=amount: _set_money(table, seat, amount)
    if isinstance(scenario["contracts"], list):
        for number in range(len(scenario["contracts"])):
            for change in ({"bonus": "none"}, {"vp": 0}, {"money": 0}):
                yield lambda table, number=number, change=change: _change_contract(table, number, change)
            yield lambda table, number=number: _cut_needs(table, number)


def _change_table(scenario: Scenario, table: str, name: str, value: Any) -> Scenario:
    """One entry of a table set, or for None left out."""
    rest = {key: entry for key, entry in scenario[table].items() if key != name or value is not None}
    return {**scenario, table: rest if value is None else {**rest, name: value}}


def _set_money(scenario: Scenario, seat: int, amount: int) -> Scenario:
    money = list(scenario["seats"]["money"])
    if seat >= len(money) or money[seat] in (0, 1, 5, 50)[: (0, 1, 5, 50).index(amount)]:
        return scenario
    money[seat] = amount
    return _change_table(scenario, "seats", "money", money)


def _change_contract(scenario: Scenario, number: int, change: dict[str, Any]) -> Scenario:
    if number >= len(scenario["contracts"]):
        return scenario
    contracts = list(scenario["contracts"])
    contracts[number] = {**contracts[number], **change}
    return {**scenario, "contracts": contracts}


def _cut_needs(scenario: Scenario, number: int) -> Scenario:
    if number >= len(scenario["contracts"]) or len(scenario["contracts"][number]["needs"]) < 2:
        return scenario
    return _change_contract(scenario, number, {"needs": scenario["contracts"][number]["needs"][:-1]})


def _fewer_seats(scenario: Scenario) -> Iterator[Change]:
    if scenario["rules"].get("mode") != "solo":
        for _ in range(scenario["rules"]["num_players"] - 2):
            yield _without_last_seat


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
        automa = {**scenario["automa"]}
        for key in ("marker", "coins"):
            automa[key] = automa[key][:-1]
        smaller["automa"] = automa
        if not rules["automas"]:
            smaller.pop("automa")
    return smaller


# --- files ------------------------------------------------------------------------------------------------
def write_found(found: Found, folder: Path = FOUND) -> Path:
    """Write it as a file that ``tests/test_found.py`` replays from now on."""
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
