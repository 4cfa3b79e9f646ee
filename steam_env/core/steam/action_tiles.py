"""Rule 6: taking action tiles."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam.events import ENGINE_BOUGHT, TILE_TAKEN, emit
from steam_env.core.steam.growth import can_grow_somewhere, can_urbanize_somewhere
from steam_env.core.steam.money import find_budget, pay
from steam_env.core.steam.order import find_holder
from steam_env.core.steam.reasons import CANNOT_PAY, NO_TOWN_LEFT, NOTHING_TO_GROW, OK
from steam_env.core.steam.reasons import TILE_TAKEN as IS_TAKEN
from steam_env.core.steam.state import (
    CITY_GROWTH,
    GROWTH_COST,
    LOCOMOTIVE,
    LOCOMOTIVE_COST,
    MAX_LEVEL,
    URBANIZATION,
    URBANIZATION_COST,
)


@kernel
def tile_cost(game: np.record, seat: int, tile: int, passes: bool) -> int:
    """Dollars for taking the action tile (rule 6.1); at level 6 the Locomotive costs nothing (rule 6.5)."""
    if passes:
        return 0
    if tile == CITY_GROWTH:
        return GROWTH_COST
    if tile == URBANIZATION:
        return URBANIZATION_COST
    if tile == LOCOMOTIVE and game.level[seat] < MAX_LEVEL:
        return LOCOMOTIVE_COST + int(game.level[seat]) + 1
    return 0


@kernel
def take_problem(game: np.record, board: np.record, work: np.record, seat: int, tile: int, passes: bool) -> int:
    """Why the seat may not take the action tile, ``OK`` if it may (rules 6.1 to 6.5)."""
    if tile == URBANIZATION and not can_urbanize_somewhere(game, board):
        return NO_TOWN_LEFT
    if find_holder(game, tile) >= 0:
        return IS_TAKEN
    if tile == CITY_GROWTH and not passes and not can_grow_somewhere(game, board):
        return NOTHING_TO_GROW
    work.cost = tile_cost(game, seat, tile, passes)
    return OK if work.cost <= find_budget(game, seat) else CANNOT_PAY


@kernel
def take_tile(game: np.record, work: np.record, seat: int, tile: int, passes: bool) -> None:
    """Take the action tile and pay for it (rules 6.1, 6.2)."""
    cost = tile_cost(game, seat, tile, passes)
    emit(work, TILE_TAKEN, seat, tile, 1 if passes else 0, cost)
    pay(game, work, seat, cost)
    game.tile[seat] = tile
    game.passed[seat] = 1 if passes else 0
    if tile in (CITY_GROWTH, URBANIZATION) and not passes:
        game.to_do[seat] = 1
    if tile == LOCOMOTIVE and game.level[seat] < MAX_LEVEL:
        game.level[seat] += 1
        emit(work, ENGINE_BOUGHT, seat, int(game.level[seat]))
