"""Training: configurations, the learner, runs that go on after a kill, policy files. Needs the extra `train`."""

import json
import pickle
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("safetensors")

from steam_env import GameBatch, Rules  # noqa: E402
from steam_env.agents import ExplainingAgent, GreedyAgent, make_agent  # noqa: E402
from steam_env.agents.network import NetworkConfig, SteamNetwork  # noqa: E402
from steam_env.agents.policy_files import load_policy, save_policy  # noqa: E402
from steam_env.agents.trained import judge  # noqa: E402
from steam_env.commands import evaluate  # noqa: E402
from steam_env.commands.train import main, read_options  # noqa: E402
from steam_env.data.steam_power.mixture import open_set  # noqa: E402
from steam_env.spec import find_spec  # noqa: E402
from steam_env.table.rewards import WinAndMargin  # noqa: E402
from steam_env.training import clock as clock_module  # noqa: E402
from steam_env.training.clock import ENVIRONMENT, OPPONENTS, UPDATE, Clock  # noqa: E402
from steam_env.training.config import TrainConfig, make_config, read_lineup  # noqa: E402
from steam_env.training.league import LATEST, League  # noqa: E402
from steam_env.training.learner import Learner, open_games  # noqa: E402
from steam_env.training.run import CHECKPOINT, CONFIG, HISTORY, POLICY, Run, make_match, read_history  # noqa: E402
from steam_env.training.steam.presets import MAGNATE  # noqa: E402
from steam_env.training.steam_power.presets import PRESETS  # noqa: E402
from steam_env.training.teachers import AgentTeacher  # noqa: E402
from tests.games import look  # noqa: E402

TOY = "tests.toy:SPEC"
SMALL = NetworkConfig(width=32, entity=8, map_units=8)
TINY = TrainConfig(
    tables=("league", "greedy", "automa:hard"),
    teacher="greedy",
    rules=(("map", "mini"), ("contracts", "mini")),
    decisions=6 * 12 * 8,
    games=12,
    steps=8,
    batch_size=32,
    imitation=0.34,
    past_every=1,
    past_most=2,
    evaluate_every=3,
    evaluate_deals=2,
    evaluate=("automa:hard", "greedy"),
    network=SMALL,
)
POPULATION = replace(
    TINY,
    tables=("league+any", "greedy+first", "automa:hard"),
    midgame=0.5,
    midgame_rounds=4,
    stand_ins=("league+pair", "random"),
    evaluate=("automa:hard", "greedy+any"),
)


def open_league(config: TrainConfig) -> League:
    return League(config.past_most, config.latest, seed=1, encoding="flat")


def open_learner(config: TrainConfig) -> Learner:
    clock, league = Clock(), open_league(config)
    learner = Learner(config, open_games(config, league, clock), clock, "cpu")
    league.follow(learner.policy.network)
    learner.begin(1)
    return learner


# --- configurations -----------------------------------------------------------------------------------


def test_a_lineup_is_read_from_its_text() -> None:
    lineup = read_lineup("greedy+automa:hard+league+automa:hard=2.5", find_spec())
    assert (lineup.opponents, lineup.scripted) == (("greedy", "league"), ("automa:hard",) * 2)
    assert (lineup.num_seats, lineup.share) == (5, 2.5)
    assert read_lineup("automa:very_easy", find_spec()).share == 1.0


def test_a_lineup_may_name_its_map() -> None:
    text = "greedy+greedy+greedy+greedy@rhineland=0.5"
    lineup = read_lineup(text, find_spec("steam"))
    assert (lineup.names, lineup.share, lineup.given) == (("greedy",) * 4, 0.5, (("map", "rhineland"),))
    config = TrainConfig(game="steam", tables=("thrifty", text), evaluate=("thrifty", text.partition("=")[0]))
    assert [config.make_rules(one).map for one in config.lineups] == ["great_lakes", "rhineland"]
    match = make_match(config, text, deals=1, seed=1)
    assert (match.rules.map, match.num_seats) == ("rhineland", 5)


def test_a_habit_belongs_to_the_opponent_before_it() -> None:
    lineup = read_lineup("greedy+any+greedy+pair:Chicago,Detroit+league+first+runs/a.safetensors", find_spec())
    assert lineup.opponents == ("greedy+any", "greedy+pair:Chicago,Detroit", "league+first", "runs/a.safetensors")
    assert read_lineup("duel+rush", find_spec()).opponents == ("duel+rush",)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tables": ("rush",)}, "'rush' is nobody"),
        ({"tables": ("greedy+rushes",)}, "'rushes' is nobody"),
        ({"tables": ("automa:hard+any",)}, r"'automa:hard\+any' is nobody"),
        ({"midgame": 1.5}, "midgame=1.5: 0.0 to 1.0"),
        ({"late_cost": -0.1}, "late_cost=-0.1: at least 0.0"),
        ({"past_at_once": 0}, "past_at_once=0: at least 1"),
        ({"midgame_rounds": 0}, "midgame_rounds=0: at least 1"),
        ({"stand_ins": ("automa:hard",)}, "stand-in 'automa:hard': is nobody; allowed are league, greedy,"),
        ({"stand_ins": ("greedy=0",)}, "stand-in 'greedy=0': its share must be"),
        ({"stand_ins": ()}, "one stand-in at least"),
        (
            {"tables": ("nobody",)},
            "'nobody' is nobody; allowed are league, greedy, greedy:v0, planner, random, duel, table, nomad, automa",
        ),
        ({"tables": ("automa:wild",)}, "'automa:wild' is nobody; allowed are league,"),
        ({"tables": ("",)}, "is nobody"),
        ({"tables": ()}, "one table at least"),
        ({"tables": ("greedy=0",)}, "above 0"),
        ({"tables": ("greedy=x",)}, "above 0"),
        ({"tables": ("greedy=inf",)}, "above 0"),
        (
            {"tables": ("automa:hard+automa:easy",)},
            "': Automas of levels easy, hard: all must have the same",
        ),
        ({"tables": ("greedy+greedy+greedy+greedy+greedy",)}, "at most 4"),
        ({"teacher": "nobody"}, "teacher='nobody': allowed are none, greedy, greedy:v0, planner, random"),
        ({"rules": (("mode", "solo"),)}, "mode='solo': no rule of a match; allowed are map,"),
        ({"games": 0}, "games=0: at least 1"),
        ({"gamma": 1.5}, r"gamma=1.5: 0.0 to 1.0"),
        ({"clip": -1.0}, "clip=-1.0: at least 0.0"),
        ({"learning_rate": float("inf")}, "learning_rate=inf"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_a_bad_value_is_refused_with_what_is_allowed(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TrainConfig(**fields)


def test_games_are_shared_among_the_tables() -> None:
    counts = [count for _, count in TrainConfig(tables=("league=2", "greedy", "random"), games=256).share_games()]
    assert sum(counts) == 256
    assert counts[1] == counts[2] == 64
    with pytest.raises(ValueError, match="at least 3"):
        TrainConfig(tables=("league", "greedy", "random"), games=2).share_games()


def test_evaluations_may_be_on_maps_that_are_not_trained_on() -> None:
    names = {"map": "gen-v1:train", "contracts": "gen-v1:train"}
    config = TrainConfig(rules=tuple(names.items()), held_out="gen-v1:test")
    held_out = dict.fromkeys(names, "gen-v1:test")
    assert names.items() <= config.make_rules(config.lineups[0]).to_dict().items()
    assert held_out.items() <= dict(make_match(config, "random", 3, seed=1).given).items()
    assert names.items() <= dict(make_match(replace(config, held_out=None), "random", 3, seed=1).given).items()
    with pytest.raises(ValueError, match=r"held_out: 'gen-v1:tset': set 'tset': allowed are train, test, ood, hand"):
        replace(config, held_out="gen-v1:tset")
    with pytest.raises(ValueError, match=r"held_out: 'midwest': family 'midwest': allowed are gen-v1"):
        replace(config, held_out="midwest")
    with pytest.raises(ValueError, match="held_out='gen-steam-v1:test': game 'steam' plays on one map at a time"):
        replace(MAGNATE, held_out="gen-steam-v1:test")


def test_a_run_on_a_set_of_maps_learns_and_is_watched_on_another(tmp_path: Path) -> None:
    on_sets = (("map", "gen-v1:train"), ("contracts", "gen-v1:train"), ("max_rounds", 3))
    config = replace(TINY, rules=on_sets, held_out="gen-v1:ood", decisions=2 * 12 * 8, evaluate_every=1, teacher="none")
    assert len(list(Run.start(tmp_path / "run", config, "cpu").play())) == 2
    assert [sorted(entry["evaluation"]) for entry in read_history(tmp_path / "run")] == [["automa:hard", "greedy"]] * 2


def test_run_on_a_set_of_maps__goes_on_after_a_kill_as_if_there_had_been_none(tmp_path: Path) -> None:
    on_sets = (("map", "gen-v1:learn"), ("contracts", "gen-v1:learn"), ("max_rounds", 1))
    config = replace(TINY, rules=on_sets, decisions=4 * 12 * 8, evaluate_every=0, teacher="none")
    weights = []
    for name, is_killed in (("whole", False), ("killed", True)):
        run = Run.start(tmp_path / name, config, "cpu")
        for _ in range(3):  # by then games have ended, so that others are under way than those that a run begins with
            next(run.play())
        if is_killed:
            open_set.cache_clear()  # another process has loaded none of the maps
            run = Run.resume(tmp_path / name, "cpu")
        next(run.play())
        weights.append(run.learner.network.state_dict())
    assert all((one == other).all() for one, other in zip(weights[0].values(), weights[1].values(), strict=True))


def test_presets_are_what_options_change() -> None:
    quick, standard = PRESETS["quick"], PRESETS["standard"]
    assert quick.imitations == 0 < standard.imitations
    assert PRESETS["strong"].decisions > standard.decisions > quick.decisions
    for words, config in (
        ("", standard),
        ("--games 3 --preset=quick", replace(quick, games=3)),
        ("--preset quick --map mini", replace(quick, rules=(("map", "mini"),))),
        ("--tables greedy=2 --tables league", replace(standard, tables=("greedy=2", "league"))),
    ):
        assert read_options(words.split()).config == config


@pytest.mark.parametrize(
    "config",
    [
        TrainConfig(),
        PRESETS["quick"],
        PRESETS["duel"],
        replace(TINY, start="runs/a b.safetensors", gamma=0.5),
        replace(MAGNATE, games=64),  # of the other game
    ],
)
def test_a_command_line_and_a_file_train_what_they_say(config: TrainConfig) -> None:
    words = shlex.split(config.command())
    assert words[:2] == ["python", "train.py"]
    assert read_options(words[2:]).config == config
    assert make_config(json.loads(json.dumps(config.to_dict()))) == config


# --- rewards and time ---------------------------------------------------------------------------------


def test_the_reward_is_the_win_and_the_margin() -> None:
    batch, rng = GameBatch(Rules(map="mini", contracts="mini", num_players=3), 16, seed=1), np.random.default_rng(1)
    while not batch.done.all():
        batch.step(batch.sample_legal(rng))
    scores, winners = batch.scores()
    total = scores[:, :, 0].astype(float)
    margin = total - (total.sum(1, keepdims=True) - total) / 2
    won = winners.sum(1, keepdims=True)
    win = np.where(won == 3, 0.0, np.where(winners, 1 / won, -1 / np.maximum(3 - won, 1)))
    for weights, wanted in (((0.5, 0.02), 0.5 * win + 0.02 * margin), ((0.0, 0.04), 0.04 * margin)):
        np.testing.assert_allclose(WinAndMargin(*weights).count(batch.records, batch.setting), wanted)


def test_a_part_that_is_measured_inside_another_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 3.0, 10.0, 20.0, 25.0])
    monkeypatch.setattr(clock_module.time, "perf_counter", lambda: next(times))
    clock = Clock()
    with clock.measure(ENVIRONMENT), clock.measure(OPPONENTS):
        pass
    with clock.measure(UPDATE):
        pass
    monkeypatch.undo()
    assert clock.take() == {"environment": 8.0, "opponents": 2.0, "teacher": 0.0, "inference": 0.0, "update": 5.0}
    assert sum(clock.take().values()) == 0.0


# --- policies -----------------------------------------------------------------------------------------


def test_a_policy_file_gives_the_same_policy_and_runs_no_code(tmp_path: Path) -> None:
    network = SteamNetwork(SMALL)
    path = tmp_path / "one.safetensors"
    save_policy(network, path, {"decisions": 7})
    agent = make_agent(str(path))
    assert isinstance(agent, ExplainingAgent)
    observations, masks = look(Rules(), 16, 40)
    views = GameBatch(Rules(), 16, seed=3).views()
    expected, values = judge(network, observations, masks)
    assert (agent.act(observations, masks, views) == expected.argmax(1)).all()
    probabilities, worth = agent.explain(observations, masks, views)
    np.testing.assert_allclose(probabilities, np.exp(expected))
    np.testing.assert_allclose(worth, values)
    assert load_policy(path).about["decisions"] == 7


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda path: path.write_bytes(pickle.dumps({"weights": [1]})), r"bad\.safetensors: no policy can be read"),
        (
            lambda path: save_policy(SteamNetwork(SMALL), path, {"network": {**vars(SMALL), "width": 16}}),
            "not those of this version's network",
        ),
        (lambda path: None, "there is no such file"),
    ],
)
def test_a_bad_policy_file_is_refused_by_name(write: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    write(tmp_path / "bad.safetensors")
    for load in (load_policy, make_agent):
        with pytest.raises(ValueError, match=message):
            load(str(tmp_path / "bad.safetensors"))


# --- the learner --------------------------------------------------------------------------------------


def test_the_learner_imitates_its_teacher() -> None:
    torch.manual_seed(0)
    learner = open_learner(replace(TINY, steps=32))
    learner.set_progress(0.0, imitates=True)
    losses = [learner.imitate(AgentTeacher(GreedyAgent(), "greedy"))["imitation_loss"] for _ in range(8)]
    assert np.mean(losses[-3:]) < 0.85 * losses[0]


def test_a_rollout_of_lessons_is_legal_shuffled_and_complete() -> None:
    learner = open_learner(TINY)
    learner._collect_lessons(AgentTeacher(GreedyAgent(), "greedy"))
    buffer = learner.rollout_buffer
    assert buffer.action_masks.dtype == np.bool_
    assert np.take_along_axis(buffer.action_masks, buffer.actions.astype(int), 2).all()
    parts = list(buffer.get(32))
    seen = torch.cat([part.returns for part in parts])
    assert len(seen) == TINY.iteration
    np.testing.assert_allclose(np.sort(seen.numpy()), np.sort(buffer.returns.ravel()))
    for part in parts:
        rows = [np.flatnonzero((buffer.returns.ravel() == value).ravel())[0] for value in part.returns.numpy()]
        flat_rows = buffer.observations.reshape(TINY.iteration, -1)[rows]
        assert np.mean((flat_rows == part.observations.numpy()).all(1)) > 0.8  # equal returns may be another row's


def test_the_league_remembers_and_forgets() -> None:
    league, network = open_league(TINY), SteamNetwork(SMALL)
    league.follow(network)
    league.remember("one")
    past, latest = (league.pool.get(number).policy.policy.network for number in (1, 0))
    before = past.judge_actions.weight.clone()
    with torch.no_grad():
        network.judge_actions.weight += 1.0
    assert torch.equal(past.judge_actions.weight, before)  # a past policy does not change with the learner
    assert latest is network
    for name in ("two", "three"):
        league.remember(name)
    assert league.past == ["one", "three"]  # the first stays
    assert league.pool.weights == {LATEST: 0.5, "one": 0.25, "three": 0.25}


# --- runs ---------------------------------------------------------------------------------------------


def outcome(history: list[dict]) -> list[tuple]:
    """What of a history does not depend on the machine's speed."""
    return [(entry["iteration"], entry["train"], entry.get("evaluation")) for entry in history]


def test_a_seed_reproduces_a_run_and_a_killed_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    for _ in Run.start(tmp_path / "whole", POPULATION, "cpu").play():
        pass
    whole = read_history(tmp_path / "whole")
    assert [entry["stage"] for entry in whole] == ["imitation"] * 2 + ["self-play"] * 4
    assert set(whole[2]["evaluation"]) == {"automa:hard", "greedy+any"}
    other = next(iter(Run.start(tmp_path / "other", replace(POPULATION, seed=2), "cpu").play()))
    assert other.entry["train"] != whole[0]["train"]

    killed = Run.start(tmp_path / "killed", POPULATION, "cpu")
    for step in killed.play():
        if step.iteration == 4:
            break
    with (tmp_path / "killed" / HISTORY).open("a") as history:
        history.write('{"iteration": 5, "dec')  # what a kill leaves
    torch.manual_seed(99)
    for _ in Run.resume(tmp_path / "killed", "cpu").play():
        pass
    assert outcome(read_history(tmp_path / "killed")) == outcome(whole)
    weights = [load_policy(tmp_path / name / POLICY).network.state_dict() for name in ("whole", "killed")]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_a_run_may_begin_with_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "first.safetensors"
    network = SteamNetwork(SMALL)
    save_policy(network, path, {})
    run = Run.start(tmp_path / "run", replace(TINY, start=str(path)), "cpu")
    assert torch.equal(run.learner.network.judge_actions.weight, network.judge_actions.weight)
    with pytest.raises(ValueError, match="its network is"):
        Run.start(tmp_path / "other", replace(TINY, start=str(path), network=NetworkConfig(16, 8, 8)), "cpu")


def test_a_run_is_not_written_over(tmp_path: Path) -> None:
    Run.start(tmp_path / "run", TINY, "cpu")
    with pytest.raises(ValueError, match="there is a run already"):
        Run.start(tmp_path / "run", TINY, "cpu")
    with pytest.raises(ValueError, match="there is no run"):
        Run.resume(tmp_path / "nothing", "cpu")
    (tmp_path / "run" / CONFIG).write_text("{")
    with pytest.raises(ValueError, match="no run's configuration"):
        Run.resume(tmp_path / "run", "cpu")


def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    words = "--preset quick --map mini --contracts mini --games 8 --steps 4 --decisions 64 --evaluate-every 2"
    assert main([*words.split(), "--evaluate-deals", "2", "--folder", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert "64 decisions" in out
    assert "environment" in out
    assert "random" in out
    assert "2/2 self-play" in err
    names = {path.name for path in folder.iterdir()}
    assert {CONFIG, HISTORY, CHECKPOINT, POLICY, "curve.svg", "tensorboard"} <= names
    content = json.loads((folder / CONFIG).read_text())
    assert {"config", "software", "machine", "map", "deck", "policies"} <= set(content)
    assert main(["--resume", "--folder", str(folder)]) == 0
    assert len(read_history(folder)) == 2


def test_another_game_is_trained_and_its_policy_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, policy = tmp_path / "run", str(tmp_path / "run" / POLICY)
    words = "--decisions 1000 --games 32 --steps 16 --batch-size 256 --evaluate-deals 4 --pile 20"
    assert main(["--game", TOY, *words.split(), "--folder", str(folder)]) == 0
    assert main(["--game", TOY, "--resume", "--folder", str(folder)]) == 0
    assert main(["--game", "steam_power", "--resume", "--folder", str(folder)]) == 2
    assert f"is of '{TOY}'" in capsys.readouterr().err
    assert [entry["decisions"] for entry in read_history(folder)] == [512, 1024]
    assert load_policy(policy).about["config"]["pile"] == 20
    assert evaluate.main([policy, "--game", TOY, "--deals", "20", "--quiet"]) == 0
    assert "Points (mean)" in capsys.readouterr().out
    assert evaluate.main([policy, "--deals", "20", "--quiet"]) == 2
    assert f"it was trained for game='{TOY}', not 'steam_power'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--games", "0"], "games=0"),
        (["--map", "nowhere"], "nowhere"),
        (["--resume", "--games", "3"], "--games cannot be given with --resume"),
        (["--resume"], "there is no run"),
        (["--threads", "0"], "threads=0"),
        (
            ["--preset", "slow"],
            "'slow' for argument '--preset'. Expected one of ('quick', 'standard', 'strong', 'duel', 'table', 'nomad')",
        ),
        (
            ["--teacher", "slow"],
            "teacher='slow': allowed are none, greedy, greedy:v0, planner, random, search, or search@EVALUATIONS",
        ),
        (["--game", "slow"], "game='slow': allowed are 'steam_power'"),
    ],
)
def test_bad_input_is_told_before_anything_is_trained(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--folder", str(tmp_path / "run")]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert "nothing was trained" in err
    assert not (tmp_path / "run" / CHECKPOINT).exists()


def test_help_that_nobody_reads_to_its_end_is_no_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``train.py --help | head -1`` closes the pipe while the options are read."""

    def close_pipe(arguments: Sequence[str] | None) -> NoReturn:
        raise BrokenPipeError

    monkeypatch.setattr("steam_env.commands.train.read_options", close_pipe)
    assert main(["--help"]) == 1
    assert "Traceback" not in capsys.readouterr().err
