"""Rule 8: the Mautoma, the game's rule-driven opponent. One kernel for each of its decisions."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.automa_building import build_for_automa
from steam_env.core.steam_power.automa_sources import can_fulfil, choose_source, fetch_resource
from steam_env.core.steam_power.automa_track import lay_bonus_tracks, lay_tracks
from steam_env.core.steam_power.carriage import (
    buy_resource,
    gain_reward,
    survey,
)
from steam_env.core.steam_power.events import (
    ACTS_INSTEAD,
    AUTOMA_ACTS,
    AUTOMA_TURN,
    BUILT_NO_FACTORY,
    COMPENSATION_GAINED,
    CONTRACT_BEGUN,
    CONTRACT_DISCARDED,
    CONTRACT_REVEALED,
    LAID_NO_TRACK,
    MONEY_TAKEN,
    NO_CONTRACT_LEFT,
    TAKES_NO_CONTRACTS,
    emit,
)
from steam_env.core.steam_power.hands import pop_deck, refill_deck
from steam_env.core.steam_power.marker import corner_of, move_marker
from steam_env.core.steam_power.state import (
    BONUS_FACTORY,
    BONUS_NONE,
    BONUS_TRACK,
    COMPENSATION,
    ICON_FACTORY,
    ICON_TRACK,
    PLACE_ABSENT,
    PLACE_DISCARDED,
    TAKE_MONEY,
)


@kernel
def play_automa_turn(game: np.record, board: np.record, deck: np.record, work: np.record) -> None:
    """Play an Automa's turn: move its marker, draw two contracts, resolve one after the other (rule 8.4)."""
    seat = int(game.seat)
    move_marker(game, seat)
    corner = corner_of(game, seat)
    emit(work, AUTOMA_TURN, seat, corner, int(game.corners[corner]))
    first = draw_for_automa(game, work, seat)
    second = draw_for_automa(game, work, seat)
    for contract in (first, second):
        if contract != NONE:
            resolve_contract(game, board, deck, work, seat, contract)


@kernel
def draw_for_automa(game: np.record, work: np.record, seat: int) -> int:
    """The deck's next contract, NONE if there is none (rule 8.5)."""
    refill_deck(game, work)
    if game.deck_size == 0:
        emit(work, NO_CONTRACT_LEFT, seat)
        return NONE
    contract = pop_deck(game, PLACE_ABSENT)  # on its way; it is resolved in this turn
    emit(work, CONTRACT_REVEALED, seat, contract)
    return contract


@kernel
def resolve_contract(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int
) -> None:
    """Fulfil a drawn contract if that is possible, else use it as an action and discard it (rule 8.4)."""
    if can_fulfil(game, board, deck, work, seat, contract):
        fulfil_for_automa(game, board, deck, work, seat, contract)
        return
    emit(work, AUTOMA_ACTS, seat, contract, int(deck.icon[contract]))
    act_by_icon(game, board, deck, work, seat, contract)
    game.place[contract] = PLACE_DISCARDED
    emit(work, CONTRACT_DISCARDED, seat, contract)


@kernel
def fulfil_for_automa(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int
) -> None:
    """Pay for each resource in printed order, then take the reward."""
    emit(work, CONTRACT_BEGUN, seat, contract)
    for need in range(deck.num_needs[contract]):
        survey(game, board, work, seat)
        color = int(deck.needs[contract, need])
        source = choose_source(game, board, work, seat, color)
        if source == NONE:
            buy_resource(game, work, seat, color)
        else:
            fetch_resource(game, board, work, seat, source)
    gain_reward(game, deck, work, seat, contract)
    take_bonus(game, board, deck, work, seat, contract)


@kernel
def take_bonus(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> None:
    """Do a contract's bonus by the Automa's own rules, or pay compensation for one it cannot do (rule 8.7)."""
    bonus = int(deck.bonus[contract])
    if bonus == BONUS_NONE:
        return
    why = TAKES_NO_CONTRACTS
    if bonus == BONUS_TRACK:
        if lay_bonus_tracks(game, board, deck, work, seat, contract) > 0:
            return
        why = LAID_NO_TRACK
    elif bonus == BONUS_FACTORY:
        if build_for_automa(game, board, work, seat):
            return
        why = BUILT_NO_FACTORY
    amount = COMPENSATION[game.automa_level]
    game.money[seat] += amount
    emit(work, COMPENSATION_GAINED, seat, amount, why)


@kernel
def act_by_icon(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> None:
    """Lay track or build a factory by the contract's icon; if it cannot, do the other one, else take $3."""
    first = int(deck.icon[contract])
    second = ICON_FACTORY if first == ICON_TRACK else ICON_TRACK
    if do_action(game, board, deck, work, seat, contract, first):
        return
    emit(work, ACTS_INSTEAD, seat, first, second)
    if do_action(game, board, deck, work, seat, contract, second):
        return
    emit(work, ACTS_INSTEAD, seat, second, NONE)
    game.money[seat] += TAKE_MONEY
    emit(work, MONEY_TAKEN, seat, TAKE_MONEY)


@kernel
def do_action(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int, icon: int
) -> bool:
    """Lay up to two tiles, or build a factory; False if neither a tile was laid nor a factory built."""
    if icon == ICON_TRACK:
        return lay_tracks(game, board, deck, work, seat, contract) > 0
    return build_for_automa(game, board, work, seat)
