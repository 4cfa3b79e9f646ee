"""What every environment promises, tested over all faces: PettingZoo, Gymnasium, vector, Stable-Baselines3."""

import copy
import pickle
import random
import re
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from steam_env import IllegalActionError
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.envs.pool import Pool
from tests.envs.faces import (
    COPIERS,
    ILLEGAL_AT_START,
    LEARNERS,
    ROOT,
    SINGLE,
    AecFace,
    Face,
    GymnasiumFace,
    Reference,
    Sb3Face,
    Told,
    VectorFace,
    choose_any,
    choose_first,
    choose_last,
    choose_seen,
    draw_legal,
    money_potential,
    over_faces,
    pay_money,
    pay_nothing,
    spoil,
    tell_all,
)

TABLES: dict[str, dict[str, Any]] = {
    "one Automa": {"automas": 1},
    "four Automas": {"num_players": 5, "automas": 4, "reward": "margin"},
    "two easy Automas": {"num_players": 3, "automas": 2, "automa_level": "very_easy", "reward": "score"},
    "two seats, the first": {"opponents": choose_last, "seat": 0},
    "two seats, the last": {"opponents": choose_seen, "seat": 1, "reward": "margin"},
    "three seats": {"num_players": 3, "opponents": choose_first, "seat": 1},
    "four seats, an Automa": {"num_players": 4, "automas": 1, "opponents": choose_seen, "seat": 2, "reward": pay_money},
    "five seats": {"num_players": 5, "opponents": choose_last, "seat": 3},
    "the preview edition": {"opponents": choose_seen, "seat": 1, "edition": "preview"},
    "the standard map": {"map": "midwest", "num_players": 3, "opponents": choose_seen, "seat": 2, "max_rounds": 2},
    "shaping": {"num_players": 3, "opponents": choose_seen, "seat": 2, "shaping": money_potential},
    "shaping, discounted": {"automas": 1, "shaping": money_potential, "gamma": 0.9},
    "shaping alone": {
        "num_players": 4,
        "opponents": choose_last,
        "seat": 0,
        "reward": pay_nothing,
        "shaping": money_potential,
    },
    "forced decisions skipped": {"num_players": 3, "opponents": choose_seen, "seat": 1, "skip_forced": True},
    "a grid": {"num_players": 3, "automas": 2, "encoding": "grid"},
    "a graph": {"mode": "solo", "encoding": "graph", "max_rounds": 2},
    "solo": {"mode": "solo", "map": "midwest", "max_rounds": 100},
    "solo, margin": {"mode": "solo", "reward": "margin", "max_rounds": 2},
    "solo, shaping": {"mode": "solo", "reward": pay_nothing, "shaping": money_potential, "gamma": 0.9, "max_rounds": 2},
}
OPTIONS = {"reward", "shaping", "gamma", "illegal", "skip_forced", "encoding"}


def assert_told(told: Told, expected: Told) -> None:
    """The face tells what the definitions say; what it does not tell is tested with that face."""
    assert data_equivalence(told.observation, expected.observation, exact=True)
    assert told.reward == pytest.approx(expected.reward, rel=1e-6, abs=1e-6)  # Stable-Baselines3 pays float32
    if expected.mask is not None:
        assert np.array_equal(told.mask, expected.mask)
        return
    assert told.mask is None
    assert told.end is not None
    assert expected.end is not None
    assert told.end == {name: expected.end[name] for name in told.end}


def follow(face: Face, seed: int, reference: Reference, rng: np.random.Generator, forfeit_at: int = -1) -> Told:
    """Play the same game in both, at random; the last that was told. Each event is told once."""
    expected = reference.look(reference.first_reward)
    told = face.begin(seed)
    assert_told(told, expected)
    decision, heard = 0, told.events
    while expected.mask is not None:
        action = int(np.argmin(expected.mask)) if decision == forfeit_at else draw_legal(expected.mask, rng)
        decision += 1
        expected = reference.step(action)
        told = face.step(action)
        assert_told(told, expected)
        heard += told.events
    if isinstance(face, AecFace | GymnasiumFace):
        assert heard == face.game.events_for(reference.learner)
    return told


def make_reference(face: Face, seed: int, options: dict[str, Any]) -> Reference:
    how = {name: value for name, value in options.items() if name in OPTIONS}
    return Reference(
        face.rules, seed, options.get("seat", 0), options.get("opponents"), pays_from_deal=face.pays_from_deal, **how
    )


# --- games -----------------------------------------------------------------------------------------------


def play_by_definitions(face: type[Face], table: str) -> None:
    options = TABLES[table]
    played = face(**options)
    told = follow(played, 5, make_reference(played, 5, options), np.random.default_rng(5))
    assert told.end is not None
    assert told.end["round_limit"] is (table != "solo")  # eight rounds are the solo game's own end


@over_faces()
@pytest.mark.parametrize("table", TABLES)
def test_play__is_the_game_of_the_seed_by_its_definitions(face: type[Face], table: str) -> None:
    play_by_definitions(face, table)


@over_faces("vector, same step", "vector, next step")
@pytest.mark.parametrize("table", ["three seats", "shaping, discounted", "solo"])
def test_play__in_other_modes_of_autoreset_too(face: type[Face], table: str) -> None:
    play_by_definitions(face, table)


@over_faces()
@pytest.mark.parametrize(
    ("options", "decision"),
    [
        ({"automas": 1}, 0),
        ({"num_players": 5, "automas": 4, "shaping": money_potential}, 3),
        ({"num_players": 3, "opponents": choose_last, "seat": 2, "shaping": money_potential, "gamma": 0.9}, 0),
        ({"num_players": 5, "opponents": choose_first, "seat": 1}, 3),
        ({"mode": "solo"}, 3),
    ],
)
def test_forfeit__ends_the_game_for_all(face: type[Face], options: dict[str, Any], decision: int) -> None:
    played = face(illegal="forfeit", **options)
    reference = make_reference(played, 12, options)
    told = follow(played, 12, reference, np.random.default_rng(12), forfeit_at=decision)
    assert told.end is not None
    assert told.end["forfeit"] is True
    assert played.begin().mask is not None  # it is over with the next reset


# --- illegal actions, order of calls ---------------------------------------------------------------------


NO_INTEGERS = (None, "money", 1.0, True, np.zeros(1, int))


@over_faces()
@pytest.mark.parametrize(
    ("illegal", "action"),
    [
        *(("raise", action) for action in (ILLEGAL_AT_START, -1, NUM_ACTIONS, *NO_INTEGERS)),
        *(("forfeit", action) for action in NO_INTEGERS),
    ],
)
def test_raise__changes_nothing(face: type[Face], illegal: str, action: Any) -> None:
    played = face(opponents=choose_last, illegal=illegal)
    played.begin(seed=11)
    before = played.state()
    why = re.escape(str(played.game.explain(action))) if action is ILLEGAL_AT_START else None
    with pytest.raises(IllegalActionError, match=why):
        played.raw_step(action)
    assert played.state() == before
    played.raw_step(np.int32(MONEY))


@over_faces()
def test_step__needs_a_reset(face: type[Face]) -> None:
    played = face(automas=1)
    with pytest.raises((ResetNeeded, AssertionError, RuntimeError), match="reset"):
        played.raw_step(MONEY)
    played.begin(seed=1)
    list(played.play(np.random.default_rng(1)))
    if face is not Sb3Face:  # there the next game has begun
        with pytest.raises((ResetNeeded, AssertionError, ValueError), match=r"reset\(|None"):
            played.raw_step(MONEY)


# --- seeds -----------------------------------------------------------------------------------------------


@over_faces(*LEARNERS)
@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 5},
        {"opponents": RandomAgent, "seat": "random"},
        {"num_players": 4, "opponents": [RandomAgent(), GreedyAgent], "automas": 1, "seat": "random"},
        {"mode": "solo"},
    ],
)
def test_seed__fixes_everything_whatever_came_before(face: type[Face], options: dict[str, Any]) -> None:
    one, two = face(**options), face(**options)
    two.begin(seed=99)
    tell_all(two, np.random.default_rng(0), 3)
    for game in range(3):
        if game == 0 or face is not Sb3Face:  # there the next game has begun
            assert_told(*(each.begin(18 if game == 0 else None) for each in (one, two)))
        assert tell_all(one, np.random.default_rng(game)) == tell_all(two, np.random.default_rng(game))


@over_faces()
def test_seed__without_one_other_games_follow(face: type[Face]) -> None:
    played = face(automas=1)
    deals = []
    for seed in (18, None, 18, None):
        if seed is not None or face is not Sb3Face:  # there a seed is drawn from outside
            played.begin(seed)
        deals.append(played.game.record.tobytes())
    assert deals[:2] == deals[2:]
    assert deals[0] != deals[1] or face is Sb3Face


@over_faces()
@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "1"])
def test_seed__bad_ones_are_refused(face: type[Face], seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        face(automas=1).reset(seed)


@over_faces()
def test_seed__global_random_states_are_left_alone(face: type[Face]) -> None:
    python, numpy = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002 - to see that nobody uses it
    opponents = choose_seen if face is AecFace else [RandomAgent, GreedyAgent, choose_seen]
    played = face(num_players=5, opponents=opponents, automas=1, seat=0)
    played.begin(seed=21)
    list(played.play(np.random.default_rng(21)))
    played.begin()
    assert random.getstate() == python
    assert pickle.dumps(np.random.get_state()) == numpy  # noqa: NPY002


# --- copies, fresh arrays --------------------------------------------------------------------------------


AGENTS = {  # opponents that may remember
    AecFace: choose_seen,
    GymnasiumFace: [RandomAgent(), choose_any],
    VectorFace: [RandomAgent, Pool({"a": GreedyAgent, "b": choose_seen})],
    Sb3Face: [RandomAgent(), Pool({"a": GreedyAgent, "b": choose_seen})],
}


@over_faces()
@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 3, "seat": 1, "shaping": money_potential, "illegal": "forfeit"},
        {"num_players": 5, "automas": 4, "encoding": "grid"},
        {"mode": "solo", "encoding": "graph"},
    ],
)
def test_copies__have_the_same_position_and_future(face: type[Face], options: dict[str, Any]) -> None:
    opponents = {"opponents": AGENTS[face]} if "seat" in options else {}
    played = face(**options, **opponents)
    played.begin(seed=22)
    tell_all(played, np.random.default_rng(22), 7)
    record, futures, everyone = played.game.record.tobytes(), set(), [played]
    for copier in COPIERS if face in (AecFace, GymnasiumFace) else COPIERS[1:]:  # copy.copy is for one game
        everyone.append(copy.copy(played))
        everyone[-1].env = copier(played.env.unwrapped if face is GymnasiumFace else played.env)
    for each in everyone:
        assert each.game.record.tobytes() == record  # the others have moved on alone
        future = tell_all(each, np.random.default_rng(23))
        if face is not Sb3Face:
            each.begin()
        futures.add((future, tell_all(each, np.random.default_rng(24))))
    assert len(futures) == 1


@over_faces()
@pytest.mark.parametrize(
    "options", [{"automas": 1}, {"automas": 1, "encoding": "grid"}, {"mode": "solo", "encoding": "graph"}]
)
def test_told__nothing_is_shared(face: type[Face], options: dict[str, Any]) -> None:
    played, twin = face(**options), face(**options)
    rng = np.random.default_rng(7)
    told = [each.reset(7) for each in (played, twin)]
    for _ in range(60):
        if face is AecFace:
            told = [(each.env.last(), each.env.infos, each.env.state()) for each in (played, twin)]
        assert pickle.dumps(told[0]) == pickle.dumps(told[1])
        spoil(told[0])
        if hasattr(played.env.unwrapped, "board_features"):
            spoil(played.env.unwrapped.board_features)
        if twin.game.done:
            break
        action = draw_legal(twin.mask(), rng)
        told = [each.raw_step(action) for each in (played, twin)]
    assert played.game.record == twin.game.record


# --- what they show ---------------------------------------------------------------------------------------


@over_faces(*SINGLE)
def test_render__returns_or_shows_the_board(face: type[Face], monkeypatch: pytest.MonkeyPatch) -> None:
    played = face(automas=1, render_mode="ansi")
    played.begin(seed=1)
    assert played.env.render() == played.game.render("ansi")
    shown: list[np.ndarray] = []
    monkeypatch.setattr("steam_env.render.show_pixels", lambda pixels, fps: shown.append(pixels))
    played = face(automas=1, render_mode="human")
    played.begin(seed=1)
    played.raw_step(MONEY)
    assert len(shown) == 2
    assert played.env.render() is None
    assert np.array_equal(shown[1], shown[2])
    assert not np.array_equal(shown[0], shown[1])
    assert np.array_equal(shown[2], played.game.render("rgb_array"))
    played.env.close()


@pytest.mark.filterwarnings("ignore:.*render.. does nothing without a render_mode:UserWarning")
@over_faces(*SINGLE, "vector")
def test_render__without_a_mode_is_nothing(face: type[Face]) -> None:
    played = face(automas=1)
    played.begin(seed=1)
    assert played.env.unwrapped.render() is None


@over_faces(*SINGLE, "vector")
def test_metadata__tells_when_seats_are_paid(face: type[Face]) -> None:
    env, shaped = face(automas=1).env.unwrapped, face(automas=1, shaping=money_potential).env.unwrapped
    assert env.metadata["reward_timing"] == "terminal"
    assert "shaping" in shaped.metadata["reward_timing"]
    assert "shaping" not in getattr(type(env), "metadata", {}).get("reward_timing", "")
    assert env.reward == "win"
    assert face(mode="solo").env.unwrapped.reward == "score"


@over_faces(*SINGLE, "vector")
def test_board_features__are_those_of_the_map_and_fresh(face: type[Face]) -> None:
    played = face(automas=1)
    features = played.env.unwrapped.board_features
    assert set(features) > {"hex_terrain", "contract_needs"}
    features["hex_terrain"][:] = 7
    played.begin(seed=1)
    assert played.env.unwrapped.board_features["hex_terrain"].max() == 1


def test_sources__name_no_game() -> None:
    for path in (ROOT / "steam_env" / "envs").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"steam[_ ]?power|automa(?!t)|contract|money", text, re.IGNORECASE), path
