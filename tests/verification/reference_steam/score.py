"""Rules 12 and 13.5: scores, places, winners."""

from tests.verification.reference_steam.links import list_links, owners_of_links
from tests.verification.reference_steam.state import Table

SCORE_OF_BANKRUPT = -21  # rule 13.5
LOSS_OF_DEBT = 2  # points for each step of income below 0


def complete_links(table: Table) -> list[int]:
    """By seat how many it owns (rule 12.1)."""
    links = zip(list_links(table), owners_of_links(table), strict=True)
    owners = [owner for link, owner in links if link.complete]
    return [owners.count(number) for number in range(len(table.seats))]


def scores(table: Table) -> list[int]:
    """As they stand (rule 12.1)."""
    links = complete_links(table)
    found = []
    for number, seat in enumerate(table.seats):
        worth = seat.income // 2 if seat.income > 0 else LOSS_OF_DEBT * seat.income
        found.append(SCORE_OF_BANKRUPT if seat.bankrupt else seat.vp + worth + links[number])
    return found


def places(table: Table) -> list[int]:
    """Each seat's place from 1 on (rules 12.2 and 13.5); seats that share a place leave the next ones out."""
    ranks: list[tuple[int, ...]] = []
    for seat, score in zip(table.seats, scores(table), strict=True):
        if seat.bankrupt:
            ranks.append((1, -seat.bankrupt))
        else:
            ranks.append((0, -score, -seat.income, seat.tile))
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def winners(table: Table) -> list[int]:
    """One, unless all seats are bankrupt (rule 12.3)."""
    return [number for number, place in enumerate(places(table)) if place == 1]
