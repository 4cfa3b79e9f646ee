"""steam_env: an environment for reinforcement learning on Martin Wallace's railway game Steam Power.

``Game`` is one game, ``GameBatch`` many in step, ``Rules`` what both are configured with;
``steam_power_v0`` is the PettingZoo environment. Importing the package registers ``SteamPower-v0`` and
``SteamPowerSolo-v0`` with Gymnasium.
"""

from steam_env.batch import GameBatch
from steam_env.envs import steam_power_v0
from steam_env.errors import IllegalActionError, SaveError, ScenarioError
from steam_env.events import Event
from steam_env.game import Game
from steam_env.rules import Rules
from steam_env.version import __version__
from steam_env.view import View

__all__ = [
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
]
