"""Random scenarios for tests: any map, deck, configuration and stage of the game that a scenario can hold.

``draw_scenario(seed)`` is a function of the seed alone. It draws the start of a game, lets seats of
different tastes (``players``) play on for a while, and disturbs the position: other money, other piles of
contracts, more factories, other rules.
"""

import copy
import random
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steam_env import Game, ScenarioError
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam_power.state import HAND_DEALT
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.rules import AUTOMA_LEVELS
from steam_env.words.scenario_file import read_scenario
from steam_env.words.steam_power.scenario_writing import write_scenario
from tests.verification.lockstep.players import COMPANIES, Players
from tests.verification.reference.geometry import STEPS

Scenario = dict[str, Any]
Hex = tuple[int, int]
Change = Callable[[random.Random, Scenario], None]

KINDS = ("players", "automas", "solo")
KIND_WEIGHTS = (4, 10, 2)
COLORS = "WBOGP"
RESOURCES = "WBOG"
RESOURCE_NAMES = ("white", "black", "orange", "gray")
BONUSES = ("none", "track", "factory", "contracts")
LAND = ("plains", "hills", "mountains")
MAX_CITIES = 33
MAX_SIDE = 12  # columns and rows of a map
MAX_CONTRACTS = 48
SOLO_ROUNDS = 8
BAG = 2 * COMPANIES  # trains in the solo bag


# --- maps -------------------------------------------------------------------------------------------------
def draw_map(rng: random.Random, max_side: int = MAX_SIDE, wide: bool = False) -> dict[str, Any]:
    """5x5 to 12x12 hexes: 2 to 33 cities, alone and in groups, hills, mountains, water, void; wide: few cities."""
    sides = range(max_side if wide else 5, max_side + 1)
    columns, rows = rng.choice(sides), rng.choice(sides)
    cells = [(col, 2 * row - col % 2) for col in range(1, columns + 1) for row in range(1, rows + 1)]
    terrain = _draw_land(rng, cells)
    room = sorted(terrain)
    dense = len(cells) // (20 if wide else rng.choice([3, 4, 5, 6, 8, 12]))
    number = dense if rng.random() < 0.75 or wide else rng.randint(2, MAX_CITIES)
    number = max(2, min(number, MAX_CITIES, len(room) - 2))
    for at in _choose_sites(rng, room, number):
        terrain[at] = "city"
    return _as_map(terrain, rng.choice([None, None, "WBOGP", "W" * 20 + "P" * 20]))


def _draw_land(rng: random.Random, cells: Sequence[Hex]) -> dict[Hex, str]:
    """Land of some roughness; where it is wet there is water or no hex at all."""
    wet = rng.choice([0, 0.02, 0.05, 0.1, 0.2])
    weights = [6, rng.choice([0.5, 1, 4]), rng.choice([0.2, 1, 3])]
    land = rng.choices(LAND, weights=weights, k=len(cells))
    terrain = {at: "water" if rng.random() < wet else kind for at, kind in zip(cells, land, strict=True)}
    return {at: kind for at, kind in terrain.items() if kind != "water" or rng.random() < 0.6}


def _choose_sites(rng: random.Random, cells: Sequence[Hex], number: int) -> set[Hex]:
    """Hexes for cities; the more sociable, the more of them stand beside another."""
    sociable = rng.choice([0, 0.1, 0.3, 0.6])
    chosen: set[Hex] = set()
    while len(chosen) < number:
        near = [at for at in cells if at not in chosen and any(neighbour in chosen for neighbour in _around(at))]
        chosen.add(rng.choice(near if near and rng.random() < sociable else cells))
    return chosen


def _around(at: Hex) -> list[Hex]:
    return [(at[0] + col, at[1] + row) for col, row in STEPS]


def _as_map(terrain: Mapping[Hex, str], tiles: str | None) -> dict[str, Any]:
    number = sum(kind == "city" for kind in terrain.values())
    table: dict[str, Any] = {
        "name": "random",
        "cities": [_name_city(index) for index in range(number)],
        "hexes": {f"{string.ascii_uppercase[col - 1]}{row}": kind for (col, row), kind in sorted(terrain.items())},
    }
    return table if tiles is None else {**table, "tiles": tiles}


def _name_city(index: int) -> str:
    """Names of two words and of one: Town a, ..., Town z, Zeda, ..."""
    letters = string.ascii_uppercase
    return f"{'Town ' if index < len(letters) else 'Zed'}{letters[index % len(letters)].lower()}"


def draw_colors(rng: random.Random, number: int) -> str:
    """Colours of cities: mixed, or nearly all the same so that a resource's stock runs out."""
    if rng.random() < 0.15:
        return "".join(rng.choices(rng.choice(RESOURCES) + rng.choice(COLORS), weights=[5, 1], k=number))
    colors = rng.choices(COLORS, weights=[3, 3, 3, 3, rng.choice([0.3, 2, 5])], k=number)
    return "".join(colors)


# --- contracts --------------------------------------------------------------------------------------------
def draw_deck(rng: random.Random, size: int) -> list[dict[str, Any]]:
    """Contracts of one temper: cheap or dear, with many or few bonuses."""
    most, money = rng.choice([1, 2, 3, 5, 5]), rng.choice([0, 3, 6, 15])
    bonuses = rng.choice([(1, 1, 1, 1), (1, 4, 3, 2), (4, 1, 1, 1), (0, 0, 1, 3)])
    wanted = rng.choice([RESOURCES, RESOURCES, rng.sample(RESOURCES, 2)])
    return [
        {
            "needs": "".join(rng.choices(wanted, k=rng.randint(1, most))),
            "money": rng.randint(0, money),
            "vp": rng.randint(0, 9),
            "bonus": rng.choices(BONUSES, weights=bonuses)[0],
            "automa": rng.choice(["track", "factory"]),
        }
        for _ in range(size)
    ]


def _scatter(rng: random.Random, contracts: list[int], piles: int, last: float = 1) -> list[list[int]]:
    """The contracts in so many piles of quite different sizes, of which the last may be larger.

    The order within a pile is random.
    """
    shares = [rng.choice([0, 0.3, 1, 1, 2]) for _ in range(piles)]
    shares[-1] *= last
    result: list[list[int]] = [[] for _ in range(piles)]
    if not any(shares):
        shares[-1] = 1
    for contract in rng.sample(contracts, len(contracts)):
        result[rng.choices(range(piles), weights=shares)[0]].append(contract)
    return result


# --- the start --------------------------------------------------------------------------------------------
def _draw_rules(rng: random.Random, kind: str) -> dict[str, Any]:
    rules: dict[str, Any] = {
        "routing": rng.choice(["any", "any", "cheapest"]),
        "max_rounds": rng.choice([6, 16, 32, 60, 60]),
    }
    if rng.random() < 0.8:
        rules["contracts_to_end"] = rng.choice([2, 8, 16, 48, 48])
    if kind == "solo":
        rules |= {"mode": "solo", "max_rounds": rng.choice([3, SOLO_ROUNDS, 100])}
        return rules
    seats = rng.choice([2, 2, 3, 4, 5])
    rules["num_players"] = seats
    if kind == "automas":
        rules |= {"automas": rng.randint(1, seats - 1), "automa_level": rng.choice(AUTOMA_LEVELS)}
    elif rng.random() < 0.5:
        rules["edition"] = "preview"
    if rng.random() < 0.1:
        rules["first_player"] = "player_0"
    return rules


def _draw_start(rng: random.Random, kind: str, max_side: int, wide: bool) -> Scenario:
    """The start of a game on a map without track, with contracts anywhere."""
    rules = _draw_rules(rng, kind)
    if wide and kind != "solo":
        rules["num_players"] = COMPANIES  # only many can use up the tiles
    board = draw_map(rng, max_side, wide)
    purses, automas = (1, 0) if kind == "solo" else (rules["num_players"], rules.get("automas", 0))
    players = purses - automas
    few = [1, rng.randint(2, 8)] if rng.random() < 0.25 else []
    size = rng.choice(few or [rng.randint(8, 24), rng.randint(24, 48), MAX_CONTRACTS])
    hands = _scatter(rng, list(range(size)), players + 1, last=3 + 5 * automas)
    first = 0 if rules.get("first_player") == "player_0" else rng.randrange(COMPANIES if kind == "solo" else players)
    scenario: Scenario = {
        "rules": rules,
        "map": board,
        "cities": draw_colors(rng, len(board["cities"])),
        "off_map": "".join(rng.choices(COLORS, k=rng.choice([0, 3, 8]))),
        "contracts": draw_deck(rng, size),
        "seats": {
            "money": [rng.choice([5, 15, 60, 300]) for _ in range(purses)],
            "hands": [sorted(hand) for hand in hands[:players]] + [[] for _ in range(automas)],
        },
        "turn": {"seat": first, "first_player": first},
        "deck": {"order": hands[players]},
    }
    if kind == "automas":
        corners = rng.sample(RESOURCE_NAMES, len(RESOURCE_NAMES))
        scenario["automa"] = {"corners": corners, "marker": [rng.randrange(4) for _ in range(automas)]}
    return scenario


# --- positions in mid-game --------------------------------------------------------------------------------
def _play_on(rng: random.Random, game: Game, steps: int, tastes: Sequence[str] | None = None) -> Game:
    """A position between actions after so many decisions, or the last one before the end.

    Often it is the last one in which an Automa has a coin path: not many have.
    """
    players = Players(rng, tastes=tastes)
    last = with_coins = game.clone()
    for _ in range(steps):
        if game.phase == "action":
            last = game.clone()
            with_coins = last if game.rules.automas and game.record["num_coins"].any() else with_coins
        game.step(players.choose(game))
        if game.done:
            break
    return with_coins if with_coins.num_steps and rng.random() < 0.5 else last


def _warm_up(rng: random.Random, scenario: Scenario, paved: bool) -> Scenario:
    """Let the seats play for a while, rich and with many rounds to go; the rules come back afterwards.

    Where the map is to be paved they lay long links that lead nowhere, so that few plain tiles remain.
    """
    rules = scenario["rules"]
    quick = {**scenario, "rules": {**rules, "max_rounds": 1000, "contracts_to_end": MAX_CONTRACTS}}
    crowded = paved or rng.random() < 0.2  # one or more seats lay until trains, tiles or land run out
    quick["seats"] = {
        **scenario["seats"],
        "money": [500 if crowded else rng.choice([20, 60]) for _ in scenario["seats"]["money"]],
    }
    steps = 800 if paved else rng.choice([200, 400, 800]) if crowded else rng.choice([10, 30, 80, 200])
    crowd = ["paver"] if paved else ["builder", "knotter", "winder", "lazy"]
    tastes = [rng.choice(crowd) for _ in range(COMPANIES)] if crowded else None
    later = _play_on(rng, Game.from_scenario(quick, seed=rng.getrandbits(32)), steps, tastes).to_scenario()
    later["rules"] = rules
    later["turn"]["round"] = rng.choice([1, rng.randint(1, min(rules["max_rounds"], SOLO_ROUNDS))])
    return later


def _disturb(rng: random.Random, scenario: Scenario) -> Scenario:
    """The position with several things changed, each of which may be anything that loads."""
    changes: list[Change] = [_change_money, _change_rules, _change_turn, _forget, _add_factories, _empty_factories]
    changes += [_change_generation, _change_marker, _change_bag, _lift_links, _lay_walks]
    chosen = [change for change in changes if rng.random() < 0.6]
    if rng.random() < 0.9:
        chosen.insert(0, _move_contracts)
    together = _apply(rng, scenario, chosen)
    if together is not None:
        return together
    for change in chosen:  # all but those that do not fit
        scenario = _apply(rng, scenario, [change]) or scenario
    return scenario


def _apply(rng: random.Random, scenario: Scenario, changes: Sequence[Change]) -> Scenario | None:
    """The scenario with the changes, None if it does not load with them."""
    changed = copy.deepcopy(scenario)
    try:
        for change in changes:
            change(rng, changed)
        read_scenario(changed, 0)
    except ScenarioError:
        return None
    return changed


def _change_money(rng: random.Random, scenario: Scenario) -> None:
    rich = rng.choice([[0, 1, 2], [0, 3, 8], [5, 20, 60], [0, 100]])
    scenario["seats"]["money"] = [rng.choice(rich) for _ in scenario["seats"]["money"]]


def _change_rules(rng: random.Random, scenario: Scenario) -> None:
    rules = scenario["rules"]
    kind = "solo" if rules.get("mode") == "solo" else "automas" if rules.get("automas") else "players"
    fresh = _draw_rules(rng, kind)
    keep = ("num_players", "automas", "first_player", "max_rounds")
    scenario["rules"] = {**fresh, **{name: rules[name] for name in keep if name in rules}}


def _change_turn(rng: random.Random, scenario: Scenario) -> None:
    turn, rules = scenario["turn"], scenario["rules"]
    if rules.get("mode") != "solo":
        players = rules["num_players"] - rules.get("automas", 0)
        any_seat = rng.random() < 0.2  # an Automa to move plays on loading
        turn["seat"] = rng.randrange(rules["num_players"] if any_seat else players)
        turn["actions_left"] = rng.choice([1, 2])
        turn["first_player"] = rng.randrange(players)


def _move_contracts(rng: random.Random, scenario: Scenario) -> None:
    """All contracts in new places."""
    seats, rules = scenario["seats"], scenario["rules"]
    solo = rules.get("mode") == "solo"
    automas = rules.get("automas", 0)
    players = 1 if solo else rules["num_players"] - automas
    everything = [number for pile in (*seats["hands"], *seats["fulfilled"]) for number in pile]
    everything += scenario["deck"]["order"] + scenario.get("automa", {}).get("discards", [])
    if solo:  # those set aside stay where they are: nowhere else
        hand, done, order = _scatter(rng, everything, 3)
        seats["hands"], seats["fulfilled"], scenario["deck"]["order"] = [sorted(hand)], [sorted(done)], order
        return
    many = rng.choice([0, 0.1])  # fulfilled
    done = [number for number in everything if rng.random() < many]
    rest = [number for number in everything if number not in done]
    piles = _scatter(rng, rest, players + 1, last=3 + 5 * automas)
    seats["hands"] = [sorted(hand) for hand in piles[:players]] + [[] for _ in range(automas)]
    seats["fulfilled"] = [sorted(pile) for pile in _scatter(rng, done, players + automas)]
    scenario["deck"]["order"] = piles[players]
    if automas:
        discards, scenario["deck"]["order"] = _scatter(rng, piles[players], 2, last=3)
        scenario["automa"]["discards"] = sorted(discards)
    seats["known"] = [
        sorted(
            number
            for other, hand in enumerate(seats["hands"])
            for number in hand
            if other != seat and seat < players and rng.random() < 0.3
        )
        for seat in range(players + automas)
    ]


def _forget(rng: random.Random, scenario: Scenario) -> None:
    if rng.random() < 0.4:
        scenario["seats"].pop("known", None)


def _lift_links(rng: random.Random, scenario: Scenario) -> None:
    """Some incomplete links of players off the map: there are a few tiles again where there were none."""
    players = len(scenario["seats"]["money"]) - scenario["rules"].get("automas", 0)
    often = rng.choice([0, 0.3, 0.8])
    loose = [link for link in scenario["links"] if "open" in link and link["owner"] < players and rng.random() < often]
    scenario["links"] = [link for link in scenario["links"] if link not in loose]


def _add_factories(rng: random.Random, scenario: Scenario) -> None:
    """Factories on any cities where they may stand, with any number of resources."""
    game = Game.from_scenario(scenario, seed=0)
    seats = len(game.trains)
    stock = dict(zip(RESOURCE_NAMES, game.record.stock.tolist(), strict=True))
    usual = 4 if seats == 2 else 5
    for name in game.setting.map.cities:
        city = game.city(name)
        color = city["color"]
        if color != "purple" and city["owner"] is None and city["connected"] and rng.random() < 0.5:
            resources = min(stock[color], rng.choice([0, 1, 2, usual, usual + 1]))
            stock[color] -= resources
            scenario["factories"].append({"owner": rng.randrange(seats), "city": name, "resources": resources})


def _empty_factories(rng: random.Random, scenario: Scenario) -> None:
    for factory in scenario.get("factories", []):
        factory["resources"] = min(factory["resources"], rng.choice([0, 1, 1, 2]))


def _change_generation(rng: random.Random, scenario: Scenario) -> None:
    scenario["deck"]["generation"] = [rng.choice([0, 0, 1, 2]) for _ in scenario["contracts"]]


def _change_marker(rng: random.Random, scenario: Scenario) -> None:
    if "automa" in scenario:
        scenario["automa"]["marker"] = [rng.randrange(4) for _ in scenario["automa"]["marker"]]


def _change_bag(rng: random.Random, scenario: Scenario) -> None:
    """Solo: another company to move, fewer trains to come."""
    if scenario["rules"].get("mode") == "solo":
        trains = rng.sample([*range(COMPANIES)] * 2, BAG)
        scenario["turn"]["seat"] = trains[0]
        scenario["solo"]["trains"] = trains[1 : rng.randint(1, BAG)]


def _lay_walks(rng: random.Random, scenario: Scenario) -> None:
    """Links along random walks, kept if they load: not all that could be laid are laid by playing."""
    seats = COMPANIES if scenario["rules"].get("mode") == "solo" else scenario["rules"]["num_players"]
    players = seats - scenario["rules"].get("automas", 0)
    sites = _find_sites(scenario["map"])
    cities = [at for at, name in sites.items() if name in scenario["map"]["cities"]]
    for _ in range(rng.choice([2, 4, 8])):
        link = _draw_walk(rng, sites, cities, rng.randrange(players))
        trial = {**scenario, "links": [*scenario["links"], link]}
        incomplete = [other for other in scenario["links"] if "open" in other and other["owner"] == link["owner"]]
        if incomplete:  # it must be the seat's last
            trial["links"] = [other for other in trial["links"] if other is not incomplete[0]]
        if _apply(rng, trial, []):
            scenario["links"] = trial["links"]


def _find_sites(board: Mapping[str, Any]) -> dict[Hex, str]:
    """By column and row: the name of the city or hex."""
    places = sorted(_read_hex(name) for name in board["hexes"])
    names = {_read_hex(name): name for name in board["hexes"]}
    cities = iter(board["cities"])
    return {at: next(cities) if board["hexes"][names[at]] == "city" else names[at] for at in places}


def _read_hex(name: str) -> Hex:
    return string.ascii_uppercase.index(name[0]) + 1, int(name[1:])


def _draw_walk(rng: random.Random, sites: Mapping[Hex, str], cities: Sequence[Hex], owner: int) -> dict[str, Any]:
    """From a city over hexes to another city, or to an open edge; much of this cannot lie on the map."""
    at = rng.choice(cities)
    path = [sites[at]]
    for _ in range(rng.randint(2, 6)):
        at = rng.choice([other for other in _around(at) if other in sites] or [at])
        path.append(sites[at])
        if at in cities:
            return {"owner": owner, "path": path}
    return {"owner": owner, "path": path, "open": rng.choice(EDGE_NAMES)}


# --- scenarios --------------------------------------------------------------------------------------------
def draw_scenario(
    seed: int, *, kind: str | None = None, max_side: int = MAX_SIDE, mid_game: bool | None = None
) -> Scenario:
    """A scenario that loads, complete with deck order and random state.

    Args:
        seed: all that is random follows from it.
        kind: "players", "automas" or "solo"; None draws one.
        max_side: columns and rows of the map at most, 5 to 12.
        mid_game: whether there has been play before; None draws it.
    """
    rng = random.Random(f"scenario {seed}")
    drawn = rng.choices(KINDS, weights=KIND_WEIGHTS)[0]
    paved = max_side == MAX_SIDE and rng.random() < 0.05
    scenario = _draw_start(rng, kind or drawn, max_side, paved)
    if rng.random() < 0.8 if mid_game is None else mid_game:
        scenario = _disturb(rng, _warm_up(rng, scenario, paved))
    return _complete(scenario, rng.getrandbits(32))


def _complete(scenario: Scenario, seed: int) -> Scenario:
    """Every entry written out, as the game that begins here has it before any Automa moves."""
    return write_scenario(read_scenario(scenario, seed)[1])


# --- deals ------------------------------------------------------------------------------------------------
DEALS = 0.05  # share of the games that begin with a deal
DEALT_MAPS = (("mini", "mini"), ("mini", "standard"), ("midwest", "standard"), ("alps", "standard"))


def draw_start(seed: int) -> dict[str, Any]:
    """How a game begins: a scenario, or now and then the rules and the seed of a deal on a shipped map."""
    rng = random.Random(f"start {seed}")
    if rng.random() >= DEALS:
        return {"scenario": draw_scenario(seed)}
    rules = _draw_rules(rng, rng.choices(KINDS, weights=KIND_WEIGHTS)[0])
    rules |= {"max_rounds": rng.choice([3, 6, 100])}
    fitting = [
        pair for pair in DEALT_MAPS if rules.get("num_players", 1) - rules.get("automas", 0) <= _most_players(pair)
    ]
    board, deck = rng.choice(fitting)
    return {"rules": {**rules, "map": board, "contracts": deck}, "seed": rng.getrandbits(32)}


def _most_players(pair: tuple[str, str]) -> int:
    """For whom the deck is large enough (rule 2.2)."""
    return len(load_deck(pair[1]).contracts) // HAND_DEALT
