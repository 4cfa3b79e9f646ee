"""Rule 4: set-up. The deal draws cubes for the cities and the Goods Supply, and the first seat."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.rng import draw_below, seed_stream
from steam_env.core.steam.auction import open_auction
from steam_env.core.steam.state import (
    BAG,
    DEAL_STREAM,
    GAME,
    GROWTH_MARKERS,
    NEW_CITIES,
    NUM_COLORS,
    NUM_SPACES,
    NUM_STREAMS,
)
from steam_env.core.steam.turn import begin_turn

FROM_RANDOM, FROM_AUCTION = range(2)  # how the first order track is made (rules 4.4, 15.2)


def blank_game(board: np.record, num_seats: int, num_turns: int, income_max: int) -> np.ndarray:
    """An array of one ``GAME`` with its configuration set and an empty table; every index field is NONE."""
    games = np.zeros(1, GAME)
    for name in (
        *("hex", "stop", "color", "next_stop", "opener", "bid", "bidder", "order", "route_stop", "route_owner"),
        *("city_color", "pattern", "link_owner", "link_from", "link_to", "link_head"),
    ):
        games[name] = NONE
    games["num_seats"], games["num_turns"], games["income_max"] = num_seats, num_turns, income_max
    games["city_color"] = board.stop_color
    games["stock"] = board.tiles
    games["new_cities"] = NEW_CITIES
    games["markers"] = GROWTH_MARKERS
    games["bag"] = np.array(BAG) - board.given.sum(0) - board.space_given.sum(0)
    games["cubes"], games["supply"] = board.given, board.space_given
    games["level"][:, :num_seats] = 1
    games["round_number"] = 1
    return games


@kernel
def draw_cube(game: np.record) -> int:
    """Draw a cube out of the bag, each with the same chance; returns its colour."""
    left = 0
    for color in range(NUM_COLORS):
        left += int(game.bag[color])
    drawn = draw_below(game.rng[DEAL_STREAM], left)
    color = 0
    while drawn >= game.bag[color]:
        drawn -= int(game.bag[color])
        color += 1
    game.bag[color] -= 1
    return color


@kernel
def draw_cubes(game: np.record, board: np.record, cities: bool, spaces: bool) -> None:
    """Draw the cubes of the cities in map order, then of the spaces in order (rule 4.2)."""
    if cities:
        for stop in range(board.num_stops):
            for _ in range(board.drawn[stop]):
                game.cubes[stop, draw_cube(game)] += 1
    if spaces:
        for space in range(NUM_SPACES):
            for _ in range(board.space_drawn[space]):
                game.supply[space, draw_cube(game)] += 1


@kernel
def open_game(game: np.record, work: np.record, first: int, start: int) -> None:
    """Begin with this seat: it is first on the order track, or opens the auction (rules 4.4, 15.2)."""
    if start == FROM_AUCTION:
        open_auction(game, first)
        return
    for place in range(game.num_seats):
        seat = (first + place) % int(game.num_seats)
        game.order[place] = seat
        game.money[seat] += place
    begin_turn(game, work, 1)


@kernel
def end_dealing(game: np.record) -> None:
    """Forget the random stream: nothing is random any more."""
    game.rng[:] = 0


@kernel
def deal_game(game: np.record, board: np.record, work: np.record, fixed_first: int, start: int, seed: int) -> None:
    """Set up a blank game by chance; ``fixed_first`` is the first seat, or NONE for a random one."""
    for stream in range(NUM_STREAMS):
        seed_stream(game.rng[stream], seed, stream)
    draw_cubes(game, board, True, True)
    first = draw_below(game.rng[DEAL_STREAM], int(game.num_seats))
    end_dealing(game)
    open_game(game, work, first if fixed_first == NONE else fixed_first, start)


@kernel
def deal_games(
    games: np.ndarray,
    boards: np.ndarray,
    works: np.ndarray,
    fixed_first: int,
    start: int,
    seeds: np.ndarray,
    where: np.ndarray,
) -> None:
    """Set up every game whose ``where`` flag is set; those records must be blank."""
    for index in range(games.shape[0]):
        if where[index]:
            deal_game(games[index], boards[0], works[0], fixed_first, start, seeds[index])


@kernel
def draw_left_out(
    games: np.ndarray, boards: np.ndarray, works: np.ndarray, cities: bool, spaces: bool, seed: int
) -> None:
    """Draw what a scenario leaves out: the cubes of the cities, those of the spaces, or both."""
    seed_stream(games[0].rng[DEAL_STREAM], seed, DEAL_STREAM)
    draw_cubes(games[0], boards[0], cities, spaces)


@kernel
def draw_first_seat(games: np.ndarray) -> int:
    """Draw the seat that is first, out of the stream that ``draw_left_out`` has begun."""
    return draw_below(games[0].rng[DEAL_STREAM], int(games[0].num_seats))


@kernel
def open_given(games: np.ndarray, works: np.ndarray, first: int, start: int) -> None:
    """Begin a game whose cubes lie there, with this seat."""
    end_dealing(games[0])
    open_game(games[0], works[0], first, start)
