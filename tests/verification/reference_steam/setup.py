"""Rule 4: set-up, with outcomes of chance that are given or drawn."""

import random
from collections import Counter
from dataclasses import dataclass

from tests.verification.reference_steam import auction
from tests.verification.reference_steam.board import SPACES, Board, require
from tests.verification.reference_steam.geometry import Hex
from tests.verification.reference_steam.rules import Rules
from tests.verification.reference_steam.state import CUBES, TAKE, Seat, Table, in_order

FEWEST_SEATS = 3
CUBES_OF_SPACE, CUBES_OF_SPACE_WITH_THREE = 3, 2  # rule 4.2


@dataclass(frozen=True)
class Deal:
    """What chance decides (rules 4.2, 4.4)."""

    first: int  # on the order track; in an auction the seat that opens
    cities: dict[str, str]  # by name the cubes
    supply: list[str]


# --- chance ---------------------------------------------------------------------------------------
def count_in_city(rules: Rules, board: Board, at: Hex) -> int | str:
    """How many cubes the city gets, or which ones the map gives it (rule 4.2)."""
    cubes = board.cities[at].cubes
    if isinstance(cubes, int) and board.fewer_cubes_with_three and rules.num_players == FEWEST_SEATS:
        return max(0, cubes - 1)
    return cubes


def counts_in_supply(rules: Rules, board: Board) -> list[int | str]:
    """Likewise for each space."""
    if board.supply is not None:
        return list(board.supply)
    count = CUBES_OF_SPACE_WITH_THREE if rules.num_players == FEWEST_SEATS else CUBES_OF_SPACE
    return [count] * SPACES


def draw(rules: Rules, board: Board, rng: random.Random, elsewhere: str = "") -> Deal:
    """A deal by chance: what the map gives leaves the bag first, then cities in map order, then the spaces.

    ``elsewhere``: cubes that are in neither, as those of a New City.
    """
    cities = {at: count_in_city(rules, board, at) for at in sorted(board.cities)}
    supply = counts_in_supply(rules, board)
    bag = Counter(CUBES)
    bag.subtract(elsewhere + "".join(wanted for wanted in [*cities.values(), *supply] if isinstance(wanted, str)))
    require(min(bag.values()) >= 0, f"map {board.name} gives more cubes of a colour than there are (rule 4.2)")
    cubes = sorted(bag.elements())
    rng.shuffle(cubes)

    def take(wanted: int | str) -> str:
        return in_order(wanted if isinstance(wanted, str) else (cubes.pop() for _ in range(wanted)))

    dealt = {board.names[at]: take(wanted) for at, wanted in cities.items()}
    groups = [take(wanted) for wanted in supply]
    first = rules.first_player if isinstance(rules.first_player, int) else rng.randrange(rules.num_players)
    return Deal(first, dealt, groups)


# --- the table ------------------------------------------------------------------------------------
def set_up(rules: Rules, board: Board, deal: Deal) -> Table:
    """The beginning of a game."""
    rules.check_map(board)
    wanted = range(rules.num_players) if rules.first_player == "random" else [rules.first_player]
    require(deal.first in wanted, f"first seat {deal.first}: one of {list(wanted)} (rule 4.4)")
    table = Table(board, rules, [Seat() for _ in range(rules.num_players)])
    put_cubes(table, deal)
    begin(table, deal.first)
    return table


def put_cubes(table: Table, deal: Deal) -> None:
    """The outcomes must be such as rule 4.2 can bring."""
    rules, board = table.rules, table.board
    for at in board.cities:
        cubes, wanted = deal.cities.get(board.names[at], ""), count_in_city(rules, board, at)
        check_outcome(board.names[at], cubes, wanted)
        table.cubes[at] = in_order(cubes)
    for space, (cubes, wanted) in enumerate(zip(deal.supply, counts_in_supply(rules, board), strict=True), 1):
        check_outcome(f"space {space}", cubes, wanted)
    table.supply = [in_order(group) for group in deal.supply]
    require(min(table.bag.values()) >= 0, "more cubes of a colour than there are (rule 4.2)")


def check_outcome(what: str, cubes: str, wanted: int | str) -> None:
    fine = len(cubes) == wanted if isinstance(wanted, int) else in_order(cubes) == in_order(wanted)
    require(fine, f"{what} cannot get {cubes!r}, but {wanted} (rule 4.2)")


def begin(table: Table, first: int) -> None:
    """Rule 4.4, or 15.2."""
    if table.rules.start == "auction":
        auction.begin(table, first)
        return
    count = len(table.seats)
    table.order = [(first + step) % count for step in range(count)]
    for dollars, number in enumerate(table.order):
        table.seats[number].money += dollars
    table.phase, table.mover = TAKE, first
