"""Kernels that write what one seat sees: the digits of `flat`, of which ``steam_env.encoding.digits`` makes floats.

``places.at`` tells where the digits of each value stand, so one kernel writes every layout: that for all games, and
the tight ones, which have room for the things of one setting. All digits of a row are zero before they are written.
"""

import numpy as np

from steam_env.core.ahead import fetch
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.encoding.digits import expand_row
from steam_env.encoding.steam_power.board_kernels import (
    copy_cards,
    write_access,
    write_cards,
    write_cities,
    write_coins,
    write_contracts,
    write_networks,
    write_tracks,
    write_units,
)
from steam_env.encoding.steam_power.flat import CARDS, CARDS_END, FLAT_SIZE
from steam_env.encoding.steam_power.scratch import FLAT_DIGITS, FLAT_PLACES, MEMORY
from steam_env.encoding.steam_power.seat_kernels import (
    write_configuration,
    write_decision,
    write_scores,
    write_seats,
    write_stocks,
)

# --- the row ----------------------------------------------------------------------------------------------


@kernel
def write_table(
    game: np.record,
    board: np.record,
    deck: np.record,
    observer: int,
    places: np.record,
    scratch: np.record,
    row: np.ndarray,
) -> None:
    """Write all digits of a row but for ``write_cards`` and the track, and clear the rest."""
    row[: places.at[CARDS]] = 0
    row[places.at[CARDS_END] : places.num_digits] = 0
    write_configuration(game, places, row)
    write_stocks(game, places, row)
    write_decision(game, deck, places, row)
    write_seats(game, board, observer, places, row)
    write_scores(game, board, deck, observer, places, scratch, row)
    write_cities(game, board, observer, places, scratch, row)
    write_networks(game, board, observer, places, scratch, row)
    write_access(game, board, observer, places, scratch, row)
    write_contracts(game, deck, observer, places, scratch, row)
    write_units(places, scratch, row)


@kernel
def write_row(
    game: np.record,
    board: np.record,
    deck: np.record,
    observer: int,
    places: np.record,
    scratch: np.record,
    row: np.ndarray,
) -> None:
    """Write all digits of what the observer sees of one game, but for ``write_cards``."""
    write_table(game, board, deck, observer, places, scratch, row)
    write_tracks(game, board, observer, places, scratch, row)
    if game.num_automas > 0:
        write_coins(game, observer, places, row)


@kernel
def check_room(game: np.record, board: np.record, deck: np.record, observer: int, places: np.record) -> None:
    """Refuse an observer who is not at the table, and a game for which a layout has no room."""
    if observer < 0 or observer >= game.num_seats:
        raise ValueError("an observer must be a seat of its game, or NONE")
    fits = game.num_seats <= places.seats and game.num_automas <= places.automas
    fits = fits and board.num_hexes <= places.hexes and board.num_cities <= places.cities
    if not fits or deck.num_contracts > places.contracts:
        raise ValueError("the digits of a tight encoding have room for games of its setting only")


@kernel
def write_rows(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    layouts: np.ndarray,
    scratches: np.ndarray,
    room: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what seat ``seats[i]`` sees of game i; NONE: zeros.

    Each game is copied to ``room`` (1,) first: it is read from one end to the other, which the processor foresees, and
    lies in its inner cache then. Reading here and there in a game that lies further away takes as long again.
    """
    places, scratch, game = layouts[0], scratches[0], room[0]
    if out.shape[0] < games.shape[0] or out.shape[1] != places.num_digits:
        raise ValueError("out must have a row of digits for each game")
    before, card_deck = NONE, NONE  # the row before, from which cards are copied, and whose they are
    for index in range(games.shape[0]):
        observer = int(seats[index])
        if observer == NONE:
            out[index, :] = 0
            continue
        fetch(games, index + 1)
        fetch(out, index + 1)
        room[0] = games[index]
        board, deck = boards[game.board_index], decks[game.deck_index]
        check_room(game, board, deck, observer, places)
        if card_deck != game.deck_index:
            write_cards(deck, places, scratch, out[index])
        else:
            copy_cards(places, out[before], out[index])
        write_row(game, board, deck, observer, places, scratch, out[index])
        before, card_deck = index, int(game.deck_index)


@kernel
def write_values(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    layouts: np.ndarray,
    scratches: np.ndarray,
    room: np.ndarray,
    runs: np.ndarray,
    tables: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, FLAT_SIZE) float32: what seat ``seats[i]`` sees of game i; NONE: zeros."""
    places, scratch, game = layouts[0], scratches[0], room[0]
    if out.shape[0] < games.shape[0] or out.shape[1] != FLAT_SIZE:
        raise ValueError("out must have a row of FLAT_SIZE values for each game")
    card_deck, row = NONE, scratch.row  # whose cards the row holds
    for index in range(games.shape[0]):
        observer = int(seats[index])
        if observer == NONE:
            out[index, :] = 0
            continue
        fetch(games, index + 1)
        room[0] = games[index]
        board, deck = boards[game.board_index], decks[game.deck_index]
        check_room(game, board, deck, observer, places)
        if card_deck != game.deck_index:
            write_cards(deck, places, scratch, row)
            card_deck = int(game.deck_index)
        write_row(game, board, deck, observer, places, scratch, row)
        expand_row(runs, tables, row, out[index])


# --- encoding -----------------------------------------------------------------------------------------------


def encode_flat_digits(
    layout: np.ndarray, games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what seat ``seats[i]`` sees of ``games[i]`` (n,) GAME.

    ``seats`` (n,) holds seats of the games, or NONE for a row of zeros. ``boards`` and ``decks`` are the arrays that
    the games' ``board_index`` and ``deck_index`` point into, ``layout`` (1,) PLACES says where digits stand.
    """
    write_rows(games, boards, decks, seats, layout, MEMORY.scratch, MEMORY.room, out)


def encode_flat_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
) -> None:
    """Write row i of ``out`` (n, FLAT_SIZE) float32: what seat ``seats[i]`` sees of ``games[i]``, see above."""
    memory, digits = MEMORY, FLAT_DIGITS
    fixed = (FLAT_PLACES, memory.scratch, memory.room, digits.runs, digits.tables)
    write_values(games, boards, decks, seats, *fixed, out)
