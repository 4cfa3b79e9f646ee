"""What factories, contracts, sources and cities are worth to the greedy player, in dollars."""

import numpy as np

from steam_env.agents.greedy_plan import (
    FAR,
    IMPATIENCE,
    NEVER,
    Weights,
    most_fulfilled,
    saving,
)
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    BUILD,
    FULFIL,
    HOP_TO,
    MONEY,
    NUM_AMOUNTS,
    SOURCE_FROM,
)
from steam_env.core.steam_power.carriage import contract_cost, source_fee, survey_hop
from steam_env.core.steam_power.factory import usual_resources
from steam_env.core.steam_power.legal import bonus_amount, seat_after
from steam_env.core.steam_power.scoring import TOTAL, counts_as_linked, rarity_bonus, score_game
from steam_env.core.steam_power.state import (
    BONUS_CONTRACTS,
    BONUS_FACTORY,
    BONUS_TRACK,
    FLIPPED_VP,
    NUM_RESOURCES,
    PLACE_HAND,
    PURPLE,
    PURPLE_VP,
    TAKE_MONEY,
)

# --- factories -----------------------------------------------------------------------------------------


@kernel
def flip_worth(game: np.record, board: np.record, plan: np.record, city: int, amount: float, weights: Weights) -> float:
    """Dollars that flipping a new factory of ``amount`` resources is worth, by how likely all are used.

    The mover uses its older factories first, rivals use their own first.
    """
    seat = int(game.seat)
    color = int(game.color[city])
    used = plan.flips[color] - plan.units[seat, color]
    denied = 0.0
    for other in range(game.num_seats):
        if other != seat:
            near = has(game.network[other], board.group[city])
            denied = weights.deny if near else denied
            part = weights.sold if near else weights.sold_far
            used += part * max(0.0, plan.rival_needs[other] - plan.units[other, color])
    used = max(0.0, min(1.0, used * weights.flip / amount))
    return weights.vp * (FLIPPED_VP + rarity_bonus(game, color)) * used * plan.trust + denied


@kernel
def factory_worth(
    game: np.record, board: np.record, plan: np.record, city: int, links: int, amount: int, weights: Weights
) -> float:
    """Dollars that a factory with ``amount`` resources brings, ``links`` foreign links away (NONE: out of reach)."""
    color = int(game.color[city])
    placed = min(amount, int(game.stock[color]))
    if placed <= 0:
        return 0.0
    flip = flip_worth(game, board, plan, city, float(placed), weights)
    if links == NONE:
        return flip * weights.site * 0.5
    sales = weights.sale * placed * plan.trust
    return flip + saving(plan, color, float(placed), links, weights) * plan.use + sales


@kernel
def choose_build(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> int:
    """The best legal factory, NONE if there is none; its rate goes to ``plan.best_build``."""
    best = NONE
    plan.best_build = NEVER
    plan.site[:] = NONE
    plan.site_flip[:] = NEVER
    usual = usual_resources(game)
    for city in range(board.num_cities):
        if mask[BUILD + city]:
            links = int(work.distance[board.group[city]])
            worth = factory_worth(game, board, plan, city, links, usual, weights)
            color = int(game.color[city])
            if links != NONE and worth > plan.site_flip[color]:
                plan.site_flip[color] = worth
                plan.site[color] = city
            if worth > plan.best_build:
                plan.best_build = worth
                best = BUILD + city
    for color in range(NUM_RESOURCES):
        if plan.site[color] != NONE:
            amount = float(min(usual, int(game.stock[color])))
            plan.site_flip[color] = flip_worth(game, board, plan, int(plan.site[color]), amount, weights)
    return best


@kernel
def choose_amount(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> int:
    """Choose how many resources a bonus factory brings: fewer flip sooner, more serve own contracts (rule 5.2)."""
    best = NONE
    most = NEVER
    city = int(game.build_city)
    for choice in range(NUM_AMOUNTS):
        if mask[AMOUNT_OF + choice]:
            links = int(work.distance[board.group[city]])
            worth = factory_worth(game, board, plan, city, links, bonus_amount(game, choice), weights)
            if worth > most:
                most = worth
                best = AMOUNT_OF + choice
    return best


# --- contracts -----------------------------------------------------------------------------------------


@kernel
def count_good(game: np.record, deck: np.record, work: np.record, plan: np.record, weights: Weights) -> float:
    """How many contracts in hand can be fulfilled at a good rate; the others count in part."""
    seat = int(game.seat)
    count = 0.0
    plan.best_draw = 0.0  # not known yet: the bonus "contracts" is not counted here
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            cost = int(contract_cost(deck, work, contract))
            rate = contract_worth(game, deck, plan, contract, cost, weights) / (1 + actions_for_money(game, cost))
            count += 1.0 if rate >= weights.good else weights.poor
    return count


@kernel
def draw_worth(game: np.record, deck: np.record, work: np.record, plan: np.record, weights: Weights) -> float:
    """Dollars that two more contracts bring: less for a fuller hand, nothing when they come too late."""
    seat = int(game.seat)
    hand = count_good(game, deck, work, plan, weights)
    doable = min(plan.actions_left * weights.effort, float(int(game.contracts_to_end) - int(game.num_fulfilled[seat])))
    lacking = max(0.0, min(1.0, (doable - hand) * 0.5))
    return weights.draw * weights.draw_decay**hand * lacking


@kernel
def bonus_worth(bonus: int, plan: np.record, weights: Weights) -> float:
    """Dollars that a contract's bonus action is worth (rule 6.7)."""
    if bonus == BONUS_TRACK:
        return max(0.0, plan.track_rate) * weights.bonus_part
    if bonus == BONUS_FACTORY:
        return max(0.0, plan.best_build) * weights.bonus_part
    if bonus == BONUS_CONTRACTS:
        return max(0.0, plan.best_draw) * weights.bonus_part
    return 0.0


@kernel
def contract_worth(
    game: np.record, deck: np.record, plan: np.record, contract: int, cost: int, weights: Weights
) -> float:
    """Dollars that fulfilling the contract for ``cost`` brings."""
    money = int(deck.money[contract]) - cost
    gain = weights.vp * int(deck.vp[contract]) + money * plan.cash
    gain += (1.0 - plan.patience) * IMPATIENCE - weights.slot * plan.trust
    return gain + bonus_worth(int(deck.bonus[contract]), plan, weights)


@kernel
def actions_for_money(game: np.record, dollars: int) -> int:
    """How many actions `money` it takes until the mover can pay that much."""
    lacking = dollars - int(game.money[int(game.seat)])
    return 0 if lacking <= 0 else (lacking + TAKE_MONEY - 1) // TAKE_MONEY


@kernel
def ending_worth(game: np.record, board: np.record, deck: np.record, plan: np.record, weights: Weights) -> float:
    """Dollars for ending the game with one more contract (rule 3.2): a gain in the lead, a loss behind.

    Rivals that are still to move in this round will gain something.
    """
    seat = int(game.seat)
    most = most_fulfilled(game)
    if int(game.num_fulfilled[seat]) + 1 < game.contracts_to_end or most >= game.contracts_to_end:
        return 0.0
    score_game(game, board, deck, plan.scores)
    lead = FAR * 1.0
    for step in range(1, game.num_seats):
        other = seat_after(game, step)
        to_move = (
            1
            if (other - int(game.first_player)) % int(game.num_seats)
            > (seat - int(game.first_player)) % int(game.num_seats)
            else 0
        )
        lead = min(lead, plan.scores[seat, TOTAL] - plan.scores[other, TOTAL] - to_move * weights.last_turn)
    return max(-plan.patience, min(1.0, (lead + weights.last_vp) * 0.2)) * weights.ending


@kernel
def choose_contract(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    weights: Weights,
) -> tuple[int, float]:
    """The contract in hand with the best rate: its first step, which is `fulfil`, `money` or `build`, and the rate."""
    seat = int(game.seat)
    best = NONE
    best_rate = NEVER
    if game.network[seat] == 0:
        return best, best_rate
    ending = ending_worth(game, board, deck, plan, weights)
    for contract in range(deck.num_contracts):
        if game.place[contract] != PLACE_HAND + seat:
            continue
        cost = int(contract_cost(deck, work, contract))
        waiting = actions_for_money(game, cost)
        worth = contract_worth(game, deck, plan, contract, cost, weights) + ending
        rate = worth / (1 + waiting)
        if waiting + 1 <= plan.actions_left and rate > best_rate:
            best_rate = rate
            best = FULFIL + contract if waiting == 0 else MONEY
        build, rate = supply_contract(game, board, deck, work, plan, contract, cost, worth, weights)
        if rate > best_rate:
            best_rate = rate
            best = build
    return best, best_rate


@kernel
def supply_contract(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    contract: int,
    cost: int,
    worth: float,
    weights: Weights,
) -> tuple[int, float]:
    """The plan to build a factory for this one contract first: the `build` and its rate."""
    best = NONE
    best_rate = NEVER
    for color in range(NUM_RESOURCES):
        site = int(plan.site[color])
        if site == NONE or work.wanted[color] == 0:
            continue
        amount = min(usual_resources(game), int(game.stock[color]))
        links = int(work.distance[board.group[site]])
        work.units[color, links] += amount
        cheaper = int(contract_cost(deck, work, contract))
        work.units[color, links] -= amount
        waiting = actions_for_money(game, cheaper)
        if cheaper >= cost or waiting + 2 > plan.actions_left:
            continue
        gain = worth + (cost - cheaper) * plan.cash + plan.site_flip[color]
        if gain / (2 + waiting) > best_rate:
            best_rate = gain / (2 + waiting)
            best = BUILD + site
    return best, best_rate


# --- carrying ------------------------------------------------------------------------------------------


@kernel
def source_worth(game: np.record, board: np.record, work: np.record, city: int, weights: Weights) -> float:
    """How good it is to take the next resource from the city: cheap, own, and near its flip."""
    seat = int(game.seat)
    left = int(game.resources[city])
    owner = int(game.owner[city])
    cost = source_fee(game, seat, city) + int(work.distance[board.group[city]])
    tile = weights.vp * (FLIPPED_VP + rarity_bonus(game, int(game.color[city])))
    if owner == seat:
        return tile / left - cost
    return -cost - weights.foreign - weights.rival * tile / (left * left)


@kernel
def choose_source(game: np.record, board: np.record, work: np.record, mask: np.ndarray, weights: Weights) -> int:
    """Choose where the next resource is taken (rule 6.2); after a ``survey``."""
    best = NONE
    most = NEVER
    for city in range(board.num_cities):
        if mask[SOURCE_FROM + city]:
            worth = source_worth(game, board, work, city, weights)
            if worth > most:
                most = worth
                best = SOURCE_FROM + city
    return best


@kernel
def choose_hop(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> int:
    """Choose the next group on a shortest way to the own network (rule 6.5)."""
    survey_hop(game, board, work, int(game.seat))
    best = NONE
    fewest = FAR
    for group in range(board.num_cities):
        if mask[HOP_TO + group] and work.distance[group] < fewest:
            fewest = int(work.distance[group])
            best = HOP_TO + group
    return best


@kernel
def strength(game: np.record, seat: int) -> int:
    """How strong a seat is: contracts fulfilled, then money. Fees should go to weak seats."""
    return int(game.num_fulfilled[seat]) * 1000 + int(game.money[seat])


@kernel
def choose_rival(game: np.record, mask: np.ndarray, first_action: int, sign: int) -> int:
    """Choose of the seats on offer in a block the weakest (``sign`` -1) or the strongest (1)."""
    best = NONE
    most = -FAR * 1000
    for step in range(1, game.num_seats):
        if mask[first_action + step - 1]:
            worth = sign * strength(game, seat_after(game, step))
            if worth > most:
                most = worth
                best = first_action + step - 1
    return best


# --- what a link to a group brings -----------------------------------------------------------------


@kernel
def purple_worth(game: np.record, board: np.record, city: int, weights: Weights) -> float:
    """Dollars of a share in a purple city, and of the rivals' smaller shares (rule 3.3)."""
    seat = int(game.seat)
    if counts_as_linked(game, board, seat, city):
        return 0.0
    sharers = 0
    for other in range(game.num_seats):
        sharers += 1 if counts_as_linked(game, board, other, city) else 0
    total = PURPLE_VP + rarity_bonus(game, PURPLE)
    share = total // (sharers + 1)
    lost = sharers * (total // sharers - share) if sharers > 0 else 0
    return weights.purple * weights.vp * (share + weights.rival * lost / (int(game.num_seats) - 1))


@kernel
def city_worth(
    game: np.record, board: np.record, work: np.record, plan: np.record, city: int, weights: Weights
) -> float:
    """Dollars that having the city in the network brings."""
    color = int(game.color[city])
    if color == PURPLE:
        return purple_worth(game, board, city, weights)
    seat = int(game.seat)
    links = int(work.distance[board.group[city]]) if game.network[seat] != 0 else NONE
    left = int(game.resources[city])
    if left > 0:
        fee = source_fee(game, seat, city)
        if links == NONE:
            claimants = 1 if fee == 0 else int(game.num_seats) - 1  # all rivals are after a rival's resources
            return saving(plan, color, float(left), fee, weights) * plan.use / claimants
        return min(float(left), plan.needs[color]) * links * 0.5 * plan.use
    if game.owner[city] != NONE or game.factories[seat] <= 0:
        return 0.0
    usual = usual_resources(game)
    here = factory_worth(game, board, plan, city, 0, usual, weights) - weights.tempo * 0.5
    if links != NONE:
        here -= factory_worth(game, board, plan, city, links, usual, weights)
    return max(0.0, here) * weights.site


@kernel
def beyond_worth(
    game: np.record, board: np.record, work: np.record, plan: np.record, group: int, weights: Weights
) -> float:
    """Dollars that resources one foreign link beyond the group bring, if nothing reaches them now (rule 6.2)."""
    seat = int(game.seat)
    total = 0.0
    for city in range(board.num_cities):
        other = int(board.group[city])
        left = int(game.resources[city])
        if left <= 0 or not has(game.reach[group], other) or has(game.network[seat], other):
            continue
        if game.network[seat] == 0 or work.distance[other] == NONE:
            total += saving(plan, int(game.color[city]), float(left), source_fee(game, seat, city) + 1, weights)
    return total * plan.use * weights.beyond


@kernel
def note_worth(game: np.record, board: np.record, work: np.record, plan: np.record, weights: Weights) -> None:
    """Write by group what a link to it brings; nothing where the mover is already."""
    seat = int(game.seat)
    plan.worth[:] = 0.0
    for city in range(board.num_cities):
        group = int(board.group[city])
        if not has(game.network[seat], group):
            plan.worth[group] += city_worth(game, board, work, plan, city, weights)
    for group in range(board.num_cities):
        if board.group[group] == group and not has(game.network[seat], group):
            plan.worth[group] += weights.toll * plan.trust
            if game.reach[group] != 0:
                plan.worth[group] += beyond_worth(game, board, work, plan, group, weights)
