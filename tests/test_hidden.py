"""Rule 11.4 with deck generations and in solo: redeals, views, and events that are face down."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import (
    MAX_CONTRACTS,
    PLACE_ABSENT,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    SOLO,
)
from steam_env.data.steam_power.maps import load_map
from steam_env.table.view import redeal_seeds
from steam_env.words.events import HIDDEN, Event, outcomes_of

CARD = {"needs": "W", "money": 0, "vp": 1, "bonus": "none", "automa": "track"}
SIGMAS = 5
Layout = tuple[tuple[int, ...], ...]

RULES = {
    "players": Rules(num_players=3, map="mini", contracts="mini"),
    "one automa": Rules(num_players=2, automas=1, map="mini", contracts="mini"),
    "three and automa": Rules(num_players=4, automas=1, map="mini", contracts="mini", contracts_to_end=40),
    "two automas": Rules(num_players=4, automas=2, map="mini", contracts="mini", contracts_to_end=40),
    "solo": Rules(mode="solo", map="mini", contracts="mini"),
}
each_game = pytest.mark.parametrize("name", RULES)


# --- positions -----------------------------------------------------------------------------------------------


def position(
    contracts: int,
    hands: Sequence[Sequence[int]],
    deck: Sequence[int] = (),
    discards: Sequence[int] = (),
    generation: Sequence[int] | None = None,
    fulfilled: Sequence[Sequence[int]] | None = None,
    automas: int = 1,
    **tables: Any,
) -> Game:
    """A game on the mini map; seat 0 has one action left; the last seats are Automas."""
    scenario = {
        "rules": {"num_players": len(hands), "automas": automas},
        "map": "mini",
        "cities": "W" * len(load_map("mini").cities),
        "off_map": "",
        "contracts": [CARD] * contracts,
        "seats": {"hands": [list(hand) for hand in hands]},
        "deck": {"order": list(deck)},
        "turn": {"seat": 0, "actions_left": 2},
        **tables,
    }
    if fulfilled is not None:
        scenario["seats"]["fulfilled"] = [list(pile) for pile in fulfilled]
    if generation is not None:
        scenario["deck"]["generation"] = list(generation)
    if automas:
        scenario["automa"] = {"discards": list(discards)}
    return Game.from_scenario(scenario, seed=0)


def solo_position(contracts: int, hand: Sequence[int], deck: Sequence[int], trains: Sequence[int]) -> Game:
    """Company 0 is active; contracts that are nowhere else were set aside."""
    cities = "W" * len(load_map("mini").cities)
    scenario = {
        "rules": {"mode": "solo"},
        "map": "mini",
        "cities": cities,
        "off_map": "",
        "contracts": [CARD] * contracts,
        "seats": {"hands": [list(hand)]},
        "deck": {"order": list(deck)},
        "turn": {"seat": 0},
        "solo": {"trains": list(trains), "set_aside": contracts - len(hand) - len(deck)},
    }
    return Game.from_scenario(scenario, seed=0)


@cache
def positions(name: str) -> GameBatch:
    """Positions on the way through random games, and at their end."""
    rng = np.random.default_rng(0)
    batch = GameBatch(RULES[name], 16, seed=0)
    records = []
    for _ in range(240):
        records.append(batch.records.copy())
        batch.step(batch.sample_legal(rng))
    return GameBatch.from_records(np.concatenate(records[::12]), RULES[name])


def seats_of(name: str) -> range:
    return range(RULES[name].companies)


def layout_of(record: np.record) -> Layout:
    """Each hand as a set, the contracts set aside, and the deck in order of draws."""
    hands = [tuple(np.flatnonzero(record.place == PLACE_HAND + seat).tolist()) for seat in range(record.num_seats)]
    aside = tuple(np.flatnonzero(record.place == PLACE_ASIDE).tolist())
    return (*hands, aside, tuple(record.deck_order[: record.deck_size][::-1].tolist()))


def bag_of(record: np.record) -> tuple[int, ...]:
    return tuple(record.bag[: record.bag_size][::-1].tolist())


def even(counts: Counter[Any], outcomes: int) -> bool:
    """Whether counts of equally likely outcomes are as even as chance makes them (chi square)."""
    expected = sum(counts.values()) / outcomes
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    chi += (outcomes - len(counts)) * expected
    freedom = outcomes - 1
    return chi < freedom + SIGMAS * (2 * freedom) ** 0.5


def sampled(game: Game, seat: int, count: int, look: Callable[[np.record], Any] = layout_of) -> Counter[Any]:
    """How often each layout comes up in redeals for the seat."""
    return Counter(look(record) for record in game.view(seat).sample(count, seed=7).records)


# --- deck generations ------------------------------------------------------------------------------------------


def reshuffled() -> Game:
    """Seat 0 has drawn 9, the deck's last, and then 6 of the former discards 4 to 8; seat 1 looks on."""
    game = position(10, [[0, 1], [2, 3], []], deck=[9], discards=[4, 5, 6, 7, 8])
    game.step("contracts", outcomes=[6, 4, 5, 7, 8])
    return game


def test_reshuffle__moves_the_former_discards_on_by_a_generation() -> None:
    game = reshuffled()
    assert game.hand(0) == [0, 1, 6, 9]
    assert layout_of(game.record)[-1] == (4, 5, 7, 8)
    assert game.record.generation[:10].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 0]


def test_reshuffle__what_was_drawn_before_it_is_known_not_to_be_in_the_new_deck() -> None:
    counts = sampled(reshuffled(), 1, 6000)
    for hand, own, automa, aside, deck in counts:
        assert (own, automa, aside) == ((2, 3), (), ())
        assert set(hand) >= {0, 1, 9}
        assert set(hand) | set(deck) == {0, 1, 9, 4, 5, 6, 7, 8}
    assert len(counts) == 5 * 24  # which of the former discards seat 0 drew, and the order of the others
    assert even(counts, 120)


def test_reshuffle__the_seat_that_drew_knows_what_is_left() -> None:
    counts = sampled(reshuffled(), 0, 2400)
    assert {layout[:4] for layout in counts} == {((0, 1, 6, 9), (2, 3), (), ())}
    assert {frozenset(layout[4]) for layout in counts} == {frozenset({4, 5, 7, 8})}
    assert even(counts, 24)


def mixed(deck: Sequence[int] = (7, 8)) -> Game:
    """Three players: 1 to 3 are of generation 0, 4 to 8 of generation 1; seat 0 has 0 alone."""
    rest = [contract for contract in (7, 8) if contract not in deck]
    return position(
        9,
        [[0], [1, 2, 4], [3, 5, 6], []],
        deck=deck,
        generation=[0, 0, 0, 0, 1, 1, 1, 1, 1],
        fulfilled=[[], [], [], rest],
    )


def test_generations__unknown_contracts_are_uniform_within_the_places_of_their_own() -> None:
    counts = sampled(mixed(), 0, 9000)
    ways = 3 * (5 * 6 * 2)  # one of three in hand 2; one of five in hand 1, two of four in hand 2, two orders
    assert len(counts) == ways
    assert even(counts, ways)
    for own, first, second, _, _, deck in counts:
        assert own == (0,)
        assert [len([contract for contract in pile if contract <= 3]) for pile in (first, second, deck)] == [2, 1, 0]


def test_generations__stay_apart_with_an_empty_deck() -> None:
    counts = sampled(mixed(deck=()), 0, 2700)
    assert len(counts) == 3 * 3  # of 4, 5, 6 one is in hand 1
    assert even(counts, 9)
    assert all(layout[5] == () for layout in counts)


def test_generations__a_hand_that_is_seen_leaves_fewer_ways() -> None:
    counts = sampled(mixed(), 2, 6000)
    ways = 3 * (3 * 2)  # 0, 1, 2 in hands 0 and 1; 4, 7, 8 in hand 1 and the deck
    assert {layout[2] for layout in counts} == {(3, 5, 6)}
    assert len(counts) == ways
    assert even(counts, ways)


def test_generations__three_of_them() -> None:
    generation = [0, 0, 1, 1, 2, 2, 2]
    game = position(7, [[], [0, 2, 4], [1, 3], []], deck=[5, 6], generation=generation)
    counts = sampled(game, 0, 4800)
    assert len(counts) == 2 * 2 * 6
    assert even(counts, 24)


def taken() -> Game:
    """Seat 0 has taken 3 (generation 1) and 1 (generation 0) from seat 1, with no deck and no discards."""
    game = position(7, [[0], [1, 2, 3, 4], [5, 6], []], generation=[0, 0, 0, 1, 1, 0, 0])
    game.step("contracts", outcomes=[3, 1])
    assert [game.hand(seat) for seat in range(4)] == [[0, 1, 3], [2, 4], [5, 6], []]
    return game


def test_taking__a_contract_keeps_its_generation() -> None:
    assert taken().record.generation[:7].tolist() == [0, 0, 0, 1, 1, 0, 0]


def test_taking__who_looks_on_places_it_within_its_generation() -> None:
    counts = sampled(taken(), 2, 3000)
    assert len(counts) == 3 * 2  # which of 0, 1, 2 and which of 3, 4 seat 1 still has
    assert even(counts, 6)


def test_taking__who_lost_it_knows_where_it_is() -> None:
    counts = sampled(taken(), 1, 1800)
    assert all({1, 3} <= set(layout[0]) for layout in counts)
    assert len(counts) == 3  # which of 0, 5, 6 is the third of seat 0
    assert even(counts, 3)


def test_taking__who_took_it_sees_it_in_the_own_hand() -> None:
    counts = sampled(taken(), 0, 1800)
    assert {layout[0] for layout in counts} == {(0, 1, 3)}
    assert all(4 in layout[1] for layout in counts)  # alone of its generation
    assert even(counts, 3)


def test_redeals__leave_on_the_table_what_lies_there() -> None:
    game = position(
        9,
        [[0], [1], []],
        deck=[2, 3],
        discards=[4, 5],
        fulfilled=[[6], [7], [8]],
        generation=[0] * 2 + [1] * 2 + [0] * 5,
    )
    for seat in range(3):
        for seed in range(30):
            record = game.redeal(seat, seed).record
            assert (record.place[[4, 5]] == PLACE_DISCARDED).all()
            assert record.place[6:9].tolist() == [PLACE_FULFILLED + owner for owner in range(3)]
            for field in ("corners", "marker", "coins", "num_coins", "generation"):
                assert np.array_equal(record[field], game.record[field])


def test_automa_draws__after_a_redeal_come_from_the_redealt_deck() -> None:
    game = position(7, [[0], []], deck=[1, 2, 3, 4, 5, 6])
    revealed = set()
    for seed in range(200):
        redealt = game.redeal(0, seed)
        expected = layout_of(redealt.record)[-1][:2]
        redealt.step("money")
        redealt.step("money")
        drawn = tuple(event.values["contract"] for event in redealt.events if event.kind == "reveal")
        assert drawn == expected
        revealed.add(drawn)
    assert len(revealed) == 30


# --- solo --------------------------------------------------------------------------------------------------------


def test_solo__contracts_set_aside_the_deck_and_the_bag_are_redealt_uniformly() -> None:
    game = solo_position(6, hand=[0], deck=[1, 2, 3], trains=[2, 2, 4])

    def look(record: np.record) -> tuple[Layout, tuple[int, ...]]:
        return layout_of(record), bag_of(record)

    counts = sampled(game, 0, 9000, look)
    assert len(counts) == 60 * 3  # two of five set aside, the order of the others; where the 4 is
    assert even(counts, 180)
    for layout, bag in counts:
        assert layout[0] == (0,)
        assert [len(pile) for pile in layout[1:]] == [0, 0, 0, 0, 2, 3]
        assert sorted(bag) == [2, 2, 4]


@pytest.mark.parametrize("seat", range(5))
def test_solo__every_company_is_the_same_player(seat: int) -> None:
    game = solo_position(9, hand=[0, 4, 7], deck=[1, 2, 3], trains=[2, 1, 4, 1])
    assert game.view(seat).records.tobytes() == game.view(0).records.tobytes()
    for seed in range(20):
        redealt = game.redeal(seat, seed)
        assert redealt.records.tobytes() == game.redeal(0, seed).records.tobytes()
        assert redealt.hand(seat) == [0, 4, 7]
        assert redealt.seat == 0


def test_solo__without_a_deck_only_the_bag_is_open() -> None:
    game = solo_position(4, hand=[0, 1], deck=[], trains=[2, 1, 4])
    counts = sampled(game, 0, 1800, bag_of)
    assert len(counts) == 6
    assert even(counts, 6)
    for record in game.view(0).sample(20, seed=0).records:
        assert layout_of(record) == layout_of(game.record)


def test_solo__an_empty_bag_stays_empty_and_the_next_round_is_new() -> None:
    game = solo_position(9, hand=[0], deck=[1, 2, 3], trains=[])
    orders = set()
    for seed in range(50):
        redealt = game.redeal(0, seed)
        assert bag_of(redealt.record) == ()
        redealt.step("money")
        orders.add((redealt.seat, *bag_of(redealt.record)))
    assert len(orders) == 50


# --- views ---------------------------------------------------------------------------------------------------------


def unseen(record: np.record, seat: int) -> np.ndarray:
    """Flags by contract: the seat does not know where it is."""
    place = record["place"]
    own = PLACE_HAND + (0 if record["mode"] == SOLO else seat)
    flags = (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != own) & ((record["known"] >> seat) & 1 == 0)
    if record["contract"] != NONE:
        flags[record["contract"]] = False
    return flags | (place == PLACE_DECK) | (place == PLACE_ASIDE)


def disguise(records: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The positions with everything changed that is hidden from the seat, and nothing else."""
    changed = records.copy()
    for record in changed:
        flags = unseen(record, seat)
        for generation in np.unique(record["generation"]):
            contracts = np.flatnonzero(flags & (record["generation"] == generation))
            record["place"][contracts] = record["place"][rng.permutation(contracts)]
        record["known"][flags] = 0
        deck = np.flatnonzero(record["place"] == PLACE_DECK)
        record["deck_order"][: len(deck)] = rng.permutation(deck)
        record["bag"][: record["bag_size"]] = rng.permutation(record["bag"][: record["bag_size"]])
        record["rng"] = rng.integers(1 << 32, size=record["rng"].shape)
    return changed


@each_game
def test_views__are_the_same_for_records_that_differ_in_hidden_things_alone(name: str) -> None:
    batch = positions(name)
    rng = np.random.default_rng(1)
    for seat in seats_of(name):
        changed = disguise(batch.records, seat, rng)
        assert changed.tobytes() != batch.records.tobytes()
        other = GameBatch.from_records(changed, RULES[name])
        seats = np.full(len(batch), seat)
        assert other.views(seats).records.tobytes() == batch.views(seats).records.tobytes()
        assert other.observe(seats=seats).tobytes() == batch.observe(seats=seats).tobytes()


@each_game
def test_views__tell_of_unknown_contracts_only_how_many_of_a_generation_are_in_a_place(name: str) -> None:
    batch = positions(name)
    for seat in seats_of(name):
        views = batch.views(np.full(len(batch), seat)).records
        for record, view in zip(batch.records, views, strict=True):
            flags = unseen(record, seat)
            assert (view["place"][flags] == PLACE_UNKNOWN).all()
            assert np.array_equal(view["place"][~flags], record["place"][~flags])
            assert not view["known"][flags].any()
            expected = sorted(zip(record["generation"][flags].tolist(), record["place"][flags].tolist(), strict=True))
            assert view["slot"].tolist() == [place for _, place in expected] + [NONE] * (MAX_CONTRACTS - len(expected))


@each_game
def test_views__hide_the_orders_of_deck_and_bag_and_the_random_streams(name: str) -> None:
    batch = positions(name)
    for seat in seats_of(name):
        views = batch.views(np.full(len(batch), seat)).records
        assert (views["deck_order"] == NONE).all()
        assert not views["rng"].any()
        for record, view in zip(batch.records, views, strict=True):
            assert bag_of(view) == tuple(sorted(bag_of(record), reverse=True))


PARTLY_HIDDEN = {"place", "known", "slot", "deck_order", "bag", "rng"}


@each_game
def test_views__keep_all_other_fields(name: str) -> None:
    batch = positions(name)
    assert batch.records.dtype.names
    for seat in seats_of(name):
        views = batch.views(np.full(len(batch), seat)).records
        for field in set(batch.records.dtype.names) - PARTLY_HIDDEN:
            assert np.array_equal(views[field], batch.records[field]), field


def test_positions__have_reshuffles_takes_and_contracts_set_aside() -> None:
    """So that the tests above look at something."""
    assert (positions("two automas").records["generation"].max(axis=1) > 1).any()
    assert (positions("three and automa").records["generation"].max(axis=1) > 0).any()
    assert positions("players").records["known"].any()
    assert (positions("solo").records["place"] == PLACE_ASIDE).any()
    for name in RULES:
        assert (positions(name).records["slot"] == NONE).all()


SPECTATED: dict[str, Callable[[], Game]] = {
    "players": lambda: position(6, [[0], [1, 2], []], deck=[3, 4, 5]),
    "solo": lambda: solo_position(6, hand=[0, 1], deck=[3, 4, 5], trains=[2, 1]),
}


@pytest.mark.parametrize("name", SPECTATED)
def test_views__of_nobody_show_no_hand(name: str) -> None:
    game = SPECTATED[name]()
    batch = GameBatch.from_records(game.records, game.rules, map=game.setting.map, deck=game.setting.deck)
    place = batch.views(np.array([NONE])).record.place
    assert (place[:6] == PLACE_UNKNOWN).all()
    assert (place[6:] == PLACE_ABSENT).all()


# --- redeals of any position -----------------------------------------------------------------------------------------


@each_game
def test_redeals__look_the_same_to_the_seat(name: str) -> None:
    batch = positions(name)
    for seat in seats_of(name):
        seats = np.full(len(batch), seat)
        redealt = batch.redeal(seats, np.arange(len(batch)))
        assert redealt.records.tobytes() != batch.records.tobytes()
        assert (redealt.records["slot"] == NONE).all()
        assert redealt.views(seats).records.tobytes() == batch.views(seats).records.tobytes()
        assert redealt.observe(seats=seats).tobytes() == batch.observe(seats=seats).tobytes()


@each_game
def test_redeals__have_every_contract_once_and_generations_where_they_were(name: str) -> None:
    batch = positions(name)
    for seat in seats_of(name):
        redealt = batch.redeal(np.full(len(batch), seat), np.arange(len(batch)) + 99)
        for record, old in zip(redealt.records, batch.records, strict=True):
            deck = record["deck_order"][: record["deck_size"]]
            assert sorted(deck.tolist()) == np.flatnonzero(record["place"] == PLACE_DECK).tolist()
            assert (record["deck_order"][record["deck_size"] :] == NONE).all()
            for generation in np.unique(old["generation"]):
                of = old["generation"] == generation
                assert sorted(record["place"][of].tolist()) == sorted(old["place"][of].tolist())
            if record["deck_size"]:
                in_play = record["place"] != PLACE_ABSENT
                assert (record["generation"][deck] == record["generation"][in_play].max()).all()


@each_game
def test_redeals__play_on_to_the_end(name: str) -> None:
    rng = np.random.default_rng(3)
    batch = positions(name)
    seats = np.maximum(batch.seats, 0)
    redealt = batch.redeal(seats, np.arange(len(batch)))
    mask = redealt.mask[~redealt.done]
    assert np.array_equal(mask, batch.mask[~batch.done])
    for _ in range(30):
        redealt.step(redealt.sample_legal(rng))
    if RULES[name].automas == 0:
        held = (redealt.records["place"] != PLACE_ABSENT).sum(axis=1)
        assert (held == 16).all()


@each_game
def test_samples__are_redeals(name: str) -> None:
    batch = positions(name)
    for index in range(0, len(batch), 37):
        game = batch.game(index)
        seat = max(game.seat, 0)
        sample = game.view(seat).sample(3, seed=11)
        for record, seed in zip(sample.records, redeal_seeds(3, 11), strict=True):
            assert record.tobytes() == game.redeal(seat, int(seed)).record.tobytes()
        again = game.redeal(seat, 5).view(seat).sample(3, seed=11)  # the view has nothing else in it
        assert again.records.tobytes() == sample.records.tobytes()


def test_samples__of_views_of_many_games_keep_their_order() -> None:
    batch = positions("two automas")
    seats = np.arange(len(batch)) % 4
    sample = batch.views(seats).sample(2, seed=1)
    assert len(sample) == 2 * len(batch)
    looked = sample.views(np.repeat(seats, 2)).records
    assert looked.tobytes() == np.repeat(batch.views(seats).records, 2).tobytes()


# --- events ----------------------------------------------------------------------------------------------------------


def test_events__the_order_of_a_reshuffled_deck_is_seen_by_nobody() -> None:
    game = reshuffled()
    stack = [event for event in game.events if event.kind == "stack"]
    assert [event.values for event in stack] == [{"contract": contract} for contract in (6, 4, 5, 7, 8)]
    for seat in range(3):
        assert all(event.hide_from(seat).values == {"contract": HIDDEN} for event in stack)
        assert game.log_for(seat).count("the new deck: a contract") == 5
    assert [event.hide_from(0) for event in game.events if event.kind == "reshuffle"] == [
        event for event in game.events if event.kind == "reshuffle"
    ]


def test_events__a_draw_after_a_reshuffle_is_seen_by_who_draws() -> None:
    game = reshuffled()
    drawn = [event for event in game.events if event.kind == "draw"]
    assert [event.hide_from(0).values["contract"] for event in drawn] == [9, 6]
    assert [event.hide_from(1).values["contract"] for event in drawn] == [HIDDEN, HIDDEN]


def test_events__what_an_automa_draws_and_discards_is_seen_by_all() -> None:
    game = position(7, [[0], []], deck=[1, 2, 3, 4, 5, 6])
    game.step("money")
    game.step("money")
    kinds = {event.kind for event in game.events}
    assert kinds >= {"automa", "reveal", "act", "discard"}
    for event in game.events:
        assert event.hide_from(0) == event.hide_from(1) == event


def test_events__the_bag_and_what_is_set_aside_are_seen_by_nobody_in_solo() -> None:
    game = solo_position(6, hand=[0], deck=[1, 2, 3], trains=[])
    game.step("money")
    hidden = [event for event in game.events if event.kind in ("bag", "aside")]
    assert Counter(event.kind for event in hidden) == {"bag": 10, "aside": 1}
    for event in hidden:
        assert HIDDEN not in event.values.values()
        for seat in range(5):
            shown = event.hide_from(seat, solo=True)
            assert (shown.kind, shown.actor) == (event.kind, event.actor)
            assert set(shown.values.values()) == {HIDDEN}
    assert len(outcomes_of(game.events)) == 10


def test_events__the_train_that_is_drawn_is_seen() -> None:
    game = solo_position(6, hand=[0], deck=[1, 2, 3], trains=[4])
    game.step("money")
    drawn = [event for event in game.events if event.kind == "train"]
    assert [event.actor for event in drawn] == [4]
    assert [event.hide_from(2, solo=True) for event in drawn] == drawn


def test_events__draws_in_solo_are_seen_whichever_company_drew() -> None:
    event = Event("draw", 3, {"contract": 7})
    for seat in range(5):
        assert event.hide_from(seat, solo=True) == event
    assert event.hide_from(0).values == {"contract": HIDDEN}
    assert event.hide_from(3) == event


def test_events__the_deal_in_solo_shows_the_hand_and_the_first_train() -> None:
    game = Game(RULES["solo"], seed=3)
    deal = game.events[0]
    assert len(deal.values["trains"]) == 10
    for seat in range(5):
        values = deal.hide_from(seat, solo=True).values
        assert values["hands"] == [game.hand(0)]
        assert values["deck"] == HIDDEN
        assert values["trains"] == [game.seat]
    assert len(deal.values["trains"]) == 10


def test_events__the_deal_with_automas_shows_corners_and_the_own_hand() -> None:
    game = Game(RULES["two automas"], seed=3)
    deal = game.events[0]
    assert len(deal.values["hands"]) == 2
    for seat in range(4):
        values = deal.hide_from(seat).values
        assert sorted(values["corners"]) == ["black", "gray", "orange", "white"]
        assert values["corners"] == deal.values["corners"]
        assert [hand == HIDDEN for hand in values["hands"]] == [other != seat for other in range(2)]
        assert values["deck"] == HIDDEN


@each_game
def test_logs__have_as_many_lines_for_every_seat_and_differ_only_where_something_is_private(name: str) -> None:
    game = Game(RULES[name], seed=4)
    rng = np.random.default_rng(4)
    while not game.done and game.num_steps < 200:
        game.step(int(rng.choice(game.legal())))
    private = {"deal", "draw", "take", "stack", "bag", "aside"}
    for seat in seats_of(name):
        for line, shown, event in zip(game.log, game.log_for(seat), game.events, strict=True):
            assert line == shown or event.kind in private
