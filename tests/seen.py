"""Positions of random games, changes of them, and what a seat may see of them: for the tests of encodings."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, NUM_PAIRS
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.board import make_board, make_deck
from steam_env.core.steam_power.setup import blank_game, deal_games
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    BONUS,
    BONUS_NAMES,
    CITY,
    COLOR_LETTERS,
    HEAD,
    HILLS,
    HOP,
    ICON_NAMES,
    MAX_CONTRACTS,
    MAX_SEATS,
    MOUNTAINS,
    NUM_COLORS,
    NUM_CORNERS,
    NUM_PHASES,
    NUM_RESOURCES,
    OVER,
    PAY,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    PLAINS,
    SOLO,
    SOURCE,
    TAKE_FROM,
    TRACK,
    WATER,
    new_work,
)
from steam_env.core.steam_power.step import play_automas, settle_games, step_games
from steam_env.core.steam_power.tiles import tile_kind
from steam_env.encoding.steam_power.flat import (
    NUM_LEVELS,
)

SEAT_COUNTS = (2, 3, 4, 5)
DECISIONS = 240
GAMES = 32


class Kind(NamedTuple):
    """What a table plays."""

    seats: int
    automas: int = 0
    edition: str = "final"
    mode: str = "multiplayer"


PLAYERS = [Kind(seats) for seats in SEAT_COUNTS]
AUTOMAS = [Kind(2, 1), Kind(3, 2), Kind(4, 2), Kind(4, 3), Kind(5, 4)]
SOLO_KIND = Kind(5, mode="solo")
KINDS = [*PLAYERS, Kind(3, edition="preview"), *AUTOMAS, SOLO_KIND]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))


# --- positions to look at ---------------------------------------------------------------------------


class Table(NamedTuple):
    """Boards and decks (one each), and records (n,) of positions on the way through random games."""

    boards: np.ndarray
    decks: np.ndarray
    records: np.ndarray


def make_map(columns: int, rows: int, num_cities: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    cells = [(col, row) for col in range(1, columns + 1) for row in range(2 - col % 2, 2 * rows + 1, 2)]
    terrain = rng.choice([PLAINS, HILLS, MOUNTAINS, WATER], len(cells), p=[0.7, 0.15, 0.05, 0.1])
    terrain[rng.choice(len(cells), num_cities, replace=False)] = CITY
    return make_board([(col, row, int(kind)) for (col, row), kind in zip(cells, terrain, strict=True)])


def make_cards(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    letters = list(COLOR_LETTERS[:NUM_RESOURCES])
    return make_deck(
        [
            (
                "".join(rng.choice(letters, rng.integers(1, 4))),
                int(rng.integers(0, 8)),
                int(rng.integers(0, 9)),
                str(rng.choice(BONUS_NAMES)),
                str(rng.choice(ICON_NAMES)),
            )
            for _ in range(count)
        ]
    )


def play_at_random(games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    """The records before each decision, all games in step; the same array each time."""
    works = new_work()
    masks = np.zeros((len(games), NUM_ACTIONS), bool)
    bag = np.array([COLOR_LETTERS.index(letter) for letter in "WBOGP" * 7])
    everywhere, rows = np.ones(len(games), bool), np.arange(len(games))
    rng = np.random.default_rng(seed)
    deal_games(games, boards, decks, bag, NONE, np.arange(len(games)) + 1000 * seed, everywhere)
    settle_games(games, boards, decks, works, rows, masks)
    eagerness = np.ones(NUM_ACTIONS)
    eagerness[0] = 0.3
    for _ in range(DECISIONS):
        yield games
        actions = (masks * eagerness * rng.random(masks.shape)).argmax(1)
        step_games(games, boards, decks, works, rows, actions, masks)
        waiting = np.flatnonzero(games["seat"] >= games["num_seats"] - games["num_automas"])
        play_automas(games, boards, decks, works, waiting)
        settle_games(games, boards, decks, works, waiting, masks)
    yield games


@cache
def play_table(kind: Kind) -> Table:
    boards = make_map(6, 5, 9, seed=kind.seats)
    decks = make_cards(5 * kind.seats + 6, seed=kind.seats)
    to_end = 0 if kind.mode == "solo" else 6
    blank = blank_game(kind.seats, kind.edition, kind.mode, "any", to_end, 60, kind.automas, 2 if kind.automas else 0)
    games = np.repeat(blank, GAMES)
    records = np.concatenate([now.copy() for now in play_at_random(games, boards, decks, seed=kind.seats)])
    return Table(boards, decks, records)


def find_record(kind: Kind, wanted: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """An array of the one latest record of random games for which ``wanted`` holds."""
    records = play_table(kind).records
    found = np.flatnonzero(wanted(records))
    assert found.size, "no such position in the random games"
    return records[found[-1:]].copy()


def in_phase(phase: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda records: records["phase"] == phase


def is_rich(records: np.ndarray) -> np.ndarray:
    """Much is on the table: tails, a second segment, factories, fulfilled contracts, a deck."""
    fulfilled = (records["place"] >= PLACE_FULFILLED) & (records["place"] < PLACE_UNKNOWN)
    return (
        (records["phase"] == ACTION)
        & (records["deck_size"] > 1)
        & fulfilled.any(axis=1)
        & (records["tail_hex"] != NONE).any(axis=1)
        & (records["track"][:, :, 1] != NONE).any(axis=1)
        & (records["resources"] > 0).any(axis=1)
        & (records["network"] != 0).any(axis=1)
    )


# --- who looks --------------------------------------------------------------------------------------------


def rotate_mask(masks: np.ndarray, shift: int, num_seats: int) -> np.ndarray:
    """Sets of seats with every seat moved ``shift`` places on."""
    rotated = np.zeros_like(masks)
    for seat in range(num_seats):
        rotated |= ((masks >> seat) & 1) << ((seat + shift) % num_seats)
    return rotated


def rotate_seats(records: np.ndarray, shift: int) -> np.ndarray:
    """The same positions with every seat moved ``shift`` places on; in solo every company."""
    rotated = records.copy()
    num_seats = int(records["num_seats"][0])
    solo = records["mode"][0] == SOLO
    for name in OF_COMPANIES if solo else (*OF_COMPANIES, *OF_PLAYERS):
        rotated[name][:, :num_seats] = np.roll(records[name][:, :num_seats], shift, axis=1)
    for name in ("seat", "owner", "link_owner", "bag", *(() if solo else ("first_player",))):
        rotated[name] = np.where(records[name] == NONE, NONE, (records[name] + shift) % num_seats)
    for name in ("linked", "known"):
        rotated[name] = rotate_mask(records[name], shift, num_seats)
    if solo:
        return rotated
    place = records["place"]
    for first in (PLACE_HAND, PLACE_FULFILLED):
        here = (place >= first) & (place < first + MAX_SEATS)
        rotated["place"][here] = first + (place[here] - first + shift) % num_seats
    return rotated


OF_COMPANIES = ("network", "trains", "factories", "tail_link", "tail_hex", "tail_entry", "tail_exit")
OF_PLAYERS = ("money", "hand_size", "num_fulfilled")


# --- what is hidden ---------------------------------------------------------------------------------------


def swap(values: np.ndarray, first: int, second: int) -> None:
    values[[first, second]] = values[[second, first]]


def is_unseen(records: np.ndarray, seat: int) -> np.ndarray:
    """(n, contracts) whether the seat does not know where the contract is (rules 11.1 to 11.3)."""
    place, solo = records["place"], records["mode"][:, np.newaxis] == SOLO
    own = PLACE_HAND + np.where(solo, 0, seat)
    in_other_hand = (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != own)
    in_other_hand &= (records["known"] >> seat) & 1 == 0
    in_other_hand &= np.arange(MAX_CONTRACTS) != records["contract"][:, np.newaxis]
    return in_other_hand | (place == PLACE_DECK) | (place == PLACE_ASIDE)


def hide(records: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The positions with all that the seat may not know dealt anew (rules 11.3, 11.4)."""
    dealt = records.copy()
    for record, unseen in zip(dealt, is_unseen(records, seat), strict=True):
        for generation in np.unique(record["generation"]):
            unknown = np.flatnonzero(unseen & (record["generation"] == generation))
            record["place"][unknown] = record["place"][rng.permutation(unknown)]
        record["known"] = record["known"] & (1 << seat)
        deck = np.flatnonzero(record["place"] == PLACE_DECK)
        record["deck_order"][: len(deck)] = rng.permutation(deck)
        record["bag"][: record["bag_size"]] = rng.permutation(record["bag"][: record["bag_size"]])
        record["rng"] = rng.integers(1 << 32, size=record["rng"].shape)
    return dealt


# --- what is visible --------------------------------------------------------------------------------------

HIDDEN = {"rng", "deck_order", "slot"}
PARTLY_HIDDEN = {"known"}  # see test_known_contract; of "place", the changes below are those that all see
# Not read: it follows from the track, the tails and the map, or says which map and deck these are.
FOLLOWS = {"met", "link_start", "link_edge", "num_links", "board_index", "deck_index"}
COUNTED = {"bag_size": "bag", "num_coins": "coins"}  # how much of the other field there is

Change = tuple[int | tuple[int, ...] | None, int]  # where in the field (None: a scalar), the new value
Changes = Callable[[np.record, str, Table], Iterator[Change]]  # of a field of a record


def count_present(record: np.record, table: Table, things: str) -> int:
    """How many "seats", "cities" or "contracts" there are."""
    counts = {"cities": table.boards["num_cities"][0], "contracts": table.decks["num_contracts"][0]}
    counts |= {"purses": 1, "corners": NUM_CORNERS}
    return int(counts.get(things, record["num_seats"]))


def list_groups(table: Table) -> list[int]:
    return sorted(set(table.boards["group"][0, : table.boards["num_cities"][0]].tolist()))


def shift_by(amount: int, things: str | None = None) -> Changes:
    """Every present element plus ``amount``."""

    def changes(record: np.record, field: str, table: Table) -> Iterator[Change]:
        values = record[field]
        if values.ndim == 0:
            yield None, int(values) + amount
            return
        for index in range(count_present(record, table, things) if things else len(values)):
            yield index, int(values[index]) + amount

    return changes


def other_codes(count: int, lowest: int = 0, things: str | None = None) -> Changes:
    """Every present element with every other code from ``lowest`` to ``count`` - 1."""

    def changes(record: np.record, field: str, table: Table) -> Iterator[Change]:
        values = record[field]
        places = range(count_present(record, table, things)) if things else [None]
        for place in places:
            now = int(values if place is None else values[place])
            yield from ((place, code) for code in range(lowest, count) if code != now)

    return changes


def flipped_bits(things: str) -> Changes:
    """Every present element with one bit flipped: of a seat for cities, of a group for seats and groups."""

    def changes(record: np.record, field: str, table: Table) -> Iterator[Change]:
        values = record[field]
        groups = list_groups(table)
        places = {"groups": groups, "scalar": [None]}
        for place in places.get(things) or range(count_present(record, table, things)):
            for index in range(record["num_seats"]) if things == "cities" else groups:
                yield place, int(values if place is None else values[place]) ^ (1 << index)

    return changes


def other_segments(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every tile as another one with as many segments: each segment as any that fits the other one."""
    for hex_index in np.flatnonzero(record["track"][:, 0] != NONE):
        now = [int(pair) for pair in record["track"][hex_index]]
        for slot in range(2 if now[1] != NONE else 1):
            for pair in range(NUM_PAIRS):
                first, second = (pair, now[1]) if slot == 0 else (now[0], pair)
                fits = tile_kind(first, second) != NONE and (second == NONE or first < second)
                if fits and pair != now[slot]:
                    yield (int(hex_index), slot), pair


def other_links(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every segment as part of a link of another owner."""
    owner = record["link_owner"]
    for hex_index, slot in np.argwhere(record["track_link"] != NONE):
        now = owner[record["track_link"][hex_index, slot]]
        others = np.flatnonzero((owner != now) & (owner != NONE))
        if others.size:
            yield (int(hex_index), int(slot)), int(others[0])


def used_links(record: np.record) -> np.ndarray:
    return np.intersect1d(record["track_link"], np.flatnonzero(record["link_owner"] != NONE))


def other_owners(record: np.record, field: str, table: Table) -> Iterator[Change]:
    for link in used_links(record):
        yield int(link), int((record["link_owner"][link] + 1) % record["num_seats"])


def other_ends(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Complete links as incomplete ones and the other way round."""
    for link in used_links(record):
        yield int(link), 0 if record["link_end"][link] == NONE else NONE


def other_tail_links(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """A tail that is gone, or there."""
    for seat in range(record["num_seats"]):
        yield seat, 0 if record["tail_link"][seat] == NONE else NONE


def other_coins(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every hex of a coin path as another one."""
    for number in range(record["num_automas"]):
        path = record["coins"][number, : record["num_coins"][number]].tolist()
        for index in range(len(path)):
            for other in set(range(table.boards["num_hexes"][0])) - set(path):
                yield (number, index), other


def other_corners(record: np.record, field: str, table: Table) -> Iterator[Change]:
    for number in range(record["num_automas"]):
        for corner in range(NUM_CORNERS):
            if corner != record["marker"][number]:
                yield number, corner


def other_trains(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every train in the bag as one of another company."""
    for index in range(record["bag_size"]):
        for company in range(5):
            if company != record["bag"][index]:
                yield index, company


def public_places(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Fulfilled and discarded contracts as fulfilled by others, discarded, and in the deck."""
    place = record["place"]
    seats = 1 if record["mode"] == SOLO else int(record["num_seats"])
    public = [*range(PLACE_FULFILLED, PLACE_FULFILLED + seats)]
    public += [PLACE_DISCARDED] if record["num_automas"] else []
    for contract in np.flatnonzero(np.isin(place, public)):
        yield from ((int(contract), other) for other in (*public, PLACE_DECK) if other != place[contract])


VISIBLE: dict[str, tuple[int | None, Changes]] = {  # by field: the phase to look at (None: a rich table), changes
    "reach": (None, flipped_bits("groups")),
    "network": (None, flipped_bits("seats")),
    "visited": (HOP, flipped_bits("scalar")),
    "money": (None, shift_by(1, "seats")),
    "trains": (None, shift_by(-1, "seats")),
    "factories": (None, shift_by(-1, "seats")),
    "hand_size": (None, shift_by(1, "seats")),
    "num_fulfilled": (None, shift_by(1, "seats")),
    "tail_link": (None, other_tail_links),
    "tail_hex": (None, other_codes(20, NONE, "seats")),
    "tail_entry": (None, other_codes(NUM_EDGES, NONE, "seats")),
    "tail_exit": (None, other_codes(NUM_EDGES, NONE, "seats")),
    "stock": (None, shift_by(-1)),
    "off_map": (None, shift_by(1)),
    "tiles": (None, shift_by(-1)),
    "seat": (None, other_codes(4, NONE)),
    "phase": (None, other_codes(NUM_PHASES)),
    "first_player": (None, other_codes(4)),
    "round_number": (None, shift_by(1)),
    "actions_left": (None, other_codes(3)),
    "placements_left": (TRACK, other_codes(3)),
    "takes_left": (TAKE_FROM, other_codes(3)),
    "in_bonus": (BONUS, other_codes(2)),
    "start_city": (HEAD, other_codes(9)),
    "start_edge": (HEAD, other_codes(NUM_EDGES)),
    "build_city": (AMOUNT, other_codes(9)),
    "contract": (BONUS, other_codes(20, NONE)),
    "need": (SOURCE, shift_by(1)),
    "cargo_group": (HOP, other_codes(1, NONE)),
    "hop_group": (PAY, other_codes(1, NONE)),
    "truncated": (OVER, other_codes(2)),
    "deck_size": (None, shift_by(-1)),
    "num_seats": (None, other_codes(6, 5)),
    "num_automas": (None, shift_by(1)),
    "automa_level": (None, other_codes(NUM_LEVELS)),
    "edition": (None, other_codes(2)),
    "mode": (None, other_codes(2)),
    "routing": (None, other_codes(2)),
    "contracts_to_end": (None, shift_by(1)),
    "max_rounds": (None, shift_by(1)),
    "color": (None, other_codes(NUM_COLORS, 0, "cities")),
    "owner": (None, other_codes(4, NONE, "cities")),
    "resources": (None, other_codes(7, 0, "cities")),
    "linked": (None, flipped_bits("cities")),
    "place": (None, public_places),
    "generation": (None, shift_by(1, "contracts")),
    "track": (None, other_segments),
    "track_link": (None, other_links),
    "link_owner": (None, other_owners),
    "link_end": (None, other_ends),
}


WITH_AUTOMAS: dict[str, tuple[int | None, Changes]] = {
    **{name: entry for name, entry in VISIBLE.items() if entry[0] is None},
    "num_seats": (None, other_codes(6, 5)),
    "corners": (None, other_codes(NUM_RESOURCES, 0, "corners")),
    "marker": (None, other_corners),
    "coins": (None, other_coins),
}
IN_SOLO: dict[str, tuple[int | None, Changes]] = {
    **{name: entry for name, entry in VISIBLE.items() if entry[0] not in (PAY, TAKE_FROM, OVER)},
    "money": (None, shift_by(1, "purses")),
    "hand_size": (None, shift_by(1, "purses")),
    "num_fulfilled": (None, shift_by(1, "purses")),
    "bag": (None, other_trains),
}
for name in ("first_player", "num_seats", "num_automas", "automa_level"):
    del IN_SOLO[name]  # not a thing of this mode
del VISIBLE["automa_level"]  # where there are none


def see(records: np.ndarray, seat: int) -> list[bytes]:
    """All that the seat may see of each position, by another road: the record less what is not for it."""
    seen = records.copy()
    for name in (*HIDDEN, *FOLLOWS, "tail_link"):
        seen[name] = 0
    place = seen["place"]
    place[is_unseen(records, seat)] = PLACE_DECK
    seen["slot"][:, 0] = (records["place"] == PLACE_ASIDE).sum(axis=1)
    seen["bag"].sort(axis=1)
    seen["known"] = 0
    index = np.arange(len(records))[:, np.newaxis, np.newaxis]
    link = records["track_link"]
    owner = np.where(link == NONE, NONE, records["link_owner"][index, link])
    complete = (link != NONE) & (records["link_end"][index, link] != NONE)
    seen["track_link"] = owner * 2 + complete
    seen["link_owner"] = seen["link_end"] = 0
    return [record.tobytes() for record in seen]
