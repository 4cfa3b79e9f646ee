"""Rule 5: building factories."""

from tests.verification.reference.state import Table


def can_build(table: Table, seat: int, city: int) -> bool:
    """Rules 5.1, 5.2."""
    return (
        table.factories[seat] > 0
        and table.stock.get(table.colors[city], 0) > 0  # there are no purple resources
        and table.owner[city] is None
        and table.board.group[city] in table.touched
    )


def sites(table: Table, seat: int) -> list[int]:
    return [city for city in range(len(table.colors)) if can_build(table, seat, city)]


def usual_amount(table: Table, city: int) -> int:
    """Rule 5.2: what is left where the stock has fewer."""
    return min(table.numbers.factory_resources, table.stock[table.colors[city]])


def bonus_amounts(table: Table, city: int) -> list[int]:
    """Rule 5.2: one fewer, the usual number, one more, as far as the stock goes; none where it is too short for all."""
    usual = table.numbers.factory_resources
    return [amount for amount in (usual - 1, usual, usual + 1) if amount <= table.stock[table.colors[city]]]


def build(table: Table, seat: int, city: int, amount: int) -> None:
    table.owner[city] = seat
    table.resources[city] = amount
    table.stock[table.colors[city]] -= amount
    table.factories[seat] -= 1
    table.tell("build", seat, city=city, resources=amount)
