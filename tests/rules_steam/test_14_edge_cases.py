"""Rule 14: edge cases."""

from typing import Any

from tests.rules_steam.boards import RICH, TINY, example, links, place, play, position, seat
from tests.rules_steam.engines import Engine
from tests.rules_steam.placements import Row, check_row, rows


# --- 14.1 -----------------------------------------------------------------------------------------
@example(116)
def test_14_1_who_can_only_pass_is_not_asked_in_phase_3(engine: type[Engine]) -> None:
    game = position(engine, phase="goods", round=2, seat=0, improved=[False, True, False])
    game.apply("locomotive")
    assert game.state()["mover"] == 2


def test_14_1_who_can_only_be_done_is_not_asked_in_phase_2(engine: type[Engine]) -> None:
    """Also where it arises in the middle of a track turn, and when a position is loaded."""
    game = position(engine, money={0: 2, 1: 0}, income={0: -10, 1: -10})
    assert game.state()["mover"] == 0
    place(game, "A5 N-S")
    assert (game.state()["phase"], game.state()["mover"]) == ("BUILD", 2)
    assert position(engine, placements=3).state()["mover"] == 1


def test_14_1_whoever_has_something_else_is_asked(engine: type[Engine]) -> None:
    game = position(engine, phase="goods", round=2, improved=[True, True, True], cubes="Alder B", seat=1)
    assert game.state()["phase"] == "TAKE"
    game = position(*(engine, "1: Alder A5 Dale"), phase="goods", round=2, improved=[True, True, True], cubes="Alder B")
    assert (game.state()["mover"], game.legal()) == (1, ["pass", "from Alder"])


# --- 14.2 to 14.8 ---------------------------------------------------------------------------------
def test_14_2_turn_order_is_its_number(engine: type[Engine]) -> None:
    """It makes its seat the first of the next turn, and changes nothing in this one."""
    game = position(engine, tile=[5, 6, 1])
    movers = []
    while game.state()["turn"] == 1:
        movers.append(game.state()["mover"])
        game.apply("pass")
    assert movers == [0, 1, 2] * 3
    assert game.state()["order"][0] == 2


def test_14_3_what_was_just_laid_may_be_redirected_and_improved(engine: type[Engine]) -> None:
    game = position(engine, tile=[3, 6, 5])
    for placement, cost in (("D4 NE-S", 2), ("D4 S-NW", 2), ("C5 SE", 2), ("C5 SE+NW", 3)):
        before = game.state()["money"][0]
        place(game, placement)
        assert game.state()["money"][0] == before - cost


def test_14_5_a_town_hex_pays_river_hills_and_town(engine: type[Engine]) -> None:
    """River and hills once, by whoever lays the first tile."""
    board: dict[str, Any] = {**TINY, "rows": TINY["rows"].replace(". o . .", ". O . ."), "rivers": ["C5"]}
    game = place(position(engine, map=board), "C5 SE")
    assert seat(game, 0, "money") == (RICH - (1 + 1 + 1 + 2),)
    place(game, "C5 SE+NW")
    assert seat(game, 0, "money") == (RICH - (1 + 1 + 1 + 2) - (2 + 1),)


@rows(53)
def test_14_6_a_tile_of_two_segments_may_be_laid_new(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_14_6_if_both_segments_are_legal(engine: type[Engine]) -> None:
    """Only one of the two begins at a city."""
    game = position(engine)
    assert game.explain_placement("D4", "N-S") is None
    assert game.explain_placement("D4", "N-S+NE-SE") == "8.4"


def test_14_7_a_network_need_not_hang_together(engine: type[Engine]) -> None:
    assert position(engine, "0: Alder B4 Usk").explain_placement("G5", "N-S") is None


def test_14_8_a_complete_link_cannot_be_extended(engine: type[Engine]) -> None:
    """What leaves its stop is another link."""
    game = place(position(engine, "0: Alder B4 Usk"), "C5 N+NW")
    assert links(game) == {"0: Alder B4 Usk", "0: Usk >N"}
    assert play(game, "pass").state()["complete_links"] == [1, 0, 0]
