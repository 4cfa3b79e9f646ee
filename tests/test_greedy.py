"""Greedy: its first version stays as it was, and the present one opens by the country round a link."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from steam_env.agents.greedy import GreedyAgent
from steam_env.agents.greedy_plan import WEIGHTS, Weights
from steam_env.core.steam_power.actions import START
from steam_env.data.steam_power.rules import Rules
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.table.batch import GameBatch
from steam_env.training.steam_power.tune import main

FIRST_GAMES = "a9116e481b1fcaa9ef98c8a7a401f5a2d6a1eceddc9195388b4c0797c496be93"


def hash_games(agent: str) -> str:
    """A hash of scores and lengths of some small games of an agent, at two and three seats."""
    digest = hashlib.sha256()
    for seats, against in ((2, (agent,)), (3, ("random", agent))):
        match = MatchConfig(agent, against=against, seats=seats, deals=6, seed=3, map="mini", contracts="mini")
        games = play_match(match).games
        for values in (games.scores, games.rounds):
            digest.update(np.ascontiguousarray(values, "<i8").tobytes())
    return digest.hexdigest()


def choose_starts(weights: Weights, batch: GameBatch) -> list[int]:
    """The cities at which a first link would start, by game."""
    actions = GreedyAgent(weights).act(None, batch.mask, batch.views())
    assert (actions >= START).all()
    return ((actions - START) // 6).tolist()


def test_greedy_v0__plays_as_it_did_when_it_was_frozen() -> None:
    assert hash_games("greedy:v0") == FIRST_GAMES
    assert hash_games("greedy") != FIRST_GAMES


@pytest.mark.parametrize("board", ["midwest", "alps"])
def test_greedy__beats_its_first_version(board: str) -> None:
    games = play_match(MatchConfig("greedy", against=("greedy:v0",), deals=60, seed=11, map=board)).games
    assert games.shares[:, :, 0].mean() > 0.6


def test_greedy__looks_at_the_country_round_its_first_link() -> None:
    batch = GameBatch(Rules(), 60, seed=12)
    near = choose_starts(WEIGHTS._replace(country=0.0), batch)
    assert near == choose_starts(WEIGHTS._replace(country=0.0, fade=90.0, usual=0.0), batch)
    assert near != choose_starts(WEIGHTS, batch)


@pytest.mark.parametrize(("seats", "cares"), [(2, False), (3, True)])
def test_greedy__opens_apart_from_two_rivals_and_does_not_mind_one(seats: int, cares: bool) -> None:
    """Where the first seat has a link, the next opens elsewhere than if it did not care: in some deals, or in none."""
    batch = GameBatch(Rules(num_players=seats), 60, seed=13)
    first = batch.records["first_player"].copy()
    while (batch.seats == first).any():
        batch.step(GreedyAgent().act(None, batch.mask, batch.views()))
    assert (batch.records["network"][np.arange(len(batch)), first] != 0).any()
    alone = choose_starts(WEIGHTS._replace(apart=0.0), batch)
    assert (choose_starts(WEIGHTS, batch) != alone) is cares


def test_tune__goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ["--map", "mini", "--contracts", "mini", "--keep", "vp", "--seed", "5"]
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    assert main([*words, "--steps", "2", "--out", str(once)]) == 0
    for steps in ("1", "2"):
        assert main([*words, "--steps", steps, "--out", str(twice)]) == 0
    assert once.read_text() == twice.read_text()


def test_tune__refuses_weights_and_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--keep", "vpp", "--out", str(tmp_path / "none.json")]) == 2
    assert "vpp" in capsys.readouterr().err
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"weights": {}}')
    assert main(["--out", str(wrong)]) == 2
    assert "wrong.json" in capsys.readouterr().err
