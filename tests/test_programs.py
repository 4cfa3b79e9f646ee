"""Agents as programs: they play, messages keep their schema, and one that fails loses by forfeit and stops nothing."""

import copy
import gc
import json
import os
import pickle
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from steam_env import Game, Rules, steam
from steam_env.agents import RandomAgent
from steam_env.agents.program import ProgramAgent
from steam_env.agents.program_messages import AnswerFault, Question, ToldGame, read_action, read_answer
from steam_env.agents.program_process import Limits, ProgramFault, ProgramProcess
from steam_env.commands import evaluate
from steam_env.evaluation.agent_names import hash_agent, make_any_agent, split_habit
from steam_env.evaluation.forfeits import Forfeits
from steam_env.evaluation.match import MatchConfig, MatchResult, play_match
from steam_env.kit.errors import AgentError, SaveError
from steam_env.kit.program import BAD_INPUT
from steam_env.playing.played_game import PlayedGame
from steam_env.table.asking import ask_mover

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "docs" / "protocol"
BOTS = ROOT / "examples" / "bots"
BOT = Path(__file__).with_name("program_bots.py")
MINI: dict[str, Any] = {"map": "mini", "contracts": "mini", "contracts_to_end": 1, "max_rounds": 8}
PATIENT, QUICK = "seconds=30", "seconds=2"  # on a busy machine, too, nothing that is in order is late
WORKER = ("PYTEST_XDIST_TESTRUNUID", "PYTEST_XDIST_WORKER")  # what programs of this test process inherit
SLOW = ("late", "family")  # faults that are noticed by their time


def read_schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


VIEWS = Registry().with_resource("view-1.schema.json", Resource.from_contents(read_schema("view-1.schema.json")))
MESSAGE = Draft202012Validator(read_schema("agent-1.schema.json"), registry=VIEWS)
ANSWER = Draft202012Validator({**MESSAGE.schema, "$ref": "#/$defs/answer", "oneOf": [True]}, registry=VIEWS)


def name_bot(fault: str, *more: str, limits: str = PATIENT) -> str:
    words = [sys.executable, "-I", "-S", str(BOT), f"'{fault}'", *more]
    return f"cmd[{limits}]:{' '.join(words)}"


def play(name: str, deals: int = 1, against: Any = "random", **options: Any) -> MatchResult:
    return play_match(MatchConfig(name, against, deals=deals, **{**MINI, **options}), make_agent=make_any_agent)


def list_running() -> list[str]:
    """The command lines of programs of these tests that run, without those of workers that test beside this one."""
    found = []
    mine = {f"{name}={os.environ[name]}" for name in WORKER if name in os.environ}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = read_words(path / "cmdline")
            if str(BOT) in words and mine <= set(read_words(path / "environ")):
                found.append(" ".join(words))
        except OSError:
            continue
    return found


def read_words(path: Path) -> list[str]:
    return path.read_bytes().decode(errors="replace").split("\0")


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No test leaves a program running."""
    yield
    gc.collect()
    if Path("/proc/self/cmdline").exists():
        for _ in range(50):
            if not list_running():
                return
            time.sleep(0.02)
        assert list_running() == []


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All lines that are exchanged from here on."""
    found: list[str] = []
    send, receive = ProgramProcess.send, ProgramProcess.receive

    def note_sent(process: ProgramProcess, line: str) -> None:
        found.append(line)
        send(process, line)

    def note_received(process: ProgramProcess, seconds: float) -> bytes:
        line = receive(process, seconds)
        found.append(line.decode())
        return line

    monkeypatch.setattr(ProgramProcess, "send", note_sent)
    monkeypatch.setattr(ProgramProcess, "receive", note_received)
    return found


# --- playing ----------------------------------------------------------------------------------------------

EXAMPLES = {"thrifty_bot.py": sys.executable, "random_bot.pl": "perl", "money_bot.js": "node"}


@pytest.mark.parametrize("bot", EXAMPLES)
def test_examples__play_both_games_without_a_fault(bot: str) -> None:
    if shutil.which(EXAMPLES[bot]) is None:
        pytest.skip(f"there is no {EXAMPLES[bot]}")
    name = f"cmd:{EXAMPLES[bot]} {BOTS / bot}"
    for result in (
        play(name, deals=2),
        play_match(MatchConfig(name, "random", game="steam", deals=1, map="mini", turns=1), make_agent=make_any_agent),
    ):
        assert not result.games.forfeits.any()
        assert result.forfeits == ()


def test_messages__keep_their_schema_and_tell_games_from_start_to_end(lines: list[str]) -> None:
    Draft202012Validator.check_schema(MESSAGE.schema)
    play(name_bot("none"), deals=3)
    make = MatchConfig(name_bot("none"), "random", game="steam", deals=1, map="mini", turns=1)
    play_match(make, make_agent=make_any_agent)
    kinds: dict[str, int] = {}
    for line in lines:
        message = json.loads(line)
        MESSAGE.validate(message)
        kinds[message["type"]] = kinds.get(message["type"], 0) + 1
    assert kinds["end"] == 3 * 2 + 3
    assert kinds["decision"] == kinds["answer"] > 50
    start = next(json.loads(line) for line in lines if '"type": "start"' in line)
    assert start["plays"] == "steam_power"
    assert start["rules"]["contracts_to_end"] == 1
    assert start["setting"]["map"]["cities"]
    assert start["setting"]["deck"]["contracts"]


def test_program_agent__numbers_games_by_their_first_decisions_whatever_the_match_calls_them() -> None:
    def tell_starts(keys: list[int]) -> list[Any]:
        agent = ProgramAgent([sys.executable, "-I", "-S", str(BOT), "none"])
        agent.reset(5)
        return [agent._find_game(key) for key in keys]

    first, second = tell_starts([4, 9]), tell_starts([0, 1])
    assert [(game.number, game.seed) for game in first] == [(game.number, game.seed) for game in second]
    assert first[0].seed != first[1].seed < 2**53


def test_program_agent__plays_single_decisions_where_nobody_tells_which_game_is_which(lines: list[str]) -> None:
    agent, game = ProgramAgent([sys.executable, "-I", "-S", str(BOT), "none"]), Game(Rules(**MINI), seed=1)
    for _ in range(3):
        game.step(ask_mover(agent, game))
    told = [json.loads(line)["type"] for line in lines]
    assert told == ["hello", "hello", *["start", "decision", "answer", "end"] * 3]
    agent.close()


def test_program_agent__copies_start_programs_of_their_own() -> None:
    agent = ProgramAgent([sys.executable, "-I", "-S", str(BOT), "none"], Limits(seconds=3))
    agent.prepare()
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert (twin.command, twin.limits) == (agent.command, agent.limits)
        assert twin._process is None
    agent.close()
    agent.close()


def test_a_match_with_a_program_is_the_same_each_time() -> None:
    name = f"cmd:{sys.executable} {BOTS / 'thrifty_bot.py'}"
    first, second = play(name, deals=3), play(name, deals=3)
    assert (first.games.scores == second.games.scores).all()


# --- faults -----------------------------------------------------------------------------------------------

ENDED = {  # what ends the program
    "late": r"took more than 2 s",
    "dead": r"ended with exit code 3; on stderr: 'first words' / 'the engine is broken'",
    "killed": r"was ended by signal 9",
    "mute": r"closed its output",
    "broken": r"which is no JSON",
    "list": r"a message is an object",
    "other type": r"where an answer is to come",
    "bytes": r"which is no JSON",
    "stranger": r"answers decision 2 of game 99, for which it was not asked",
    "flood": r"answers decision 1 of game 99, for which it was not asked",
    "endless": r"wrote a line of more than 65,536 bytes",
    "family": r"took more than 2 s",
}
ANSWERED = {  # what costs the game alone
    "illegal": r"answers: action 371 is not among the legal ones",
    "nonsense": r"answers: 'fly to the moon' is no action: the first word must be one of",
    "no action": r"answers: action must be an integer, not None",
    "more": r"sends the entry 'comment': allowed are action, decision, game, type",
}


@pytest.mark.parametrize("fault", ENDED | ANSWERED)
def test_a_program_that_fails_loses_by_forfeit_and_the_match_goes_on(fault: str) -> None:
    name = name_bot(fault, "0", limits=QUICK if fault in SLOW else PATIENT)
    result = play(name, deals=2)
    forfeits = result.games.forfeits[:, :, 0]
    assert forfeits.sum(axis=0).tolist() == [1, 1], "one game of the two that each process has"
    assert (result.games.shares[:, :, 0][forfeits] == 0).all()
    assert (result.games.ranks[:, :, 0][forfeits] == 2).all()
    assert not result.games.forfeits[:, :, 1].any()
    assert len(result.forfeits) == 2
    for forfeit in result.forfeits:
        assert forfeit.agent == name
        assert forfeit.fault.startswith("its decision 2: ")
        assert np.char.find(forfeit.fault, "\n") < 0
    assert_matches((ENDED | ANSWERED)[fault], result.forfeits[0].fault)


def assert_matches(pattern: str, text: str) -> None:
    with pytest.raises(AssertionError, match=pattern):
        raise AssertionError(text)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_memory_is_limited() -> None:
    result = play(name_bot("memory", "0", limits="seconds=30,memory=200"))
    assert result.games.forfeits[0, :, 0].all()
    assert "MemoryError" in result.forfeits[0].fault


def test_an_answer_too_many_is_told_at_the_next_decision() -> None:
    result = play(name_bot("twice", "0"))
    assert result.games.forfeits[0, :, 0].all()
    assert_matches("its decision 3: answers decision 2 of game 0, for which it was not asked", result.forfeits[0].fault)


def test_a_program_that_does_not_read_is_late_however_much_it_is_sent() -> None:
    result = play(name_bot("deaf", limits="seconds=0.1"), deals=6)
    assert result.games.forfeits[:, :, 0].all()
    assert "took more than 0.1 s" in result.forfeits[0].fault


def test_a_program_that_fails_in_every_game_is_begun_four_times_and_then_loses_all(lines: list[str]) -> None:
    result = play(name_bot("dead"), deals=6)
    assert result.games.forfeits[:, :, 0].all()
    hellos = [line for line in lines if '"engine"' in line]
    assert len(hellos) == 1 + 1 + 2 * 4, "looked at, asked once to warm up, and four times in each rotation"


def test_forfeits_are_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, name = tmp_path / "result.json", name_bot("illegal")
    options = [f"--{key.replace('_', '-')}={value}" for key, value in MINI.items()]
    code = evaluate.main([name, "--against", "random", "--deals", "2", "--json", str(path), "--quiet", *options])
    content = json.loads(path.read_text(encoding="utf-8"))
    assert code == 0
    assert [agent["forfeits"] for agent in content["results"]["agents"]] == [4, 0]
    assert content["results"]["agents"][0]["wins"] == 0
    assert len(content["forfeits"]) == 4
    assert set(content["forfeits"][0]) == {"agent", "deal", "seat", "decision", "fault"}
    told = " ".join(capsys.readouterr().out.split())
    assert f"Forfeits of {name}: 4 games, the first in deal " in told
    assert "its decision 2: answers: action 371 is not among the legal ones" in told


def test_who_ends_the_match_ends_its_programs() -> None:
    class Interrupting(RandomAgent):
        def act(self, observations: Any, masks: np.ndarray, views: Any) -> np.ndarray:
            if views.records["round_number"].max() > 2:
                raise KeyboardInterrupt
            return super().act(observations, masks, views)

    config = MatchConfig(name_bot("none"), "interrupting", deals=2, **MINI)
    with pytest.raises(KeyboardInterrupt):
        play_match(config, make_agent=lambda name: Interrupting() if name == "interrupting" else make_any_agent(name))


def test_a_program_ends_when_nobody_needs_it_any_more() -> None:
    agent = ProgramAgent([sys.executable, "-I", "-S", str(BOT), "none"])
    agent.prepare()
    process = agent._process
    assert process is not None
    pid = process._process.pid
    del agent, process
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# --- at the terminal --------------------------------------------------------------------------------------


def test_played_game__a_program_plays_against_a_person_and_what_was_played_is_kept(tmp_path: Path) -> None:
    name, path = name_bot("none"), tmp_path / "game.save"
    played = PlayedGame.deal(Rules(**MINI), ("human", name), 1)
    for _ in range(3):
        played.step(played.game.legal()[0])
    played.save(path)
    with pytest.raises(SaveError, match=r"the program .* sits at its table; --load FILE --programs starts it"):
        PlayedGame.load(path)
    again = PlayedGame.load(path, starts_programs=True)
    for one in (played, again):
        one.step(one.game.legal()[0])
    assert again.game.save() == played.game.save()


def test_played_game__a_program_that_fails_is_an_agent_that_failed() -> None:
    told = r"ProgramAgent on player_1: its decision 1: answers: action 371 is not among the legal ones \(decision 1\)"
    with pytest.raises(AgentError, match=told):
        PlayedGame.deal(Rules(**MINI), ("human", name_bot("always")), 1)  # where the program begins


def test_page__tells_the_limits_that_hold() -> None:
    page = (ROOT / "docs" / "agents_as_programs.md").read_text(encoding="utf-8")
    for name, value in vars(Limits()).items():
        assert f"| `{name}` | {value:g} |" in page


# --- who has won ------------------------------------------------------------------------------------------


def settle(places: list[int], strength: list[int], winners: list[bool]) -> tuple[list[int], list[bool]]:
    forfeits = Forfeits([], [], np.zeros(1, np.int64), len(places))
    forfeits.places[0] = places
    settled, won = forfeits.settle(np.array([strength]), np.array([winners]))
    return np.argsort(-settled[0], kind="stable").tolist(), won[0].tolist()


def test_settle__ranks_who_forfeits_behind_all_who_had_not_by_then() -> None:
    assert settle([0, 0, 0], [3, 9, 5], [False, True, False]) == ([1, 2, 0], [False, True, False])
    assert settle([0, 1, 0], [3, 9, 5], [False, True, False]) == ([2, 0, 1], [False, False, True])
    assert settle([0, 1, 0], [9, 9, 5], [True, True, False]) == ([0, 2, 1], [True, False, False])
    assert settle([2, 1, 3], [3, 9, 5], [False, True, False]) == ([2, 0, 1], [False, False, True])


def test_two_programs_that_fail_are_ranked_by_when_they_did() -> None:
    result = play(name_bot("illegal"), against=name_bot("nonsense"))
    assert result.games.forfeits.all()
    assert (np.sort(result.games.shares, axis=2) == [0, 1]).all()
    for rotation in range(2):
        agents = [result.config.labels.index(forfeit.agent) for forfeit in result.forfeits]
        seats = [forfeit.seat for forfeit in result.forfeits]
        here = [agent for agent, seat in zip(agents, seats, strict=True) if (agent + rotation) % 2 == seat]
        assert len(here) == 2
        assert result.games.shares[0, rotation, here[0]] == 0, "who fails first has lost"


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cmd:", r"agent 'cmd:': program '': there is none that can be run"),
        ("cmd:./no_such_program --x", r"program './no_such_program': there is none that can be run"),
        ("cmd:python 'open", r"No closing quotation"),
        ("cmd[speed=1]:python", r"limit 'speed=1': NAME=NUMBER is allowed, the names are seconds, start, memory, line"),
        ("cmd[seconds=soon]:python", r"limit 'seconds=soon': a number is needed"),
        ("cmd[seconds=0]:python", r"seconds=0.0: a number above 0 is allowed"),
        ("cmd[seconds=nan]:python", r"seconds=nan: a number above 0 is allowed"),
    ],
)
def test_names_that_mean_no_program_are_refused(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=r"agent ['\"]cmd") as error:
        make_any_agent(name)
    assert_matches(told.replace("[", r"\["), str(error.value))


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("other protocol", "it speaks protocol 2: 1 is spoken here"),
        ("long name", "a text of at most 200 characters is allowed"),
        ("no hello", "it took more than 0.2 s"),
    ],
)
def test_a_program_that_cannot_begin_is_refused_before_anything_is_played(
    fault: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = "start=0.2" if fault == "no hello" else PATIENT
    assert evaluate.main([name_bot(fault, limits=limits), "--quiet"]) == BAD_INPUT
    assert told in capsys.readouterr().err


def test_names__no_shell_reads_them_and_no_habit_is_cut_off(tmp_path: Path) -> None:
    agent = make_any_agent(f"cmd:{sys.executable} '{BOT}' none ';' $HOME '*' +rush")
    assert isinstance(agent, ProgramAgent)
    assert agent.command[2:] == ("none", ";", "$HOME", "*", "+rush")
    assert split_habit("cmd:python bot.py+rush") == ("cmd:python bot.py+rush", None)
    copied = tmp_path / "bot.py"
    shutil.copy(BOT, copied)
    name = f"cmd:{sys.executable} {copied} none"
    before = hash_agent(name)
    copied.write_text(copied.read_text(encoding="utf-8") + "# changed\nchanged = 1\n", encoding="utf-8")
    assert hash_agent(name) != before, "an agent is its program"


ENTRIES = {
    "type": st.sampled_from(["answer", "hello", None]),
    "game": st.sampled_from([0, 0.0, 1, True, "0", None]),
    "decision": st.sampled_from([1, 1.0, 2, True, None]),
    "action": st.one_of(st.integers(-2, 400), st.sampled_from(["money", "money ", "done", "", 0.0, 0.5, True, None])),
    "more": st.integers(),
}


GAME = Game(Rules(**MINI), seed=1)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.fixed_dictionaries(
        {name: ENTRIES[name] for name in ("type", "game", "decision", "action")}, optional={"more": ENTRIES["more"]}
    )
)
def test_answers_are_taken_if_they_keep_the_schema_and_name_what_is_legal(message: dict[str, Any]) -> None:
    question = Question(0, ToldGame(0, 0, 0, decisions=1), GAME.view(GAME.seat), GAME.mask)
    fits = ANSWER.is_valid(message)
    asked = message["game"] == 0 and message["decision"] == 1
    try:
        found, answer = read_answer(json.dumps(message).encode(), {0: question})
        action = read_action(found, answer)
    except (AnswerFault, ProgramFault):
        action = None
    named = message["action"]
    legal = GAME.legal_text() if isinstance(named, str) else GAME.legal()
    means_legal = (named.strip() if isinstance(named, str) else named) in legal
    assert (action is not None) == (fits and asked and means_legal)


def test_steam_is_told_as_well() -> None:
    game = steam.Game(steam.Rules(map="mini"), seed=1)
    question = Question(0, ToldGame(0, 0, 0, decisions=1), game.view(game.seat), game.mask)
    line = json.dumps({"type": "answer", "game": 0, "decision": 1, "action": game.legal_text()[0]}).encode()
    assert read_action(*read_answer(line, {0: question})) == game.legal()[0]
