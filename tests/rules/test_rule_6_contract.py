"""Rule 6, fulfil a contract: who may, where resources come from, what they cost, what is gained.

The lattice of ``positions.grid``; seat 0 acts and all contracts are in its hand unless a test says otherwise.
"""

import random
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import pytest

from steam_env import Game, IllegalActionError
from tests.rules.positions import GRID_CITIES, belt, grid, legal, play, position, refused, towns

OWN = "0 Ames Dyson"  # the network of seat 0 in most tests
DETOUR = "1 Galena Helena / 1 Helena Elgin / 2 Elgin Clinton / 2 Clinton Boone / 2 Boone Ames"  # five links


# --- 6.1 who may fulfil ------------------------------------------------------------------------------


def test_rule_6_1__a_complete_own_link_is_needed() -> None:
    game = position(colors="Ames W", links="1 Ames Dyson", factories="0 Ames 3", money=[50, 0, 0])
    assert refused(game, "fulfil 0", "6.1")


def test_rule_6_1__an_incomplete_own_link_is_not_enough() -> None:
    game = position(colors="Ames W", links="1 Ames Dyson / 0 Ames B4 SE", factories="0 Ames 3", money=[50, 0, 0])
    assert refused(game, "fulfil 0", "6.1")


def test_rule_6_1__one_own_link_anywhere_is_enough() -> None:
    game = position(links="0 Helena Elgin", money=[5, 0, 0])
    assert legal(game, "fulfil") == {"fulfil 0"}


def test_rule_6_1__an_own_link_inside_a_group_makes_a_network() -> None:
    game = position(
        board=grid(B8="Beloit"),
        colors="Beloit W",
        links="0 Boone A7 A9 Clinton",
        factories="0 Beloit 1",
        money=[0, 0, 0],
    )
    play(game, "fulfil 0", "source Beloit")
    assert game.fulfilled(0) == [0]


def test_rule_6_1__only_a_contract_in_hand_can_be_fulfilled() -> None:
    game = position(
        links=OWN,
        contracts="W / W / W / W",
        hands=[[0], [1], []],
        fulfilled=[[2], [], []],
        deck=[3],
        money=[50, 50, 50],
    )
    assert legal(game, "fulfil") == {"fulfil 0"}
    for other in (1, 2, 3):
        assert refused(game, f"fulfil {other}", "6.1")


def test_rule_6_1__a_fulfilled_contract_is_not_in_hand_any_more() -> None:
    game = position(links=OWN, contracts="W / WW", money=[50, 0, 0])
    game.step("fulfil 0")
    assert (game.hand(0), game.fulfilled(0)) == ([1], [0])
    assert legal(game, "fulfil") == {"fulfil 1"}


def test_rule_6_1__fulfilling_is_one_action() -> None:
    game = position(colors="Ames W", links=OWN, factories="0 Ames 3", contracts="W / W")
    play(game, "fulfil 0", "source Ames")
    assert (game.seat, game.actions_left) == (0, 1)
    play(game, "fulfil 1", "source Ames")
    assert (game.seat, game.actions_left) == (1, 2)


def test_rule_6_1__the_contract_leaves_the_hand_when_its_last_resource_is_there() -> None:
    game = position(colors="Ames W", links=OWN, factories="0 Ames 3", contracts="WW")
    play(game, "fulfil 0", "source Ames")
    assert (game.hand(0), game.fulfilled(0), game.actions_left) == ([0], [], 2)
    game.step("source Ames")
    assert (game.hand(0), game.fulfilled(0), game.actions_left) == ([], [0], 1)


# --- 6.2 where resources come from and who is paid ---------------------------------------------------


def test_rule_6_2__from_an_own_factory_in_the_network_it_is_free() -> None:
    game = position(colors="Ames W", links=OWN, factories="0 Ames 3", money=[0, 0, 0])
    game.step("fulfil 0")
    assert legal(game) == {"source Ames"}  # a single choice is still a decision
    game.step("source Ames")
    assert game.money == [0, 0, 0]
    assert game.city("Ames")["resources"] == 2
    assert game.fulfilled(0) == [0]


def test_rule_6_2__the_owner_of_a_foreign_factory_gets_a_dollar_at_the_source() -> None:
    game = position(colors="Dyson W", links=OWN, factories="2 Dyson 3", money=[1, 0, 0])
    play(game, "fulfil 0")
    assert game.money == [1, 0, 0]
    game.step("source Dyson")
    assert game.money == [0, 0, 1]


def test_rule_6_2__a_foreign_link_costs_a_dollar_to_its_owner_at_the_hop() -> None:
    game = position(colors="Boone W", links=f"{OWN} / 1 Boone Dyson", factories="0 Boone 3", money=[1, 0, 0])
    play(game, "fulfil 0", "source Boone")
    assert (game.money, legal(game)) == ([1, 0, 0], {"hop Dyson"})
    game.step("hop Dyson")
    assert (game.money, game.fulfilled(0)) == ([0, 1, 0], [0])


def test_rule_6_2__factory_and_links_are_paid_one_by_one_each_to_its_owner() -> None:
    # The rulebook's third resource: Blue's factory, over a link of Blue and one of Red.
    game = position(
        colors="Helena O",
        contracts="O",
        links=f"{OWN} / 2 Helena Elgin / 1 Elgin Dyson",
        factories="2 Helena 3",
        money=[3, 0, 0],
    )
    game.step("fulfil 0")
    for action, money in (("source Helena", [2, 0, 1]), ("hop Elgin", [1, 0, 2]), ("hop Dyson", [0, 1, 2])):
        game.step(action)
        assert game.money == money


def test_rule_6_2__a_link_costs_a_dollar_however_many_tiles_it_has() -> None:
    game = position(
        colors="Clinton W", links=f"{OWN} / 1 Clinton A9 A7 A5 A3 Ames", factories="0 Clinton 3", money=[1, 0, 0]
    )
    play(game, "fulfil 0", "source Clinton", "hop Ames")
    assert game.money == [0, 1, 0]


def test_rule_6_2__own_links_are_free_anywhere_in_the_network() -> None:
    game = position(
        colors="Helena W",
        links=f"{OWN} / 0 Dyson Elgin / 0 Elgin Helena / 1 Helena Galena",
        factories="0 Helena 1",
        money=[0, 0, 0],
    )
    play(game, "fulfil 0", "source Helena")
    assert game.fulfilled(0) == [0]


def test_rule_6_2__foreign_links_beside_own_ones_are_not_used() -> None:
    game = position(
        colors="Ames W", links=f"{OWN} / 1 Ames B4 C5 Dyson", factories="1 Ames 2", contracts="WW", money=[2, 0, 0]
    )
    play(game, "fulfil 0", "source Ames", "source Ames")
    assert game.money == [0, 2, 0]


def test_rule_6_2__the_journey_ends_at_the_first_city_of_the_network() -> None:
    game = position(
        colors="Clinton W", links=f"{OWN} / 0 Ames Boone / 1 Clinton Boone", factories="0 Clinton 3", money=[1, 0, 0]
    )
    play(game, "fulfil 0", "source Clinton", "hop Boone")
    assert (game.money, game.fulfilled(0)) == ([0, 1, 0], [0])


def test_rule_6_2__each_resource_is_paid_on_its_own() -> None:
    game = position(
        colors="Boone W", links=f"{OWN} / 1 Boone Dyson", factories="2 Boone 4", contracts="WWW", money=[6, 0, 0]
    )
    game.step("fulfil 0")
    for number in (1, 2, 3):
        play(game, "source Boone", "hop Dyson")
        assert game.money == [6 - 2 * number, number, number]
    assert game.city("Boone")["resources"] == 1


def test_rule_6_2__resources_are_handled_in_the_order_printed() -> None:
    game = position(colors="Ames W, Dyson B", links=OWN, factories="0 Ames 3, 0 Dyson 3", contracts="WBW")
    game.step("fulfil 0")
    for city in ("Ames", "Dyson", "Ames"):
        assert legal(game) == {f"source {city}"}
        game.step(f"source {city}")


def test_rule_6_2__a_city_of_the_networks_group_is_in_the_network() -> None:
    game = position(
        board=grid(B8="Beloit"),
        colors="Clinton W",
        links="0 Boone Dyson / 1 Clinton Elgin",
        factories="0 Clinton 2",
        money=[0, 0, 0],
    )
    play(game, "fulfil 0", "source Clinton")
    assert game.fulfilled(0) == [0]


def test_rule_6_2__groups_are_free_to_cross_on_the_way() -> None:
    # Helena - Elgin = Decatur = Dyson - Fargo: the middle is one group.
    game = position(
        board=grid(D6="Decatur"),
        colors="Helena W",
        links="0 Ames Boone / 1 Helena Elgin / 2 Dyson Ames",
        factories="0 Helena 2",
        money=[2, 0, 0],
    )
    play(game, "fulfil 0", "source Helena")
    assert legal(game) == {"hop Dyson"}
    play(game, "hop Dyson", "hop Ames")
    assert game.money == [0, 1, 1]


def test_rule_6_2__incomplete_links_carry_nothing() -> None:
    game = position(
        colors="Boone W, Galena W",
        links=f"{OWN} / 2 Boone Clinton / 1 Galena Helena / 1 Galena E5 N",
        factories="0 Boone 3, 0 Galena 3",
        contracts="W",
        money=[5, 0, 0],
    )
    game.step("fulfil 0")
    assert game.money == [0, 0, 0]  # bought: neither city has a way


def test_rule_6_2__only_factories_of_the_color_with_resources_left_are_sources() -> None:
    game = position(
        colors="Ames W, Boone W, Elgin B, Clinton W, Galena W",
        links=f"{OWN} / 0 Ames Boone / 0 Boone Elgin / 0 Boone Clinton / 0 Elgin Galena",
        factories="0 Ames 2, 0 Boone 0, 0 Elgin 3, 1 Clinton 1",
    )
    game.step("fulfil 0")
    assert legal(game) == {"source Ames", "source Clinton"}
    for city in ("Boone", "Elgin", "Galena", "Dyson"):
        assert refused(game, f"source {city}", "6.2")


def test_rule_6_2__a_bystanders_links_and_factories_earn_nothing() -> None:
    game = position(
        colors="Boone W, Dyson B",
        links=f"{OWN} / 1 Boone Dyson / 2 Boone Elgin / 2 Elgin Dyson",
        factories="0 Boone 3, 2 Dyson 3",
        money=[1, 0, 0],
    )
    play(game, "fulfil 0", "source Boone", "hop Dyson")
    assert game.money == [0, 1, 0]


# --- 6.3 the forced purchase -------------------------------------------------------------------------


def test_rule_6_3__a_color_that_is_nowhere_costs_5_to_the_bank() -> None:
    game = position(links=OWN, money=[7, 1, 1])
    game.step("fulfil 0")
    assert (game.money, game.fulfilled(0), game.phase) == ([2, 1, 1], [0], "action")


def test_rule_6_3__a_color_without_a_way_to_the_network_costs_5() -> None:
    game = position(colors="Helena W", links=f"{OWN} / 1 Helena Elgin", factories="1 Helena 3", money=[7, 1, 1])
    game.step("fulfil 0")
    assert (game.money, game.city("Helena")["resources"]) == ([2, 1, 1], 3)


def test_rule_6_3__an_own_factory_does_not_make_its_city_part_of_the_network() -> None:
    game = position(colors="Helena W", links=f"{OWN} / 1 Helena Elgin", factories="0 Helena 3", money=[5, 0, 0])
    game.step("fulfil 0")
    assert (game.money[0], game.city("Helena")["resources"]) == (0, 3)


def test_rule_6_3__flipped_cities_have_nothing_left() -> None:
    game = position(colors="Ames W", links=OWN, factories="0 Ames 0", money=[5, 0, 0])
    game.step("fulfil 0")
    assert game.money[0] == 0


def test_rule_6_3__no_purchase_if_any_resource_can_reach() -> None:
    game = position(colors="Galena W", links=f"{OWN} / {DETOUR}", factories="1 Galena 3", money=[6, 0, 0])
    game.step("fulfil 0")
    assert (game.money, legal(game)) == ([6, 0, 0], {"source Galena"})
    play(game, "source Galena", "hop Helena", "hop Elgin", "hop Clinton", "hop Boone", "hop Ames")
    assert game.money == [0, 3, 3]  # six dollars instead of five


def test_rule_6_3__five_dollars_do_not_do_where_a_way_costs_more() -> None:
    game = position(colors="Galena W", links=f"{OWN} / {DETOUR}", factories="1 Galena 3", money=[5, 0, 0])
    assert refused(game, "fulfil 0", "6.4")


def test_rule_6_3__a_purchase_is_made_when_the_units_run_out_within_the_contract() -> None:
    game = position(colors="Ames W", links=OWN, factories="1 Ames 1", contracts="WWW $1", money=[11, 0, 0])
    play(game, "fulfil 0")
    assert legal(game) == {"source Ames"}
    game.step("source Ames")
    assert (game.money, game.fulfilled(0)) == ([1, 1, 0], [0])


def test_rule_6_3__the_units_of_one_contract_are_counted_together() -> None:
    # Two white ones for a dollar each, the third for five: $7 are needed, $6 do not do.
    for money, possible in ((6, False), (7, True)):
        game = position(colors="Ames W", links=OWN, factories="1 Ames 2", contracts="WWW", money=[money, 0, 0])
        assert ("fulfil 0" in legal(game)) == possible


def test_rule_6_3__purchases_come_in_the_printed_order() -> None:
    game = position(colors="Ames W", links=OWN, factories="1 Ames 4", contracts="BWGW", money=[12, 0, 0])
    game.step("fulfil 0")
    assert (game.money, legal(game)) == ([7, 0, 0], {"source Ames"})
    game.step("source Ames")
    assert game.money == [1, 1, 0]  # a dollar for the white one, five for the gray one
    game.step("source Ames")
    assert game.money == [0, 2, 0]


def test_rule_6_3__a_unit_out_of_reach_does_not_force_anything_and_one_in_reach_does() -> None:
    game = position(
        colors="Ames W, Helena W", links=f"{OWN} / 1 Helena Elgin", factories="1 Ames 1, 1 Helena 3", contracts="WW",
        money=[6, 0, 0],
    )  # fmt: skip
    play(game, "fulfil 0", "source Ames")
    assert (game.money, game.city("Helena")["resources"]) == ([0, 1, 0], 3)


# --- 6.4 everything is paid with the money at hand ---------------------------------------------------


def test_rule_6_4__a_contract_that_cannot_be_paid_cannot_be_begun() -> None:
    game = position(links=OWN, contracts="WB", money=[9, 0, 0])
    before = game.records.copy()
    assert refused(game, "fulfil 0", "6.4")
    with pytest.raises(IllegalActionError, match=r"rule 6\.4"):
        game.step("fulfil 0")
    assert game.records.tobytes() == before.tobytes()
    assert "fulfil 0" in legal(position(links=OWN, contracts="WB", money=[10, 0, 0]))


def test_rule_6_4__the_reward_cannot_pay_for_the_resources() -> None:
    game = position(colors="Ames W", links=OWN, factories="1 Ames 3", contracts="W $10", money=[0, 9, 9])
    assert refused(game, "fulfil 0", "6.4")


def test_rule_6_4__a_source_is_not_offered_where_the_rest_could_not_be_paid() -> None:
    game = position(
        colors="Ames W, Dyson W", links=OWN, factories="0 Ames 1, 1 Dyson 3", contracts="WW", money=[1, 0, 0]
    )
    game.step("fulfil 0")
    assert legal(game) == {"source Ames", "source Dyson"}
    game.step("source Dyson")
    assert legal(game) == {"source Ames"}
    assert refused(game, "source Dyson", "6.4")


def test_rule_6_4__a_cheap_unit_is_kept_for_later_if_nothing_else_can_be_paid() -> None:
    # White then black then white with $1: the second white must still be free.
    game = position(
        colors="Ames W, Dyson W, Boone B",
        links=f"{OWN} / 0 Ames Boone",
        factories="0 Ames 1, 1 Dyson 3, 2 Boone 2",
        contracts="WBW",
        money=[2, 0, 0],
    )
    play(game, "fulfil 0", "source Dyson", "source Boone")
    assert legal(game) == {"source Ames"}
    assert game.money == [0, 1, 1]


@pytest.mark.parametrize(("money", "hops"), [(1, {"Dyson"}), (2, {"Dyson"}), (3, {"Dyson", "Elgin"})])
def test_rule_6_4__a_longer_route_is_offered_only_if_the_rest_can_be_paid(money: int, hops: set[str]) -> None:
    # Boone - Dyson is one link, Boone - Elgin - Galena - Dyson three.
    game = position(
        colors="Boone W",
        links=f"{OWN} / 1 Boone Dyson / 1 Boone Elgin / 2 Elgin Galena / 2 Galena Dyson",
        factories="0 Boone 3",
        money=[money, 0, 0],
    )
    play(game, "fulfil 0", "source Boone")
    assert legal(game) == {f"hop {city}" for city in hops}
    if money < 3:
        assert refused(game, "hop Elgin", "6.4")


def test_rule_6_4__a_longer_route_leaves_enough_for_the_rest_of_the_contract() -> None:
    links = f"{OWN} / 1 Boone Dyson / 1 Boone Elgin / 2 Elgin Dyson"
    for money, second in ((7, {"hop Dyson"}), (8, {"hop Dyson", "hop Elgin"})):
        game = position(colors="Boone W", links=links, factories="1 Boone 3", contracts="WB", money=[money, 0, 0])
        play(game, "fulfil 0", "source Boone")
        assert legal(game) == second


def test_rule_6_4__no_hop_into_a_blind_alley() -> None:
    game = position(
        colors="Boone W",
        links=f"{OWN} / 1 Boone Dyson / 1 Boone Clinton / 2 Clinton Elgin",
        factories="0 Boone 3",
        money=[50, 0, 0],
    )
    play(game, "fulfil 0", "source Boone")
    assert legal(game) == {"hop Dyson"}
    assert refused(game, "hop Clinton", "6.4")


def test_rule_6_4__no_hop_that_could_only_come_back_the_same_way() -> None:
    # From Elgin the only way on is back through Boone.
    game = position(
        colors="Elgin W",
        links=f"{OWN} / 1 Elgin Boone / 1 Boone Dyson / 2 Elgin Clinton / 2 Clinton Boone / 2 Elgin Helena",
        factories="0 Elgin 3",
        money=[50, 0, 0],
    )
    play(game, "fulfil 0", "source Elgin")
    assert legal(game) == {"hop Boone", "hop Clinton"}
    game.step("hop Clinton")
    assert legal(game) == {"hop Boone"}
    game.step("hop Boone")
    assert legal(game) == {"hop Dyson"}


def test_rule_6_4__unaffordable_among_affordable_contracts_is_left_out() -> None:
    game = position(colors="Ames W", links=OWN, factories="1 Ames 5", contracts="W / WW / WWW / B", money=[2, 0, 0])
    assert legal(game, "fulfil") == {"fulfil 0", "fulfil 1"}


# --- 6.5 the choice of the route ---------------------------------------------------------------------


ROUNDABOUT = f"{OWN} / 1 Boone Dyson / 2 Boone Elgin / 2 Elgin Dyson"


def test_rule_6_5__with_any_a_longer_route_may_be_taken_to_pay_another() -> None:
    game = position(colors="Boone W", links=ROUNDABOUT, factories="0 Boone 3", money=[5, 0, 0])
    play(game, "fulfil 0", "source Boone")
    assert legal(game) == {"hop Dyson", "hop Elgin"}
    play(game, "hop Elgin", "hop Dyson")
    assert game.money == [3, 0, 2]


def test_rule_6_5__with_cheapest_only_a_cheapest_route_is_offered() -> None:
    game = position(colors="Boone W", links=ROUNDABOUT, factories="0 Boone 3", money=[5, 0, 0], routing="cheapest")
    play(game, "fulfil 0", "source Boone")
    assert legal(game) == {"hop Dyson"}
    assert refused(game, "hop Elgin", "6.5")


def test_rule_6_5__with_cheapest_the_source_is_still_a_free_choice() -> None:
    game = position(
        colors="Boone W, Ames W", links=ROUNDABOUT, factories="2 Boone 3, 0 Ames 3", money=[5, 0, 0], routing="cheapest"
    )
    game.step("fulfil 0")
    assert legal(game) == {"source Ames", "source Boone"}


@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_6_5__equally_cheap_routes_are_all_offered(routing: str) -> None:
    game = position(
        colors="Elgin W",
        links=f"{OWN} / 1 Elgin Boone / 1 Boone Dyson / 2 Elgin Galena / 2 Galena Dyson",
        factories="0 Elgin 3",
        money=[2, 0, 0],
        routing=routing,
    )
    play(game, "fulfil 0", "source Elgin")
    assert legal(game) == {"hop Boone", "hop Galena"}


def test_rule_6_5__cheapest_counts_to_the_nearest_city_of_the_network() -> None:
    game = position(
        colors="Elgin W",
        links="0 Ames Dyson / 0 Dyson Fargo / 1 Elgin Boone / 1 Boone Ames"
        " / 2 Elgin Dyson / 2 Elgin Galena / 2 Galena Fargo",
        factories="0 Elgin 3",
        money=[9, 0, 0],
        routing="cheapest",
    )
    play(game, "fulfil 0", "source Elgin")
    assert legal(game) == {"hop Dyson"}


def test_rule_6_5__no_hop_leads_through_the_own_network() -> None:
    game = position(
        colors="Clinton W",
        links="0 Boone Dyson / 1 Clinton Boone / 1 Boone Ames",
        factories="0 Clinton 3",
        money=[9, 0, 0],
    )
    play(game, "fulfil 0", "source Clinton")
    assert legal(game) == {"hop Boone"}
    game.step("hop Boone")
    assert game.fulfilled(0) == [0]


@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_6_5__who_is_paid_is_chosen_where_several_seats_have_a_link(routing: str) -> None:
    game = position(
        colors="Boone W",
        links="0 Ames Dyson / 1 Boone Ames / 2 Boone A5 A3 Ames",
        factories="0 Boone 3",
        money=[1, 0, 0],
        routing=routing,
    )
    play(game, "fulfil 0", "source Boone", "hop Ames")
    assert (game.money, legal(game), game.fulfilled(0)) == ([1, 0, 0], {"pay player_1", "pay player_2"}, [])
    game.step("pay player_2")
    assert (game.money, game.fulfilled(0)) == ([0, 0, 1], [0])


def test_rule_6_5__two_links_of_one_seat_are_no_choice() -> None:
    game = position(
        colors="Boone W",
        links="0 Ames Dyson / 1 Boone Ames / 1 Boone A5 A3 Ames",
        factories="0 Boone 3",
        money=[1, 0, 0],
    )
    play(game, "fulfil 0", "source Boone", "hop Ames")
    assert game.money == [0, 1, 0]


def test_rule_6_5__an_incomplete_parallel_link_is_no_choice() -> None:
    game = position(
        colors="Boone W", links="0 Ames Dyson / 1 Boone Ames / 2 Boone A5 N", factories="0 Boone 3", money=[1, 0, 0]
    )
    play(game, "fulfil 0", "source Boone", "hop Ames")
    assert game.money == [0, 1, 0]


def test_rule_6_5__links_to_different_cities_of_a_group_are_the_same_hop() -> None:
    game = position(
        board=grid(D6="Decatur"),
        colors="Boone W",
        links="0 Dyson Fargo / 1 Boone Dyson / 2 Boone Elgin",
        factories="0 Boone 3",
        money=[1, 0, 0],
    )
    play(game, "fulfil 0", "source Boone")
    assert legal(game) == {"hop Dyson"}
    game.step("hop Elgin")  # any city of the group names it
    assert legal(game) == {"pay player_1", "pay player_2"}
    game.step("pay player_2")
    assert (game.money, game.fulfilled(0)) == ([0, 0, 1], [0])


def test_rule_6_5__paying_goes_on_within_a_longer_route() -> None:
    links = "0 Ames Dyson / 1 Clinton Boone / 2 Clinton A9 A7 Boone / 2 Boone Ames / 1 Boone A5 A3 Ames"
    game = position(colors="Clinton W", links=links, factories="1 Clinton 3", money=[3, 0, 0])
    play(game, "fulfil 0", "source Clinton", "hop Boone", "pay player_2", "hop Ames", "pay player_1")
    assert game.money == [0, 2, 1]


def test_rule_6_5__the_next_resource_may_pass_the_same_groups_again() -> None:
    game = position(
        colors="Helena W",
        links=f"{OWN} / 1 Helena Elgin / 2 Elgin Dyson",
        factories="0 Helena 3",
        contracts="WW",
        money=[4, 0, 0],
    )
    game.step("fulfil 0")
    for _ in range(2):
        play(game, "source Helena", "hop Elgin", "hop Dyson")
    assert (game.money, game.fulfilled(0)) == ([0, 2, 2], [0])


def test_rule_6_5__no_group_is_visited_twice() -> None:
    # Helena - (Dyson Decatur Elgin) - Boone - ... the middle group has two links to Boone.
    game = position(
        board=grid(D6="Decatur"),
        colors="Helena W",
        links="0 Fargo Galena / 1 Helena Elgin / 1 Elgin Boone / 2 Boone Dyson / 2 Dyson Fargo",
        factories="0 Helena 3",
        money=[50, 0, 0],
    )
    play(game, "fulfil 0", "source Helena", "hop Elgin")
    assert legal(game) == {"hop Fargo"}
    assert refused(game, "hop Helena", "6.5")
    assert refused(game, "hop Boone", "6.4")


# --- 6.6 the last resource ---------------------------------------------------------------------------


def test_rule_6_6__the_last_resource_flips_the_tile_and_the_factory_stays() -> None:
    game = position(
        colors="Ames W", links=OWN, factories="1 Ames 2", contracts="WW vp=0", off_map="WWB", money=[2, 0, 0]
    )
    play(game, "fulfil 0", "source Ames")
    assert not game.city("Ames")["flipped"]
    assert "flip" not in [event.kind for event in game.events]
    assert game.scores()[1]["factories"] == 0
    game.step("source Ames")
    assert [event.actor for event in game.events if event.kind == "flip"] == [0]
    assert (game.city("Ames")["flipped"], game.city("Ames")["owner"]) == (True, 1)
    assert [score["factories"] for score in game.scores()] == [0, 2 + 2, 0]
    assert game.factories_left == [15, 14, 15]
    assert refused(game, "build Ames", "5.1")


def test_rule_6_6__resources_that_are_used_up_can_be_placed_again() -> None:
    full = ("Ames", "Clinton", "Elgin", "Fargo", "Galena")  # five cities hold all thirty
    game = position(
        colors=", ".join(f"{city} W" for city in (*full, "Boone")),
        links=f"{OWN} / 1 Dyson Boone / 1 Boone Clinton / 1 Clinton Elgin / 1 Elgin Galena / 1 Galena Fargo",
        factories=", ".join(f"0 {city} 6" for city in full),
        contracts="WW",
        money=[0, 0, 0],
    )
    assert refused(game, "build Boone", "5.2")
    play(game, "fulfil 0", "source Ames", "source Ames", "build Boone")
    assert game.city("Boone")["resources"] == 2


def test_rule_6_6__a_city_emptied_within_the_contract_gives_nothing_more() -> None:
    game = position(
        colors="Ames W, Dyson W", links=OWN, factories="0 Ames 1, 1 Dyson 3", contracts="WWW", money=[9, 0, 0]
    )
    play(game, "fulfil 0", "source Ames")
    assert game.city("Ames")["flipped"]  # at once, not at the end of the contract
    assert legal(game) == {"source Dyson"}
    assert refused(game, "source Ames", "6.2")


# --- 6.7 reward and bonus ----------------------------------------------------------------------------


def rewarded(bonus: str, *, links: str = OWN, money: int = 0, reward: int = 0, **more: object) -> Game:
    """Seat 0 has just fulfilled a white contract from its own factory in Ames."""
    game = position(
        colors=f"Ames W, {more.pop('colors', '')}",
        links=links,
        factories=f"0 Ames 3, {more.pop('factories', '')}",
        contracts=f"W ${reward} vp=3 bonus={bonus}{more.pop('contracts', '')}",
        money=[money, 0, 0],
        **more,  # type: ignore[arg-type]
    )
    play(game, "fulfil 0", "source Ames")
    return game


def test_rule_6_7__money_and_victory_points() -> None:
    game = rewarded("none", money=2, reward=7)
    assert game.money == [9, 0, 0]
    assert (game.scores()[0]["contracts"], game.scores()[0]["money"]) == (3, 1)
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_6_7__the_money_comes_before_the_bonus() -> None:
    game = rewarded("track", reward=4)
    assert (game.money[0], game.phase, game.actions_left) == (4, "bonus", 2)
    assert game.fulfilled(0) == [0]


@pytest.mark.parametrize("bonus", ["track", "factory", "contracts"])
def test_rule_6_7__a_bonus_may_be_declined(bonus: str) -> None:
    game = rewarded(bonus, colors="Dyson B", contracts=" / B / B", hands=[[0], [], []], deck=[1, 2])
    assert "done" in legal(game)
    before = (game.links(), game.factories_left, game.hand(0), game.deck_size)
    game.step("done")
    assert (game.links(), game.factories_left, game.hand(0), game.deck_size) == before
    assert (game.phase, game.seat, game.actions_left) == ("action", 0, 1)


@pytest.mark.parametrize(
    ("bonus", "words"),
    [("track", {"start", "done"}), ("factory", {"build", "done"}), ("contracts", {"contracts", "done"})],
)
def test_rule_6_7__only_the_printed_bonus_is_offered(bonus: str, words: set[str]) -> None:
    game = rewarded(bonus, colors="Dyson B", contracts=" / B / B", hands=[[0], [], []], deck=[1, 2])
    assert {text.split()[0] for text in legal(game)} == words
    assert game.explain("money") is not None


def test_rule_6_7__no_bonus_on_the_contract_is_no_decision() -> None:
    game = rewarded("none", colors="Dyson B")
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_6_7__a_bonus_of_track_is_two_placements_and_no_action() -> None:
    game = rewarded("track")
    play(game, "start Ames SW", "head S")
    assert {"done", "remove"} <= legal(game)
    game.step("head SE")  # the second placement reaches Boone
    assert [link["path"] for link in game.links()][-1] == ["Ames", "A3", "A5", "Boone"]
    assert (game.phase, game.seat, game.actions_left) == ("action", 0, 1)


def test_rule_6_7__a_bonus_of_track_may_end_after_one_placement() -> None:
    game = rewarded("track")
    play(game, "start Ames SW", "head S", "done")
    assert (game.phase, game.seat, game.actions_left) == ("action", 0, 1)


def test_rule_6_7__after_the_last_action_the_bonus_comes_before_the_next_seat() -> None:
    game = rewarded("track", actions_left=1)
    assert (game.phase, game.seat) == ("bonus", 0)
    play(game, "start Ames SW", "head S", "done")
    assert (game.phase, game.seat, game.actions_left) == ("action", 1, 2)


def test_rule_6_7__the_rewards_money_pays_for_the_bonus_track() -> None:
    board = grid(A3="hills", C3="plains", B4="mountains", A1="water", C1="water", B8="plains")
    game = rewarded("track", board=board, links="0 Ames Dyson", reward=2)
    assert {"start Ames SW"} <= legal(game)
    assert "start Ames S" not in legal(game)  # the mountains cost $4
    play(game, "start Ames SW", "head S")
    assert game.money[0] == 0


def test_rule_6_7__bonus_track_continues_an_incomplete_link() -> None:
    game = rewarded("track", links=f"{OWN} / 0 Ames A3 S")
    assert not legal(game, "start")
    assert {"head SE", "replace SE", "remove", "done"} <= legal(game)
    game.step("head SE")
    assert game.links()[-1]["complete"]
    assert legal(game, "start")  # with the second placement a new one may be begun (rule 4.5)


def test_rule_6_7__without_a_possible_placement_there_is_no_decision() -> None:
    # All land round the network is mountains, and there is no money.
    mountains = dict.fromkeys(("B4", "A1", "A3", "C1", "C5", "D2", "D6", "E3", "E5"), "mountains")
    game = rewarded("track", board=grid(**mountains))
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_6_7__a_bonus_factory_without_a_city_to_build_on_is_no_decision() -> None:
    game = rewarded("factory")  # Dyson is purple
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_6_7__a_bonus_factory_of_a_seat_without_factories_is_no_decision() -> None:
    for built, phase in ((14, "bonus"), (15, "action")):
        game = position(
            board=belt(17),
            colors=towns(range(1, 18), "{} W"),
            links="0 Town 17 Zion",
            factories="0 Town 1 1, " + towns(range(2, built + 1), "0 {} 0"),
            contracts="W bonus=factory",
        )
        play(game, "fulfil 0", "source Town 1")
        assert game.phase == phase


def test_rule_6_7__bonus_track_of_a_seat_without_trains_only_finishes_its_link() -> None:
    # The preview edition has 18 trains (rule 10): all are on the lattice, once with the last link complete, once not.
    ways = (
        "Ames Boone / Boone Clinton / Ames Dyson / Boone Dyson / Dyson Elgin / Boone Elgin / Clinton Elgin"
        " / Dyson Fargo / Fargo Galena / Galena Helena / Galena Dyson / Galena Elgin / Elgin Helena / Ames A3 A5 Boone"
        " / Boone A7 A9 Clinton / Fargo G3 G5 Galena / Galena G7 G9 Helena"
    )
    links = " / ".join(f"0 {way}" for way in ways.split(" / "))
    assert rewarded("track", links=f"{links} / 0 Ames C1 D2 E1 Fargo", edition="preview").phase == "action"
    game = rewarded("track", links=f"{links} / 0 Ames C1 SE", edition="preview")
    assert game.trains[0] == 0
    assert {text.split()[0] for text in legal(game)} == {"head", "remove", "replace", "done"}
    game.step("head S")  # into Dyson; without a train there is no second placement
    assert game.links()[-1]["complete"]
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_6_7__a_city_flipped_by_the_contract_is_no_place_for_its_bonus() -> None:
    game = position(colors="Ames W", links=OWN, factories="0 Ames 1", contracts="W bonus=factory")
    play(game, "fulfil 0", "source Ames")
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_6_7__a_bonus_of_contracts_draws_two() -> None:
    game = rewarded("contracts", contracts=" / B / B / B", hands=[[0], [], []], deck=[3, 1, 2])
    game.step("contracts")
    assert (game.hand(0), game.deck_size) == ([1, 3], 1)
    assert (game.phase, game.seat, game.actions_left) == ("action", 0, 1)


def test_rule_6_7__a_bonus_of_contracts_takes_from_hands_when_the_deck_is_empty() -> None:
    game = rewarded("contracts", contracts=" / B / B / B", hands=[[0], [1, 2], [3]], deck=[])
    game.step("contracts")
    assert len(game.hand(0)) == 1  # then seat 0 and both others have one each: whose hand is asked
    assert legal(game) == {"take_from player_1", "take_from player_2"}
    game.step("take_from player_2")
    assert (len(game.hand(0)), len(game.hand(1)), game.hand(2)) == (2, 1, [])
    assert (game.phase, game.seat, game.actions_left) == ("action", 0, 1)


def test_rule_6_7__a_bonus_of_contracts_that_gains_nothing_is_no_decision() -> None:
    game = rewarded("contracts", contracts=" / B / B", hands=[[0, 1], [], [2]], deck=[], seat=0)
    # Seats 0 and 2 have one contract each now; seat 0 can take that of seat 2.
    assert legal(game) == {"contracts", "done"}
    alone = rewarded("contracts", contracts=" / B / B / B", hands=[[0, 1, 2], [], [3]], deck=[])
    assert (alone.phase, alone.actions_left) == ("action", 1)


def test_rule_6_7__contracts_drawn_by_a_bonus_can_be_fulfilled_with_the_next_action() -> None:
    game = rewarded("contracts", contracts=" / W bonus=track", hands=[[0], [], []], deck=[1])
    game.step("contracts")
    play(game, "fulfil 1", "source Ames")
    assert game.phase == "bonus"
    assert game.fulfilled(0) == [0, 1]


# --- 6.2 to 6.5 against a slow model -----------------------------------------------------------------


class Carriage(NamedTuple):
    """A moment within a contract, in the model."""

    need: int
    money: int
    resources: tuple[int, ...]  # by city
    group: str | None = None  # where the resource under way is
    visited: frozenset[str] = frozenset()
    toward: str | None = None  # the hop whose payee is to be chosen


class Model:
    """Rules 6.2 to 6.5 written as a search over everything: slow, and made from the public view of a game alone."""

    def __init__(self, game: Game, needs: str) -> None:
        self.seat, self.needs = game.seat, needs
        self.cheapest = game.rules.routing == "cheapest"
        self.cities = list(game.setting.map.cities)
        self.info = {city: game.city(city) for city in self.cities}
        self.group = {city: self.info[city]["group"][0] for city in self.cities}
        self.owners: dict[tuple[str, str], set[int]] = {}
        self.network: set[str] = set()
        for link in game.links():
            if link["complete"]:
                ends = [self.group[link["path"][index]] for index in (0, -1)]
                for here, there in (ends, ends[::-1]):
                    self.owners.setdefault((here, there), set()).add(link["owner"])
                if link["owner"] == self.seat:
                    self.network.update(ends)
        self.finishable: dict[Carriage, bool] = {}

    @cached_property
    def distance(self) -> dict[str, int]:
        """Fewest links to the own network, of the groups that can reach it."""
        steps = dict.fromkeys(self.network, 0)
        while True:
            nearer = {here: steps[there] + 1 for here, there in self.owners if there in steps and here not in steps}
            if not nearer:
                return steps
            smallest = min(nearer.values())
            steps |= {group: length for group, length in nearer.items() if length == smallest}

    def moves(self, at: Carriage) -> Iterator[tuple[str, Carriage]]:
        """What could be tried; money may go below zero."""
        if at.toward is not None:
            for seat in self.owners[at.group, at.toward]:  # type: ignore[index]
                yield f"pay player_{seat}", self.arrive(at._replace(money=at.money - 1), at.toward)
        elif at.group is not None:
            for (here, there), owners in self.owners.items():
                off_course = self.cheapest and self.distance.get(there, 99) >= self.distance[at.group]
                if here != at.group or there in at.visited or off_course:
                    continue
                moved = self.arrive(at._replace(money=at.money - 1), there)
                yield f"hop {there}", moved if len(owners) == 1 else at._replace(toward=there)
        else:
            for index, city in enumerate(self.cities):
                if self.can_supply(at, index):
                    left = list(at.resources)
                    left[index] -= 1
                    fee = int(self.info[city]["owner"] != self.seat)
                    taken = at._replace(money=at.money - fee, resources=tuple(left))
                    yield f"source {city}", self.arrive(taken, self.group[city])

    def can_supply(self, at: Carriage, index: int) -> bool:
        city = self.cities[index]
        right_color = self.info[city]["color"][0] == {"W": "w", "B": "b", "O": "o", "G": "g"}[self.needs[at.need]]
        return right_color and at.resources[index] > 0 and self.group[city] in self.distance

    def arrive(self, at: Carriage, group: str) -> Carriage:
        """The resource is at this group: delivered, if that is in the own network."""
        if group in self.network:
            return at._replace(need=at.need + 1, group=None, visited=frozenset(), toward=None)
        return at._replace(group=group, visited=at.visited | {group}, toward=None)

    def buy(self, at: Carriage) -> Carriage:
        """Forced purchases are made at once (rule 6.3)."""
        while at.group is None and at.need < len(self.needs) and not any(self.moves(at)):
            at = at._replace(need=at.need + 1, money=at.money - 5)
        return at

    def begin(self, game: Game) -> Carriage:
        resources = tuple(self.info[city]["resources"] for city in self.cities)
        return self.buy(Carriage(0, game.money[self.seat], resources))

    def can_finish(self, at: Carriage) -> bool:
        if at.money < 0:
            return False
        if at.group is None and at.need == len(self.needs):
            return True
        if at not in self.finishable:
            self.finishable[at] = any(self.can_finish(self.buy(after)) for _, after in self.moves(at))
        return self.finishable[at]

    def legal(self, at: Carriage) -> dict[str, Carriage]:
        return {
            text: after
            for text, after in ((text, self.buy(to)) for text, to in self.moves(at))
            if self.can_finish(after)
        }


LANES = (  # every other way between two neighbouring cities of the lattice
    *("Ames A3 A5 Boone", "Boone A7 A9 Clinton", "Fargo G3 G5 Galena", "Galena G7 G9 Helena"),
    *("Ames C3 C5 Boone", "Boone C7 C9 Clinton", "Dyson C5 C7 Elgin", "Dyson E5 E7 Elgin", "Fargo E3 E5 Galena"),
    *("Galena E7 E9 Helena", "Ames C1 D2 E1 Fargo", "Clinton C11 D10 E11 Helena"),
)
STRAIGHTS = tuple(
    f"{GRID_CITIES[here]} {GRID_CITIES[there]}"
    for here, there in (
        *(("B2", "B6"), ("B6", "B10"), ("D4", "D8"), ("F2", "F6"), ("F6", "F10"), ("B2", "D4"), ("B6", "D4")),
        *(("B6", "D8"), ("B10", "D8"), ("F2", "D4"), ("F6", "D4"), ("F6", "D8"), ("F10", "D8")),
    )
)
BOARDS = ({}, {"B8": "Beloit"}, {"D6": "Decatur"}, {"E3": "Eldon", "C9": "Carroll"})


def random_position(rng: random.Random, routing: str) -> Game | None:
    """Random links, factories and contracts for three seats; None if seat 0 got no link."""
    board = grid(**rng.choice(BOARDS))
    links, used, networks = [], set(), [set(), set(), set()]
    for way in rng.sample(LANES + STRAIGHTS, 16):
        seat = rng.choice((0, 1, 1, 2, 2))
        stops = way.split()
        tiles = stops[1:-1] or [tile_between(stops[0], stops[1])]
        start = next((end for end in (stops[0], stops[-1]) if not networks[seat] or end in networks[seat]), None)
        if start is None or used & set(tiles) or any(board["hexes"][tile] == "city" for tile in tiles):
            continue
        path = [stops[0], *tiles, stops[-1]]
        links.append(f"{seat} {' '.join(path if start == path[0] else path[::-1])}")
        used |= set(tiles)
        networks[seat] |= {path[0], path[-1]}
    if not networks[0]:
        return None
    linked = sorted(set().union(*networks))
    colors = {city: rng.choice("WWWBBP") for city in linked}
    factories = [
        f"{rng.choice((0, 1, 1, 2))} {city} {rng.choice((0, 1, 1, 2, 4))}"
        for city in linked
        if colors[city] != "P" and rng.random() < 0.8
    ]
    needs = ["".join(rng.choice("WWBBO") for _ in range(rng.randint(1, 4))) for _ in range(6)]
    return position(
        board=board,
        colors=", ".join(f"{city} {color}" for city, color in colors.items()),
        links=" / ".join(links),
        factories=", ".join(factories),
        contracts=" / ".join(needs),
        money=[rng.choice((0, 1, 2, 3, 4, 5, 6, 8, 12)), 5, 5],
        routing=routing,
    )


def tile_between(city: str, other: str) -> str:
    """The hex between two neighbours of the lattice."""
    at = {name: hex_name for hex_name, name in GRID_CITIES.items()}
    (col, row), (other_col, other_row) = ((ord(at[name][0]), int(at[name][1:])) for name in (city, other))
    return f"{chr((col + other_col) // 2)}{(row + other_row) // 2}"


def compare(game: Game, model: Model, at: Carriage, budget: list[int]) -> None:
    """The game and the model agree on every decision that can follow, in up to ``budget`` positions."""
    while budget[0] > 0:
        budget[0] -= 1
        assert game.money[0] == at.money
        expected = model.legal(at)
        assert legal(game) == set(expected)
        *others, last = sorted(expected)
        for action in others:
            twin = game.clone()
            twin.step(action)
            if twin.phase in ("source", "hop", "pay"):
                compare(twin, model, expected[action], budget)
        game.step(last)
        at = expected[last]
        if game.phase not in ("source", "hop", "pay"):
            assert at.need == len(model.needs)
            assert game.money[0] == at.money
            return


@pytest.mark.parametrize("routing", ["any", "cheapest"])
@pytest.mark.parametrize("seed", range(8))
def test_rule_6_4__choices_are_exactly_those_from_which_the_contract_can_be_completed(seed: int, routing: str) -> None:
    rng = random.Random(f"{seed} {routing}")
    begun = 0
    for _ in range(40):
        game = random_position(rng, routing)
        if game is None:
            continue
        for contract in game.hand(0):
            needs = game.setting.deck.contracts[contract].needs
            model = Model(game, needs)
            at = model.begin(game)
            assert (f"fulfil {contract}" in legal(game)) == model.can_finish(at)
            if model.can_finish(at):
                twin = game.clone()
                twin.step(f"fulfil {contract}")
                if twin.phase == "source":
                    compare(twin, model, at, [400])
                    begun += 1
    assert begun >= 40


def test_rule_6_2__money_only_changes_hands_within_a_contract_except_for_purchases() -> None:
    rng = random.Random(7)
    for _ in range(60):
        game = random_position(rng, "any")
        if game is None or not legal(game, "fulfil"):
            continue
        total = sum(game.money)
        game.step(rng.choice(sorted(legal(game, "fulfil"))))
        while game.phase in ("source", "hop", "pay"):
            game.step(rng.choice(game.legal_text()))
        purchases = sum(event.kind == "purchase" for event in game.events)
        assert sum(game.money) == total - 5 * purchases


def test_rule_6_5__the_slow_model_finds_routes_of_several_lengths() -> None:
    """The random positions are worth something: they hold long routes, choices of payee and purchases."""
    rng = random.Random(3)
    kinds = set()
    for _ in range(60):
        game = random_position(rng, "any")
        if game is None or not legal(game, "fulfil"):
            continue
        game.step(rng.choice(sorted(legal(game, "fulfil"))))
        while game.phase in ("source", "hop", "pay"):
            kinds.add((game.phase, len(game.legal()) > 1))
            game.step(rng.choice(game.legal_text()))
        hops = [event.kind for event in game.events]
        kinds |= {"long" for first, second in pairwise(hops) if first == second == "hop"}
        kinds |= {"purchase"} & set(hops)
    assert {("source", True), ("hop", True), ("pay", True), "long", "purchase"} <= kinds
