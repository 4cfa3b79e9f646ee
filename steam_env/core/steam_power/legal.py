"""Which actions are legal: the mask of a decision, and the reason why one action is not."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    BUILD,
    CONTRACTS,
    DONE,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    MONEY,
    NUM_AMOUNTS,
    PAY_TO,
    REMOVE,
    REPLACE,
    SOURCE_FROM,
    START,
    TAKE,
)
from steam_env.core.steam_power.carriage import (
    fulfil_problem,
    hop_problem,
    pay_problem,
    source_problem,
    survey,
    survey_hop,
)
from steam_env.core.steam_power.factory import amount_problem, build_problem, usual_resources
from steam_env.core.steam_power.hands import contracts_problem, take_from_problem
from steam_env.core.steam_power.players import is_automa, player_of
from steam_env.core.steam_power.reasons import (
    GAME_OVER,
    NO_SUCH_CITY,
    NO_SUCH_SEAT,
    NOT_OPTIONAL,
    OK,
    OTHER_BONUS,
    OTHER_DECISION,
)
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    BONUS,
    BONUS_CONTRACTS,
    BONUS_FACTORY,
    BONUS_TRACK,
    HEAD,
    HOP,
    OVER,
    PAY,
    PLACE_HAND,
    SOURCE,
    TAKE_FROM,
    TRACK,
)
from steam_env.core.steam_power.track import (
    head_edges,
    head_problem,
    kinds_at_hand,
    remove_problem,
    replace_edges,
    replace_problem,
    start_edges,
    start_problem,
)


@kernel
def seat_after(game: np.record, steps: int) -> int:
    """The seat so many places after the mover."""
    return (int(game.seat) + steps) % int(game.num_seats)


@kernel
def bonus_amount(game: np.record, choice: int) -> int:
    """Resources of a bonus factory for choice 0, 1, 2 (rule 5.2)."""
    return usual_resources(game) - 1 + choice


@kernel
def offers(game: np.record, deck: np.record, bonus: int) -> bool:
    """Whether the decision is an action, or the bonus of this kind."""
    return game.phase == ACTION or (game.phase == BONUS and deck.bonus[game.contract] == bonus)


@kernel
def places_track(game: np.record, deck: np.record) -> bool:
    """Whether the decision is, or may be, a placement of track other than the first tile of a link."""
    return game.phase == TRACK or offers(game, deck, BONUS_TRACK)


# --- the mask -----------------------------------------------------------------------------------------


@kernel
def mask_edges(mask: np.ndarray, first: int, edges: int) -> None:
    """Set the flags of six actions, one for each edge."""
    for edge in range(NUM_EDGES):
        mask[first + edge] = has(edges, edge)


@kernel
def mask_placements(game: np.record, board: np.record, mask: np.ndarray) -> None:
    """Flag legal placements (rule 4): starts, or what can be done with an incomplete link."""
    seat = int(game.seat)
    if game.tail_link[seat] != NONE:
        mask[REMOVE] = remove_problem(game, seat) == OK
        mask_edges(mask, HEAD_TO, head_edges(game, board, seat))
        mask_edges(mask, REPLACE, replace_edges(game, board, seat))
    elif game.trains[seat] > 0:
        anywhere = game.network[seat] == 0
        money = int(game.money[player_of(game, seat)])
        kinds = kinds_at_hand(game, NONE)
        for city in range(board.num_cities):
            if anywhere or has(game.network[seat], board.group[city]):
                mask_edges(mask, START + city * NUM_EDGES, start_edges(game, board, money, kinds, city))


@kernel
def mask_builds(game: np.record, board: np.record, mask: np.ndarray) -> None:
    """Flag the cities where a factory may be built (rule 5)."""
    for city in range(board.num_cities):
        mask[BUILD + city] = build_problem(game, board, int(game.seat), city) == OK


@kernel
def mask_contracts_in_hand(
    game: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray
) -> None:
    """Flag the contracts in hand that can be fulfilled (rule 6)."""
    seat = int(game.seat)
    if game.network[seat] == 0 or game.hand_size[player_of(game, seat)] == 0:
        return
    survey(game, board, work, seat)
    hand = PLACE_HAND + player_of(game, seat)
    for contract in range(deck.num_contracts):
        if game.place[contract] == hand:
            mask[FULFIL + contract] = fulfil_problem(game, deck, work, seat, contract) == OK


@kernel
def mask_actions(game: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag what is legal of the five actions (rule 3.1)."""
    mask[MONEY] = True
    mask[CONTRACTS] = contracts_problem(game, int(game.seat)) == OK
    mask_placements(game, board, mask)
    mask_builds(game, board, mask)
    mask_contracts_in_hand(game, board, deck, work, mask)


@kernel
def mask_bonus(game: np.record, board: np.record, deck: np.record, mask: np.ndarray) -> None:
    """Flag what is legal of a contract's bonus, which may be declined (rule 6.7)."""
    bonus = deck.bonus[game.contract]
    mask[DONE] = True
    if bonus == BONUS_TRACK:
        mask_placements(game, board, mask)
    elif bonus == BONUS_FACTORY:
        mask_builds(game, board, mask)
    elif bonus == BONUS_CONTRACTS:
        mask[CONTRACTS] = contracts_problem(game, int(game.seat)) == OK


@kernel
def mask_carriage(game: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the legal sources, hops or payees of the resource under way (rules 6.2 to 6.5)."""
    seat = int(game.seat)
    if game.phase == SOURCE:
        survey(game, board, work, seat)
        for city in range(board.num_cities):
            mask[SOURCE_FROM + city] = source_problem(game, board, deck, work, seat, city) == OK
    elif game.phase == HOP:
        survey_hop(game, board, work, seat)
        for group in range(board.num_cities):
            mask[HOP_TO + group] = hop_problem(game, board, deck, work, seat, group) == OK
    else:
        for step in range(1, game.num_seats):
            mask[PAY_TO + step - 1] = pay_problem(game, board, seat, seat_after(game, step)) == OK


@kernel
def write_mask(game: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the legal actions of the mover, (372,); after the end only `money`, so that no row is empty.

    While an Automa is to move, which no caller outside the core sees, the row is empty.
    """
    mask[:] = False
    phase = game.phase
    if phase == OVER:
        mask[MONEY] = True
    elif is_automa(game, int(game.seat)):
        return
    elif phase == ACTION:
        mask_actions(game, board, deck, work, mask)
    elif phase == HEAD:
        mask_edges(mask, HEAD_TO, head_edges(game, board, int(game.seat)))
    elif phase == TRACK:
        mask[DONE] = True
        mask_placements(game, board, mask)
    elif phase == BONUS:
        mask_bonus(game, board, deck, mask)
    elif phase == AMOUNT:
        for choice in range(NUM_AMOUNTS):
            mask[AMOUNT_OF + choice] = amount_problem(game, bonus_amount(game, choice)) == OK
    elif phase == TAKE_FROM:
        for step in range(1, game.num_seats):
            other = seat_after(game, step)
            mask[TAKE + step - 1] = take_from_problem(game, int(game.seat), other) == OK
    else:
        mask_carriage(game, board, deck, work, mask)


@kernel
def only_done(game: np.record, mask: np.ndarray) -> bool:
    """Whether declining is all that is left, so that there is no decision."""
    if game.phase != TRACK and game.phase != BONUS:
        return False  # it is not offered
    for action in range(mask.shape[0]):
        if mask[action] and action != DONE:
            return False
    return bool(mask[DONE])


# --- the reason -------------------------------------------------------------------------------------------


@kernel
def find_problem(game: np.record, board: np.record, deck: np.record, work: np.record, action: int) -> int:
    """The reason code why the action is illegal now, ``OK`` if it is legal."""
    if game.phase == OVER:
        return GAME_OVER
    seat = int(game.seat)
    if action == MONEY:
        return OK if game.phase == ACTION else OTHER_DECISION
    if action == CONTRACTS:
        if not offers(game, deck, BONUS_CONTRACTS):
            return OTHER_BONUS if game.phase == BONUS else OTHER_DECISION
        return contracts_problem(game, seat)
    if action == DONE:
        if game.phase == ACTION:
            return NOT_OPTIONAL
        return OK if game.phase == TRACK or game.phase == BONUS else OTHER_DECISION
    if action < BUILD:
        return find_track_problem(game, board, deck, seat, action)
    if action < AMOUNT_OF:
        if not offers(game, deck, BONUS_FACTORY):
            return OTHER_BONUS if game.phase == BONUS else OTHER_DECISION
        return build_problem(game, board, seat, action - BUILD)
    if action < FULFIL:
        if game.phase != AMOUNT:
            return OTHER_DECISION
        return amount_problem(game, bonus_amount(game, action - AMOUNT_OF))
    if action < SOURCE_FROM:
        if game.phase != ACTION:
            return OTHER_DECISION
        survey(game, board, work, seat)
        return fulfil_problem(game, deck, work, seat, action - FULFIL)
    return find_carriage_problem(game, board, deck, work, seat, action)


@kernel
def find_track_problem(game: np.record, board: np.record, deck: np.record, seat: int, action: int) -> int:
    """The reason code for `remove`, `start`, `head` and `replace`."""
    if HEAD_TO <= action < REPLACE and game.phase == HEAD:
        return head_problem(game, board, seat, action - HEAD_TO)
    if not places_track(game, deck):
        return OTHER_BONUS if game.phase == BONUS else OTHER_DECISION
    if action == REMOVE:
        return remove_problem(game, seat)
    if action < HEAD_TO:
        city = (action - START) // NUM_EDGES
        if city >= board.num_cities:
            return NO_SUCH_CITY
        return start_problem(game, board, seat, city, (action - START) % NUM_EDGES)
    if action < REPLACE:
        return head_problem(game, board, seat, action - HEAD_TO)
    return replace_problem(game, board, seat, action - REPLACE)


@kernel
def find_carriage_problem(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, action: int
) -> int:
    """The reason code for `source`, `hop`, `pay` and `take_from`."""
    if action < HOP_TO:
        if game.phase != SOURCE:
            return OTHER_DECISION
        survey(game, board, work, seat)
        return source_problem(game, board, deck, work, seat, action - SOURCE_FROM)
    if action < PAY_TO:
        if game.phase != HOP:
            return OTHER_DECISION
        survey_hop(game, board, work, seat)
        return hop_problem(game, board, deck, work, seat, action - HOP_TO)
    step = action - (PAY_TO if action < TAKE else TAKE) + 1
    if game.phase != (PAY if action < TAKE else TAKE_FROM):
        return OTHER_DECISION
    if step >= game.num_seats:
        return NO_SUCH_SEAT
    if action < TAKE:
        return pay_problem(game, board, seat, seat_after(game, step))
    return take_from_problem(game, seat, seat_after(game, step))
