"""Rule 10, the preview edition: only what differs from the final one."""

import pytest

from steam_env import Game, Rules
from tests.rules.positions import grid, legal, play, position

EDITIONS = ("final", "preview")
LINKED = "0 Ames Dyson"


@pytest.mark.parametrize(("edition", "trains"), [("final", 21), ("preview", 18)])
@pytest.mark.parametrize("seats", [2, 5])
def test_rule_10__18_trains(edition: str, trains: int, seats: int) -> None:
    assert Game(Rules(num_players=seats, edition=edition), seed=1).trains == [trains] * seats
    assert position(seats=seats, edition=edition).trains == [trains] * seats
    assert Game(Rules(num_players=seats, edition=edition), seed=1).factories_left == [15] * seats


def test_rule_10__a_train_is_used_for_each_link() -> None:
    game = position(links=f"{LINKED} / 0 Ames Boone", edition="preview")
    assert game.trains == [16, 18, 18]


@pytest.mark.parametrize(("edition", "seats", "resources"), [("final", 2, 4), ("preview", 2, 5), ("preview", 3, 5)])
def test_rule_10__5_resources_with_two_seats_too(edition: str, seats: int, resources: int) -> None:
    game = position(colors="Ames W", links=LINKED, seats=seats, edition=edition)
    game.step("build Ames")
    assert game.city("Ames")["resources"] == resources


@pytest.mark.parametrize("seats", [2, 3])
def test_rule_10__a_bonus_factory_has_4_to_6_resources_at_any_number_of_seats(seats: int) -> None:
    game = position(
        colors="Ames W, Dyson B",
        links=LINKED,
        factories="0 Ames 2",
        contracts="W bonus=factory",
        seats=seats,
        edition="preview",
    )
    play(game, "fulfil 0", "source Ames", "build Dyson")
    assert legal(game) == {"amount 4", "amount 5", "amount 6"}
    game.step("amount 6")
    assert game.city("Dyson")["resources"] == 6


@pytest.mark.parametrize(("edition", "factories", "cities"), [("final", 2 + 3, 4 + 2), ("preview", 2, 4)])
def test_rule_10__off_map_tiles_score_nothing(edition: str, factories: int, cities: int) -> None:
    game = position(colors="Ames W", links=LINKED, factories="0 Ames 0", off_map="WWWBPP", edition=edition)
    assert game.off_map == {"white": 3, "black": 1, "orange": 0, "gray": 0, "purple": 2}
    assert (game.scores()[0]["factories"], game.scores()[0]["cities"]) == (factories, cities)


@pytest.mark.parametrize(("seats", "share"), [(1, 4), (2, 2), (3, 1), (4, 1), (5, 0)])
def test_rule_10__a_purple_city_is_4_shared(seats: int, share: int) -> None:
    ways = ("Ames Dyson", "Boone Dyson", "Elgin Dyson", "Fargo Dyson", "Galena Dyson")
    others = ", ".join(f"{city} W" for city in ("Ames", "Boone", "Elgin", "Fargo", "Galena"))
    links = " / ".join(f"{seat} {ways[seat]}" for seat in range(seats))
    game = position(colors=others, links=links, seats=5, off_map="PPP", edition="preview")
    assert [score["cities"] for score in game.scores()] == [share] * seats + [0] * (5 - seats)


@pytest.mark.parametrize(("edition", "cities"), [("final", [2, 2, 0]), ("preview", [4, 0, 0])])
def test_rule_10__a_purple_city_counts_only_for_links_to_that_very_tile(edition: str, cities: list[int]) -> None:
    game = position(
        board=grid(B8="Beloit"),  # joins Boone, which is purple, and Clinton
        colors="Ames W, Dyson W, Elgin W, Clinton W, Beloit B",
        links="0 Dyson Boone / 1 Elgin Clinton / 2 Dyson Ames",
        edition=edition,
    )
    assert [score["cities"] for score in game.scores()] == cities
    assert game.city("Boone")["connected"] == [0, 1]  # of the group, in either edition


def test_rule_10__two_purple_cities_of_a_group_are_judged_one_by_one() -> None:
    game = position(
        board=grid(B8="Beloit"),
        colors="Dyson W, Elgin W, Beloit B",
        links="0 Dyson Boone / 1 Elgin Clinton / 1 Elgin Boone",
        edition="preview",
    )
    assert [score["cities"] for score in game.scores()] == [2, 2 + 4, 0]


def test_rule_10__an_incomplete_link_to_a_purple_tile_counts_nothing() -> None:
    game = position(colors="Ames W", links="0 Dyson C3 SW", edition="preview")
    assert game.scores()[0]["cities"] == 0


def with_bonus(edition: str, deck: int) -> Game:
    """Seat 0 has fulfilled a contract with the bonus of taking two; seat 1 has four contracts in hand."""
    order = list(range(5, 5 + deck))
    game = position(
        colors="Ames W",
        links=LINKED,
        factories="0 Ames 3",
        contracts="W bonus=contracts" + " / B" * (4 + deck),
        hands=[[0], [1, 2, 3, 4], []],
        deck=order,
        money=[0, 0, 0],
        edition=edition,
    )
    play(game, "fulfil 0", "source Ames")
    return game


def test_rule_10__a_bonus_of_contracts_draws_from_the_deck_only() -> None:
    for edition, in_hand, left in (("final", 2, 3), ("preview", 1, 4)):
        game = with_bonus(edition, deck=1)
        game.step("contracts")
        assert (len(game.hand(0)), len(game.hand(1)), game.deck_size) == (in_hand, left, 0)
        assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_10__with_an_empty_deck_there_is_no_bonus_of_contracts() -> None:
    assert with_bonus("final", deck=0).phase == "bonus"
    game = with_bonus("preview", deck=0)
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_10__a_bonus_of_contracts_draws_two_from_a_deck() -> None:
    game = with_bonus("preview", deck=3)
    game.step("contracts")
    assert (game.hand(0), game.deck_size) == ([5, 6], 1)


def test_rule_10__the_action_still_takes_from_hands() -> None:
    game = position(contracts="W / W / W", hands=[[], [0, 1, 2], []], deck=[], edition="preview")
    game.step("contracts")
    assert [len(game.hand(seat)) for seat in range(3)] == [2, 1, 0]


@pytest.mark.parametrize("more", [{"automas": 1}, {"num_players": 3, "automas": 2}, {"mode": "solo"}])
def test_rule_10__no_automa_and_no_solo(more: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="preview"):
        Rules(edition="preview", **more)  # type: ignore[arg-type]


def test_rule_10__the_reserve_and_the_hand_are_those_of_the_final_edition() -> None:
    games = [Game(Rules(num_players=3, edition=edition), seed=5) for edition in EDITIONS]
    for name in ("money", "factories_left", "deck_size", "off_map"):
        assert getattr(games[0], name) == getattr(games[1], name)
    assert games[0].hand(1) == games[1].hand(1)
