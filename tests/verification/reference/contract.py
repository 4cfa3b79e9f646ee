"""Rule 6: fulfilling contracts.

What the mover may choose depends on the money alone, so each choice is judged by the least that the contract can
still cost after it (rule 6.4):

- Colours do not meddle with each other, and links do not change, so the resources of one colour are the units that
  lie in cities from which the network can be reached, each at its least price: the owner's fee and the fewest foreign
  links. As long as one is left it must be taken (rule 6.3); so whatever is chosen, the number of units taken and the
  number bought for $5 are the same, and the least cost takes the cheapest units.
- Own links have both ends in the network, so a way outside it runs over foreign links only, $1 each, and ends in the
  first group of the network that it enters.
- A carriage under way leads to no dead end if a way on from the next group to the network that avoids the groups
  visited costs no more than the money less the rest of the contract. The shortest such way decides: it repeats no
  group by itself.
"""

from collections.abc import Sequence

from tests.verification.reference.state import NOBODY, Carriage, Table, color_number

FEE = 1  # to the owner of a factory, or of a link
BANK_COST = 5


# --- costs ----------------------------------------------------------------------------------------
def source_fee(table: Table, seat: int, city: int) -> int:
    """Rule 6.2: own factories are free."""
    return 0 if table.owner[city] == seat else FEE


def list_prices(table: Table, seat: int, color: str) -> list[int]:
    """The least prices of all resources of the colour that can reach the seat's network, ascending."""
    hops = table.hops_to(table.network(seat))
    return sorted(
        source_fee(table, seat, city) + FEE * hops[table.board.group[city]]
        for city in find_sources(table, seat, color)
        for _ in range(table.resources[city])
    )


def find_sources(table: Table, seat: int, color: str) -> list[int]:
    """The cities of the colour with resources that can reach the seat's network."""
    hops = table.hops_to(table.network(seat))
    return [
        city
        for city, letter in enumerate(table.colors)
        if letter == color and table.resources[city] > 0 and table.board.group[city] in hops
    ]


def least_cost(needs: Sequence[str], prices: dict[str, list[int]]) -> int:
    """What these resources cost at least, given the ascending prices of those on the map."""
    total = 0
    for color in set(needs):
        count = needs.count(color)
        cheapest = prices[color][:count]
        total += sum(cheapest) + BANK_COST * (count - len(cheapest))
    return total


def prices_of(table: Table, seat: int, needs: Sequence[str]) -> dict[str, list[int]]:
    return {color: list_prices(table, seat, color) for color in set(needs)}


def rest_cost(table: Table, seat: int, needs: Sequence[str]) -> int:
    return least_cost(needs, prices_of(table, seat, needs))


# --- what is legal --------------------------------------------------------------------------------
def fulfil_options(table: Table, seat: int) -> set[str]:
    """Rules 6.1, 6.4."""
    if not table.network(seat):
        return set()
    prices = prices_of(table, seat, "WBOG")
    purse = table.purse(seat)
    return {
        f"fulfil {number}"
        for number in table.hands[purse]
        if least_cost(table.board.contracts[number].needs, prices) <= table.money[purse]
    }


def carriage_options(table: Table, carriage: Carriage) -> set[str]:
    if carriage.to is not None:
        return {f"pay player_{owner}" for owner in payees(table, carriage.at, carriage.to)}
    if carriage.at is not None:
        return {f"hop {table.board.names[group]}" for group in list_hops(table, carriage)}
    return {f"source {table.board.names[city]}" for city in list_sources(table, carriage)}


def rest_of(table: Table, carriage: Carriage) -> str:
    """The resources after the one under way, in printed order."""
    return table.board.contracts[carriage.contract].needs[carriage.done + 1 :]


def list_sources(table: Table, carriage: Carriage) -> list[int]:
    """Where the next resource may be taken from without a dead end."""
    seat = table.seat
    hops, rest = table.hops_to(table.network(seat)), rest_of(table, carriage)
    color = table.board.contracts[carriage.contract].needs[carriage.done]
    prices = prices_of(table, seat, rest + color)

    def cost_from(city: int) -> int:
        price = source_fee(table, seat, city) + FEE * hops[table.board.group[city]]
        left = list(prices[color])
        left.remove(price)
        return price + least_cost(rest, {**prices, color: left})

    return [city for city in find_sources(table, seat, color) if cost_from(city) <= table.money[table.purse(seat)]]


def list_hops(table: Table, carriage: Carriage) -> list[int]:
    """The groups that the resource may be carried to next (rule 6.5)."""
    assert carriage.at is not None
    seat = table.seat
    network = table.network(seat)
    near = [group for group in table.joined[carriage.at] if group not in carriage.visited]
    if table.rules.routing == "cheapest":
        hops = table.hops_to(network)
        return [group for group in near if hops[group] == hops[carriage.at] - 1]
    spare = table.money[table.purse(seat)] - rest_cost(table, seat, rest_of(table, carriage))
    ways = {group: shortest_way(table, network, group, carriage.visited) for group in near}
    return [group for group, links in ways.items() if links is not None and FEE * (links + 1) <= spare]


def shortest_way(table: Table, network: set[int], group: int, visited: set[int]) -> int | None:
    """The fewest links from the group to the network through groups not visited; None if there is no way."""
    seen, front, links = visited | {group}, {group}, 0
    while front:
        if front & network:
            return links
        links += 1
        front = {there for here in front for there in table.joined[here] if there not in seen}
        seen |= front
    return None


def payees(table: Table, one: int | None, other: int | None) -> list[int]:
    """The owners of complete links between the two groups, from the mover's next seat on."""
    assert one is not None
    assert other is not None
    count = len(table.seats)
    return sorted(table.joined[one][other], key=lambda owner: (owner - table.seat) % count)


# --- what is done ---------------------------------------------------------------------------------
def begin(table: Table, number: int) -> bool:
    """Whether the contract is fulfilled at once, everything being bought."""
    table.tell("fulfil", table.seat, contract=number)
    table.decision = Carriage(number)
    return buy_what_is_missing(table, table.decision)


def buy_what_is_missing(table: Table, carriage: Carriage) -> bool:
    """Rule 6.3, for the next resources in printed order; whether the contract is complete now."""
    needs = table.board.contracts[carriage.contract].needs
    for color in needs[carriage.done :]:
        if find_sources(table, table.seat, color):
            return False
        buy_resource(table, table.seat, color)
        carriage.done += 1
    return True


def buy_resource(table: Table, seat: int, color: str) -> None:
    table.pay(seat, BANK_COST)
    table.tell("purchase", seat, color=color_number(color), cost=BANK_COST)


def payee(table: Table, owner: int) -> int:
    """In solo the bank gets what another company would earn (rule 9.3)."""
    return NOBODY if table.solo else owner


def take_resource(table: Table, seat: int, city: int) -> None:
    """Rules 6.2, 6.6: the fee is paid and the resource goes back to stock at once."""
    owner, fee = table.owner[city], source_fee(table, seat, city)
    assert owner is not None
    table.pay(seat, fee, payee(table, owner))
    table.resources[city] -= 1
    table.stock[table.colors[city]] += 1
    table.tell("source", seat, city=city, paid_to=payee(table, owner) if fee else NOBODY, cost=fee)
    if table.resources[city] == 0:
        table.tell("flip", seat, city=city)


def use_link(table: Table, seat: int, here: int, there: int, owner: int) -> None:
    paid_to = payee(table, owner)
    table.pay(seat, FEE, paid_to)
    table.tell("hop", seat, from_group=here, to_group=there, paid_to=paid_to, cost=FEE)


def choose_source(table: Table, carriage: Carriage, city: int) -> bool:
    take_resource(table, table.seat, city)
    carriage.at = table.board.group[city]
    carriage.visited = {carriage.at}
    return arrive(table, carriage)


def choose_hop(table: Table, carriage: Carriage, group: int) -> bool:
    """In solo nobody is paid, so there is nobody to choose (rule 9.3)."""
    carriage.to = group
    owners = payees(table, carriage.at, group)
    return choose_payee(table, carriage, owners[0]) if table.solo or len(owners) == 1 else False


def choose_payee(table: Table, carriage: Carriage, owner: int) -> bool:
    assert carriage.at is not None
    assert carriage.to is not None
    use_link(table, table.seat, carriage.at, carriage.to, owner)
    carriage.at, carriage.to = carriage.to, None
    carriage.visited.add(carriage.at)
    return arrive(table, carriage)


def arrive(table: Table, carriage: Carriage) -> bool:
    """The way ends in the network; whether the contract is complete now."""
    if carriage.at not in table.network(table.seat):
        return False
    carriage.done, carriage.at, carriage.visited = carriage.done + 1, None, set()
    return buy_what_is_missing(table, carriage)


def gain_reward(table: Table, seat: int, number: int) -> None:
    """Rule 6.7: the money comes before the bonus."""
    card = table.board.contracts[number]
    table.fulfilled[table.purse(seat)].add(number)
    table.money[table.purse(seat)] += card.money
    table.tell("reward", seat, contract=number, money=card.money, vp=card.vp)
