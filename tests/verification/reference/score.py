"""Rules 3.3, 9.4 and 10: victory points."""

from tests.verification.reference.state import Table

FLIPPED = 2
PURPLE = 4
MONEY_FOR_ONE = 5


def scores(table: Table) -> list[dict[str, int]]:
    """By seat; in solo one."""
    found = []
    for seat in range(table.numbers.purses):
        parts = {
            "contracts": sum(table.board.contracts[number].vp for number in table.fulfilled[seat]),
            "factories": factory_points(table, seat),
            "cities": city_points(table, seat),
            "money": table.money[seat] // MONEY_FOR_ONE,
        }
        found.append({"total": sum(parts.values()), **parts})
    return found


def factory_points(table: Table, seat: int) -> int:
    """Own factories on flipped tiles; in solo all companies'."""
    flipped = [
        city
        for city, owner in enumerate(table.owner)
        if owner is not None and table.resources[city] == 0 and (table.solo or owner == seat)
    ]
    return sum(FLIPPED + beside_the_map(table, table.colors[city]) for city in flipped)


def city_points(table: Table, seat: int) -> int:
    purple = [city for city, color in enumerate(table.colors) if color == "P"]
    if table.solo:
        return sum(len(linked_seats(table, city)) for city in purple)
    worth = PURPLE + beside_the_map(table, "P")
    linked = [linked_seats(table, city) for city in purple]
    return sum(worth // len(seats) for seats in linked if seat in seats)


def linked_seats(table: Table, city: int) -> list[int]:
    """The seats with a complete link to the city's group; in the preview edition to that very tile."""
    if not table.numbers.purple_scores_by_tile:
        return [seat for seat in table.seats if table.board.group[city] in table.network(seat)]
    owners = {link.owner for link in table.complete_links if city in (link.start, link.end)}
    return sorted(owners)


def beside_the_map(table: Table, color: str) -> int:
    return table.off_map[color] if table.numbers.tiles_beside_the_map_score else 0


def winners(table: Table) -> list[int]:
    """Most points; of these most contracts; still tied: all."""
    ranks = [(score["total"], len(table.fulfilled[seat])) for seat, score in enumerate(scores(table))]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
