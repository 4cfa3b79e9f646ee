"""Which actions are legal: the mask of a decision, and the reason why one action is not."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.jit import kernel
from steam_env.core.steam.action_tiles import take_problem
from steam_env.core.steam.actions import (
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    HOP_TO,
    IMPROVE,
    LAY,
    OVER_LINK,
    OWN_OFFSET,
    PASS,
    PASSED_TILES,
    RAISE_BID,
    RESERVED,
    SPACE_OF,
    TAKE_PASS,
    TAKE_TILE,
    TO_INCOME,
    TO_VP,
    UNOWNED_OFFSET,
    URBANIZE,
)
from steam_env.core.steam.auction import bid_problem
from steam_env.core.steam.goods import (
    cube_problem,
    from_problem,
    hop_problem,
    improve_problem,
    income_problem,
    over_problem,
)
from steam_env.core.steam.growth import (
    grow_problem,
    must_carry_out,
    new_city_problem,
    space_problem,
    urbanize_problem,
)
from steam_env.core.steam.reasons import (
    GAME_OVER,
    MUST_CARRY_OUT,
    NO_PLACEMENT_LEFT,
    NO_SUCH_HEX,
    NO_SUCH_SEAT,
    OK,
    OTHER_DECISION,
    RESERVED_ACTION,
)
from steam_env.core.steam.routes import class_after, find_movable, set_route, survey_links
from steam_env.core.steam.sites import mask_patterns, mask_sites
from steam_env.core.steam.state import (
    BID,
    BUILD,
    COLOUR,
    CUBE,
    END,
    GOODS,
    HOP,
    NUM_COLORS,
    NUM_SPACES,
    NUM_TILES,
    OVER,
    SCORE,
    SPACE,
    TAKE,
    TILE,
    UNOWNED_CLASS,
)
from steam_env.core.steam.track import hex_problem, look_around, placement_problem

# --- the mask -----------------------------------------------------------------------------------------


@kernel
def mask_tiles(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the action tiles that may be taken (rule 6)."""
    seat = int(game.seat)
    for tile in range(1, NUM_TILES + 1):
        mask[TAKE_TILE + tile - 1] = take_problem(game, board, work, seat, tile, False) == OK
    for index in range(len(PASSED_TILES)):
        mask[TAKE_PASS + index] = take_problem(game, board, work, seat, PASSED_TILES[index], True) == OK


@kernel
def mask_track_turn(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag what may be done in a track turn (rules 8.1, 8.14)."""
    seat = int(game.seat)
    if game.placements_left > 0:
        mask_sites(game, board, work, mask)
    if game.to_do[seat]:
        for stop in range(board.num_stops):
            mask[GROW + stop] = grow_problem(game, board, seat, stop) == OK
            mask[URBANIZE + stop] = urbanize_problem(game, board, seat, stop) == OK
    mask[PASS] = not must_carry_out(game, board, seat)


@kernel
def mask_goods(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag what may be done in a goods round (rule 9.1)."""
    seat = int(game.seat)
    mask[PASS] = True
    mask[IMPROVE] = improve_problem(game, seat) == OK
    if game.served[seat] != 0:  # a route has an own link
        survey_links(game, board, work)
        for stop in range(board.num_stops):
            mask[FROM + stop] = from_problem(game, board, work, seat, stop) == OK


@kernel
def mask_route(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the cubes, the stops or the owners with which a legal route goes on (rules 9.3 to 9.6)."""
    seat = int(game.seat)
    survey_links(game, board, work)
    if game.phase == CUBE:
        movable = find_movable(game, work, seat, int(game.route_stop[0]))
        for color in range(NUM_COLORS):
            mask[COLOUR_OF + color] = has(movable, color)
        return
    set_route(game, work)
    if game.phase == HOP:
        here = int(game.route_stop[game.hops])
        for way in range(work.degree[here]):
            stop = work.near_stop[here, way]
            mask[HOP_TO + stop] = hop_problem(game, board, work, seat, stop) == OK
        return
    for steps in range(game.num_seats):
        mask[OVER_LINK + steps] = over_problem(game, work, seat, class_after(game, seat, steps)) == OK
    mask[OVER_LINK + UNOWNED_OFFSET] = over_problem(game, work, seat, UNOWNED_CLASS) == OK


@kernel
def write_mask(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the legal actions of the mover, (660,); after the end only `pass`, so that no row is empty."""
    mask[:] = False
    phase = game.phase
    if phase == BUILD:
        mask_track_turn(game, board, work, mask)
    elif phase == TILE:
        mask_patterns(game, board, work, mask)
    elif phase == GOODS:
        mask_goods(game, board, work, mask)
    elif phase in (CUBE, HOP, OVER):
        mask_route(game, board, work, mask)
    elif phase == SCORE:
        mask[TO_INCOME] = income_problem(game, int(game.seat)) == OK
        mask[TO_VP] = True
    elif phase == TAKE:
        mask_tiles(game, board, work, mask)
    elif phase == COLOUR:
        for color in range(NUM_COLORS):
            mask[COLOUR_OF + color] = new_city_problem(game, color) == OK
    elif phase == SPACE:
        for space in range(NUM_SPACES):
            mask[SPACE_OF + space] = space_problem(game, space) == OK
    elif phase == BID:
        mask[PASS] = True
        mask[RAISE_BID] = bid_problem(game, work, int(game.seat)) == OK
    else:
        mask[PASS] = True


@kernel
def only_pass(game: np.record, mask: np.ndarray) -> bool:
    """Whether to be done, or to pass in phase 3, is all that is left, so that there is no decision (rule 14.1)."""
    if game.phase != BUILD and game.phase != GOODS:
        return False
    for action in range(mask.shape[0]):
        if mask[action] and action != PASS:
            return False
    return bool(mask[PASS])


# --- the reason -------------------------------------------------------------------------------------------


@kernel
def find_problem(game: np.record, board: np.record, work: np.record, action: int) -> int:
    """The reason code why the action is illegal now, ``OK`` if it is legal."""
    if game.phase == END:
        return GAME_OVER
    seat = int(game.seat)
    if action >= RESERVED:
        return RESERVED_ACTION
    if action < PASS:
        if game.phase != TAKE:
            return OTHER_DECISION
        if action < TAKE_PASS:
            return take_problem(game, board, work, seat, action - TAKE_TILE + 1, False)
        return take_problem(game, board, work, seat, PASSED_TILES[action - TAKE_PASS], True)
    if action == PASS:
        return find_pass_problem(game, board, seat)
    if action == IMPROVE:
        return improve_problem(game, seat) if game.phase == GOODS else OTHER_DECISION
    if action in (TO_INCOME, TO_VP):
        if game.phase != SCORE:
            return OTHER_DECISION
        return income_problem(game, seat) if action == TO_INCOME else OK
    if action == RAISE_BID:
        return bid_problem(game, work, seat) if game.phase == BID else OTHER_DECISION
    if action < FROM and not COLOUR_OF <= action < SPACE_OF:
        return find_track_problem(game, board, work, seat, action)
    return find_goods_problem(game, board, work, seat, action)


@kernel
def find_pass_problem(game: np.record, board: np.record, seat: int) -> int:
    """The reason code why `pass` is illegal now."""
    if game.phase == BUILD:
        return MUST_CARRY_OUT if must_carry_out(game, board, seat) else OK
    return OK if game.phase == GOODS or game.phase == BID else OTHER_DECISION


@kernel
def find_track_problem(game: np.record, board: np.record, work: np.record, seat: int, action: int) -> int:
    """The reason code of `build`, `tile`, `grow`, `urbanize` and `space`."""
    if action < LAY or GROW <= action < COLOUR_OF:
        if game.phase != BUILD:
            return OTHER_DECISION
        if action >= URBANIZE:
            return urbanize_problem(game, board, seat, action - URBANIZE)
        if action >= GROW:
            return grow_problem(game, board, seat, action - GROW)
        if action - BUILD_ON >= board.num_hexes:
            return NO_SUCH_HEX
        if game.placements_left <= 0:
            return NO_PLACEMENT_LEFT
        return hex_problem(game, board, work, seat, action - BUILD_ON)
    if action < GROW:
        if game.phase != TILE:
            return OTHER_DECISION
        look_around(game, board, work, seat, int(game.hex))
        return placement_problem(game, board, work, seat, int(game.hex), action - LAY)
    return space_problem(game, action - SPACE_OF) if game.phase == SPACE else OTHER_DECISION


@kernel
def find_goods_problem(game: np.record, board: np.record, work: np.record, seat: int, action: int) -> int:
    """The reason code of `colour`, `from`, `hop` and `over`."""
    survey_links(game, board, work)
    if action < FROM:
        if game.phase == COLOUR:
            return new_city_problem(game, action - COLOUR_OF)
        return cube_problem(game, work, seat, action - COLOUR_OF) if game.phase == CUBE else OTHER_DECISION
    if action < HOP_TO:
        return from_problem(game, board, work, seat, action - FROM) if game.phase == GOODS else OTHER_DECISION
    if game.phase != (HOP if action < OVER_LINK else OVER):
        return OTHER_DECISION
    set_route(game, work)
    if action < OVER_LINK:
        return hop_problem(game, board, work, seat, action - HOP_TO)
    steps = action - OVER_LINK
    if steps == UNOWNED_OFFSET:
        return over_problem(game, work, seat, UNOWNED_CLASS)
    if steps - OWN_OFFSET >= game.num_seats:
        return NO_SUCH_SEAT
    return over_problem(game, work, seat, class_after(game, seat, steps))
