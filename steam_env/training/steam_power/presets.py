"""The configurations that training runs begin from, by name."""

from dataclasses import replace

from steam_env.agents.network import NetworkConfig
from steam_env.agents.nomad import NomadConfig
from steam_env.training.config import TrainConfig

STANDARD = TrainConfig(
    tables=("automa:very_hard=4", "automa:hard=2", "greedy=2", "league=2"),
    teacher="greedy",
    evaluate=("greedy", "automa:normal", "automa:hard", "automa:very_hard"),
    network=NetworkConfig(),
    game="steam_power",
    rules=(("map", "midwest"), ("contracts", "standard")),
)
PRESETS = {
    "quick": replace(
        STANDARD,
        tables=("league", "random"),
        teacher="none",
        decisions=300_000,
        games=512,
        past_every=4,
        evaluate_every=6,
        evaluate=("random",),
        network=NetworkConfig(width=128),
        entropy=0.01,
        learning_rate=1e-3,
    ),
    "standard": STANDARD,
    "strong": replace(
        STANDARD,
        decisions=40_000_000,
        imitation=0.05,
        batch_size=4096,
        learning_rate=5e-4,
        win=0.8,
        margin=0.012,
        past_every=25,
        evaluate_every=20,
    ),
    "nomad": replace(
        STANDARD,
        tables=(
            "league=3",
            "greedy=3",
            "automa:normal=2",
            "league+league",
            "greedy+greedy",
            "league+league+league",
            "greedy+greedy+greedy",
            "league+league+league+league",
            "greedy+greedy+greedy+greedy",
        ),
        decisions=60_000_000,
        imitation=0.1,
        games=1024,
        batch_size=1024,
        past_every=25,
        evaluate_every=20,
        evaluate=("greedy", "automa:normal", "greedy+greedy", "greedy+greedy+greedy+greedy"),
        held_out="gen-v1:valid",
        network=NomadConfig(),
        rules=(("map", "gen-v1:learn"), ("contracts", "gen-v1:learn")),
    ),
}
