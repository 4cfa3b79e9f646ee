"""Rules 8.9 to 8.13: links that lapse, and marks."""

from steam_env.steam import Game
from tests.rules_steam.games import play, position, same_links, write_links

BEGUN = "0: Alder B4 >SE"


def owner(game: Game) -> str:
    return write_links(game)[0][0]


def test_rule_8_9__a_link_that_is_not_extended_becomes_unowned() -> None:
    """Example 67."""
    game = play(position(), "build B4", "tile SE-NW", "pass")
    assert same_links(game, BEGUN)
    assert same_links(play(position(BEGUN), "pass"), "-: Alder B4 >SE")


def test_rule_8_9__also_of_a_seat_that_is_not_asked() -> None:
    game = position(BEGUN, money=[0, 9, 9], income=[-10, 0, 0])
    assert game.seat == 1
    assert same_links(game, "-: Alder B4 >SE")


def test_rule_8_9__only_the_mover_loses_links() -> None:
    assert same_links(play(position(f"{BEGUN}; 1: Birch G5 >SW"), "pass"), "-: Alder B4 >SE; 1: Birch G5 >SW")


def test_rule_8_9__complete_links_stay() -> None:
    """Rule 3.6."""
    assert same_links(play(position("0: Alder B4 Usk"), "pass"), "0: Alder B4 Usk")


def test_rule_8_13__a_redirection_keeps_no_ownership() -> None:
    """Example 68."""
    assert same_links(play(position(BEGUN), "build B4", "tile NE-NW", "pass"), "-: Alder B4 >NE")


def test_rule_8_13__but_if_it_completes_the_link() -> None:
    """Example 69."""
    assert same_links(play(position("0: Birch G5 >SW"), "build G5", "tile N-S", "pass"), "0: Birch G5 Elm")


def test_rule_8_10__a_mark_stays_through_a_redirection() -> None:
    """Example 126."""
    game = position("0: Alder B4 >SE *", turn={"placements": 1})
    assert same_links(play(game, "build B4", "tile NE-NW", "pass"), "0: Alder B4 >NE")


def test_rule_8_10__laid_and_redirected_in_one_turn() -> None:
    """Example 70, and rule 14.3."""
    game = play(position(), "build D4", "tile NE-S", "build D4", "tile S-NW", "pass")
    assert same_links(game, "0: Cedar D4 >NW")


def test_rule_8_10__marks_are_gone_at_the_end_of_the_track_turn() -> None:
    game = play(position(), "build B4", "tile SE-NW")
    assert game.links()[0]["extended"]
    assert "extended" not in play(game, "pass").links()[0]


def test_rule_8_11__each_spur_lapses_alone() -> None:
    """Example 71."""
    before = "0: Alder B4 Usk; 0: Usk >N; 0: Usk >NE; 0: Usk >SW"
    game = play(position(before), "build C3", "tile S-NE", "pass")
    assert same_links(game, "0: Alder B4 Usk; 0: Usk C3 >NE; -: Usk >NE; -: Usk >SW")


def test_rule_8_12__what_lapsed_may_be_taken_up_in_the_same_turn() -> None:
    """Example 72."""
    game = play(position(BEGUN), "pass", "build C5", "tile NW")
    assert same_links(game, "1: Alder B4 Usk")
    again = play(position(BEGUN), "pass", "build C5", "tile NW+NE", "pass")
    assert same_links(again, "1: Alder B4 Usk; 1: Usk >NE")


def test_rule_8_12__a_link_that_is_unowned_keeps_its_track() -> None:
    game = play(position(BEGUN), "pass")
    assert game.state()["tiles"] == {"B4": "SE-NW"}
    assert owner(game) == "-"
