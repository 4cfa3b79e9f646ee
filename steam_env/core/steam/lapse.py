"""Rules 8.9 to 8.13: links that were not extended become unowned at the end of their owner's track turn."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam.events import LINK_LAPSED, emit
from steam_env.core.steam.links import is_complete
from steam_env.core.steam.state import NOBODY


@kernel
def let_links_lapse(game: np.record, work: np.record, seat: int) -> None:
    """Take from the seat its incomplete links without a mark, and all marks away (rules 8.9, 8.10)."""
    for link in range(game.num_links):
        if game.link_owner[link] == seat and not is_complete(game, link) and not game.link_mark[link]:
            game.link_owner[link] = NOBODY
            root, last, head = int(game.link_from[link]), int(game.link_hex[link]), int(game.link_head[link])
            emit(work, LINK_LAPSED, seat, root, last, head)
        game.link_mark[link] = 0
