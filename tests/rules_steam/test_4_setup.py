"""Rules 4 and 5: set-up, and the phases of a turn."""

import random
from collections import Counter
from typing import Any

import pytest

from tests.rules_steam.boards import TINY, after_phase_4, example, play, position, refused, scenario
from tests.rules_steam.engines import Engine
from tests.verification.reference_steam import Deal, Rules

CITIES = {"Alder": "RY", "Dale": "G", "Cedar": "RB", "Birch": "YP", "Elm": "RB"}
ALL_CUBES = {"R": 20, "Y": 20, "P": 20, "B": 20, "G": 16}
FIVE: dict[str, Any] = {**TINY, "seats": [3, 4, 5]}


def begin(engine: type[Engine], seed: int = 1, board: dict[str, Any] = TINY, **rules: Any) -> Engine:
    return engine.from_chance(Rules(**rules), board, random.Random(seed))


def count(cubes: Any) -> int:
    return sum(map(len, cubes))


def in_play(state: dict[str, Any]) -> tuple[int, int, int]:
    """Cubes in cities, in the supply, in the bag."""
    return count(state["cubes"].values()), count(state["supply"]), sum(state["bag"].values())


def count_cubes(state: dict[str, Any]) -> Counter[str]:
    """By colour those in cities, in the supply and in the bag together."""
    return Counter("".join([*state["cubes"].values(), *state["supply"]])) + Counter(state["bag"])


# --- 4 --------------------------------------------------------------------------------------------
def test_4_1_what_a_seat_begins_with(engine: type[Engine]) -> None:
    state = begin(engine, num_players=4).state()
    assert [state[name] for name in ("income", "vp", "level")] == [[0] * 4, [0] * 4, [1] * 4]
    assert sorted(state["money"]) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "entries", [{"income": -11}, {"income": 11}, {"vp": -1}, {"level": 0}, {"level": 7}, {"money": -1}]
)
def test_4_1_the_ends_of_the_tracks(engine: type[Engine], entries: dict[str, Any]) -> None:
    with refused():
        position(engine, **entries)
    ((name, value),) = entries.items()
    nearest = value + (1 if value < 1 else -1)
    assert position(engine, **{name: nearest}).state()[name] == [nearest] * 3


@example(1)
@pytest.mark.parametrize(
    ("seats", "fewer", "wanted"),
    [(3, False, (9, 24, 63)), (4, False, (9, 36, 51)), (3, True, (4, 24, 68)), (4, True, (9, 36, 51))],
)
def test_4_2_cubes_of_cities_and_supply(
    engine: type[Engine], seats: int, fewer: bool, wanted: tuple[int, int, int]
) -> None:
    state = begin(engine, board={**TINY, "fewer_cubes_with_three": fewer}, num_players=seats).state()
    assert in_play(state) == wanted
    assert [len(group) for group in state["supply"]] == [2 if seats == 3 else 3] * 12
    assert [len(state["cubes"][name]) for name in CITIES] == [n - (fewer and seats == 3) for n in (2, 1, 2, 2, 2)]
    assert count_cubes(state) == ALL_CUBES


@example(117)
def test_4_2_no_city_gets_fewer_than_none_and_given_cubes_stay(engine: type[Engine]) -> None:
    cities = [{**city, "cubes": given} for city, given in zip(TINY["cities"], (0, "RRY", 2, 2, 2), strict=True)]
    state = begin(engine, board={**TINY, "cities": cities, "fewer_cubes_with_three": True}).state()
    assert state["cubes"]["Alder"] == ""
    assert state["cubes"]["Dale"] == "RRY"
    assert [len(state["cubes"][name]) for name in ("Cedar", "Birch", "Elm")] == [1, 1, 1]
    assert count_cubes(state) == ALL_CUBES


def test_4_2_a_supply_that_the_map_gives(engine: type[Engine]) -> None:
    """What is given leaves the bag first: with all red cubes given no other is drawn."""
    supply = ["R" * 10, "R" * 10, *[""] * 10]
    for seed in range(5):
        state = begin(engine, seed, board={**TINY, "supply": supply}).state()
        assert state["supply"] == supply
        assert "R" not in "".join(state["cubes"].values())


@example(118)
@pytest.mark.parametrize("seats", [2, 5, 6])
def test_4_2_a_map_is_made_for_certain_counts_of_seats(engine: type[Engine], seats: int) -> None:
    with pytest.raises(ValueError, match=r"tiny|num_players"):
        begin(engine, num_players=seats)


def test_4_2_another_map_may_take_five(engine: type[Engine]) -> None:
    assert len(begin(engine, board=FIVE, num_players=5).state()["money"]) == 5


def test_4_3_what_lies_beside_the_map(engine: type[Engine]) -> None:
    state = begin(engine).state()
    assert state["new_left"] == {"red": 1, "yellow": 1, "purple": 1, "blue": 1, "gray": 4}
    assert state["markers_left"] == 10
    assert state["stock"] == {
        **{"K1": 86, "K2": 10, "K3": 8, "K4": 4, "K5": 4, "K6": 4, "K7": 4, "K8": 4, "K9": 4, "K10": 2}
    }


@example(2)
def test_4_4_the_first_seat_and_the_others_clockwise(engine: type[Engine]) -> None:
    supply = ["RP", *["YB"] * 8, *["GG"] * 3]
    state = engine.from_deal(Rules(), TINY, Deal(2, CITIES, supply)).state()
    assert (state["order"], state["money"]) == ([2, 0, 1], [1, 2, 0])
    assert (state["turn"], state["phase"], state["mover"]) == (1, "TAKE", 2)
    assert (state["cubes"], state["supply"]) == (CITIES, supply)


def test_4_4_any_seat_may_be_first(engine: type[Engine]) -> None:
    assert {begin(engine, seed).state()["mover"] for seed in range(30)} == {0, 1, 2}
    assert {begin(engine, seed, first_player=1).state()["mover"] for seed in range(5)} == {1}


def test_4_2_cubes_are_drawn_at_random(engine: type[Engine]) -> None:
    """Every colour comes up in Dale; the same chance brings the same deal."""
    deals = [begin(engine, seed).state()["cubes"] for seed in range(60)]
    assert {deal["Dale"] for deal in deals} == set(ALL_CUBES)
    assert deals[7] == begin(engine, 7).state()["cubes"]


def test_4_2_what_is_elsewhere_is_not_drawn(engine: type[Engine]) -> None:
    """All red cubes lie in a New City, all blue ones in Elm."""
    cubes = f"Usk {'R' * 20}, Elm {'B' * 20}"
    told = scenario(new_cities={"Usk": "gray"}, cubes=cubes, supply=None)
    for seed in range(5):
        supply = engine.from_scenario(told, random.Random(seed)).state()["supply"]
        assert count(supply) == 24
        assert not set("".join(supply)) & set("RB")


def test_4_4_the_dollars_are_added_to_what_a_scenario_gives(engine: type[Engine]) -> None:
    state = position(engine, phase=None, money=[5, 6, 7], rules={"first_player": 1}).state()
    assert (state["order"], state["money"]) == ([1, 2, 0], [7, 6, 8])


@pytest.mark.parametrize(
    "deal",
    [
        Deal(3, CITIES, ["RP"] * 12),  # a fourth seat
        Deal(1, CITIES, ["RP"] * 12),  # not the seat that the rules name
        Deal(0, CITIES, ["RPY"] + ["RP"] * 11),
        Deal(0, CITIES, ["GG"] * 9 + ["RP"] * 3),  # 18 gray cubes
        Deal(0, {**CITIES, "Dale": "GG"}, ["RP"] * 12),
    ],
)
def test_4_2_a_deal_that_cannot_be(engine: type[Engine], deal: Deal) -> None:
    with refused():
        engine.from_deal(Rules(first_player=0), TINY, deal)


@example(3)
@pytest.mark.parametrize(("seats", "turns"), [(3, 10), (4, 8), (5, 7)])
def test_4_5_turns(engine: type[Engine], seats: int, turns: int) -> None:
    state = begin(engine, board=FIVE, num_players=seats).state()
    assert (state["turn"], state["turns"]) == (1, turns)
    assert begin(engine, board=FIVE, num_players=seats, turns=2).state()["turns"] == 2


# --- 5 --------------------------------------------------------------------------------------------
def test_5_the_phases_of_a_turn(engine: type[Engine]) -> None:
    """Action tiles, track, goods, income, new order: with the seats' own numbers in each of them."""
    game = begin(engine, first_player=0)
    met = []
    for text in ("take 3", "take 1", "take 2", "pass", "pass", "pass", *["pass"] * 6):
        met.append((game.state()["phase"], game.state()["mover"], game.state()["round"]))
        game.apply(text)
    assert met == [
        *(("TAKE", seat, 0) for seat in (0, 1, 2)),
        *(("BUILD", seat, 0) for seat in (0, 1, 2)),
        *(("GOODS", seat, number) for number in (1, 2) for seat in (2, 0, 1)),
    ]
    state = game.state()
    assert (state["turn"], state["phase"], state["order"], state["mover"]) == (2, "TAKE", [1, 2, 0], 1)


def test_5_bankrupt_seats_take_no_part(engine: type[Engine]) -> None:
    game = after_phase_4(engine, bankrupt=[0, 1, 0], number=3, level=[1, 1, 1], improved=[True, False, True])
    play(game, "take 1", "take 3")
    assert game.state()["phase"] == "BUILD"
    assert game.state()["tile"] == [1, 0, 3]
    play(game, "pass", "pass", "pass", "pass")
    assert (game.state()["phase"], game.state()["round"], game.state()["mover"]) == ("GOODS", 2, 0)
