"""The configurations that training runs begin from, by name."""

from dataclasses import replace

from steam_env.agents.steam_advised import AdvisedConfig
from steam_env.agents.steam_network import NetworkConfig
from steam_env.training.config import TrainConfig

STANDARD = TrainConfig(game="steam", tables=("league", "thrifty"), network=NetworkConfig())
MAGNATE = replace(  # three to five seats, on the maps that they are for; greedy's advice is what it begins with
    STANDARD,
    tables=(
        "greedy+greedy=2",
        "greedy+greedy@rhineland=0.7",
        "greedy+greedy+greedy=2",
        "greedy+greedy+greedy@rhineland=3.5",
        "greedy+greedy+greedy+greedy@rhineland=3.5",
        "league+greedy=0.4",
        "league+greedy+league+league@rhineland=0.4",
        "greedy+greedy+any@mini=0.4",
    ),
    decisions=2_600_000,
    games=1024,  # many games and short rollouts: what is around a step costs the same for few games as for many
    steps=16,
    batch_size=2048,
    epochs=3,
    learning_rate=5e-4,
    gae_lambda=0.97,
    entropy=0.006,
    win=0.6,
    past_every=8,
    evaluate_every=15,
    evaluate_deals=40,
    evaluate=(
        "greedy+greedy",
        "greedy+greedy+greedy",
        "greedy+greedy+greedy@rhineland",
        "greedy+greedy+greedy+greedy@rhineland",
    ),
    network=AdvisedConfig(),
)
PRESETS = {
    "quick": replace(STANDARD, decisions=300_000, games=512),
    "standard": STANDARD,
    "magnate": MAGNATE,
}
