"""Rule 5: building factories."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import FACTORY_BUILT, emit
from steam_env.core.steam_power.network import is_connected
from steam_env.core.steam_power.reasons import (
    HAD_FACTORY,
    NO_FACTORY,
    NO_LINK_HERE,
    NO_RESOURCES,
    NO_SUCH_CITY,
    OK,
    PURPLE_CITY,
    STOCK_TOO_SMALL,
)
from steam_env.core.steam_power.state import FACTORY_RESOURCES, FACTORY_RESOURCES_TWO_SEATS, FINAL, MULTIPLAYER, PURPLE


@kernel
def usual_resources(game: np.record) -> int:
    """How many resources a new factory brings (rules 5.2, 9.1, 10)."""
    if game.num_seats == 2 and game.edition == FINAL and game.mode == MULTIPLAYER:
        return FACTORY_RESOURCES_TWO_SEATS
    return FACTORY_RESOURCES


@kernel
def build_problem(game: np.record, board: np.record, seat: int, city: int) -> int:
    """Why the seat may not build a factory in the city, ``OK`` if it may (rule 5.1)."""
    if city >= board.num_cities:
        return NO_SUCH_CITY
    if game.factories[seat] <= 0:
        return NO_FACTORY
    if game.color[city] == PURPLE:
        return PURPLE_CITY
    if game.owner[city] != NONE:
        return HAD_FACTORY
    if not is_connected(game, board, city):
        return NO_LINK_HERE
    if game.stock[game.color[city]] <= 0:
        return NO_RESOURCES
    return OK


@kernel
def amount_problem(game: np.record, amount: int) -> int:
    """Why the bonus factory may not bring so many resources, ``OK`` if it may (rule 5.2)."""
    return OK if amount <= game.stock[game.color[game.build_city]] else STOCK_TOO_SMALL


@kernel
def build_factory(game: np.record, work: np.record, seat: int, city: int, amount: int) -> None:
    """Place a factory with ``amount`` resources, or with what the stock has left (rule 5.2)."""
    color = game.color[city]
    placed = min(int(amount), int(game.stock[color]))
    game.stock[color] -= placed
    game.factories[seat] -= 1
    game.owner[city] = seat
    game.resources[city] = placed
    emit(work, FACTORY_BUILT, seat, city, placed)
