"""Section 9 of the rules: the basic solo game, one player with five companies."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.core.steam_power.state import PLACE_ASIDE, PLACE_UNKNOWN
from steam_env.kit.errors import IllegalActionError, ScenarioError
from tests.rules.boards import (
    STEPS,
    can,
    cannot,
    choices,
    cities_of,
    cities_to_start,
    connected,
    draw,
    links,
    map_of,
    play,
    quilt,
    read_factory,
    read_link,
)

TRANSCRIPT = Path(__file__).parent.parent / "transcripts" / "solo.json"
COMPANIES = range(5)
ORDER = (3, 1, 1, 4, 0, 2, 2, 0, 4, 3)  # of the trains in a bag

# Five links side by side, one for each company: Ames to Fargo, Boone to Galena, and so on.
LADDER = """
    A B C D E
     . . . .
    . . . . .
     . . . .
    F G H I J
     . . . .
    . . . . .
"""
RUNGS = (
    "0: Ames A3 Fargo",
    "1: Boone C3 Galena",
    "2: Clinton E3 Hibbing",
    "3: Dyson G3 Ironton",
    "4: Elgin I3 Joliet",
)

SLOPES = LADDER.replace(". . . . .", "h m . . .", 1)  # hills below Ames, mountains below Boone

# Four cities one below the other; between Boone and Clinton there is room for a second link.
CHAIN = """
    A

    .

    B
     .
    .
     .
    C

    .

    D
"""
CHAIN_LINKS = (
    "0: Ames A3 Boone",
    "1: Boone A7 Clinton",
    "2: Boone B6 B8 Clinton",
    "3: Clinton A11 Dyson",
)


def card(needs: str = "W", money: int = 0, vp: int = 1, bonus: str = "none") -> dict[str, Any]:
    return {"needs": needs, "money": money, "vp": vp, "bonus": bonus, "automa": "track"}


def table(
    board: str | dict[tuple[int, int], str] = LADDER,
    *paths: str,
    active: int = 0,
    trains: Sequence[int] | None = (1, 2, 3, 4),
    set_aside: int = 0,
    money: int = 5,
    colors: Mapping[str, str] | None = None,
    off_map: str = "",
    factories: Sequence[str] = (),
    contracts: Sequence[Mapping[str, Any]] | int = 20,
    hand: Sequence[int] = (),
    fulfilled: Sequence[int] = (),
    deck: Sequence[int] | None = None,
    round_number: int = 1,
    **rules: Any,
) -> dict[str, Any]:
    """A solo scenario: company ``active`` has its action, then the companies of ``trains``; cities are white."""
    cells = draw(board) if isinstance(board, str) else board
    aside = {} if trains is None else {"trains": list(trains)}
    return {
        "rules": {"mode": "solo", **rules},
        "map": map_of(cells),
        "cities": "".join((colors or {}).get(name, "W") for name in cities_of(cells)),
        "off_map": off_map,
        "contracts": [card()] * contracts if isinstance(contracts, int) else list(contracts),
        "links": [read_link(path) for path in paths],
        "factories": [read_factory(text) for text in factories],
        "seats": {"money": [money], "hands": [list(hand)], "fulfilled": [list(fulfilled)]},
        "turn": {"seat": active, "round": round_number},
        "deck": {} if deck is None else {"order": list(deck)},
        "solo": {**aside, "set_aside": set_aside},
    }


def solo(*arguments: Any, seed: int = 0, **entries: Any) -> Game:
    return Game.from_scenario(table(*arguments, **entries), seed=seed)


def dealt(seed: int = 1, **rules: Any) -> Game:
    return Game(Rules(mode="solo", map="mini", contracts="mini", **rules), seed=seed)


def play_round(game: Game) -> list[int]:
    """Take money to the end of the round; the companies that acted."""
    number, acted = game.round, []
    while not game.done and game.round == number:
        acted.append(game.seat)
        game.step("money")
    return acted


def bag(game: Game) -> list[int]:
    """The trains in the bag, next draw first."""
    return [int(company) for company in game.record.bag[: game.record.bag_size][::-1]]


def aside(game: Game) -> list[int]:
    """The contracts set aside."""
    return [int(contract) for contract in np.flatnonzero(game.record.place == PLACE_ASIDE)]


# --- 9.1 set-up -----------------------------------------------------------------------------------------
def test_rule_9_1__five_companies_with_19_trains_to_lay_and_15_factories_each() -> None:
    game = Game(Rules(mode="solo"), seed=3)
    assert game.seats == 5
    assert game.trains == [19] * 5
    assert game.factories_left == [15] * 5


def test_rule_9_1__two_trains_of_each_company_are_in_the_bag() -> None:
    for seed in range(20):
        game = dealt(seed)
        assert sorted([game.seat, *bag(game)]) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_rule_9_1__one_purse_of_5_dollars() -> None:
    game = Game(Rules(mode="solo"), seed=3)
    assert game.money == [5]
    assert not game.record.money[1:].any()


def test_rule_9_1__one_hand_of_5_contracts_the_rest_is_the_deck() -> None:
    game = Game(Rules(mode="solo"), seed=3)
    assert len(game.hand(0)) == 5
    assert game.deck_size == 43
    assert aside(game) == []
    for seat in COMPANIES:
        assert game.hand(seat) == game.hand(0)
        assert game.fulfilled(seat) == []


def test_rule_9_1__all_else_is_set_up_as_for_several_players() -> None:
    game = Game(Rules(mode="solo"), seed=3)
    colors = Counter(game.city(name)["color"] for name in game.setting.map.cities)
    for color, count in game.off_map.items():
        assert colors[color] + count == (5 if color == "purple" else 7)
    assert game.record.stock.tolist() == [30] * 4
    assert game.record.tiles.tolist() == [80, 10, 10]
    assert (game.round, game.phase, game.actions_left, game.done) == (1, "action", 1, False)
    assert (game.record.corners == -1).all()


def test_rule_9_1__the_deal_is_a_function_of_the_seed() -> None:
    assert dealt(4).records.tobytes() == dealt(4).records.tobytes()
    assert len({(game.seat, *bag(game), *game.hand(0)) for game in map(dealt, range(20))}) == 20


def test_rule_9_1__a_given_deal_says_the_order_of_the_trains() -> None:
    values = {**dealt(4).events[0].values, "trains": list(ORDER)}
    game = Game(Rules(mode="solo", map="mini", contracts="mini"), seed=0, deal=values)
    assert [game.seat, *bag(game)] == list(ORDER)
    for trains in (ORDER[:9], (*ORDER, 0), (0,) * 10, (*ORDER[:9], 5)):
        with pytest.raises(ValueError, match="trains"):
            Game(Rules(mode="solo", map="mini", contracts="mini"), seed=0, deal={**values, "trains": list(trains)})


def test_rule_9_1__five_contracts_are_enough_for_a_deal_and_four_are_not(tmp_path: Path) -> None:
    entry = 'needs = "W"\nmoney = 0\nvp = 1\nbonus = "none"\nautoma = "track"\n'
    for count in (4, 5):
        path = tmp_path / f"{count}.toml"
        path.write_text('name = "small"\n' + f"[[contracts]]\n{entry}" * count, encoding="utf-8")
        rules = Rules(mode="solo", map="mini", contracts=str(path))
        if count == 4:
            with pytest.raises(ValueError, match="at least 5"):
                Game(rules, seed=0)
        else:
            game = Game(rules, seed=0)
            assert (len(game.hand(0)), game.deck_size) == (5, 0)


def test_rule_9_1__the_20th_link_of_a_company_finds_no_train() -> None:
    cells, paths = quilt(0)
    entries: dict[str, Any] = {"active": 0, "trains": [1], "money": 50}
    game = solo(dict(cells), *paths[:19], **entries)
    assert game.trains == [0, 19, 19, 19, 19]
    assert cities_to_start(game) == set()
    action = next(text for text in all_starts(game) if game.explain(text))
    cannot(game, action, "4.3")
    play(game, "money")
    assert cities_to_start(game)  # company 1 has trains
    with pytest.raises(ScenarioError, match="train"):
        solo(dict(cells), *paths[:20], **entries)


def all_starts(game: Game) -> list[str]:
    return [game.text(action) for action in range(372) if game.text(action).startswith("start ")]


def test_rule_9_1__a_factory_brings_5_resources() -> None:
    game = solo(LADDER, *RUNGS)
    play(game, "build Ames")
    assert (game.city("Ames")["resources"], game.city("Ames")["owner"]) == (5, 0)
    assert game.record.stock[0] == 25


@pytest.mark.parametrize("amount", [4, 5, 6])
def test_rule_9_1__a_bonus_factory_brings_4_to_6(amount: int) -> None:
    game = solo(LADDER, *RUNGS, contracts=[card("B", bonus="factory")] * 3, hand=[0], money=5)
    play(game, "fulfil 0, build Ames")
    assert choices(game, "amount") == {"4", "5", "6"}
    play(game, f"amount {amount}")
    assert game.city("Ames")["resources"] == amount


# --- 9.2 rounds -----------------------------------------------------------------------------------------
def test_rule_9_2__ten_turns_of_one_action_in_the_order_of_the_bag() -> None:
    game = solo(active=ORDER[0], trains=ORDER[1:])
    for number, company in enumerate(ORDER):
        assert (game.seat, game.actions_left, game.round) == (company, 1, 1)
        assert bag(game) == list(ORDER[number + 1 :])
        game.step("money")
    assert game.round == 2


def test_rule_9_2__each_company_acts_twice_in_each_round() -> None:
    for seed in range(5):
        game = dealt(seed)
        for _ in range(8):
            assert sorted(play_round(game)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.parametrize(
    "actions",
    [
        "money",
        "contracts",
        "build Boone",
        "start Ames SE, head SE, head NE",
        "start Ames SE, head SE, done",
        "fulfil 0",
    ],
)
def test_rule_9_2__every_action_of_the_game_is_one_turn(actions: str) -> None:
    game = solo(LADDER, *RUNGS, contracts=[card("B")] * 20, hand=[0], trains=[2, 1])
    steps = actions.split(", ")
    for action in steps:
        assert (game.seat, game.actions_left) == (0, 1)
        play(game, action)
    assert (game.seat, game.actions_left) == (2, 1)


def test_rule_9_2__a_bonus_belongs_to_the_action() -> None:
    game = solo(LADDER, *RUNGS, contracts=[card("B", bonus="track")] * 20, hand=[0], trains=[2, 1], money=9)
    for action in ("fulfil 0", "start Ames SE", "head SE", "head NE"):
        assert game.seat == 0
        play(game, action)
    assert game.seat == 2


def test_rule_9_2__at_the_end_of_a_round_the_decks_next_contract_is_put_aside() -> None:
    game = solo(trains=[1], contracts=6, hand=[0], deck=[4, 2, 5, 1, 3])
    play(game, "money")
    assert aside(game) == []
    play(game, "money")
    assert (game.round, aside(game), game.deck_size) == (2, [4], 4)
    assert game.hand(0) == [0]
    assert [event.values for event in game.events if event.kind == "aside"] == [{"contract": 4}]


def test_rule_9_2__it_is_put_aside_after_the_last_action() -> None:
    game = solo(trains=[], contracts=6, hand=[0], deck=[4, 2, 5, 1, 3])
    play(game, "contracts")
    assert (game.hand(0), aside(game), game.deck_size) == ([0, 2, 4], [5], 2)


def test_rule_9_2__one_contract_a_round_is_put_aside() -> None:
    game = dealt(2)  # 16 contracts, 11 of them in the deck
    for number in range(1, 9):
        play_round(game)
        assert (len(aside(game)), game.deck_size) == (number, 11 - number)


def test_rule_9_2__a_deck_that_runs_out_changes_nothing() -> None:
    game = solo(active=ORDER[0], trains=ORDER[1:], contracts=5, hand=[0, 1], deck=[2, 3, 4])
    for number in range(1, 9):
        assert (game.round, game.done) == (number, False)
        assert len(play_round(game)) == 10
        assert (len(aside(game)), game.deck_size) == (min(number, 3), max(3 - number, 0))
    assert (game.done, game.truncated, game.hand(0)) == (True, False, [0, 1])


def test_rule_9_2__without_a_deck_from_the_start() -> None:
    game = solo(active=ORDER[0], trains=ORDER[1:], contracts=2, hand=[0, 1])
    while not game.done:
        play_round(game)
    assert (game.round, aside(game)) == (8, [])


def test_rule_9_2__contracts_set_aside_never_come_back() -> None:
    game = solo(active=0, trains=[], contracts=3, deck=[1, 2, 0])
    play(game, "money")
    assert aside(game) == [1]
    play(game, "contracts")
    assert game.hand(0) == [0, 2]
    while not game.done:
        assert "contracts" not in game.legal_text()
        play_round(game)
    assert aside(game) == [1]


def test_rule_9_2__the_bag_is_refilled_after_each_round() -> None:
    game = solo(active=0, trains=[])
    play(game, "money")
    assert (game.round, game.record.bag_size) == (2, 9)
    assert sorted([game.seat, *bag(game)]) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_rule_9_2__the_order_is_a_new_one_in_each_round_and_with_each_seed() -> None:
    game = dealt(5)
    assert len({tuple(play_round(game)) for _ in range(8)}) == 8
    start = table(active=0, trains=[])
    orders = set()
    for seed in range(20):
        game = play(Game.from_scenario(start, seed=seed), "money")
        orders.add(tuple(play_round(game)))
    assert len(orders) == 20


def test_rule_9_2__the_order_is_uniformly_random() -> None:
    drawn = np.zeros((2, 10, 5))  # by round, place in the order, company
    games = 600
    batch = GameBatch(Rules(mode="solo", map="mini", contracts="mini"), games, seed=0)
    for number in range(2):
        for place in range(10):
            np.add.at(drawn[number, place], batch.seats, 1)
            batch.step(np.zeros(games, np.int64))
    assert (drawn.sum(axis=1) == 2 * games).all()
    spread = (drawn - games / 5) / (games * 0.2 * 0.8) ** 0.5
    assert abs(spread).max() < 4.5


def test_rule_9_2__two_trains_of_a_company_follow_each_other_by_chance_alone() -> None:
    games = 600
    batch = GameBatch(Rules(mode="solo", map="mini", contracts="mini"), games, seed=10**6)
    turns = []
    for _ in range(10):
        turns.append(batch.seats.copy())
        batch.step(np.zeros(games, np.int64))
    same = sum(int((one == other).sum()) for one, other in pairwise(turns))
    assert abs(same - games) < 5 * games**0.5  # nine pairs of neighbours, each alike with chance 1/9


def test_rule_9_2__the_same_seed_draws_the_same_trains() -> None:
    game, again = dealt(6), dealt(6)
    twin = game.clone()
    orders = [[play_round(each) for _ in range(8)] for each in (game, again, twin)]
    assert orders[0] == orders[1] == orders[2]


def test_rule_9_2__given_outcomes_are_the_order_of_the_trains() -> None:
    game = solo(active=0, trains=[], contracts=9, deck=list(range(9)))
    game.step("money", outcomes=ORDER)
    assert [game.seat, *bag(game)] == list(ORDER)
    for company in ORDER[:9]:
        assert game.seat == company
        game.step("money")
    game.step("money", outcomes=ORDER[::-1])
    assert (game.round, aside(game)) == (3, [0, 1])
    assert play_round(game) == list(ORDER[::-1])


@pytest.mark.parametrize(
    "outcomes",
    [ORDER[:9], (*ORDER, 3), (*ORDER[:9], 5), (*ORDER[:9], -1), (0, 0, 0, 1, 1, 2, 2, 3, 3, 4), (3,)],
    ids=("nine", "eleven", "no company", "none", "three of one", "one"),
)
def test_rule_9_2__impossible_outcomes_are_refused_and_change_nothing(outcomes: tuple[int, ...]) -> None:
    game = solo(active=0, trains=[])
    before = game.save()
    with pytest.raises(ValueError, match="outcome"):
        game.step("money", outcomes=outcomes)
    assert game.save() == before
    game.step("money", outcomes=ORDER)


def test_rule_9_2__within_a_round_there_is_no_chance() -> None:
    game = solo(active=0, trains=[1])
    with pytest.raises(ValueError, match="too many"):
        game.step("money", outcomes=ORDER)


def test_rule_9_2__after_eight_rounds_the_game_ends() -> None:
    game = dealt(7)
    for number in range(1, 9):
        assert (game.round, game.done) == (number, False)
        assert len(play_round(game)) == 10
    assert (game.done, game.truncated) == (True, False)
    assert (game.round, game.seat, game.phase, game.legal()) == (8, -1, "over", [])
    assert game.num_steps == 80
    assert (len(aside(game)), game.record.bag_size) == (8, 0)
    assert game.events[-1].kind == "end"
    assert game.events[-1].values == {"truncated": 0}
    with pytest.raises(IllegalActionError):
        game.step("money")


@pytest.mark.parametrize("limit", [8, 9, 100])
def test_rule_9_2__a_round_limit_of_eight_or_more_does_not_truncate(limit: int) -> None:
    game = solo(active=0, trains=[], round_number=8, max_rounds=limit)
    play(game, "money")
    assert (game.done, game.truncated, game.round) == (True, False, 8)


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_rule_9_2__a_lower_round_limit_truncates(limit: int) -> None:
    game = dealt(8, max_rounds=limit)
    for _ in range(limit):
        assert not game.done
        play_round(game)
    assert (game.done, game.truncated, game.round) == (True, True, limit)
    assert len(aside(game)) == limit


def test_rule_9_2__contracts_fulfilled_never_end_it() -> None:
    entries: dict[str, Any] = {"contracts": [card("B")] * 48, "hand": [0], "fulfilled": range(1, 41), "money": 90}
    game = solo(LADDER, *RUNGS, trains=[], **entries)
    play(game, "fulfil 0")
    assert len(game.fulfilled(0)) == 41
    assert (game.done, game.round) == (False, 2)
    for _ in range(7):
        assert not game.done
        play_round(game)
    assert (game.done, game.truncated) == (True, False)


def test_rule_9_2__not_even_where_a_number_is_named() -> None:
    game = solo(LADDER, *RUNGS, trains=[], contracts=[card("B")] * 9, hand=[0], contracts_to_end=1)
    play(game, "fulfil 0")
    assert (game.done, game.round) == (False, 2)
    deck = {"name": "short", "contracts": [card("B")] * 9, "contracts_to_end": 1}
    game = Game.from_scenario({**table(LADDER, *RUNGS, trains=[], hand=[0], contracts=9), "contracts": deck}, seed=0)
    play(game, "fulfil 0")
    assert (game.done, game.round) == (False, 2)


# --- 9.3 the purse --------------------------------------------------------------------------------------
def test_rule_9_3__every_company_adds_to_the_one_purse() -> None:
    game = solo(active=3, trains=[0, 4], money=5)
    for money in (8, 11, 14):
        play(game, "money")
        assert game.money == [money]
    assert not game.record.money[1:].any()


def test_rule_9_3__the_purse_pays_for_track() -> None:
    game = solo(SLOPES, active=2, trains=[4], money=7)
    play(game, "start Ames S, head S, done")
    assert game.money == [5]
    play(game, "start Boone S, head S, done")
    assert game.money == [1]
    assert [game.links()[index]["owner"] for index in (0, 1)] == [2, 4]


def test_rule_9_3__what_the_purse_cannot_pay_is_illegal_for_every_company() -> None:
    game = solo(SLOPES, active=2, trains=[4, 4], money=0)
    for company in (2, 4):
        assert game.seat == company
        cannot(game, "start Boone S", "4.10")
        play(game, "money")
    assert game.money == [6]
    can(game, "start Boone S")


def chain(active: int, money: int = 5, owner: int = 1, needs: str = "W", **entries: Any) -> Game:
    """A factory of company ``owner`` in Clinton; company 4 has no track."""
    values: dict[str, Any] = {"contracts": [card(needs, **entries)] * 9, "hand": [0, 1], "trains": [4, 2]}
    return solo(CHAIN, *CHAIN_LINKS, active=active, money=money, factories=[f"{owner}: Clinton 3"], **values)


def test_rule_9_3__own_factories_and_links_are_free() -> None:
    game = chain(active=1, money=0)
    play(game, "fulfil 0, source Clinton")
    assert (game.money, game.fulfilled(1), game.seat) == ([0], [0], 4)


def test_rule_9_3__a_factory_of_another_company_costs_a_dollar_that_the_bank_gets() -> None:
    game = chain(active=3, money=1)
    play(game, "fulfil 0, source Clinton")
    assert (game.money, game.fulfilled(3)) == ([0], [0])
    assert not game.record.money[1:].any()
    cannot(chain(active=3, money=0), "fulfil 0", "6.4")


def test_rule_9_3__a_link_of_another_company_costs_a_dollar_that_the_bank_gets() -> None:
    game = chain(active=0, money=2)
    play(game, "fulfil 0, source Clinton")
    assert game.money == [1]
    play(game, "hop Boone")
    assert (game.money, game.fulfilled(0)) == ([0], [0])
    assert not game.record.money[1:].any()
    cannot(chain(active=0, money=1), "fulfil 0", "6.4")


@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_9_3__nobody_is_paid_so_nobody_is_chosen_to_be_paid(routing: str) -> None:
    game = solo(
        *(CHAIN, *CHAIN_LINKS),
        factories=["1: Clinton 3"],
        contracts=[card("WW")] * 9,
        hand=[0],
        routing=routing,
    )
    play(game, "fulfil 0")
    for _ in range(2):  # companies 1 and 2 both have a link there
        assert game.phase == "source"
        play(game, "source Clinton")
        assert (game.phase, choices(game, "hop")) == ("hop", {"Boone"})
        play(game, "hop Boone")
    assert (game.fulfilled(0), game.money) == ([0], [1])


def test_rule_9_3__events_and_log_name_the_bank_as_the_payee() -> None:
    game = chain(active=0, money=2)
    play(game, "fulfil 0, source Clinton, hop Boone")
    paid = [
        (event.kind, event.values["paid_to"], event.values["cost"]) for event in game.events if "cost" in event.values
    ]
    assert paid == [("source", -1, 1), ("hop", -1, 1)]
    assert [line for line in game.log if "$1" in line and "bank" in line] == [
        "player_0 takes a resource from Clinton, $1 to the bank",
        "player_0 carries it from Clinton to Boone, $1 to the bank",
    ]


def test_rule_9_3__no_game_ever_asks_whom_to_pay_or_to_take_from() -> None:
    rng = np.random.default_rng(0)
    batch = GameBatch(Rules(mode="solo", map="mini", contracts="mini"), 40, seed=0)
    phases: set[str] = set()
    for _ in range(260):
        actions = batch.sample_legal(rng)
        batch.step(actions)
        phases |= {batch.game(index).phase for index in range(0, 40, 13)}
        assert not batch.mask[:, -8:].any()
        assert not batch.records["money"][:, 1:].any()
        assert not batch.records["hand_size"][:, 1:].any()
    assert batch.records["num_fulfilled"][:, 0].any()
    assert "hop" in phases or "source" in phases


def test_rule_9_3__what_the_map_lacks_is_bought_from_the_bank() -> None:
    game = chain(active=2, money=6, needs="O")
    play(game, "fulfil 0")
    assert game.money == [1]
    cannot(chain(active=2, money=4, needs="O"), "fulfil 0", "6.4")


def test_rule_9_3__a_contract_pays_into_the_purse() -> None:
    entries: dict[str, Any] = {"contracts": [card(money=7)] * 9, "hand": [0], "money": 2}
    game = solo(CHAIN, *CHAIN_LINKS, active=1, factories=["1: Clinton 3"], **entries)
    play(game, "fulfil 0, source Clinton")
    assert game.money == [9]


@pytest.mark.parametrize("company", [0, 1, 2, 3])
def test_rule_9_3__any_company_may_fulfil_any_contract_in_hand(company: int) -> None:
    game = chain(active=company)
    assert choices(game, "fulfil") == {"0", "1"}
    play(game, "fulfil 1, source Clinton")
    if company == 0:
        play(game, "hop Boone")
    for seat in COMPANIES:
        assert (game.fulfilled(seat), game.hand(seat)) == ([1], [0])
    assert (game.record.num_fulfilled[0], game.record.hand_size[0]) == (1, 1)
    assert not game.record.num_fulfilled[1:].any()


def test_rule_9_3__a_company_without_a_link_of_its_own_fulfils_nothing() -> None:
    cannot(chain(active=4), "fulfil 0, fulfil 1", "6.1")


def test_rule_9_3__resources_go_to_the_own_network() -> None:
    game = solo(
        *(CHAIN, *CHAIN_LINKS), active=3, factories=["0: Ames 3"], contracts=[card()] * 9, hand=[0], trains=[1, 0]
    )
    play(game, "fulfil 0, source Ames")  # $1 for the factory
    assert choices(game, "hop") == {"Boone"}
    play(game, "hop Boone")
    assert (game.seat, game.phase, choices(game, "hop")) == (3, "hop", {"Clinton"})  # Boone is not of its network
    play(game, "hop Clinton")
    assert (game.money, game.seat) == ([2], 1)


def test_rule_9_3__resources_out_of_reach_of_the_own_network_are_bought() -> None:
    game = solo(LADDER, *RUNGS, active=1, factories=["0: Ames 3"], contracts=[card()] * 9, hand=[0], trains=[0])
    play(game, "fulfil 0")  # the white ones in Ames reach only company 0
    assert (game.money, game.city("Ames")["resources"]) == ([0], 3)


def test_rule_9_3__a_bonus_of_track_is_laid_by_the_active_company() -> None:
    game = solo(LADDER, *RUNGS, active=2, contracts=[card("B", bonus="track")] * 9, hand=[0], trains=[0])
    play(game, "fulfil 0")
    assert (game.seat, game.phase, cities_to_start(game)) == (2, "bonus", {"Clinton", "Hibbing"})
    play(game, "start Clinton SE, head NE")
    assert links(game)[-1] == "2: Clinton F2 Dyson"
    assert game.trains == [18, 18, 17, 18, 18]


def test_rule_9_3__a_bonus_factory_belongs_to_the_active_company() -> None:
    game = solo(LADDER, *RUNGS, active=3, contracts=[card("B", bonus="factory")] * 9, hand=[0], trains=[0])
    play(game, "fulfil 0, build Ames, amount 5")
    assert game.city("Ames")["owner"] == 3
    assert game.factories_left == [15, 15, 15, 14, 15]


def test_rule_9_3__a_bonus_of_contracts_goes_to_the_one_hand() -> None:
    entries: dict[str, Any] = {"contracts": [card("B", bonus="contracts")] * 5, "hand": [0], "deck": [3, 1, 4, 2]}
    game = solo(LADDER, *RUNGS, active=4, trains=[0], **entries)
    play(game, "fulfil 0, contracts")
    assert [game.hand(seat) for seat in COMPANIES] == [[1, 3]] * 5
    assert game.seat == 0


def test_rule_9_3__a_bonus_may_be_declined() -> None:
    game = solo(LADDER, *RUNGS, active=3, contracts=[card("B", bonus="factory")] * 9, hand=[0], trains=[0])
    play(game, "fulfil 0, done")
    assert (game.seat, game.factories_left) == (0, [15] * 5)


def test_rule_9_3__track_starts_from_the_active_companys_own_network() -> None:
    game = solo(LADDER, *RUNGS, trains=[1, 2, 3, 4], active=0)
    own = [{"Ames", "Fargo"}, {"Boone", "Galena"}, {"Clinton", "Hibbing"}, {"Dyson", "Ironton"}, {"Elgin", "Joliet"}]
    for company in COMPANIES:
        assert game.seat == company
        assert cities_to_start(game) == own[company] == connected(game, company)
        play(game, "money")


def test_rule_9_3__a_company_without_track_starts_anywhere() -> None:
    game = solo(LADDER, *RUNGS[:4], active=4)
    assert len(cities_to_start(game)) == 10


def test_rule_9_3__each_company_has_its_own_incomplete_link() -> None:
    game = solo(LADDER, "0: Ames A3 > SE", "1: Boone C3 > SE", active=2, trains=[0, 1, 0])
    cannot(game, "remove, replace SW, head S, head SE", "4.1 or 4.2")
    assert len(cities_to_start(game)) > 2
    play(game, "money")
    assert cities_to_start(game) == set()  # company 0 has to go on with its link
    play(game, "head SE, done")
    assert links(game, 0) == ["0: Ames A3 B4 Galena"]
    assert cities_to_start(game) == set()
    play(game, "remove, done")
    assert links(game, 1) == []
    assert game.trains == [18, 19, 19, 19, 19]


def test_rule_9_3__trains_and_factories_are_those_of_the_active_company() -> None:
    game = solo(LADDER, *RUNGS, active=3, trains=[1])
    play(game, "start Dyson SE, head NE")
    assert game.trains == [18, 18, 18, 17, 18]
    assert game.seat == 3  # a second placement is possible
    play(game, "done")
    play(game, "build Ames")
    assert game.factories_left == [15, 14, 15, 15, 15]
    assert game.city("Ames")["owner"] == 1


def test_rule_9_3__a_company_without_factories_in_reserve_builds_none_another_does() -> None:
    cells, paths = quilt(0)
    names = cities_of(cells)
    game = solo(dict(cells), *paths[:19], factories=[f"0: {name} 0" for name in names[:15]], active=0, trains=[1])
    assert game.factories_left == [0, 15, 15, 15, 15]
    assert choices(game, "build") == set()
    cannot(game, f"build {names[15]}", "5.1")
    play(game, "money")
    can(game, f"build {names[15]}")


def test_rule_9_3__a_factory_may_be_built_where_another_companys_link_ends() -> None:
    game = solo(LADDER, RUNGS[0], active=4)
    assert choices(game, "build") == {"Ames", "Fargo"}


# --- 7 taking contracts -----------------------------------------------------------------------------------
def test_rule_9_3__contracts_are_taken_from_the_deck_into_the_one_hand() -> None:
    game = solo(contracts=6, hand=[0], deck=[4, 2, 5, 1, 3], active=3, trains=[1])
    play(game, "contracts")
    assert [game.hand(seat) for seat in COMPANIES] == [[0, 2, 4]] * 5
    assert (game.deck_size, game.seat) == (3, 1)


def test_rule_7_1__the_last_contract_of_the_deck_is_taken_alone() -> None:
    game = solo(contracts=3, hand=[0, 1], deck=[2], active=3, trains=[1])
    play(game, "contracts")
    assert (game.hand(0), game.deck_size, game.seat) == ([0, 1, 2], 0, 1)


@pytest.mark.parametrize("hand", [[], [0], [0, 1, 2]])
def test_rule_7_2__with_an_empty_deck_nothing_is_gained(hand: list[int]) -> None:
    rest = [contract for contract in range(3) if contract not in hand]
    game = solo(contracts=3, hand=hand, fulfilled=rest, active=3, trains=[1])
    cannot(game, "contracts", "7.2")


def test_rule_7_2__a_bonus_that_gains_nothing_is_no_decision() -> None:
    entries: dict[str, Any] = {"contracts": [card("B", bonus="contracts")] * 2, "hand": [0, 1]}
    game = solo(LADDER, *RUNGS, active=4, trains=[0], **entries)
    play(game, "fulfil 0")
    assert (game.seat, game.phase) == (0, "action")


# --- 9.4 the score ----------------------------------------------------------------------------------------
def score(*arguments: Any, **entries: Any) -> dict[str, int]:
    game = solo(*arguments, **{"money": 0, **entries})
    (result,) = game.scores()
    assert result["total"] == sum(value for name, value in result.items() if name != "total")
    return result


def test_rule_9_4__there_is_one_score_and_the_player_wins() -> None:
    game = solo()
    assert len(game.scores()) == 1
    assert set(game.scores()[0]) == {"total", "contracts", "factories", "cities", "money"}
    assert game.winners() == [0]
    while not game.done:
        play_round(game)
    assert game.winners() == [0]
    assert len(game.scores()) == 1


def test_rule_9_4__fulfilled_contracts_count_and_those_in_hand_do_not() -> None:
    cards = [card(vp=vp) for vp in (1, 2, 4, 8, 16)]
    assert score(contracts=cards, hand=[0], fulfilled=[1, 3], deck=[2], set_aside=1)["contracts"] == 10


@pytest.mark.parametrize("money", [0, 4, 5, 9, 10, 26])
def test_rule_9_4__each_5_dollars_count_one(money: int) -> None:
    assert score(money=money)["money"] == money // 5


def test_rule_9_4__the_flipped_cities_of_all_companies_count() -> None:
    flipped = ["0: Ames 0", "1: Boone 0", "4: Joliet 0", "2: Clinton 1", "3: Dyson 5"]
    assert score(LADDER, *RUNGS, factories=flipped)["factories"] == 6


def test_rule_9_4__each_with_the_tiles_of_its_colour_beside_the_map() -> None:
    colors = {"Ames": "W", "Boone": "B", "Clinton": "G"}
    flipped = ["0: Ames 0", "1: Boone 0", "2: Clinton 0"]
    result = score(LADDER, *RUNGS, colors=colors, factories=flipped, off_map="WWWBPPO")
    assert result["factories"] == (2 + 3) + (2 + 1) + 2


@pytest.mark.parametrize("companies", range(6))
def test_rule_9_4__a_purple_city_counts_one_for_each_company_linked_to_it(companies: int) -> None:
    cells = {(1, 1): ".", (4, 6): "Middle"}
    paths = []
    for company, (tile, step) in enumerate(zip(("D4", "E5", "E7", "D8", "C7"), list(STEPS.values())[:5], strict=True)):
        cells |= {(4 + step[0], 6 + step[1]): ".", (4 + 2 * step[0], 6 + 2 * step[1]): f"End{company}"}
        if company < companies:
            paths.append(f"{company}: End{company} {tile} Middle")
    assert score(cells, *paths, colors={"Middle": "P"}, off_map="PPP")["cities"] == companies


def test_rule_9_4__two_links_of_one_company_count_once() -> None:
    paths = ("0: Ames A3 Fargo", "0: Ames B2 C3 B4 Fargo")
    assert score(LADDER, *paths, colors={"Fargo": "P"})["cities"] == 1


def test_rule_9_4__each_purple_city_counts_for_itself() -> None:
    assert score(LADDER, *RUNGS, colors={"Ames": "P", "Fargo": "P", "Joliet": "P", "Boone": "P"})["cities"] == 4


GROUP = """
    A B
     C
    . .
     .
    D E
"""


def test_rule_9_4__a_link_to_any_city_of_its_group_counts() -> None:
    paths = ("0: Dyson A3 Ames", "1: Elgin C3 Boone", "2: Dyson B4 Clinton")
    assert score(GROUP, *paths, colors={"Clinton": "P"})["cities"] == 3
    assert score(GROUP, *paths, colors={"Clinton": "P", "Ames": "P"})["cities"] == 6


def test_rule_9_4__an_incomplete_link_does_not_count() -> None:
    assert score(LADDER, "0: Ames A3 > SE", colors={"Ames": "P"})["cities"] == 0


def test_rule_9_4__all_of_it_adds_up() -> None:
    game = solo(
        *(LADDER, *RUNGS),
        colors={"Joliet": "P"},
        factories=["0: Ames 0"],
        contracts=[card(vp=7)] * 3,
        fulfilled=[0, 2],
        off_map="W",
        money=11,
    )
    assert game.scores() == [{"total": 20, "contracts": 14, "factories": 3, "cities": 1, "money": 2}]


# --- what a game shows -------------------------------------------------------------------------------------
def test_solo_seat__is_the_active_company_through_all_its_decisions() -> None:
    game = dealt(9)
    rng = np.random.default_rng(9)
    company, order = game.seat, bag(game)
    while game.round == 1:
        assert game.seat == company
        game.step(int(rng.choice(game.legal())))
        if game.round == 1 and game.record.bag_size < len(order):
            company, order = order[0], order[1:]


def test_solo_texts__name_companies_as_players() -> None:
    game = solo(active=3, trains=[1])
    play(game, "money")
    assert game.log == ["player_3 takes $3", "player_1 is drawn: its action"]


def test_solo_log__hides_what_is_face_down_and_shows_the_hand() -> None:
    game = dealt(10)
    game.step("contracts")
    while game.round == 1:
        game.step("money")
    told = game.log
    for seat in COMPANIES:
        shown = game.log_for(seat)
        assert len(shown) == len(told)
        for line, full, event in zip(shown, told, game.events, strict=True):
            assert (line == full) == (event.kind not in ("aside",)) or event.kind in ("bag", "deal")
        assert not any("aside" in line and "VP" in line for line in shown)
        assert sum("draws contract" in line for line in shown) == 2


def test_solo_view__is_the_same_for_every_company_and_hides_the_table_face_down() -> None:
    game = dealt(11)
    play_round(game)
    views = {game.view(seat).records.tobytes() for seat in COMPANIES}
    assert len(views) == 1
    record = game.view(0).record
    assert record.place[aside(game)] == PLACE_UNKNOWN
    assert (record.deck_order == -1).all()
    assert list(record.bag[: record.bag_size]) == sorted(bag(game))
    assert not record.rng.any()
    assert (record.place == 1).sum() == 5


def test_solo_observation__is_that_of_the_active_company() -> None:
    game = solo(LADDER, *RUNGS[:2], active=0, trains=[1])
    assert game.observe(0).tobytes() != game.observe(2).tobytes()
    twin = solo(LADDER, "1: Ames A3 Fargo", "2: Boone C3 Galena", active=1, trains=[2])
    assert game.observe(0).tobytes() == twin.observe(1).tobytes()


# --- files ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(4))
def test_solo_scenarios__are_written_and_read_back(seed: int, tmp_path: Path) -> None:
    game = dealt(seed)
    rng = np.random.default_rng(seed)
    count = 0
    while not game.done:
        if game.phase == "action" and rng.random() < 0.3:
            path = tmp_path / f"{count}.toml"
            written = game.to_scenario(path)
            assert written["solo"] == {"trains": bag(game), "set_aside": len(aside(game))}
            assert written["seats"]["money"] == game.money
            assert written["seats"]["hands"] == [game.hand(0)]
            for source in (written, path):
                again = Game.from_scenario(source)
                assert again.records.tobytes() == game.records.tobytes()
            game = again
            count += 1
        game.step(int(rng.choice(game.legal())))
    assert count > 5


def test_solo_scenarios__without_a_turn_the_next_train_is_active() -> None:
    scenario = table(contracts=20)
    del scenario["turn"]
    game = Game.from_scenario({**scenario, "solo": {"trains": list(ORDER)}}, seed=0)
    assert [game.seat, *bag(game)] == list(ORDER)
    assert (game.actions_left, game.round) == (1, 1)


def test_solo_scenarios__without_a_turn_and_trains_the_bag_is_full_and_chance_draws() -> None:
    scenario = table(contracts=20)
    del scenario["turn"], scenario["solo"]
    first = Counter()
    for seed in range(60):
        game = Game.from_scenario(scenario, seed=seed)
        assert sorted([game.seat, *bag(game)]) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
        assert game.actions_left == 1
        first[game.seat] += 1
    assert set(first) == set(COMPANIES)


def test_solo_scenarios__what_is_left_out_is_as_set_up_gives_it() -> None:
    scenario = table(contracts=20, active=2, trains=None)
    del scenario["seats"], scenario["deck"]
    game = Game.from_scenario(scenario, seed=4)
    assert (game.money, len(game.hand(0)), game.deck_size) == ([5], 5, 15)
    assert sorted([2, *bag(game)]) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert len({tuple(bag(Game.from_scenario(scenario, seed=seed))) for seed in range(10)}) == 10


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"trains": [1, 1, 1]}, "solo.trains"),
        ({"trains": [0, 0]}, "solo.trains"),  # company 0 is active: a third train
        ({"trains": [5]}, r"solo.trains\[0\]"),
        ({"trains": [True]}, r"solo.trains\[0\]"),
        ({"set_aside": 9}, "solo.set_aside"),
        ({"set_aside": -1}, "solo.set_aside"),
        ({"set_aside": 3, "contracts": 2}, "solo.set_aside"),
        ({"active": 5}, "turn.seat"),
        ({"money": -1}, "seats.money"),
    ],
)
def test_solo_scenarios__refuse_what_could_not_exist(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        solo(**entries)


def test_solo_scenarios__have_one_purse_and_one_hand() -> None:
    for name, value in (("money", [5] * 5), ("hands", [[]] * 5), ("fulfilled", [[]] * 2)):
        scenario = table()
        scenario["seats"][name] = value
        with pytest.raises(ScenarioError, match=f"seats.{name}"):
            Game.from_scenario(scenario)


def test_rule_9_2__no_position_is_in_a_ninth_round() -> None:
    with pytest.raises(ScenarioError, match=r"turn\.round: 9; must be a whole number from 1 to 8"):
        solo(round_number=9)
    with pytest.raises(ScenarioError, match=r"turn\.round: 4; must be a whole number from 1 to 3"):
        solo(round_number=4, max_rounds=3)


def test_solo_scenarios__a_turn_has_one_action() -> None:
    scenario = table()
    scenario["turn"]["actions_left"] = 2
    with pytest.raises(ScenarioError, match=r"turn\.actions_left"):
        Game.from_scenario(scenario)


def test_solo_scenarios__the_table_is_for_this_mode_alone() -> None:
    scenario = table()
    scenario["rules"] = {"num_players": 2}
    scenario["seats"] = {}
    with pytest.raises(ScenarioError, match="solo"):
        Game.from_scenario(scenario)
    scenario = table()
    scenario["automa"] = {}
    with pytest.raises(ScenarioError, match="automa"):
        Game.from_scenario(scenario)


def finished(seed: int) -> Game:
    game = dealt(seed)
    rng = np.random.default_rng(seed)
    while not game.done:
        game.step(int(rng.choice(game.legal())))
    return game


def test_solo_game_file__replays_without_the_random_generator(tmp_path: Path) -> None:
    game = finished(12)
    game.to_file(tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert content["scores"] == game.scores()
    assert len(content["scores"]) == 1
    content["seed"] = 99  # its streams differ; every outcome is in the file
    (tmp_path / "other.json").write_text(json.dumps(content), encoding="utf-8")
    for name in ("game.json", "other.json"):
        again = Game.from_file(tmp_path / name)
        assert again.scores() == game.scores()
        assert again.events == game.events
        assert (again.done, again.round, again.hand(0)) == (True, 8, game.hand(0))


def test_solo_game_file__of_a_game_in_progress_from_a_scenario(tmp_path: Path) -> None:
    game = solo(LADDER, *RUNGS, active=ORDER[0], trains=ORDER[1:])
    play_round(game)
    game.step("contracts")
    game.to_file(tmp_path / "game.json")
    again = Game.from_file(tmp_path / "game.json")
    assert (again.seat, bag(again), aside(again), again.hand(0)) == (game.seat, bag(game), aside(game), game.hand(0))


def test_solo_save__keeps_position_past_and_future() -> None:
    game = dealt(13)
    rng = np.random.default_rng(13)
    for _ in range(120):
        if rng.random() < 0.2:
            game = Game.load(game.save())
        game.step(int(rng.choice(game.legal())))
    again = Game.load(game.save())
    assert again.records.tobytes() == game.records.tobytes()
    assert again.events == game.events
    while not game.done:
        action = int(rng.choice(game.legal()))
        game.step(action)
        again.step(action)
    assert again.records.tobytes() == game.records.tobytes()


def test_solo_batch__plays_the_same_games() -> None:
    batch = GameBatch(Rules(mode="solo", map="mini", contracts="mini"), 3, seed=20)
    games = [dealt(20 + index) for index in range(3)]
    rng = np.random.default_rng(0)
    while not batch.done.all():
        actions = batch.sample_legal(rng)
        for game, action in zip(games, actions, strict=True):
            if not game.done:
                game.step(int(action))
        batch.step(actions)
        for index, game in enumerate(games):
            assert batch.records[index : index + 1].tobytes() == game.records.tobytes()
    assert not batch.truncated.any()


# --- the transcript ---------------------------------------------------------------------------------------------
def test_solo_transcript__replays() -> None:
    transcript = json.loads(TRANSCRIPT.read_text(encoding="utf-8"))
    game = Game.from_scenario(transcript["scenario"], seed=0)
    assert transcript["steps"]
    for step in transcript["steps"]:
        assert (game.seat, game.money) == (step["seat"], step["money"])
        assert set(game.legal_text()) == set(step["legal"])
        assert len(game.legal()) == len(step["legal"])
        game = Game.load(game.save())
        game.step(step["action"])
    assert isinstance(transcript["end"], str)  # chance decides from there


# --- rules that do not go together ---------------------------------------------------------------------------------
def test_solo_rules__are_for_one_player() -> None:
    assert Rules(mode="solo").seats == Rules(mode="solo", num_players=1).seats == 1
    for number in (0, 2, 5):
        with pytest.raises(ValueError, match=f"num_players={number}"):
            Rules(mode="solo", num_players=number)
    with pytest.raises(ValueError, match="num_players=1"):
        Rules(num_players=1)


def test_solo_rules__have_no_automas() -> None:
    for number in (1, 4):
        with pytest.raises(ValueError, match=f"automas={number}"):
            Rules(mode="solo", automas=number)


def test_rule_10__the_preview_edition_has_no_solo_game() -> None:
    with pytest.raises(ValueError, match="preview"):
        Rules(mode="solo", edition="preview")
    with pytest.raises(ScenarioError, match="preview"):
        solo(edition="preview")


def test_solo_rules__name_the_mode_that_is_none() -> None:
    with pytest.raises(ValueError, match="mode='alone'"):
        Rules(mode="alone")  # type: ignore[arg-type]
