"""A rule-based player: every option is worth dollars per action, and the best rate is played.

The currency is the dollar of the final scoring: $5 are 1 VP (rule 3.3). An option is a plan of one or
more actions: fulfil a contract now, or after taking the money for it; build a factory; lay track to a
group of cities, or over it to the next; take contracts; take $3. A plan's *rate* is what it brings
divided by the actions it takes. The mover plays the first step of the plan with the best rate and
plans anew at its next decision: nothing is remembered between decisions.

The choice depends on the mover's view only, and is deterministic: of equal options the first in the
order of the action space is taken.

All of it are Numba kernels over one ``GAME`` record, with one ``PLAN`` record as scratch memory, so
that compiled rollouts can call ``choose_greedy``.
"""

from typing import NamedTuple

import numpy as np

from steam_env.core.actions import (
    AMOUNT_OF,
    BUILD,
    CONTRACTS,
    DONE,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    MONEY,
    NUM_ACTIONS,
    NUM_AMOUNTS,
    PAY_TO,
    REMOVE,
    REPLACE,
    SOURCE_FROM,
    START,
    TAKE,
)
from steam_env.core.bits import has
from steam_env.core.carriage import contract_cost, source_fee, survey, survey_hop
from steam_env.core.factory import usual_resources
from steam_env.core.jit import kernel
from steam_env.core.legal import bonus_amount, seat_after
from steam_env.core.scoring import NUM_SCORE_PARTS, TOTAL, counts_as_linked, rarity_bonus, score_game
from steam_env.core.state import (
    ACTION,
    AMOUNT,
    BONUS,
    BONUS_CONTRACTS,
    BONUS_FACTORY,
    BONUS_TRACK,
    FLIPPED_VP,
    HEAD,
    HOP,
    MAX_CITIES,
    MAX_HEXES,
    MAX_SEATS,
    NONE,
    NUM_EDGES,
    NUM_RESOURCES,
    PAY,
    PLACE_HAND,
    PLACEMENTS_PER_ACTION,
    PURPLE,
    PURPLE_VP,
    SOURCE,
    TAKE_FROM,
    TAKE_MONEY,
    new_work,
)
from steam_env.core.tiles import opposite, other_edge, pair_of, tile_kind, uses
from steam_env.core.track import far_edge_problem, next_site, other_segment, placement_cost
from steam_env.view import View

# --- constants ----------------------------------------------------------------------------------------


class Weights(NamedTuple):
    """What the player believes, as numbers; tuned by matches against itself."""

    vp: float = 5.0  # dollars for a VP: the rate of the final scoring
    cash: float = 1.4  # dollars that $1 is worth early in the game, when it buys tempo; at the end it is $1
    rich: float = 40.0  # dollars in hand with which $1 is worth $1 at any time
    slot: float = 0.5  # dollars lost by a contract early in the game, since it brings the end nearer
    lack: float = 5.5  # dollars that a resource out of reach costs: $5 and the trouble of having them
    pace: float = 1.0  # contracts that the leading seat fulfils in a round
    effort: float = 0.45  # contracts that the mover fulfils with one action, over the rest of the game
    future: float = 0.5  # weight of needs of contracts not yet drawn, against those in hand
    per_contract: float = 0.75  # resources of one colour in an average contract
    sold: float = 0.35  # part of a rival's needs that an own factory in its network serves
    sold_far: float = 0.35  # likewise for one that is not in its network
    flip: float = 1.0  # trust in the estimate that a factory will be emptied
    sale: float = 0.3  # dollars that others will pay for each resource of a factory
    draw: float = 22.0  # dollars that two more contracts bring to an empty hand
    draw_decay: float = 0.72  # and with each contract already in hand that much less
    site: float = 0.45  # part of a factory's worth that a link to its site is given
    tempo: float = 8.0  # dollars that an average action brings
    purple: float = 1.0  # trust in a share of a purple city: others may come
    haste: float = 0.05  # part of a track plan's worth that each action after the first one costs
    deny: float = 1.0  # dollars for a factory site that a rival has in its network
    toll: float = 1.5  # dollars that others will pay for the use of a link
    first_link: float = 25.0  # dollars for the first link, which all else waits for
    bonus_part: float = 0.7  # part of the best factory, contracts or track that such a bonus is worth
    foreign: float = 1.0  # dollars lost by using a rival's resource: it gets paid and comes nearer to its flip
    rival: float = 0.5  # dollars gained by $1 that a rival loses, shared by the rivals
    second: float = 2.0  # the second placement of an action is laid if its plan brings that much per action
    placement: float = 4.0  # effort of a placement beside its dollars, when routes are compared
    settled: float = 12.0  # actions left from which on investments are fully trusted
    soon: float = 3.0  # likewise on resources for contracts in hand
    good: float = 6.0  # dollars per action from which on a contract in hand is worth its place
    poor: float = 0.4  # part of a good contract that counts for one that is not, when contracts are drawn
    ending: float = 15.0  # dollars for ending the game in the lead, or lost by ending it behind
    last_turn: float = 4.0  # VP that a rival gains in its last turn
    last_vp: float = 2.0  # VP that the last contract itself brings
    defer: float = 0.0  # part of its cost that a contract loses in worth, since it may become cheaper


WEIGHTS = Weights()

NUM_STATES = MAX_HEXES * NUM_EDGES  # a tile's far edge: (hex, edge)
QUEUE = 2048  # a power of two above NUM_STATES
FAR = 1 << 20  # effort of what was not reached
LIMIT = 44  # longest way that is looked for, in effort: about nine plain tiles
FIRST_LIMIT = 18  # likewise for the first link, which is looked for from every city
NEVER = -1e9  # rate of what cannot be done
PACE_ROUNDS = 6.0  # rounds for which the expected pace counts beside the seen one
IMPATIENCE = 10.0  # dollars more for any contract in a game that drags on
MAX_PRICE = 6  # costs of a resource that are told apart, in dollars

PLAN_FIELDS = [
    ("hand_needs", "f8", (NUM_RESOURCES,)),  # resources that the contracts in hand need
    ("needs", "f8", (NUM_RESOURCES,)),  # and with those still to come, weighted
    ("rival_needs", "f8", (MAX_SEATS,)),  # by seat: resources of one colour that it will still need
    ("units", "f8", (MAX_SEATS, NUM_RESOURCES)),  # by seat: resources in its factories
    ("supply", "f8", (NUM_RESOURCES, MAX_PRICE + 1)),  # resources that can be had, by cost
    ("flips", "f8", (NUM_RESOURCES,)),  # resources that the mover will need, at full weight
    ("worth", "f8", (MAX_CITIES,)),  # by group: what a link to it brings
    ("actions_left", "f8", ()),  # actions that the mover may still have
    ("trust", "f8", ()),  # 0 at the end to 1 early: how far investments pay
    ("use", "f8", ()),  # likewise for what serves contracts: it takes a few actions only
    ("patience", "f8", ()),  # 1 in a game that goes on well, down to 0 in one that drags on
    ("cash", "f8", ()),  # what $1 is worth now
    ("best_build", "f8", ()),  # rate of the best factory
    ("best_draw", "f8", ()),  # rate of taking contracts
    ("site", "i8", (NUM_RESOURCES,)),  # by colour: the best site for a factory now, NONE if there is none
    ("site_flip", "f8", (NUM_RESOURCES,)),  # by colour: what its flip would be worth
    ("scores", "i8", (MAX_SEATS, NUM_SCORE_PARTS)),
    ("effort", "i4", (NUM_STATES,)),  # by state: effort of the best way to it
    ("placements", "i2", (NUM_STATES,)),
    ("dollars", "i2", (NUM_STATES,)),
    ("first", "i2", (NUM_STATES,)),  # its first action
    ("origin", "i2", (NUM_STATES,)),  # the city that the link under way starts from
    ("over", "i2", (NUM_STATES,)),  # the group that it starts from if that is reached on the way, else NONE
    ("queued", "i2", (NUM_STATES,)),
    ("queue", "i2", (QUEUE,)),
    ("queue_head", "i8", ()),
    ("queue_tail", "i8", ()),
    ("limit", "i8", ()),
    ("exits", "i2", (MAX_HEXES,)),  # bit e = a far edge e may lead out of this hex (rule 4.4)
    ("group_effort", "i4", (MAX_CITIES,)),  # by group: the best way to it
    ("group_placements", "i2", (MAX_CITIES,)),
    ("group_dollars", "i2", (MAX_CITIES,)),
    ("group_first", "i2", (MAX_CITIES,)),
    ("group_over", "i2", (MAX_CITIES,)),
    ("track_action", "i8", ()),  # first step of the best track plan, NONE if there is none
    ("track_dollars", "i8", ()),  # dollars of the whole plan
    ("track_rate", "f8", ()),
]
PLAN = np.dtype((np.record, np.dtype(PLAN_FIELDS, align=True)))

# --- how long the game goes on -----------------------------------------------------------------------


@kernel
def most_fulfilled(game: np.record) -> int:
    """Contracts fulfilled by the seat that has the most: it will end the game."""
    most = 0
    for seat in range(game.num_seats):
        most = max(most, int(game.num_fulfilled[seat]))
    return most


@kernel
def count_actions_left(game: np.record, weights: Weights) -> float:
    """Actions that the mover will still have, the present one included (rule 3.2).

    The leading seat is expected to go on as fast as it did so far, mixed with ``weights.pace``.
    """
    most = most_fulfilled(game)
    pace = (most + weights.pace * PACE_ROUNDS) / (int(game.round_number) + PACE_ROUNDS)
    missing = int(game.contracts_to_end) - most
    rounds = missing / pace if missing > 0 else 0.0
    rounds = min(rounds, float(int(game.max_rounds) - int(game.round_number)))
    return int(game.actions_left) + 2.0 * rounds


@kernel
def measure_patience(game: np.record) -> float:
    """1 in a game that goes on well, down to 0 in one that drags on: that shall end, whoever wins."""
    pace = (most_fulfilled(game) + PACE_ROUNDS) / (int(game.round_number) + PACE_ROUNDS)
    return max(0.0, min(1.0, 2.0 * pace - 0.5))


# --- needs and supply ---------------------------------------------------------------------------------


@kernel
def note_needs(game: np.record, deck: np.record, plan: np.record, weights: Weights) -> None:
    """Write what the mover will need: its hand for certain, contracts to come by their average."""
    seat = int(game.seat)
    plan.hand_needs[:] = 0.0
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            for need in range(deck.num_needs[contract]):
                plan.hand_needs[deck.needs[contract, need]] += 1.0
    doable = min(plan.actions_left * weights.effort, float(int(game.contracts_to_end) - int(game.num_fulfilled[seat])))
    doable = max(doable, 1.0)
    hand = int(game.hand_size[seat])
    part = min(1.0, doable / hand) if hand > 0 else 1.0
    coming = max(0.0, doable - hand) * weights.per_contract
    for color in range(NUM_RESOURCES):
        plan.needs[color] = plan.hand_needs[color] * part + coming * weights.future
        plan.flips[color] = plan.hand_needs[color] * part + coming
    for other in range(game.num_seats):
        left = float(int(game.contracts_to_end) - int(game.num_fulfilled[other]))
        plan.rival_needs[other] = min(plan.actions_left * weights.effort, max(left, 0.0)) * weights.per_contract


@kernel
def note_supply(game: np.record, board: np.record, work: np.record, plan: np.record) -> None:
    """Write what can be had at which cost; after a ``survey``."""
    seat = int(game.seat)
    plan.supply[:] = 0.0
    plan.units[:] = 0.0
    for city in range(board.num_cities):
        left = int(game.resources[city])
        if left <= 0:
            continue
        color = int(game.color[city])
        plan.units[game.owner[city], color] += left
        links = int(work.distance[board.group[city]])
        if links != NONE and game.network[seat] != 0:
            plan.supply[color, min(MAX_PRICE, source_fee(game, seat, city) + links)] += left


@kernel
def price(plan: np.record, color: int, extra: float, extra_cost: int, lack: float) -> float:
    """Dollars for the colour's needs, cheapest first, with ``extra`` more resources to be had at ``extra_cost``."""
    wanted = plan.needs[color]
    total = 0.0
    for cost in range(MAX_PRICE + 1):
        units = plan.supply[color, cost] + (extra if cost == extra_cost else 0.0)
        taken = min(wanted, units)
        total += taken * min(float(cost), lack)
        wanted -= taken
    return total + wanted * lack


@kernel
def saving(plan: np.record, color: int, extra: float, extra_cost: int, weights: Weights) -> float:
    """Dollars that ``extra`` more resources of the colour save the mover."""
    cost = min(MAX_PRICE, extra_cost)
    return price(plan, color, 0.0, 0, weights.lack) - price(plan, color, extra, cost, weights.lack)


# --- factories -----------------------------------------------------------------------------------------


@kernel
def flip_worth(game: np.record, board: np.record, plan: np.record, city: int, amount: float, weights: Weights) -> float:
    """Dollars that ``amount`` resources of a new factory are worth by their flip: if enough will be used.

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
    """Resources of a bonus factory: fewer flip sooner, more serve own contracts (rule 5.2)."""
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
    """Contracts in hand that can be fulfilled at a good rate; the others count in part."""
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
    gain = weights.vp * int(deck.vp[contract]) + money * plan.cash - cost * weights.defer * plan.trust
    gain += (1.0 - plan.patience) * IMPATIENCE - weights.slot * plan.trust
    return gain + bonus_worth(int(deck.bonus[contract]), plan, weights)


@kernel
def actions_for_money(game: np.record, dollars: int) -> int:
    """Actions `money` until the mover can pay that much."""
    lacking = dollars - int(game.money[int(game.seat)])
    return 0 if lacking <= 0 else (lacking + TAKE_MONEY - 1) // TAKE_MONEY


@kernel
def ending_worth(game: np.record, board: np.record, deck: np.record, plan: np.record, weights: Weights) -> float:
    """Dollars for ending the game with one more contract (rule 3.2): good for who leads, bad for who does not.

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
    mask: np.ndarray,
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
    """Where the next resource is taken (rule 6.2); after a ``survey``."""
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
    """The next group on a shortest way to the own network (rule 6.5)."""
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
    """How far a seat is: contracts fulfilled, then money. Who is paid should be weak."""
    return int(game.num_fulfilled[seat]) * 1000 + int(game.money[seat])


@kernel
def choose_rival(game: np.record, mask: np.ndarray, first_action: int, sign: int) -> int:
    """Of the seats on offer in a block, the weakest (``sign`` -1) or the strongest (1)."""
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
    """Dollars that it brings to have the city in the network."""
    color = int(game.color[city])
    if color == PURPLE:
        return purple_worth(game, board, city, weights)
    seat = int(game.seat)
    links = int(work.distance[board.group[city]]) if game.network[seat] != 0 else NONE
    left = int(game.resources[city])
    if left > 0:
        fee = source_fee(game, seat, city)
        if links == NONE:
            return saving(plan, color, float(left), fee, weights) * plan.use
        return min(float(left), plan.needs[color]) * links * 0.5 * plan.use
    if game.owner[city] != NONE or game.factories[seat] <= 0:
        return 0.0
    usual = usual_resources(game)
    here = factory_worth(game, board, plan, city, 0, usual, weights) - weights.tempo * 0.5
    if links != NONE:
        here -= factory_worth(game, board, plan, city, links, usual, weights)
    return max(0.0, here) * weights.site


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


# --- ways to groups ---------------------------------------------------------------------------------


@kernel
def note_exits(game: np.record, board: np.record, plan: np.record) -> None:
    """Write over which edges a tile on each hex may lead on (rule 4.4), the link's own start aside."""
    for hex_index in range(board.num_hexes):
        exits = 0
        if board.cost[hex_index] != NONE and game.track[hex_index, 1] == NONE:
            for edge in range(NUM_EDGES):
                if far_edge_problem(game, board, hex_index, edge, NONE) == 0:
                    exits |= 1 << edge
        plan.exits[hex_index] = exits


@kernel
def clear_ways(plan: np.record, limit: int) -> None:
    """Forget all ways."""
    plan.effort[:] = FAR
    plan.queued[:] = 0
    plan.group_effort[:] = FAR
    plan.queue_head = 0
    plan.queue_tail = 0
    plan.limit = limit


@kernel
def note_state(
    plan: np.record, state: int, effort: int, placements: int, dollars: int, first: int, origin: int, over: int
) -> None:
    """A better way to a state: keep it and look on from there."""
    plan.effort[state] = effort
    plan.placements[state] = placements
    plan.dollars[state] = dollars
    plan.first[state] = first
    plan.origin[state] = origin
    plan.over[state] = over
    if plan.queued[state] == 0:
        plan.queued[state] = 1
        plan.queue[plan.queue_tail & (QUEUE - 1)] = state
        plan.queue_tail += 1


@kernel
def lay_on(
    game: np.record,
    board: np.record,
    plan: np.record,
    hex_index: int,
    entry: int,
    effort: int,
    placements: int,
    dollars: int,
    first: int,
    origin: int,
    over: int,
    weights: Weights,
) -> None:
    """Ways go on by a tile on the hex entered by ``entry``; ``first`` NONE: that tile is the first step."""
    if hex_index == NONE or plan.exits[hex_index] == 0:
        return
    staying = int(game.track[hex_index, 0])
    if uses(staying, entry):
        return
    cost = placement_cost(game, board, hex_index)
    total = effort + int(weights.placement) + cost
    if total > plan.limit:
        return
    for edge in range(NUM_EDGES):
        state = hex_index * NUM_EDGES + edge
        if edge == entry or (plan.exits[hex_index] >> edge) & 1 == 0 or plan.effort[state] <= total:
            continue
        kind = tile_kind(staying, pair_of(entry, edge))
        if kind == NONE or game.tiles[kind] <= 0:
            continue
        city = int(board.hex_city[board.neighbour[hex_index, edge]])
        if city != NONE and city == origin:
            continue
        begun = HEAD_TO + edge if first == NONE else first
        note_state(plan, state, total, placements + 1, dollars + cost, begun, origin, over)


@kernel
def start_from(
    game: np.record,
    board: np.record,
    plan: np.record,
    group: int,
    effort: int,
    placements: int,
    dollars: int,
    first: int,
    over: int,
    weights: Weights,
) -> None:
    """Ways begin with a new link from any city of the group; ``first`` NONE: that start is the first step."""
    for city in range(board.num_cities):
        if board.group[city] != group:
            continue
        for edge in range(NUM_EDGES):
            hex_index = int(board.neighbour[board.city_hex[city], edge])
            begun = START + city * NUM_EDGES + edge if first == NONE else first
            lay_on(
                game, board, plan, hex_index, opposite(edge), effort, placements, dollars, begun, city, over, weights
            )


@kernel
def reach_group(game: np.record, board: np.record, plan: np.record, state: int, city: int, weights: Weights) -> None:
    """A way leads into a city: note it, and go on from its group with a new link."""
    seat = int(game.seat)
    group = int(board.group[city])
    if has(game.network[seat], group) or plan.effort[state] >= plan.group_effort[group]:
        return
    if plan.over[state] == group:
        return
    plan.group_effort[group] = plan.effort[state]
    plan.group_placements[group] = plan.placements[state]
    plan.group_dollars[group] = plan.dollars[state]
    plan.group_first[group] = plan.first[state]
    plan.group_over[group] = plan.over[state]
    if game.trains[seat] > 1:
        start_from(
            game,
            board,
            plan,
            group,
            int(plan.effort[state]),
            int(plan.placements[state]),
            int(plan.dollars[state]),
            int(plan.first[state]),
            group,
            weights,
        )


@kernel
def find_ways(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """Shortest ways from the states noted so far to all groups within the limit."""
    while plan.queue_head != plan.queue_tail:
        state = int(plan.queue[plan.queue_head & (QUEUE - 1)])
        plan.queue_head += 1
        plan.queued[state] = 0
        edge = state % NUM_EDGES
        beyond = int(board.neighbour[state // NUM_EDGES, edge])
        city = int(board.hex_city[beyond])
        if city != NONE:
            reach_group(game, board, plan, state, city, weights)
        else:
            lay_on(
                game,
                board,
                plan,
                beyond,
                opposite(edge),
                int(plan.effort[state]),
                int(plan.placements[state]),
                int(plan.dollars[state]),
                int(plan.first[state]),
                int(plan.origin[state]),
                int(plan.over[state]),
                weights,
            )


@kernel
def turn_tail(
    game: np.record,
    board: np.record,
    plan: np.record,
    hex_index: int,
    entry: int,
    exit_edge: int,
    removed: int,
    origin: int,
    weights: Weights,
) -> None:
    """Ways begin with another far edge for a tile of the incomplete link, after ``removed`` later ones (rule 4.7)."""
    staying = other_segment(game, hex_index, pair_of(entry, exit_edge))
    total = (removed + 1) * int(weights.placement)
    for edge in range(NUM_EDGES):
        state = hex_index * NUM_EDGES + edge
        if edge in (entry, exit_edge) or plan.effort[state] <= total:
            continue
        kind = tile_kind(staying, pair_of(entry, edge))
        if kind == NONE or game.tiles[kind] <= 0:
            continue
        if far_edge_problem(game, board, hex_index, edge, origin) == 0:
            first = REPLACE + edge if removed == 0 else REMOVE
            note_state(plan, state, total, removed + 1, 0, first, origin, NONE)


@kernel
def begin_at_tail(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Ways begin at the incomplete link: go on, or turn or take back its last tiles (rules 4.2, 4.7, 4.8)."""
    seat = int(game.seat)
    hex_index = int(game.tail_hex[seat])
    entry = int(game.tail_entry[seat])
    exit_edge = int(game.tail_exit[seat])
    origin = int(game.link_start[game.tail_link[seat]])
    beyond = int(board.neighbour[hex_index, exit_edge])
    lay_on(game, board, plan, beyond, opposite(exit_edge), 0, 0, 0, NONE, origin, NONE, weights)
    removed = 0
    while True:
        turn_tail(game, board, plan, hex_index, entry, exit_edge, removed, origin, weights)
        if not mask[REMOVE]:
            return
        removed += 1
        before = int(board.neighbour[hex_index, entry])
        if board.hex_city[before] != NONE:
            break
        leads_here = opposite(entry)
        slot = 0 if uses(game.track[before, 0], leads_here) else 1
        entry = other_edge(game.track[before, slot], leads_here)
        hex_index = before
        exit_edge = leads_here
    begin_in_network(game, board, plan, removed, REMOVE, weights)


@kernel
def begin_in_network(
    game: np.record, board: np.record, plan: np.record, removed: int, first: int, weights: Weights
) -> None:
    """Ways begin with a new link from the network (rule 4.3), after ``removed`` tiles were taken back."""
    seat = int(game.seat)
    for group in range(board.num_cities):
        if has(game.network[seat], group):
            start_from(game, board, plan, group, removed * int(weights.placement), removed, 0, first, NONE, weights)


@kernel
def way_worth(game: np.record, plan: np.record, group: int) -> float:
    """What the way to the group brings: the group and those on the way."""
    total = 0.0
    while group != NONE:
        total += plan.worth[group]
        group = int(plan.group_over[group])
    return total


@kernel
def actions_for_track(game: np.record, placements: int) -> float:
    """Actions for so many placements, from now on; the second half of an action is worth something."""
    ready = int(game.placements_left)
    if game.phase == BONUS or (game.phase == HEAD and ready == 0):
        ready = PLACEMENTS_PER_ACTION
    later = max(0, placements - ready)
    if game.phase == ACTION:
        return max(1.0, later * 0.5 + (0.25 if later % 2 == 1 else 0.0))
    return 0.5 * min(ready, placements) + later * 0.5


@kernel
def compare_ways(game: np.record, board: np.record, plan: np.record, extra: float, weights: Weights) -> None:
    """Keep the first step of the way with the best rate, if it beats the one kept so far.

    ``extra`` is what any completed link brings beside the group that it reaches.
    """
    for group in range(board.num_cities):
        if plan.group_effort[group] >= FAR:
            continue
        dollars = int(plan.group_dollars[group])
        actions = actions_for_track(game, int(plan.group_placements[group]))
        spent = 0 if game.phase == ACTION else actions
        actions += actions_for_money(game, dollars)
        if actions - spent > plan.actions_left:
            continue
        haste = max(0.0, 1.0 - weights.haste * max(0.0, actions - 1.0))
        gain = (way_worth(game, plan, group) + extra) * haste - dollars * plan.cash
        rate = gain / max(actions, 0.5)
        if rate > plan.track_rate:
            plan.track_rate = rate
            plan.track_action = int(plan.group_first[group])
            plan.track_dollars = dollars


@kernel
def plan_first_link(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """The first link may start from any city (rule 4.3): look from each group in turn."""
    for group in range(board.num_cities):
        if board.group[group] == group:
            clear_ways(plan, FIRST_LIMIT)
            start_from(game, board, plan, group, 0, 0, 0, NONE, group, weights)
            find_ways(game, board, plan, weights)
            for other in range(board.num_cities):
                if plan.group_effort[other] < FAR and plan.group_over[other] == group:
                    plan.group_over[other] = NONE
            compare_ways(game, board, plan, weights.first_link + plan.worth[group], weights)


@kernel
def plan_track(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> None:
    """Write the first step of the best track plan and its rate."""
    seat = int(game.seat)
    plan.track_action = NONE
    plan.track_rate = NEVER
    plan.track_dollars = 0
    note_worth(game, board, work, plan, weights)
    note_exits(game, board, plan)
    fresh = game.phase == HEAD
    if not fresh and game.tail_link[seat] == NONE:
        if game.trains[seat] <= 0:
            return
        if game.network[seat] == 0:
            plan_first_link(game, board, plan, weights)
            return
    clear_ways(plan, LIMIT)
    extra = 0.0
    if fresh:
        hex_index, entry, origin = next_site(game, board, seat)
        lay_on(game, board, plan, hex_index, entry, 0, 0, 0, NONE, origin, NONE, weights)
    elif game.tail_link[seat] != NONE:
        begin_at_tail(game, board, plan, mask, weights)
    else:
        begin_in_network(game, board, plan, 0, NONE, weights)
    find_ways(game, board, plan, weights)
    if game.network[seat] == 0:
        origin = int(game.start_city) if fresh else int(game.link_start[game.tail_link[seat]])
        extra = weights.first_link + plan.worth[board.group[origin]]
    compare_ways(game, board, plan, extra, weights)


# --- the decision -----------------------------------------------------------------------------------


@kernel
def prepare(
    game: np.record, board: np.record, deck: np.record, work: np.record, plan: np.record, weights: Weights
) -> None:
    """Look at the position: how long it goes on, what is needed, what can be had."""
    survey(game, board, work, int(game.seat))
    plan.actions_left = count_actions_left(game, weights)
    plan.trust = max(0.0, min(1.0, (plan.actions_left - 1.0) / weights.settled))
    plan.use = max(0.0, min(1.0, (plan.actions_left - 1.0) / weights.soon))
    poor = max(0.0, 1.0 - int(game.money[int(game.seat)]) / weights.rich)
    plan.cash = 1.0 + (weights.cash - 1.0) * plan.trust * poor
    plan.patience = measure_patience(game)
    note_needs(game, deck, plan, weights)
    note_supply(game, board, work, plan)


@kernel
def choose_action(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """One of the five actions (rule 3.1): the first step of the plan with the best rate."""
    best = MONEY
    best_rate = TAKE_MONEY * plan.cash * plan.patience
    plan_track(game, board, work, plan, mask, weights)
    build = choose_build(game, board, work, plan, mask, weights)
    if plan.best_build > best_rate:
        best, best_rate = build, plan.best_build
    plan.best_draw = draw_worth(game, deck, work, plan, weights)
    if mask[CONTRACTS] and plan.best_draw > best_rate:
        best, best_rate = CONTRACTS, plan.best_draw
    contract, rate = choose_contract(game, board, deck, work, plan, mask, weights)
    if rate > best_rate:
        best, best_rate = contract, rate
    if plan.track_rate > best_rate and plan.track_action != NONE:
        best = int(plan.track_action)
        if not mask[best]:
            best = MONEY
    return best


@kernel
def choose_placement(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> int:
    """A placement of a lay-track action or bonus, or `done` if it would bring little."""
    plan_track(game, board, work, plan, mask, weights)
    action = int(plan.track_action)
    if action == NONE or not mask[action]:
        return DONE
    return action if plan.track_rate > weights.second or not mask[DONE] else DONE


@kernel
def choose_bonus(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """A contract's bonus, or `done` (rule 6.7)."""
    bonus = int(deck.bonus[game.contract])
    if bonus == BONUS_TRACK:
        return choose_placement(game, board, work, plan, mask, weights)
    if bonus == BONUS_FACTORY:
        return choose_build(game, board, work, plan, mask, weights)
    return CONTRACTS


@kernel
def first_legal(mask: np.ndarray) -> int:
    """The first legal action."""
    for action in range(NUM_ACTIONS):
        if mask[action]:
            return action
    return MONEY


@kernel
def decide(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """The choice for the decision under way, NONE if the plan has none."""
    phase = int(game.phase)
    if phase == HOP:
        return choose_hop(game, board, work, mask)
    if phase == PAY:
        return choose_rival(game, mask, PAY_TO, -1)
    if phase == TAKE_FROM:
        return choose_rival(game, mask, TAKE, 1)
    if phase > BONUS and phase != AMOUNT:
        return MONEY
    prepare(game, board, deck, work, plan, weights)
    if phase == SOURCE:
        return choose_source(game, board, work, mask, weights)
    if phase == AMOUNT:
        return choose_amount(game, board, work, plan, mask, weights)
    if phase == ACTION:
        return choose_action(game, board, deck, work, plan, mask, weights)
    if phase == BONUS:
        return choose_bonus(game, board, deck, work, plan, mask, weights)
    return choose_placement(game, board, work, plan, mask, weights)


@kernel
def choose_by(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """A legal action by these weights; ``plans`` is scratch memory, an array of one ``PLAN``."""
    action = decide(game, board, deck, work, plans[0], mask, weights)
    if action == NONE or not mask[action]:
        return first_legal(mask)
    return action


@kernel
def choose_greedy(game: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray) -> int:
    """The greedy player's action for the mover of one view."""
    plans = np.empty(1, PLAN)
    return choose_by(game, board, deck, work, plans, mask, WEIGHTS)


@kernel
def choose_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    work: np.record,
    plans: np.ndarray,
    masks: np.ndarray,
    weights: Weights,
    actions: np.ndarray,
) -> None:
    """The choice in each game."""
    for index in range(games.shape[0]):
        game = games[index]
        actions[index] = choose_by(
            game, boards[game.board_index], decks[game.deck_index], work, plans, masks[index], weights
        )


class GreedyAgent:
    """The rule-based player as an agent. It looks at views only and needs no seed."""

    encoding: str | None = None

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self._weights = weights
        self._works = new_work()
        self._work = self._works[0]
        self._plans = np.zeros(1, PLAN)

    def reset(self, seed: int) -> None:
        """Nothing is random here and nothing is remembered."""

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, the choice in each game."""
        actions = np.empty(len(masks), np.int64)
        setting = views.setting
        choose_all(views.records, setting.boards, setting.decks, self._work, self._plans, masks, self._weights, actions)
        return actions
