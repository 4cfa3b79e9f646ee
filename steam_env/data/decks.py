"""Contract decks: what a deck file may say, how one is read, and the messages for one that is wrong.

A deck file is TOML: `name`, optionally `title` and `contracts_to_end`, and `contracts`, a list of tables
{ needs, money, vp, bonus, automa }. A contract's number in the game is its place in that list, from 0.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from steam_env.core.state import BONUS_NAMES, COLOR_LETTERS, ICON_NAMES, MAX_CONTRACTS, MAX_NEEDS, NUM_RESOURCES

RESOURCE_LETTERS = COLOR_LETTERS[:NUM_RESOURCES]
MAX_REWARD = 99  # dollars, or victory points

_DECK_KEYS = ("name", "title", "contracts_to_end", "contracts")
_CONTRACT_KEYS = ("needs", "money", "vp", "bonus", "automa")
_SYNTAX_POSITION = re.compile(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<header>^[ \t]*\[\[?[ \t]*[\w."'-]+[ \t]*\]\]?(?=[ \t]*(?:\#|\n|\Z)))
      | (?P<word>\"\"\"(?:\\.|[^\\])*?\"{3,5} | '''.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' | [\w.+-]+)
      | (?P<bracket>[\[\]{}])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_EQUALS = re.compile(r"[ \t]*=")
_OTHER_TABLE = -1


class DeckError(ValueError):
    """A deck that is wrong. For a file the message begins with "source:line:column: ", as far as known."""


@dataclass(frozen=True)
class Contract:
    """A contract card. Made by `load_deck` or `parse_deck`, which check it."""

    needs: str
    """1 to 5 letters of WBOG: the resources, in printed order."""
    money: int
    """Reward in dollars, 0 to 99."""
    vp: int
    """Victory points at the end, 0 to 99."""
    bonus: str
    """The bonus action (rule 6.7): "track", "factory", "contracts" or "none"."""
    automa: str
    """What an Automa does that uses it as an action (rule 8.8): "track" or "factory"."""


@dataclass(frozen=True)
class Deck:
    """A deck of 1 to 48 contracts. Made by `load_deck` or `parse_deck`, which check it."""

    name: str
    title: str
    contracts: tuple[Contract, ...]
    contracts_to_end: int | None
    """Fulfilled contracts of one seat that trigger the end; None: rule 3.2 tells."""


class _Entry(NamedTuple):
    """An entry of a deck: how messages call it, and where to look for it in a file."""

    text: str
    key: str  # of the deck's table, or of a contract's; "": the table as a whole
    contract: int | None = None

    def fault(self, problem: str) -> "_Fault":
        return _Fault(f"{self.text}: {problem}", self)


class _Fault(Exception):
    """What is wrong with which entry, before it is known where in a file the entry stands."""

    def __init__(self, message: str, entry: _Entry) -> None:
        super().__init__(message)
        self.entry = entry


# --- loading ----------------------------------------------------------------------------------------
def shipped_decks() -> tuple[str, ...]:
    """The names of the decks that come with steam_env, sorted."""
    folder = resources.files("steam_env.data") / "decks"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def load_deck(name_or_path: str | os.PathLike[str]) -> Deck:
    """Read and check a deck file.

    `name_or_path` is a shipped name, or a path: anything with a path separator or ending in ".toml".
    Raises ValueError for an unknown name, and its subclass DeckError for a file that is wrong.
    """
    text = os.fspath(name_or_path)
    if isinstance(name_or_path, os.PathLike) or _is_path(text):
        return _load_bytes(_read_file(text), text)
    if text not in shipped_decks():
        raise ValueError(
            f"contracts: {text!r} is not shipped; must be one of {', '.join(shipped_decks())}, or a path to a file"
        )
    file = f"{text}.toml"
    return _load_bytes((resources.files("steam_env.data") / "decks" / file).read_bytes(), file)


def _is_path(text: str) -> bool:
    separators = {"/", os.sep, os.altsep or os.sep}
    return text.endswith(".toml") or any(separator in text for separator in separators)


def _read_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DeckError(f"{path}: a deck file cannot be read there: {reason}") from None


def _load_bytes(data: bytes, source: str) -> Deck:
    text = _decode(data, source)
    table = _parse_toml(text, source)
    try:
        return _build_deck(table)
    except _Fault as fault:
        raise DeckError(f"{source}{_locate_entry(text, fault.entry)}: {fault}") from None


def _decode(data: bytes, source: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        position = _line_and_column(before, len(before))
        raise DeckError(f"{source}{position}: byte {data[error.start]:#04x} is not UTF-8") from None
    return text.replace("\r\n", "\n")  # as TOML does, so that positions agree


def _parse_toml(text: str, source: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _SYNTAX_POSITION.fullmatch(str(error))
        if not match:
            raise DeckError(f"{source}: not TOML: {error}") from None
        position = f":{match[2]}:{match[3]}" if match[2] else _line_and_column(text, len(text))
        raise DeckError(f"{source}{position}: not TOML: {match[1]}") from None
    except (ValueError, RecursionError) as error:  # a number with too many digits; brackets in brackets in ...
        raise DeckError(f"{source}: not TOML: {error}") from None


# --- parsing ----------------------------------------------------------------------------------------
def parse_deck(table_or_list: Mapping[str, object] | Sequence[object], source: str = "contracts") -> Deck:
    """The deck that a table in the form of a deck file describes, or a bare list of contract tables.

    A bare list, as a scenario holds it, becomes a deck named "inline". `source` is what messages call the
    list of contracts. Raises DeckError naming the entry, its value and what is allowed.
    """
    try:
        if isinstance(table_or_list, Mapping):
            return _build_deck(table_or_list, source)
        return Deck("inline", "inline", _read_contracts(table_or_list, source), None)
    except _Fault as fault:
        raise DeckError(str(fault)) from None


def deck_to_dict(deck: Deck) -> dict[str, object]:
    """The table of `deck`, in the form of a deck file: `parse_deck` of it is equal to `deck`."""
    table: dict[str, object] = {"name": deck.name, "title": deck.title}
    if deck.contracts_to_end is not None:
        table["contracts_to_end"] = deck.contracts_to_end
    table["contracts"] = [asdict(contract) for contract in deck.contracts]
    return table


def _build_deck(table: Mapping[str, object], source: str = "contracts") -> Deck:
    for key in table:
        if key not in _DECK_KEYS:
            raise _Entry(str(key), str(key)).fault(f"unknown key; allowed are {', '.join(_DECK_KEYS)}")
    for key in ("name", "contracts"):
        if key not in table:
            raise _Entry(key, "").fault("missing; a deck needs name and contracts")
    name = _read_label(table["name"], _Entry("name", "name"))
    title = _read_label(table.get("title", name), _Entry("title", "title"))
    contracts = _read_contracts(table["contracts"], source)
    to_end = None
    if "contracts_to_end" in table:
        entry = _Entry("contracts_to_end", "contracts_to_end")
        to_end = _read_number(table["contracts_to_end"], 1, len(contracts), entry)
    return Deck(name, title, contracts, to_end)


def _read_contracts(value: object, source: str) -> tuple[Contract, ...]:
    entry = _Entry(source, "contracts")
    if not isinstance(value, list | tuple):
        raise entry.fault(f"must be a list of contract tables, not {_describe(value)}")
    if not 1 <= len(value) <= MAX_CONTRACTS:
        raise entry.fault(f"{len(value)} contracts; must be 1 to {MAX_CONTRACTS}")
    return tuple(_read_contract(table, index, source) for index, table in enumerate(value))


def _read_contract(table: object, index: int, source: str) -> Contract:
    whole = _Entry(f"{source}[{index}]", "", index)
    if not isinstance(table, Mapping):
        raise whole.fault(f"must be a table of {', '.join(_CONTRACT_KEYS)}, not {_describe(table)}")
    entries = {str(key): _Entry(f"{whole.text}.{key}", str(key), index) for key in table}
    for key, entry in entries.items():
        if key not in _CONTRACT_KEYS:
            raise entry.fault(f"unknown key; allowed are {', '.join(_CONTRACT_KEYS)}")
    for key in _CONTRACT_KEYS:
        if key not in table:
            raise _Entry(f"{whole.text}.{key}", "", index).fault(f"missing; needed are {', '.join(_CONTRACT_KEYS)}")
    return Contract(
        needs=_read_needs(table["needs"], entries["needs"]),
        money=_read_number(table["money"], 0, MAX_REWARD, entries["money"]),
        vp=_read_number(table["vp"], 0, MAX_REWARD, entries["vp"]),
        bonus=_read_choice(table["bonus"], BONUS_NAMES, entries["bonus"]),
        automa=_read_choice(table["automa"], ICON_NAMES, entries["automa"]),
    )


def _describe(value: object) -> str:
    """The value and its type, for a message; shortened, for it may be long."""
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"


def _read_label(value: object, entry: _Entry) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise entry.fault(f"must be printable text in one line, not {_describe(value)}")
    return value


def _read_needs(value: object, entry: _Entry) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_NEEDS or set(value) - set(RESOURCE_LETTERS):
        raise entry.fault(f"must be 1 to {MAX_NEEDS} letters of {RESOURCE_LETTERS}, not {_describe(value)}")
    return value


def _read_number(value: object, least: int, most: int, entry: _Entry) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise entry.fault(f"must be a whole number from {least} to {most}, not {_describe(value)}")
    return value


def _read_choice(value: object, choices: tuple[str, ...], entry: _Entry) -> str:
    if not isinstance(value, str) or value not in choices:
        raise entry.fault(f"must be one of {', '.join(choices)}, not {_describe(value)}")
    return value


# --- positions in a file ------------------------------------------------------------------------------
def _locate_entry(text: str, entry: _Entry) -> str:
    """Return ":line:column" of the entry, else of the contract that lacks it, or "" where the file has neither."""
    places = _find_entries(text)
    offset = places.get((entry.contract, entry.key), places.get((entry.contract, "")))
    return "" if offset is None else _line_and_column(text, offset)


def _line_and_column(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f":{line}:{column}"


def _find_entries(text: str) -> dict[tuple[int | None, str], int]:
    """Where things stand in a valid TOML text: by (None, key of the deck), (contract, its key), (contract, "")."""
    places: dict[tuple[int | None, str], int] = {}
    owner: int | None = None  # whose keys the statements set: the deck's, or those of the contract under a header
    inline = -1  # the last contract in braces
    count = 0
    top_key = brackets = ""  # the deck's key whose value is being read, the brackets that are open
    for token in _TOKEN.finditer(text):
        part = token[0].strip()
        start = token.end() - len(part)
        name = part.strip("[]\"' \t")
        if token.lastgroup == "header" and not brackets:
            places.setdefault((None, name), start)
            owner = _OTHER_TABLE
            if name == "contracts":
                owner, count = count, count + 1
                places[owner, ""] = start
        elif token.lastgroup == "bracket":
            if part == "{" and brackets == "[" and top_key == "contracts":
                inline, count = count, count + 1
                places[inline, ""] = start
            brackets = brackets + part if part in "[{" else brackets[:-1]
        elif token.lastgroup == "word" and _EQUALS.match(text, token.end()):
            if not brackets:
                top_key = name if owner is None else ""
                places.setdefault((owner, name), start)
            elif brackets == "[{" and top_key == "contracts":
                places.setdefault((inline, name), start)
    return places
