"""Learning from search: what is taught is what was found, blind to what is hidden, and runs go on after a kill."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("safetensors")

from steam_env import GameBatch, Rules  # noqa: E402
from steam_env.agents import SearchAgent  # noqa: E402
from steam_env.agents.advised import AdvisedConfig  # noqa: E402
from steam_env.agents.network import NetworkConfig  # noqa: E402
from steam_env.agents.networks import find_network_of  # noqa: E402
from steam_env.agents.nomad import NomadConfig  # noqa: E402
from steam_env.agents.policy_files import load_policy  # noqa: E402
from steam_env.agents.search_budget import Budget  # noqa: E402
from steam_env.agents.search_judges import NetworkJudge  # noqa: E402
from steam_env.agents.trained import TrainedAgent  # noqa: E402
from steam_env.commands.train import main, read_options  # noqa: E402
from steam_env.spec import find_spec  # noqa: E402
from steam_env.table.mixture import as_mixture  # noqa: E402
from steam_env.table.view import view_records  # noqa: E402
from steam_env.training.clock import Clock  # noqa: E402
from steam_env.training.config import TrainConfig, find_presets, make_config  # noqa: E402
from steam_env.training.league import League  # noqa: E402
from steam_env.training.learner import Learner, open_games  # noqa: E402
from steam_env.training.run import POLICY, Run, read_history  # noqa: E402
from steam_env.training.teachers import SearchTeacher  # noqa: E402

EVALUATIONS = 12
TINY = TrainConfig(
    tables=("league=2", "automa:hard"),
    teacher=f"search@{EVALUATIONS}",
    imitation=1.0,
    rules=(("map", "mini"), ("contracts", "mini")),
    decisions=4 * 9 * 4,
    games=9,
    steps=4,
    batch_size=18,
    past_every=1,
    evaluate_every=0,
    win=0.8,
    network=NetworkConfig(width=32, entity=8, map_units=8),
)


def open_learner(config: TrainConfig, moves: int = 6) -> tuple[Learner, SearchTeacher]:
    """A learner some moves after the beginning of its games, and its teacher."""
    torch.manual_seed(0)
    clock, league = Clock(), League(config.past_most, config.latest, 1, config.kind.find_encoding(config.spec).name)
    learner = Learner(config, open_games(config, league, clock), clock, "cpu")
    league.follow(learner.network)
    learner.begin(1)
    rng = np.random.default_rng(1)
    for _ in range(moves):
        masks = learner.table_games.action_masks()
        following: Any = learner.table_games.step((masks * rng.random(masks.shape)).argmax(axis=1))
        learner._last_obs = following[0]
    return learner, SearchTeacher(config, learner.network)


# --- what is taught -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lessons", ["improved", "visits"])
def test_what_is_taught_of_each_action_is_what_a_search_finds(lessons: Any) -> None:
    """A search of each table by itself finds the same; hard labels would fail, and any other seed or net."""
    config = replace(TINY, lessons=lessons)
    learner, teacher = open_learner(config)
    games, masks = learner.table_games, learner.table_games.action_masks()
    lesson = teacher.teach(games.groups, masks)
    assert len(teacher._bundles or ()) == 1 < len(games.groups)
    agent = SearchAgent(teacher.judge, Budget(EVALUATIONS))
    agent.reset(config.seed)
    thoughts = [thought for tables in games.groups for thought in agent.think(tables.batch.mask, tables.batch.views())]
    wanted = np.zeros(masks.shape)
    for row, thought in enumerate(thoughts):
        assert thought is not None
        shares = thought.visits / max(1, thought.visits.sum())
        wanted[row, thought.actions] = shares if lessons == "visits" and shares.any() else thought.probabilities
        assert lesson.best[row] == thought.action
    np.testing.assert_allclose(lesson.targets, wanted, atol=1e-3)
    np.testing.assert_allclose(lesson.targets.sum(axis=1, dtype=np.float64), 1, atol=1e-2)
    assert not lesson.targets[~masks].any()
    assert ((lesson.targets > 0.01).sum(axis=1) > 1).mean() > 0.6
    assert (lesson.targets[np.arange(len(masks)), lesson.played] > 0).all()


@pytest.mark.parametrize("heed", [0.0, 0.25, 1.0])
def test_heed_weighs_the_values_in_what_is_taught_and_leaves_the_search_alone(heed: float) -> None:
    """What values add to the logits of the priors is in proportion; with none of it priors are taught."""
    learner, teacher = open_learner(replace(TINY, heed=heed))
    _, full = open_learner(TINY)
    masks = learner.table_games.action_masks()
    lesson, usual = (one.teach(learner.table_games.groups, masks) for one in (teacher, full))
    priors = learner._consider(learner._last_obs, masks)[0].numpy()
    assert (lesson.best == usual.best).all()
    spread = 0.0
    for row in np.flatnonzero(masks.sum(axis=1) > 1):
        seen = masks[row] & (usual.targets[row] > 1e-3) & (lesson.targets[row] > 1e-3)
        logits = (np.log(one.targets[row, seen].astype(np.float64)) - priors[row, seen] for one in (lesson, usual))
        added, wanted = (part - part.mean() for part in logits)
        np.testing.assert_allclose(added, heed * wanted, atol=0.02)
        spread = max(spread, np.ptp(wanted))
    assert spread > 0.5, "values that differ"


def test_what_is_hidden_changes_nothing_that_is_taught() -> None:
    learner, teacher = open_learner(TINY)
    groups, masks = learner.table_games.groups, learner.table_games.action_masks()
    before = teacher.teach(groups, masks)
    for tables in groups:
        batch = tables.batch
        redealt = view_records(batch.records, batch.seats.astype(np.int64), batch.setting).records
        find_spec().kernels.fill(redealt, np.arange(1000, 1000 + len(redealt)))
        assert (redealt != batch.records).all()
        batch.records[:] = redealt
    after = teacher.teach(groups, masks)
    assert (after.targets == before.targets).all()
    assert (after.best == before.best).all()
    other = SearchTeacher(replace(TINY, seed=2), learner.network).teach(groups, masks)
    assert (other.targets != before.targets).any()


def test_a_decision_without_a_choice_is_not_searched() -> None:
    learner, teacher = open_learner(TINY)
    masks = learner.table_games.action_masks().copy()
    masks[1:] = False
    masks[1:, 5] = True
    lesson = teacher.teach(learner.table_games.groups, masks)
    assert (lesson.targets[1:, 5] == 1).all()
    assert (lesson.played[1:] == 5).all()
    told = teacher.take_figures()
    assert (told["searched_decisions"], told["evaluations"]) == (1, EVALUATIONS)
    assert teacher.take_figures()["searched_decisions"] == 0


def test_learning_brings_the_learner_nearer_to_what_was_found() -> None:
    learner, teacher = open_learner(replace(TINY, imitation_rate=3e-3))
    learner.set_progress(0.0, imitates=True)
    targets, _ = learner._collect_lessons(teacher)
    floor = teacher.take_figures()["target_entropy"]
    losses = [learner._learn_lessons(targets, 1)["imitation_loss"] for _ in range(40)]
    assert all(loss > floor for loss in losses)
    assert losses[-1] - floor < 0.3 * (losses[0] - floor)


# --- runs ---------------------------------------------------------------------------------------------


def test_a_killed_run_that_is_taught_by_search_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    config = replace(TINY, imitation=0.75, midgame=0.5, midgame_rounds=3)
    for _ in Run.start(tmp_path / "whole", config, "cpu").play():
        pass
    for step in Run.start(tmp_path / "killed", config, "cpu").play():
        if step.iteration == 2:
            break
    torch.manual_seed(99)
    resumed = Run.resume(tmp_path / "killed", "cpu")
    assert resumed.league.past == ["iteration 1", "iteration 2"]
    for _ in resumed.play():
        pass
    whole, killed = (read_history(tmp_path / name) for name in ("whole", "killed"))
    assert [entry["train"] for entry in killed] == [entry["train"] for entry in whole]
    weights = [load_policy(tmp_path / name / POLICY).network.state_dict() for name in ("whole", "killed")]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert [entry["stage"] for entry in whole] == ["imitation"] * 3 + ["self-play"]
    told = whole[1]["train"]
    assert told["searched_decisions"] == config.iteration
    assert 0.8 * EVALUATIONS * config.iteration < told["evaluations"] <= EVALUATIONS * config.iteration
    assert 0 < told["agreement"] < 1
    assert 0 < whole[1]["share"]["teacher"] < 1


@pytest.mark.parametrize("game", ["steam", "tests.toy:SPEC"])
def test_other_games_are_taught_by_search(game: str, tmp_path: Path) -> None:
    words = "--teacher search@6 --imitation 1 --games 6 --steps 2 --batch-size 6 --decisions 12 --evaluate-every 0"
    if game == "steam":
        words += " --tables random+random --map mini"
    assert main(["--game", game, *words.split(), "--quiet", "--folder", str(tmp_path / "run")]) == 0
    assert read_history(tmp_path / "run")[0]["train"]["searched_decisions"] == 12


def test_games_whose_maps_are_drawn_from_a_set_are_taught() -> None:
    config = replace(TINY, rules=(("map", "gen-v1:train"), ("contracts", "gen-v1:train")))
    learner, teacher = open_learner(config, moves=2)
    lesson = teacher.teach(learner.table_games.groups, learner.table_games.action_masks())
    bundles = teacher._bundles or []
    assert [bundle.is_mixed for bundle in bundles] == [False, False]
    assert all(as_mixture(bundle.setting) is not None for bundle in bundles)
    np.testing.assert_allclose(lesson.targets.sum(axis=1, dtype=np.float64), 1, atol=1e-2)


@pytest.mark.parametrize(
    ("teacher", "words"),
    [
        ("search@", "teacher='search@': budget '': 1 to 1000000 evaluations"),
        ("search@many", "budget 'many': 1 to"),
        ("search@0", "budget '0': 1 to"),
        ("search@-4", "budget '-4'"),
        ("search@1e3", "budget '1e3'"),
        ("search@10000000", "budget '10000000'"),
        ("search@0.5s", "evaluations are allowed, not seconds"),
        ("search:duel@64", "teacher='search:duel@64': allowed are none, greedy,"),
        ("searching", r"random, search, or search@EVALUATIONS"),
    ],
)
def test_a_bad_budget_is_refused_by_name(teacher: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(TINY, teacher=teacher)


def test_bad_lessons_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="lessons='hard': allowed are improved, visits"):
        replace(TINY, lessons="hard")  # type: ignore[arg-type]  # what a file may hold


def test_a_command_line_and_a_file_teach_what_they_say() -> None:
    preset = find_presets(find_spec())["standard"]
    assert replace(preset, teacher="search").evaluations == 64
    for config in (replace(preset, teacher="search", imitation=1.0), replace(TINY, lessons="visits")):
        assert read_options(shlex.split(config.command())[2:]).config == config
        assert make_config(json.loads(json.dumps(config.to_dict()))) == config


# --- nets that look at several arrays -------------------------------------------------------------------


@pytest.mark.parametrize("net", [AdvisedConfig(16, 8, 8), NomadConfig(width=16, entity=8)], ids=str)
def test_a_search_judges_by_a_net_that_looks_at_several_arrays(net: Any) -> None:
    """What it finds is what the net says of each position alone."""
    spec = find_spec()
    kind = find_network_of(spec, net)
    encoding = kind.find_encoding(spec)
    torch.manual_seed(0)
    policy = TrainedAgent(kind.network(net), encoding.name)
    batch, rng = GameBatch(Rules(map="mini", contracts="mini"), 40, seed=1), np.random.default_rng(1)
    for _ in range(8):
        batch.step(batch.sample_legal(rng))
    agent = SearchAgent(NetworkJudge(policy, encoding), Budget(60))
    thoughts = agent.think(batch.mask, batch.views())
    seen: Any = encoding.allocate(len(batch))
    encoding.encode(batch.records, *batch.setting.statics, batch.seats.astype(np.int64), seen)
    priors = policy.explain(seen, batch.mask, batch.views())[0]
    for row, thought in enumerate(thoughts):
        if thought is not None:
            np.testing.assert_allclose(thought.priors, priors[row, thought.actions], rtol=1e-4)
            assert thought.visits.sum() > 0
