"""Reading map files of people: the messages for what is wrong, and where in a file it stands."""

import re
from collections.abc import Iterable, Mapping
from unicodedata import category

from steam_env.data.hexes import LIKE_A_HEX, require_cell
from steam_env.kit.checks import compose
from steam_env.kit.show import describe, say_count
from steam_env.kit.text_files import locate_offset

VOID = " "
LEAST_LINES, LEAST_LENGTH = 6, 7  # of a rectangle: a smaller map with a bulge is a map
_CITY_SIGNS = " .'’-"  # of a city's name, beside letters of any script, their marks, and digits
_TOML_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>\"\"\"(?:\\.|[^\\])*?\"{3,5} | '''.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*')
      | (?P<opening>[\[{]) | (?P<closing>[\]}]) | (?P<newline>\n) | (?P<word>[A-Za-z0-9_+-]+)""",
    re.VERBOSE | re.DOTALL,
)


class MapError(ValueError):
    """A map that is wrong. The message begins with the source; for a file with line and column, where known."""


class Fault(Exception):
    """What is wrong with which entry, before it is known where in a file the entry stands."""

    def __init__(self, entry: str, message: str, row: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.entry = entry  # a key of the table, "" if none is to blame
        self.row = row  # of the map, 0 if no cell is to blame
        self.column = column


def read_text_entry(value: object, entry: str, what: str = "text") -> str:
    """The value as a text, refused if it is none; ``what`` says in the message what it must be."""
    if not isinstance(value, str):
        raise Fault(entry.partition("[")[0], f"{entry}: must be {what}, not {describe(value)}")
    return value


def read_label(table: Mapping[str, object], key: str) -> str:
    """A name or title that can be printed in a line."""
    text = read_text_entry(table[key], key)
    check_blanks(text, key)
    return text


def check_blanks(text: str, entry: str) -> None:
    """Refuse a name that cannot be printed in a line of text, or typed by people."""
    key = entry.partition("[")[0]
    if not text.strip():
        raise Fault(key, f"{entry}: {text!r} is empty; must be text that can be seen")
    if text != text.strip():
        raise Fault(key, f"{entry}: {text!r} begins or ends with a blank; must not")
    if not text.isprintable():
        raise Fault(key, f"{entry}: {text!r} holds a control character; must be printable text in one line")


def read_place_name(value: object, entry: str, what: str = "city") -> str:
    """The name of a city or the like, which stands in the texts of actions and paths."""
    key = entry.partition("[")[0]
    name = compose(read_text_entry(value, entry))
    check_blanks(name, entry)
    if LIKE_A_HEX.fullmatch(name):
        raise Fault(key, f"{entry}: {name!r} looks like a hex; paths hold both, so a {what} may not")
    if not name[0].isalpha() or not all(map(_is_in_names, name)):
        raise Fault(
            key,
            f"{entry}: {name!r} does not fit into action texts; must begin with a letter and hold only "
            "letters, digits, blanks, dots, apostrophes and hyphens, of any script",
        )
    if "  " in name:
        raise Fault(key, f"{entry}: {name!r} holds two blanks in a row; must not")
    return name


def check_names_differ(names: Mapping[str, str], what: str = "city") -> None:
    """Refuse equal names; by entry of the file."""
    known: dict[str, str] = {}
    for number, (entry, name) in enumerate(names.items()):
        same = known.setdefault(compose(name.casefold()), name)
        if len(known) <= number:
            how = "stands here twice" if same == name else f"differs from {same!r} in case only"
            raise Fault(entry.partition("[")[0], f"{entry}: {name!r} {how}; {what} names must differ")


def _is_in_names(sign: str) -> bool:
    """Whether a city's name may hold it: some scripts write vowels as marks (category M) on other letters."""
    return sign.isalnum() or sign in _CITY_SIGNS or category(sign).startswith("M")


def read_rows(value: object, meanings: Mapping[str, str]) -> tuple[tuple[int, int, str], ...]:
    """(column, row, character) of each hex of a block of text, in map order.

    Args:
        value: the block: line r, character c is the hex of column c, row r; a blank is no hex.
        meanings: by character that is allowed, what it means.
    """
    text = read_text_entry(value, "rows", "a block of text")
    lines = text.split("\n")
    check_lines(lines)
    found = [
        (column, row, _check_cell(character, column, row, meanings))
        for row, line in enumerate(lines, 1)
        for column, character in enumerate(line, 1)
        if character != VOID
    ]
    return tuple(sorted(found))


def check_lines(lines: list[str]) -> None:
    """Refuse a line that alone sticks out of a rectangle, and would widen the map by mistake.

    In a rectangle all lines are filled, and every other one is of one length: they have their hexes in the same
    columns (rule 1.1). A map of another shape may have lines of any length.
    """
    lengths = list(map(len, "\n".join(lines).strip("\n").split("\n")))
    longest = max(lengths)
    place = lengths.index(longest)
    equals = {length for index, length in enumerate(lengths) if index % 2 == place % 2 and index != place}
    between = {length for index, length in enumerate(lengths) if index % 2 != place % 2}
    is_filled = len(lengths) >= LEAST_LINES and min(equals | between) >= LEAST_LENGTH
    if is_filled and len(equals) == len(between) == 1 and max(equals) < longest:
        row = next(index for index, line in enumerate(lines) if len(line) == longest)
        raise Fault(
            "rows",
            f"rows: line {row + 1} has {say_count(longest, 'character')}, the others have at most {max(equals)}: "
            "must be as long as they are, or all filled up with blanks",
            row + 1,
            longest,
        )


def _check_cell(character: str, column: int, row: int, meanings: Mapping[str, str]) -> str:
    """The character, refused if it is not allowed there."""
    where = f"rows: line {row}, character {column}"
    if character not in meanings:
        names = ", ".join(f"'{letter}' {name}" for letter, name in meanings.items())
        message = f"{where}: unknown character {character!r}; allowed are {names}, and blanks for void"
        raise Fault("rows", message, row, column)
    try:
        require_cell(column, row)
    except ValueError as error:
        raise Fault("rows", f"{where}: {character!r} stands where no hex is: {error}", row, column) from None
    return character


def locate_fault(text: str, fault: Fault) -> str:
    """The position of what is to blame, as ":line:column"; empty where the file has no such place."""
    keys, values = _find_keys(text)
    if fault.row and "rows" in values:
        offset = _offset_of_cell(values["rows"], fault.row, fault.column)
        if offset is not None:
            return locate_offset(text, offset)
    entry = "hexes" if fault.entry == "rows" and "rows" not in keys else fault.entry
    return locate_offset(text, keys[entry]) if entry in keys else ""


def _find_keys(text: str) -> tuple[dict[str, int], dict[str, re.Match[str]]]:
    """By top-level key or table of a valid TOML text: where it stands, and the string it holds, if it does."""
    keys: dict[str, int] = {}
    values: dict[str, re.Match[str]] = {}
    depth, table, key = 0, False, ""
    fresh = True  # at the beginning of a statement
    for token in _meaningful_tokens(text):
        kind = token.lastgroup
        if kind == "newline":
            if depth == 0:
                fresh, key = True, ""
            continue
        if kind in ("opening", "closing"):
            table = table or (fresh and depth == 0)  # a header "[name]": what follows belongs to it
            depth += 1 if kind == "opening" else -1
            continue
        if fresh and (depth == 0) != table:
            key = token[0].strip("\"'")
            keys.setdefault(key, token.start())
        elif not fresh and key and depth == 0 and kind == "string" and not table:
            values.setdefault(key, token)
        fresh = False
    return keys, values


def _meaningful_tokens(text: str) -> Iterable[re.Match[str]]:
    return (token for token in _TOML_TOKEN.finditer(text) if token.lastgroup != "comment")


def _offset_of_cell(value: re.Match[str], row: int, column: int) -> int | None:
    """Where the character of (column, row) stands in the file; None if escapes hide it."""
    raw = value[0]
    if raw.startswith('"') and "\\" in raw:
        return None
    quotes = 3 if raw.startswith(('"""', "'''")) else 1
    if raw[quotes : quotes + 1] == "\n":
        quotes += 1  # TOML drops a newline right after the quotes
    lines = raw[quotes:].split("\n")
    return value.start() + quotes + sum(len(line) + 1 for line in lines[: row - 1]) + column - 1
