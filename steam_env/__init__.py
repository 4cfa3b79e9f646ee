"""steam_env: an environment for reinforcement learning on Martin Wallace's railway game Steam Power.

``Game`` is one game, ``GameBatch`` many in step, ``Rules`` what both are configured with;
``steam_power_v0`` is the PettingZoo environment. The second game, *Steam* (2009), is in ``steam_env.steam``, its
environment is ``steam_v0``. Importing the package registers ``SteamPower-v0``, ``SteamPowerSolo-v0`` and
``Steam-v0`` with Gymnasium.
"""

from steam_env import steam_power_v0, steam_v0
from steam_env.data.steam_power.rules import Rules
from steam_env.envs.registration import register_environments
from steam_env.kit.errors import AgentError, IllegalActionError, SaveError, ScenarioError
from steam_env.kit.version import __version__
from steam_env.table.batch import GameBatch
from steam_env.table.steam_power.game import Game
from steam_env.table.view import View
from steam_env.words.events import Event

__all__ = [
    "AgentError",
    "Event",
    "Game",
    "GameBatch",
    "IllegalActionError",
    "Rules",
    "SaveError",
    "ScenarioError",
    "View",
    "__version__",
    "steam_power_v0",
    "steam_v0",
]

register_environments()
