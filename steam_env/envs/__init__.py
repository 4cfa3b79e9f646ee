"""Environments: thin adapters of the games for the interfaces of the field. They know no rules.

Importing this package, and so ``import steam_env``, registers the Gymnasium environments.
"""

import gymnasium

ENTRY_POINTS = {
    "SteamPower-v0": "steam_env.envs.single:SteamPowerEnv",
    "SteamPowerSolo-v0": "steam_env.envs.single:SteamPowerSoloEnv",
}
VECTOR_ENTRY_POINTS = {
    "SteamPower-v0": "steam_env.envs.vector:SteamVectorEnv",
    "SteamPowerSolo-v0": "steam_env.envs.vector:SteamSoloVectorEnv",
}


def register_environments() -> None:
    """Make ``gymnasium.make`` and ``make_vec`` know the ids; those that they know already stay as they are."""
    for name, entry_point in ENTRY_POINTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point, nondeterministic=False, vector_entry_point=VECTOR_ENTRY_POINTS[name])


register_environments()
