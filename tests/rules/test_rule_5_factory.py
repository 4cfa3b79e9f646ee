"""Rule 5, build factory: where, by whom, and how many resources it brings."""

import pytest

from steam_env import Game, IllegalActionError
from tests.rules.positions import belt, grid, legal, play, position, refused, towns

LINKED = "0 Ames Dyson"


# --- 5.1 where and by whom ---------------------------------------------------------------------------


@pytest.mark.parametrize("color", ["W", "B", "O", "G"])
def test_rule_5_1__a_linked_city_of_each_color_can_be_built_on(color: str) -> None:
    game = position(colors=f"Dyson {color}", links=LINKED)
    assert legal(game, "build") == {"build Dyson"}
    game.step("build Dyson")
    assert (game.city("Dyson")["owner"], game.city("Dyson")["resources"]) == (0, 5)
    assert not game.city("Dyson")["flipped"]


def test_rule_5_1__a_purple_city_is_never_built_on() -> None:
    game = position(colors="Ames W", links=LINKED)
    assert legal(game, "build") == {"build Ames"}
    assert refused(game, "build Dyson", "5.1")
    with pytest.raises(IllegalActionError, match="purple"):
        game.step("build Dyson")


def test_rule_5_1__both_ends_of_a_link_count() -> None:
    game = position(colors="Ames W, Dyson B, Boone O", links="1 Dyson Ames")
    assert legal(game, "build") == {"build Ames", "build Dyson"}


def test_rule_5_1__a_city_without_a_link_cannot_be_built_on() -> None:
    game = position(colors="Ames W, Boone W", links=LINKED)
    assert refused(game, "build Boone", "5.1")


@pytest.mark.parametrize("owner", [0, 1])
def test_rule_5_1__an_incomplete_link_is_not_enough(owner: int) -> None:
    game = position(colors="Ames W", links=f"{owner} Ames B4 SE")
    assert legal(game, "build") == set()
    assert refused(game, "build Ames", "5.1")


def test_rule_5_1__the_tail_of_an_incomplete_link_does_not_link_the_city_beyond() -> None:
    game = position(colors="Boone W, Ames W", links="0 Dyson Ames / 0 Ames A3 S")
    assert legal(game, "build") == {"build Ames"}


def test_rule_5_1__a_foreign_link_is_enough_and_no_own_network_is_needed() -> None:
    game = position(colors="Ames W", links="2 Ames Dyson")
    assert game.city("Ames")["connected"] == [2]
    game.step("build Ames")
    assert game.city("Ames")["owner"] == 0
    assert game.city("Ames")["connected"] == [2]


def test_rule_5_1__the_own_network_need_not_reach_the_city() -> None:
    game = position(colors="Helena W", links="0 Ames Dyson / 1 Helena Elgin")
    assert "build Helena" in legal(game)


def test_rule_5_1__a_link_to_any_city_of_the_group_is_enough() -> None:
    board = grid(B8="Beloit")  # joins Boone and Clinton
    game = position(board=board, colors="Boone W, Beloit B, Clinton O", links="1 Boone Dyson")
    assert game.city("Clinton")["group"] == ["Boone", "Beloit", "Clinton"]
    assert legal(game, "build") == {"build Boone", "build Beloit", "build Clinton"}


def test_rule_5_1__a_group_without_a_link_cannot_be_built_on() -> None:
    game = position(board=grid(B8="Beloit"), colors="Boone W, Beloit B", links=LINKED)
    assert legal(game, "build") == set()


def test_rule_5_1__a_link_inside_the_group_touches_it() -> None:
    board = grid(B8="Beloit")
    game = position(board=board, colors="Boone W, Clinton B", links="1 Boone A7 A9 Clinton")
    assert legal(game, "build") == {"build Boone", "build Clinton"}


def test_rule_5_1__a_city_next_to_the_track_but_not_linked_is_not_connected() -> None:
    game = position(colors="Boone W", links="0 Ames C3 C5 D6 Elgin")
    assert legal(game, "build") == set()


@pytest.mark.parametrize("owner", [0, 1])
def test_rule_5_1__a_city_with_a_factory_cannot_be_built_on(owner: int) -> None:
    game = position(colors="Ames W", links=LINKED, factories=f"{owner} Ames 2")
    assert refused(game, "build Ames", "5.1")


@pytest.mark.parametrize("owner", [0, 1])
def test_rule_5_1__a_flipped_city_cannot_be_built_on_again(owner: int) -> None:
    game = position(colors="Ames W", links=LINKED, factories=f"{owner} Ames 0")
    assert game.city("Ames")["flipped"]
    assert refused(game, "build Ames", "5.1")


def test_rule_5_1__a_factory_in_reserve_is_needed() -> None:
    board = belt(17)
    factories = towns(range(1, 16), "0 {} 0")
    game = position(board=board, colors=towns(range(1, 18), "{} W"), links="0 Town 17 Zion", factories=factories)
    assert game.factories_left == [0, 15, 15]
    assert legal(game, "build") == set()
    assert refused(game, "build Town 16", "5.1")
    play(game, "money", "money")
    assert legal(game, "build") == {"build Town 16", "build Town 17"}


def test_rule_5_1__the_last_factory_can_be_built() -> None:
    factories = towns(range(1, 15), "0 {} 0")
    game = position(
        board=belt(17), colors=towns(range(1, 18), "{} W"), links="0 Town 17 Zion", factories=factories, actions_left=2
    )
    game.step("build Town 15")
    assert game.factories_left == [0, 15, 15]
    assert legal(game, "build") == set()


def test_rule_5_1__building_is_free_and_takes_a_factory_and_an_action() -> None:
    game = position(colors="Ames W, Dyson B", links="1 Ames Dyson", money=[0, 3, 0])
    game.step("build Ames")
    assert game.money == [0, 3, 0]
    assert game.factories_left == [14, 15, 15]
    assert (game.seat, game.actions_left) == (0, 1)
    game.step("build Dyson")
    assert game.factories_left == [13, 15, 15]
    assert (game.seat, game.actions_left) == (1, 2)


def test_rule_5_1__a_link_completed_with_the_first_action_opens_its_cities_to_the_second() -> None:
    game = position(colors="Ames W, Dyson B")
    assert legal(game, "build") == set()
    play(game, "start Ames SE", "head SE", "done")
    assert legal(game, "build") == {"build Ames", "build Dyson"}


# --- 5.2 resources -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "resources"), [(2, 4), (3, 5), (4, 5), (5, 5)])
def test_rule_5_2__a_factory_brings_4_with_two_seats_and_5_with_more(seats: int, resources: int) -> None:
    game = position(colors="Ames W", links=LINKED, seats=seats)
    game.step("build Ames")
    assert game.city("Ames")["resources"] == resources
    assert game.phase == "action"  # without asking for an amount


def test_rule_5_2__the_resources_are_of_the_citys_color() -> None:
    game = position(colors="Ames W, Dyson B", links=LINKED, contracts="W / B", money=[0, 0, 0])
    game.step("build Ames")
    assert legal(game, "fulfil") == {"fulfil 0"}  # black would cost $5


def crowded(orange: int, *, free: int = 2, contracts: str = "W", money: int = 5) -> Game:
    """Three seats; ``orange`` of the 30 orange resources are left in stock, and ``free`` orange cities to build on.

    Seat 1 owns the factories of the towns 1 to 6; the last towns are free; Zion is white, with seat 0's factory.
    """
    on_map = [6] * ((30 - orange) // 6) + ([(30 - orange) % 6] if (30 - orange) % 6 else [])
    factories = ", ".join(f"1 Town {number} {count}" for number, count in enumerate(on_map, start=1))
    return position(
        board=belt(len(on_map) + free),
        colors=towns(range(1, len(on_map) + free + 1), "{} O") + ", Zion W",
        links=f"0 Town {len(on_map) + free} Zion",
        factories=f"{factories}, 0 Zion 2",
        contracts=contracts,
        money=[money, 5, 5],
    )


def last_town(game: Game) -> str:
    return game.city("Town 1")["group"][-1]


@pytest.mark.parametrize("orange", [1, 4, 5, 6])
def test_rule_5_2__if_the_stock_has_fewer_what_is_left_is_placed(orange: int) -> None:
    game = crowded(orange)
    town = last_town(game)
    game.step(f"build {town}")
    assert game.city(town)["resources"] == min(orange, 5)


def test_rule_5_2__with_two_seats_the_fifth_in_stock_is_not_placed() -> None:
    factories = towns(range(1, 6), "1 {} 5")
    colors = towns(range(1, 8), "{} O")
    game = position(board=belt(7), colors=colors, links="0 Town 7 Zion", factories=factories, seats=2)
    game.step("build Town 6")
    assert game.city("Town 6")["resources"] == 4
    game.step("build Town 7")
    assert game.city("Town 7")["resources"] == 1


def test_rule_5_2__with_none_left_the_city_cannot_be_built_on() -> None:
    game = crowded(0)
    assert legal(game, "build") == set()
    assert refused(game, f"build {last_town(game)}", "5.2")


def test_rule_5_2__other_colors_are_not_touched_by_an_empty_stock() -> None:
    factories = towns(range(1, 6), "1 {} 6")
    colors = towns(range(1, 7), "{} O") + ", Town 7 G"
    game = position(board=belt(7), colors=colors, links="0 Town 7 Zion", factories=factories)
    assert legal(game, "build") == {"build Town 7"}
    game.step("build Town 7")
    assert game.city("Town 7")["resources"] == 5


def test_rule_5_2__a_resource_used_for_a_contract_is_back_in_stock() -> None:
    game = crowded(0, contracts="OO")
    play(game, "fulfil 0", "source Town 1", "source Town 2")
    town = last_town(game)
    game.step(f"build {town}")
    assert game.city(town)["resources"] == 2


def test_rule_5_2__a_resource_bought_from_the_bank_leaves_the_stock_as_it_is() -> None:
    # Seat 0's network is apart from the towns, whose five factories hold all orange.
    board = belt(7)
    board["hexes"] |= {"C1": "city", "C3": "plains", "C5": "city"}
    board["cities"] += ["Upton", "Vista"]
    game = position(
        board=board,
        colors=towns(range(1, 8), "{} O"),
        links="1 Town 7 Zion / 0 Upton Vista",
        factories=towns(range(1, 6), "1 {} 6"),
        contracts="O bonus=none",
    )
    game.step("fulfil 0")
    assert game.money[0] == 0
    assert legal(game, "build") == set()


# --- 5.2 as a contract's bonus -----------------------------------------------------------------------


def with_bonus(seats: int) -> Game:
    game = position(
        colors="Ames W, Dyson B",
        links=LINKED,
        factories="0 Ames 2",
        contracts="W bonus=factory",
        seats=seats,
        money=[0] * seats,
    )
    play(game, "fulfil 0", "source Ames")
    return game


@pytest.mark.parametrize(("seats", "amounts"), [(2, "345"), (3, "456"), (4, "456"), (5, "456")])
def test_rule_5_2__a_bonus_may_vary_the_resources_by_one(seats: int, amounts: str) -> None:
    for amount in amounts:
        game = with_bonus(seats)
        assert legal(game) == {"build Dyson", "done"}
        game.step("build Dyson")
        assert legal(game) == {f"amount {choice}" for choice in amounts}
        game.step(f"amount {amount}")
        assert game.city("Dyson")["resources"] == int(amount)
        assert (game.city("Dyson")["owner"], game.factories_left[0]) == (0, 13)
        assert (game.seat, game.actions_left, game.money[0]) == (0, 1, 0)


def test_rule_5_2__nothing_is_built_before_the_amount_is_chosen() -> None:
    game = with_bonus(3)
    game.step("build Dyson")
    assert game.city("Dyson")["owner"] is None
    assert game.phase == "amount"


@pytest.mark.parametrize(("orange", "amounts"), [(4, {4}), (5, {4, 5}), (6, {4, 5, 6}), (7, {4, 5, 6})])
def test_rule_5_2__a_bonus_amount_above_the_stock_is_illegal(orange: int, amounts: set[int]) -> None:
    game = crowded(orange, contracts="W bonus=factory")
    play(game, "fulfil 0", "source Zion", f"build {last_town(game)}")
    assert legal(game) == {f"amount {amount}" for amount in amounts}  # a single choice is still a decision
    for amount in {4, 5, 6} - amounts:
        assert refused(game, f"amount {amount}", "5.2")
    game.step(f"amount {max(amounts)}")
    assert game.city(last_town(game))["resources"] == max(amounts)


@pytest.mark.parametrize("orange", [1, 2, 3])
def test_rule_5_2__if_all_amounts_are_too_many_what_is_left_is_placed_without_asking(orange: int) -> None:
    game = crowded(orange, contracts="W bonus=factory")
    play(game, "fulfil 0", "source Zion", f"build {last_town(game)}")
    assert game.city(last_town(game))["resources"] == orange
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_5_2__without_resources_in_stock_there_is_no_bonus_to_decide() -> None:
    game = crowded(0, contracts="W bonus=factory")
    play(game, "fulfil 0", "source Zion")
    assert (game.phase, game.seat, game.actions_left) == ("action", 0, 1)


def test_rule_5_2__a_resource_of_the_very_contract_can_be_placed_by_its_bonus() -> None:
    game = crowded(0, contracts="O bonus=factory")
    play(game, "fulfil 0", "source Town 1")
    assert legal(game) == {f"build {town}" for town in game.city("Town 1")["group"][-2:]} | {"done"}
    game.step(f"build {last_town(game)}")
    assert game.city(last_town(game))["resources"] == 1


def test_rule_5_2__with_three_seats_3_is_no_amount_and_with_two_seats_6_is_none() -> None:
    for seats, wrong in ((3, "3"), (2, "6")):
        game = with_bonus(seats)
        game.step("build Dyson")
        with pytest.raises(IllegalActionError, match="amount"):
            game.step(f"amount {wrong}")
