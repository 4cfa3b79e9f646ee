"""Steam (2009) as a PettingZoo AEC environment, of the kind that PettingZoo's own modules are.

``env`` makes the environment, ``raw_env`` the same without the check that ``reset`` comes first. There is no
``parallel_env``: the seats move one after the other.
"""

from typing import Any

from steam_env.envs.aec import GameAEC, OrderEnforcing, make_env

GAME = "steam"

__all__ = ["env", "raw_env"]


def env(**options: Any) -> OrderEnforcing:
    """The environment that enforces the order of calls; options are those of ``GameAEC``, and fields of ``Rules``."""
    return make_env(game=GAME, **options)


def raw_env(**options: Any) -> GameAEC:
    """The environment by itself; options are those of ``GameAEC``, and fields of ``Rules``."""
    return GameAEC(game=GAME, **options)
