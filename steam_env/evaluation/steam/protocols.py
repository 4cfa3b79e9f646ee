"""The frozen protocols of Steam (2009)."""

from steam_env.core.steam.state import SEAT_COUNTS
from steam_env.evaluation.protocol import Protocol, Row

AGENTS = ("random", "thrifty", "greedy")
RHINELAND = (("map", "rhineland"),)  # the map for five seats, and a second one for four
LAKES_SEATS, LARGE_SEATS = SEAT_COUNTS[:2], SEAT_COUNTS[1:]

STEAM_V1 = Protocol(
    name="steam-v1",
    track="policy",
    rows=(
        *(Row((name,) * (seats - 1), 600) for name in AGENTS for seats in LAKES_SEATS),
        *(Row((name,) * (seats - 1), 600, RHINELAND) for name in AGENTS for seats in LARGE_SEATS),
    ),
    seed=1911,  # not the default of evaluate.py: nobody tunes an agent on these deals by accident
    rules=(
        ("map", "great_lakes"),
        ("tiles", "box"),
        ("income_max", 10),
        ("towns_twice", False),
        ("first_player", "random"),
        ("turns", None),
        ("bankruptcy", "out"),
    ),
    game="steam",
    games_hashed=12,
)
