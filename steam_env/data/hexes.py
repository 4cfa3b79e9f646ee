"""Names of hexes (rule 1.1)."""

import re

MAX_COLUMN = 702  # ZZ
MAX_ROW = 999
_HEX_NAME = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})")
LIKE_A_HEX = re.compile(r"[A-Za-z]{1,2}[0-9]+")


def hex_name(col: int, row: int) -> str:
    """The name of the hex at (col, row), as "A1" or "AA2" (rule 1.1). ValueError if there is no such hex."""
    require_cell(col, row)
    letters = ""
    while col:
        col, letter = divmod(col - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def parse_hex(text: str) -> tuple[int, int]:
    """(column, row) of the hex with this name. ValueError if it is no hex name."""
    match = _HEX_NAME.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no hex: must be column letters and a row number, as 'B4' or 'AA2'")
    col = 0
    for letter in match[1]:
        col = 26 * col + ord(letter) - ord("A") + 1
    row = int(match[2])
    require_cell(col, row)
    return col, row


def require_cell(col: int, row: int) -> None:
    """Refuse a column and a row where no hex can be."""
    if not (1 <= col <= MAX_COLUMN and 1 <= row <= MAX_ROW):
        raise ValueError(f"column {col}, row {row} is no hex: columns are 1 to {MAX_COLUMN} (ZZ), rows 1 to {MAX_ROW}")
    if (col + row) % 2:
        raise ValueError(f"column {col}, row {row} is no hex: with A = 1, column + row must be even")
