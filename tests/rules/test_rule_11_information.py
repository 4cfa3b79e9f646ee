"""Rule 11, information, by small positions; test_hidden_information looks at games of every kind, by every face."""

from typing import Any

import numpy as np
import pytest

from steam_env import Game, Rules
from steam_env.core.steam_power.state import PLACE_ABSENT, PLACE_FULFILLED, PLACE_HAND, PLACE_UNKNOWN
from steam_env.words.events import HIDDEN
from tests.rules.positions import play, position
from tests.worlds import compare_with_worlds, count_worlds

SIX = "W / B / O / G / WW / BB"
SAMPLES = 2500  # plain Python draws them, too, when deliberate faults are tried


def dealt(seed: int = 1) -> Game:
    return Game(Rules(num_players=3, map="mini", contracts="mini"), seed=seed)


def three(hands: Any = ((0,), (1, 2), (3,)), deck: Any = (4, 5), **more: Any) -> Game:
    """Three seats, six contracts."""
    return position(contracts=SIX, hands=hands, deck=deck, **more)


def emptied(hands: Any = ((0,), (1, 2, 3, 4, 5), (6,), (7,)), **more: Any) -> Game:
    """Four seats and no deck; by default player_1 has the most contracts, 1 to 5."""
    cards = " / ".join("W" * sum(map(len, hands)))
    return position(seats=4, contracts=cards, hands=hands, deck=[], **more)


def look_equal(one: Game, other: Game) -> list[bool]:
    """By seat, whether it has the same view of both games."""
    return [one.view(seat).records.tobytes() == other.view(seat).records.tobytes() for seat in range(one.seats)]


# --- 11.1 what a seat sees ---------------------------------------------------------------------------


def test_rule_11_1__a_view_holds_the_own_hand_and_what_was_fulfilled() -> None:
    place = three([[0], [1], []], fulfilled=[[], [2], [3]]).view(1).record.place
    assert place[1] == PLACE_HAND + 1
    assert (place[2], place[3]) == (PLACE_FULFILLED + 1, PLACE_FULFILLED + 2)
    assert (place[6:] == PLACE_ABSENT).all()


def test_rule_11_1__the_contract_being_fulfilled_is_seen_by_all() -> None:
    track = {"colors": "Ames W", "links": "0 Ames Dyson", "factories": "0 Ames 3"}
    game = position(contracts="WW / B / O", hands=[[0, 1], [], []], deck=[2], **track)
    game.step("fulfil 0")
    for seat in (1, 2):
        record = game.view(seat).record
        assert (record.contract, record.need) == (0, 0)
        assert record.place[0] == PLACE_HAND
        assert record.place[1] == record.place[2] == PLACE_UNKNOWN
        for seed in range(20):
            assert 0 in game.redeal(seat, seed).hand(0)


# --- 11.2 what a seat knows --------------------------------------------------------------------------


def knowledge(game: Game) -> list[set[int]]:
    """By seat, the contracts in others' hands that every redeal for it leaves where they are."""
    known = []
    for seat in range(game.seats):
        places = np.array([game.redeal(seat, seed).record.place for seed in range(60)])
        same = (places == game.record.place).all(axis=0)
        hands = [contract for other in range(game.seats) if other != seat for contract in game.hand(other)]
        known.append({contract for contract in hands if same[contract]})
    return known


def test_rule_11_2__the_seat_that_lost_a_contract_knows_where_it_is() -> None:
    game = emptied()
    assert knowledge(game) == [set()] * 4
    game.step("contracts", [2, 4])
    assert game.hand(0) == [0, 2, 4]
    assert knowledge(game) == [set(), {2, 4}, set(), set()]
    for contract in (2, 4):
        assert game.view(1).record.place[contract] == PLACE_HAND
        assert game.view(2).record.place[contract] == PLACE_UNKNOWN


def taken_twice(seat: int, contract: int) -> Game:
    """player_0 has taken 2 and 4 from player_1; then player_2, who has one, takes a contract from this seat."""
    game = emptied()
    play(game, "money")
    game.step("contracts", [2, 4])
    play(game, "money", "money", "contracts")
    game.step(f"take_from player_{seat}", [contract])
    return game


def test_rule_11_2__it_knows_until_another_seat_takes_from_that_hand() -> None:
    game = taken_twice(0, 0)
    assert (game.hand(0), set(game.hand(2)) >= {0, 6}) == ([2, 4], True)
    assert knowledge(game)[1] & {2, 4} == set()  # either may have moved on, as far as player_1 can tell
    assert 0 in knowledge(game)[0]


def test_rule_11_2__another_hand_is_not_affected() -> None:
    game = taken_twice(1, 1)  # then player_0 alone has the most: the second comes from there
    assert len(game.hand(2)) == 3
    assert knowledge(game)[:2] == [set(game.hand(2)) - {1, 6}, {1}]


def test_rule_11_2__a_hand_that_is_left_alone_stays_known() -> None:
    game = emptied([[0], [1, 2, 3, 4, 5], [], [6, 7, 8, 9, 10, 11]], actions_left=1)
    game.step("contracts", [6])  # from player_3, who then has as many as player_1
    game.step("take_from player_3", [7])
    play(game, "money", "money", "contracts", "take_from player_1")  # player_2 takes two from player_1
    assert [len(game.hand(seat)) for seat in range(4)] == [3, 3, 2, 4]
    assert knowledge(game)[3] == {6, 7}


def test_rule_11_2__taking_back_from_the_hand_leaves_the_rest_known() -> None:
    game = three([[0, 1], [2, 3], [4]], fulfilled=[[5], [], []], deck=[], actions_left=1)
    game.step("contracts")
    game.step("take_from player_1", [3])  # player_0 has 0 1 3, the most
    game.step("contracts", [0])  # player_1 takes one back, another one
    assert game.phase == "take_from"
    assert knowledge(game) == [{0}, {3}, set()]
    game.step("take_from player_0", [3])
    assert knowledge(game) == [{0, 3}, set(), set()]


def test_rule_11_2__a_contract_that_comes_back_is_no_longer_in_anothers_hand() -> None:
    game = emptied([[], [0, 1, 2], [4], [3]], actions_left=1)
    game.step("contracts", [1, 2])
    assert knowledge(game)[1] == {1, 2}
    game.step("contracts", [1])  # from player_0, who has two; then player_1 has the most
    assert [game.hand(seat) for seat in range(4)] == [[2], [0, 1], [4], [3]]
    assert knowledge(game)[:2] == [{1}, {2}]
    assert game.view(1).record.place[1] == PLACE_HAND + 1


def test_rule_11_2__a_known_contract_that_is_fulfilled_is_seen_as_such() -> None:
    game = position(links="0 Ames Dyson", contracts="W / B / O", hands=[[], [0, 1], [2]], deck=[], money=[9, 0, 0])
    game.step("contracts", [0])
    play(game, "take_from player_2", "fulfil 0")
    for seat in range(3):
        assert game.view(seat).record.place[0] == PLACE_FULFILLED
    assert not game.record.known[0]


def test_rule_11_2__scenarios_may_say_what_is_known() -> None:
    assert knowledge(three(known=[[1], [], [0, 2]])) == [{1}, set(), {0, 2}]


def test_rule_11_2__draws_from_the_deck_are_not_known_to_others() -> None:
    game = three([[0], [1], [2]], deck=[3, 4, 5])
    game.step("contracts")
    assert knowledge(game) == [set()] * 3


# --- 11.3 what is hidden -----------------------------------------------------------------------------


def test_rule_11_3__a_view_blanks_other_hands_and_the_deck() -> None:
    game = dealt()
    for seat in range(3):
        record = game.view(seat).record
        for contract in range(16):
            own = contract in game.hand(seat)
            assert record.place[contract] == (PLACE_HAND + seat if own else PLACE_UNKNOWN)
        assert (record.deck_order == -1).all()
        assert not record.rng.any()
        assert record.deck_size == game.deck_size > 0


def test_rule_11_3__what_another_seat_knows_of_a_third_hand_is_hidden() -> None:
    """Seats 0 and 2 may know contract 1 in the hand of seat 1; neither knows that of the other."""
    known = ([], [], []), ([1], [], []), ([1], [], [1])
    nobody, first, both = (three([[0], [1], [2]], deck=[3, 4, 5], known=each) for each in known)
    assert look_equal(nobody, first)[::2] == [False, True]
    assert look_equal(first, both)[::2] == [True, False]


def test_rule_11_3__the_order_of_the_trains_in_the_bag_is_hidden() -> None:
    game = Game(Rules(mode="solo", map="mini", contracts="mini"), seed=1)
    scenario = game.to_scenario()
    trains = scenario["solo"]["trains"]
    scenario["solo"]["trains"] = trains[::-1]
    turned = Game.from_scenario(scenario)
    assert turned.record.bag.tolist() != game.record.bag.tolist()
    assert (turned.view(0).record == game.view(0).record).all()
    assert sorted(game.view(0).record.bag[: len(trains)].tolist()) == sorted(trains)


def test_rule_11_3__a_view_is_a_copy() -> None:
    game = dealt()
    before = game.records.copy()
    game.view(0).records["money"] += 1
    assert game.records.tobytes() == before.tobytes()


def test_rule_11_3__a_draw_is_hidden_from_the_others() -> None:
    game = three([[0], [1], [2]], deck=[3, 4, 5])
    game.step("contracts")
    drawn = [{"contract": 3}, {"contract": 4}]
    assert [event.values for event in game.events] == drawn
    assert [event.values for event in game.events_for(0)] == drawn
    assert [event.values for event in game.events_for(1)] == [{"contract": HIDDEN}] * 2
    assert game.log_for(0) == game.log
    assert "contract 3" in game.log[0]
    assert game.log_for(1) == game.log_for(2) == ["player_0 draws a contract"] * 2


# --- 11.4 redeals ------------------------------------------------------------------------------------


def test_rule_11_4__a_redeal_is_a_function_of_its_seed_and_leaves_the_game_alone() -> None:
    game = dealt()
    before = game.save()
    assert game.redeal(0, 5).records.tobytes() == game.redeal(0, 5).records.tobytes()
    assert game.redeal(0, 5).records.tobytes() != game.redeal(0, 6).records.tobytes()
    assert game.save() == before


def test_rule_11_4__chance_after_a_redeal_is_not_that_of_the_game() -> None:
    everything = [0, 1, 2, 3, 4]
    game = position(seats=2, contracts="W / B / O / G / WW", hands=[[], everything], known=[everything, []], deck=[])
    outcomes = set()
    for seed in range(60):
        redealt = game.redeal(0, seed)
        assert redealt.hand(1) == everything
        redealt.step("contracts")
        outcomes.add(tuple(redealt.hand(0)))
    assert len(outcomes) == 10


# Seat 0 knows neither the two contracts of seat 1, nor that of seat 2, nor the two of the deck.
REDEALT: dict[str, tuple[dict[str, Any], int]] = {
    "all layouts": ({}, 60),  # 5! / 2!
    "a known contract stays": ({"known": [[1], [], []]}, 24),
    "what others know is redealt with their hands": ({"known": [[], [3], []]}, 60),  # seat 1 lost 3 to seat 2
    "contracts stay in the generation they were drawn from": ({"generation": [0, 0, 0, 0, 1, 1]}, 3 * 2),
}


@pytest.mark.parametrize(("entries", "worlds"), REDEALT.values(), ids=REDEALT)
def test_rule_11_4__a_redeal_is_uniform_over_all_layouts(entries: dict[str, Any], worlds: int) -> None:
    game = three(**entries)
    assert count_worlds(game, 0) == worlds
    compare_with_worlds(game, 0, SAMPLES)


def test_rule_11_4__a_redeal_has_new_random_streams() -> None:
    game = emptied()
    for stream in range(len(game.record.rng)):  # chance in play, too
        streams = {game.redeal(0, seed).record.rng[stream].tobytes() for seed in range(50)}
        assert len(streams - {game.record.rng[stream].tobytes()}) == 50
