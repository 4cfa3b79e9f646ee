"""Rule 11, information: what a seat sees, what it knows, and redeals that it could not tell from the game."""

from collections import Counter
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from steam_env import Game, Rules
from steam_env.core.steam_power.state import PLACE_ABSENT, PLACE_FULFILLED, PLACE_HAND, PLACE_UNKNOWN
from steam_env.words.events import HIDDEN
from tests.rules.positions import legal, play, position

SIX = "W / B / O / G / WW / BB"
PUBLIC = (
    *("reach", "network", "visited", "money", "trains", "factories", "hand_size", "num_fulfilled"),
    *("tail_link", "tail_hex", "tail_entry", "tail_exit", "stock", "off_map", "tiles", "seat", "phase"),
    *("first_player", "round_number", "actions_left", "placements_left", "takes_left", "in_bonus", "start_city"),
    *(
        "start_edge",
        "build_city",
        "contract",
        "need",
        "cargo_group",
        "hop_group",
        "truncated",
        "num_links",
        "deck_size",
    ),
    *("color", "owner", "resources", "linked", "track", "track_link", "link_owner", "link_start", "link_end"),
)


def dealt(seats: int = 3, seed: int = 1) -> Game:
    return Game(Rules(num_players=seats), seed=seed)


def played(seed: int, steps: int, seats: int = 3) -> Game:
    """A game after some random actions."""
    game = Game(Rules(num_players=seats, map="mini", contracts="mini"), seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if game.done:
            break
        game.step(int(rng.choice(game.legal())))
    return game


def emptied(**more: object) -> Game:
    """Four seats and no deck; player_1 has the most contracts, 1 to 5."""
    return position(
        seats=4,
        contracts=" / ".join("W" * 8),
        hands=[[0], [1, 2, 3, 4, 5], [6], [7]],
        deck=[],
        **more,  # type: ignore[arg-type]
    )


# --- 11.1 what a seat sees ---------------------------------------------------------------------------


def test_rule_11_1__a_view_holds_all_that_lies_on_the_table() -> None:
    for seed in range(5):
        game = played(seed, 60)
        for seat in range(game.seats):
            view = game.view(seat)
            assert view.seat == seat
            for name in PUBLIC:
                assert np.array_equal(view.record[name], game.record[name]), name


def test_rule_11_1__a_view_holds_the_own_hand_and_what_was_fulfilled() -> None:
    game = position(contracts=SIX, hands=[[0], [1], []], fulfilled=[[], [2], [3]], deck=[4, 5])
    place = game.view(1).record.place
    assert place[1] == PLACE_HAND + 1
    assert (place[2], place[3]) == (PLACE_FULFILLED + 1, PLACE_FULFILLED + 2)
    assert (place[6:] == PLACE_ABSENT).all()


def test_rule_11_1__the_contract_being_fulfilled_is_seen_by_all() -> None:
    game = position(
        colors="Ames W",
        links="0 Ames Dyson",
        factories="0 Ames 3",
        contracts="WW / B / O",
        hands=[[0, 1], [], []],
        deck=[2],
    )
    game.step("fulfil 0")
    for seat in (1, 2):
        record = game.view(seat).record
        assert (record.contract, record.need) == (0, 0)
        assert record.place[0] == PLACE_HAND
        assert record.place[1] == record.place[2] == PLACE_UNKNOWN
        for seed in range(20):
            assert 0 in game.redeal(seat, seed).hand(0)


def test_rule_11_1__a_bonus_under_way_is_seen_by_all() -> None:
    game = position(
        colors="Ames W, Dyson B",
        links="0 Ames Dyson",
        factories="0 Ames 3",
        contracts="W bonus=factory / B",
        hands=[[0], [], []],
    )
    play(game, "fulfil 0", "source Ames", "build Dyson")
    for seat in range(3):
        record = game.view(seat).record
        assert (record.in_bonus, record.build_city) == (1, game.record.build_city)


# --- 11.3 what is hidden -----------------------------------------------------------------------------


def test_rule_11_3__a_view_blanks_other_hands_and_the_deck() -> None:
    game = dealt()
    for seat in range(3):
        record = game.view(seat).record
        for contract in range(48):
            own = contract in game.hand(seat)
            assert record.place[contract] == (PLACE_HAND + seat if own else PLACE_UNKNOWN)
        assert (record.deck_order == -1).all()
        assert not record.rng.any()
        assert record.deck_size == game.deck_size


def test_rule_11_3__views_of_games_that_differ_in_hidden_things_are_equal_bytes() -> None:
    one = position(contracts=SIX, hands=[[0], [1, 2], [3]], deck=[4, 5], seed=1)
    other = position(contracts=SIX, hands=[[0], [5, 4], [2]], deck=[1, 3], seed=2)
    assert one.view(0).records.tobytes() == other.view(0).records.tobytes()
    assert one.view(1).records.tobytes() != other.view(1).records.tobytes()


def test_rule_11_3__what_a_seat_knows_is_not_seen_by_others() -> None:
    one = position(contracts=SIX, hands=[[0], [1, 2], [3]], known=[[], [3], []], deck=[4, 5])
    other = position(contracts=SIX, hands=[[0], [1, 2], [3]], deck=[4, 5])
    assert one.view(0).records.tobytes() == other.view(0).records.tobytes()
    assert one.view(1).records.tobytes() != other.view(1).records.tobytes()


def test_rule_11_3__a_view_is_a_copy() -> None:
    game = dealt()
    before = game.records.copy()
    view = game.view(0)
    view.records["money"] += 1
    assert game.records.tobytes() == before.tobytes()


def hidden_changes(game: Game, seat: int) -> list[Game]:
    """Games that differ from this one only in what the seat may not see."""
    return [game.redeal(seat, seed) for seed in range(4)]


@pytest.mark.parametrize(
    "look",
    [
        lambda game, seat: game.observe(seat).tobytes(),
        lambda game, seat: game.view(seat).records.tobytes(),
        lambda game, seat: (game.mask.tobytes(), game.legal_text()),
        lambda game, seat: [game.explain(action) for action in range(372)],
        lambda game, seat: (game.scores(), game.links(), game.hand(seat), game.money, game.phase, game.off_map),
    ],
    ids=["observe", "view", "mask", "explain", "public"],
)
def test_rule_11_3__the_movers_information_does_not_depend_on_hidden_things(
    look: Callable[[Game, int], object],
) -> None:
    for seed in range(6):
        game = played(seed, 25 * seed)
        if game.done:
            continue
        for other in hidden_changes(game, game.seat):
            assert look(other, game.seat) == look(game, game.seat)


def test_rule_11_3__observations_of_seats_that_wait_do_not_depend_on_hidden_things() -> None:
    for seed in range(4):
        game = played(seed, 40)
        for seat in range(game.seats):
            for other in hidden_changes(game, seat):
                assert other.observe(seat).tobytes() == game.observe(seat).tobytes()
                assert other.hand(seat) == game.hand(seat)


def test_rule_11_3__observations_do_show_the_own_hand() -> None:
    one = position(contracts=SIX, hands=[[0], [1, 2], [3]], deck=[4, 5])
    other = position(contracts=SIX, hands=[[4], [1, 2], [3]], deck=[0, 5])
    assert one.observe(0).tobytes() != other.observe(0).tobytes()
    assert one.observe(1).tobytes() == other.observe(1).tobytes()


# --- 11.2 what a seat knows --------------------------------------------------------------------------


def knowledge(game: Game) -> dict[int, set[int]]:
    """By seat, the contracts in others' hands that every redeal for it leaves where they are."""
    known = {}
    for seat in range(game.seats):
        holders = [redealt.record.place.copy() for redealt in (game.redeal(seat, seed) for seed in range(60))]
        same = (np.array(holders) == game.record.place).all(axis=0)
        hands = [contract for other in range(game.seats) if other != seat for contract in game.hand(other)]
        known[seat] = {contract for contract in hands if same[contract]}
    return known


def test_rule_11_2__the_seat_that_lost_a_contract_knows_where_it_is() -> None:
    game = emptied()
    assert knowledge(game) == {0: set(), 1: set(), 2: set(), 3: set()}
    game.step("contracts", [2, 4])
    assert game.hand(0) == [0, 2, 4]
    assert knowledge(game) == {0: set(), 1: {2, 4}, 2: set(), 3: set()}
    for contract in (2, 4):
        assert game.view(1).record.place[contract] == PLACE_HAND
        assert game.view(2).record.place[contract] == PLACE_UNKNOWN


def test_rule_11_2__it_knows_until_another_seat_takes_from_that_hand() -> None:
    game = emptied()
    play(game, "money")
    game.step("contracts", [2, 4])  # player_0: 0 2 4, player_1: 1 3 5
    play(game, "money", "money")
    game.step("contracts")  # player_2 has one, both others three
    game.step("take_from player_0", [0])
    assert (game.hand(0), set(game.hand(2)) >= {0, 6}) == ([2, 4], True)
    assert knowledge(game)[1] & {2, 4} == set()  # either may have moved on, as far as player_1 can tell
    assert 0 in knowledge(game)[0]


def test_rule_11_2__another_hand_is_not_affected() -> None:
    game = emptied()
    play(game, "money")
    game.step("contracts", [2, 4])
    play(game, "money", "money")
    game.step("contracts")
    game.step("take_from player_1", [1])  # then player_0 alone has the most: the second comes from there
    assert len(game.hand(2)) == 3
    taken = (set(game.hand(2)) - {1, 6}).pop()
    assert knowledge(game)[1] == {1}
    assert knowledge(game)[0] == {taken}


def test_rule_11_2__a_hand_that_is_left_alone_stays_known() -> None:
    game = position(
        seats=4,
        contracts=" / ".join("W" * 12),
        hands=[[0], [1, 2, 3, 4, 5], [], [6, 7, 8, 9, 10, 11]],
        deck=[],
        actions_left=1,
    )
    game.step("contracts", [6])  # from player_3, who then has as many as player_1
    game.step("take_from player_3", [7])
    play(game, "money", "money", "contracts", "take_from player_1")  # player_2 takes two from player_1
    assert [len(game.hand(seat)) for seat in range(4)] == [3, 3, 2, 4]
    assert knowledge(game)[3] == {6, 7}


def test_rule_11_2__taking_back_from_the_hand_leaves_the_rest_known() -> None:
    game = position(contracts=SIX, hands=[[0, 1], [2, 3], [4]], fulfilled=[[5], [], []], deck=[], actions_left=1)
    game.step("contracts")
    game.step("take_from player_1", [3])  # player_0 has 0 1 3, the most
    game.step("contracts", [0])  # player_1 takes one back, another one
    assert game.phase == "take_from"
    assert knowledge(game) == {0: {0}, 1: {3}, 2: set()}
    game.step("take_from player_0", [3])
    assert knowledge(game) == {0: {0, 3}, 1: set(), 2: set()}


def test_rule_11_2__a_contract_that_comes_back_is_no_longer_in_anothers_hand() -> None:
    hands = [[], [0, 1, 2], [4], [3]]
    game = position(seats=4, contracts="W / B / O / G / WW", hands=hands, deck=[], actions_left=1)
    game.step("contracts", [1, 2])
    assert knowledge(game)[1] == {1, 2}
    game.step("contracts", [1])  # from player_0, who has two; then player_1 has the most
    assert [game.hand(seat) for seat in range(4)] == [[2], [0, 1], [4], [3]]
    assert knowledge(game)[1] == {2}
    assert knowledge(game)[0] == {1}
    assert game.view(1).record.place[1] == PLACE_HAND + 1


def test_rule_11_2__a_known_contract_that_is_fulfilled_is_seen_as_such() -> None:
    game = position(links="0 Ames Dyson", contracts="W / B / O", hands=[[], [0, 1], [2]], deck=[], money=[9, 0, 0])
    game.step("contracts", [0])
    play(game, "take_from player_2", "fulfil 0")
    for seat in range(3):
        assert game.view(seat).record.place[0] == PLACE_FULFILLED
    assert not game.record.known[0]


def test_rule_11_2__scenarios_may_say_what_is_known() -> None:
    game = position(contracts=SIX, hands=[[0], [1, 2], [3]], known=[[1], [], [0, 2]], deck=[4, 5])
    assert knowledge(game) == {0: {1}, 1: set(), 2: {0, 2}}


def test_rule_11_2__draws_from_the_deck_are_not_known_to_others() -> None:
    game = position(contracts=SIX, hands=[[0], [1], [2]], deck=[3, 4, 5])
    game.step("contracts")
    assert knowledge(game) == {0: set(), 1: set(), 2: set()}


def test_rule_11_2__observations_show_what_is_known() -> None:
    one = position(contracts=SIX, hands=[[0], [1, 2], [3]], known=[[1], [], []], deck=[4, 5])
    other = position(contracts=SIX, hands=[[0], [1, 2], [3]], known=[[2], [], []], deck=[4, 5])
    unknown = position(contracts=SIX, hands=[[0], [1, 2], [3]], deck=[4, 5])
    assert len({game.observe(0).tobytes() for game in (one, other, unknown)}) == 3
    assert len({game.observe(1).tobytes() for game in (one, other, unknown)}) == 1


# --- 11.1, 11.3 the log and the events ---------------------------------------------------------------


def test_rule_11_3__a_draw_is_hidden_from_the_others() -> None:
    game = position(contracts=SIX, hands=[[0], [1], [2]], deck=[3, 4, 5])
    game.step("contracts")
    assert [event.values for event in game.events] == [{"contract": 3}, {"contract": 4}]
    assert [event.hide_from(0).values for event in game.events] == [{"contract": 3}, {"contract": 4}]
    assert [event.hide_from(1).values for event in game.events] == [{"contract": HIDDEN}] * 2
    assert game.log_for(0) == game.log
    assert "contract 3" in game.log[0]
    assert game.log_for(1) == game.log_for(2) == ["player_0 draws a contract"] * 2


def test_rule_11_3__a_contract_that_changes_hands_is_seen_by_both_and_nobody_else() -> None:
    game = emptied()
    game.step("contracts", [2, 4])
    assert game.log_for(0) == game.log_for(1) == game.log
    assert "contract 2" in game.log[0]
    assert "contract 4" in game.log[1]
    assert game.log_for(2) == ["player_0 takes a contract from player_1"] * 2


def test_rule_11_3__the_deal_shows_each_seat_its_own_hand() -> None:
    game = dealt()
    deal = game.events[0]
    assert deal.kind == "deal"
    assert [sorted(hand) for hand in deal.values["hands"]] == [game.hand(seat) for seat in range(3)]
    for seat in range(3):
        values = deal.hide_from(seat).values
        assert values["deck"] == HIDDEN
        assert [hand == HIDDEN for hand in values["hands"]] == [other != seat for other in range(3)]
        assert (values["cities"], values["first_player"]) == (deal.values["cities"], deal.values["first_player"])


def test_rule_11_3__hiding_an_event_leaves_the_event_itself() -> None:
    game = position(contracts=SIX, hands=[[0], [1], [2]], deck=[3, 4, 5])
    game.step("contracts")
    event = game.events[0]
    event.hide_from(2)
    assert event.values == {"contract": 3}


def test_rule_11_3__all_else_stands_in_every_seats_log() -> None:
    game = played(2, 150)
    private = [event.kind in ("draw", "take", "deal") for event in game.events]
    for seat in range(3):
        for line, shown, hidden in zip(game.log, game.log_for(seat), private, strict=True):
            assert line == shown or hidden


# --- 11.4 redeals ------------------------------------------------------------------------------------


def test_rule_11_4__a_redeal_keeps_all_that_the_seat_sees_and_knows() -> None:
    for seed in range(5):
        game = played(seed, 50)
        for seat in range(3):
            other = game.redeal(seat, 77)
            for name in PUBLIC:
                assert np.array_equal(other.record[name], game.record[name]), name
            assert other.hand(seat) == game.hand(seat)
            assert [other.fulfilled(player) for player in range(3)] == [game.fulfilled(player) for player in range(3)]
            everything = sorted(
                [*other.record.deck_order[: other.deck_size]]
                + [contract for player in range(3) for contract in other.hand(player) + other.fulfilled(player)]
            )
            assert everything == list(range(16))


def test_rule_11_4__a_redeal_leaves_the_game_alone() -> None:
    game = dealt()
    before = game.save()
    game.redeal(0, 5)
    assert game.save() == before


def test_rule_11_4__a_redeal_is_a_function_of_its_seed() -> None:
    game = dealt()
    assert game.redeal(0, 5).records.tobytes() == game.redeal(0, 5).records.tobytes()
    assert game.redeal(0, 5).records.tobytes() != game.redeal(0, 6).records.tobytes()


def test_rule_11_4__a_redeal_has_new_random_streams() -> None:
    game = emptied()
    redeals = [game.redeal(0, seed) for seed in range(50)]
    streams = {redealt.record.rng.tobytes() for redealt in redeals}
    assert len(streams) == 50
    assert game.record.rng.tobytes() not in streams
    every_row = {redealt.record.rng[1].tobytes() for redealt in redeals}
    assert len(every_row) == 50  # chance in play, too


def test_rule_11_4__chance_after_a_redeal_is_not_that_of_the_game() -> None:
    game = position(
        seats=2, contracts="W / B / O / G / WW", hands=[[], [0, 1, 2, 3, 4]], known=[[0, 1, 2, 3, 4], []], deck=[]
    )
    outcomes = set()
    for seed in range(60):
        redealt = game.redeal(0, seed)
        assert redealt.hand(1) == [0, 1, 2, 3, 4]
        redealt.step("contracts")
        outcomes.add(tuple(redealt.hand(0)))
    assert len(outcomes) == 10


def bounded(counts: Counter[object], outcomes: int) -> bool:
    """Whether counts of equally likely outcomes are as even as chance makes them (chi square, five sigma)."""
    total = sum(counts.values())
    expected = total / outcomes
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    chi += (outcomes - len(counts)) * expected
    freedom = outcomes - 1
    return chi < freedom + 5 * (2 * freedom) ** 0.5


def hidden_layout(record: np.record) -> tuple[object, ...]:
    """Hands as sets and the deck in order."""
    hands = tuple(tuple(np.flatnonzero(record.place == PLACE_HAND + seat)) for seat in range(3))
    return (*hands, tuple(record.deck_order[: record.deck_size]))


def test_rule_11_4__a_redeal_is_uniform_over_all_layouts() -> None:
    # Seat 0 knows neither the two contracts of seat 1, nor that of seat 2, nor the two of the deck: 5! / 2! layouts.
    game = position(contracts=SIX, hands=[[0], [1, 2], [3]], deck=[4, 5])
    sample = game.view(0).sample(6000, seed=11)
    counts = Counter(hidden_layout(record) for record in sample.records)
    assert len(counts) == 60
    assert bounded(counts, 60)
    assert {layout[0] for layout in counts} == {(0,)}


def test_rule_11_4__redeals_of_a_game_are_uniform_too() -> None:
    game = position(contracts="W / B / O / G", hands=[[0], [1], [2]], deck=[3])
    counts = Counter(hidden_layout(game.redeal(2, seed).record) for seed in range(1200))
    assert set(counts) == {((one,), (other,), (2,), (last,)) for one, other, last in permutations((0, 1, 3))}
    assert bounded(counts, 6)


def test_rule_11_4__a_known_contract_stays_and_the_rest_is_uniform() -> None:
    game = position(contracts=SIX, hands=[[0], [1, 2], [3]], known=[[1], [], []], deck=[4, 5])
    sample = game.view(0).sample(4800, seed=3)
    counts = Counter(hidden_layout(record) for record in sample.records)
    assert all(1 in layout[1] for layout in counts)
    assert len(counts) == 24
    assert bounded(counts, 24)
    assert (sample.records["known"][:, 1] & 1).all()


def test_rule_11_4__contracts_stay_in_the_deck_generation_they_were_drawn_from() -> None:
    # Contracts 0 to 3 were drawn before a reshuffle, 4 and 5 lie in the deck since then.
    game = position(contracts=SIX, hands=[[0], [1, 2], [3]], deck=[4, 5], generation=[0, 0, 0, 0, 1, 1])
    sample = game.view(0).sample(3000, seed=5)
    counts = Counter(hidden_layout(record) for record in sample.records)
    assert len(counts) == 3 * 2  # which of 1, 2, 3 seat 2 holds; the order of 4 and 5
    assert bounded(counts, 6)


def test_rule_11_4__what_was_taken_from_a_hand_keeps_its_generation() -> None:
    hands = [[], [0, 1, 2], [5], []]
    game = position(
        seats=4, contracts=SIX, hands=hands, fulfilled=[[], [], [], [3, 4]], deck=[], generation=[0, 0, 0, 0, 0, 1]
    )
    game.step("contracts", [0, 1])
    seen = Counter()
    for seed in range(600):
        redealt = game.redeal(3, seed)  # for a seat that has seen nothing but that two contracts moved
        assert redealt.hand(2) == [5]
        seen[tuple(redealt.hand(1))] += 1
    assert set(seen) == {(0,), (1,), (2,)}
    assert bounded(seen, 3)


def test_rule_11_4__a_redeal_within_a_decision_keeps_the_decision() -> None:
    for seed in range(12):
        game = played(seed, 30 + 3 * seed)
        if game.done:
            continue
        other = game.redeal(game.seat, 1)
        assert (other.phase, other.seat, legal(other)) == (game.phase, game.seat, legal(game))
        other.step(other.legal()[-1])


def test_rule_11_4__what_others_know_is_redealt_with_their_hands() -> None:
    """Seat 1 has lost contract 1 to seat 2; seat 0 may not learn from a redeal which one it was."""
    game = position(contracts=SIX, hands=[[0], [1, 2], [3]], known=[[], [3], []], deck=[4, 5])
    held = Counter(contract for seed in range(600) for contract in game.redeal(0, seed).hand(2))
    assert bounded(held, 5)


def test_rule_11_3__what_another_seat_knows_of_a_third_hand_is_hidden() -> None:
    """Both seat 0 and seat 2 know contract 1 in the hand of seat 1; neither knows that of the other."""
    hands = [[0], [1], [2]]
    alone, together = (position(contracts=SIX, hands=hands, known=known) for known in ([[1], [], []], [[1], [], [1]]))
    assert (alone.view(0).record == together.view(0).record).all()
    assert alone.view(2).record != together.view(2).record


def test_rule_11_3__the_order_of_the_trains_in_the_bag_is_hidden() -> None:
    game = Game(Rules(mode="solo", map="mini", contracts="mini"), seed=1)
    scenario = game.to_scenario()
    trains = scenario["solo"]["trains"]
    scenario["solo"]["trains"] = trains[::-1]
    turned = Game.from_scenario(scenario)
    assert turned.record.bag.tolist() != game.record.bag.tolist()
    assert (turned.view(0).record == game.view(0).record).all()
    assert sorted(game.view(0).record.bag[: len(trains)].tolist()) == sorted(trains)
