"""Rules 8.9 to 8.13: what lapses."""

from typing import Any

import pytest

from tests.rules_steam.boards import example, links, place, play, position, refused
from tests.rules_steam.engines import Engine


def next_turn(game: Engine) -> Engine:
    """All are done with this turn; seat 0, the first, is to build in the next one."""
    turn = game.state()["turn"]
    while game.state()["turn"] == turn:
        game.apply("pass")
    return play(game, "take 1", "take 2", "take 3")


@example(67)
def test_8_9_an_incomplete_link_lapses_if_its_owner_does_not_extend_it(engine: type[Engine]) -> None:
    game = play(place(position(engine), "B4 SE-NW"), "pass")
    assert links(game) == {"0: Alder B4 >SE"}
    assert links(next_turn(game)) == {"0: Alder B4 >SE"}
    assert links(play(game, "pass")) == {"-: Alder B4 >SE"}


def test_8_9_at_the_end_of_the_own_track_turn_and_of_no_other(engine: type[Engine]) -> None:
    game = play(position(engine, "0: Alder B4 >SE", "1: Cedar D4 >NE", "2: Birch F4 >S"), "pass")
    assert links(game) == {"-: Alder B4 >SE", "1: Cedar D4 >NE", "2: Birch F4 >S"}
    assert links(play(game, "pass")) == {"-: Alder B4 >SE", "-: Cedar D4 >NE", "2: Birch F4 >S"}


def test_8_9_also_of_a_seat_that_is_not_asked(engine: type[Engine]) -> None:
    game = position(engine, "0: Alder B4 >SE", money={0: 0}, income={0: -10})
    assert (game.state()["mover"], links(game)) == (1, {"-: Alder B4 >SE"})


def test_8_9_complete_links_do_not_lapse(engine: type[Engine]) -> None:
    assert links(play(position(engine, "0: Alder B4 Usk", "0: Usk >N"), "pass")) == {"0: Alder B4 Usk", "-: Usk >N"}


@example(126)
def test_8_10_a_mark_stays_through_a_redirection(engine: type[Engine]) -> None:
    game = place(position(engine, "0: Alder B4 >SE *"), "B4 NE-NW")
    assert links(game, marks=True) == {"0: Alder B4 >NE *"}
    assert links(play(game, "pass")) == {"0: Alder B4 >NE"}


@example(70)
def test_8_10_begun_and_redirected_in_one_track_turn(engine: type[Engine]) -> None:
    game = place(position(engine), "D4 NE-S")
    assert links(game, marks=True) == {"0: Cedar D4 >NE *"}
    place(game, "D4 S-NW")
    assert links(play(game, "pass"), marks=True) == {"0: Cedar D4 >NW"}


@pytest.mark.parametrize("owner", ["0", "-"])
def test_8_10_extending_marks(engine: type[Engine], owner: str) -> None:
    """An own link, and an unowned one that is taken up."""
    game = place(position(engine, f"{owner}: Cedar D4 >NW"), "C3 NE-SE")
    assert links(game, marks=True) == {"0: Cedar D4 C3 >NE *"}
    assert links(play(game, "pass")) == {"0: Cedar D4 C3 >NE"}


def test_8_10_marks_are_gone_after_the_track_turn(engine: type[Engine]) -> None:
    """So that the link lapses in the next one."""
    game = next_turn(play(place(position(engine, "0: Cedar D4 >NW"), "C3 NE-SE"), "pass"))
    assert links(game, marks=True) == {"0: Cedar D4 C3 >NE"}
    assert links(play(game, "pass")) == {"-: Cedar D4 C3 >NE"}


@pytest.mark.parametrize(
    ("link", "entries"),
    [
        ("1: Alder B4 >SE *", {}),
        ("-: Alder B4 >SE *", {}),
        ("0: Alder B4 Usk *", {}),
        ("0: Alder B4 >SE *", {"phase": "goods"}),
        ("0: Alder B4 >SE *", {"phase": "take"}),
    ],
)
def test_8_10_only_own_incomplete_links_have_marks_in_a_track_turn(
    engine: type[Engine], link: str, entries: dict[str, Any]
) -> None:
    with refused():
        position(engine, link, **entries)


@example(71)
def test_8_11_each_spur_lapses_alone(engine: type[Engine]) -> None:
    spurs = ("0: Alder B4 Usk", "0: Usk >N", "0: Usk >NE", "0: Usk >SW")
    game = play(place(position(engine, *spurs), "C3 NE-S"), "pass")
    assert links(game) == {"0: Alder B4 Usk", "0: Usk C3 >NE", "-: Usk >NE", "-: Usk >SW"}


@example(72)
def test_8_12_unowned_track_may_be_taken_up_in_the_same_turn(engine: type[Engine]) -> None:
    game = play(position(engine, "0: Alder B4 >SE"), "pass")
    assert links(game) == {"-: Alder B4 >SE"}
    place(game, "C5 N+NW")
    assert links(play(game, "pass")) == {"1: Alder B4 Usk", "1: Usk >N"}


def test_8_12_also_by_the_former_owner(engine: type[Engine]) -> None:
    game = next_turn(play(position(engine, "0: Cedar D4 >NW"), "pass"))
    assert links(game) == {"-: Cedar D4 >NW"}
    assert links(place(game, "C3 NE-SE")) == {"0: Cedar D4 C3 >NE"}


@example(68)
def test_8_13_a_redirection_does_not_keep_a_link(engine: type[Engine]) -> None:
    game = place(position(engine, "0: Alder B4 >SE"), "B4 NE-NW")
    assert links(game, marks=True) == {"0: Alder B4 >NE"}
    assert links(play(game, "pass")) == {"-: Alder B4 >NE"}


@example(69)
def test_8_13_but_one_that_completes_it_does(engine: type[Engine]) -> None:
    game = place(position(engine, "0: Birch G5 >SW"), "G5 N-S")
    assert links(play(game, "pass")) == {"0: Birch G5 Elm"}


def test_8_13_a_redirection_gives_no_ownership(engine: type[Engine]) -> None:
    game = place(position(engine, "-: Birch G5 >SW", seat=1), "G5 N-NW")
    assert links(play(game, "pass")) == {"-: Birch G5 >NW"}
