"""The event trace: what happened in a step, for logs, replays and ``info``; off unless asked for."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.work import MAX_EVENTS

# kind -> names of its values (integers; NONE where one does not apply)
EVENT_FIELDS = {
    "turn": ("number",),
    "bid": ("amount",),
    "withdraw": (),
    "place": ("number", "price"),
    "take": ("tile", "passed", "cost"),
    "raise": ("steps", "income", "vp"),  # $5 each; income and VP afterwards
    "engine": ("level",),  # by the action tile
    "lay": ("hex", "before", "pattern", "what", "cost"),
    "link": ("from_stop", "to_stop"),  # completed
    "lapse": ("stop", "hex", "edge"),  # root, last tile, open edge
    "grow": ("stop", "space"),
    "no_growth": (),
    "urbanize": ("stop", "color", "space"),
    "remove_link": ("stop", "other", "owner"),  # a link of one spur; other NONE: it led nowhere
    "claim": ("from_stop", "to_stop"),  # an unowned link that a New City completes
    "done": (),
    "improve": ("level",),
    "move": ("stop", "color"),
    "carry": ("stop", "owner"),
    "deliver": ("stop", "color"),
    "income": ("points", "income"),
    "vp": ("points", "vp"),
    "skip": (),
    "collect": ("amount",),
    "owe": ("amount", "paid"),
    "bankrupt": (),
    "end": (),
}
EVENT_KINDS = tuple(EVENT_FIELDS)
(
    TURN_BEGUN,
    BID_RAISED,
    BID_WITHDRAWN,
    PLACE_TAKEN,
    TILE_TAKEN,
    MONEY_RAISED,
    ENGINE_BOUGHT,
    TRACK_LAID,
    LINK_COMPLETED,
    LINK_LAPSED,
    CITY_GROWN,
    GROWTH_LAPSED,
    TOWN_URBANIZED,
    LINK_REMOVED,
    LINK_CLAIMED,
    TRACK_DONE,
    ENGINE_IMPROVED,
    MOVE_BEGUN,
    CUBE_CARRIED,
    CUBE_DELIVERED,
    POINTS_TO_INCOME,
    POINTS_TO_VP,
    ROUND_PASSED,
    INCOME_COLLECTED,
    DEBT_PAID,
    SEAT_BANKRUPT,
    GAME_ENDED,
) = range(len(EVENT_KINDS))


@kernel
def emit(
    work: np.record,
    kind: int,
    actor: int,
    first: int = NONE,
    second: int = NONE,
    third: int = NONE,
    fourth: int = NONE,
    fifth: int = NONE,
) -> None:
    """Write one event, if events are wanted."""
    if not work.tracing or work.num_events >= MAX_EVENTS:
        return
    event = work.events[work.num_events]
    event[0] = kind
    event[1] = actor
    event[2] = first
    event[3] = second
    event[4] = third
    event[5] = fourth
    event[6] = fifth
    work.num_events += 1
