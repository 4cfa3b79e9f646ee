"""The frozen protocols of Steam Power."""

from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation.protocol import POLICY, SEARCH, Protocol, Row

AGENTS = ("greedy", "planner")  # opponents that look ahead; of each there are matches at every number of seats
NORMAL = "automa:normal"
USUAL = (  # rules
    ("map", "midwest"),
    ("contracts", "standard"),
    ("contracts_to_end", None),
    ("edition", "final"),
    ("routing", "any"),
    ("first_player", "random"),
    ("max_rounds", 100),
)
ALPS = (("map", "alps"),)  # a second map: who has learnt one map alone is seen

SETS = {"gen-v1:train": 400, "gen-v1:test": 400, "gen-v1:ood": 200, "gen-v1:hand": 204}  # games of two players on each
SEED = 1830  # not the default of evaluate.py: nobody tunes an agent on these deals by accident

V1 = Protocol(
    name="v1",
    track=POLICY,
    rows=(
        # Two seats: everybody, with intervals of 3 points to either side.
        *(Row((name,), 1000) for name in ("random", *AGENTS, *AUTOMA_NAMES)),
        # More seats: one kind of agent on all others, and a table with an Automa.
        *(Row((name,) * others, 600) for name in AGENTS for others in (2, 3, 4)),
        *(Row((*("greedy",) * players, NORMAL), 600) for players in (1, 2, 3)),
        # The other map: the fewest and the most that the time allows.
        *(Row((name,), 600, ALPS) for name in (*AGENTS, NORMAL)),
        Row(("greedy",) * 3, 600, ALPS),
    ),
    seed=SEED,
    rules=USUAL,
    game="steam_power",
    games_hashed=12,
)

V1_SEARCH = Protocol(
    name="v1-search",
    track=SEARCH,
    rows=(  # fewer games, as each takes long: the first deals of v1, so both tracks can be compared deal by deal
        *(Row((name,), 200) for name in (*AGENTS, *AUTOMA_NAMES[-2:])),
        *(Row(("greedy",) * others, games) for others, games in ((2, 150), (3, 200), (4, 200))),
        Row(("greedy", NORMAL), 200),
        Row(("greedy",), 100, ALPS),
    ),
    seed=SEED,
    rules=USUAL,
    game="steam_power",
    games_hashed=12,
)


def _play_on(maps: str, *opponents: str, games: int) -> Row:
    return Row(opponents, games, (("map", maps), ("contracts", maps)))


GEN_V1 = Protocol(
    name="gen-v1",
    track="any map",
    rows=(
        *(_play_on(maps, "greedy", games=games) for maps, games in SETS.items()),
        *(_play_on(maps, NORMAL, games=games // 2) for maps, games in SETS.items()),  # one player: a game for each deal
        # More seats, each map once.
        *(_play_on("gen-v1:test", *("greedy",) * others, games=200 * (1 + others)) for others in (2, 3, 4)),
        *(_play_on("gen-v1:ood", *("greedy",) * others, games=100 * (1 + others)) for others in (2, 4)),
    ),
    seed=2130,
    rules=USUAL,
    game="steam_power",
    games_hashed=6,
    learnt="gen-v1:train",
)
