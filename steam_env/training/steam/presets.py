"""The configurations that training runs begin from, by name."""

from dataclasses import replace

from steam_env.agents.steam_advised import AdvisedConfig
from steam_env.agents.steam_network import NetworkConfig
from steam_env.training.config import TrainConfig

STANDARD = TrainConfig(game="steam", tables=("league", "thrifty"), network=NetworkConfig())
MAGNATE = replace(  # three to five seats, on the maps that they are for; greedy's advice is what it begins with
    STANDARD,
    tables=(
        "greedy+greedy=3",
        "greedy+greedy+greedy=3",
        "greedy+greedy+greedy+greedy@rhineland=3",
        "greedy+greedy+greedy@rhineland",
        "greedy+greedy+greedy@mini=0.5",
        "league+greedy+any=1.5",
        "league+greedy+any+greedy",
        "league+greedy+any+greedy+thrifty@rhineland",
    ),
    decisions=2_000_000,
    games=256,
    batch_size=1024,
    learning_rate=6e-4,
    gae_lambda=0.97,
    entropy=0.01,
    win=0.6,
    margin=0.02,
    past_every=20,
    evaluate_every=15,
    evaluate_deals=40,
    evaluate=("greedy+greedy", "greedy+greedy+greedy", "greedy+greedy+greedy+greedy@rhineland"),
    network=AdvisedConfig(),
)
PRESETS = {
    "quick": replace(STANDARD, decisions=300_000, games=512),
    "standard": STANDARD,
    "magnate": MAGNATE,
}
