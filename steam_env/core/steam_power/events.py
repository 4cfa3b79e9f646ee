"""The event trace: what happened in a step, for logs, replays and ``info``; off unless asked for."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.work import MAX_EVENTS

# kind -> names of its values (integers; NONE where one does not apply)
EVENT_FIELDS = {
    "money": ("amount",),
    "start": ("city", "edge"),
    "place": ("hex", "entry", "exit", "cost", "crossing"),
    "remove": ("hex", "entry", "exit"),
    "replace": ("hex", "entry", "exit", "old_exit"),
    "complete": ("from_city", "to_city"),
    "build": ("city", "resources"),
    "fulfil": ("contract",),
    "source": ("city", "paid_to", "cost"),
    "purchase": ("color", "cost"),
    "hop": ("from_group", "to_group", "paid_to", "cost"),
    "flip": ("city",),
    "reward": ("contract", "money", "vp"),
    "draw": ("contract",),
    "take": ("contract", "from_seat"),
    "decline": ("contract",),
    "round": ("number",),
    "end": ("truncated",),
    "reshuffle": ("contracts",),
    "stack": ("contract",),  # after a reshuffle: the new deck, next draw first
    "automa": ("corner", "color"),
    "reveal": ("contract",),  # drawn by an Automa, for all to see
    "no_contract": (),
    "assess": ("contract", "least_cost", "money"),  # NONE: no complete link
    "choose_source": ("color", "city", "cost", "candidates", "why"),
    "choose_hop": ("to_group", "ways", "paid_to", "owners"),  # where there is a choice
    "act": ("contract", "icon"),
    "instead": ("failed", "then"),  # icons; NONE: $3
    "discard": ("contract",),
    "base": ("city", "candidates"),
    "present": ("white", "black", "orange", "gray"),
    "no_target": ("color", "rule", "candidates"),
    "unreachable": ("city", "tiles"),
    "target": ("color", "rule", "city", "candidates", "why"),
    "path": ("tiles", "cost", "stops", "why"),
    "path_hex": ("hex", "cost"),  # the path in order, one by one; NONE for a city
    "no_track": ("why",),
    "not_laid": ("hex", "cost", "why"),
    "coins": ("tiles",),
    "clear_coins": ("tiles", "mover"),
    "choose_city": ("city", "present", "distance", "in_aen", "why"),
    "no_city": ("why",),
    "compensation": ("amount", "why"),
    "train": (),
    "bag": ("company",),  # after a refill: the trains in the bag, next draw first
    "aside": ("contract",),
}
EVENT_KINDS = tuple(EVENT_FIELDS)
(
    MONEY_TAKEN,
    LINK_STARTED,
    TILE_PLACED,
    TILE_REMOVED,
    TILE_REPLACED,
    LINK_COMPLETED,
    FACTORY_BUILT,
    CONTRACT_BEGUN,
    RESOURCE_TAKEN,
    RESOURCE_PURCHASED,
    RESOURCE_CARRIED,
    CITY_FLIPPED,
    REWARD_GAINED,
    CONTRACT_DRAWN,
    CONTRACT_TAKEN,
    BONUS_DECLINED,
    ROUND_BEGUN,
    GAME_ENDED,
    DECK_RESHUFFLED,
    CONTRACT_STACKED,
    AUTOMA_TURN,
    CONTRACT_REVEALED,
    NO_CONTRACT_LEFT,
    CONTRACT_ASSESSED,
    SOURCE_CHOSEN,
    HOP_CHOSEN,
    AUTOMA_ACTS,
    ACTS_INSTEAD,
    CONTRACT_DISCARDED,
    BASE_CHOSEN,
    RESOURCES_COUNTED,
    TARGET_LACKING,
    TARGET_UNREACHABLE,
    TARGET_CHOSEN,
    PATH_CHOSEN,
    PATH_HEX,
    TRACK_LACKING,
    TILE_NOT_LAID,
    COINS_REMAIN,
    COINS_CLEARED,
    CITY_CHOSEN,
    CITY_LACKING,
    COMPENSATION_GAINED,
    TRAIN_DRAWN,
    TRAIN_BAGGED,
    CONTRACT_SET_ASIDE,
) = range(len(EVENT_KINDS))

# What decided for one of an Automa's candidates: the last criterion that was needed (rules 8.6, 8.10 to 8.14).
CRITERIA = (
    "only",  # there was one candidate
    "only_in_reach",  # of several one could be reached
    "cheapest",
    "own",
    "fewest_left",
    "most_left",
    "nearest",
    "least_present",
    "lowest_cost",
    "most_stops",
    "marker",
)
(
    BY_ONLY,
    BY_REACH,
    BY_CHEAPEST,
    BY_OWN,
    BY_FEWEST_LEFT,
    BY_MOST_LEFT,
    BY_NEAREST,
    BY_LEAST_PRESENT,
    BY_LOWEST_COST,
    BY_MOST_STOPS,
    BY_MARKER,
) = range(len(CRITERIA))

# Why an Automa cannot do something (rules 8.7 to 8.14).
OBSTACLES = (
    "money",
    "train",
    "illegal",  # a tile of its coin path that is not legal any more
    "start",  # no city of the colour in the marker's corner
    "colors",  # the contract has no further colour
    "target",  # no colour yields a target
    "factory",  # none in reserve
    "city",
    "contracts",  # a bonus that Automas never take
    "bonus_track",
    "bonus_factory",
)
(
    LACKS_MONEY,
    LACKS_TRAIN,
    NOT_LEGAL,
    LACKS_START,
    LACKS_COLORS,
    LACKS_TARGET,
    LACKS_FACTORY,
    LACKS_CITY,
    TAKES_NO_CONTRACTS,
    LAID_NO_TRACK,
    BUILT_NO_FACTORY,
) = range(len(OBSTACLES))


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
    event[:] = NONE
    event[0] = kind
    event[1] = actor
    event[2] = first
    event[3] = second
    event[4] = third
    event[5] = fourth
    event[6] = fifth
    work.num_events += 1
