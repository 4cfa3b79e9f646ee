"""Section 9 of the rules: the basic solo game, one player with five companies."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.core.steam_power.state import PLACE_ASIDE
from steam_env.kit.errors import IllegalActionError, ScenarioError
from tests.rules.boards import (
    LADDER,
    PLAIN_CARD,
    RUNGS,
    STEPS,
    Cells,
    can,
    cannot,
    choices,
    cities_of,
    cities_to_start,
    connected,
    draw,
    links,
    play,
    quilt,
    table,
)

TRANSCRIPT = Path(__file__).parent.parent / "transcripts" / "solo.json"
COMPANIES = range(5)
EACH_TWICE = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
ORDER = (3, 1, 1, 4, 0, 2, 2, 0, 4, 3)  # of the trains in a bag
MINI = Rules(mode="solo", map="mini", contracts="mini")

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
CHAIN_LINKS = ("0 Ames A3 Boone", "1 Boone A7 Clinton", "2 Boone B6 B8 Clinton", "3 Clinton A11 Dyson")


def card(needs: str = "B", money: int = 0, vp: int = 1, bonus: str = "none") -> dict[str, Any]:
    """A contract, for black if nothing is said: it is bought for $5."""
    return {**PLAIN_CARD, "needs": needs, "money": money, "vp": vp, "bonus": bonus}


def scenario(
    board: str | Cells = LADDER,
    *paths: str,
    active: int = 0,
    trains: Sequence[int] = (1, 2, 3, 4),
    set_aside: int = 0,
    money: int = 5,
    factories: Sequence[str] = (),
    hand: Sequence[int] = (),
    fulfilled: Sequence[int] = (),
    deck: Sequence[int] | None = None,
    round_number: int = 1,
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A solo scenario: company ``active`` has its action, then the companies of ``trains``; cities are white."""
    return table(
        draw(board) if isinstance(board, str) else board,
        paths,
        factories,
        rules={"mode": "solo", **(rules or {})},
        seats={"money": [money], "hands": [list(hand)], "fulfilled": [list(fulfilled)]},
        turn={"seat": active, "round": round_number},
        deck={} if deck is None else {"order": list(deck)},
        solo={"trains": list(trains), "set_aside": set_aside},
        **more,
    )


def solo(*arguments: Any, **entries: Any) -> Game:
    return Game.from_scenario(scenario(*arguments, **entries), seed=0)


def ladder(active: int = 0, bonus: str = "none", **entries: Any) -> Game:
    """Each company has its link of the ladder; contract 0, in hand, needs what is not on the map."""
    return solo(LADDER, *RUNGS, active=active, **{"contracts": [card(bonus=bonus)] * 9, "hand": [0], **entries})


def chain(active: int, money: int = 5, **entries: Any) -> Game:
    """A factory of company 1 in Clinton; company 4 has no track."""
    values: dict[str, Any] = {"factories": ["1: Clinton 3"], "contracts": [card("W")] * 9, "hand": [0, 1]}
    return solo(CHAIN, *CHAIN_LINKS, active=active, trains=[4, 2], money=money, **{**values, **entries})


def dealt(seed: int = 1) -> Game:
    return Game(MINI, seed=seed)


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


def trains_of(game: Game) -> list[int]:
    """The trains of the round that are to act, the active company's first."""
    return [game.seat, *bag(game)]


def aside(game: Game) -> list[int]:
    """The contracts set aside."""
    return [int(contract) for contract in np.flatnonzero(game.record.place == PLACE_ASIDE)]


def state_of(game: Game) -> tuple[bool, bool, int]:
    return game.done, game.truncated, game.round


# --- 9.1 set-up -----------------------------------------------------------------------------------------
def test_rule_9_1__set_up() -> None:
    game = Game(Rules(mode="solo"), seed=3)
    assert (game.seats, game.trains, game.factories_left) == (5, [19] * 5, [15] * 5)
    assert game.money == [5]
    assert not game.record.money[1:].any()
    assert (len(game.hand(0)), game.deck_size, aside(game)) == (5, 43, [])
    for seat in COMPANIES:
        assert (game.hand(seat), game.fulfilled(seat)) == (game.hand(0), [])
    colors = Counter(game.city(name)["color"] for name in game.setting.map.cities) + Counter(game.off_map)
    assert colors == {"white": 7, "black": 7, "orange": 7, "gray": 7, "purple": 5}
    assert game.record.stock.tolist() == [30] * 4
    assert game.record.tiles.tolist() == [80, 10, 10]
    assert (game.round, game.phase, game.actions_left, game.done) == (1, "action", 1, False)
    assert (game.record.corners == -1).all()


def test_rule_9_1__two_trains_of_each_company_are_in_the_bag_and_the_seed_deals() -> None:
    deals = [dealt(seed) for seed in range(20)]
    assert all(sorted(trains_of(game)) == EACH_TWICE for game in deals)
    assert len({(*trains_of(game), *game.hand(0)) for game in deals}) == 20
    assert dealt(4).records.tobytes() == deals[4].records.tobytes()


def test_rule_9_1__a_given_deal_says_the_order_of_the_trains() -> None:
    values = {**dealt(4).events[0].values, "trains": list(ORDER)}
    assert trains_of(Game(MINI, seed=0, deal=values)) == list(ORDER)
    for trains in (ORDER[:9], (*ORDER, 0), (0,) * 10, (*ORDER[:9], 5)):
        with pytest.raises(ValueError, match="trains"):
            Game(MINI, seed=0, deal={**values, "trains": list(trains)})


def test_rule_9_1__five_contracts_are_enough_for_a_deal_and_four_are_not(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    entry = '[[contracts]]\nneeds = "W"\nmoney = 0\nvp = 1\nbonus = "none"\nautoma = "track"\n'
    rules = Rules(mode="solo", map="mini", contracts=str(path))
    path.write_text(f'name = "small"\n{entry * 5}', encoding="utf-8")
    game = Game(rules, seed=0)
    assert (len(game.hand(0)), game.deck_size) == (5, 0)
    path.write_text(f'name = "small"\n{entry * 4}', encoding="utf-8")
    with pytest.raises(ValueError, match="at least 5"):
        Game(rules, seed=0)


def test_rule_9_1__the_20th_link_of_a_company_finds_no_train() -> None:
    cells, paths = quilt(0)
    game = solo(cells, *paths[:19], trains=[1], money=50)
    assert (game.trains, cities_to_start(game)) == ([0, 19, 19, 19, 19], set())
    cannot(game, f"start {paths[19].split()[1]} S", "4.3")
    assert cities_to_start(play(game, "money"))  # company 1 has trains
    with pytest.raises(ScenarioError, match="train"):
        solo(cells, *paths[:20])


def test_rule_9_1__a_factory_brings_5_resources_as_a_bonus_4_to_6() -> None:
    game = play(ladder(), "build Ames")
    assert (game.city("Ames")["resources"], game.city("Ames")["owner"], game.record.stock[0]) == (5, 0, 25)
    for amount in (4, 5, 6):
        game = play(ladder(bonus="factory"), "fulfil 0, build Ames")
        assert choices(game, "amount") == {"4", "5", "6"}
        assert play(game, f"amount {amount}").city("Ames")["resources"] == amount


# --- 9.2 rounds -----------------------------------------------------------------------------------------
def test_rule_9_2__ten_turns_of_one_action_in_the_order_of_the_bag() -> None:
    game = solo(active=ORDER[0], trains=ORDER[1:])
    for number in range(10):
        assert (trains_of(game), game.actions_left, game.round) == (list(ORDER[number:]), 1, 1)
        game.step("money")
    assert game.round == 2


@pytest.mark.parametrize(
    ("bonus", "actions"),
    [
        ("none", "money"),
        ("none", "contracts"),
        ("none", "build Boone"),
        ("none", "start Ames SE, head SE, head NE"),
        ("none", "start Ames SE, head SE, done"),
        ("none", "fulfil 0"),
        ("track", "fulfil 0, start Ames SE, head SE, head NE"),  # a bonus belongs to the action
    ],
)
def test_rule_9_2__every_action_of_the_game_is_one_turn(bonus: str, actions: str) -> None:
    game = ladder(bonus=bonus, trains=[2, 1], money=9)
    for action in actions.split(", "):
        assert (game.seat, game.actions_left) == (0, 1)
        play(game, action)
    assert (game.seat, game.actions_left) == (2, 1)


def test_rule_9_2__after_the_last_action_of_a_round_the_decks_next_contract_is_put_aside() -> None:
    game = solo(trains=[1], contracts=6, hand=[0], deck=[4, 2, 5, 1, 3])
    assert aside(play(game, "money")) == []
    play(game, "money")
    assert (game.round, aside(game), game.deck_size, game.hand(0)) == (2, [4], 4, [0])
    assert [event.values for event in game.events if event.kind == "aside"] == [{"contract": 4}]
    game = play(solo(trains=[], contracts=6, hand=[0], deck=[4, 2, 5, 1, 3]), "contracts")
    assert (game.hand(0), aside(game), game.deck_size) == ([0, 2, 4], [5], 2)


@pytest.mark.parametrize("deck", [[2, 3, 4], []])
def test_rule_9_2__a_deck_that_runs_out_changes_nothing(deck: list[int]) -> None:
    size = len(deck)
    game = solo(active=ORDER[0], trains=ORDER[1:], contracts=2 + size, hand=[0, 1], deck=deck)
    for number in range(1, 9):
        assert state_of(game) == (False, False, number)
        assert len(play_round(game)) == 10
        assert (len(aside(game)), game.deck_size) == (min(number, size), max(size - number, 0))
    assert (state_of(game), game.hand(0)) == ((True, False, 8), [0, 1])


def test_rule_9_2__contracts_set_aside_never_come_back() -> None:
    game = play(solo(trains=[], contracts=3, deck=[1, 2, 0]), "money, contracts")
    assert game.hand(0) == [0, 2]
    while not game.done:
        assert "contracts" not in game.legal_text()
        play_round(game)
    assert aside(game) == [1]


def test_rule_9_2__the_bag_is_refilled_after_each_round_in_a_new_order() -> None:
    game = dealt(5)
    rounds = [tuple(play_round(game)) for _ in range(8)]
    assert all(sorted(acted) == EACH_TWICE for acted in rounds)
    assert len(set(rounds)) == 8
    orders = set()
    for seed in range(20):
        game = play(Game.from_scenario(scenario(trains=[]), seed=seed), "money")
        assert (game.round, sorted(trains_of(game))) == (2, EACH_TWICE)
        orders.add(tuple(play_round(game)))
    assert len(orders) == 20
    twins = [dealt(6), dealt(6), dealt(6).clone()]
    assert len({tuple(tuple(play_round(game)) for _ in range(8)) for game in twins}) == 1


def draw_orders(games: int, rounds: int, seed: int) -> np.ndarray:
    """The companies that act, by round, place in the order, game."""
    batch = GameBatch(MINI, games, seed=seed)
    seats = []
    for _ in range(10 * rounds):
        seats.append(batch.seats.copy())
        batch.step(np.zeros(games, np.int64))
    return np.array(seats).reshape(rounds, 10, games)


def test_rule_9_2__the_order_is_uniformly_random() -> None:
    games = 600
    drawn = (draw_orders(games, 2, seed=0)[..., np.newaxis] == np.arange(5)).sum(axis=2)  # by round, place, company
    assert (drawn.sum(axis=1) == 2 * games).all()
    assert abs((drawn - games / 5) / (games * 0.2 * 0.8) ** 0.5).max() < 4.5
    (orders,) = draw_orders(games, 1, seed=10**6)
    same = sum(int((one == other).sum()) for one, other in pairwise(orders))
    assert abs(same - games) < 5 * games**0.5  # nine pairs of neighbours, each alike with chance 1/9


def test_rule_9_2__given_outcomes_are_the_order_of_the_trains() -> None:
    game = solo(trains=[], contracts=9, deck=list(range(9)))
    game.step("money", outcomes=ORDER)
    assert trains_of(game) == list(ORDER)
    play(game, *["money"] * 9)
    game.step("money", outcomes=ORDER[::-1])
    assert (game.round, aside(game), play_round(game)) == (3, [0, 1], list(ORDER[::-1]))


@pytest.mark.parametrize(
    "outcomes",
    [ORDER[:9], (*ORDER, 3), (*ORDER[:9], 5), (*ORDER[:9], -1), (0, 0, 0, 1, 1, 2, 2, 3, 3, 4), (3,)],
    ids=("nine", "eleven", "no company", "none", "three of one", "one"),
)
def test_rule_9_2__impossible_outcomes_are_refused_and_change_nothing(outcomes: tuple[int, ...]) -> None:
    game = solo(trains=[])
    before = game.save()
    with pytest.raises(ValueError, match="outcome"):
        game.step("money", outcomes=outcomes)
    assert game.save() == before
    game.step("money", outcomes=ORDER)


def test_rule_9_2__within_a_round_there_is_no_chance() -> None:
    with pytest.raises(ValueError, match="too many"):
        solo(trains=[1]).step("money", outcomes=ORDER)


def test_rule_9_2__after_eight_rounds_the_game_ends() -> None:
    game = dealt(7)  # 16 contracts, 11 of them in the deck
    for number in range(1, 9):
        assert state_of(game) == (False, False, number)
        assert len(play_round(game)) == 10
        assert (len(aside(game)), game.deck_size) == (number, 11 - number)
    assert state_of(game) == (True, False, 8)
    assert (game.seat, game.phase, game.legal(), game.num_steps, game.record.bag_size) == (-1, "over", [], 80, 0)
    assert (game.events[-1].kind, game.events[-1].values) == ("end", {"truncated": 0})
    with pytest.raises(IllegalActionError):
        game.step("money")


@pytest.mark.parametrize("limit", [8, 9, 100])
def test_rule_9_2__a_round_limit_of_eight_or_more_does_not_truncate(limit: int) -> None:
    game = play(solo(trains=[], round_number=8, rules={"max_rounds": limit}), "money")
    assert state_of(game) == (True, False, 8)


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_rule_9_2__a_lower_round_limit_truncates(limit: int) -> None:
    game = Game(Rules(mode="solo", map="mini", contracts="mini", max_rounds=limit), seed=8)
    for _ in range(limit):
        assert not game.done
        play_round(game)
    assert (state_of(game), len(aside(game))) == ((True, True, limit), limit)


def test_rule_9_2__contracts_fulfilled_never_end_it() -> None:
    cards = [card()] * 48
    game = play(ladder(trains=[], contracts=cards, fulfilled=range(1, 41), money=90), "fulfil 0")
    assert len(game.fulfilled(0)) == 41
    for number in range(2, 9):
        assert state_of(game) == (False, False, number)
        play_round(game)
    assert state_of(game) == (True, False, 8)
    named = ladder(trains=[], rules={"contracts_to_end": 1})  # not even where a number is named
    start = scenario(LADDER, *RUNGS, trains=[], hand=[0])
    deck = {"name": "short", "contracts": cards[:9], "contracts_to_end": 1}
    for game in (named, Game.from_scenario({**start, "contracts": deck}, seed=0)):
        assert state_of(play(game, "fulfil 0")) == (False, False, 2)


# --- 9.3 the purse --------------------------------------------------------------------------------------
def test_rule_9_3__every_company_adds_to_the_one_purse() -> None:
    game = solo(active=3, trains=[0, 4], money=5)
    for money in (8, 11, 14):
        assert play(game, "money").money == [money]
    assert not game.record.money[1:].any()


def test_rule_9_3__the_purse_pays_for_the_track_of_every_company() -> None:
    game = solo(SLOPES, active=2, trains=[4], money=7)
    assert play(game, "start Ames S, head S, done").money == [5]
    assert play(game, "start Boone S, head S, done").money == [1]
    assert [link["owner"] for link in game.links()] == [2, 4]
    poor = solo(SLOPES, active=2, trains=[4, 4], money=0)
    for _ in range(2):
        cannot(poor, "start Boone S", "4.10")
        play(poor, "money")
    can(poor, "start Boone S")


@pytest.mark.parametrize(
    ("company", "cost", "actions"),
    [
        (1, 0, "source Clinton"),  # own factory, own links
        (3, 1, "source Clinton"),  # another company's factory
        (0, 2, "source Clinton, hop Boone"),  # and a link: of companies 1 and 2, neither of which is chosen to be paid
    ],
)
@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_9_3__what_another_company_would_earn_goes_to_the_bank(
    company: int, cost: int, actions: str, routing: str
) -> None:
    game = chain(active=company, money=2 * cost, rules={"routing": routing}, contracts=[card("WW", money=7)] * 9)
    play(game, "fulfil 0", actions)
    assert game.money == [cost]
    play(game, actions)
    assert (game.money, game.fulfilled(company), game.seat) == ([7], [0], 4)  # the reward is the purse's
    assert not game.record.money[1:].any()
    if cost:
        cannot(chain(active=company, money=cost - 1), "fulfil 0", "6.4")


def test_rule_9_3__events_and_log_name_the_bank_as_the_payee() -> None:
    game = play(chain(active=0, money=2), "fulfil 0, source Clinton, hop Boone")
    paid = [
        (event.kind, *map(event.values.get, ("paid_to", "cost"))) for event in game.events if "cost" in event.values
    ]
    assert paid == [("source", -1, 1), ("hop", -1, 1)]
    assert [line for line in game.log if "$1" in line and "bank" in line] == [
        "player_0 takes a resource from Clinton, $1 to the bank",
        "player_0 carries it from Clinton to Boone, $1 to the bank",
    ]


def test_rule_9_3__no_game_ever_asks_whom_to_pay_or_to_take_from() -> None:
    rng = np.random.default_rng(0)
    batch = GameBatch(MINI, 40, seed=0)
    phases: set[str] = set()
    for _ in range(260):
        batch.step(batch.sample_legal(rng))
        phases |= {batch.game(index).phase for index in range(0, 40, 13)}
        assert not batch.mask[:, -8:].any()
        assert not batch.records["money"][:, 1:].any()
        assert not batch.records["hand_size"][:, 1:].any()
    assert batch.records["num_fulfilled"][:, 0].any()
    assert {"hop", "source"} & phases


def test_rule_9_3__what_the_map_lacks_or_cannot_reach_the_own_network_is_bought_from_the_bank() -> None:
    assert play(ladder(active=2, money=6), "fulfil 0").money == [1]
    cannot(ladder(active=2, money=4), "fulfil 0", "6.4")
    game = play(ladder(active=1, factories=["0: Ames 3"], contracts=[card("W")] * 9), "fulfil 0")
    assert (game.money, game.city("Ames")["resources"]) == ([0], 3)  # white ones in Ames reach only company 0


@pytest.mark.parametrize("company", [0, 1, 2, 3])
def test_rule_9_3__any_company_may_fulfil_any_contract_in_hand(company: int) -> None:
    game = chain(active=company)
    assert choices(game, "fulfil") == {"0", "1"}
    play(game, "fulfil 1, source Clinton", *(["hop Boone"] if company == 0 else []))
    assert [(game.fulfilled(seat), game.hand(seat)) for seat in COMPANIES] == [([1], [0])] * 5
    assert game.record.num_fulfilled.tolist() == game.record.hand_size.tolist() == [1, 0, 0, 0, 0]


def test_rule_9_3__a_company_without_a_link_of_its_own_fulfils_nothing() -> None:
    cannot(chain(active=4), "fulfil 0, fulfil 1", "6.1")


def test_rule_9_3__resources_go_to_the_own_network() -> None:
    game = play(chain(active=3, factories=["0: Ames 3"]), "fulfil 0, source Ames")  # $1 for the factory
    assert choices(game, "hop") == {"Boone"}
    play(game, "hop Boone")
    assert (game.seat, game.phase, choices(game, "hop")) == (3, "hop", {"Clinton"})  # Boone is not of its network
    play(game, "hop Clinton")
    assert (game.money, game.seat) == ([2], 4)


def test_rule_9_3__a_bonus_is_the_active_companys() -> None:
    track = play(ladder(active=2, bonus="track"), "fulfil 0")
    assert (track.seat, track.phase, cities_to_start(track)) == (2, "bonus", {"Clinton", "Hibbing"})
    play(track, "start Clinton SE, head NE")
    assert (links(track)[-1], track.trains) == ("2: Clinton F2 Dyson", [18, 18, 17, 18, 18])
    factory = play(ladder(active=3, bonus="factory"), "fulfil 0, build Ames, amount 5")
    assert (factory.city("Ames")["owner"], factory.factories_left) == (3, [15, 15, 15, 14, 15])
    contracts = play(ladder(active=4, bonus="contracts", deck=[3, 1, 4, 2, 5, 6, 7, 8]), "fulfil 0, contracts")
    assert [contracts.hand(seat) for seat in COMPANIES] == [[1, 3]] * 5
    declined = play(ladder(active=3, bonus="factory", trains=[0]), "fulfil 0, done")
    assert (declined.seat, declined.factories_left) == (0, [15] * 5)


def test_rule_9_3__track_starts_from_the_active_companys_own_network() -> None:
    game = ladder()
    own = [{"Ames", "Fargo"}, {"Boone", "Galena"}, {"Clinton", "Hibbing"}, {"Dyson", "Ironton"}, {"Elgin", "Joliet"}]
    for company in COMPANIES:
        assert game.seat == company
        assert cities_to_start(game) == own[company] == connected(game, company)
        play(game, "money")
    assert len(cities_to_start(solo(LADDER, *RUNGS[:4], active=4))) == 10  # without track anywhere


def test_rule_9_3__each_company_has_its_own_incomplete_link() -> None:
    game = solo(LADDER, "0 Ames A3 SE", "1 Boone C3 SE", active=2, trains=[0, 1, 0])
    cannot(game, "remove, replace SW, head S, head SE", "4.1 or 4.2")
    assert len(cities_to_start(game)) > 2
    assert cities_to_start(play(game, "money")) == set()  # company 0 has to go on with its link
    play(game, "head SE, done")
    assert (links(game, 0), cities_to_start(game)) == (["0: Ames A3 B4 Galena"], set())
    play(game, "remove, done")
    assert (links(game, 1), game.trains) == ([], [18, 19, 19, 19, 19])


def test_rule_9_3__trains_and_factories_are_those_of_the_active_company() -> None:
    game = play(ladder(active=3, trains=[1]), "start Dyson SE, head NE")
    assert (game.trains, game.seat) == ([18, 18, 18, 17, 18], 3)  # a second placement is possible
    play(game, "done, build Ames")
    assert (game.city("Ames")["owner"], game.factories_left) == (1, [15, 14, 15, 15, 15])
    assert choices(solo(LADDER, RUNGS[0], active=4), "build") == {"Ames", "Fargo"}  # where another's link ends


def test_rule_9_3__a_company_without_factories_in_reserve_builds_none_another_does() -> None:
    cells, paths = quilt(0)
    names = cities_of(cells)
    game = solo(cells, *paths[:19], factories=[f"0: {name} 0" for name in names[:15]])
    assert (game.factories_left, choices(game, "build")) == ([0, 15, 15, 15, 15], set())
    cannot(game, f"build {names[15]}", "5.1")
    can(play(game, "money"), f"build {names[15]}")


# --- 7 taking contracts -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("deck", "after"), [([4, 2, 5, 1, 3], [0, 2, 4]), ([1], [0, 1])])
def test_rule_7_1__contracts_are_taken_from_the_deck_into_the_one_hand_the_last_alone(
    deck: list[int], after: list[int]
) -> None:
    game = play(solo(contracts=1 + len(deck), hand=[0], deck=deck, active=3, trains=[1]), "contracts")
    assert [game.hand(seat) for seat in COMPANIES] == [after] * 5
    assert (game.deck_size, game.seat) == (1 + len(deck) - len(after), 1)


@pytest.mark.parametrize("hand", [[], [0], [0, 1, 2]])
def test_rule_7_2__with_an_empty_deck_nothing_is_gained(hand: list[int]) -> None:
    rest = [contract for contract in range(3) if contract not in hand]
    cannot(solo(contracts=3, hand=hand, fulfilled=rest), "contracts", "7.2")


def test_rule_7_2__a_bonus_that_gains_nothing_is_no_decision() -> None:
    cards = [card(bonus="contracts")] * 2
    game = play(ladder(active=4, trains=[0], contracts=cards, hand=[0, 1]), "fulfil 0")
    assert (game.seat, game.phase) == (0, "action")


# --- 9.4 the score ----------------------------------------------------------------------------------------
def score(*arguments: Any, **entries: Any) -> dict[str, int]:
    """The parts that are not 0, whose sum is the total."""
    (result,) = solo(*arguments, **{"money": 0, **entries}).scores()
    parts = {name: value for name, value in result.items() if name != "total"}
    assert result["total"] == sum(parts.values())
    return {name: value for name, value in parts.items() if value}


def test_rule_9_4__there_is_one_score_and_the_player_wins() -> None:
    game = solo(round_number=8)
    while not game.done:
        assert (len(game.scores()), game.winners()) == (1, [0])
        play_round(game)
    assert (len(game.scores()), game.winners()) == (1, [0])
    assert set(game.scores()[0]) == {"total", "contracts", "factories", "cities", "money"}


def test_rule_9_4__fulfilled_contracts_count_and_those_in_hand_do_not() -> None:
    cards = [card(vp=vp) for vp in (1, 2, 4, 8, 16)]
    assert score(contracts=cards, hand=[0], fulfilled=[1, 3], deck=[2], set_aside=1) == {"contracts": 10}


@pytest.mark.parametrize("money", [5, 9, 10, 26])
def test_rule_9_4__each_5_dollars_count_one(money: int) -> None:
    assert score(money=money) == {"money": money // 5}
    assert score(money=4) == {}


def test_rule_9_4__the_flipped_cities_of_all_companies_count_each_with_its_tiles_beside_the_map() -> None:
    flipped = ["0: Ames 0", "1: Boone 0", "4: Joliet 0", "2: Clinton 1", "3: Dyson 5"]
    assert score(LADDER, *RUNGS, factories=flipped) == {"factories": 6}
    colors = {"Ames": "W", "Boone": "B", "Joliet": "G"}
    result = score(LADDER, *RUNGS, colors=colors, factories=flipped, off_map="WWWBPPO")
    assert result == {"factories": (2 + 3) + (2 + 1) + 2}


@pytest.mark.parametrize("companies", range(1, 6))
def test_rule_9_4__a_purple_city_counts_one_for_each_company_linked_to_it(companies: int) -> None:
    cells: Cells = {(1, 1): ".", (4, 6): "Middle"}
    for company, (col, row) in enumerate(list(STEPS.values())[:5]):
        cells |= {(4 + col, 6 + row): ".", (4 + 2 * col, 6 + 2 * row): f"End{company}"}
    paths = [f"{company}: End{company} Middle" for company in range(companies)]
    assert score(cells, *paths, colors={"Middle": "P"}, off_map="PPP") == {"cities": companies}


@pytest.mark.parametrize(
    ("paths", "purple", "points"),
    [
        (["0 Ames A3 Fargo", "0 Ames B2 C3 B4 Fargo"], ["Fargo"], {"cities": 1}),  # two links of one company
        (RUNGS, ["Ames", "Fargo", "Joliet", "Boone"], {"cities": 4}),  # each purple city for itself
        (["0 Ames A3 SE"], ["Ames"], {}),  # an incomplete link
    ],
)
def test_rule_9_4__complete_links_of_companies_count_once_for_each_city(
    paths: Sequence[str], purple: list[str], points: dict[str, int]
) -> None:
    assert score(LADDER, *paths, colors=dict.fromkeys(purple, "P")) == points


def test_rule_9_4__a_link_to_any_city_of_its_group_counts() -> None:
    group = """
        A B
         C
        . .
         .
        D E
    """
    paths = ("0 Dyson A3 Ames", "1 Elgin C3 Boone", "2 Dyson B4 Clinton")
    assert score(group, *paths, colors={"Clinton": "P"}) == {"cities": 3}
    assert score(group, *paths, colors={"Clinton": "P", "Ames": "P"}) == {"cities": 6}


def test_rule_9_4__all_of_it_adds_up() -> None:
    entries: dict[str, Any] = {"contracts": [card(vp=7)] * 3, "fulfilled": [0, 2], "off_map": "W", "money": 11}
    result = score(LADDER, *RUNGS, colors={"Joliet": "P"}, factories=["0: Ames 0"], **entries)
    assert result == {"contracts": 14, "factories": 3, "cities": 1, "money": 2}


# --- what a game shows, files ------------------------------------------------------------------------------
def play_at_random(game: Game, seed: int, between: Callable[[Game], Game] = lambda game: game) -> Game:
    rng = np.random.default_rng(seed)
    while not game.done:
        game = between(game)
        game.step(int(rng.choice(game.legal())))
    return game


def test_solo_seat__is_the_active_company_through_all_its_decisions() -> None:
    order = trains_of(dealt(9))

    def check(game: Game) -> Game:
        assert game.round > 1 or game.seat == order[9 - game.record.bag_size]
        return game

    play_at_random(dealt(9), 9, check)


def test_solo_texts__name_companies_as_players() -> None:
    game = play(solo(active=3, trains=[1]), "money")
    assert game.log == ["player_3 takes $3", "player_1 is drawn: its action"]


@pytest.mark.parametrize("seed", range(3))
def test_solo_scenarios__are_written_and_read_back_and_saves_too(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"

    def write_and_read(game: Game) -> Game:
        if game.phase != "action" or game.num_steps % 3:
            return Game.load(game.save())
        written = game.to_scenario(path)
        assert written["solo"] == {"trains": bag(game), "set_aside": len(aside(game))}
        assert (written["seats"]["money"], written["seats"]["hands"]) == (game.money, [game.hand(0)])
        one, other = Game.from_scenario(written), Game.from_scenario(path)
        assert one.records.tobytes() == other.records.tobytes() == game.records.tobytes()
        return one

    end = play_at_random(dealt(seed), seed, write_and_read)
    assert end.records.tobytes() == play_at_random(dealt(seed), seed).records.tobytes()


def test_solo_scenarios__what_is_left_out_is_as_set_up_gives_it() -> None:
    given = scenario(trains=ORDER)
    whole = {name: given[name] for name in given if name not in ("turn", "seats", "deck", "solo")}
    game = Game.from_scenario({**whole, "solo": {"trains": list(ORDER)}}, seed=4)  # the next train is active
    assert (trains_of(game), game.actions_left, game.round) == (list(ORDER), 1, 1)
    assert (game.money, len(game.hand(0)), game.deck_size) == ([5], 5, 15)
    drawn = [trains_of(Game.from_scenario(whole, seed=seed)) for seed in range(40)]
    assert all(sorted(trains) == EACH_TWICE for trains in drawn)
    assert {trains[0] for trains in drawn} == set(COMPANIES)
    active = [trains_of(Game.from_scenario({**whole, "turn": {"seat": 2}}, seed=seed)) for seed in range(10)]
    assert all(trains[0] == 2 and sorted(trains) == EACH_TWICE for trains in active)
    assert len({tuple(trains) for trains in active}) == 10


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
        ({"round_number": 9}, r"turn\.round: 9; must be a whole number from 1 to 8"),
        ({"round_number": 4, "rules": {"max_rounds": 3}}, r"turn\.round: 4; must be a whole number from 1 to 3"),
        ({"rules": {"edition": "preview"}}, "preview"),  # rule 10
        ({"automa": {}}, "automa"),
    ],
)
def test_rule_9_2__no_position_that_could_not_exist(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        solo(**entries)


@pytest.mark.parametrize(
    ("part", "entry", "value"),
    [
        ("seats", "money", [5] * 5),
        ("seats", "hands", [[]] * 5),
        ("seats", "fulfilled", [[]] * 2),
        ("turn", "actions_left", 2),
    ],
)
def test_rule_9_1__one_purse_one_hand_and_one_action(part: str, entry: str, value: Any) -> None:
    start = scenario()
    start[part][entry] = value
    with pytest.raises(ScenarioError, match=rf"{part}\.{entry}"):
        Game.from_scenario(start)


def test_solo_game_file__replays_without_the_random_generator(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = play_at_random(dealt(12), 12)
    game.to_file(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["scores"] == game.scores()
    path.write_text(
        json.dumps({**content, "seed": 99}), encoding="utf-8"
    )  # its streams differ; outcomes are in the file
    again = Game.from_file(path)
    assert (again.scores(), again.events) == (game.scores(), game.events)
    game = solo(LADDER, *RUNGS, active=ORDER[0], trains=ORDER[1:])  # of a game in progress from a scenario
    play_round(game)
    play(game, "contracts").to_file(path)
    again = Game.from_file(path)
    assert (trains_of(again), aside(again), again.hand(0)) == (trains_of(game), aside(game), game.hand(0))


def test_solo_batch__plays_the_same_games() -> None:
    batch = GameBatch(MINI, 3, seed=20)
    games = [dealt(20 + index) for index in range(3)]
    rng = np.random.default_rng(0)
    while not batch.done.all():
        actions = batch.sample_legal(rng)
        for game, action in zip(games, actions, strict=True):
            if not game.done:
                game.step(int(action))
        batch.step(actions)
        assert batch.records.tobytes() == b"".join(game.records.tobytes() for game in games)
    assert not batch.truncated.any()


def test_solo_transcript__replays() -> None:
    transcript = json.loads(TRANSCRIPT.read_text(encoding="utf-8"))
    game = Game.from_scenario(transcript["scenario"], seed=0)
    assert transcript["steps"]
    for step in transcript["steps"]:
        assert (game.seat, game.money, set(game.legal_text())) == (step["seat"], step["money"], set(step["legal"]))
        game.step(step["action"])
    assert isinstance(transcript["end"], str)  # chance decides from there


# --- rules that do not go together ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("entries", "message"),
    [
        *(({"mode": "solo", "num_players": number}, f"num_players={number}") for number in (0, 2, 5)),
        ({"num_players": 1}, "num_players=1"),
        *(({"mode": "solo", "automas": number}, f"automas={number}") for number in (1, 4)),
        ({"mode": "alone"}, "mode='alone'"),
    ],
)
def test_rule_9_1__one_player_and_no_automas(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**entries)
    assert Rules(mode="solo").seats == Rules(mode="solo", num_players=1).seats == 1
