"""Stable-Baselines3 and sb3-contrib on the vector environment. Skipped without the extra `train`."""

import numpy as np
import pytest

from steam_env import IllegalActionError
from tests.verification.frameworks.witness import Witness

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: pip install -e '.[train]'")

from sb3_contrib.common.maskable.evaluation import evaluate_policy

from steam_env.envs.sb3 import SteamVecEnv


@pytest.fixture
def vectors(witness: Witness, monkeypatch: pytest.MonkeyPatch) -> Witness:
    """Counts the decisions of vector environments, too."""
    step_async = SteamVecEnv.step_async

    def watched_step(envs: SteamVecEnv, actions: np.ndarray) -> None:
        witness.look(envs.action_masks(), actions)
        step_async(envs, actions)

    monkeypatch.setattr(SteamVecEnv, "step_async", watched_step)
    return witness


def test_maskable_ppo__plays_10000_decisions_without_an_illegal_action(vectors: Witness) -> None:
    names = vectors.run("sb3")
    model, envs = names["model"], names["envs"]
    assert len(model.ep_info_buffer) > 0
    assert vectors.decisions >= 10_000
    evaluate_policy(model, model.get_env(), n_eval_episodes=envs.num_envs)
    assert vectors.illegal == 0
    assert vectors.updates > 0
    vectors.record(
        "sb3", ("stable_baselines3", "sb3_contrib"), "MaskablePPO on `SteamVecEnv`, against random agents and Automas"
    )


def test_maskable_ppo__without_masks_plays_an_illegal_action(vectors: Witness) -> None:
    with pytest.raises(IllegalActionError):
        vectors.run("sb3", instead=("model.learn(10_240)", "model.learn(10_240, use_masking=False)"))
    assert vectors.illegal
