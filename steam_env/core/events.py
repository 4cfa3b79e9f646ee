"""The event trace: what happened in a step, for logs, replays and ``info``; off unless asked for."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.state import MAX_EVENTS, NONE

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
    "automa": ("corner",),
    "reveal": ("contract",),  # drawn by an Automa, for all to see
    "act": ("contract", "icon"),
    "discard": ("contract",),
    "target": ("color", "rule", "city"),
    "path": ("tiles", "cost", "stops"),
    "choose_city": ("city", "present"),
    "compensation": ("amount",),
    "clear_coins": ("coins",),
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
    AUTOMA_ACTS,
    CONTRACT_DISCARDED,
    AUTOMA_TARGETS,
    PATH_CHOSEN,
    AUTOMA_BUILDS,
    COMPENSATION_GAINED,
    COINS_CLEARED,
    TRAIN_DRAWN,
    TRAIN_BAGGED,
    CONTRACT_SET_ASIDE,
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
    event[:] = NONE
    event[0] = kind
    event[1] = actor
    event[2] = first
    event[3] = second
    event[4] = third
    event[5] = fourth
    event[6] = fifth
    work.num_events += 1
