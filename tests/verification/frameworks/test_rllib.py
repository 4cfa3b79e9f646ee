"""RLlib's multi-agent interface on the PettingZoo environment. Skipped without the extra `rllib`."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gymnasium import spaces

from steam_env import IllegalActionError, steam_power_v0
from tests.verification.frameworks.witness import Witness

ray = pytest.importorskip("ray", reason="RLlib is not installed: pip install -e '.[rllib]'")
pytestmark = pytest.mark.filterwarnings("default")  # warnings of Ray are not ours

ROOT = Path(__file__).parents[3]


@pytest.fixture
def _ray() -> Iterator[None]:
    """Ray on this machine; the games are played and learned from in this process."""
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.usefixtures("_ray")
def test_ppo__plays_10000_decisions_without_an_illegal_action(witness: Witness) -> None:
    names = witness.run("rllib")
    runners = names["result"]["env_runners"]
    assert witness.decisions >= 10_000
    assert witness.decisions == runners["num_env_steps_sampled_lifetime"]
    assert witness.illegal == 0
    assert witness.updates > 0
    assert runners["num_episodes_lifetime"] > 0
    assert sum(runners["agent_episode_returns_mean"].values()) == pytest.approx(0)  # winners get what losers pay
    witness.record("rllib", ("ray",), "PPO in self-play on `PettingZooEnv` with `MaskedModule`, new API stack, 2 seats")


@pytest.mark.usefixtures("_ray")
def test_ppo__without_masks_plays_an_illegal_action(witness: Witness, monkeypatch: pytest.MonkeyPatch) -> None:
    from steam_env.envs.rllib import MaskedModule

    monkeypatch.setattr(MaskedModule, "_mask_logits", staticmethod(lambda outputs, batch: outputs))
    with pytest.raises(RuntimeError) as raised:
        witness.run("rllib")
    assert isinstance(raised.value.__cause__, IllegalActionError)  # RLlib's own form
    assert witness.illegal


def test_environment__asks_seat_by_seat_and_pays_all_in_the_end() -> None:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    game = steam_power_v0.env(num_players=3, map="mini", contracts="mini", events=False)
    env = PettingZooEnv(game)
    observations, _ = env.reset(seed=1)
    rng, paid, over = np.random.default_rng(1), dict.fromkeys(game.possible_agents, 0.0), False
    while not over:
        ((agent, observation),) = observations.items()
        assert agent == game.agent_selection
        assert observation in env.get_observation_space(agent)
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        observations, rewards, terminateds, truncateds, infos = env.step({agent: action})
        assert infos.keys() == rewards.keys() == observations.keys()
        assert not any(truncateds.values())
        over = terminateds["__all__"]
        for seat, reward in rewards.items():
            paid[seat] += reward
    assert observations.keys() == paid.keys()
    winners = game.unwrapped.game.winners()
    assert list(paid.values()) == [
        1 / len(winners) if seat in winners else -1 / (3 - len(winners)) for seat in range(3)
    ]


def test_module__gives_illegal_actions_no_chance_and_survives_an_empty_mask() -> None:
    import torch
    from ray.rllib.core.columns import Columns

    from steam_env.envs.rllib import MaskedModule

    env = steam_power_v0.env(map="mini", contracts="mini")
    env.reset(seed=1)
    seen = [env.observe(agent) for agent in env.agents]  # one seat decides, the other's mask is empty
    spaces_of = {"observation_space": env.observation_space("player_0"), "action_space": env.action_space("player_0")}
    module = MaskedModule(**spaces_of, model_config={"fcnet_hiddens": [8]})
    obs = {name: torch.from_numpy(np.stack([each[name] for each in seen])) for name in seen[0]}
    mask = obs["action_mask"].bool()
    for forward in (module.forward_exploration, module.forward_inference, module.forward_train):
        chances = torch.softmax(forward({Columns.OBS: obs})[Columns.ACTION_DIST_INPUTS], dim=1)
        assert chances.isfinite().all()
        assert (chances[mask.any(dim=1)] > 0).equal(mask[mask.any(dim=1)])
    assert module.compute_values({Columns.OBS: obs}).shape == (2,)
    with pytest.raises(ValueError, match="mask_in"):
        MaskedModule(observation_space=spaces.Box(0, 1, (3,)), action_space=spaces.Discrete(3))


def test_example__learns_with_a_worker() -> None:
    command = [sys.executable, ROOT / "examples" / "rllib_selfplay.py", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^iteration (\d): ([\d,]+) decisions", done.stdout, re.MULTILINE) == [
        ("1", "1,024"),
        ("2", "2,048"),
        ("3", "3,072"),
    ]
