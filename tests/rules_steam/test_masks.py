"""Worked examples of whole masks, and of one whole turn; the numbers of the actions."""

import re

import pytest

from tests.rules_steam.boards import SPACES, TINY, example, links, play, position, refused, words
from tests.rules_steam.engines import Engine
from tests.rules_steam.test_9_goods import NETWORK
from tests.verification.reference_steam import Deal, Rules


def count_patterns(game: Engine) -> dict[str, int]:
    """By hex that is offered, how many patterns are."""
    return {at: len(words(play(game.copy(), f"build {at}"), "tile")) for at in sorted(words(game, "build"))}


def read_counts(text: str) -> dict[str, int]:
    return {at: int(count) for at, count in (entry.split() for entry in text.split(", "))}


@example(111)
def test_mask_on_an_empty_map(engine: type[Engine]) -> None:
    counts = count_patterns(position(engine))
    assert counts == read_counts(
        "A1 1, A5 6, B2 4, B4 5, B6 4, C5 26, C7 2, D4 5, E5 5, E7 2, F2 3, F4 5, F6 4, G1 1, G5 6"
    )
    assert sum(counts.values()) == 79


@example(112)
def test_mask_of_patterns_between_two_cities(engine: type[Engine]) -> None:
    game = play(position(engine), "build G5")
    assert game.legal() == [f"tile {text}" for text in ("N-S", "N-SW", "N-NW", "S-SW", "S-NW", "N-SW+S-NW")]


@example(113)
def test_mask_of_patterns_on_a_town(engine: type[Engine]) -> None:
    game = play(position(engine), "build C5")
    first = game.number_of("tile N")
    towns = [game.text_of(first + number).removeprefix("tile ") for number in range(56)]
    assert words(game, "tile") == {text for text in towns if "SE" in text.split("+")}
    assert len(words(game, "tile")) == 26


@example(114)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_mask_on_a_network(engine: type[Engine], seat: int) -> None:
    """Seat 2 has no link at Usk, and the one edge of Usk that leads into a city is taken."""
    counts = count_patterns(position(engine, *NETWORK, seat=seat))
    usual = read_counts("A1 1, B2 4, B6 4, C7 2, D4 5, E7 2, F2 3, F6 4, G1 1")
    assert counts == (usual if seat == 2 else {**usual, "C5": 10})


@example(115)
def test_mask_of_goods(engine: type[Engine]) -> None:
    cubes = "Alder RY, Dale G, Cedar R"
    game = position(engine, *NETWORK, phase="goods", cubes=cubes, level=[2, 1, 1])
    assert game.legal() == ["pass", "locomotive", "from Alder", "from Cedar"]
    assert play(game, "from Alder").legal() == ["colour yellow"]
    last = position(engine, *NETWORK, phase="goods", cubes=cubes, seat=2)
    assert last.legal() == ["pass", "locomotive"]


# --- one whole turn -------------------------------------------------------------------------------
CITIES = {"Alder": "RY", "Dale": "G", "Cedar": "RB", "Birch": "YP", "Elm": "RB"}
SUPPLY = ["RP", *["YG"] * (SPACES - 1)]
TURN = """
0: take 4                                       cash 0, income 0
1: take 7                                       cash 0, income -1
2: take 2                                       cash 2, income 0
0: build B4  tile SE-NW                         cash 2, income -1
0: build C5  tile SE+NW                         cash 4, income -2
0: pass
1: urbanize Toll  colour blue  space 1          cash 0, income -1
1: build D4  tile N-S                           cash 3, income -2
1: pass
2: build G5  tile N-S                           cash 0, income 0
2: pass
2: from Elm  colour red  hop Birch  income      cash 0, income 1
0: locomotive                                   level 2
1: from Cedar  colour blue  hop Toll  income    cash 3, income -1
2: locomotive                                   level 2
0: from Alder  colour yellow  hop Usk  hop Cedar  income    cash 4, income 0
1: locomotive                                   level 2
"""
NAMES = {"cash": "money", "income": "income", "level": "level"}


def test_9_1_one_whole_turn(engine: type[Engine]) -> None:
    """Line by line: who is asked, what is played, and what the seat then has."""
    game = engine.from_deal(Rules(), TINY, Deal(0, CITIES, SUPPLY))
    assert game.state()["money"] == [0, 1, 2]
    for line in TURN.strip().split("\n"):
        actions, _, told = line.partition("   ")
        mover, _, texts = actions.partition(": ")
        assert game.state()["mover"] == int(mover)
        if "urbanize" in texts:
            assert "pass" not in game.legal()
        play(game, texts)
        for name, value in re.findall(r"(\w+) (-?\d+)", told):
            assert game.state()[NAMES[name]][int(mover)] == int(value), line
    state = game.state()
    assert (state["turn"], state["phase"], state["order"]) == (2, "TAKE", [2, 0, 1])
    assert (state["money"], state["income"], state["level"]) == ([4, 2, 1], [0, -1, 1], [2, 2, 2])
    assert links(game) == {"0: Alder B4 Usk", "0: Usk Cedar", "1: Toll D4 Cedar", "2: Birch G5 Elm"}
    assert state["cubes"] == {"Alder": "R", "Dale": "G", "Toll": "RP", "Cedar": "R", "Birch": "YP", "Elm": "B"}
    assert state["new_cities"] == {"Toll": "blue"}


# --- numbers --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("take 1", 0), ("take 7", 6), ("take 5 pass", 7), ("take 7 pass", 8), ("pass", 9), ("locomotive", 10)),
        *(("income", 11), ("vp", 12), ("build A1", 13), ("build G7", 36), ("tile N-NE", 269), ("tile SW-NW", 283)),
        *(("tile N", 320), ("tile SE+S+SW+NW", 375), ("grow Alder", 376), ("urbanize Usk", 442), ("colour red", 504)),
        *(("colour gray", 508), ("space 1", 509), ("space 12", 520), ("from Elm", 527), ("hop Toll", 588)),
        *(("over player_1", 649), ("over player_2", 650), ("over player_0", 651), ("over nobody", 655), ("bid", 656)),
    ],
)
def test_numbers_and_texts_of_actions(engine: type[Engine], text: str, number: int) -> None:
    """Of seat 1."""
    game = position(engine, seat=1)
    assert game.number_of(text) == number
    assert game.text_of(number) == text


def test_patterns_are_read_in_any_order(engine: type[Engine]) -> None:
    game = position(engine)
    assert game.number_of("tile NW-S+SW-N") == game.number_of("tile N-SW+S-NW")


@pytest.mark.parametrize("text", ["", "take", "take 8 pass", "space 0", "space 13", "build H1", "tile N-N", "hop Rome"])
def test_texts_that_are_no_actions(engine: type[Engine], text: str) -> None:
    game = position(engine)
    before = game.state()
    with refused():
        game.apply(text)
    assert game.state() == before
