"""Agents that fail when they are asked: whatever they raise is told as theirs, and results before it are kept."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from steam_env.agents import RandomAgent
from steam_env.commands import evaluate, ladder
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.kit.errors import AgentError, AnswerError, Closed, IllegalActionError
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT

MINI = {"map": "mini", "contracts": "mini", "contracts_to_end": 1}
OPTIONS = ["--map", "mini", "--contracts", "mini", "--contracts-to-end", "1", "--quiet"]
RAISED = [
    OSError(28, "No space left on device"),
    ValueError("no luck"),
    SystemExit(0),
    KeyError("hand"),
    GeneratorExit(),
]


class Failing(RandomAgent):
    """Raises at one of its decisions."""

    def __init__(self, raised: BaseException, asked: int = 1) -> None:
        super().__init__()
        self.raised, self.left = raised, asked

    def act(self, observations: Any, masks: np.ndarray, views: Any) -> np.ndarray:
        self.left -= 1
        if not self.left:
            raise self.raised
        return super().act(observations, masks, views)


def play(make: Callable[[], Any], **options: Any) -> Any:
    match = MatchConfig("bad", "random", **MINI, **options)
    return play_match(match, make_agent=lambda name: make() if name == "bad" else RandomAgent())


@pytest.mark.parametrize("raised", RAISED, ids=lambda error: type(error).__name__)
def test_what_an_agent_raises_is_one_error_that_names_agent_deal_seat_and_decision(raised: BaseException) -> None:
    with pytest.raises(AgentError, match=r"agent bad: act raises \w+.*\(deal \d, player_[01], decision \d+") as told:
        play(lambda: Failing(raised, asked=3), deals=2)
    assert told.value.__cause__ is raised
    assert not isinstance(told.value, OSError | ValueError)


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), Closed(143)], ids=["interrupted", "closed"])
def test_who_ends_the_program_ends_it(raised: BaseException) -> None:
    with pytest.raises(type(raised)):
        play(lambda: Failing(raised), deals=2)


def test_an_agent_that_cannot_begin_or_says_what_is_no_answer_is_named() -> None:
    class Restless(RandomAgent):
        def reset(self, seed: int) -> None:
            raise OSError("no file")

    class Odd(RandomAgent):
        def act(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
            return [[1], [1, 2]]

    with pytest.raises(AgentError, match="agent bad: reset raises OSError: no file"):
        play(lambda: object.__new__(Restless), deals=2)
    with pytest.raises(AnswerError, match=r"agent bad: its answer must be \d+ integers, not \[\[1\], \[1, 2\]\]"):
        play(Odd, deals=2)


@pytest.mark.parametrize("told", [np.nan, np.inf])
def test_thoughts_that_are_not_finite_are_refused(told: float) -> None:
    class Vague(RandomAgent):
        def explain(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
            return None, np.full(len(masks), told)

    match = MatchConfig("bad", "random", **MINI, deals=2)
    with pytest.raises(AnswerError, match=f"value {told} of its position: finite numbers are allowed"):
        play_match(match, make_agent=lambda name: Vague() if name == "bad" else RandomAgent(), record=1)


def test_the_first_deals_of_a_match_are_kept_if_a_later_one_fails() -> None:
    whole = play(RandomAgent, deals=140, batch_size=1)
    made: list[Failing] = []

    def make() -> Failing:  # a match makes one to look at, one to warm up for each rotation, then two for each table
        made.append(Failing(ValueError("tired"), asked=2 if len(made) >= 5 else 10**9))
        return made[-1]

    with pytest.raises(AgentError, match=r"agent bad: .*deal 129") as told:
        play(make, deals=140, batch_size=1)
    played = told.value.played
    assert played.config == MatchConfig("bad", "random", **MINI, deals=128, batch_size=1)
    assert np.array_equal(played.games.scores, whole.games.scores[:128])


def test_an_opponent_of_an_environment_is_named() -> None:
    env = gymnasium.make("SteamPower-v0", opponents=Failing(KeyError("hand")), map="mini", contracts="mini", seat=1)
    with pytest.raises(AgentError, match="opponent Failing on player_0: act raises KeyError"):
        begin_games(env)
    envs = gymnasium.make_vec("SteamPower-v0", 4, opponents=Failing(SystemExit(3)), map="mini", contracts="mini")
    with pytest.raises(AgentError, match=r"opponent Failing: act raises SystemExit: 3.*\(game \d, player_\d\)"):
        begin_games(envs)


def begin_games(env: Any) -> None:
    """In some of them the opponent has the first turn."""
    for seed in range(9):
        env.reset(seed=seed)


# --- programs -----------------------------------------------------------------------------------------


@pytest.fixture
def agent_file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    code = """
        from steam_env.agents import RandomAgent

        class Bad(RandomAgent):
            def act(self, observations, masks, views):
                raise OSError("weights are gone")

        class Cheat(RandomAgent):
            def act(self, observations, masks, views):
                return (~masks).argmax(axis=1)

        class Late(RandomAgent):
            asked = 0

            def act(self, observations, masks, views):
                Late.asked += 1
                if Late.asked > 40 and len(masks) < 8:
                    raise SystemExit(0)
                return super().act(observations, masks, views)

        class Empty:
            def __init__(self):
                raise SystemExit(0)
    """
    path.write_text(textwrap.dedent(code), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("kind", "words"), [("Bad", "OSError: weights are gone (own.py, line 6)"), ("Cheat", "illegal")]
)
def test_evaluate_ends_in_one_line_with_a_code_of_its_own(
    kind: str, words: str, agent_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = agent_file.parent / "out.json"
    assert evaluate.main([f"{agent_file}:{kind}", "--deals", "4", "--json", str(out), *OPTIONS]) == AGENT_FAILED
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"evaluate: agent {agent_file}:{kind}: ")
    assert "deal 1, player_" in line
    assert not out.exists()
    assert words in line or kind == "Cheat"


def test_evaluate_writes_what_was_over(
    agent_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = play(RandomAgent, deals=3)

    def play_some(config: MatchConfig, **options: Any) -> Any:
        error = AgentError("agent x: act raises KeyError")
        error.played = result
        raise error

    monkeypatch.setattr(evaluate, "play_match", play_some)
    out = agent_file.parent / "out.json"
    assert evaluate.main(["random", "--deals", "9", "--json", str(out), *OPTIONS]) == AGENT_FAILED
    content = json.loads(out.read_text(encoding="utf-8"))
    assert (content["deals"], content["stopped"]) == (3, "agent x: act raises KeyError")
    assert "the results are those of 3 deals before" in capsys.readouterr().err


def test_a_class_that_ends_the_program_is_bad_input(agent_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main([f"{agent_file}:Empty", *OPTIONS]) == BAD_INPUT
    assert "Empty() raises SystemExit: 0 (own.py, line" in capsys.readouterr().err


def test_a_ladder_keeps_the_matches_before(agent_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = agent_file.parent / "board"
    names = [word for name in ("random", "automa:easy", f"{agent_file}:Bad") for word in ("--only", name)]
    words = ["--deals", "2", "--out", str(out), "--anchor", "automa:easy", *names, *OPTIONS]
    assert ladder.main(words) == AGENT_FAILED
    assert "ladder.json holds 0 matches, the same command goes on" in capsys.readouterr().err


def test_illegal_answers_stay_illegal_actions() -> None:
    assert issubclass(AnswerError, IllegalActionError)
