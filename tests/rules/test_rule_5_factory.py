"""Rule 5, build factory: where, by whom, and how many resources it brings."""

from typing import Any

import pytest

from steam_env import Game, IllegalActionError
from tests.rules.boards import Cells, cannot, choices, legal, play
from tests.rules.positions import belt, grid, position, towns

LINKED = "0 Ames Dyson"
BELOIT = grid(B8="Beloit")  # joins Boone and Clinton


# --- 5.1 where and by whom ---------------------------------------------------------------------------
@pytest.mark.parametrize("color", ["W", "B", "O", "G"])
def test_rule_5_1__a_linked_city_of_each_color_can_be_built_on(color: str) -> None:
    game = position(colors=f"Dyson {color}", links=LINKED)
    assert choices(game, "build") == {"Dyson"}
    city = play(game, "build Dyson").city("Dyson")
    assert (city["owner"], city["resources"], city["flipped"]) == (0, 5, False)


WHERE: dict[str, tuple[dict[str, Any], set[str]]] = {
    "both ends of a link": ({"colors": "Ames W, Dyson B, Boone O", "links": "1 Dyson Ames"}, {"Ames", "Dyson"}),
    "no link": ({"colors": "Boone W", "links": LINKED}, set()),
    "an own incomplete link": ({"colors": "Ames W", "links": "0 Ames B4 SE"}, set()),
    "a foreign incomplete link": ({"colors": "Ames W", "links": "1 Ames B4 SE"}, set()),
    "before a tail": ({"colors": "Boone W, Ames W", "links": "0 Dyson Ames / 0 Ames A3 S"}, {"Ames"}),
    "a foreign link, with no network": ({"colors": "Ames W", "links": "2 Ames Dyson"}, {"Ames"}),
    "beyond the own network": ({"colors": "Hibbing W", "links": f"{LINKED} / 1 Hibbing Elgin"}, {"Hibbing"}),
    "beside track": ({"colors": "Boone W", "links": "0 Ames C3 C5 D6 Elgin"}, set()),
    "any city of a linked group": (
        {"board": BELOIT, "colors": "Boone W, Beloit B, Clinton O", "links": "1 Boone Dyson"},
        {"Boone", "Beloit", "Clinton"},
    ),
    "a group without a link": ({"board": BELOIT, "colors": "Boone W, Beloit B", "links": LINKED}, set()),
    "a link inside the group": (
        {"board": BELOIT, "colors": "Boone W, Clinton B", "links": "1 Boone A7 A9 Clinton"},
        {"Boone", "Clinton"},
    ),
    "an own factory": ({"colors": "Ames W", "links": LINKED, "factories": "0 Ames 2"}, set()),
    "a foreign factory": ({"colors": "Ames W", "links": LINKED, "factories": "1 Ames 2"}, set()),
    "an own flipped city": ({"colors": "Ames W", "links": LINKED, "factories": "0 Ames 0"}, set()),
    "a foreign flipped city": ({"colors": "Ames W", "links": LINKED, "factories": "1 Ames 0"}, set()),
}


@pytest.mark.parametrize(("entries", "cities"), WHERE.values(), ids=WHERE)
def test_rule_5_1__where_a_factory_can_be_built(entries: dict[str, Any], cities: set[str]) -> None:
    game = position(**entries)
    assert choices(game, "build") == cities
    colored = {item.split()[0] for item in entries["colors"].split(", ")}
    for city in colored - cities:
        cannot(game, f"build {city}", "5.1")
    for city in cities:
        connected = game.city(city)["connected"]
        built = play(game.clone(), f"build {city}").city(city)
        assert (built["owner"], built["connected"]) == (0, connected)


def test_rule_5_1__a_purple_city_is_never_built_on() -> None:
    game = position(colors="Ames W", links=LINKED)
    cannot(game, "build Dyson", "5.1")
    with pytest.raises(IllegalActionError, match="purple"):
        game.step("build Dyson")


def test_rule_5_1__a_factory_in_reserve_is_needed() -> None:
    texts = {"colors": towns(range(1, 18), "{} W"), "links": "0 Town17 Zion"}
    game = position(board=belt(17), factories=towns(range(1, 15), "0 {} 0"), **texts)
    play(game, "build Town15")  # the last one
    assert (game.factories_left, choices(game, "build")) == ([0, 15, 15], set())
    cannot(game, "build Town16", "5.1")
    assert choices(play(game, "money"), "build") == {"Town16", "Town17"}


def test_rule_5_1__building_is_free_and_takes_a_factory_and_an_action() -> None:
    game = position(colors="Ames W, Dyson B", links="1 Ames Dyson", money=[0, 3, 0])
    play(game, "build Ames")
    assert (game.money, game.factories_left, game.seat, game.actions_left) == ([0, 3, 0], [14, 15, 15], 0, 1)
    play(game, "build Dyson")
    assert (game.money, game.factories_left, game.seat, game.actions_left) == ([0, 3, 0], [13, 15, 15], 1, 2)


# --- 5.2 resources -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("seats", "resources"), [(2, 4), (3, 5), (4, 5), (5, 5)])
def test_rule_5_2__a_factory_brings_4_with_two_seats_and_5_with_more(seats: int, resources: int) -> None:
    game = play(position(colors="Ames W", links=LINKED, seats=seats), "build Ames")
    assert game.city("Ames")["resources"] == resources
    assert game.phase == "action"  # without asking for an amount


def test_rule_5_2__the_resources_are_of_the_citys_color() -> None:
    game = position(colors="Ames W, Dyson B", links=LINKED, contracts="W / B", money=[0, 0, 0])
    assert choices(play(game, "build Ames"), "fulfil") == {"0"}  # black would cost $5


def crowded(orange: int, *actions: str, contracts: str = "W", seats: int = 3) -> Game:
    """``orange`` of the 30 orange resources are left in stock.

    Seat 1 owns the factories of the towns 1 to 6; two more orange towns and Fargo, which is gray, are free;
    Zion is white, with seat 0's factory.
    """
    on_map = [min(5 if seats == 2 else 6, 30 - orange - at) for at in range(0, 30 - orange, 5 if seats == 2 else 6)]
    built = ", ".join(f"1 Town{number} {count}" for number, count in enumerate(on_map, start=1))
    free = [f"Town{len(on_map) + 1}", f"Town{len(on_map) + 2}"]
    cells: Cells = {**belt(len(on_map) + 2), (2, 2): "Fargo"}
    game = position(
        board=cells,
        colors=towns(range(1, len(on_map) + 3), "{} O") + ", Fargo G, Zion W",
        links=f"0 {free[1]} Zion",
        factories=f"{built}, 0 Zion 2",
        contracts=contracts,
        seats=seats,
    )
    return play(game, *actions) if actions else game


def free_towns(game: Game) -> list[str]:
    return [city for city in game.city("Town1")["group"] if game.city(city)["owner"] is None and city != "Fargo"]


@pytest.mark.parametrize("orange", [1, 4, 5, 6])
def test_rule_5_2__if_the_stock_has_fewer_what_is_left_is_placed(orange: int) -> None:
    game = crowded(orange)
    town = free_towns(game)[0]
    assert play(game, f"build {town}").city(town)["resources"] == min(orange, 5)


def test_rule_5_2__with_two_seats_the_fifth_in_stock_is_not_placed() -> None:
    game = crowded(5, seats=2)
    one, other = free_towns(game)
    play(game, f"build {one}, build {other}")
    assert [game.city(town)["resources"] for town in (one, other)] == [4, 1]


def test_rule_5_2__with_none_left_the_city_cannot_be_built_on_and_other_colors_can() -> None:
    game = crowded(0)
    assert choices(game, "build") == {"Fargo"}
    cannot(game, f"build {free_towns(game)[0]}", "5.2")
    assert play(game, "build Fargo").city("Fargo")["resources"] == 5


# --- 5.2 as a contract's bonus -----------------------------------------------------------------------
@pytest.mark.parametrize(("seats", "amounts"), [(2, "345"), (3, "456"), (4, "456"), (5, "456")])
def test_rule_5_2__a_bonus_may_vary_the_resources_by_one(seats: int, amounts: str) -> None:
    texts = {"colors": "Ames W, Dyson B", "links": LINKED, "factories": "0 Ames 2", "contracts": "W bonus=factory"}
    game = play(position(seats=seats, money=[0] * seats, **texts), "fulfil 0, source Ames")
    assert legal(game) == {"build Dyson", "done"}
    play(game, "build Dyson")
    assert (game.city("Dyson")["owner"], game.phase) == (None, "amount")  # nothing is built before it is chosen
    assert legal(game) == {f"amount {choice}" for choice in amounts}
    with pytest.raises(IllegalActionError, match="amount"):
        game.step("amount 6" if seats == 2 else "amount 3")
    for amount in amounts:
        built = play(game.clone(), f"amount {amount}")
        assert (built.city("Dyson")["resources"], built.city("Dyson")["owner"]) == (int(amount), 0)
        assert (built.factories_left[0], built.seat, built.actions_left, built.money[0]) == (13, 0, 1, 0)


@pytest.mark.parametrize(("orange", "amounts"), [(4, {4}), (5, {4, 5}), (6, {4, 5, 6}), (7, {4, 5, 6})])
def test_rule_5_2__a_bonus_amount_above_the_stock_is_illegal(orange: int, amounts: set[int]) -> None:
    game = crowded(orange, "fulfil 0, source Zion", contracts="W bonus=factory")
    town = free_towns(game)[0]
    play(game, f"build {town}")
    assert legal(game) == {f"amount {amount}" for amount in amounts}  # a single choice is still a decision
    for amount in {4, 5, 6} - amounts:
        cannot(game, f"amount {amount}", "5.2")
    assert play(game, f"amount {max(amounts)}").city(town)["resources"] == max(amounts)


@pytest.mark.parametrize("orange", [1, 2, 3])
def test_rule_5_2__if_all_amounts_are_too_many_what_is_left_is_placed_without_asking(orange: int) -> None:
    game = crowded(orange, "fulfil 0, source Zion", contracts="W bonus=factory")
    town = free_towns(game)[0]
    assert play(game, f"build {town}").city(town)["resources"] == orange
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_5_2__without_resources_in_stock_there_is_no_bonus_to_decide() -> None:
    game = crowded(0, "build Fargo, fulfil 0, source Zion", contracts="W bonus=factory")
    assert (game.phase, game.seat) == ("action", 1)


def test_rule_5_2__a_resource_of_the_very_contract_can_be_placed_by_its_bonus() -> None:
    game = crowded(0, "fulfil 0, source Town1", contracts="O bonus=factory")
    one, other = free_towns(game)
    assert legal(game) == {f"build {one}", f"build {other}", "build Fargo", "done"}
    assert play(game, f"build {one}").city(one)["resources"] == 1
