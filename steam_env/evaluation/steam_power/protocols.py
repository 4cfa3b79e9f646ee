"""The frozen protocols of Steam Power."""

from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation.protocol import Protocol

V0 = Protocol(
    name="v0",
    opponents=("random", "greedy", *AUTOMA_NAMES),
    games=1000,
    seed=1829,  # not the default of evaluate.py: nobody tunes an agent on these deals by accident
    rules=(
        ("map", "midwest"),
        ("contracts", "standard"),
        ("contracts_to_end", None),
        ("edition", "final"),
        ("routing", "any"),
        ("first_player", "random"),
        ("max_rounds", 100),
    ),
    game="steam_power",
    games_hashed=20,
)
