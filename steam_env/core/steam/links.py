"""Rule 3: links, as the tiles on the map make them. All are traced anew whenever a tile changes.

So a link needs no history (rule 3.7): its number, its ends and its head follow from the track, only its owner and its
mark are carried over from the link that its segments were in before.
"""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import opposite
from steam_env.core.jit import kernel
from steam_env.core.steam.state import MAX_HEXES, MAX_SEATS, NOBODY
from steam_env.core.steam.tiles import CENTRE, ENDS, NUM_SEGMENTS, OTHER_END, SLOT_AT


@kernel
def is_city(game: np.record, stop: int) -> bool:
    """Whether the stop is a city, printed or new; NONE is none."""
    return stop != NONE and game.city_color[stop] != NONE


@kernel
def is_complete(game: np.record, link: int) -> bool:
    """Whether both ends of the link are stops (rule 3.1)."""
    return game.link_to[link] != NONE


@kernel
def link_at(game: np.record, hex_index: int, edge: int) -> int:
    """The link whose track on the hex uses the edge, or NONE."""
    pattern = game.pattern[hex_index]
    if pattern == NONE or SLOT_AT[pattern, edge] == NONE:
        return NONE
    return int(game.segment_link[hex_index, SLOT_AT[pattern, edge]])


@kernel
def count_complete(game: np.record, seat: int) -> int:
    """How many complete links the seat owns."""
    count = 0
    for link in range(game.num_links):
        count += 1 if game.link_owner[link] == seat and is_complete(game, link) else 0
    return count


@kernel
def begin_tracing(game: np.record, work: np.record, hex_index: int, slots: int, keeps: bool) -> None:
    """Note which segments are new: these slots of the hex; with ``keeps`` they stand for one of their link."""
    work.fresh_hex = hex_index
    work.fresh_slots = slots
    work.fresh_keeps = 1 if keeps else 0
    for link in range(game.num_links):
        work.old_owner[link] = game.link_owner[link]
        work.old_mark[link] = game.link_mark[link]


@kernel
def note_segment(game: np.record, work: np.record, hex_index: int, slot: int, link: int) -> None:
    """Put a segment into the link that is being traced."""
    work.traced[hex_index] |= bit(slot)
    is_new = hex_index == work.fresh_hex and has(work.fresh_slots, slot)
    if is_new:
        work.trace_new = 1
    if not is_new or work.fresh_keeps:
        before = game.segment_link[hex_index, slot]
        work.trace_owner = work.old_owner[before]
        work.trace_mark = work.old_mark[before]
    game.segment_link[hex_index, slot] = link


@kernel
def follow(
    game: np.record, board: np.record, work: np.record, link: int, hex_index: int, edge: int
) -> tuple[int, int, int]:
    """Go on over an edge to the end of the link: a stop, or NONE with the last hex and its open edge."""
    for _ in range(2 * MAX_HEXES):  # more segments than the longest link has
        beyond = int(board.beyond[hex_index, edge])
        if beyond == NONE:
            break
        stop = int(board.hex_stop[beyond])
        if is_city(game, stop):
            return stop, NONE, NONE
        entry = opposite(edge)
        pattern = game.pattern[beyond]
        if pattern == NONE or SLOT_AT[pattern, entry] == NONE:
            break
        note_segment(game, work, beyond, SLOT_AT[pattern, entry], link)
        edge = OTHER_END[pattern, entry]
        if edge == CENTRE:
            return stop, NONE, NONE
        hex_index = beyond
    return NONE, hex_index, edge


@kernel
def trace_link(
    game: np.record, board: np.record, work: np.record, link: int, hex_index: int, edge: int, claimer: int
) -> None:
    """Trace one link from a segment of it, both ways, and write it down; with a new segment it is the claimer's.

    A redirection (``fresh_keeps``) changes the owner only if it completes the link, and sets no mark (rules 8.5, 8.13).
    """
    work.trace_owner = NOBODY
    work.trace_mark = 0
    work.trace_new = 0
    pattern = game.pattern[hex_index]
    note_segment(game, work, hex_index, SLOT_AT[pattern, edge], link)
    stop, last, head = follow(game, board, work, link, hex_index, edge)
    other_edge = OTHER_END[pattern, edge]
    if other_edge == CENTRE:
        other = int(board.hex_stop[hex_index])
    else:
        other, other_last, other_head = follow(game, board, work, link, hex_index, other_edge)
        if other == NONE:
            last, head = other_last, other_head
    complete = stop != NONE and other != NONE
    if work.trace_new and (complete or not work.fresh_keeps):
        work.trace_owner = claimer
    if work.trace_new and not work.fresh_keeps:
        work.trace_mark = 1
    game.link_owner[link] = work.trace_owner
    game.link_from[link] = min(stop, other) if complete else max(stop, other)
    game.link_to[link] = max(stop, other) if complete else NONE
    game.link_head[link] = NONE if complete else head
    game.link_hex[link] = 0 if complete else last
    game.link_mark[link] = 0 if complete else work.trace_mark
    if complete and work.trace_owner != NOBODY:
        game.served[work.trace_owner] |= bit(min(stop, other)) | bit(max(stop, other))


@kernel
def trace_links(game: np.record, board: np.record, work: np.record, claimer: int) -> None:
    """Trace all links, in the order of their first (hex, edge), after ``begin_tracing`` and a change of tiles."""
    before = int(game.num_links)
    for seat in range(MAX_SEATS):
        game.served[seat] = 0
    for hex_index in range(board.num_hexes):
        work.traced[hex_index] = 0
    link = 0
    for hex_index in range(board.num_hexes):
        pattern = game.pattern[hex_index]
        if pattern == NONE:
            continue
        for slot in range(NUM_SEGMENTS[pattern]):  # in the order of their first edges
            if not has(work.traced[hex_index], slot):
                trace_link(game, board, work, link, hex_index, int(ENDS[pattern, slot, 0]), claimer)
                link += 1
    game.num_links = link
    for gone in range(link, before):
        erase_link(game, gone)


@kernel
def erase_link(game: np.record, link: int) -> None:
    """Make the entry as that of no link."""
    game.link_owner[link] = NOBODY
    game.link_from[link] = NONE
    game.link_to[link] = NONE
    game.link_head[link] = NONE
    game.link_hex[link] = 0
    game.link_mark[link] = 0
