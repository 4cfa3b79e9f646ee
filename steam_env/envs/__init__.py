"""Environments: thin adapters of the games for the interfaces of the field. They know no rules.

Importing this package, and so ``import steam_env``, registers the Gymnasium environments.
"""

import gymnasium

ENTRY_POINTS = {
    "SteamPower-v0": "steam_env.envs.single:SteamPowerEnv",
    "SteamPowerSolo-v0": "steam_env.envs.single:SteamPowerSoloEnv",
}


def register_environments() -> None:
    """Make ``gymnasium.make`` know the ids of ``ENTRY_POINTS``; those that it knows already stay as they are."""
    for name, entry_point in ENTRY_POINTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point, nondeterministic=False)


register_environments()
