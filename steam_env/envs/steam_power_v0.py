"""Steam Power as a PettingZoo AEC environment: ``steam_power_v0.env(num_players=3, reward="margin")``.

``env`` is what to use, ``raw_env`` the same without the check that ``reset`` comes first. There is no
``parallel_env``: the seats move one after the other. The page ``docs/environments/steam_power_v0.md`` describes both.
"""

from steam_env.envs.aec import SteamPowerAEC as raw_env  # noqa: N813 - PettingZoo's own names
from steam_env.envs.aec import make_env as env

__all__ = ["env", "raw_env"]
