"""Money and contracts of a scenario: hands, piles and the deck."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steam_env.core.bits import has
from steam_env.core.rng import shuffle
from steam_env.core.steam_power.state import (
    DEAL_STREAM,
    HAND_DEALT,
    MAX_GENERATION,
    PLACE_ABSENT,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
)
from steam_env.kit.errors import ScenarioError
from steam_env.words.steam_power.scenario_others import check_automa_hands, put_aside, read_set_aside
from steam_env.words.steam_power.scenario_values import Draft
from steam_env.words.values import as_int, as_list

MAX_MONEY = 1_000_000  # of a seat in a scenario; no game comes near it


def set_money(draft: Draft, seats: Mapping[str, Any]) -> None:
    """Set the dollars of each seat; set-up has given $5 (rule 2.2)."""
    if "money" not in seats:
        return
    amounts = as_list(seats["money"], "seats.money", draft.purses)
    for seat, amount in enumerate(amounts):
        draft.game.money[seat] = as_int(amount, f"seats.money[{seat}]", 0, MAX_MONEY)


def place_contracts(
    draft: Draft,
    seats: Mapping[str, Any],
    deck: Mapping[str, Any],
    automa: Mapping[str, Any],
    solo: Mapping[str, Any],
) -> None:
    """Put every contract in a hand, with those fulfilled, or in the deck; chance places what is left out."""
    for key, place in (("hands", PLACE_HAND), ("fulfilled", PLACE_FULFILLED)):
        if key in seats:
            for seat, pile in enumerate(as_list(seats[key], f"seats.{key}", draft.purses)):
                _place_pile(draft, pile, place + seat, f"seats.{key}[{seat}]")
    check_automa_hands(draft)
    set_aside = read_set_aside(draft, solo)
    _place_pile(draft, automa.get("discards", []), PLACE_DISCARDED, "automa.discards")
    order = _place_pile(draft, deck["order"], PLACE_DECK, "deck.order") if "order" in deck else None
    rest = _shuffle_rest(draft)
    if "hands" not in seats:
        rest = _deal_hands(draft, rest)
    rest = put_aside(draft, rest, set_aside)
    if order is None:
        order = rest
    elif rest:
        raise ScenarioError(
            f"deck.order: contract {min(rest)} is nowhere; every contract that is in no hand and not fulfilled must be "
            "in the order"
        )
    _stack_deck(draft, order)
    _count_contracts(draft)


def _place_pile(draft: Draft, value: object, place: int, entry: str) -> list[int]:
    """Put the contracts of one list where they are; each may be in one place only."""
    pile = []
    for index, item in enumerate(as_list(value, entry)):
        where = f"{entry}[{index}]"
        contract = as_int(item, where, 0, draft.num_contracts - 1)
        if contract in draft.found:
            raise ScenarioError(
                f"{where}: contract {contract} is in {draft.found[contract]} already; each must be in one place"
            )
        draft.found[contract] = entry
        draft.game.place[contract] = place
        pile.append(contract)
    return pile


def _shuffle_rest(draft: Draft) -> list[int]:
    """The contracts that are nowhere yet, shuffled by the seed."""
    rest = np.flatnonzero(draft.game.place[: draft.num_contracts] == PLACE_ABSENT)
    shuffle(rest, len(rest), draft.game.rng[DEAL_STREAM])
    return [int(contract) for contract in rest]


def _deal_hands(draft: Draft, rest: list[int]) -> list[int]:
    """Deal five contracts to each player (rule 2.2); returns what remains."""
    players = draft.setting.rules.players
    needed = HAND_DEALT * players
    if len(rest) < needed:
        raise ScenarioError(
            f"seats.hands: left out, so {HAND_DEALT} contracts are dealt to each of {players} players; {needed} are "
            f"needed that are nowhere else, there are {len(rest)}"
        )
    for index, contract in enumerate(rest[:needed]):
        draft.game.place[contract] = PLACE_HAND + index // HAND_DEALT
    return rest[needed:]


def _stack_deck(draft: Draft, order: Sequence[int]) -> None:
    """The deck from its order, next draw first; in the record the next draw is last."""
    for depth, contract in enumerate(reversed(order)):
        draft.game.place[contract] = PLACE_DECK
        draft.game.deck_order[depth] = contract
    draft.game.deck_size = len(order)


def _count_contracts(draft: Draft) -> None:
    for seat in range(draft.seats):
        draft.game.hand_size[seat] = np.count_nonzero(draft.game.place == PLACE_HAND + seat)
        draft.game.num_fulfilled[seat] = np.count_nonzero(draft.game.place == PLACE_FULFILLED + seat)


def set_known(draft: Draft, seats: Mapping[str, Any]) -> None:
    """Note the contracts in other hands that a seat knows (rule 11.2)."""
    if "known" not in seats:
        return
    if "hands" not in seats:
        raise ScenarioError("seats.known: needs seats.hands; what is in hands that are dealt by chance nobody knows")
    for seat, known in enumerate(as_list(seats["known"], "seats.known", draft.purses)):
        entry = f"seats.known[{seat}]"
        for index, item in enumerate(as_list(known, entry)):
            _note_known(draft, seat, item, f"{entry}[{index}]")


def _note_known(draft: Draft, seat: int, item: object, entry: str) -> None:
    contract = as_int(item, entry, 0, draft.num_contracts - 1)
    holder = int(draft.game.place[contract]) - PLACE_HAND
    if not 0 <= holder < draft.seats or holder == seat:
        raise ScenarioError(f"{entry}: contract {contract} must be in another seat's hand to be known by this seat")
    if has(draft.game.known[contract], seat):
        raise ScenarioError(f"{entry}: contract {contract} stands here twice; once is enough")
    draft.game.known[contract] |= 1 << seat


def set_generation(draft: Draft, deck: Mapping[str, Any]) -> None:
    """Note how often the deck was reshuffled before each contract last entered it (rule 8.5)."""
    if "generation" not in deck:
        return
    for contract, item in enumerate(as_list(deck["generation"], "deck.generation", draft.num_contracts)):
        draft.game.generation[contract] = as_int(item, f"deck.generation[{contract}]", 0, MAX_GENERATION)
