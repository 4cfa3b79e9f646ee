"""Rule 10, the preview edition: only what differs from the final one."""

import pytest

from steam_env import Game, Rules
from tests.rules.boards import legal, play
from tests.rules.positions import grid, position

LINKED = "0 Ames Dyson"


@pytest.mark.parametrize(("edition", "trains"), [("final", 21), ("preview", 18)])
@pytest.mark.parametrize("seats", [2, 5])
def test_rule_10__18_trains_and_all_else_as_in_the_final_edition(edition: str, trains: int, seats: int) -> None:
    game, final = (Game(Rules(num_players=seats, edition=which), seed=1) for which in (edition, "final"))
    assert game.trains == position(seats=seats, edition=edition).trains == [trains] * seats
    assert game.factories_left == [15] * seats
    for name in ("money", "factories_left", "deck_size", "off_map"):
        assert getattr(game, name) == getattr(final, name)
    assert game.hand(1) == final.hand(1)
    assert position(links=f"{LINKED} / 0 Ames Boone", edition=edition).trains == [trains - 2, trains, trains]


@pytest.mark.parametrize(("edition", "seats", "resources"), [("final", 2, 4), ("preview", 2, 5), ("preview", 3, 5)])
def test_rule_10__5_resources_with_two_seats_too(edition: str, seats: int, resources: int) -> None:
    game = play(position(colors="Ames W", links=LINKED, seats=seats, edition=edition), "build Ames")
    assert game.city("Ames")["resources"] == resources


@pytest.mark.parametrize("seats", [2, 3])
def test_rule_10__a_bonus_factory_has_4_to_6_resources_at_any_number_of_seats(seats: int) -> None:
    texts = {"colors": "Ames W, Dyson B", "links": LINKED, "factories": "0 Ames 2", "contracts": "W bonus=factory"}
    game = play(position(seats=seats, edition="preview", **texts), "fulfil 0, source Ames, build Dyson")
    assert legal(game) == {"amount 4", "amount 5", "amount 6"}
    assert play(game, "amount 6").city("Dyson")["resources"] == 6


@pytest.mark.parametrize(("edition", "factories", "cities"), [("final", 2 + 3, 4 + 2), ("preview", 2, 4)])
def test_rule_10__off_map_tiles_score_nothing(edition: str, factories: int, cities: int) -> None:
    game = position(colors="Ames W", links=LINKED, factories="0 Ames 0", off_map="WWWBPP", edition=edition)
    assert game.off_map == {"white": 3, "black": 1, "orange": 0, "gray": 0, "purple": 2}
    assert (game.scores()[0]["factories"], game.scores()[0]["cities"]) == (factories, cities)


@pytest.mark.parametrize(("seats", "share"), [(1, 4), (2, 2), (3, 1), (4, 1), (5, 0)])
def test_rule_10__a_purple_city_is_4_shared(seats: int, share: int) -> None:
    around = ("Ames", "Boone", "Elgin", "Fargo", "Galena")  # of Dyson
    links = " / ".join(f"{seat} {city} Dyson" for seat, city in enumerate(around[:seats]))
    colors = ", ".join(f"{city} W" for city in around)
    game = position(colors=colors, links=links, seats=5, off_map="PPP", edition="preview")
    assert [score["cities"] for score in game.scores()] == [share] * seats + [0] * (5 - seats)


@pytest.mark.parametrize(
    ("edition", "links", "clinton", "cities"),
    [
        ("final", "0 Dyson Boone / 1 Elgin Clinton / 2 Dyson Ames", "W", [2, 2, 0]),
        ("preview", "0 Dyson Boone / 1 Elgin Clinton / 2 Dyson Ames", "W", [4, 0, 0]),
        ("preview", "0 Dyson Boone / 1 Elgin Clinton / 1 Elgin Boone", "P", [2, 2 + 4, 0]),  # one by one
        ("preview", "0 Boone C5 N", "P", [0, 0, 0]),  # an incomplete link
    ],
)
def test_rule_10__a_purple_city_counts_only_for_links_to_that_very_tile(
    edition: str, links: str, clinton: str, cities: list[int]
) -> None:
    # Beloit joins Boone, which is purple, and Clinton.
    colors = f"Ames W, Dyson W, Elgin W, Beloit B, Clinton {clinton}"
    game = position(board=grid(B8="Beloit"), colors=colors, links=links, edition=edition)
    assert [score["cities"] for score in game.scores()] == cities
    if sum(cities):
        assert game.city("Boone")["connected"] == [0, 1]  # of the group, in either edition


def with_bonus(edition: str, deck: int) -> Game:
    """Seat 0 has fulfilled a contract with the bonus of taking two; seat 1 has four contracts in hand."""
    game = position(
        colors="Ames W",
        links=LINKED,
        factories="0 Ames 3",
        contracts="W bonus=contracts" + " / B" * (4 + deck),
        hands=[[0], [1, 2, 3, 4], []],
        deck=list(range(5, 5 + deck)),
        edition=edition,
    )
    return play(game, "fulfil 0, source Ames")


@pytest.mark.parametrize(
    ("edition", "deck", "after"),
    [("final", 1, [2, 3, 0]), ("preview", 1, [1, 4, 0]), ("preview", 3, [2, 4, 0])],
)
def test_rule_10__a_bonus_of_contracts_draws_from_the_deck_only(edition: str, deck: int, after: list[int]) -> None:
    game = play(with_bonus(edition, deck), "contracts")
    assert [len(game.hand(seat)) for seat in range(3)] == after
    assert (5 in game.hand(0), game.deck_size) == (True, max(deck - 2, 0))
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_10__with_an_empty_deck_there_is_no_bonus_of_contracts() -> None:
    assert with_bonus("final", deck=0).phase == "bonus"
    game = with_bonus("preview", deck=0)
    assert (game.phase, game.actions_left) == ("action", 1)


@pytest.mark.parametrize(("deck", "after"), [([], [2, 1, 0]), ([3], [2, 2, 0])])
def test_rule_10__the_action_still_takes_from_hands_card_by_card(deck: list[int], after: list[int]) -> None:
    cards = " / ".join(["W"] * (3 + len(deck)))
    game = position(contracts=cards, hands=[[], [0, 1, 2], []], deck=deck, edition="preview")
    play(game, "contracts")
    assert [len(game.hand(seat)) for seat in range(3)] == after
    assert set(deck) <= set(game.hand(0))


@pytest.mark.parametrize("edition", ["final", "preview"])
def test_rule_10__an_own_factorys_resource_is_free_wherever_it_stands_foreign_links_are_not(edition: str) -> None:
    """The factory in Fargo is outside the own network; player_1's link leads there."""
    links = f"{LINKED} / 1 Dyson Fargo"
    game = position(colors="Fargo W", links=links, factories="0 Fargo 3", contracts="W", edition=edition)
    play(game, "fulfil 0, source Fargo, hop Dyson")
    assert (game.fulfilled(0), game.money) == ([0], [4, 6, 5])
