"""Rules 9.3 and 9.4: the one purse of the basic solo game, and its score."""

from typing import Any

import pytest

from tests.rules.boards import (
    LADDER,
    RUNGS,
    STEPS,
    Cells,
    can,
    cannot,
    choices,
    cities_to_start,
    connected,
    links,
    play,
)
from tests.rules.solo_boards import COMPANIES, SLOPES, card, chain, ladder, play_round, solo


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


def test_rule_9_3__what_the_map_lacks_or_cannot_reach_the_own_network_is_bought_from_the_bank() -> None:
    assert play(ladder(active=2, money=6), "fulfil 0").money == [1]
    cannot(ladder(active=2, money=4), "fulfil 0", "6.4")
    game = play(ladder(active=1, factories=["0: Ames 3"], contracts=[card("W")] * 9), "fulfil 0")
    assert (game.money, game.city("Ames")["resources"]) == ([0], 3)  # white ones in Ames reach only company 0


@pytest.mark.parametrize("company", [0, 1, 2, 3])
def test_rule_9_3__any_company_with_a_link_may_fulfil_any_contract_in_hand(company: int) -> None:
    game = chain(active=company)
    assert choices(game, "fulfil") == {"0", "1"}
    play(game, "fulfil 1, source Clinton", *(["hop Boone"] if company == 0 else []))
    assert [(game.fulfilled(seat), game.hand(seat)) for seat in COMPANIES] == [([1], [0])] * 5
    assert game.record.num_fulfilled.tolist() == game.record.hand_size.tolist() == [1, 0, 0, 0, 0]
    cannot(chain(active=4), "fulfil 0, fulfil 1", "6.1")  # without a link of its own


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


@pytest.mark.parametrize("companies", range(1, 6))
def test_rule_9_4__a_purple_city_counts_one_for_each_company_linked_to_it(companies: int) -> None:
    cells: Cells = {(1, 1): ".", (4, 6): "Middle"}
    for company, (col, row) in enumerate(list(STEPS.values())[:5]):
        cells |= {(4 + col, 6 + row): ".", (4 + 2 * col, 6 + 2 * row): f"End{company}"}
    paths = [f"{company}: End{company} Middle" for company in range(companies)]
    assert score(cells, *paths, colors={"Middle": "P"}, off_map="PPP") == {"cities": companies}


RUNG = (LADDER, *RUNGS)
FLIPPED = ("0: Ames 0", "1: Boone 0", "4: Joliet 0", "2: Clinton 1", "3: Dyson 5")
GROUP = (
    " A B\n  C\n . .\n  .\n D E",
    "0 Dyson A3 Ames",
    "1 Elgin C3 Boone",
    "2 Dyson B4 Clinton",
)  # A, B, C
# Board and links, what else there is; the parts of the score that are not 0.
SCORED: dict[str, tuple[tuple[str, ...], dict[str, Any], dict[str, int]]] = {
    "contracts fulfilled, not those in hand": (
        *((), {"contracts": [card(vp=vp) for vp in (1, 2, 4, 8, 16)], "hand": [0], "fulfilled": [1, 3]}),
        {"contracts": 10},
    ),
    "four dollars": ((), {"money": 4}, {}),
    "five times five dollars": ((), {"money": 29}, {"money": 5}),
    "flipped cities of all companies": (RUNG, {"factories": FLIPPED}, {"factories": 6}),
    "with tiles beside the map": (
        *(RUNG, {"factories": FLIPPED, "colors": {"Ames": "W", "Boone": "B", "Joliet": "G"}, "off_map": "WWWBPPO"}),
        {"factories": (2 + 3) + (2 + 1) + 2},
    ),
    "two links of one company": (
        *((LADDER, "0 Ames A3 Fargo", "0 Ames B2 C3 B4 Fargo"), {"colors": {"Fargo": "P"}}, {"cities": 1}),
    ),
    "purple cities at two links": (RUNG, {"colors": dict.fromkeys(("Ames", "Fargo", "Boone"), "P")}, {"cities": 3}),
    "an incomplete link": ((LADDER, "0 Ames A3 SE"), {"colors": {"Ames": "P"}}, {}),
    "links to any city of the group": (GROUP, {"colors": {"Clinton": "P"}}, {"cities": 3}),
    "and each of its cities": (GROUP, {"colors": {"Clinton": "P", "Ames": "P"}}, {"cities": 6}),
    "all of it": (
        RUNG,
        {
            **{"contracts": [card(vp=7)] * 3, "fulfilled": [0, 2], "money": 11},
            **{"colors": {"Joliet": "P"}, "factories": ["0: Ames 0"], "off_map": "W"},
        },
        {"contracts": 14, "factories": 3, "cities": 1, "money": 2},
    ),
}


@pytest.mark.parametrize(("board", "entries", "points"), SCORED.values(), ids=SCORED)
def test_rule_9_4__points_for(board: tuple[str, ...], entries: dict[str, Any], points: dict[str, int]) -> None:
    assert score(*board, **entries) == points
