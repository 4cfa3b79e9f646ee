"""Rule 6, fulfil a contract: who may, where resources come from, what they cost, what is gained.

The lattice of ``positions.grid``; seat 0 acts and all contracts are in its hand unless a test says otherwise.
"""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.boards import Cells, cannot, choices, legal, links, play
from tests.rules.positions import belt, grid, position, towns

Entries = dict[str, Any]  # of a position
OWN = "0 Ames Dyson"  # the network of seat 0 in most tests
DETOUR = f"{OWN} / 1 Galena Hibbing / 1 Hibbing Elgin / 2 Elgin Clinton / 2 Clinton Boone / 2 Boone Ames"  # five links


def begin(*actions: str, money: int = 0, **entries: Any) -> Game:
    """Seat 0 has begun contract 0 with so much money, the others have none, and gone these steps."""
    return play(position(money=[money, 0, 0], **{"links": OWN, **entries}), "fulfil 0", *actions)


def where(game: Game) -> tuple[str, int, int]:
    return game.phase, game.seat, game.actions_left


# --- 6.1 who may fulfil ------------------------------------------------------------------------------
@pytest.mark.parametrize("links", ["1 Ames Dyson", "1 Ames Dyson / 0 Ames B4 SE"])
def test_rule_6_1__a_complete_own_link_is_needed(links: str) -> None:
    cannot(position(colors="Ames W", links=links, factories="0 Ames 3", money=[50, 0, 0]), "fulfil 0", "6.1")


def test_rule_6_1__an_own_link_inside_a_group_makes_a_network() -> None:
    board = grid(B8="Beloit")
    game = begin("source Beloit", board=board, colors="Beloit W", links="0 Boone A7 A9 Clinton", factories="0 Beloit 1")
    assert game.fulfilled(0) == [0]


def test_rule_6_1__only_a_contract_in_hand_can_be_fulfilled() -> None:
    piles: Entries = {"hands": [[0, 4], [1], []], "fulfilled": [[2], [], []], "deck": [3]}
    game = position(links=OWN, contracts="W / W / W / W / WW", money=[50, 50, 50], **piles)
    assert choices(game, "fulfil") == {"0", "4"}
    cannot(game, "fulfil 1, fulfil 2, fulfil 3", "6.1")
    play(game, "fulfil 0")
    assert (game.hand(0), game.fulfilled(0), choices(game, "fulfil")) == ([4], [0, 2], {"4"})
    cannot(game, "fulfil 0", "6.1")


def test_rule_6_1__fulfilling_is_one_action_and_done_when_the_last_resource_is_there() -> None:
    game = position(colors="Ames W", links=OWN, factories="0 Ames 3", contracts="WW / W")
    play(game, "fulfil 0, source Ames")
    assert (game.hand(0), game.fulfilled(0), where(game)) == ([0, 1], [], ("source", 0, 2))
    play(game, "source Ames")
    assert (game.hand(0), game.fulfilled(0), where(game)) == ([1], [0], ("action", 0, 1))
    assert where(play(game, "fulfil 1, source Ames")) == ("action", 1, 2)


# --- 6.2 where resources come from and who is paid ---------------------------------------------------
PARALLEL = "0 Ames Dyson / 1 Boone Ames"
ROUNDABOUT = f"{OWN} / 1 Boone Dyson / 2 Boone Elgin / 2 Elgin Dyson"
GRID, MIDDLE = grid(), grid(D6="Decatur")  # Decatur joins Dyson and Elgin
# Board, colours (the contract's first), links, factories; what is done, and everybody's money then: no more is there.
PAID = {
    "an own factory in the network: nothing": (GRID, "Ames W", OWN, "0 Ames 3", "source Ames 0 0 0"),
    "a foreign factory: its owner": (GRID, "Dyson W", OWN, "2 Dyson 3", "source Dyson 0 0 1"),
    "a foreign link: its owner, at the hop": (
        *(GRID, "Boone W", f"{OWN} / 1 Boone Dyson", "0 Boone 3"),
        "source Boone 1 0 0, hop Dyson 0 1 0",
    ),
    "factory and links one by one, as in the rulebook's third example": (
        *(GRID, "Hibbing O", f"{OWN} / 2 Hibbing Elgin / 1 Elgin Dyson", "2 Hibbing 3"),
        "source Hibbing 2 0 1, hop Elgin 1 0 2, hop Dyson 0 1 2",
    ),
    "a link of many tiles: one dollar": (
        *(GRID, "Clinton W", f"{OWN} / 1 Clinton A9 A7 A5 A3 Ames", "0 Clinton 3"),
        "source Clinton 1 0 0, hop Ames 0 1 0",
    ),
    "own links anywhere in the network: nothing": (
        *(GRID, "Hibbing W", f"{OWN} / 0 Dyson Elgin / 0 Elgin Hibbing / 1 Hibbing Galena", "0 Hibbing 1"),
        "source Hibbing 0 0 0",
    ),
    "foreign links beside own ones are not used": (
        *(GRID, "Ames W", f"{OWN} / 1 Ames B4 C5 Dyson", "1 Ames 2"),
        "source Ames 1 1 0, source Ames 0 2 0",
    ),
    "the journey ends at the first city of the network": (
        *(GRID, "Clinton W", f"{OWN} / 0 Ames Boone / 1 Clinton Boone", "0 Clinton 3"),
        "source Clinton 1 0 0, hop Boone 0 1 0",
    ),
    "each resource on its own": (
        *(GRID, "Boone W", f"{OWN} / 1 Boone Dyson", "2 Boone 4"),
        "source Boone 3 0 1, hop Dyson 2 1 1, source Boone 1 1 2, hop Dyson 0 2 2",
    ),
    "a city of the network's group: nothing": (
        *(grid(B8="Beloit"), "Clinton W", "0 Boone Dyson / 1 Clinton Elgin", "0 Clinton 2"),
        "source Clinton 0 0 0",
    ),
    "groups are free to cross": (
        *(MIDDLE, "Hibbing W", "0 Ames Boone / 1 Hibbing Elgin / 2 Dyson Ames", "0 Hibbing 2"),
        "source Hibbing 2 0 0, hop Dyson 1 1 0, hop Ames 0 1 1",
    ),
    "a bystander's links and factories earn nothing": (
        *(GRID, "Boone W, Dyson B", ROUNDABOUT, "0 Boone 3, 2 Dyson 3"),
        "source Boone 1 0 0, hop Dyson 0 1 0",
    ),
    "two parallel links of one seat": (
        *(GRID, "Boone W", f"{PARALLEL} / 1 Boone A5 A3 Ames", "0 Boone 3"),
        "source Boone 1 0 0, hop Ames 0 1 0",
    ),
    "an incomplete parallel link": (
        *(GRID, "Boone W", f"{PARALLEL} / 2 Boone A5 N", "0 Boone 3"),
        "source Boone 1 0 0, hop Ames 0 1 0",
    ),
}


@pytest.mark.parametrize(("board", "colors", "links", "factories", "steps"), PAID.values(), ids=PAID)
def test_rule_6_2__who_is_paid_for(board: Cells, colors: str, links: str, factories: str, steps: str) -> None:
    money = sum(int(number) for number in steps.split()[-3:])
    contract = colors.split()[1][0] * steps.count("source")
    game = begin(money=money, board=board, colors=colors, links=links, factories=factories, contracts=contract)
    assert game.money == [money, 0, 0]
    for step in steps.split(", "):
        word, city, *after = step.split()
        assert legal(game) == {f"{word} {city}"}  # a single choice is still a decision
        assert play(game, f"{word} {city}").money == list(map(int, after))
    assert game.fulfilled(0) == [0]


def test_rule_6_2__resources_are_handled_in_the_order_printed() -> None:
    game = begin(colors="Ames W, Dyson B", factories="0 Ames 3, 0 Dyson 3", contracts="WBW")
    for city in ("Ames", "Dyson", "Ames"):
        assert legal(game) == {f"source {city}"}
        play(game, f"source {city}")
    assert game.city("Ames")["resources"] == 1


def test_rule_6_2__only_factories_of_the_color_with_resources_left_are_sources() -> None:
    game = begin(
        colors="Ames W, Boone W, Elgin B, Clinton W, Galena W",
        links=f"{OWN} / 0 Ames Boone / 0 Boone Elgin / 0 Boone Clinton / 0 Elgin Galena",
        factories="0 Ames 2, 0 Boone 0, 0 Elgin 3, 1 Clinton 1",
        money=5,
    )
    assert legal(game) == {"source Ames", "source Clinton"}
    cannot(game, "source Boone, source Elgin, source Galena, source Dyson", "6.2")


# --- 6.3 the forced purchase -------------------------------------------------------------------------
BOUGHT: dict[str, Entries] = {
    "nowhere": {},
    "no way to the network": {"colors": "Hibbing W", "factories": "1 Hibbing 3"},
    "an own factory outside the network": {"colors": "Hibbing W", "factories": "0 Hibbing 3"},
    "a flipped city": {"colors": "Ames W", "factories": "0 Ames 0"},
    "incomplete links (6.2)": {"colors": "Boone W, Galena W", "factories": "0 Boone 3, 0 Galena 3"},
}


@pytest.mark.parametrize("entries", BOUGHT.values(), ids=BOUGHT)
def test_rule_6_3__a_color_that_cannot_reach_the_network_costs_5_to_the_bank(entries: Entries) -> None:
    ways = f"{OWN} / 1 Hibbing Elgin / 2 Boone Clinton / 1 Hibbing Galena / 1 Galena E5 N"
    game = begin(money=7, links=ways, **entries)
    assert (game.money, game.fulfilled(0), game.phase) == ([2, 0, 0], [0], "action")
    assert game.record.resources.sum() == sum(int(text[-1]) for text in entries.get("factories", "0").split(", "))


def test_rule_6_3__no_purchase_if_any_resource_can_reach() -> None:
    far: Entries = {"colors": "Galena W", "links": DETOUR, "factories": "1 Galena 3"}
    game = begin(money=6, **far)
    assert (game.money, legal(game)) == ([6, 0, 0], {"source Galena"})
    play(game, "source Galena, hop Hibbing, hop Elgin, hop Clinton, hop Boone, hop Ames")
    assert game.money == [0, 3, 3]  # six dollars instead of five
    cannot(position(money=[5, 0, 0], **far), "fulfil 0", "6.4")


def test_rule_6_3__a_purchase_is_made_when_the_units_run_out_within_the_contract() -> None:
    game = begin(colors="Ames W", factories="1 Ames 1", contracts="WWW $1", money=11)
    assert legal(game) == {"source Ames"}
    play(game, "source Ames")
    assert (game.money, game.fulfilled(0)) == ([1, 1, 0], [0])


def test_rule_6_3__the_units_of_one_contract_are_counted_together() -> None:
    # Two white ones for a dollar each, the third for five: $7 are needed, $6 do not do.
    for money, possible in ((6, set()), (7, {"0"})):
        game = position(colors="Ames W", links=OWN, factories="1 Ames 2", contracts="WWW", money=[money, 0, 0])
        assert choices(game, "fulfil") == possible


def test_rule_6_3__purchases_come_in_the_printed_order() -> None:
    game = begin(colors="Ames W", factories="1 Ames 4", contracts="BWGW", money=12)
    assert (game.money, legal(game)) == ([7, 0, 0], {"source Ames"})
    assert play(game, "source Ames").money == [1, 1, 0]  # a dollar for the white one, five for the gray one
    assert play(game, "source Ames").money == [0, 2, 0]


def test_rule_6_3__a_unit_out_of_reach_does_not_force_anything_and_one_in_reach_does() -> None:
    ways = f"{OWN} / 1 Hibbing Elgin"
    texts = {"colors": "Ames W, Hibbing W", "factories": "1 Ames 1, 1 Hibbing 3", "contracts": "WW"}
    game = begin("source Ames", links=ways, money=6, **texts)
    assert (game.money, game.city("Hibbing")["resources"]) == ([0, 1, 0], 3)


# --- 6.4 everything is paid with the money at hand ---------------------------------------------------
def test_rule_6_4__a_contract_that_cannot_be_paid_cannot_be_begun() -> None:
    cannot(position(links=OWN, contracts="WB", money=[9, 0, 0]), "fulfil 0", "6.4")
    assert choices(position(links=OWN, contracts="WB", money=[10, 0, 0]), "fulfil") == {"0"}
    some = position(colors="Ames W", links=OWN, factories="1 Ames 5", contracts="W / WW / WWW / B", money=[2, 0, 0])
    assert choices(some, "fulfil") == {"0", "1"}


def test_rule_6_4__the_reward_cannot_pay_for_the_resources() -> None:
    game = position(colors="Ames W", links=OWN, factories="1 Ames 3", contracts="W $10", money=[0, 9, 9])
    cannot(game, "fulfil 0", "6.4")


def test_rule_6_4__a_source_is_not_offered_where_the_rest_could_not_be_paid() -> None:
    game = begin(colors="Ames W, Dyson W", factories="0 Ames 1, 1 Dyson 3", contracts="WW", money=1)
    assert legal(game) == {"source Ames", "source Dyson"}
    play(game, "source Dyson")
    assert legal(game) == {"source Ames"}
    cannot(game, "source Dyson", "6.4")
    for money, sources in ((5, {"source Ames"}), (6, {"source Ames", "source Dyson"})):  # the black one costs $5
        texts = {"colors": "Ames W, Dyson W", "factories": "0 Ames 1, 1 Dyson 3", "contracts": "WB"}
        assert legal(begin(money=money, **texts)) == sources


def test_rule_6_4__a_cheap_unit_is_kept_for_later_if_nothing_else_can_be_paid() -> None:
    # White, then black, then white with $2: the second white must still be free.
    texts = {"colors": "Ames W, Dyson W, Boone B", "factories": "0 Ames 1, 1 Dyson 3, 2 Boone 2", "contracts": "WBW"}
    game = begin("source Dyson, source Boone", links=f"{OWN} / 0 Ames Boone", money=2, **texts)
    assert (legal(game), game.money) == ({"source Ames"}, [0, 1, 1])


BOTH = {"Dyson", "Elgin"}


@pytest.mark.parametrize(
    ("contract", "money", "hops"),
    [("W", 1, {"Dyson"}), ("W", 2, {"Dyson"}), ("W", 3, BOTH), ("WB", 7, {"Dyson"}), ("WB", 8, BOTH)],
)
def test_rule_6_4__a_longer_route_is_offered_only_if_the_rest_can_be_paid(
    contract: str, money: int, hops: set[str]
) -> None:
    # Boone - Dyson is one link, Boone - Elgin - Galena - Dyson three, Boone - Clinton a blind alley.
    ways = f"{OWN} / 1 Boone Dyson / 1 Boone Elgin / 2 Elgin Galena / 2 Galena Dyson / 1 Boone Clinton"
    game = begin("source Boone", colors="Boone W", links=ways, factories="0 Boone 3", contracts=contract, money=money)
    assert choices(game, "hop") == hops
    cannot(game, ", ".join(f"hop {city}" for city in {"Elgin", "Clinton"} - hops), "6.4")


def test_rule_6_4__no_hop_that_could_only_come_back_the_same_way() -> None:
    ways = f"{OWN} / 1 Elgin Boone / 1 Boone Dyson / 2 Elgin Clinton / 2 Clinton Boone / 2 Elgin Hibbing"
    game = begin("source Elgin", colors="Elgin W", links=ways, factories="0 Elgin 3", money=50)
    for hops, chosen in (({"Boone", "Clinton"}, "Clinton"), ({"Boone"}, "Boone"), ({"Dyson"}, "Dyson")):
        assert choices(game, "hop") == hops
        play(game, f"hop {chosen}")


# --- 6.5 the choice of the route ---------------------------------------------------------------------
def test_rule_6_5__with_any_a_longer_route_may_be_taken_to_pay_another() -> None:
    game = begin("source Boone", colors="Boone W", links=ROUNDABOUT, factories="0 Boone 3", money=5)
    assert legal(game) == {"hop Dyson", "hop Elgin"}
    assert play(game, "hop Elgin, hop Dyson").money == [3, 0, 2]


def test_rule_6_5__with_cheapest_only_a_cheapest_route_is_offered_from_any_source() -> None:
    texts = {"colors": "Boone W, Ames W", "links": ROUNDABOUT, "factories": "2 Boone 3, 0 Ames 3"}
    game = begin(money=5, routing="cheapest", **texts)
    assert legal(game) == {"source Ames", "source Boone"}
    assert legal(play(game, "source Boone")) == {"hop Dyson"}
    cannot(game, "hop Elgin", "6.5")


@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_6_5__equally_cheap_routes_are_all_offered(routing: str) -> None:
    ways = f"{OWN} / 1 Elgin Boone / 1 Boone Dyson / 2 Elgin Galena / 2 Galena Dyson"
    game = begin("source Elgin", colors="Elgin W", links=ways, factories="0 Elgin 3", money=2, routing=routing)
    assert legal(game) == {"hop Boone", "hop Galena"}


def test_rule_6_5__cheapest_counts_to_the_nearest_city_of_the_network() -> None:
    own, others = "0 Ames Dyson / 0 Dyson Fargo", "1 Elgin Boone / 1 Boone Ames / 2 Elgin Galena / 2 Galena Fargo"
    texts = {"colors": "Elgin W", "links": f"{own} / 2 Elgin Dyson / {others}", "factories": "0 Elgin 3"}
    assert legal(begin("source Elgin", money=9, routing="cheapest", **texts)) == {"hop Dyson"}


@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_6_5__who_is_paid_is_chosen_where_several_seats_have_a_link(routing: str) -> None:
    texts = {"colors": "Boone W", "links": f"{PARALLEL} / 2 Boone A5 A3 Ames", "factories": "0 Boone 3"}
    game = begin("source Boone, hop Ames", money=1, routing=routing, **texts)
    assert (game.money, legal(game), game.fulfilled(0)) == ([1, 0, 0], {"pay player_1", "pay player_2"}, [])
    play(game, "pay player_2")
    assert (game.money, game.fulfilled(0)) == ([0, 0, 1], [0])


def test_rule_6_5__links_to_different_cities_of_a_group_are_the_same_hop() -> None:
    ways = "0 Dyson Fargo / 1 Boone Dyson / 2 Boone Elgin"
    texts = {"colors": "Boone W", "links": ways, "factories": "0 Boone 3"}
    game = begin("source Boone", board=MIDDLE, money=1, **texts)
    assert legal(game) == {"hop Dyson"}
    game.step("hop Elgin")  # any city of the group names it
    assert legal(game) == {"pay player_1", "pay player_2"}
    assert play(game, "pay player_2").money == [0, 0, 1]


def test_rule_6_5__paying_goes_on_within_a_longer_route() -> None:
    ways = f"{PARALLEL} / 1 Boone Clinton / 2 Clinton A9 A7 Boone / 2 Boone A5 A3 Ames"
    game = begin("source Clinton", colors="Clinton W", links=ways, factories="1 Clinton 3", money=3)
    assert play(game, "hop Boone, pay player_2, hop Ames, pay player_1").money == [0, 2, 1]


def test_rule_6_5__no_group_is_visited_twice() -> None:
    # Hibbing - (Dyson Decatur Elgin) - Boone: the middle group has two links to Boone.
    ways = "0 Fargo Galena / 1 Hibbing Elgin / 1 Elgin Boone / 2 Boone Dyson / 2 Dyson Fargo"
    texts = {"colors": "Hibbing W", "links": ways, "factories": "0 Hibbing 3"}
    game = begin("source Hibbing", board=MIDDLE, money=50, **texts)
    game.step("hop Elgin")
    assert legal(game) == {"hop Fargo"}
    cannot(game, "hop Hibbing", "6.5")
    cannot(game, "hop Boone", "6.4")


# --- 6.6 the last resource ---------------------------------------------------------------------------
def test_rule_6_6__the_last_resource_flips_the_tile_and_the_factory_stays() -> None:
    texts = {"colors": "Ames W", "factories": "1 Ames 2", "contracts": "WW vp=0", "off_map": "WWB"}
    game = begin("source Ames", money=2, **texts)
    assert not game.city("Ames")["flipped"]
    assert "flip" not in [event.kind for event in game.events]
    assert game.scores()[1]["factories"] == 0
    play(game, "source Ames")
    assert [event.actor for event in game.events if event.kind == "flip"] == [0]
    assert (game.city("Ames")["flipped"], game.city("Ames")["owner"]) == (True, 1)
    assert [score["factories"] for score in game.scores()] == [0, 2 + 2, 0]
    assert game.factories_left == [15, 14, 15]
    cannot(game, "build Ames", "5.1")


def test_rule_6_6__resources_that_are_used_up_can_be_placed_again() -> None:
    full = ("Ames", "Clinton", "Elgin", "Fargo", "Galena")  # five cities hold all thirty
    game = position(
        colors=", ".join(f"{city} W" for city in (*full, "Boone")),
        links=f"{OWN} / 1 Dyson Boone / 1 Boone Clinton / 1 Clinton Elgin / 1 Elgin Galena / 1 Galena Fargo",
        factories=", ".join(f"0 {city} 6" for city in full),
        contracts="WW",
    )
    cannot(game, "build Boone", "5.2")
    play(game, "fulfil 0, source Ames, source Ames, build Boone")
    assert game.city("Boone")["resources"] == 2


def test_rule_6_6__a_city_emptied_within_the_contract_gives_nothing_more() -> None:
    texts = {"colors": "Ames W, Dyson W", "factories": "0 Ames 1, 1 Dyson 3", "contracts": "WWW"}
    game = begin("source Ames", money=9, **texts)
    assert game.city("Ames")["flipped"]  # at once, not at the end of the contract
    assert legal(game) == {"source Dyson"}
    cannot(game, "source Ames", "6.2")


# --- 6.7 reward and bonus ----------------------------------------------------------------------------
AFTER_IT = ("action", 0, 1)  # where a game goes on after the contract and its bonus


def rewarded(bonus: str, *, reward: int = 0, colors: str = "", contracts: str = "", **more: Any) -> Game:
    """Seat 0 has just fulfilled a white contract from its own factory in Ames."""
    contracts = f"W ${reward} vp=3 bonus={bonus}{contracts}"
    entries = {"colors": f"Ames W, {colors}", "factories": "0 Ames 3", "contracts": contracts, **more}
    return begin("source Ames", **entries)


def test_rule_6_7__money_and_victory_points() -> None:
    game = rewarded("none", money=2, reward=7)
    assert game.money == [9, 0, 0]
    assert (game.scores()[0]["contracts"], game.scores()[0]["money"]) == (3, 1)


def test_rule_6_7__the_money_comes_before_the_bonus() -> None:
    game = rewarded("track", reward=4)
    assert (game.money[0], game.fulfilled(0), where(game)) == (4, [0], ("bonus", 0, 2))


@pytest.mark.parametrize(("bonus", "word"), [("track", "start"), ("factory", "build"), ("contracts", "contracts")])
def test_rule_6_7__only_the_printed_bonus_is_offered_and_may_be_declined(bonus: str, word: str) -> None:
    game = rewarded(bonus, colors="Dyson B", contracts=" / B / B", hands=[[0], [], []], deck=[1, 2])
    assert {text.split()[0] for text in legal(game)} == {word, "done"}
    assert game.explain("money") is not None
    before = (links(game), game.factories_left, game.hand(0), game.deck_size)
    play(game, "done")
    assert (links(game), game.factories_left, game.hand(0), game.deck_size) == before
    assert where(game) == AFTER_IT


def test_rule_6_7__a_bonus_of_track_is_one_or_two_placements_and_no_action() -> None:
    game = play(rewarded("track"), "start Ames SW, head S")
    assert {"done", "remove"} <= legal(game)
    assert where(play(game.clone(), "done")) == AFTER_IT
    play(game, "head SE")  # the second placement reaches Boone
    assert (links(game)[-1], where(game)) == ("0: Ames A3 A5 Boone", AFTER_IT)


def test_rule_6_7__after_the_last_action_the_bonus_comes_before_the_next_seat() -> None:
    game = rewarded("track", actions_left=1)
    assert (game.phase, game.seat) == ("bonus", 0)
    assert where(play(game, "start Ames SW, head S, done")) == ("action", 1, 2)


def test_rule_6_7__the_rewards_money_pays_for_the_bonus_track() -> None:
    game = rewarded("track", board=grid(A3="h", B4="m", A1="~", C1="~"), reward=2)
    assert "Ames S" not in choices(game, "start")  # the mountains cost $4
    assert play(game, "start Ames SW, head S").money[0] == 0


def test_rule_6_7__bonus_track_continues_an_incomplete_link() -> None:
    game = rewarded("track", links=f"{OWN} / 0 Ames A3 S")
    assert not choices(game, "start")
    assert {"head SE", "replace SE", "remove", "done"} <= legal(game)
    assert play(game, "head SE").links()[-1]["complete"]
    assert choices(game, "start")  # with the second placement a new one may be begun (rule 4.5)


MOUNTAINS = dict.fromkeys(
    ("B4", "A1", "A3", "C1", "C5", "D2", "D6", "E3", "E5"), "m"
)  # round the network, and no money
NO_DECISION: dict[str, tuple[str, Entries]] = {
    "no bonus on the contract": ("none", {"colors": "Dyson B"}),
    "no placement possible": ("track", {"board": grid(**MOUNTAINS)}),
    "no city to build on": ("factory", {}),  # Dyson is purple
    "only the city flipped by the contract": ("factory", {"factories": "0 Ames 1"}),
    "no contracts to gain": ("contracts", {"contracts": " / B / B / B", "deck": [], "hands": [[0, 1, 2], [], [3]]}),
}


@pytest.mark.parametrize(("bonus", "entries"), NO_DECISION.values(), ids=NO_DECISION)
def test_rule_6_7__no_decision_where_the_bonus_is_impossible(bonus: str, entries: Entries) -> None:
    assert where(rewarded(bonus, **entries)) == AFTER_IT


def test_rule_6_7__a_bonus_factory_of_a_seat_without_factories_is_no_decision() -> None:
    for built, phase in ((14, "bonus"), (15, "action")):
        factories = "0 Town1 1, " + towns(range(2, built + 1), "0 {} 0")
        texts = {"colors": towns(range(1, 18), "{} W"), "links": "0 Town17 Zion", "contracts": "W bonus=factory"}
        assert begin("source Town1", board=belt(17), factories=factories, **texts).phase == phase


def test_rule_6_7__bonus_track_of_a_seat_without_trains_only_finishes_its_link() -> None:
    # The preview edition has 18 trains (rule 10): all are on the lattice, once with the last link complete, once not.
    ways = (
        "Ames Boone / Boone Clinton / Ames Dyson / Boone Dyson / Dyson Elgin / Boone Elgin / Clinton Elgin"
        " / Dyson Fargo / Fargo Galena / Galena Hibbing / Galena Dyson / Galena Elgin / Elgin Hibbing"
        " / Ames A3 A5 Boone / Boone A7 A9 Clinton / Fargo G3 G5 Galena / Galena G7 G9 Hibbing"
    )
    own = " / ".join(f"0 {way}" for way in ways.split(" / "))
    assert where(rewarded("track", links=f"{own} / 0 Ames C1 D2 E1 Fargo", edition="preview")) == AFTER_IT
    game = rewarded("track", links=f"{own} / 0 Ames C1 SE", edition="preview")
    assert game.trains[0] == 0
    assert {text.split()[0] for text in legal(game)} == {"head", "remove", "replace", "done"}
    play(game, "head S")  # into Dyson; without a train there is no second placement
    assert game.links()[-1]["complete"]
    assert where(game) == AFTER_IT


def test_rule_6_7__a_bonus_of_contracts_draws_two_which_the_next_action_may_fulfil() -> None:
    game = rewarded("contracts", contracts=" / W bonus=track / B / B", hands=[[0], [], []], deck=[3, 1, 2])
    play(game, "contracts")
    assert (game.hand(0), game.deck_size, where(game)) == ([1, 3], 1, AFTER_IT)
    play(game, "fulfil 1, source Ames")
    assert (game.phase, game.fulfilled(0)) == ("bonus", [0, 1])
