"""Section 3 of the rules: turn, round, the end of the game, the score."""

from itertools import product
from typing import Any

import pytest

from steam_env import Game
from tests.rules.boards import LADDER, PLAIN_CARD, RUNGS, can, cannot, play, position


def card(vp: int = 1, **entries: Any) -> dict[str, Any]:
    """A contract for one white resource, which costs $5 where there is none."""
    return {**PLAIN_CARD, "money": 5, "vp": vp, **entries}


def ladder(seats: int = 2, **entries: Any) -> Game:
    return position(LADDER, *RUNGS[:seats], seats=seats, **entries)


def where(game: Game) -> tuple[int, int]:
    return game.seat, game.actions_left


def state_of(game: Game) -> tuple[bool, bool, int]:
    return game.done, game.truncated, game.round


# --- 3.1 ----------------------------------------------------------------------------------------------
TWO_ACTIONS = {
    "lay track": ("start Ames SE, head SE, done", "start Fargo NE, head NE, done"),
    "build factory": ("build Ames", "build Fargo"),
    "fulfil contract": ("fulfil 0", "fulfil 1"),
    "take contracts": ("contracts", "contracts"),
    "take $3": ("money", "money"),
}
TWICE = [pair for pair in product(TWO_ACTIONS, repeat=2) if pair != ("lay track", "lay track")]  # that is the next test


@pytest.mark.parametrize(("first", "second"), TWICE)
def test_rule_3_1__a_turn_is_two_actions_of_any_kind_the_same_twice_too(first: str, second: str) -> None:
    # A contract for black is bought for $5; white would come from the factories.
    game = ladder(contracts=[card(needs="B")] * 20, hands=[[0, 1], []], money=10)
    assert where(game) == (0, 2)
    assert where(play(game, TWO_ACTIONS[first][0])) == (0, 1)
    assert where(play(game, TWO_ACTIONS[second][1])) == (1, 2)


def test_rule_3_1__track_may_be_laid_twice_and_counts_once_for_two_placements() -> None:
    game = play(ladder(), "start Ames SE, head SE")
    assert where(game) == (0, 2)  # the second placement is still to come
    assert where(play(game, "head NE")) == (0, 1)
    assert where(play(game, "replace SE, done")) == (1, 2)


def test_rule_3_1__three_dollars_from_the_bank_and_nothing_for_the_others() -> None:
    game = ladder(seats=3, money=[0, 7, 5], hands=[[0], [1], [2]])
    assert play(game, "money").money == [3, 7, 5]
    assert play(game, "contracts").seat == 1
    assert (game.money, [len(game.hand(seat)) for seat in range(3)]) == ([3, 7, 5], [3, 1, 1])


@pytest.mark.parametrize("actions_left", [2, 1])
def test_rule_3_1__no_action_may_be_skipped(actions_left: int) -> None:
    cannot(ladder(turn={"actions_left": actions_left}), "done", "3.1")


def test_rule_3_1__taking_three_dollars_is_always_possible() -> None:
    blocked = """
        A ~
         ~
        B ~
    """
    assert position(blocked, contracts=1, hands=[[0], []], money=0).legal_text() == ["money"]
    assert play(ladder(money=1_000_000), "money").money[0] == 1_000_003  # the bank has no end (rule 4.10)
    can(position(LADDER, "0: Ames A3 > SE"), "money")  # nor does an incomplete link forbid it


def test_rule_3_1__each_action_is_taken_to_its_end() -> None:
    game = play(ladder(), "start Ames SE")
    cannot(game, "money, contracts, done, build Ames, start Ames SE", "3.1")
    cannot(play(game, "head SE"), "money, contracts, build Ames", "3.1")


def test_rule_3_1__the_bonus_of_a_contract_is_no_action() -> None:
    game = play(ladder(contracts=[card(bonus="contracts")] * 20, hands=[[0], []]), "fulfil 0")
    assert (*where(game), game.phase) == (0, 2, "bonus")
    assert (*where(play(game, "contracts")), game.phase) == (0, 1, "action")
    assert play(game, "contracts").seat == 1


# --- 3.2 ----------------------------------------------------------------------------------------------
def before_the_trigger(seats: int, hero: int, first: int, trigger: int = 3, **rules: Any) -> Game:
    """A round begins with `first`; seat `hero` has one contract to go to the trigger, and holds it."""
    return ladder(
        seats,
        contracts=[card() for _ in range(trigger + 10)],
        fulfilled=[list(range(1, trigger)) if seat == hero else [] for seat in range(seats)],
        hands=[[0] if seat == hero else [] for seat in range(seats)],
        turn={"seat": first, "first_player": first, "round": 4},
        rules={"contracts_to_end": 3, **rules},
    )


def turns_to_the_end(game: Game, limit: int = 12) -> list[int]:
    """Every seat fulfils what it has in hand, then takes money: who had a turn until the game was over."""
    turns: list[int] = []
    while not game.done and len(turns) < limit:
        mover = game.seat
        turns.append(mover)
        for _ in range(2):
            assert game.seat == mover
            held = game.hand(mover)
            play(game, f"fulfil {held[0]}" if held else "money")
    return turns


def seats_from(first: int, seats: int) -> list[int]:
    return [(first + turn) % seats for turn in range(seats)]


@pytest.mark.parametrize(("seats", "trigger"), [(2, 14), (3, 11), (4, 9), (5, 8)])
def test_rule_3_2__the_end_is_triggered_by_14_11_9_or_8_contracts(seats: int, trigger: int) -> None:
    game = before_the_trigger(seats, 0, 0, trigger, contracts_to_end=None)
    assert turns_to_the_end(game) == seats_from(0, seats)
    assert game.done
    one_less = before_the_trigger(seats, 0, 0, trigger - 1, contracts_to_end=None)
    assert len(turns_to_the_end(one_less)) == 12
    assert not one_less.done


TRIOS = [(seats, hero, first) for seats in (2, 3, 4, 5) for hero in range(seats) for first in range(seats)]


@pytest.mark.parametrize(("seats", "hero", "first"), TRIOS)
def test_rule_3_2__the_round_is_finished_so_that_all_have_had_as_many_turns(seats: int, hero: int, first: int) -> None:
    for limit in (4, 5):  # the end in the last round is no truncation
        game = before_the_trigger(seats, hero, first, max_rounds=limit)
        assert turns_to_the_end(game) == seats_from(first, seats)
        assert state_of(game) == (True, False, 4)
        assert game.fulfilled(hero) == [0, 1, 2]


def test_rule_3_2__contracts_of_several_seats_do_not_add_up_and_more_than_needed_end_it_too() -> None:
    game = ladder(fulfilled=[[0, 1], [2, 3]], rules={"contracts_to_end": 3})
    assert len(turns_to_the_end(game)) == 12
    more = play(ladder(fulfilled=[[0, 1, 2, 3], []], turn={"seat": 1}, rules={"contracts_to_end": 3}), "money")
    assert not more.done
    assert play(more, "money").done


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_3_2__at_the_round_limit_the_round_is_finished_too(seats: int) -> None:
    for first in range(seats):
        turn = {"seat": first, "first_player": first, "round": 6}
        game = ladder(seats, turn=turn, rules={"max_rounds": 7})
        assert state_of(game) == (False, False, 6)
        assert turns_to_the_end(game) == seats_from(first, seats) * 2
        assert state_of(game) == (True, True, 7)
        assert [score["money"] for score in game.scores()] == [17 // 5] * seats  # scored as it stands


# --- 3.3 ----------------------------------------------------------------------------------------------
ZERO = {"total": 0, "contracts": 0, "factories": 0, "cities": 0, "money": 0}


def score_of(game: Game, seat: int, **parts: int) -> None:
    """The seat's score has these parts, the others are 0, and the total is their sum."""
    assert game.scores()[seat] == {**ZERO, **parts, "total": sum(parts.values())}


@pytest.mark.parametrize(("money", "points"), [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (38, 7)])
def test_rule_3_3__a_point_for_every_five_dollars(money: int, points: int) -> None:
    game = ladder(money=[money, 0])
    score_of(game, 0, money=points)
    score_of(game, 1)


def test_rule_3_3__points_of_fulfilled_contracts_but_not_of_those_in_hand() -> None:
    contracts = [card(vp) for vp in (2, 3, 5, 7, 11, 13)]
    game = ladder(money=0, contracts=contracts, fulfilled=[[1, 3], [4]], hands=[[0], [2]])
    score_of(game, 0, contracts=10)
    score_of(game, 1, contracts=11)


@pytest.mark.parametrize(("off_map", "points"), [("", 2), ("W", 3), ("WWW", 5), ("BOGP", 2), ("WWBBOOGGPP", 4)])
def test_rule_3_3__two_for_a_factory_on_a_flipped_tile_and_one_for_each_off_map_tile(off_map: str, points: int) -> None:
    game = ladder(money=0, off_map=off_map, factories=["0: Galena 0", "1: Boone 1"])
    score_of(game, 0, factories=points)  # wherever it stands
    score_of(game, 1)  # resources are left on its tile


def test_rule_3_3__every_colour_counts_its_own_off_map_tiles() -> None:
    colors = {"Ames": "W", "Boone": "B", "Clinton": "O", "Dyson": "G", "Elgin": "O"}
    flipped = ["0: Ames 0", "1: Boone 0", "2: Clinton 0", "3: Dyson 0", "0: Elgin 0"]
    game = ladder(5, money=0, colors=colors, factories=flipped, off_map="BOOGGGPPPPP")
    for seat, points in enumerate((2 + (2 + 2), 2 + 1, 2 + 2, 2 + 3, 0)):
        score_of(game, seat, factories=points)


# Peoria amid six cities, each a single hex away.
HUB = """
    . . A . .
     . . . .
    . F . B .
     . . . .
    . . P . .
     . . . .
    . E . C .
     . . . .
    . . D . .
"""
RIM = ("Ames", "Boone", "Clinton", "Dyson", "Elgin", "Fargo")


def hub(*owners: int, seats: int = 5, **entries: Any) -> Game:
    """Peoria with a link of each of these owners."""
    paths = [f"{owner}: Peoria {city}" for owner, city in zip(owners, RIM, strict=False)]
    return position(HUB, *paths, seats=seats, **{"money": 0, "colors": {"Peoria": "P"}, **entries})


@pytest.mark.parametrize("off_map", ["", "P", "PPP", "PPPP", "WBOG"])
@pytest.mark.parametrize("sharers", [1, 2, 3, 4, 5])
def test_rule_3_3__a_purple_city_is_shared_and_rounded_down(sharers: int, off_map: str) -> None:
    game = hub(*range(sharers), off_map=off_map)
    points = (4 + off_map.count("P")) // sharers
    for seat in range(5):
        score_of(game, seat, cities=points if seat < sharers else 0)
    if not off_map:
        assert points == (4, 2, 1, 1, 0)[sharers - 1]  # the numbers of the rulebook


def test_rule_3_3__only_seats_connected_to_the_city_share_it_however_many_links_they_have() -> None:
    assert [score["cities"] for score in hub(3, 1).scores()] == [0, 2, 0, 2, 0]
    assert [score["cities"] for score in hub(0, 0, 0, 1).scores()] == [2, 2, 0, 0, 0]
    incomplete = ("1: Peoria F4 > N", "2: Dyson E7 > NE")
    game = position(HUB, "0: Ames Peoria", *incomplete, seats=3, money=0, colors={"Peoria": "P"})
    assert [score["cities"] for score in game.scores()] == [4, 0, 0]


def test_rule_3_3__a_purple_city_belongs_to_all_linked_to_its_group_and_each_counts() -> None:
    # Ames, Fargo and Boone are a group; Clinton lies below, Dyson beyond.
    board = """
        A B D
         F .
        . . .
         . .
        C . .
    """
    colors = {"Fargo": "P", "Boone": "P"}
    score_of(position(board, "0: Ames A3 Clinton", money=0, colors=colors), 0, cities=8)  # linked to Ames only
    two = position(board, "0: Ames A3 Clinton", "1: Boone D2 Dyson", money=0, colors=colors, off_map="P")
    for seat in range(2):
        score_of(two, seat, cities=2 + 2)  # five for each city are shared city by city


def test_rule_3_3__only_purple_cities_are_worth_points() -> None:
    for color in "WBOG":
        score_of(hub(0, colors={"Peoria": color}, off_map="WWBBOOGG"), 0)


def test_rule_3_3__all_parts_add_up() -> None:
    piles: dict[str, Any] = {"contracts": [card(6), card(4), card(1)], "fulfilled": [[0], [1, 2]], "money": [11, 4]}
    game = hub(0, 1, seats=2, factories=["0: Ames 0", "1: Boone 2"], off_map="WP", **piles)
    score_of(game, 0, money=2, contracts=6, factories=3, cities=2)
    score_of(game, 1, money=0, contracts=5, factories=0, cities=2)
    assert game.winners() == [0]


@pytest.mark.parametrize(
    ("points", "contracts", "winners"),
    [
        ([7, 9, 8], [5, 2, 3], [1]),  # points come first
        ([9, 9, 8], [2, 3, 5], [1]),  # contracts break the tie, but only among the tied
        ([9, 9, 8], [3, 3, 5], [0, 1]),
        ([6, 6, 6, 6], [2, 4, 1, 4], [1, 3]),
        ([4, 4, 4, 4, 4], [1, 1, 1, 1, 1], [0, 1, 2, 3, 4]),
    ],
)
def test_rule_3_3__most_points_win_then_most_contracts_then_all_share(
    points: list[int], contracts: list[int], winners: list[int]
) -> None:
    # One contract carries all the points, so that the points are not the money that breaks no tie.
    cards: list[dict[str, Any]] = []
    fulfilled: list[list[int]] = []
    for total, count in zip(points, contracts, strict=True):
        fulfilled.append(list(range(len(cards), len(cards) + count)))
        cards += [card(total), *[card(0)] * (count - 1)]
    game = ladder(len(points), money=0, contracts=[*cards, card()], fulfilled=fulfilled)
    assert [score["total"] for score in game.scores()] == points
    assert game.winners() == winners


def test_rule_3_3__money_left_over_breaks_no_tie() -> None:
    assert ladder(money=[9, 5]).winners() == [0, 1]
