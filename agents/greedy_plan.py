"""The greedy player's estimates (``Weights``), its scratch memory (``PLAN``), and its look at the position."""

from typing import NamedTuple

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.carriage import source_fee
from steam_env.core.steam_power.scoring import NUM_SCORE_PARTS
from steam_env.core.steam_power.state import MAX_CITIES, MAX_HEXES, MAX_SEATS, NUM_RESOURCES, PLACE_HAND


class Weights(NamedTuple):
    """The greedy player's estimates: what things are worth, and how the game goes on.

    Set by ``python -m steam_env.training.steam_power.tune`` on earlier layouts of the maps midwest and alps, in several
    runs, each from where the one before came to; six were then compared one by one on later layouts. Those by which a
    first link stands, from ``laying`` to ``rivalry``, began as a least-squares fit of the lead in victory points to
    first links drawn at random in games of 2 to 5 seats; they were then changed one by one until no single change of
    them won against the rest of the table, on eight maps at 2 to 5 seats.
    """

    vp: float = 3.4  # dollars for a VP: the rate of the final scoring
    cash: float = 1.4  # dollars that $1 is worth early in the game, when it buys tempo; at the end it is $1
    rich: float = 17.7  # dollars in hand with which $1 is worth $1 at any time
    slot: float = 0.182  # dollars lost by a contract early in the game, since it brings the end nearer
    lack: float = 5.8  # dollars that a resource out of reach costs: $5 and the trouble of having them
    pace: float = 0.16  # contracts a round expected before any is fulfilled; low, as early investments pay long
    effort: float = 0.262  # contracts that the mover fulfils with one action, over the rest of the game
    future: float = 0.55  # weight of needs of contracts not yet drawn, against those in hand
    per_contract: float = 1.18  # resources of one colour in an average contract
    sold: float = 0.283  # part of a rival's needs that an own factory in its network serves
    sold_far: float = 0.339  # likewise for one that is not in its network
    flip: float = 1.15  # trust in the estimate that a factory will be emptied
    sale: float = 0.7  # dollars that others will pay for each resource of a factory
    draw: float = 29.4  # dollars that two more contracts bring to an empty hand
    draw_decay: float = 0.826  # and with each contract already in hand that much less
    site: float = 0.503  # part of a factory's worth that a link to its site is given
    tempo: float = 13.5  # dollars that an average action brings
    purple: float = 1.24  # trust in a share of a purple city: others may come
    haste: float = 0.03  # part of a track plan's worth that each action after the first one costs
    deny: float = 4.7  # dollars for a factory site that a rival has in its network
    beyond: float = 0.19  # part of what resources in reach bring that those one foreign link beyond a new link bring
    toll: float = 7.85  # dollars that others will pay for the use of a link
    first_link: float = 25.0  # dollars for the first link, which all else waits for
    ends: float = 1.0  # part of what the groups that a first link joins are worth that it is given
    at_once: float = 0.0  # actions for which the rate of a first link counts, as that of any other track does
    laying: float = 30.0  # dollars that each placement of a first link costs: what is not done meanwhile
    paying: float = 15.0  # likewise each dollar paid for it
    country: float = 3.0  # part of what the groups round the first link are worth that it is given
    usual: float = 18.0  # dollars that a group is worth anywhere: what it is worth beyond them counts for the country
    fade: float = 40.0  # effort of a way to such a group from which on it counts for nothing
    apart: float = 4.0  # dollars for each effort of the way from a first link to a rival, for each rival but one
    rivalry: float = 18.0  # effort of a way from which on a rival is far enough
    bonus_part: float = 0.812  # part of the best factory, contracts or track that such a bonus is worth
    foreign: float = 1.6  # dollars lost by using a rival's resource: it gets paid and comes nearer to its flip
    rival: float = 0.327  # dollars gained by $1 that a rival loses, shared by the rivals
    second: float = 1.12  # the second placement of an action is laid if its plan brings that much per action
    placement: float = 4.0  # effort of a placement beside its dollars, when routes are compared
    longest: float = 44.0  # longest way that is looked for, in effort: about nine plain tiles
    settled: float = 11.6  # actions left from which on investments are fully trusted
    soon: float = 3.3  # likewise on resources for contracts in hand
    good: float = 1.35  # dollars per action from which on a contract in hand is worth its place
    poor: float = 1.67  # part of a good contract that counts for one that is not, when contracts are drawn
    ending: float = 30.3  # dollars for ending the game in the lead, or lost by ending it behind
    last_turn: float = 0.328  # VP that a rival gains in its last turn
    last_vp: float = 5.37  # VP that the last contract itself brings


WEIGHTS = Weights()

EDGE_STATES = 8  # numbers for the edges of a hex: a power of two
NUM_STATES = MAX_HEXES * EDGE_STATES  # a tile's far edge: (hex, edge)
QUEUE = 2048  # a power of two, for so many states may wait
FAR = 1 << 20  # effort of what was not reached
FIRST_LIMIT = 18  # effort of the longest first link, which is looked for from every city
COUNTRY_LIMIT = 36  # likewise for the groups round it
NEVER = -1e9  # rate of what cannot be done
PACE_ROUNDS = 6.0  # rounds for which the expected pace counts beside the seen one
IMPATIENCE = 10.0  # dollars more for any contract in a game that drags on
KEPT_WAYS, KEPT_PAIRS = 16384, 64  # places of the memory, see ``greedy_memory``
KEY_PARTS = 12
WAY_PARTS = 5  # what is told of a way to a group; over: the group that it leads over last, NONE if there is none
EFFORT, PLACEMENTS, DOLLARS, FIRST, OVER = range(WAY_PARTS)
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
    ("kinds", "i8", ()),  # bit k = there is a tile of kind k
    ("reached", "i2", (MAX_HEXES,)),  # bit e = there is a way to this hex's far edge e
    ("highest", "i4", (MAX_HEXES,)),  # at least the effort of each of these ways
    ("exits", "i2", (MAX_HEXES,)),  # bit e = a far edge e may lead out of this hex (rule 4.4)
    ("group_ways", "i4", (WAY_PARTS, MAX_CITIES)),  # by group: the best way to it
    ("pair_ways", "i4", (WAY_PARTS, MAX_CITIES, MAX_CITIES)),  # by two groups: the best way from the one to the other
    ("rival_effort", "i4", (MAX_CITIES,)),  # by group: the best way to it from the network of a rival
    ("track_action", "i8", ()),  # first step of the best track plan, NONE if there is none
    ("track_rate", "f8", ()),
    ("standing", "f8", ()),  # of the best first link, in dollars
    ("key", "i8", (KEY_PARTS,)),  # what the ways looked for depend on, beside the track
    ("ways_key", "i8", (KEPT_WAYS, KEY_PARTS)),  # by place: the key of the ways that are kept there, 0 for none
    ("ways_track", "i1", (KEPT_WAYS, MAX_HEXES, 2)),  # and the track
    ("ways", "i4", (KEPT_WAYS, WAY_PARTS, MAX_CITIES)),  # and the best way to each group
    ("pairs_key", "i8", (KEPT_PAIRS, KEY_PARTS)),  # likewise of the ways from all groups to all groups
    ("pairs_track", "i1", (KEPT_PAIRS, MAX_HEXES, 2)),
    ("pairs", "i4", (KEPT_PAIRS, WAY_PARTS, MAX_CITIES, MAX_CITIES)),
]
PLAN = np.dtype((np.record, np.dtype(PLAN_FIELDS, align=True)))

# --- how long the game goes on -----------------------------------------------------------------------


@kernel
def most_fulfilled(game: np.record) -> int:
    """How many contracts the seat with the most has fulfilled: it will end the game."""
    most = 0
    for seat in range(game.num_seats):
        most = max(most, int(game.num_fulfilled[seat]))
    return most


@kernel
def count_actions_left(game: np.record, weights: Weights) -> float:
    """How many actions the mover will still have, the present one included (rule 3.2).

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
    """How well the game goes on: 1, down to 0 for one that drags on and shall end, whoever wins."""
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
    """What the colour's needs cost, cheapest first, with ``extra`` more resources to be had at ``extra_cost``."""
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
