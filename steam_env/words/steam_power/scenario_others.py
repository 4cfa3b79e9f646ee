"""The Automas' part of a scenario, and the solo game's bag."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.rng import shuffle
from steam_env.core.steam_power.coins import coin_problem
from steam_env.core.steam_power.network import in_network
from steam_env.core.steam_power.reasons import (
    NO_TILE,
    OK,
)
from steam_env.core.steam_power.setup import fill_corners
from steam_env.core.steam_power.state import (
    COLOR_NAMES,
    DEAL_STREAM,
    NUM_CORNERS,
    PLACE_ASIDE,
    PLACE_HAND,
    SOLO,
    SOLO_COMPANIES,
    SOLO_ROUNDS,
    SOLO_TRAINS_IN_BAG,
)
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import say_count
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.scenario_track import read_stop
from steam_env.words.steam_power.scenario_values import Draft
from steam_env.words.values import as_choice, as_int, as_list, as_table


def open_automa_table(draft: Draft, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table `automa`; it is refused where there are none."""
    automas = draft.setting.rules.automas
    if "automa" in table and not automas:
        raise ScenarioError("automa: there are no Automa seats; rules.automas must be 1 to 4 for this table")
    return as_table(table.get("automa", {}), "automa", ("corners", "marker", "coins", "discards"))


def check_automa_hands(draft: Draft) -> None:
    """Refuse contracts in an Automa's hand (rule 8.1)."""
    for seat in range(draft.setting.rules.players, draft.purses):
        if np.any(draft.game.place == PLACE_HAND + seat):
            raise ScenarioError(
                f"seats.hands[{seat}]: {name_seat(seat)} is an Automa; its hand must be empty (rule 8.1)"
            )


def set_automa(draft: Draft, table: Mapping[str, Any]) -> None:
    """Set corners, markers and coin paths (rules 8.1, 8.9); what is left out is as set-up gives it."""
    automas = draft.setting.rules.automas
    if not automas:
        return
    fill_corners(draft.game, np.array(_read_corners(draft, table)))
    if "marker" in table:
        for number, corner in enumerate(as_list(table["marker"], "automa.marker", automas)):
            draft.game.marker[number] = as_int(corner, f"automa.marker[{number}]", 0, NUM_CORNERS - 1)
    paths = as_list(table.get("coins", [[]] * automas), "automa.coins", automas)
    for number, path in enumerate(paths):
        _put_coins(draft, number, path, f"automa.coins[{number}]")


def _read_corners(draft: Draft, table: Mapping[str, Any]) -> list[int]:
    names = COLOR_NAMES[:NUM_CORNERS]
    if "corners" not in table:
        colors = np.arange(NUM_CORNERS)
        shuffle(colors, NUM_CORNERS, draft.game.rng[DEAL_STREAM])
        return [int(color) for color in colors]
    corners = as_list(table["corners"], "automa.corners", NUM_CORNERS)
    colors_read = [as_choice(color, names, f"automa.corners[{index}]") for index, color in enumerate(corners)]
    if sorted(colors_read) != list(range(NUM_CORNERS)):
        raise ScenarioError(f"automa.corners: {corners!r}; each of {', '.join(names)} must stand here once (rule 8.1)")
    return colors_read


def _put_coins(draft: Draft, number: int, value: object, entry: str) -> None:
    """Put a coin path: hexes one beside the other from the tail or a city of the network to a city (rule 8.9)."""
    game, board = draft.game, draft.board
    seat = draft.setting.rules.players + number
    path = [read_stop(draft, name, f"{entry}[{index}]") for index, name in enumerate(as_list(value, entry))]
    if not path:
        if game.tail_link[seat] != NONE:
            raise ScenarioError(f"{entry}: empty; an Automa with an incomplete link has a coin path (rule 8.9)")
        return
    cities = [int(board.hex_city[hex_index]) for hex_index in path]
    _check_coin_start(draft, seat, path, cities, entry)
    for index in range(1, len(path)):
        _check_coin_step(draft, path, cities, index, f"{entry}[{index}]")
    if cities[-1] == NONE or len(path) < 2:
        raise ScenarioError(f"{entry}: must end in the route's last city, after at least one tile (rule 8.9)")
    if len(set(path)) < len(path):
        raise ScenarioError(f"{entry}: {value!r}; a path uses no hex twice (rule 8.11)")
    game.num_coins[number] = len(path)
    game.coins[number, : len(path)] = path
    _check_coin_tiles(draft, seat, path, cities, entry)


def _check_coin_start(draft: Draft, seat: int, path: list[int], cities: list[int], entry: str) -> None:
    game, board = draft.game, draft.board
    if game.tail_link[seat] != NONE:
        across = int(board.neighbour[game.tail_hex[seat], game.tail_exit[seat]])
        if path[0] != across:
            raise ScenarioError(f"{entry}[0]: must be the hex across the open edge of the Automa's incomplete link")
    elif cities[0] == NONE or not in_network(game, board, seat, cities[0]):
        raise ScenarioError(
            f"{entry}[0]: must be a city of the network of {name_seat(seat)}: it has no incomplete link"
        )
    elif len(path) > 1 and cities[1] != NONE:
        raise ScenarioError(f"{entry}[1]: must be a tile; the path begins with the city that the next link starts from")


def _check_coin_step(draft: Draft, path: list[int], cities: list[int], index: int, entry: str) -> None:
    """Refuse a hex that is not beside the one before, but for another city of a group that is passed."""
    group = draft.board.group
    if cities[index] != NONE and cities[index - 1] != NONE:
        if group[cities[index]] != group[cities[index - 1]] or index == len(path) - 1:
            raise ScenarioError(f"{entry}: two cities in a row must be of one group, which the path leaves (rule 8.11)")
    elif path[index] not in draft.board.neighbour[path[index - 1]]:
        raise ScenarioError(f"{entry}: each hex of a coin path must be beside the one before")


def _check_coin_tiles(draft: Draft, seat: int, path: list[int], cities: list[int], entry: str) -> None:
    """Refuse a tile that is illegal now but for the stock, which the Automa may have used up itself (rule 8.13)."""
    before = int(draft.game.tail_hex[seat])
    for index, (here, city) in enumerate(zip(path, cities, strict=True)):
        if city == NONE:
            problem = coin_problem(draft.game, draft.board, here, before, path[index + 1], NONE)
            if problem not in (OK, NO_TILE):
                raise ScenarioError(f"{entry}[{index}]: no tile may lie here as the path goes (rules 4.1, 4.4)")
        before = here


def open_solo_table(draft: Draft, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table `solo`; it is refused in other modes."""
    if "solo" in table and draft.game.mode != SOLO:
        raise ScenarioError("solo: rules.mode must be 'solo' for this table")
    return as_table(table.get("solo", {}), "solo", ("trains", "set_aside"))


def read_set_aside(draft: Draft, table: Mapping[str, Any]) -> int:
    """How many contracts have been set aside (rule 9.2)."""
    return as_int(table.get("set_aside", 0), "solo.set_aside", 0, SOLO_ROUNDS)


def put_aside(draft: Draft, rest: list[int], count: int) -> list[int]:
    """Set aside the first of the contracts that are nowhere else; returns what remains (rule 9.2)."""
    if len(rest) < count:
        raise ScenarioError(
            f"solo.set_aside: {count}; only {say_count(len(rest), 'contract is', 'contracts are')} nowhere else"
        )
    for contract in rest[:count]:
        draft.game.place[contract] = PLACE_ASIDE
    return rest[count:]


def set_bag(draft: Draft, table: Mapping[str, Any]) -> None:
    """Fill the bag with the trains to be drawn (rule 9.2); left out, all but the active company's, by chance.

    Without a company whose turn it is, the next train is drawn.
    """
    game = draft.game
    if game.mode != SOLO:
        return
    if "trains" in table:
        trains = [
            as_int(company, f"solo.trains[{index}]", 0, SOLO_COMPANIES - 1)
            for index, company in enumerate(as_list(table["trains"], "solo.trains"))
        ]
    else:
        trains = _shuffle_trains(draft)
    if game.seat == NONE:
        if not trains:
            raise ScenarioError("solo.trains: empty; without turn.seat the next train must be here")
        game.seat = trains.pop(0)
    drawn = [*trains, int(game.seat)]
    for company in range(SOLO_COMPANIES):
        if drawn.count(company) > SOLO_TRAINS_IN_BAG:
            raise ScenarioError(
                f"solo.trains: {trains!r} and the active company {game.seat}; "
                f"there are {SOLO_TRAINS_IN_BAG} trains of a company (rule 9.1)"
            )
    game.bag_size = len(trains)
    game.bag[: len(trains)] = trains[::-1]


def _shuffle_trains(draft: Draft) -> list[int]:
    trains = np.repeat(np.arange(SOLO_COMPANIES), SOLO_TRAINS_IN_BAG)
    if draft.game.seat != NONE:
        trains = np.delete(trains, int(np.flatnonzero(trains == draft.game.seat)[0]))
    shuffle(trains, len(trains), draft.game.rng[DEAL_STREAM])
    return [int(company) for company in trains]
