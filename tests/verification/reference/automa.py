"""Rule 8: the Mautoma's turns; ``automa_path`` has its targets, paths and coins (8.10 to 8.13)."""

from typing import NamedTuple

from tests.verification.reference import contract, factory, take, track
from tests.verification.reference.automa_path import (
    Search,
    choose_path,
    clear_coins,
    coin_tiles,
    count_present,
    find_starts,
    opponents_groups,
    tell_present,
)
from tests.verification.reference.choice import choose, criterion, obstacle, rank_city, rank_group
from tests.verification.reference.geometry import Hex, Tile, distance
from tests.verification.reference.state import NOBODY, Table, color_number

__all__ = ["clear_coins", "play_turn"]

CORNERS = 4
CONTRACTS_DRAWN = 2
PLACEMENTS = 2
MONEY_INSTEAD = 3  # rule 8.8
COMPENSATION = {"very_easy": 0, "easy": 2, "normal": 5, "hard": 10, "very_hard": 15}  # rule 8.7
ICONS = ("track", "factory")  # by their numbers in events


# --- the turn (rules 8.4, 8.5, 8.8) ---------------------------------------------------------------
def play_turn(table: Table, seat: int) -> None:
    """The marker, two contracts drawn, each resolved."""
    corner = table.marker[seat] = (table.marker[seat] + 1) % CORNERS
    table.tell("automa", seat, corner=corner, color=color_number(table.corners[corner]))
    drawn = [reveal(table, seat) for _ in range(CONTRACTS_DRAWN)]
    for number in drawn:
        if number is not None:
            resolve(table, seat, number)


def reveal(table: Table, seat: int) -> int | None:
    """Rule 8.5: it draws what there is."""
    number = take.draw(table)
    if number is None:
        table.tell("no_contract", seat)
    else:
        table.tell("reveal", seat, contract=number)
    return number


def resolve(table: Table, seat: int, number: int) -> None:
    """Fulfilled if that is possible, else used as an action and discarded."""
    plan = plan_contract(table, seat, table.board.contracts[number].needs)
    least_cost = NOBODY if plan is None else sum(purchase.cost for purchase in plan)
    table.tell("assess", seat, contract=number, least_cost=least_cost, money=table.money[seat])
    if plan is not None and least_cost <= table.money[seat]:
        fulfil(table, seat, number, plan)
    else:
        act(table, seat, number)


def act(table: Table, seat: int, number: int) -> None:
    """Rule 8.8: what the icon shows, else the other, else $3."""
    card = table.board.contracts[number]
    table.tell("act", seat, contract=number, icon=ICONS.index(card.automa))
    for icon in (card.automa, *(other for other in ICONS if other != card.automa)):
        if do(table, seat, icon, card.needs):
            break
        following = NOBODY if icon != card.automa else 1 - ICONS.index(icon)
        table.tell("instead", seat, failed=ICONS.index(icon), then=following)
    else:
        table.money[seat] += MONEY_INSTEAD
        table.tell("money", seat, amount=MONEY_INSTEAD)
    table.discards.add(number)
    table.tell("discard", seat, contract=number)


def do(table: Table, seat: int, what: str, needs: str) -> bool:
    """Whether at least one track was laid or a factory built."""
    return lay_tracks(table, seat, needs) > 0 if what == "track" else build_factory(table, seat)


# --- contracts (rules 8.6, 8.7) -------------------------------------------------------------------
class Purchase(NamedTuple):
    """Where one resource of a contract comes from: a city, or the bank (city None)."""

    color: str
    city: int | None
    cost: int
    candidates: int = 0
    why: str = ""


def plan_contract(table: Table, seat: int, needs: str) -> list[Purchase] | None:
    """Where each resource comes from, in printed order, after those before it; None without a complete link."""
    network = table.network(seat)
    if not network:
        return None
    hops, left, plan = table.hops_to(network), list(table.resources), []
    for color in needs:
        purchase = choose_source(table, seat, color, left, hops)
        if purchase.city is not None:
            left[purchase.city] -= 1
        plan.append(purchase)
    return plan


def choose_source(table: Table, seat: int, color: str, left: list[int], hops: dict[int, int]) -> Purchase:
    """Rule 8.6: cheapest; own first; of own the fewest left, of foreign the most left; first by marker."""
    cities = [city for city in table.board.members(hops) if table.colors[city] == color and left[city] > 0]
    if not cities:
        return Purchase(color, None, contract.BANK_COST)

    def cost(city: int) -> int:
        return contract.FEE * hops[table.board.group[city]] + contract.source_fee(table, seat, city)

    def is_own(city: int) -> bool:
        return table.owner[city] == seat

    city, why = choose(
        cities,
        cheapest=cost,
        own=lambda city: not is_own(city),
        fewest_left=lambda city: left[city] if is_own(city) else 0,
        most_left=lambda city: 0 if is_own(city) else -left[city],
        marker=lambda city: rank_city(table, seat, city),
    )
    return Purchase(color, city, cost(city), len(cities), why)


def fulfil(table: Table, seat: int, number: int, plan: list[Purchase]) -> None:
    """Rule 8.7: the reward; its bonus or a compensation."""
    card = table.board.contracts[number]
    table.tell("fulfil", seat, contract=number)
    for purchase in plan:
        get_resource(table, seat, purchase)
    contract.gain_reward(table, seat, number)
    if card.bonus == "contracts":
        compensate(table, seat, "contracts")
    elif card.bonus != "none" and not do_bonus(table, seat, card.bonus, card.needs):
        compensate(table, seat, f"bonus_{card.bonus}")


def do_bonus(table: Table, seat: int, bonus: str, needs: str) -> bool:
    """Rule 8.7: a bonus of track needs a train in reserve, even where the incomplete link would go on without."""
    if bonus == "track" and table.trains[seat] == 0:
        table.tell("no_track", seat, why=obstacle("train"))
        return False
    return do(table, seat, bonus, needs)


def compensate(table: Table, seat: int, why: str) -> None:
    amount = COMPENSATION[table.rules.automa_level]
    table.money[seat] += amount
    table.tell("compensation", seat, amount=amount, why=obstacle(why))


def get_resource(table: Table, seat: int, purchase: Purchase) -> None:
    if purchase.city is None:
        contract.buy_resource(table, seat, purchase.color)
        return
    table.tell(
        *("choose_source", seat),
        color=color_number(purchase.color),
        city=purchase.city,
        cost=purchase.cost,
        candidates=purchase.candidates,
        why=criterion(purchase.why),
    )
    contract.take_resource(table, seat, purchase.city)
    carry(table, seat, table.board.group[purchase.city])


def carry(table: Table, seat: int, group: int) -> None:
    """Rule 8.6: by a shortest route; at each hop the first group by marker, then the owner next in seat order."""
    hops = table.hops_to(table.network(seat))
    while hops[group]:
        nearer = [there for there in table.joined[group] if hops[there] == hops[group] - 1]
        following = min(nearer, key=lambda there: rank_group(table, seat, there))
        owners = table.joined[group][following]
        paid = min(owners, key=lambda owner: (owner - seat) % len(table.seats))
        if len(nearer) > 1 or len(owners) > 1:
            ways = {"ways": len(nearer), "paid_to": paid, "owners": len(owners)}
            table.tell("choose_hop", seat, to_group=following, **ways)
        contract.use_link(table, seat, group, following, paid)
        group = following


# --- factories (rule 8.14) ------------------------------------------------------------------------
def build_factory(table: Table, seat: int) -> bool:
    """Whether it could; the number of resources is never varied."""
    if table.factories[seat] == 0:
        table.tell("no_city", seat, why=obstacle("factory"))
        return False
    city = choose_city(table, seat)
    if city is None:
        table.tell("no_city", seat, why=obstacle("city"))
        return False
    factory.build(table, seat, city, factory.usual_amount(table, city))
    return True


def choose_city(table: Table, seat: int) -> int | None:
    """In the extended network, else in an opponent's: least present colour, nearest, first by marker."""
    network = table.network(seat)
    extended = set(table.hops_to(network))
    present = count_present(table, extended)
    legal = factory.sites(table, seat)
    inside = [city for city in legal if table.board.group[city] in extended]
    outside = [city for city in legal if table.board.group[city] in opponents_groups(table, seat)]
    if not legal:
        return None
    homes = [table.board.cities[city] for city in table.board.members(network)]

    def near(city: int) -> int:
        return min((distance(table.board.cities[city], home) for home in homes), default=0)

    tell_present(table, seat, present)
    city, why = choose(
        inside or outside,
        least_present=lambda city: present[table.colors[city]],
        nearest=near,
        marker=lambda city: rank_city(table, seat, city),
    )
    table.tell(
        *("choose_city", seat),
        city=city,
        present=present[table.colors[city]],
        distance=near(city),
        in_aen=int(bool(inside)),
        why=criterion(why),
    )
    return city


# --- track (rule 8.9) -----------------------------------------------------------------------------
def lay_tracks(table: Table, seat: int, needs: str) -> int:
    """Up to two placements; how many were made."""
    colors = list(dict.fromkeys(needs))  # in printed order, each counted once
    for laid in range(PLACEMENTS):
        done = lay_along(table, seat, table.coins[seat]) if table.coins[seat] else start_path(table, seat, colors)
        if not done:
            return laid
    return PLACEMENTS


def start_path(table: Table, seat: int, colors: list[str]) -> bool:
    """Choose target and path and lay the first tile; what is left of ``colors`` is for another target."""
    if table.trains[seat] == 0:
        table.tell("no_track", seat, why=obstacle("train"))
        return False
    if not colors:
        table.tell("no_track", seat, why=obstacle("colors"))
        return False
    origins = find_starts(table, seat)
    if not origins:
        table.tell("no_track", seat, why=obstacle("start"))
        return False
    search = Search(table, origins, table.trains[seat])
    while colors:
        path = choose_path(table, seat, colors.pop(0), search)
        if path is not None:
            return lay_along(table, seat, list(path.hexes))
    table.tell("no_track", seat, why=obstacle("target"))
    return False


def lay_along(table: Table, seat: int, way: list[Hex]) -> bool:
    """Lay the first tile of a way and put coins on the rest; where that cannot be, nothing changes (rule 8.9)."""
    link, cities = table.open_link(seat), table.board.city_at
    tile = table.board.tiles_along(way if link is None else [link.tail.at, *way])[0]
    problem = find_problem(table, seat, tile, needs_train=link is None)
    if problem is not None:
        number, cost = table.board.hex_number[tile.at], track.site_cost(table, tile.at)
        assert cost is not None  # at most its own tiles used up the kind that it needs now (rule 8.13)
        table.tell("not_laid", seat, hex=number, cost=cost, why=obstacle(problem))
        return False
    track.lay_tile(table, seat, tile, cities.get(way[0]))
    rest = way[1:] if link is not None else way[2:]
    if rest[0] in cities and len(rest) > 1 and rest[1] in cities:
        rest = rest[1:]  # the next link leaves from the other city
    table.coins[seat] = rest if len(rest) > 1 else []
    if table.coins[seat]:
        table.tell("coins", seat, tiles=len(coin_tiles(table, seat)))
    clear_coins(table, seat)
    return True


def find_problem(table: Table, seat: int, tile: Tile, needs_train: bool) -> str | None:
    """Why the next tile of a way is not laid."""
    if needs_train and table.trains[seat] == 0:
        return "train"
    cost = track.tile_cost(table, tile)
    if cost is None:
        return "illegal"
    return "money" if cost > table.money[seat] else None
