"""What one decision of a game of Steam may change, told anew from states and texts alone.

Money is reckoned in closed form here, where an engine pays step by step; links are taken from their paths, where an
engine follows track.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

State = Mapping[str, Any]

STEP, VP_OF_STEP, LEAST_INCOME, TOP_LEVEL = 5, 2, -10, 6
CUBES = Counter({"R": 20, "Y": 20, "P": 20, "B": 20, "G": 16})
NEW_CITIES = {"red": 1, "yellow": 1, "purple": 1, "blue": 1, "gray": 4}
EDGES = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)}
TILES, MARKERS, MOST_LINKS = 130, 10, 256
KEYS = {
    *("turn", "turns", "phase", "mover", "done", "order", "round", "placements"),
    *("money", "income", "vp", "level", "bankrupt", "tile", "passed", "to_do", "improved", "complete_links"),
    *("cubes", "supply", "bag", "grown", "markers_left", "new_cities", "new_left", "tiles", "stock", "links"),
    *("chain", "auction", "scores", "winners", "places"),
}


class InvariantError(AssertionError):
    """Something does not hold that must always hold."""


def require(fine: object, words: str, *values: object) -> None:
    if not fine:
        raise InvariantError(" ".join([words, *map(repr, values)]))


# --- the map --------------------------------------------------------------------------------------
class Chart:
    """The map as the checks need it."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.signs = {
            (column, row): sign
            for row, line in enumerate(board["rows"].split("\n"), 1)
            for column, sign in enumerate(line, 1)
            if sign not in " ~"
        }
        self.rivers = set(board.get("rivers", ()))
        cities = sorted(at for at, sign in self.signs.items() if sign == "@")
        towns = sorted(at for at, sign in self.signs.items() if sign in "oO")
        self.at = {city["name"]: at for city, at in zip(board.get("cities", ()), cities, strict=True)}
        self.town_at = dict(zip(board.get("towns", ()), towns, strict=True))
        self.walls = set()
        for wall in board.get("walls", ()):
            name, edge = wall.split()
            self.walls.add(frozenset((read_hex(name), beside(read_hex(name), edge))))

    def place(self, name: str) -> tuple[int, int]:
        return (self.at | self.town_at).get(name) or read_hex(name)

    def cities(self, state: State) -> set[tuple[int, int]]:
        return set(self.at.values()) | {self.town_at[name] for name in state["new_cities"]}

    def cost(self, state: State, at: str, pattern: str) -> int:
        """Rule 8.6."""
        sign, exits = self.signs[read_hex(at)], len(re.split(r"[-+]", pattern))
        new = at not in state["tiles"]
        return exits + (sign in "oO") + new * ((at in self.rivers) + 2 * (sign in "hO"))


def read_hex(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("A") + 1, int(name[1:])


def name_hex(at: tuple[int, int]) -> str:
    return f"{chr(ord('A') + at[0] - 1)}{at[1]}"


def beside(at: tuple[int, int], edge: str) -> tuple[int, int]:
    return at[0] + STEPS[edge][0], at[1] + STEPS[edge][1]


def opposite(edge: str) -> str:
    return EDGES[(EDGES.index(edge) + 3) % 6]


# --- one position ---------------------------------------------------------------------------------
def check_state(chart: Chart, state: State) -> None:
    """What must hold of a position."""
    require(set(state) == KEYS, "keys of the state", set(state) ^ KEYS)
    check_numbers(state)
    check_cubes(state)
    check_track(chart, state)
    check_turn(state)


def check_numbers(state: State) -> None:
    """Rules 4.1, 12.1, 13.5."""
    links = [sum(link["owner"] == seat and "open" not in link for link in state["links"]) for seat in seats_of(state)]
    require(state["complete_links"] == links, "complete links", state["complete_links"], links)
    for seat in seats_of(state):
        money, income, vp = (state[name][seat] for name in ("money", "income", "vp"))
        require(money >= 0 and vp >= 0 and income >= LEAST_INCOME, "a number off its track", seat, money, income, vp)
        require(1 <= state["level"][seat] <= TOP_LEVEL, "level", state["level"])
        worth = income // 2 if income > 0 else 2 * income
        score = -21 if state["bankrupt"][seat] else vp + worth + links[seat]
        require(state["scores"][seat] == score, "score", seat, state["scores"], score)
        gone = state["bankrupt"][seat]
        require(not gone or money == vp == links[seat] == 0, "a bankrupt seat has something (rule 13.1)", seat)


def seats_of(state: State) -> range:
    return range(len(state["money"]))


def check_cubes(state: State) -> None:
    """Rules 4.2, 4.3: nothing is ever made or lost."""
    met = Counter("".join([*state["cubes"].values(), *state["supply"]])) + Counter(state["bag"])
    require(met == CUBES and min(state["bag"].values()) >= 0, "cubes", met)
    for letters in [*state["cubes"].values(), *state["supply"]]:
        require(list(letters) == sorted(letters, key="RYPBG".index), "cubes out of order", letters)
    laid = Counter(state["new_cities"].values())
    require({color: count - laid[color] for color, count in NEW_CITIES.items()} == state["new_left"], "New Cities")
    require(len(state["grown"]) + state["markers_left"] == MARKERS, "growth markers")
    if state["stock"]:
        require(sum(state["stock"].values()) + len(state["tiles"]) == TILES, "tiles", state["stock"])
        require(min(state["stock"].values()) >= 0, "stock", state["stock"])


def check_track(chart: Chart, state: State) -> None:
    """Rules 3.1 to 3.4, 8.3 a and c: the segments of all links' paths are what the tiles show."""
    cities = chart.cities(state)
    shown: dict[str, list[str]] = {}
    for link in state["links"]:
        for name, segment in segments_of(chart, cities, link):
            shown.setdefault(name, []).append(segment)
        ends = [chart.place(link["path"][place]) for place in (0, -1)]
        stops = cities | {at for name, at in chart.town_at.items() if name not in state["new_cities"]}
        require(ends[0] in stops, "a link without a stop (rule 3.4)", link)
        if "open" in link:
            check_head(chart, state, cities, link)
        else:
            require(ends[1] in stops and ends[0] != ends[1], "the ends of a link (rule 3.4)", link)
            require(ends[0] < ends[1] and "extended" not in link, "how a link is told (3.7)", link)
    patterns = {name: "+".join(sorted(parts, key=edges_of)) for name, parts in shown.items()}
    require(patterns == state["tiles"], "tiles and links differ", patterns, state["tiles"])
    require(len(state["links"]) <= MOST_LINKS, "links (rule 2.7)")
    for name, pattern in state["tiles"].items():
        town = chart.signs[read_hex(name)] in "oO"
        require(read_hex(name) not in cities and town == ("-" not in pattern), "a tile (rule 2.3)", name, pattern)
        for edge in re.split(r"[-+]", pattern):
            other = beside(read_hex(name), edge)
            closed = other not in chart.signs or frozenset((read_hex(name), other)) in chart.walls
            require(not closed, "a closed edge (rule 8.3 a)", name, edge)


def edges_of(segment: str) -> list[int]:
    return [EDGES.index(edge) for edge in segment.split("-")]


def segments_of(chart: Chart, cities: set[tuple[int, int]], link: Mapping[str, Any]) -> list[tuple[str, str]]:
    """By hex the pieces of a link's path."""
    path, found = [chart.place(name) for name in link["path"]], []
    for number, at in enumerate(path):
        edges = [toward(at, path[near]) for near in (number - 1, number + 1) if 0 <= near < len(path)]
        if "open" in link and number == len(path) - 1:
            edges.append(link["open"])
        if at not in cities:
            found.append((name_hex(at), "-".join(sorted(edges, key=EDGES.index))))
    return found


def toward(at: tuple[int, int], other: tuple[int, int]) -> str:
    return next(edge for edge in EDGES if beside(at, edge) == other)


def check_head(chart: Chart, state: State, cities: set[tuple[int, int]], link: Mapping[str, Any]) -> None:
    """Rules 3.1 and 3.2: nothing goes on behind it; rule 8.3 c: it does not point at its root."""
    there = beside(chart.place(link["path"][-1]), link["open"])
    beyond = re.split(r"[-+]", state["tiles"].get(name_hex(there), ""))
    require(there not in cities and opposite(link["open"]) not in beyond, "an open end that is none", link)
    require(there != chart.place(link["path"][0]), "a head at its own root (rule 8.3 c)", link)
    owner_plays = link["owner"] == -1 or not state["bankrupt"][link["owner"]]
    require(owner_plays and link.get("extended", True), "owner or mark of a link", link)
    require("extended" not in link or link["owner"] == state["mover"], "a mark (rule 8.10)", link)


def check_turn(state: State) -> None:
    """Rules 6.1, 9.2, 11.2, 13.1, and what belongs to each phase."""
    phase, tiles = state["phase"], [tile for tile in state["tile"] if tile]
    require(len(set(tiles)) == len(tiles), "two seats with one tile (rule 6.1)", tiles)
    bankrupt = [seat for seat in seats_of(state) if state["bankrupt"][seat]]
    if phase != "BID":
        living = len(seats_of(state)) - len(bankrupt)
        require(state["order"][living:] == bankrupt, "bankrupt seats are last (rule 13.1)", state["order"])
        require(sorted(state["order"]) == list(seats_of(state)), "the order track", state["order"])
    in_goods = phase in ("GOODS", "CUBE", "HOP", "OVER", "SCORE")
    in_track = phase in ("BUILD", "TILE", "SPACE", "COLOUR")
    require((state["round"] in (1, 2)) == in_goods, "round", state["round"])
    require(in_track or state["placements"] == 0, "placements", state["placements"])
    require((phase == "END") == state["done"] == (state["mover"] is None), "the end", phase)
    require((state["winners"] is None) == (state["places"] is None) == (not state["done"]), "winners")
    chained = phase in ("TILE", "SPACE", "COLOUR", "CUBE", "HOP", "OVER", "SCORE")
    require((state["chain"] is not None) == chained, "chain", state["chain"])
    require(not any(state["to_do"]) or not (in_goods or state["done"]), "something to do after phase 2 (rule 8.15)")


# --- one step -------------------------------------------------------------------------------------
def check_step(chart: Chart, rules: Mapping[str, Any], before: State, text: str, after: State) -> None:
    """What a decision changes: money, income and VP exactly; cubes and links as far as they may."""
    purses = [[before[name][seat] for name in ("money", "income", "vp")] for seat in seats_of(before)]
    cost, seat = cost_of(chart, before, text, after), before["mover"]
    if cost is not None:
        payer, price = cost
        pay(purses[payer], price)
    if text in ("income", "vp"):
        points = before["chain"]["points"][seat]
        limit = rules.get("income_max", 10)
        income = purses[seat][1] + points
        purses[seat][1 if text == "income" else 2] = (
            purses[seat][2] + points if text == "vp" else income if limit == "none" else min(income, limit)
        )
    if after["turn"] > before["turn"] or after["done"]:
        settle_income(rules, before, purses, after)
    got = [[after[name][number] for name in ("money", "income", "vp")] for number in seats_of(after)]
    require(got == purses, "money, income and VP after", text, got, purses)
    check_delivery(before, text, after)
    check_owners(before, text, after)


def cost_of(chart: Chart, before: State, text: str, after: State) -> tuple[int, int] | None:
    """Who pays how much for this decision."""
    word, *rest = text.split()
    seat = before["mover"]
    if word == "take" and len(rest) == 1:
        level = before["level"][seat]
        return seat, {"5": 2, "7": 6, "6": 4 + level + 1 if level < TOP_LEVEL else 0}.get(rest[0], 0)
    if word == "tile":
        return seat, chart.cost(before, before["chain"]["hex"], rest[0])
    if before["phase"] == "BID" and text == "pass":
        taken = after["auction"]["places"] if after["auction"] else after["order"][:-1]
        if len(taken) > len(before["auction"]["places"]):
            return taken[-1], before["auction"]["bid"] or 0
    return None


def pay(purse: list[int], price: int) -> None:
    """Rules 7.1 and 7.2, at once."""
    steps = max(0, -(-(price - purse[0]) // STEP))
    by_income = min(steps, purse[1] - LEAST_INCOME)
    purse[0] += STEP * steps - price
    purse[1] -= by_income
    purse[2] -= VP_OF_STEP * (steps - by_income)
    require(purse[2] >= 0, "more was paid than could be raised (rule 7.4)", purse)


def settle_income(rules: Mapping[str, Any], before: State, purses: list[list[int]], after: State) -> None:
    """Rules 10 and 13.6."""
    for number, purse in enumerate(purses):
        if before["bankrupt"][number]:
            continue
        due, steps = max(0, -purse[1]), purse[1] - LEAST_INCOME + purse[2] // VP_OF_STEP
        broke = purse[0] + STEP * steps < due
        if not broke:
            purse[0] += max(0, purse[1])
            pay(purse, due)
        elif rules.get("bankruptcy") == "forgiven":
            purse[:] = [0, LEAST_INCOME, purse[2] % VP_OF_STEP]
        else:
            purse[:] = [0, purse[1], 0]
        gone = broke and rules.get("bankruptcy") != "forgiven"
        require(bool(after["bankrupt"][number]) == gone, "bankruptcy (rule 10.3)", number, purse)


def check_delivery(before: State, text: str, after: State) -> None:
    """Rules 9.7 and 9.8: one cube, and a point a link; and what brings cubes to a city."""
    gone = sum(after["bag"].values()) - sum(before["bag"].values())
    delivered = before["phase"] in ("HOP", "OVER") and after["phase"] not in ("HOP", "OVER")
    require(gone == delivered, "cubes of the bag after", text, gone)
    if delivered:
        chain, points = before["chain"], after["chain"]["points"]
        links = len(chain["classes"]) + 1
        require(sum(points) <= links <= before["level"][before["mover"]], "points (rule 9.8)", points, chain)
        require(points[before["mover"]] == max(points) >= 1, "own links (rule 9.6)", points)
        lost = {name for name in before["cubes"] if before["cubes"][name] != after["cubes"][name]}
        require(lost == {chain["stops"][0]}, "where the cube was", lost)
    elif before["phase"] not in ("SPACE", "COLOUR"):
        require(before["cubes"] == after["cubes"] and before["supply"] == after["supply"], "cubes moved by", text)


def check_owners(before: State, text: str, after: State) -> None:
    """Rules 3.6, 8.9, 13.1: a complete link stays its owner's, whatever else is done."""
    had, has = (
        {tuple(link["path"]): link["owner"] for link in state["links"] if "open" not in link}
        for state in (before, after)
    )
    if before["new_cities"] != after["new_cities"]:
        return
    for path, owner in had.items():
        bankrupt = owner != -1 and after["bankrupt"][owner]
        require(has.get(path) == (-1 if bankrupt else owner), "a complete link changes hands (rule 3.6)", path, text)
    if text == "pass" and before["phase"] == "BUILD":
        mine = [link for link in after["links"] if "open" in link and link["owner"] == before["mover"]]
        kept = [link for link in before["links"] if link["owner"] == before["mover"] and link.get("extended")]
        if after["bankrupt"][before["mover"]]:  # the pass ended the last track turn, and income took what it had (13.1)
            kept = []
        require(len(mine) == len(kept), "what lapses (rule 8.9)", mine, kept)
