"""The configurations that training runs begin from, by name."""

from dataclasses import replace

from steam_env.agents.advised import AdvisedConfig
from steam_env.agents.charted import ChartedConfig
from steam_env.agents.network import NetworkConfig
from steam_env.agents.nomad import NomadConfig
from steam_env.training.config import NOBODY, TrainConfig

STANDARD = TrainConfig(
    tables=("automa:very_hard=4", "automa:hard=2", "greedy=2", "league=2"),
    teacher="greedy",
    evaluate=("greedy", "automa:normal", "automa:hard", "automa:very_hard"),
    network=NetworkConfig(),
    game="steam_power",
    rules=(("map", "midwest"), ("contracts", "standard")),
)
STRONG = replace(
    STANDARD,
    decisions=40_000_000,
    imitation=0.05,
    batch_size=4096,
    learning_rate=5e-4,
    win=0.8,
    margin=0.012,
    past_every=25,
    evaluate_every=20,
)
DUEL = replace(  # with two seats, against a population; greedy's advice is what it begins with, so nobody teaches it
    STRONG,
    tables=(
        "league=3",
        "league+any=2",
        "greedy=1",
        "greedy+any=2",
        "greedy:v0=0.3",
        "planner=0.8",
        "planner+any=0.4",
        "automa:very_hard=3",
        "automa:hard=1",
        "automa:normal=0.7",
        "random=0.2",
    ),
    midgame=0.3,
    stand_ins=("greedy+any=3", "greedy:v0+any=1", "random=0.4"),
    teacher=NOBODY,
    decisions=10_000_000,
    entropy=0.02,
    late_cost=0.01,
    past_every=15,
    past_most=12,
    evaluate_every=10,
    evaluate=("greedy", "greedy+any", "planner", "automa:hard", "automa:very_hard"),
    network=AdvisedConfig(),
)
NOMAD = replace(  # on maps that are all different, with two to five seats
    DUEL,
    tables=(
        "greedy=6",
        "greedy+any=2",
        "league=1",
        "automa:normal=1",
        "automa:hard=0.5",
        "greedy+greedy=1.5",
        "greedy+greedy+greedy=1",
        "greedy+greedy+greedy+greedy=0.8",
    ),
    midgame=0.0,
    decisions=6_000_000,
    games=1024,
    batch_size=2048,
    past_every=10,
    evaluate_every=10,
    evaluate=("greedy", "greedy+greedy"),
    held_out="gen-v1:valid",
    network=NomadConfig(),
    rules=(("map", "gen-v1:learn"), ("contracts", "gen-v1:learn")),
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
    "strong": STRONG,
    "duel": DUEL,
    "table": replace(
        DUEL,
        tables=(
            "greedy+greedy=2",
            "greedy+greedy+any",
            "league+greedy+any",
            "league+league",
            "planner+greedy=0.5",
            "planner+planner=0.4",
            "greedy+automa:normal=2",
            "league+any+automa:normal",
            "greedy+greedy+greedy=1.5",
            "league+greedy+any+greedy",
            "greedy+greedy+automa:normal",
            "greedy+greedy+greedy+greedy=1.2",
            "league+league+greedy+any+greedy=0.6",
            "greedy+greedy+greedy+automa:normal=0.8",
        ),
        late_round=20,
        evaluate=("greedy+greedy", "planner+planner", "greedy+automa:normal", "greedy+greedy+greedy+greedy"),
    ),
    "nomad": NOMAD,
    "charted": replace(NOMAD, network=ChartedConfig()),
}
