"""The frozen protocols of Steam Power."""

from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation.protocol import POLICY, SEARCH, Protocol, Row

AGENTS = ("greedy", "planner")  # opponents that look ahead; of each there are matches at every number of seats
NORMAL = "automa:normal"
ALPS = (("map", "alps"),)  # a second map: who has learnt one map alone is seen

RULES = (
    ("map", "midwest"),
    ("contracts", "standard"),
    ("contracts_to_end", None),
    ("edition", "final"),
    ("routing", "any"),
    ("first_player", "random"),
    ("max_rounds", 100),
)
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
    rules=RULES,
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
    rules=RULES,
    game="steam_power",
    games_hashed=12,
)
