"""Rules 8.1 to 8.8: placements."""

import pytest

from tests.rules_steam.boards import as_told, example, is_refused, links, place, play, position, seat, words
from tests.rules_steam.engines import Engine
from tests.rules_steam.placements import Row, check_row, rows

HEXES = (  # of tiny, where tiles may lie
    *("A1", "A5", "B2", "B4", "B6", "C1", "C3", "C5", "C7", "D2", "D4"),
    *("E3", "E5", "E7", "F2", "F4", "F6", "G1", "G5"),
)


# --- 8.1 ------------------------------------------------------------------------------------------
@example(64)
@pytest.mark.parametrize(("tile", "most"), [(1, 3), (3, 4)])
def test_8_1_three_placements_and_four_with_engineer(engine: type[Engine], tile: int, most: int) -> None:
    """Redirections and improvements count as well."""
    game = position(engine, tile=[tile, 6, 5])
    for number, placement in enumerate(["B4 SE-NW", "B4 NE-NW", "C5 SE", "C5 SE+NW"][:most]):
        assert (game.state()["mover"], game.state()["placements"]) == (0, most - number)
        place(game, placement)
    assert game.state()["mover"] == 1


def test_8_1_the_engineer_begins_its_track_turn_with_four(engine: type[Engine]) -> None:
    game = play(position(engine, phase="take"), "take 3", "take 1", "take 2")
    assert (game.state()["mover"], game.state()["placements"]) == (0, 4)
    play(game, "pass")
    assert (game.state()["mover"], game.state()["placements"]) == (1, 3)


def test_8_1_a_seat_may_be_done_at_once_or_later(engine: type[Engine]) -> None:
    assert play(position(engine), "pass").state()["mover"] == 1
    game = place(position(engine), "B4 SE-NW")
    assert game.state()["mover"] == 0
    assert play(game, "pass").state()["mover"] == 1


def test_8_1_first_build_goes_first_then_the_order_track(engine: type[Engine]) -> None:
    game = position(engine, order=[2, 1, 0], tile=[4, 1, 6])
    movers = []
    while game.state()["phase"] == "BUILD":
        movers.append(game.state()["mover"])
        game.apply("pass")
    assert movers == [0, 2, 1]


def test_8_1_each_placement_is_complete_before_the_next(engine: type[Engine]) -> None:
    """The second one goes on from what the first has just reached."""
    game = position(engine)
    assert game.explain_placement("C3", "NE-S") == "8.4"
    place(place(game, "B4 SE-NW"), "C5 N+NW")
    assert game.explain_placement("C3", "NE-S") is None


# --- 8.2 ------------------------------------------------------------------------------------------
@rows(26, 45, 51, 124)
def test_8_2_an_improvement_keeps_all_track_and_its_owners(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@rows(34, 47)
def test_8_2_a_redirection_turns_the_last_tile(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@rows(35, 36, 48, 59, 61, 119)
def test_8_2_track_is_never_altered_otherwise(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@rows(122)
def test_8_2_a_redirection_may_join_unowned_track(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@pytest.mark.parametrize("placement", ["D6 N-S", "E1 N-S", "D6 N"])
def test_8_2_tiles_lie_on_land_alone(engine: type[Engine], placement: str) -> None:
    game = position(engine)
    assert "build " + placement.split()[0] not in game.legal()
    assert is_refused(game, "build " + placement.split()[0])


def test_8_2_no_tile_on_a_new_city(engine: type[Engine]) -> None:
    game = position(engine, new_cities={"Usk": "red"})
    for pattern in ("SE", "N-SE"):
        assert game.explain_placement("C5", pattern) == "8.2"
    assert is_refused(game, "build C5")


def test_8_2_only_the_last_segment_is_turned(engine: type[Engine]) -> None:
    """Of a link of two tiles the first one stays."""
    game = position(engine, "0: Alder B4 C3 >NE")
    assert game.explain_placement("B4", "SE-NW") == "8.2"
    assert game.explain_placement("C3", "SE-SW") is None


def test_8_2_the_inner_edge_stays(engine: type[Engine]) -> None:
    game = play(position(engine, "0: Alder B4 >SE"), "build B4")
    assert {text for text in words(game, "tile") if "+" not in text} == {"N-NW", "NE-NW", "S-NW", "SW-NW"}


@pytest.mark.parametrize("pattern", ["N-SW+S-NW", "N-SE+S-NW"])
def test_8_2_one_segment_is_turned_not_two(engine: type[Engine], pattern: str) -> None:
    """Of a tile with two loose ends each may be turned by itself; both at once would be two placements."""
    game = position(engine, "0: Alder B2 B4 >S", "0: Alder B4 >SE")
    assert game.state()["tiles"]["B4"] == "N-S+SE-NW"
    assert game.explain_placement("B4", pattern) == "8.2"
    assert game.explain_placement("B4", "N-NE+SE-NW") is None
    assert game.explain_placement("B4", "N-S+NE-NW") is None


@pytest.mark.parametrize("edge", ["N", "S", "SW"])
def test_8_2_a_town_tile_is_not_redirected(engine: type[Engine], edge: str) -> None:
    """Not even the one loose spur of a tile."""
    assert position(engine, "0: Usk >NE").explain_placement("C5", edge) == "8.2"


# --- 8.3 ------------------------------------------------------------------------------------------
@rows(18, 19, 20, 125)
def test_8_3a_no_new_edge_is_closed(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_8_3a_a_redirection_may_not_lead_over_a_closed_edge(engine: type[Engine]) -> None:
    assert position(engine, "0: Alder B2 >SE").explain_placement("B2", "N-SW") == "8.3a"
    assert position(engine, "0: Alder B2 >SE").explain_placement("B2", "NE-SW") is None


@rows(24, 46, 50, 123)
def test_8_3b_foreign_track_is_neither_extended_nor_met(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_8_3b_no_segment_of_a_tile_may_meet_foreign_track(engine: type[Engine]) -> None:
    """Though another one, of a town too, is fine."""
    assert position(engine, "1: Birch F4 >S").explain_placement("F6", "N-SW+NE-SE") == "8.3b"
    assert position(engine, "1: Alder B4 >SE").explain_placement("C5", "SE+NW") == "8.3b"


@rows(31, 32)
def test_8_3c_link_never_returns_to_its_own_stop(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_8_3c_a_redirection_may_not_return_either(engine: type[Engine]) -> None:
    assert position(engine, "0: Cedar D4 E5 >NE").explain_placement("E5", "SW-NW") == "8.3c"


@rows(23, 28, 120)
def test_8_3d_one_supported_spur_carries_a_town_tile(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


# --- 8.4 and 8.5 ----------------------------------------------------------------------------------
@rows(17, 27, 42, 54, 121)
def test_8_4_unsupported_track_is_illegal(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@rows(15, 29, 33, 44)
def test_8_4_track_begins_at_a_city_or_goes_on_from_the_own_network(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_8_4_an_incomplete_link_supports_nothing_but_itself(engine: type[Engine]) -> None:
    """A town at which the seat has but a loose spur is not in its network."""
    game = position(engine, "0: Usk >N", "1: Usk Cedar")
    assert game.explain_placement("C5", "N+NE+SE") == "8.4"
    assert game.explain_placement("C3", "S-SW") is None
    assert "tile S-SW" in play(game.copy(), "build C3").legal()
    assert position(engine, "0: Usk Cedar", "1: Usk >N").explain_placement("C5", "N+NE+SE") is None


def test_8_4_what_the_placement_itself_completes_comes_too_late(engine: type[Engine]) -> None:
    """One segment joins Usk to Cedar; the other one extends an unowned link that is rooted in Usk."""
    track = ("0: Usk >NE", "-: Usk C3 >SE")
    assert position(engine, *track).explain_placement("D4", "NE-NW+S-SW") == "8.4"
    assert position(engine, *track, "0: Usk Cedar").explain_placement("D4", "NE-NW+S-SW") is None


@rows(38, 39, 40, 41, 43)
def test_8_5_unowned_track_may_be_taken_up(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@rows(37)
def test_8_5_a_redirection_that_completes_claims(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_8_5_a_redirection_of_unowned_track_needs_support(engine: type[Engine]) -> None:
    """Rooted in a foreign town, it may be led into a city but not elsewhere."""
    track = ("0: Alder B4 Usk", "-: Usk D4 >NE")
    assert position(engine, *track, seat=1).explain_placement("D4", "N-SW") == "8.4"
    game = place(position(engine, *track, seat=1), "D4 S-SW")
    assert links(game) == as_told("0: Alder B4 Usk", "1: Usk D4 Cedar")
    own = place(position(engine, *track, seat=0), "D4 N-SW")
    assert links(own) == as_told("0: Alder B4 Usk", "-: Usk D4 >N")


# --- 8.6 to 8.8 -----------------------------------------------------------------------------------
@rows(16, 22, 60)
def test_8_6_what_a_placement_costs(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@pytest.mark.parametrize(
    ("track", "placement", "cost"),
    [
        ((), "B4 SE-NW", 3),  # river
        (("1: Dale B6 >N",), "B4 SE-NW", 3),
        (("1: Dale B6 B4 >N",), "B4 N-S+SE-NW", 4),  # no river again
        (("0: Alder B4 >SE",), "B4 NE-NW", 2),  # a redirection pays no river
        (("0: Cedar D4 E3 >NE",), "E3 SE-SW", 2),  # and no hills
        (("0: Alder B4 Usk",), "C5 N+NE+SW+NW", 5),
    ],
)
def test_8_6_terrain_is_paid_for_a_new_tile_alone(
    engine: type[Engine], track: tuple[str, ...], placement: str, cost: int
) -> None:
    assert seat(place(position(engine, *track), placement), 0, "money") == (100 - cost,)


def test_8_7_a_hex_is_offered_if_a_pattern_is_legal_there(engine: type[Engine]) -> None:
    """And exactly the legal patterns are."""
    game = position(engine, "0: Alder B4 >SE", "1: Cedar D4 >NE", "-: Birch F4 >S")
    first = game.number_of("tile N-NE")
    patterns = [game.text_of(first + number).removeprefix("tile ") for number in range(107)]
    for at in HEXES:
        legal = {pattern for pattern in patterns if game.explain_placement(at, pattern) is None}
        assert (f"build {at}" in game.legal()) == bool(legal)
        if legal:
            again = position(engine, "0: Alder B4 >SE", "1: Cedar D4 >NE", "-: Birch F4 >S")
            assert words(play(again, f"build {at}"), "tile") == legal


@rows(25, 49)
def test_8_8_track_may_block_and_lie_beside(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@pytest.mark.parametrize(
    "placement",
    ["B4 S-NW", "B4 SE-NW", "A5 N-SE"],  # at a river hex with foreign track, at a town without a tile, at empty land
)
def test_8_8_a_new_edge_may_lead_into_any_open_land(engine: type[Engine], placement: str) -> None:
    assert position(engine, "1: Dale B6 >NE").explain_placement(*placement.split()) is None
