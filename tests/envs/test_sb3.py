"""What only Stable-Baselines3 has; needs the extra `train`: without it these tests are skipped."""

import pickle
import re

import numpy as np
import pytest

from steam_env import IllegalActionError
from steam_env.agents import RandomAgent
from steam_env.core.steam_power.actions import BUILD, MONEY, NUM_ACTIONS
from tests.envs.faces import PAGES, SMALL, choose_last

REASON = "Stable-Baselines3 is not installed: pip install -e '.[train]'"
pytest.importorskip("sb3_contrib", reason=REASON)

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import is_masking_supported  # noqa: E402
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor  # noqa: E402

from steam_env.envs.sb3 import SteamVecEnv  # noqa: E402


def draw_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.argmax(masks * rng.random(masks.shape), axis=1)


def test_join__plays_the_parts_side_by_side() -> None:
    def make_parts() -> list[SteamVecEnv]:
        automas = SteamVecEnv(3, **SMALL, automas=2, automa_level="hard")
        return [automas, SteamVecEnv(2, **SMALL, num_players=5, opponents=choose_last, reward="score")]

    joined, parts = SteamVecEnv.join(*make_parts()), make_parts()
    joined.seed(3)
    parts[0].seed(3)
    parts[1].seed(6)
    assert np.array_equal(joined.reset(), np.concatenate([part.reset() for part in parts]))
    rng = np.random.default_rng(3)
    for _ in range(60):
        actions = draw_legal(joined.action_masks(), rng)
        one, two = (
            joined.step(actions),
            [part.step(some) for part, some in zip(parts, np.split(actions, [3]), strict=True)],
        )
        for mine, *others in zip(one[:3], *(each[:3] for each in two), strict=True):
            assert np.array_equal(mine, np.concatenate(others))
        assert pickle.dumps(one[3][:3]) == pickle.dumps(two[0][3])
        assert np.array_equal(joined.action_masks(), np.concatenate([part.action_masks() for part in parts]))


def test_join__an_illegal_action_of_one_part_changes_none() -> None:
    joined = SteamVecEnv.join(SteamVecEnv(2, **SMALL), SteamVecEnv(2, **SMALL))
    joined.seed(1)
    joined.reset()
    before = pickle.dumps(joined)
    with pytest.raises(IllegalActionError, match="game 1"):
        joined.step(np.array([MONEY, MONEY, MONEY, BUILD]))
    joined.step_async(np.zeros(4, np.int64))
    assert pickle.dumps(joined) == before
    with pytest.raises(ValueError, match="join needs environments"):
        SteamVecEnv.join()


def test_masks__are_found_by_sb3_contrib() -> None:
    envs = SteamVecEnv(4, **SMALL)
    for each in (envs, VecMonitor(envs)):
        each.reset()
        assert is_masking_supported(each)
        assert each.has_attr("action_masks")
        masks = np.stack(each.env_method("action_masks"))
        assert (masks.dtype, masks.shape) == (np.bool_, (4, NUM_ACTIONS))
        assert np.array_equal(masks, envs.action_masks())
        assert np.array_equal(np.stack(each.env_method("action_masks", indices=[2, 0])), masks[[2, 0]])
        assert np.array_equal(each.get_attr("action_masks", 1)[0](), masks)
    with pytest.raises(AttributeError, match="games have no method 'undo'"):
        envs.env_method("undo")


def test_attributes__belong_to_all_games() -> None:
    envs = SteamVecEnv(3, **SMALL)
    assert envs.get_attr("num_envs", [0, 1]) == [3, 3]
    assert not envs.has_attr("nothing")
    envs.set_attr("render_mode", "rgb_array")
    assert envs.get_attr("render_mode") == ["rgb_array"] * 3
    with pytest.raises(AttributeError, match="nothing"):
        envs.get_attr("nothing")
    with pytest.raises(ValueError, match="belongs to all games"):
        envs.set_attr("render_mode", None, indices=0)
    assert envs.env_is_wrapped(VecEnvWrapper) == [False] * 3
    assert envs.env_is_wrapped(VecEnvWrapper, 1) == [False]


def test_seed__counts_once() -> None:
    envs = SteamVecEnv(3, **SMALL)
    assert envs.seed(5) == [5, 6, 7]
    assert len(set(envs.seed())) == 3
    envs.seed(5)
    first, second = envs.reset(), envs.reset()
    envs.seed(5)
    assert np.array_equal(envs.reset(), first)
    assert not np.array_equal(second, first)
    envs.set_options({"scenario": 1})
    with pytest.raises(ValueError, match="reset options"):
        envs.reset()


def test_images__are_those_of_the_games() -> None:
    envs = SteamVecEnv(2, **SMALL, render_mode="rgb_array")
    envs.seed(1)
    envs.reset()
    images = envs.get_images()
    assert [image.shape for image in images] == [images[0].shape] * 2
    assert envs.render().shape[2] == 3
    assert SteamVecEnv(2, **SMALL).get_images() == [None, None]


def test_page__code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (PAGES / "vector.md").read_text(encoding="utf-8")
    (code,) = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "MaskablePPO" in one]
    exec(code, {})
    assert -100 <= float(capsys.readouterr().out) <= 100


@pytest.mark.parametrize(("encoding", "policy"), [("grid", "MlpPolicy"), ("graph", "MultiInputPolicy")])
def test_maskable_ppo__learns_from_each_encoding(encoding: str, policy: str) -> None:
    envs = SteamVecEnv.join(
        SteamVecEnv(2, **SMALL, encoding=encoding, num_players=3, opponents=RandomAgent),
        SteamVecEnv(2, **SMALL, encoding=encoding, automas=1),
    )
    model = MaskablePPO(policy, VecMonitor(envs), n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    before = model.policy.state_dict()["action_net.weight"].clone()
    model.learn(2 * 4 * 32)
    assert not np.array_equal(model.policy.state_dict()["action_net.weight"], before)
    observations = envs.reset()
    actions, _ = model.predict(observations, action_masks=envs.action_masks())
    assert envs.action_masks()[np.arange(4), actions].all()
