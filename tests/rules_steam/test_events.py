"""Events of Steam: what they tell of a step."""

from typing import Any

from steam_env.core.steam.tiles import PLACEMENT_NAMES
from tests.rules_steam.games import play, position
from tests.rules_steam.placements import ROWS

URBANIZES: dict[str, Any] = {"tile": [1, 5, 7], "to_do": {2: True}, "seat": 2, "supply": "1 RG"}


def test_events__of_placements() -> None:
    """What each legal worked example is, and costs."""
    for row in ROWS.values():
        if row.verdict in PLACEMENT_NAMES:
            at, pattern = row.placement.split()
            game = play(position(*row.before, seat=row.seat), f"build {at}", f"tile {pattern}")
            laid = next(event.values for event in game.events if event.kind == "lay")
            assert (PLACEMENT_NAMES[laid["what"]], laid["cost"]) == (row.verdict, row.cost), row.number


def test_events__of_links_that_urbanization_removes() -> None:
    """Rule 8.19."""
    game = position("0: Alder B4 Usk", "0: Usk Cedar", "0: Usk >N", **URBANIZES)
    play(game, "urbanize Usk", "colour gray", "space 1")
    removed = [event.values for event in game.events if event.kind == "remove_link"]
    stops = game.setting.map.stops
    assert [(stops[one["stop"]], one["owner"]) for one in removed] == [("Usk", 0), ("Usk", 0)]


def test_events__of_a_link_that_urbanization_claims() -> None:
    """Rule 8.18."""
    game = play(position("-: Cedar D4 >SW", **URBANIZES), "urbanize Usk", "colour gray", "space 1")
    assert [event.actor for event in game.events if event.kind == "claim"] == [2]


def test_events__of_city_growth_that_lapses() -> None:
    """Rule 8.15."""
    game = play(position(tile=[5, 1, 7], to_do={0: True}), "pass")
    assert "cannot carry out City Growth" in " ".join(game.log)


def test_events__of_money_that_is_raised() -> None:
    """Rule 7.1: nobody raises money without need."""
    for money, times in ((6, 0), (5, 1)):
        game = play(position(phase="take", money={0: money}), "take 7")
        assert [event.kind for event in game.events].count("raise") == times


def test_saves__of_a_space_that_the_mask_does_not_offer() -> None:
    """Rule 8.20: a later one with equal cubes was named."""
    game = play(position(tile=[5, 1, 7], to_do={0: True}, supply="2 RG, 5 GR"), "grow Alder", "space 5")
    assert type(game).load(game.save()).state() == game.state()
    assert game.state()["supply"][4] == ""
