"""Random starts of Steam: any map, options and stage of the game that a scenario can hold.

``draw_start(seed)`` is a function of the seed alone. It draws a deal, lets seats of different tastes play on for a
while, and disturbs the position: other money, other cubes, owners and tiles, other rules. Not everything that comes
of it can exist: both engines must say so.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

from steam_env.data.steam.tiles import load_tiles, tiles_to_list
from tests.rules_steam.kernels import Kernels
from tests.verification.invariants_steam import SCENARIO_PHASES, draw_rules
from tests.verification.lockstep_steam.players import Players
from tests.verification.maps_steam import EDGES, STEPS, draw_cities, draw_map, draw_names, name_hex
from tests.verification.reference_steam import Rules

Scenario = dict[str, Any]
Change = Callable[[random.Random, Scenario], None]

SIDES = range(5, 17)  # hexes along a side of a map
DEALS = 0.15  # share of games that begin with a deal
CROWDED = 0.01  # share of games that begin with as many links as there may be, or nearly
CUBES = "R" * 20 + "Y" * 20 + "P" * 20 + "B" * 20 + "G" * 16
SPACES, MARKERS = 12, 10
STEPS_PLAYED = (5, 20, 60, 150, 300)
PURSES = ((0, 1, 2), (0, 3, 8), (5, 20, 60), (0, 100))
TO_BE_DONE = (5, 7)  # action tiles that are carried out in the track turn
LONGEST_WALK = 5  # hexes
MOST_LINKS = 256  # rule 2.7
FIELD_COLUMNS, FIELD_ROWS = (2, 6, 10, 14), range(4, 35, 2)  # where the stops of a crowded map are
SIDEWAYS = ("NE", "SE", "SW", "NW")


# --- deals ------------------------------------------------------------------------------------------
def draw_start(seed: int) -> dict[str, Any]:
    """How a game begins: a scenario, or the rules, the map and the seed of a deal."""
    rng = random.Random(f"steam {seed}")
    if random.Random(f"crowded {seed}").random() < CROWDED:
        return {"scenario": crowd(rng)}
    deal = draw_deal(rng)
    if rng.random() < DEALS:
        return deal
    return {"scenario": disturb(rng, warm_up(rng, deal))}


def draw_deal(rng: random.Random) -> dict[str, Any]:
    """Any options, on a map of 5x5 to 16x16 hexes."""
    board = draw_map(rng, rng.choice(SIDES), 2 * rng.choice(SIDES))
    return {"rules": vars(draw_rules(rng, board)), "map": board, "seed": rng.getrandbits(31)}


# --- as many links as there may be (rule 2.7) --------------------------------------------------------
def crowd(rng: random.Random) -> Scenario:
    """The track turn of a rich seat on a map with 256 links, or a few less: each stop has four."""
    board = draw_field(rng)
    rules = Rules(num_players=rng.randint(3, 5), tiles="unlimited", bankruptcy="forgiven")
    scenario = Kernels.from_chance(rules, board, rng).to_scenario(board)
    seats = rules.num_players
    change_turn(rng, scenario, "build")
    scenario["seats"]["money"] = [rng.choice((5, 100)) for _ in range(seats)]
    links = [link | {"owner": rng.randrange(-1, seats)} for link in list_first_pieces(board)]
    scenario["links"] = rng.sample(links, MOST_LINKS - rng.choice((0, 0, 0, 1, 2)))
    return scenario


def draw_field(rng: random.Random) -> Scenario:
    """Four columns of 16 stops, so far from each other that the first pieces of their links do not meet."""
    places = [(column, row) for column in FIELD_COLUMNS for row in FIELD_ROWS]
    above = rng.sample(places[:: len(FIELD_ROWS)], rng.randint(1, len(FIELD_COLUMNS)))  # with plain land to the north
    cities = {*above, *rng.sample(places[3 :: len(FIELD_ROWS)], rng.randint(0, 2))}
    signs = {at: "@" if at in cities else rng.choice("ooO") for at in places}
    signs |= {(column, FIELD_ROWS[0] - 2): rng.choice(".h") for column in FIELD_COLUMNS}
    for column in FIELD_COLUMNS:
        for row in range(FIELD_ROWS[0] - 1, FIELD_ROWS[-1] + 2, 2):
            signs |= {(column - 1, row): rng.choice("..h"), (column + 1, row): rng.choice("..h")}
    names = draw_names(rng, len(places))
    rows = range(1, FIELD_ROWS[-1] + 2)
    return {
        "name": "field",
        "seats": [3, 4, 5],
        "cities": draw_cities(rng, [names.pop() for _ in cities]),
        "towns": [names.pop() for at in places if at not in cities],
        "rows": "\n".join("".join(signs.get((column, row), " ") for column in range(1, 16)) for row in rows),
    }


def list_first_pieces(board: Mapping[str, Any]) -> list[Scenario]:
    """Four links of each stop without their owners: the spurs of a town, the first tiles of a city."""
    sites, towns = find_sites(board), set(board["towns"])
    found: list[Scenario] = []
    for at, stop in sites.items():
        if stop in towns:
            found += [{"path": [stop], "open": edge} for edge in SIDEWAYS]
        elif at[0] in FIELD_COLUMNS and at[1] in FIELD_ROWS:
            beside = {edge: sites[at[0] + step[0], at[1] + step[1]] for edge, step in zip(EDGES, STEPS, strict=True)}
            found += [{"path": [stop, beside[edge]], "open": "S"} for edge in SIDEWAYS]
    return found


# --- positions in mid-game --------------------------------------------------------------------------
def warm_up(rng: random.Random, deal: Mapping[str, Any]) -> Scenario:
    """The last position between two turns of seats that have played on for a while, all forgiven and with time."""
    rules = {**deal["rules"], "turns": None, "start": "random", "bankruptcy": "forgiven"}
    kernels = Kernels.from_chance(Rules(**rules), deal["map"], random.Random(deal["seed"]))
    players = Players(rng, kernels.game.seats)
    last = kernels.copy()
    for _ in range(rng.choice(STEPS_PLAYED)):
        if kernels.game.phase.upper() in SCENARIO_PHASES:
            last = kernels.copy()
        kernels.apply(players.choose(kernels.game))
        if kernels.game.done:
            break
    return last.to_scenario(deal["map"])


def disturb(rng: random.Random, scenario: Scenario) -> Scenario:
    """The position with several things changed, each of which may be anything."""
    for change in CHANGES:
        if rng.random() < SHARES.get(change, USUAL_SHARE):
            change(rng, scenario)
    return scenario


def change_rules(rng: random.Random, scenario: Scenario) -> None:
    fresh = vars(draw_rules(rng, {"seats": [scenario["rules"]["num_players"]]}))
    scenario["rules"] = {name: value for name, value in fresh.items() if value is not None}


def change_purses(rng: random.Random, scenario: Scenario) -> None:
    """Rich seats, poor ones, and such as are nearly bankrupt."""
    seats, purse = scenario["seats"], rng.choice(PURSES)
    lowest = rng.choice((-10, -10, -5))
    for number in range(len(seats["money"])):
        seats["money"][number] = rng.choice(purse)
        seats["income"][number] = rng.randint(lowest, rng.choice((lowest + 2, 0, 3, 10)))
        seats["vp"][number] = rng.choice((0, 1, 2, 5, 20))
        seats["level"][number] = rng.randint(1, 6)


def change_cubes(rng: random.Random, scenario: Scenario) -> None:
    """Other cubes in cities and in the supply, of which there are none too many; many groups are empty."""
    cubes = rng.sample(CUBES, len(CUBES))
    most, most_in_space = rng.choice((1, 2, 4)), rng.choice((0, 1, 2, 3))
    for city in scenario["cubes"]:
        scenario["cubes"][city] = "".join(cubes.pop() for _ in range(min(len(cubes), rng.randint(0, most))))
    for space in range(SPACES):
        count = min(len(cubes), rng.randint(0, most_in_space))
        scenario["supply"][space] = "".join(cubes.pop() for _ in range(count))


def change_markers(rng: random.Random, scenario: Scenario) -> None:
    cities = [city["name"] for city in scenario["map"]["cities"]]
    scenario["grown"] = rng.sample(cities, min(len(cities), rng.choice((0, 3, MARKERS, MARKERS))))


def change_owners(rng: random.Random, scenario: Scenario) -> None:
    seats, often = range(-1, len(scenario["seats"]["money"])), rng.choice((0.1, 0.4, 1))
    for link in scenario["links"]:
        if rng.random() < often:
            link["owner"] = rng.choice(seats)


def drop_links(rng: random.Random, scenario: Scenario) -> None:
    often = rng.choice((0.1, 0.3))
    scenario["links"] = [link for link in scenario["links"] if rng.random() > often]


def change_marks(rng: random.Random, scenario: Scenario) -> None:
    """Only own incomplete links in a track turn can have one."""
    for link in scenario["links"]:
        link.pop("extended", None)
        own = link["owner"] == scenario["turn"].get("seat")
        if own and "open" in link and scenario["turn"]["phase"] == "build" and rng.random() < 0.5:
            link["extended"] = True


def change_stock(rng: random.Random, scenario: Scenario) -> None:
    """A few tiles of each kind more than lie on the map."""
    state = Kernels.from_scenario(scenario).state()
    used = {kind.kind: kind.number - state["stock"].get(kind.kind, 0) for kind in load_tiles()}
    if scenario["rules"].get("tiles") != "unlimited":
        more = rng.choice(((0, 1), (0, 1, 3), (0, 0, 20)))
        scenario["tiles"] = [
            {**row, "count": used[str(row["kind"])] + rng.choice(more)} for row in tiles_to_list(load_tiles())
        ]


def change_turn(rng: random.Random, scenario: Scenario, phase: str = "") -> None:
    """Another phase, the given one if there is one; another order, other action tiles."""
    seats, turn = scenario["seats"], scenario["turn"]
    count, phase = len(seats["money"]), phase or rng.choice(("take", "build", "build", "goods", "goods"))
    tiles = rng.sample(range(1, 8), count) if phase != "take" else [0] * count
    order = rng.sample(range(count), count)
    seats["tile"] = tiles
    seats["passed"] = [tile in TO_BE_DONE and rng.random() < 0.3 for tile in tiles]
    seats["improved"] = [False] * count
    seats["to_do"] = [False] * count
    scenario["turn"] = {"number": turn["number"], "phase": phase, "order": order}
    if phase == "build":
        first = [seat for seat in order if tiles[seat] == 4] or order
        scenario["turn"]["seat"] = first[0]
        seats["to_do"] = [tile in TO_BE_DONE and not out for tile, out in zip(tiles, seats["passed"], strict=True)]
        scenario["turn"]["placements"] = rng.choice((0, 0, 1, 2, 3))
    if phase == "goods":
        scenario["turn"]["round"] = rng.choice((1, 2))
        if scenario["turn"]["round"] == 2:
            seats["improved"] = [rng.random() < 0.3 for _ in range(count)]


def change_number(rng: random.Random, scenario: Scenario) -> None:
    scenario["turn"]["number"] = rng.randint(1, scenario["rules"].get("turns") or 7)


def ruin_seat(rng: random.Random, scenario: Scenario) -> None:
    """A seat that has gone bankrupt in an earlier turn."""
    seats, turn = scenario["seats"], scenario["turn"]
    others = [number for number in range(len(seats["money"])) if number != turn.get("seat")]
    if turn["number"] == 1:
        turn["number"] = 2
    gone = rng.choice(others)
    for name in ("money", "vp", "tile"):
        seats[name][gone] = 0
    for name in ("passed", "to_do", "improved"):
        seats[name][gone] = False
    seats["bankrupt"][gone] = rng.randrange(1, turn["number"])
    turn["order"] = [seat for seat in turn["order"] if seat != gone] + [gone]
    for link in scenario["links"]:
        link["owner"] = -1 if link["owner"] == gone else link["owner"]


def lay_walks(rng: random.Random, scenario: Scenario) -> None:
    """Links along random walks: much of this cannot lie on the map."""
    sites = find_sites(scenario["map"])
    hexes = {name: at for at, name in sites.items()}
    stops = [city["name"] for city in scenario["map"]["cities"]] + scenario["map"]["towns"]
    for _ in range(rng.choice((1, 1, 3))):
        path = [rng.choice(stops)]
        while len(path) < LONGEST_WALK and (len(path) == 1 or path[-1] not in stops):
            column, row = hexes[path[-1]]
            step = rng.choice(STEPS)
            beside = sites.get((column + step[0], row + step[1]))
            if beside is None:
                break
            path.append(beside)
        link = {"owner": rng.randrange(-1, len(scenario["seats"]["money"])), "path": path}
        scenario["links"].append(
            link if path[-1] in stops[1:] and len(path) > 1 else {**link, "open": rng.choice(EDGES)}
        )


def find_sites(board: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    """By column and row the name of the stop or hex, water left out."""
    cities, towns = (city["name"] for city in board["cities"]), iter(board["towns"])
    rows = board["rows"].split("\n")
    cells = {(column + 1, row + 1): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}
    return {
        at: next(cities) if cells[at] == "@" else next(towns) if cells[at] in "oO" else name_hex(at)
        for at in sorted(cells)
        if cells[at] not in " ~"
    }


CHANGES: tuple[Change, ...] = (
    *(change_stock, change_rules, change_number, change_turn, change_purses, change_cubes, change_markers),
    *(change_owners, drop_links, ruin_seat, change_marks, lay_walks),
)
USUAL_SHARE = 0.4
SHARES: dict[Change, float] = {lay_walks: 0.1, ruin_seat: 0.15, change_marks: 0.9, change_markers: 0.2}
