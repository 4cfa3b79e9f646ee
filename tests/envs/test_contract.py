"""What every environment promises, tested over all faces: PettingZoo, Gymnasium, vector, Stable-Baselines3."""

import copy
import pickle
import random
import re
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from steam_env import Game, GameBatch, IllegalActionError, Rules, ScenarioError, View
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.state import PLACE_DECK, PLACE_HAND
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.options import SHARED, list_options
from steam_env.kit.command_line import read_entries
from steam_env.table.engine import find_engine
from steam_env.table.rewards import win_reward
from steam_env.training.reward import WinAndMargin
from tests.envs.faces import (
    EVENTFUL,
    FACES,
    ILLEGAL_AT_START,
    ROOT,
    SMALL,
    AecFace,
    Face,
    Reference,
    Told,
    choose_first,
    choose_last,
    choose_seen,
    draw_legal,
    last_action,
    money_potential,
    narrow_pass,
    over_faces,
    pay_money,
    pay_nothing,
    score_rewards,
    spoil,
    win_rewards,
)

LEARNERS = ("Gymnasium", "vector", "Stable-Baselines3")  # faces that play the others themselves
SINGLE = ("PettingZoo", "Gymnasium")  # faces of one game, which may begin at a scenario
COPIERS = (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))

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
    """Play the same game in both, at random; the last that was told."""
    expected = reference.look(reference.first_reward)
    told = face.begin(seed)
    assert_told(told, expected)
    decision = 0
    while expected.mask is not None:
        action = int(np.argmin(expected.mask)) if decision == forfeit_at else draw_legal(expected.mask, rng)
        decision += 1
        expected = reference.step(action)
        told = face.step(action)
        assert_told(told, expected)
    return told


def make_reference(face: Face, seed: int, options: dict[str, Any]) -> Reference:
    how = {name: value for name, value in options.items() if name in OPTIONS}
    return Reference(
        face.rules, seed, options.get("seat", 0), options.get("opponents"), pays_from_deal=face.pays_from_deal, **how
    )


# --- games -----------------------------------------------------------------------------------------------


@over_faces("every")
@pytest.mark.parametrize("table", TABLES)
def test_play__is_the_game_of_the_seed_by_its_definitions(face: type[Face], table: str) -> None:
    options = TABLES[table]
    played = face(**options)
    for seed in (5, 6):
        reference = make_reference(played, seed, options)
        told = follow(played, seed, reference, np.random.default_rng(seed))
        assert told.end is not None
        assert told.end["round_limit"] is (table != "solo")  # eight rounds are the solo game's own end


@over_faces("every")
@pytest.mark.parametrize("decision", [0, 3])
@pytest.mark.parametrize(
    "options",
    [
        {"automas": 1},
        {"num_players": 5, "automas": 4, "shaping": money_potential},
        {"num_players": 3, "opponents": choose_last, "seat": 2, "shaping": money_potential, "gamma": 0.9},
        {"num_players": 5, "opponents": choose_first, "seat": 1},
        {"mode": "solo"},
    ],
)
def test_forfeit__ends_the_game_for_all(face: type[Face], decision: int, options: dict[str, Any]) -> None:
    played = face(illegal="forfeit", **options)
    reference = make_reference(played, 12, options)
    told = follow(played, 12, reference, np.random.default_rng(12), forfeit_at=decision)
    assert told.end is not None
    assert told.end["forfeit"] is True
    assert played.begin().mask is not None  # it is over with the next reset


# --- illegal actions, order of calls ---------------------------------------------------------------------


@over_faces()
@pytest.mark.parametrize("action", [ILLEGAL_AT_START, -1, NUM_ACTIONS, None, "money", 1.0, True, np.zeros(1, int)])
def test_raise__changes_nothing(face: type[Face], action: Any) -> None:
    played = face(opponents=choose_last)
    played.begin(seed=11)
    before = played.state()
    why = re.escape(str(played.game.explain(action))) if action is ILLEGAL_AT_START else None
    with pytest.raises(IllegalActionError, match=why):
        played.raw_step(action)
    assert played.state() == before
    played.raw_step(np.int32(MONEY))


@over_faces()
@pytest.mark.parametrize("action", [None, "money", 1.0])
def test_forfeit__what_is_no_integer_raises(face: type[Face], action: Any) -> None:
    played = face(automas=1, illegal="forfeit")
    played.begin(seed=12)
    with pytest.raises(IllegalActionError, match="must be"):
        played.raw_step(action)
    assert played.step(MONEY).mask is not None


@over_faces()
def test_step__needs_a_reset(face: type[Face]) -> None:
    played = face(automas=1)
    with pytest.raises((ResetNeeded, AssertionError, RuntimeError), match="reset"):
        played.raw_step(MONEY)
    played.begin(seed=1)
    list(played.play(np.random.default_rng(1)))
    if face is not FACES["Stable-Baselines3"]:  # there the next game has begun
        with pytest.raises((ResetNeeded, AssertionError, ValueError), match=r"reset\(|None"):
            played.raw_step(MONEY)


# --- seeds -----------------------------------------------------------------------------------------------


def tell_all(played: Face, rng: np.random.Generator, steps: int = 10**6) -> bytes:
    return pickle.dumps([(told.observation, told.mask, told.reward, told.end) for told in played.play(rng, steps)])


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
        if game == 0 or face is not FACES["Stable-Baselines3"]:  # there the next game has begun
            assert_told(*(each.begin(18 if game == 0 else None) for each in (one, two)))
        assert tell_all(one, np.random.default_rng(game)) == tell_all(two, np.random.default_rng(game))


@over_faces()
def test_seed__without_one_other_games_follow(face: type[Face]) -> None:
    played = face(automas=1)
    deals = []
    for seed in (18, None, 18, None):
        if seed is not None or face is not FACES["Stable-Baselines3"]:  # there a seed is drawn from outside
            played.begin(seed)
        deals.append(played.game.record.tobytes())
    assert deals[:2] == deals[2:]
    assert deals[0] != deals[1] or face is FACES["Stable-Baselines3"]


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


@over_faces()
@pytest.mark.parametrize("copier", COPIERS[1:])
@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 3, "opponents": choose_seen, "seat": 1, "shaping": money_potential, "illegal": "forfeit"},
        {"num_players": 5, "automas": 4},
        {"mode": "solo"},
    ],
)
def test_copy__has_the_same_position_and_future(
    face: type[Face], copier: Callable[[Any], Any], options: dict[str, Any]
) -> None:
    played = face(**options)
    played.begin(seed=22)
    tell_all(played, np.random.default_rng(22), 7)
    twin = copy.copy(played)
    twin.env = copier(played.env)
    assert type(twin.env) is type(played.env)
    record = played.game.record.tobytes()
    futures = []
    for each in (twin, played):
        assert each.game.record.tobytes() == record  # the copy has moved on alone
        future = tell_all(each, np.random.default_rng(23))
        if face is not FACES["Stable-Baselines3"]:
            each.begin()
        futures.append((future, tell_all(each, np.random.default_rng(24))))
    assert futures[0] == futures[1]


@over_faces()
@pytest.mark.parametrize("mode", ["multiplayer", "solo"])
def test_told__nothing_is_shared(face: type[Face], mode: str) -> None:
    options = {"mode": "solo"} if mode == "solo" else {"automas": 1}
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


# --- spaces, options -------------------------------------------------------------------------------------


def spaces_of(env: Any) -> tuple[Any, Any]:
    env = env.unwrapped if hasattr(env, "unwrapped") and not hasattr(env, "groups") else env
    if hasattr(env, "possible_agents"):
        return env.observation_space("player_0")["observation"], env.action_space("player_0")
    if hasattr(env, "single_observation_space"):
        return env.single_observation_space, env.single_action_space
    return env.observation_space, env.action_space


@over_faces()
def test_spaces__are_the_same_for_all_games(face: type[Face]) -> None:
    for options in ({"automas": 1}, {"num_players": 5, "automas": 4, "map": "midwest"}, {"mode": "solo"}):
        observation, action = spaces_of(face(**options).env)
        assert (observation.shape, observation.dtype) == (ENCODINGS["flat"].spec.shape, np.float32)
        assert action.n == NUM_ACTIONS


@over_faces()
def test_options__those_of_all_environments_are_shown_and_told(face: type[Face]) -> None:
    env = face(automas=1).env
    kind = type(env if hasattr(env, "groups") else env.unwrapped)
    options = list_options(kind)
    assert {name: options[name] for name in SHARED} == SHARED
    entries = read_entries(kind, "Args")
    own = options.keys() - SHARED.keys()
    assert own <= {name for entry in entries for name in entry.split(", ")} | {"opponents", "seat"}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"player": 3}, r"unknown option 'player': options are .*encoding.*; rules are num_players"),
    ({"num_players": 9}, "num_players=9: 2 to 5 are allowed"),
    ({"map": "nowhere"}, "nowhere"),
    ({"game": "chess"}, "game='chess': allowed are 'steam_power'"),
    ({"game": "chess", "rules": Rules(automas=1)}, "game='chess': allowed are 'steam_power'"),
    ({"rules": Rules(), "map": "mini"}, "rules= and map= exclude each other"),
    ({"rules": {"map": "mini"}}, r"an object of .*\.Rules is allowed"),
    ({"encoding": "nothing"}, "encoding='nothing': allowed are 'flat', 'grid', 'graph'"),
    ({"reward": "money"}, "reward='money': allowed are 'win', 'margin', 'score' or a function"),
    ({"mode": "solo", "reward": "win"}, "reward='win' needs somebody to win against: in mode='solo' 'score'"),
    ({"shaping": "money"}, "shaping='money': None or a function"),
    ({"gamma": 1.5}, "gamma=1.5: a number from 0 to 1"),
    ({"gamma": float("nan")}, "gamma=nan: a number from 0 to 1"),
    ({"gamma": "1"}, "gamma='1': a number from 0 to 1"),
    ({"illegal": "ignore"}, "illegal='ignore': allowed are 'raise', 'forfeit'"),
    ({"illegal": None}, "illegal=None: allowed are 'raise', 'forfeit'"),
    ({"skip_forced": 1}, "skip_forced=1: allowed are True, False"),
    ({"render_mode": "pdf"}, "render_mode='pdf': allowed are .*'rgb_array'"),
]
REFUSED_LEARNERS: list[tuple[dict[str, Any], str]] = [
    ({"oponents": RandomAgent}, r"unknown option 'oponents': options are .*opponents.*; rules are num_players"),
    ({"mask_in": "info"}, "unknown option 'mask_in'"),
    ({"opponents": "greedy"}, r"opponents='greedy': an agent .* is allowed"),
    ({"opponents": 3}, r"opponents=3: an agent .* is allowed"),
    ({"opponents": lambda view: 0}, r"a function \(view, mask, rng\) -> action"),
    ({"opponents": list}, r"opponents=<class 'list'>: an agent .* is allowed"),
    ({"opponents": [RandomAgent], "num_players": 3}, "there are 2 other player seats"),
    ({"opponents": [RandomAgent] * 2, "num_players": 2}, "there are 1 other player seats"),
    ({"opponents": [], "num_players": 2}, r"opponents=\[\]: there are 1 other player seats"),
    ({"opponents": RandomAgent, "num_players": 2, "automas": 1}, "there are 0 other player seats"),
    ({"opponents": RandomAgent, "mode": "solo"}, "there are 0 other player seats"),
    ({"automas": 0}, "opponents=None: agents are needed for 1 other player seats"),
    ({"edition": "preview"}, "opponents=None: agents are needed for 1 other player seats"),
    ({"rules": Rules()}, "opponents=None: agents are needed for 1 other player seats"),
    ({"automas": 5}, "num_players=6: 2 to 5 are allowed"),
    ({"automas": "1"}, "automas must be an integer"),
    ({"seat": 1}, "seat=1: 'random' or the number of a player seat, below 1, is allowed"),
    ({"seat": -1}, "seat=-1: 'random' or"),
    ({"seat": "player_0"}, "seat='player_0': 'random' or"),
    ({"seat": True}, "seat must be an integer"),
    ({"seat": 0.0}, "seat must be an integer"),
]


@over_faces()
@pytest.mark.parametrize(("options", "named"), REFUSED)
def test_options__wrong_ones_are_refused(face: type[Face], options: dict[str, Any], named: str) -> None:
    filled = {} if "rules" in options or "mode" in options else {"automas": 1, "num_players": 2}
    with pytest.raises(ValueError, match=named):
        face.make(**{**filled, **options})


@over_faces(*LEARNERS)
@pytest.mark.parametrize(("options", "named"), REFUSED_LEARNERS)
def test_options__wrong_ones_of_learners_are_refused(face: type[Face], options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        face.make(**options)


@over_faces(*LEARNERS)
@pytest.mark.parametrize(
    ("options", "seats", "automas"),
    [
        ({}, 2, 1),
        ({"num_players": 4}, 4, 3),
        ({"automas": 3}, 4, 3),
        ({"opponents": RandomAgent}, 2, 0),
        ({"opponents": RandomAgent, "automas": 2}, 4, 2),
        ({"opponents": [RandomAgent, choose_last]}, 3, 0),
        ({"opponents": (RandomAgent, choose_last), "automas": 1}, 4, 1),
        ({"opponents": RandomAgent, "num_players": 5}, 5, 0),
        ({"opponents": RandomAgent, "num_players": 5, "automas": 2}, 5, 2),
        ({"rules": Rules(num_players=3, automas=2)}, 3, 2),
        ({"mode": "solo"}, 1, 0),
    ],
)
def test_options__seats_that_are_left_out(face: type[Face], options: dict[str, Any], seats: int, automas: int) -> None:
    rules = face(**options).rules
    assert (rules.seats, rules.automas) == (seats, automas)


# --- opponents -------------------------------------------------------------------------------------------


class Watcher(RandomAgent):
    """Plays at random and keeps all that it is given."""

    encoding: str | None = "flat"
    made: ClassVar[list["Watcher"]] = []  # to find those that the environment makes

    def __init__(self) -> None:
        self.given: list[tuple[Any, np.ndarray, View]] = []
        self.seeds: list[int] = []
        super().__init__()
        self.made.append(self)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.seeds.append(seed)

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        self.given.append((copy.deepcopy(observations), masks.copy(), views))
        return super().act(observations, masks, views)


@over_faces(*LEARNERS)
@pytest.mark.parametrize("encoding", ["flat", None])
def test_opponents__each_has_an_agent_of_its_own_that_sees_its_seat_only(
    face: type[Face], encoding: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "encoding", encoding)
    monkeypatch.setattr(Watcher, "made", [])
    played = face(num_players=4, automas=1, opponents=[Watcher, Watcher], seat=1)
    for seed in (13, None):  # without one the agents' seeds go on
        played.begin(seed)
        list(played.play(np.random.default_rng(13)))
    asked = [one for one in Watcher.made if one.given]
    assert len(asked) == (2 if face is FACES["Gymnasium"] else 4)  # in a batch they are made anew
    assert len({seed for one in asked for seed in one.seeds[1:]}) == sum(len(one.seeds) - 1 for one in asked)
    assert {one.given[0][2].seat for one in asked} == {2, 0}
    given = Watcher()
    copied = face(opponents=given)
    copied.begin(seed=1)
    list(copied.play(np.random.default_rng(1)))
    assert (given.seeds, given.given) == ([0], [])  # it is copied, too
    for watcher in asked:
        seat = watcher.given[0][2].seat
        for observations, masks, view in watcher.given:
            assert isinstance(view, View)
            assert (len(view), view.seat, view.record.seat) == (1, seat, seat)
            assert not view.record.rng.any()
            assert (view.record.deck_order == NONE).all()
            held = {PLACE_HAND + other for other in range(4) if other != seat} | {PLACE_DECK}
            assert not held & set(view.record.place.tolist())
            game = GameBatch.from_records(view.sample(1, 0).records, played.rules)
            assert np.array_equal(game.mask, masks)
            assert masks.dtype == np.bool_
            if encoding is None:
                assert observations is None
            else:
                assert np.array_equal(game.observe(encoding), observations)


class Cheat(RandomAgent):
    """Answers with what is not legal."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def act(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
        return self.answer


@over_faces(*LEARNERS)
@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (np.array([ILLEGAL_AT_START]), r"\(rule 5\.1\)\. Legal now: "),
        (np.array([-1]), "action -1 is out of range"),
        (np.array([NUM_ACTIONS]), "action 372 is out of range"),
        (np.array([MONEY, MONEY]), r"its answer must be 1 integers, not an array of shape \(2,\)"),
        (np.array([0.0]), "its answer must be 1 integers, not .* float64"),
        (None, "its answer must be 1 integers, not .* object"),
        (MONEY, r"its answer must be 1 integers, not an array of shape \(\)"),
    ],
)
def test_opponents__an_illegal_answer_is_told_with_the_name(
    face: type[Face], answer: Any, why: str, illegal: str
) -> None:
    played = face(opponents=[Cheat(answer)], first_player="player_0", illegal=illegal, seat=0)
    played.begin(seed=17)
    played.step(MONEY)
    with pytest.raises(IllegalActionError, match=f"opponent Cheat.*: .*{why}"):
        played.raw_step(MONEY)
    with pytest.raises(ResetNeeded):
        played.raw_step(MONEY)
    played.begin(seed=17)
    first_moves = face(opponents=[Cheat(answer)], first_player="player_0", illegal=illegal, seat=1)
    with pytest.raises(IllegalActionError, match=f"opponent Cheat.*: .*{why}"):
        first_moves.begin(seed=17)
    with pytest.raises(ResetNeeded):
        first_moves.raw_step(MONEY)


@over_faces(*LEARNERS)
@pytest.mark.parametrize("given", [RandomAgent, RandomAgent(), lambda: RandomAgent()])
def test_opponents__may_be_objects_or_what_makes_them(face: type[Face], given: Any) -> None:
    futures = []
    for opponents in (given, [RandomAgent]):
        played = face(opponents=opponents)
        played.begin(seed=16)
        futures.append(tell_all(played, np.random.default_rng(16)))
    assert futures[0] == futures[1]


@over_faces(*LEARNERS)
def test_opponents__an_encoding_that_the_game_has_not_is_refused(face: type[Face]) -> None:
    def choose(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.argmax(masks, axis=1)

    choose.encoding = "flet"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="encoding of choose='flet': allowed are 'flat', 'grid', 'graph'"):
        face.make(opponents=choose)


@over_faces(*LEARNERS)
def test_opponents__spoiling_what_they_get_changes_nothing(face: type[Face]) -> None:
    class Spoiler(GreedyAgent):
        encoding = "flat"

        def act(self, observations: Any, masks: np.ndarray, views: Any) -> np.ndarray:
            actions = super().act(observations, masks, views)
            masks[:], observations[:] = True, 7
            views.records["money"] = 99
            return actions

    futures = []
    for opponent in (Spoiler, GreedyAgent):
        played = face(opponents=opponent, seat=0)
        played.begin(seed=14)
        futures.append(tell_all(played, np.random.default_rng(14)))
    assert futures[0] == futures[1]


# --- rewards at the end, by examples ---------------------------------------------------------------------


@over_faces(*SINGLE)
@pytest.mark.parametrize(
    ("points", "paid"),
    [
        ([3, 1], [1, -1]),
        ([1, 3], [-1, 1]),
        ([2, 2], [0, 0]),
        ([1, 3, 1], [-1 / 2, 1, -1 / 2]),
        ([3, 1, 3], [1 / 2, -1, 1 / 2]),
        ([2, 2, 2], [0, 0, 0]),
        ([1, 4, 4, 2], [-1 / 2, 1 / 2, 1 / 2, -1 / 2]),
        ([1, 1, 1, 2], [-1 / 3, -1 / 3, -1 / 3, 1]),
        ([1, 1, 1, 1], [0, 0, 0, 0]),
        ([5, 4, 3, 2, 1], [1, -1 / 4, -1 / 4, -1 / 4, -1 / 4]),
        ([3, 3, 1, 3, 3], [1 / 4, 1 / 4, -1, 1 / 4, 1 / 4]),
    ],
)
def test_reward__of_every_seat_whoever_ends_the_game(face: type[Face], points: list[int], paid: list[float]) -> None:
    seats = len(points)
    for learner in range(seats):
        scenario = last_action(points)
        scenario["turn"]["seat"] = learner
        to_come = [0] * learner + [3] + [6] * (seats - 1 - learner)  # one action of the learner, two of each after it
        scenario["seats"]["money"] = [5 * value - more for value, more in zip(points, to_come, strict=True)]
        if min(scenario["seats"]["money"]) < 0:
            continue
        others = (sum(points) - points[learner]) / (seats - 1)
        expected = {"win": paid[learner], "margin": (points[learner] - others) / 50, "score": points[learner] / 50}
        for reward, worth in expected.items():
            played = face(num_players=seats, opponents=choose_money, seat=learner, reward=reward)
            played.begin(seed=1, scenario=scenario)
            told = played.step(MONEY)
            assert [score["total"] for score in played.game.scores()] == points
            assert told.reward == pytest.approx(worth)


def choose_money(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.full(len(masks), MONEY)


@over_faces(*SINGLE)
@pytest.mark.parametrize("as_function", [False, True])
def test_reward__counts_on_a_map_that_only_the_scenario_has(face: type[Face], as_function: bool) -> None:
    """What is given the setting needs no name of a map; a function of records and rules goes on working."""
    scenario = narrow_pass(money=(40, 0), max_rounds=1)
    if as_function:
        played = face(num_players=2, opponents=choose_money, reward=pay_money)
    else:
        shape = WinAndMargin(0.0, 0.05)
        played = face(num_players=2, opponents=choose_money, reward=WinAndMargin(1.0, 0.05), shaping=shape)
    played.begin(seed=1, scenario=scenario)
    assert played.rules.map == "mini"
    assert played.game.setting.title == "pass"
    margin = 0.05 * (game_margin(played.game))
    told = played.step(MONEY)
    won = win_reward(*find_engine("steam_power").score(played.game.records, played.game.setting), 1.0)[0, 0]
    paid = played.game.money[0] if as_function else won + 0.05 * game_margin(played.game) - margin
    assert told.reward == pytest.approx(paid)
    assert won == 1


def game_margin(game: Game) -> float:
    mine, others = (score["total"] for score in game.scores())
    return float(mine - others)


@over_faces()
@pytest.mark.parametrize("bad", [np.zeros(2), np.zeros((1, 3)), np.full((1, 2), np.nan)])
def test_reward__of_a_function_is_checked(face: type[Face], bad: np.ndarray) -> None:
    played = face(automas=1, reward=lambda records, rules: bad, max_rounds=1)
    played.begin(seed=1)
    with pytest.raises(ValueError, match="reward must return"):
        list(played.play(np.random.default_rng(1)))
    with pytest.raises(ValueError, match="shaping must return"):
        face(automas=1, shaping=lambda records, rules: bad).begin(seed=1)


@over_faces()
def test_reward__functions_get_a_copy(face: type[Face]) -> None:
    def spoil_records(records: np.ndarray, rules: Rules) -> np.ndarray:
        records["money"] = 0
        return np.zeros((len(records), rules.seats))

    played, twin = (face(automas=1, reward=one, shaping=one) for one in (spoil_records, pay_nothing))
    for each in (played, twin):
        each.begin(seed=1)
    assert tell_all(played, np.random.default_rng(1)) == tell_all(twin, np.random.default_rng(1))


# --- scenarios -------------------------------------------------------------------------------------------


@over_faces(*SINGLE)
def test_scenario__with_automas_and_by_its_own_rules(face: type[Face]) -> None:
    start = Game(Rules(num_players=4, automas=3, map="mini", contracts="standard", max_rounds=3), seed=4)
    played = face(num_players=2, automas=1)  # one player seat too, but one Automa
    played.begin(seed=23, scenario=start.to_scenario())
    assert played.game.record == start.record
    *_, told = played.play(np.random.default_rng(23))
    assert len(played.game.scores()) == 4
    assert told.reward == pytest.approx(win_rewards(played.game)[0])
    assert played.rules.automas == 1
    played.begin(seed=23)
    assert played.game.record == Game(played.rules, seed=23).record


@over_faces(*SINGLE)
def test_scenario__solo_in_the_middle_of_a_game(face: type[Face]) -> None:
    game = Game(Rules(mode="solo", map="mini", contracts="standard"), seed=30)
    for _ in range(3):
        game.step(MONEY)
    played = face(mode="solo")
    played.begin(seed=1, scenario=game.to_scenario())
    assert played.game.record == game.record
    *_, told = played.play(np.random.default_rng(1))
    assert told.reward == score_rewards(played.game)[0]


@over_faces(*SINGLE)
def test_scenario__of_other_seats_or_mode_is_refused(face: type[Face]) -> None:
    solo = Game(Rules(mode="solo", map="mini", contracts="standard"), seed=1).to_scenario()
    duel = Game(Rules(automas=1, **SMALL), seed=1).to_scenario()
    for options, scenario, message in (
        ({"automas": 1}, EVENTFUL, "has 3 player seats in mode 'multiplayer', this environment 1 in mode"),
        ({"automas": 1}, solo, "has 1 player seats in mode 'solo', this environment 1 in mode 'multiplayer'"),
        ({"mode": "solo"}, duel, "has 1 player seats in mode 'multiplayer', this environment 1 in mode 'solo'"),
        ({"mode": "solo"}, {"cities": "X"}, "cities"),
    ):
        played = face(**options)
        played.begin(seed=1)
        before = played.game.record.tobytes()
        with pytest.raises(ScenarioError if message == "cities" else ValueError, match=message):
            played.begin(scenario=scenario)
        assert played.game.record.tobytes() == before
        with pytest.warns(UserWarning, match="reset option 'scenaro' is ignored: 'scenario' is allowed"):
            played.begin(scenaro="x.toml")


# --- pictures --------------------------------------------------------------------------------------------


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
