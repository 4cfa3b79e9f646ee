"""The environments of the games in Gymnasium's registry: their ids, and the rules that each id fixes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from steam_env.envs.single import LearnerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.spec import find_spec, list_games


def list_environments() -> dict[str, dict[str, Any]]:
    """The options that each Gymnasium id stands for: the game, and ``fixed``, fields of its rules."""
    return {
        name: {"game": game, "fixed": dict(fixed)}
        for game in list_games()
        for name, fixed in find_spec(game).environments.items()
    }


def register_environments() -> None:
    """Make ``gymnasium.make`` and ``make_vec`` know the ids; those that they know already stay as they are."""
    for name, options in list_environments().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                f"{__name__}:{make_learner.__name__}",
                nondeterministic=False,
                kwargs=options,
                vector_entry_point=f"{__name__}:{make_learners.__name__}",
            )


def make_learner(*, fixed: Mapping[str, Any], **options: Any) -> LearnerEnv:
    """A ``LearnerEnv`` some of whose rules are fixed: they may be given, but with no other value.

    Raises:
        ValueError: naming the field that is fixed, and as what; and see ``LearnerEnv``.
    """
    env = LearnerEnv(**_add_fixed(fixed, options))
    _check_fixed(fixed, env.rules)
    return env


def make_learners(num_envs: int = 1, *, fixed: Mapping[str, Any], **options: Any) -> SteamVectorEnv:
    """A ``SteamVectorEnv`` some of whose rules are fixed, see ``make_learner``.

    Raises:
        ValueError: naming the field that is fixed, and as what; and see ``SteamVectorEnv``.
    """
    envs = SteamVectorEnv(num_envs, **_add_fixed(fixed, options))
    _check_fixed(fixed, envs.rules)
    return envs


def _add_fixed(fixed: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    return dict(options) if options.get("rules") is not None else {**fixed, **options}


def _check_fixed(fixed: Mapping[str, Any], rules: Any) -> None:
    for name, value in fixed.items():
        given = getattr(rules, name)
        if given != value:
            raise ValueError(f"{name}={given!r}: only {value!r} is allowed here")
