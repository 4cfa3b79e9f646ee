"""Positions of random games of every kind, what a seat may not know of them, and what else they might be for it."""

import itertools
from functools import cache

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite, uses
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.state import (
    BONUS_NAMES,
    ICON_NAMES,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_SEATS,
    NUM_PHASES,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_FULFILLED,
    PLACE_HAND,
    SOLO,
)
from steam_env.data.steam_power.rules import MAX_ROUNDS_ALLOWED
from tests.rules.boards import cities_of, table

GAMES, DECISIONS, EVERY = 32, 400, 19
SMALL = {"map": "mini", "contracts": "mini"}
LONG = {**SMALL, "contracts_to_end": 40}  # with Automas the deck is reshuffled then
KINDS = {  # of games: together they give every visible field several values
    "two": Rules(num_players=2, **SMALL, routing="cheapest", max_rounds=20),
    "three": Rules(num_players=3, map="alps", contracts="mini"),
    "four": Rules(num_players=4, map="mini", contracts_to_end=4),
    "five": Rules(num_players=5, map="midwest", contracts_to_end=3),
    "preview": Rules(num_players=3, **SMALL, edition="preview"),
    "one and automa": Rules(num_players=2, automas=1, automa_level="very_easy", **LONG, max_rounds=40),
    "one and two automas": Rules(num_players=3, automas=2, automa_level="hard", **LONG),
    "two and two automas": Rules(num_players=4, automas=2, **LONG),
    "one and four automas": Rules(num_players=5, automas=4, automa_level="very_hard", **LONG),
    "solo": Rules(mode="solo", **SMALL),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


# --- positions --------------------------------------------------------------------------------------------


def play_on(batch: GameBatch, decisions: int) -> np.ndarray:
    """The records of random games before each of so many decisions, and at last."""
    rng = np.random.default_rng(0)
    eagerness = np.where(np.arange(NUM_ACTIONS) == MONEY, 0.3, 1)
    records = [batch.records.copy()]
    for _ in range(decisions):
        batch.step((batch.mask * eagerness * rng.random(batch.mask.shape)).argmax(axis=1))
        records.append(batch.records.copy())
    return np.concatenate(records)


@cache
def positions(kind: str, step: int = 1) -> GameBatch:
    """Positions on the way through random games, and at their end, some of them in each phase; every so many of all."""
    if step > 1:
        return GameBatch.from_records(positions(kind).records[::step], KINDS[kind])
    records = play_on(GameBatch(KINDS[kind], GAMES, seed=0), DECISIONS)
    seldom = [np.flatnonzero(records["phase"] == phase)[:8] for phase in range(NUM_PHASES)]
    chosen = np.concatenate([np.arange(0, len(records), EVERY), *seldom])
    return GameBatch.from_records(records[np.unique(chosen)], KINDS[kind])


def seats_of(batch: GameBatch) -> range:
    return range(batch.rules.companies)


def play_largest(**rules: object) -> GameBatch:
    """Games on a map with as many hexes, cities and contracts as there can be."""
    cells = {}
    for number, (col, row) in enumerate(itertools.product(range(1, 17), range(1, 17))):
        is_city = number % 7 == 0 and number < 7 * MAX_CITIES
        cells[col, 2 * row - col % 2] = f"Town {number}" if is_city else "..hm~"[number % 5]
    cards = [
        {
            "needs": "WBOGW"[number % 5 :] or "W",
            "money": number % 8,
            "vp": number % 9,
            "bonus": BONUS_NAMES[number % len(BONUS_NAMES)],
            "automa": ICON_NAMES[number % len(ICON_NAMES)],
        }
        for number in range(MAX_CONTRACTS)
    ]
    common = {"contracts_to_end": MAX_CONTRACTS, "max_rounds": MAX_ROUNDS_ALLOWED, "routing": "cheapest"}
    colors = dict(zip(cities_of(cells), "WBOGP" * MAX_CITIES, strict=False))
    scenario = table(cells, colors=colors, contracts=cards, off_map="P", rules=common | rules)
    start = Game.from_scenario(scenario, seed=0)
    map_and_deck = {"map": start.setting.map, "deck": start.setting.deck}
    batch = GameBatch.from_records(np.repeat(start.records, 4), start.rules, **map_and_deck)
    play_on(batch, DECISIONS)
    return batch


# --- what is hidden ---------------------------------------------------------------------------------------


def in_other_hands(records: np.ndarray, seat: int) -> np.ndarray:
    """(n, contracts) which are in a hand that is not the seat's; in solo there is one hand only."""
    place, solo = records["place"], records["mode"][:, np.newaxis] == SOLO
    return (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != PLACE_HAND + np.where(solo, 0, seat))


def is_unseen(records: np.ndarray, seat: int) -> np.ndarray:
    """(n, contracts) of which the seat does not know where they are (rules 11.1 to 11.3)."""
    place = records["place"]
    in_hand = in_other_hands(records, seat) & ((records["known"] >> seat) & 1 == 0)
    in_hand &= np.arange(MAX_CONTRACTS) != records["contract"][:, np.newaxis]  # under way: it lies open
    return in_hand | (place == PLACE_DECK) | (place == PLACE_ASIDE)


def disguise(records: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The positions with all that the seat may not know dealt anew (rules 11.3, 11.4), and nothing else changed."""
    dealt = records.copy()
    hands = in_other_hands(records, seat)
    for record, unseen, in_hand in zip(dealt, is_unseen(records, seat), hands, strict=True):
        for generation in np.unique(record["generation"]):
            unknown = np.flatnonzero(unseen & (record["generation"] == generation))
            record["place"][unknown] = record["place"][rng.permutation(unknown)]
        of_others = rng.integers(1 << MAX_SEATS, size=MAX_CONTRACTS) & ~(1 << seat)  # what they know of hands
        record["known"] = np.where(in_hand, record["known"] & (1 << seat) | of_others, record["known"])
        deck = np.flatnonzero(record["place"] == PLACE_DECK)
        record["deck_order"][: len(deck)] = rng.permutation(deck)
        record["bag"][: record["bag_size"]] = rng.permutation(record["bag"][: record["bag_size"]])
        record["rng"] = rng.integers(1 << 32, size=record["rng"].shape)
    return dealt


def lay_links_otherwise(records: np.ndarray, board: np.record) -> np.ndarray:
    """The positions with a link laid from its other end, and one before another, which the table does not show."""
    changed = records.copy()
    for record in changed:
        turn_round(record, board)
        swap_links(record, 0, 1)
    return changed


def turn_round(record: np.record, board: np.record) -> None:
    """Let the first complete link have been laid from its other end."""
    for link in range(record["num_links"]):
        end = int(record["link_end"][link])
        if end == NONE:
            continue
        for edge in range(NUM_EDGES):
            beyond = int(board["neighbour"][board["city_hex"][end], edge])
            slots = [] if beyond == NONE else np.flatnonzero(record["track_link"][beyond] == link)
            if any(uses(int(record["track"][beyond, slot]), opposite(edge)) for slot in slots):
                record["link_end"][link], record["link_start"][link] = record["link_start"][link], end
                record["link_edge"][link] = edge
                return


def swap_links(record: np.record, first: int, second: int) -> None:
    """Let two links have been begun in the other order."""
    for name in ("link_owner", "link_start", "link_edge", "link_end"):
        record[name][[first, second]] = record[name][[second, first]]
    for name in ("track_link", "tail_link"):
        links = record[name].copy()
        record[name][links == first], record[name][links == second] = second, first


# --- who looks --------------------------------------------------------------------------------------------

OF_COMPANIES = ("network", "trains", "factories", "tail_link", "tail_hex", "tail_entry", "tail_exit")
OF_PLAYERS = ("money", "hand_size", "num_fulfilled")


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
        bits = (records[name][..., np.newaxis] >> np.arange(num_seats)) & 1
        rotated[name] = (np.roll(bits, shift, axis=-1) << np.arange(num_seats)).sum(axis=-1)
    if not solo:
        place = records["place"]
        for first in (PLACE_HAND, PLACE_FULFILLED):
            here = (place >= first) & (place < first + MAX_SEATS)
            rotated["place"][here] = first + (place[here] - first + shift) % num_seats
    return rotated
