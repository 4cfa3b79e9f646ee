"""Decks drawn from a stream of random numbers, like the shipped ones, with payoffs that follow a map's distances.

Contracts come in fours, each being one contract under the rotation of the colours white, black, orange, gray: no colour
is needed more than another, or worth more. What a contract is worth grows with its effort, which is the number of its
resources and of the different colours among them, and with the distances between the map's neighbouring groups.
"""

from __future__ import annotations

from collections.abc import Mapping

from steam_env.core.hexes import neighbours
from steam_env.core.steam_power.state import COLOR_LETTERS, ICON_NAMES, MAX_NEEDS, NUM_RESOURCES
from steam_env.data.generate import Stream
from steam_env.data.steam_power.decks import Contract, Deck
from steam_env.data.steam_power.maps import Map, city_cells, find_groups, is_land, terrain_by_cell

FOUR = NUM_RESOURCES  # contracts that differ by the rotation of the colours
LEAST_NEEDS = 2  # resources of a contract
DOLLARS_OF_A_POINT = 5  # in the final scoring (rule 3.3), and what a bonus action is worth
USUAL_TILES = 220  # hundredths of a tile: about what `measure_links` finds on the shipped maps
EFFORT_WORTH = 4  # dollars for each unit of effort there
EFFORT_SHARE = 2  # of these dollars, those that do not depend on distance
MOST_MONEY = 3  # dollars: one more is another point
JITTER = 1  # dollars more or less
BONUSES = ("track", "contracts", "track", "contracts", "factory", *("none",) * 7)  # of twelve fours
SMALL_MAP, LEAST_TO_END, CITIES_TO_END = 18, 2, 3  # cities; contracts that end the game there: 2 and a third of them


def draw_deck(stream: Stream, knobs: Mapping[str, int], board: Map, name: str) -> Deck:
    """A deck for a map, with the knobs of ``MapSpec``, a number for each."""
    fours = knobs["contracts"] // FOUR
    rate = EFFORT_WORTH * (EFFORT_SHARE * USUAL_TILES + (EFFORT_WORTH - EFFORT_SHARE) * measure_links(board))
    contracts: list[Contract] = []
    taken: set[str] = set()
    for length, bonus in zip(_draw_lengths(stream, fours, knobs["needs"]), stream.shuffle(BONUSES), strict=False):
        needs = _draw_needs(stream, length, taken)
        effort = length + len(set(needs))
        worth = effort * rate // (EFFORT_WORTH * USUAL_TILES) - 1 + stream.between(-JITTER, JITTER)
        contracts += _make_four(needs, worth, bonus, stream.below(2))
    to_end = LEAST_TO_END + len(board.cities) // CITIES_TO_END if len(board.cities) <= SMALL_MAP else None
    return Deck(name, f"Deck of {len(contracts)} contracts: {board.title}", tuple(contracts), to_end)


def measure_links(board: Map) -> int:
    """The tiles that join two neighbouring groups of cities, on average, in hundredths.

    Land belongs to the group that reaches it with the fewest tiles; groups whose land meets are neighbours, and the
    link between them is the shortest that passes where it meets.
    """
    terrain, cells = terrain_by_cell(board), city_cells(board)
    owner = {cells[city]: number for number, group in enumerate(find_groups(board)) for city in group}
    tiles = dict.fromkeys(owner, 0)
    front = list(owner)
    while front:
        following = []
        for cell in front:
            for other in neighbours(cell):
                if other not in tiles and other in terrain and is_land(terrain[other]):
                    tiles[other], owner[other] = tiles[cell] + 1, owner[cell]
                    following.append(other)
        front = following
    links: dict[tuple[int, int], int] = {}
    for cell, number in owner.items():
        for other in neighbours(cell):
            if owner.get(other, number) > number:
                pair = number, owner[other]
                links[pair] = min(tiles[cell] + tiles[other], links.get(pair, len(tiles)))
    return 100 * sum(links.values()) // len(links)


def _draw_lengths(stream: Stream, fours: int, tenths: int) -> list[int]:
    """Resources of each four's contracts, that many tenths on average, shortest first."""
    lengths = [LEAST_NEEDS] * fours
    for _ in range(fours * tenths // 10 - sum(lengths)):
        lengths[stream.choose([four for four, length in enumerate(lengths) if length < MAX_NEEDS])] += 1
    return sorted(lengths)


def _draw_needs(stream: Stream, length: int, taken: set[str]) -> str:
    """Resources of two colours or more, in an order that no other four has; ``taken`` is renewed."""
    while True:
        colors = [0] + [stream.below(NUM_RESOURCES) for _ in range(length - 1)]
        needs = "".join(COLOR_LETTERS[color] for color in colors)
        if len(set(needs)) > 1 and (needs not in taken or length == LEAST_NEEDS):
            taken.add(needs)
            return needs


def _make_four(needs: str, worth: int, bonus: str, first_icon: int) -> list[Contract]:
    """A contract under the rotation of the colours; a bonus is paid for with points."""
    points, money = divmod(worth - (DOLLARS_OF_A_POINT if bonus != "none" else 0), DOLLARS_OF_A_POINT)
    if money > MOST_MONEY:
        points, money = points + 1, 0
    icons = (bonus, bonus) if bonus in ICON_NAMES else ICON_NAMES
    return [
        Contract(
            needs="".join(COLOR_LETTERS[(COLOR_LETTERS.index(need) + turn) % NUM_RESOURCES] for need in needs),
            money=money,
            vp=points,
            bonus=bonus,
            automa=icons[(first_icon + turn) % len(icons)],
        )
        for turn in range(FOUR)
    ]
