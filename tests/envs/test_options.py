"""Options of every environment: which are refused, what is filled in, who plays the other seats."""

import copy
from typing import Any, ClassVar

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from steam_env import GameBatch, IllegalActionError, Rules, View
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.state import PLACE_DECK, PLACE_HAND
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.options import SHARED, list_options
from steam_env.kit.command_line import read_entries
from tests.encoding_checks import arrays_of
from tests.envs.faces import (
    ILLEGAL_AT_START,
    LEARNERS,
    Face,
    GymnasiumFace,
    choose_in,
    choose_last,
    over_faces,
    tell_all,
)


@over_faces()
def test_options__those_of_all_environments_are_shown_and_told(face: type[Face]) -> None:
    env = face(automas=1).env
    kind = type(env if hasattr(env, "groups") else env.unwrapped)
    options = list_options(kind)
    assert {name: options[name] for name in SHARED} == SHARED
    entries = read_entries(kind, "Args")
    own = options.keys() - SHARED.keys()
    assert own <= {name for entry in entries for name in entry.split(", ")} | {"opponents", "seat", "threads"}


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
    ({"opponents": choose_in("flet")}, "encoding of choose='flet': allowed are 'flat', 'grid', 'graph'"),
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
@pytest.mark.parametrize("encoding", ["graph", None])
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
    assert len(asked) == (2 if face is GymnasiumFace else 4)  # in a batch they are made anew
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
                assert data_equivalence(game.observe(encoding), observations, exact=True)


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
    begun, first = (face(opponents=[Cheat(answer)], first_player="player_0", illegal=illegal, seat=n) for n in (0, 1))
    begun.begin(seed=17)
    begun.step(MONEY)
    for played, go_on in ((begun, lambda: begun.raw_step(MONEY)), (first, lambda: first.begin(seed=17))):
        with pytest.raises(IllegalActionError, match=f"opponent Cheat.*: .*{why}"):
            go_on()
        with pytest.raises(ResetNeeded):
            played.raw_step(MONEY)
    begun.begin(seed=17)


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
@pytest.mark.parametrize("encoding", ["grid", "graph", None])
def test_policies__name_the_encoding_that_they_want(face: type[Face], encoding: str | None) -> None:
    seen: list[Any] = []
    face(opponents=choose_in(encoding, seen.append), first_player="player_0", seat=1).begin(seed=1)
    wanted = arrays_of(ENCODINGS[encoding or "flat"].allocate(1))
    assert seen
    assert all([one.shape for one in arrays_of(each)] == [one.shape for one in wanted] for each in seen)


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
