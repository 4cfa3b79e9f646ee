"""The configurations that training runs begin from, by name."""

from dataclasses import replace

from steam_env.agents.advised import AdvisedConfig
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
DUEL = replace(  # with two seats, against a population
    STRONG,
    tables=(
        "league=3",
        "league+any=2",
        "greedy=1",
        "greedy+any=3",
        "greedy:v0=0.5",
        "planner=0.3",
        "planner+any=0.3",
        "automa:very_hard=3",
        "automa:hard=1",
        "automa:normal=0.5",
        "random=0.4",
    ),
    midgame=0.3,
    stand_ins=("greedy+any=3", "greedy:v0+any=1", "random=0.4"),
    teacher=NOBODY,  # greedy's advice is what it begins with
    entropy=0.02,
    decisions=24_000_000,
    late_cost=0.01,
    past_every=15,
    past_most=12,
    evaluate_every=25,
    evaluate=("greedy", "greedy+any", "planner", "automa:hard", "automa:very_hard"),
    network=AdvisedConfig(),
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
            "greedy+automa:normal=4",
            "greedy+greedy+any=2",
            "league+greedy+any=1.5",
            "league+any+automa:normal=1.5",
            "greedy+any+greedy+automa:normal=1.5",
            "league+any+automa:normal+automa:normal",
            "greedy+any+greedy+greedy=0.5",
            "greedy+any+greedy+automa:normal+automa:normal",
            "greedy+any+greedy+greedy+greedy=0.5",
        ),
        late_round=20,
        evaluate=("greedy+greedy", "greedy+automa:normal", "greedy+greedy+greedy", "greedy+greedy+greedy+greedy"),
    ),
    "nomad": replace(  # on maps that are all different, with two to five seats
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
    ),
}
