"""The position as plain text: the map, its cities, links and seats."""

from collections.abc import Iterator

import numpy as np

from steam_env.core.scoring import NUM_SCORE_PARTS, TOTAL, score_games
from steam_env.core.state import (
    CITY,
    COLOR_LETTERS,
    COLOR_NAMES,
    HILLS,
    MAX_SEATS,
    MOUNTAINS,
    NONE,
    PHASE_NAMES,
    PLAINS,
    WATER,
)
from steam_env.core.tiles import PAIRS, STRAIGHT, TIGHT, shape_of
from steam_env.links import describe_link, trace_links
from steam_env.setting import Setting
from steam_env.text import name_seat

COLUMN_WIDTH = 4  # two columns share a line, so a hex has twice this width
TERRAIN_MARKS = {PLAINS: " .", HILLS: " h", MOUNTAINS: " m", WATER: " ~"}
STRAIGHT_MARKS = "|/\\"  # N-S, NE-SW, SE-NW
LEGEND = (
    "WCHI01: a white city with factory of seat 0 and 1 resource left (* = flipped)\n"
    ". plains  h hills  m mountains  ~ water\n"
    "0| a track of seat 0: | / \\ straight, c curve, t tight curve"
)


def draw_text(setting: Setting, record: np.record) -> str:
    """The position in lines of text; shows no hand."""
    parts = (
        _headline(setting, record),
        *_draw_map(setting, record),
        LEGEND,
        "",
        *_list_cities(setting, record),
        "",
        *_list_links(setting, record),
        *_list_seats(setting, record),
    )
    return "\n".join(parts) + "\n"


def _headline(setting: Setting, record: np.record) -> str:
    off_map = ", ".join(f"{count} {name}" for name, count in zip(COLOR_NAMES, record.off_map, strict=True) if count)
    now = "over" if record.seat == NONE else f"{name_seat(int(record.seat))} decides: {PHASE_NAMES[record.phase]}"
    return (
        f"{setting.map.title}, round {record.round_number}, {now}; deck {record.deck_size}; "
        f"off the map: {off_map or 'none'}"
    )


def abbreviate(names: tuple[str, ...]) -> list[str]:
    """Three letters for each name, all different."""
    taken: list[str] = []
    for name in names:
        letters = [letter for letter in name.upper() if letter.isalnum()]
        options = ["".join(letters[:3]).ljust(3)]
        options += ["".join((*letters[:2], letter)) for letter in letters[3:]]
        options += [f"{letters[0]}{number:02d}" for number in range(100)]
        taken.append(next(option for option in options if option not in taken))
    return taken


def _draw_map(setting: Setting, record: np.record) -> Iterator[str]:
    """One line for each row; hexes of a row stand two columns apart."""
    cells = {(col, row): index for index, (col, row, _) in enumerate(setting.map.hexes)}
    codes = abbreviate(setting.map.cities)
    width = max(col for col, _ in cells)
    for row in range(1, max(row for _, row in cells) + 1):
        line = ["" for _ in range(width + 1)]
        for col in range(1, width + 1):
            if (col + row) % 2 == 0:
                index = cells.get((col, row))
                text = "" if index is None else _draw_hex(setting, record, codes, index)
                line[col] = text.ljust(2 * COLUMN_WIDTH)
        yield (" " * COLUMN_WIDTH * ((row + 1) % 2) + "".join(line)).rstrip()


def _draw_hex(setting: Setting, record: np.record, codes: list[str], index: int) -> str:
    terrain = setting.map.hexes[index][2]
    if terrain == CITY:
        return _draw_city(record, codes, int(setting.boards[0].hex_city[index]))
    tracks = [
        f"{record.link_owner[link]}{_mark_of(int(pair))}"
        for pair, link in zip(record.track[index], record.track_link[index], strict=True)
        if pair != NONE
    ]
    return "".join(tracks) or TERRAIN_MARKS[terrain]


def _draw_city(record: np.record, codes: list[str], city: int) -> str:
    factory = ""
    if record.owner[city] != NONE:
        factory = f"{record.owner[city]}{record.resources[city] or '*'}"
    return f"{COLOR_LETTERS[record.color[city]]}{codes[city]}{factory}"


def _mark_of(pair: int) -> str:
    shape = shape_of(pair)
    if shape == STRAIGHT:
        return STRAIGHT_MARKS[PAIRS[pair][0]]
    return "t" if shape == TIGHT else "c"


def _list_cities(setting: Setting, record: np.record) -> Iterator[str]:
    """The cities with their codes, three to a line."""
    names = setting.map.cities
    entries = [
        f"{code.strip():3} {name} ({COLOR_NAMES[record.color[index]]})".ljust(28)
        for index, (code, name) in enumerate(zip(abbreviate(names), names, strict=True))
    ]
    for start in range(0, len(entries), 3):
        yield "".join(entries[start : start + 3]).rstrip()


def _list_links(setting: Setting, record: np.record) -> Iterator[str]:
    board = setting.boards[0]
    for link in trace_links(record, board):
        described = describe_link(link, board, setting.map)
        end = "" if described["complete"] else f" ... {described['open']}"
        yield f"{name_seat(link.owner)}: {' - '.join(described['path'])}{end}"
    if record.num_links:
        yield ""


def _list_seats(setting: Setting, record: np.record) -> Iterator[str]:
    scores = np.zeros((1, MAX_SEATS, NUM_SCORE_PARTS), np.int64)
    games = np.zeros(1, record.dtype)
    games[0] = record
    score_games(games, setting.boards, setting.decks, scores, np.zeros((1, MAX_SEATS), np.bool_))
    yield "seat       money  trains  factories  hand  fulfilled  VP now"
    for seat in range(record.num_seats):
        mark = "*" if seat == record.seat else " "
        pieces = f"{record.trains[seat]:>6}  {record.factories[seat]:>9}"
        if seat >= setting.rules.seats:  # in solo the other companies have no purse and no hand
            yield f"{name_seat(seat)}{mark}         {pieces}"
            continue
        yield (
            f"{name_seat(seat)}{mark}  ${record.money[seat]:<4}  {pieces}"
            f"  {record.hand_size[seat]:>4}  {record.num_fulfilled[seat]:>9}  {scores[0, seat, TOTAL]:>6}"
        )
