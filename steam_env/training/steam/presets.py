"""The configurations that training runs begin from, by name."""

from dataclasses import replace

from steam_env.agents.steam_advised import AdvisedConfig
from steam_env.agents.steam_network import NetworkConfig
from steam_env.training.config import TrainConfig

STANDARD = TrainConfig(game="steam", tables=("league", "thrifty"), network=NetworkConfig())
MAGNATE = replace(  # three to five seats, on the maps that they are for; greedy's advice is what it begins with
    STANDARD,
    tables=(
        "greedy+greedy=4",
        "greedy+greedy+greedy=3",
        "greedy+greedy+greedy@rhineland=1",
        "greedy+greedy+greedy+greedy@rhineland=3",
        "league+greedy",
        "league+greedy+any",
        "greedy+any+league+thrifty",
        "league+greedy+any+greedy@rhineland",
        "league+greedy+greedy+any+greedy@rhineland",
        "greedy+greedy@mini=0.5",
        "greedy+greedy+greedy@mini=0.5",
    ),
    decisions=8_000_000,
    games=1024,
    steps=32,
    batch_size=2048,
    learning_rate=5e-4,
    gae_lambda=0.97,
    entropy=0.003,
    win=0.8,
    margin=0.012,
    past_every=20,
    evaluate_every=10,
    evaluate=("greedy+greedy", "greedy+greedy+greedy", "greedy+greedy+greedy+greedy@rhineland"),
    network=AdvisedConfig(),
)
PRESETS = {
    "quick": replace(STANDARD, decisions=300_000, games=512),
    "standard": STANDARD,
    "magnate": MAGNATE,
}
