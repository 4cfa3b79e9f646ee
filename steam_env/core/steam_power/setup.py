"""Rule 2: set-up. The deal draws City tiles, the deck's order and the first player."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.rng import draw_below, seed_stream, shuffle
from steam_env.core.steam_power.players import num_players
from steam_env.core.steam_power.solo import fill_bag, pop_train
from steam_env.core.steam_power.state import (
    ACTION,
    ACTIONS_PER_TURN,
    BAG_SIZE,
    DEAL_STREAM,
    EDITION_NAMES,
    FACTORIES,
    GAME,
    HAND_DEALT,
    MAX_CONTRACTS,
    MODE_NAMES,
    NUM_COLORS,
    NUM_CORNERS,
    NUM_STREAMS,
    NUM_TILE_KINDS,
    PLACE_ABSENT,
    PLACE_DECK,
    PLACE_HAND,
    PREVIEW,
    RESOURCES_PER_COLOR,
    ROUTING_NAMES,
    SOLO,
    SOLO_TRAINS_IN_BAG,
    START_MONEY,
    TILE_STOCK,
    TRAINS_FINAL,
    TRAINS_PREVIEW,
    WHITE,
)


def blank_game(
    num_seats: int,
    edition: str,
    mode: str,
    routing: str,
    contracts_to_end: int,
    max_rounds: int,
    num_automas: int = 0,
    automa_level: int = 0,
) -> np.ndarray:
    """An array of one ``GAME`` with its configuration set and an empty table; every index field is NONE."""
    games = np.zeros(1, GAME)
    for name in (
        *("bag", "tail_link", "tail_hex", "tail_entry", "tail_exit", "start_city", "start_edge", "build_city"),
        *("contract", "need", "cargo_group", "hop_group", "color", "owner", "deck_order"),
        *("slot", "corners", "marker", "track", "track_link", "link_owner", "link_start", "link_edge", "link_end"),
    ):
        games[name] = NONE
    games["place"] = PLACE_ABSENT
    games["num_seats"] = num_seats
    games["edition"] = EDITION_NAMES.index(edition)
    games["mode"] = MODE_NAMES.index(mode)
    games["routing"] = ROUTING_NAMES.index(routing)
    games["contracts_to_end"] = contracts_to_end
    games["max_rounds"] = max_rounds
    games["num_automas"] = num_automas
    games["automa_level"] = automa_level
    return games


@kernel
def trains_at_start(game: np.record) -> int:
    """How many trains each seat has (rules 2.2, 10); in solo two of each company are in the bag (rule 9.1)."""
    if game.mode == SOLO:
        return TRAINS_FINAL - SOLO_TRAINS_IN_BAG
    return TRAINS_PREVIEW if game.edition == PREVIEW else TRAINS_FINAL


@kernel
def fill_stocks(game: np.record) -> None:
    """Give out money, pieces and stocks for set-up (rules 1.5, 2.2)."""
    for seat in range(game.num_seats):
        game.trains[seat] = trains_at_start(game)
        game.factories[seat] = FACTORIES
    purses = 1 if game.mode == SOLO else int(game.num_seats)
    game.money[:purses] = START_MONEY
    # With Automas one resource of each colour lies in a corner of the map (rule 8.1).
    game.stock[:] = RESOURCES_PER_COLOR - 1 if game.num_automas > 0 else RESOURCES_PER_COLOR
    for kind in range(NUM_TILE_KINDS):
        game.tiles[kind] = TILE_STOCK[kind]


@kernel
def open_first_round(game: np.record, first_player: int) -> None:
    """Open round 1, in which the first player is to move (rule 2.3)."""
    game.first_player = first_player
    game.seat = first_player
    game.round_number = 1
    game.actions_left = ACTIONS_PER_TURN
    game.phase = ACTION


@kernel
def seed_streams(game: np.record, seed: int) -> None:
    """Start the game's random streams from one seed."""
    for stream in range(NUM_STREAMS):
        seed_stream(game.rng[stream], seed, stream)


@kernel
def lay_cities(game: np.record, board: np.record, bag: np.ndarray, bag_size: int) -> None:
    """Put a City tile on each City hex in map order, the rest beside the map (rule 2.1)."""
    for color in range(NUM_COLORS):
        game.off_map[color] = 0
    for index in range(bag_size):
        if index < board.num_cities:
            game.color[index] = bag[index]
        else:
            game.off_map[bag[index]] += 1


@kernel
def fill_corners(game: np.record, colors: np.ndarray) -> None:
    """Put a resource in each corner, top left first; every marker starts beside white (rule 8.1)."""
    for corner in range(NUM_CORNERS):
        game.corners[corner] = colors[corner]
        if colors[corner] == WHITE:
            game.marker[: game.num_automas] = corner


@kernel
def deal_hands(game: np.record, order: np.ndarray, num_contracts: int) -> None:
    """Deal five contracts to each player; the rest is the deck, all in the shuffled ``order`` (rule 2.2)."""
    dealt = 0
    for seat in range(num_players(game)):
        for _ in range(HAND_DEALT):
            game.place[order[dealt]] = PLACE_HAND + seat
            dealt += 1
        game.hand_size[seat] = HAND_DEALT
    game.deck_size = num_contracts - dealt
    for depth in range(game.deck_size):
        contract = order[num_contracts - 1 - depth]
        game.place[contract] = PLACE_DECK
        game.deck_order[depth] = contract


@kernel
def lay_out(
    game: np.record,
    board: np.record,
    deck: np.record,
    bag: np.ndarray,
    bag_size: int,
    order: np.ndarray,
    first_player: int,
) -> None:
    """Set up a blank game from the outcome of the deal (rule 2)."""
    lay_cities(game, board, bag, bag_size)
    fill_stocks(game)
    deal_hands(game, order, deck.num_contracts)
    open_first_round(game, first_player)
    if game.mode == SOLO:
        pop_train(game)  # it tells whose action is the first


@kernel
def deal_game(
    game: np.record, board: np.record, deck: np.record, bag: np.ndarray, bag_size: int, fixed_first: int, seed: int
) -> None:
    """Set up a blank game by chance; ``fixed_first`` is the first player, or NONE for a random one.

    ``bag`` holds the colours of the City tiles and is left shuffled.
    """
    seed_streams(game, seed)
    stream = game.rng[DEAL_STREAM]
    shuffle(bag, bag_size, stream)
    order = np.arange(MAX_CONTRACTS)
    shuffle(order, deck.num_contracts, stream)
    first_player = draw_below(stream, num_players(game))
    if game.num_automas > 0:
        colors = np.arange(NUM_CORNERS)
        shuffle(colors, NUM_CORNERS, stream)
        fill_corners(game, colors)
    if game.mode == SOLO:
        fill_bag(game, stream)
    lay_out(game, board, deck, bag, bag_size, order, first_player if fixed_first == NONE else fixed_first)


@kernel
def deal_games(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    bag: np.ndarray,
    fixed_first: int,
    seeds: np.ndarray,
    where: np.ndarray,
) -> None:
    """Set up every game whose ``where`` flag is set; those records must be blank."""
    tiles = bag.copy()
    for index in range(games.shape[0]):
        if where[index]:
            game = games[index]
            for tile in range(bag.shape[0]):  # a slice takes longer to compile
                tiles[tile] = bag[tile]
            deal_game(
                game,
                boards[game.board_index],
                decks[game.deck_index],
                tiles,
                bag.shape[0],
                fixed_first,
                seeds[index],
            )


@kernel
def lay_out_given(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    bag: np.ndarray,
    order: np.ndarray,
    first_player: int,
    corners: np.ndarray,
    trains: np.ndarray,
    seed: int,
) -> None:
    """Set up one blank game from a given outcome of the deal; its play stream still comes from ``seed``."""
    seed_streams(games[0], seed)
    if games[0].num_automas > 0:
        fill_corners(games[0], corners)
    if games[0].mode == SOLO:
        for index in range(BAG_SIZE):
            games[0].bag[BAG_SIZE - 1 - index] = trains[index]
        games[0].bag_size = BAG_SIZE
    lay_out(games[0], boards[0], decks[0], bag, bag.shape[0], order, first_player)
