"""``Rules``: defaults, validation, equality, JSON."""

import dataclasses
import json
import pickle
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules

FIELDS = {
    "num_players": None,
    "automas": 0,
    "automa_level": "normal",
    "map": "midwest",
    "contracts": "standard",
    "contracts_to_end": None,
    "edition": "final",
    "mode": "multiplayer",
    "routing": "any",
    "first_player": "random",
    "max_rounds": 100,
}
SAMPLES: list[dict[str, Any]] = [
    {},
    {"num_players": 5},
    {"map": "mini", "contracts": "mini", "num_players": 3},
    {"edition": "preview", "routing": "cheapest", "first_player": "player_0"},
    {"contracts_to_end": 3, "max_rounds": 12, "automa_level": "very_hard"},
]


def test_rules__fields_and_defaults_are_those_of_the_interface() -> None:
    assert dataclasses.asdict(Rules()) == FIELDS


def test_rules__are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().num_players = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("num_players", value) for value in (0, 1, 6, -1, 2.0, True, "2", np.bool_(True), np.float64(2))],
        *[("automas", value) for value in (-1, 2, 5, True, 0.0, None, "1")],
        *[("automa_level", value) for value in ("medium", "", None, 2, "Normal")],
        *[(field, value) for field in ("map", "contracts") for value in ("", None, 5)],
        *[("contracts_to_end", value) for value in (0, -1, 49, 1.0, True, "3")],
        *[("edition", value) for value in ("first", "", None, 1, "Final")],
        *[("mode", value) for value in ("coop", "", None, 0)],
        *[("routing", value) for value in ("dear", "", None, 0)],
        *[("first_player", value) for value in ("player_1", "", None, 0)],
        *[("max_rounds", value) for value in (0, -1, 1.0, None, True, "9")],
    ],
)
def test_rules__a_bad_value_names_field_value_and_what_is_allowed(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field) as error:
        Rules(**{field: value})  # type: ignore[arg-type]
    assert repr(value) in str(error.value) or str(value) in str(error.value)
    assert "allowed" in str(error.value)


def test_rules__an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        Rules(players=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"players.*num_players"):
        Rules.from_dict({"players": 3})


def test_rules__2_to_5_seats_two_if_nothing_is_said_and_one_in_solo() -> None:
    for given, seats in ((None, 2), (2, 2), (3, 3), (4, 4), (5, 5)):
        rules = Rules(num_players=given)
        assert rules.seats == Game(rules, seed=1).seats == seats
    assert Rules(mode="solo").seats == Rules(mode="solo", num_players=1).seats == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"num_players": 2, "automas": 2}, "automas=2: 0 to 1 are allowed"),
        ({"num_players": 5, "automas": 5}, "automas=5: 0 to 4 are allowed"),
        ({"num_players": 1, "automas": 1}, "num_players=1: 2 to 5 are allowed"),
        ({"num_players": 6, "automas": 1}, "num_players=6: 2 to 5 are allowed"),
        ({"mode": "solo", "automas": 1}, "automas=1: only 0 is allowed"),
        *(({"mode": "solo", "num_players": seats}, f"num_players={seats}: only 1 is allowed") for seats in (0, 2, 5)),
        ({"mode": "solo", "edition": "preview"}, "mode='solo' needs edition='final'"),  # rule 10
        ({"num_players": 3, "automas": 2, "edition": "preview"}, "automas=2 needs edition='final'"),
    ],
)
def test_rules__values_that_do_not_go_together(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**values)


@pytest.mark.parametrize("values", SAMPLES, ids=str)
def test_rules__the_same_after_a_round_trip(values: dict[str, Any]) -> None:
    rules = Rules(**values)
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert set(rules.to_dict()) == set(FIELDS)
    assert "\n" not in rules.to_json()


def test_rules__numpy_integers_become_python_ones() -> None:
    rules = Rules(num_players=np.int64(3), max_rounds=np.uint8(9), contracts_to_end=np.int32(4), automas=np.int8(0))  # type: ignore[arg-type]
    assert len({rules, Rules(num_players=3, max_rounds=9, contracts_to_end=4)}) == 1
    for name in ("num_players", "max_rounds", "contracts_to_end", "automas"):
        assert type(getattr(rules, name)) is int
    assert Rules.from_json(rules.to_json()) == rules


def test_rules__are_kept_by_a_seeded_reset() -> None:
    batch = GameBatch(Rules(**SAMPLES[2], max_rounds=7), 2, seed=1)
    batch.reset(seed=5)
    assert batch.rules == Rules(**SAMPLES[2], max_rounds=7)
    assert (batch.records["max_rounds"] == 7).all()
