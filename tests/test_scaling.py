"""Nets that take digits and make float32 of them."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from steam_env import GameBatch, Rules  # noqa: E402
from steam_env.agents.policy_files import load_policy  # noqa: E402
from steam_env.agents.scaling import Scaled, Scaling  # noqa: E402
from steam_env.agents.trained import judge  # noqa: E402
from steam_env.encoding.steam_power import ENCODINGS  # noqa: E402
from steam_env.kit.forms import FORMS  # noqa: E402
from steam_env.spec import find_spec  # noqa: E402
from tests.encoding_checks import arrays_of  # noqa: E402
from tests.seen import positions  # noqa: E402

SIGHT = find_spec().sight


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("kind", ["two", "solo", "two and two automas"])
def test_scaling__gives_the_float32_back(name: str, form: str, kind: str) -> None:
    batch = positions(kind, 61)
    encoding = SIGHT.find_encoding(f"{name}:{form}", setting=batch.setting)
    packed: Any = batch.observe(f"{name}:{form}")
    given = {key: torch.from_numpy(array) for key, array in packed.items()} if isinstance(packed, dict) else packed
    values = Scaling(encoding)(given if isinstance(given, dict) else torch.from_numpy(given))
    made = [array.numpy() for array in (values.values() if isinstance(values, dict) else [values])]
    for mine, theirs in zip(made, arrays_of(batch.observe(name)), strict=True):
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("form", FORMS)
def test_scaled__a_shipped_policy_judges_digits_as_it_judges_float32(form: str) -> None:
    agent, batch = load_policy("duel"), GameBatch(Rules(), 16, seed=3)
    rng = np.random.default_rng(1)
    for _ in range(60):
        batch.step(batch.sample_legal(rng))
    encoding = SIGHT.find_encoding(f"{agent.encoding}:{form}", setting=batch.setting)
    told = judge(agent.network, batch.observe(agent.encoding), batch.mask)
    again = judge(Scaled(agent.network, encoding), batch.observe(encoding.name), batch.mask)
    assert all(np.array_equal(*pair) for pair in zip(told, again, strict=True))


def test_policy__learns_from_digits() -> None:
    ppo = pytest.importorskip("sb3_contrib").MaskablePPO
    from steam_env.envs.sb3 import SteamVecEnv
    from steam_env.training.policy import LeanRolloutBuffer, NetworkPolicy

    rules = Rules(num_players=2, automas=1, map="mini", contracts="mini", max_rounds=3)
    envs = SteamVecEnv(4, encoding="flat:tight", rules=rules, threads=2)
    options = {"encoding": "flat:tight", "rules": rules}
    learner = ppo(
        NetworkPolicy,
        envs,
        n_steps=8,
        batch_size=16,
        n_epochs=1,
        seed=1,
        policy_kwargs=options,
        rollout_buffer_class=LeanRolloutBuffer,
        device="cpu",
    )
    learner.learn(32)
    assert learner.rollout_buffer.observations.dtype == np.uint8
