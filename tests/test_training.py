"""Training: configurations, the learner, runs that go on after a kill, policy files. Needs the extra `train`."""

import json
import pickle
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("safetensors")

from steam_env import Game, GameBatch, Rules  # noqa: E402
from steam_env.agents import ExplainingAgent, GreedyAgent, make_agent  # noqa: E402
from steam_env.agents.network import CITY_ACTIONS, NetworkConfig, SteamNetwork, spread_logits  # noqa: E402
from steam_env.agents.policy_files import load_policy, save_policy  # noqa: E402
from steam_env.agents.trained import draw_actions, judge  # noqa: E402
from steam_env.commands.train import find_preset, main, read_options  # noqa: E402
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS  # noqa: E402
from steam_env.data.steam_power.rules import VP_SCALE  # noqa: E402
from steam_env.encoding.steam_power import flat  # noqa: E402
from steam_env.training.clock import ENVIRONMENT, OPPONENTS, UPDATE, Clock  # noqa: E402
from steam_env.training.config import PRESETS, TrainConfig, read_table  # noqa: E402
from steam_env.training.league import LATEST, League  # noqa: E402
from steam_env.training.learner import Learner, open_games  # noqa: E402
from steam_env.training.reward import WinAndMargin  # noqa: E402
from steam_env.training.run import CHECKPOINT, CONFIG, HISTORY, POLICY, Run, read_history  # noqa: E402

SMALL = NetworkConfig(width=32, entity=8, map_units=8)
TINY = TrainConfig(
    tables=("league", "greedy", "automa:hard"),
    map="mini",
    contracts="mini",
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


def open_learner(config: TrainConfig) -> Learner:
    clock = Clock()
    league = League(config.past_most, config.latest, seed=1)
    learner = Learner(config, open_games(config, league, clock), clock, "cpu")
    league.follow(learner.policy.network)
    learner.begin(1)
    return learner


def look(rules: Rules, count: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of the movers of random games."""
    batch, rng = GameBatch(rules, count, seed=3), np.random.default_rng(3)
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
    return batch.observe(), batch.mask


# --- configurations -----------------------------------------------------------------------------------


def test_a_table_is_read_from_its_text() -> None:
    table = read_table("greedy+league+automa:hard=2.5")
    assert (table.opponents, table.automas, table.level, table.share) == (("greedy", "league"), 1, "hard", 2.5)
    assert table.seats == 4
    assert read_table("automa:very_easy").share == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nobody", "'nobody' is nobody"),
        ("greedy=0", "above 0"),
        ("greedy=x", "above 0"),
        ("greedy=inf", "above 0"),
        ("automa:hard+automa:easy", "one level"),
        ("automa:wild", "one level"),
        ("greedy+greedy+greedy+greedy+greedy", "at most 4"),
        ("", "is nobody"),
    ],
)
def test_a_bad_table_is_refused_with_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TrainConfig(tables=(text,))


@pytest.mark.parametrize(
    ("name", "value"), [("games", 0), ("gamma", 1.5), ("clip", -1.0), ("learning_rate", float("inf")), ("seed", -1)]
)
def test_a_bad_number_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        TrainConfig(**{name: value})


def test_games_are_shared_among_the_tables() -> None:
    counts = [count for _, count in TrainConfig(tables=("league=2", "greedy", "random"), games=256).share_games()]
    assert sum(counts) == 256
    assert counts[1] == counts[2] == 64
    with pytest.raises(ValueError, match="at least 3"):
        TrainConfig(tables=("league", "greedy", "random"), games=2).share_games()


def test_presets_hold_what_they_say() -> None:
    assert PRESETS["quick"].imitations == 0
    assert PRESETS["standard"].imitations > 0
    assert PRESETS["strong"].decisions > PRESETS["standard"].decisions > PRESETS["quick"].decisions
    assert find_preset(["--preset", "quick"]) == find_preset(["--games", "3", "--preset=quick"]) == "quick"
    assert find_preset([]) == "standard"
    options = read_options(["--preset", "quick", "--games", "64"])
    assert options.config == replace(PRESETS["quick"], games=64)
    options = read_options(["--tables", "greedy=2", "--tables", "league"])
    assert options.config == replace(PRESETS["standard"], tables=("greedy=2", "league"))


# --- rewards and time ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "config", [TrainConfig(), PRESETS["quick"], replace(TINY, start="runs/a b.safetensors", gamma=0.5)]
)
def test_a_command_line_trains_what_it_says(config: TrainConfig) -> None:
    words = shlex.split(config.command())
    assert words[:2] == ["python", "train.py"]
    assert read_options(words[2:]).config == config


def test_the_reward_is_the_win_and_the_margin() -> None:
    rules = Rules(map="mini", contracts="mini", num_players=3)
    batch, rng = GameBatch(rules, 16, seed=1), np.random.default_rng(1)
    while not batch.done.all():
        batch.step(batch.sample_legal(rng))
    scores, winners = batch.scores()
    total = scores[:, :, 0].astype(float)
    margin = total - (total.sum(1, keepdims=True) - total) / 2
    paid = WinAndMargin(0.5, 0.02)(batch.records, rules)
    won = winners.sum(1, keepdims=True)
    win = np.where(won == 3, 0.0, np.where(winners, 1 / won, -1 / np.maximum(3 - won, 1)))
    np.testing.assert_allclose(paid, 0.5 * win + 0.02 * margin)
    np.testing.assert_allclose(WinAndMargin(0.0, 1 / VP_SCALE)(batch.records, rules), margin / VP_SCALE)


def test_a_part_that_is_measured_inside_another_counts_once() -> None:
    clock, times = Clock(), iter([0.0, 1.0, 3.0, 10.0, 20.0, 25.0])
    import steam_env.training.clock as module

    class Watch:
        perf_counter = staticmethod(lambda: next(times))

    original, module.time = module.time, Watch  # type: ignore[assignment]
    try:
        with clock.measure(ENVIRONMENT), clock.measure(OPPONENTS):
            pass
        with clock.measure(UPDATE):
            pass
    finally:
        module.time = original
    assert clock.take() == {"environment": 8.0, "opponents": 2.0, "teacher": 0.0, "inference": 0.0, "update": 5.0}
    assert sum(clock.take().values()) == 0.0


# --- network and policies -----------------------------------------------------------------------------


def test_logits_of_cities_and_contracts_stand_at_their_actions() -> None:
    cities = torch.arange(MAX_CITIES * CITY_ACTIONS).float().view(1, MAX_CITIES, CITY_ACTIONS) + 1
    contracts = -torch.arange(MAX_CONTRACTS).float().view(1, -1) - 1
    logits = spread_logits(cities, contracts)[0]
    game = Game(Rules(), seed=1)
    names = [name for name in (game.text(action) for action in game.legal()) if name.startswith("start")]
    city, edge = names[0].removeprefix("start ").rsplit(" ", 1)
    number = load_cities().index(city)
    place = ("N", "NE", "SE", "S", "SW", "NW").index(edge)
    assert logits[game.parse(names[0])] == cities[0, number, 3 + place]
    from steam_env.core.steam_power.actions import BUILD, FULFIL, HOP_TO, SOURCE_FROM

    assert [float(logits[start + 2]) for start in (BUILD, SOURCE_FROM, HOP_TO)] == cities[0, 2, :3].tolist()
    assert logits[FULFIL + 7] == -8.0
    assert logits[0] == 0.0


def load_cities() -> tuple[str, ...]:
    from steam_env.data.steam_power.maps import load_map

    return tuple(load_map("midwest").cities)


def test_a_network_looks_at_all_kinds_of_games_and_masks_what_is_illegal() -> None:
    network = SteamNetwork(SMALL)
    for rules in (Rules(), Rules(num_players=5, automas=3), Rules(mode="solo")):
        observations, masks = look(rules, 8, 60)
        log_probs, values = judge(network, observations, masks)
        assert np.isfinite(values).all()
        np.testing.assert_allclose(np.exp(log_probs).sum(1), 1.0, rtol=1e-4)
        assert np.exp(log_probs)[~masks].max() == 0.0


def test_the_network_sees_where_the_tail_and_the_begun_link_are() -> None:
    network = SteamNetwork(SMALL)
    observations = np.zeros((3, flat.FLAT_SIZE), np.float32)
    observations[1, flat.SEAT_TAIL_HEX] = 5 / 256
    observations[2, flat.CITY_SUBJECT + 3] = observations[2, flat.START_EDGE + 2] = 1.0
    with torch.no_grad():
        network.tail.weight.zero_()
        network.start.weight.zero_()
        network.tail.weight[5 * 7] = 1.0
        network.start.weight[4 * 7 + 3] = 2.0
        seen = network._look_at_track(torch.from_numpy(observations)) - network.look_at_map.bias
    np.testing.assert_allclose(seen.mean(1).numpy(), [0.0, 1.0, 2.0], atol=0.2)


def test_actions_are_drawn_by_their_probabilities() -> None:
    shares = np.array([0.5, 0.3, 0.2, 0.0])
    masks = np.tile(shares > 0, (20_000, 1))
    drawn = draw_actions(np.log(np.maximum(np.tile(shares, (20_000, 1)), 1e-9)), masks, np.random.default_rng(1))
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, shares, atol=0.015)


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


def test_a_bad_policy_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "bad.safetensors"
    path.write_bytes(pickle.dumps({"weights": [1]}))
    with pytest.raises(ValueError, match=r"bad\.safetensors: no policy can be read"):
        load_policy(path)
    from safetensors.torch import save_file

    save_file({"x": torch.zeros(1)}, path, {"about": json.dumps({"format": "other"})})
    with pytest.raises(ValueError, match="format 'other'"):
        load_policy(path)
    save_policy(SteamNetwork(SMALL), path, {"network": {"width": 16, "entity": 8, "map_units": 8}})
    with pytest.raises(ValueError, match="not those of this version's network"):
        load_policy(path)
    with pytest.raises(ValueError, match=r"'duel', 'table' or a file \*\.safetensors"):
        load_policy("nobody")
    with pytest.raises(ValueError, match="is allowed"):
        make_agent(str(tmp_path / "missing.safetensors"))


# --- the learner --------------------------------------------------------------------------------------


def test_the_learner_imitates_its_teacher() -> None:
    torch.manual_seed(0)
    learner = open_learner(replace(TINY, steps=32))
    learner.set_progress(0.0, imitates=True)
    losses = [learner.imitate(GreedyAgent())["imitation_loss"] for _ in range(6)]
    assert losses[-1] < 0.8 * losses[0]


def test_lessons_are_what_the_teacher_would_play() -> None:
    learner = open_learner(TINY)
    learner._collect_lessons(GreedyAgent())
    buffer = learner.rollout_buffer
    steps, games = np.nonzero(np.ones((TINY.steps, TINY.games)))
    chosen = buffer.actions[:, :, 0].astype(int)
    assert buffer.action_masks[steps, games, chosen[steps, games]].all()
    assert buffer.action_masks.dtype == np.bool_


def test_a_rollout_is_shuffled_and_complete() -> None:
    learner = open_learner(TINY)
    learner._collect_lessons(GreedyAgent())
    buffer = learner.rollout_buffer
    parts = list(buffer.get(32))
    seen = torch.cat([part.returns for part in parts])
    assert len(seen) == TINY.iteration
    np.testing.assert_allclose(np.sort(seen.numpy()), np.sort(buffer.returns.ravel()))
    for part in parts:
        rows = [np.flatnonzero((buffer.returns.ravel() == value).ravel())[0] for value in part.returns.numpy()]
        flat_rows = buffer.observations.reshape(TINY.iteration, -1)[rows]
        assert np.mean((flat_rows == part.observations.numpy()).all(1)) > 0.8  # equal returns may be another row's


def test_the_league_remembers_and_forgets() -> None:
    league = League(2, 0.5, seed=1)
    league.follow(SteamNetwork(SMALL))
    for name in ("one", "two", "three"):
        league.remember(name)
    assert league.past == ["one", "three"]  # the first stays
    assert league.pool.weights == {LATEST: 0.5, "one": 0.25, "three": 0.25}


def test_a_past_policy_does_not_change_with_the_learner() -> None:
    network = SteamNetwork(SMALL)
    league = League(2, 0.5, seed=1)
    league.follow(network)
    league.remember("one")
    before = league.pool.get(1).policy.policy.network.judge_actions.weight.clone()
    with torch.no_grad():
        network.judge_actions.weight += 1.0
    assert torch.equal(league.pool.get(1).policy.policy.network.judge_actions.weight, before)
    assert league.pool.get(0).policy.policy.network is network


# --- runs ---------------------------------------------------------------------------------------------


def outcome(history: list[dict]) -> list[tuple]:
    """What of a history does not depend on the machine's speed."""
    return [(entry["iteration"], entry["train"], entry.get("evaluation")) for entry in history]


def test_a_seed_reproduces_a_run_and_a_killed_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    for _ in Run.start(tmp_path / "whole", TINY, "cpu").play():
        pass
    whole = read_history(tmp_path / "whole")
    assert [entry["stage"] for entry in whole] == ["imitation"] * 2 + ["self-play"] * 4
    assert set(whole[2]["evaluation"]) == {"automa:hard", "greedy"}

    killed = Run.start(tmp_path / "killed", TINY, "cpu")
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


def test_other_seeds_make_other_runs(tmp_path: Path) -> None:
    first = next(iter(Run.start(tmp_path / "a", TINY, "cpu").play()))
    second = next(iter(Run.start(tmp_path / "b", replace(TINY, seed=2), "cpu").play()))
    assert first.entry["train"] != second.entry["train"]


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
    folder = str(tmp_path / "run")
    words = ["--preset", "quick", "--map", "mini", "--contracts", "mini", "--games", "8", "--steps", "4"]
    words += ["--decisions", "64", "--evaluate-every", "2", "--evaluate-deals", "2", "--folder", folder]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "64 decisions" in out
    assert "environment" in out
    assert "random" in out
    assert "2/2 self-play" in err
    names = {path.name for path in Path(folder).iterdir()}
    assert {CONFIG, HISTORY, CHECKPOINT, POLICY, "curve.svg", "tensorboard"} <= names
    content = json.loads((Path(folder) / CONFIG).read_text())
    assert {"config", "software", "machine", "map", "deck"} <= set(content)
    assert main(["--resume", "--folder", folder]) == 0
    assert len(read_history(Path(folder))) == 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--games", "0"], "games=0"),
        (["--map", "nowhere"], "nowhere"),
        (["--resume", "--games", "3"], "--games cannot be given with --resume"),
        (["--resume"], "there is no run"),
        (["--threads", "0"], "threads=0"),
        (["--preset", "slow"], "slow"),
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
