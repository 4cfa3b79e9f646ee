"""Self-play on RLlib: one network plays all seats and learns from each, with masks. Needs the extra `rllib`.

    python examples/rllib_selfplay.py WORKERS

WORKERS processes play, this one learns; 0 does both in this one. Without a cluster Ray runs on this machine. On a
cluster nothing in this file changes; docs/frameworks.md says what to do.
"""

import argparse
import time
from typing import Any

import ray
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

from steam_env import steam_power_v0
from steam_env.envs.rllib import MaskedModule

GAME = {
    "num_players": 2,
    "map": "mini",
    "contracts": "mini",
    "events": False,
}  # infos travel between processes: no events
ITERATIONS = 3
DECISIONS = 1024  # of an iteration
EVERYBODY = "everybody"  # the name of the network that all seats share


def make_env(options: dict[str, Any]) -> PettingZooEnv:
    """The game as RLlib's multi-agent environment."""
    return PettingZooEnv(steam_power_v0.env(**options))


def configure(workers: int) -> PPOConfig:
    """PPO in self-play with this many worker processes."""
    register_env("steam_power", make_env)
    return (
        PPOConfig()
        .environment("steam_power", env_config=GAME, disable_env_checking=True)  # the check plays illegal actions
        .env_runners(num_env_runners=workers)
        .multi_agent(policies={EVERYBODY}, policy_mapping_fn=lambda agent, episode, **_: EVERYBODY)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config={"fcnet_hiddens": [64, 64]}))
        .training(
            train_batch_size_per_learner=DECISIONS, minibatch_size=256, num_epochs=2, gamma=1.0, entropy_coeff=0.01
        )
        .fault_tolerance(restart_failed_env_runners=False)  # an illegal action ends the run; it is not hidden
        .debugging(seed=1)
    )


def train(algorithm: Algorithm, iterations: int = ITERATIONS) -> int:
    """Learn, telling of each iteration; returns how many decisions were played."""
    played = 0
    for iteration in range(1, iterations + 1):
        start = time.perf_counter()
        result = algorithm.train()
        runners, learner = result["env_runners"], result["learners"][EVERYBODY]
        played = int(runners["num_env_steps_sampled_lifetime"])
        print(
            f"iteration {iteration}: {played:,} decisions, games of {runners['episode_len_mean']:.0f}, "
            f"entropy {learner['entropy']:.2f}, value loss {learner['vf_loss']:.3f}, "
            f"{time.perf_counter() - start:.1f} s"
        )
    return played


def main() -> None:
    """Train for a few iterations."""
    parser = argparse.ArgumentParser(description="Self-play with masks on RLlib.")
    parser.add_argument("workers", type=int, help="processes that play; 0 plays in this one")
    workers = parser.parse_args().workers
    ray.init(log_to_driver=False)  # the cluster that RAY_ADDRESS names, or a new one on this machine
    algorithm = configure(workers).build_algo()
    try:
        train(algorithm)
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    main()
