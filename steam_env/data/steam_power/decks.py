"""Contract decks: what a deck file may say, how one is read, and the messages for one that is wrong.

A deck file is TOML: `name`, optionally `title` and `contracts_to_end`, and `contracts`, a list of tables
{ needs, money, vp, bonus, automa }. A contract's number in the game is its place in that list, from 0.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from steam_env.core.steam_power.state import (
    BONUS_NAMES,
    COLOR_LETTERS,
    ICON_NAMES,
    MAX_CONTRACTS,
    MAX_NEEDS,
    NUM_RESOURCES,
)
from steam_env.kit.show import describe, show_name
from steam_env.kit.text_files import locate_offset
from steam_env.kit.toml_file import list_shipped, parse_toml, read_named

RESOURCE_LETTERS = COLOR_LETTERS[:NUM_RESOURCES]
MAX_REWARD = 99  # dollars, or victory points

_DECK_KEYS = ("name", "title", "contracts_to_end", "contracts")
_CONTRACT_KEYS = ("needs", "money", "vp", "bonus", "automa")
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
    return list_shipped(__package__, "decks")


def load_deck(name_or_path: str | os.PathLike[str]) -> Deck:
    """Read and check a deck file.

    `name_or_path` is a shipped name, or a path: anything with a path separator or ending in ".toml".
    Raises ValueError for an unknown name, and its subclass DeckError for a file that is wrong.
    """
    text, source = read_named(name_or_path, __package__, "decks", "contracts", DeckError)
    table = parse_toml(text, source, DeckError)
    try:
        return _build_deck(table)
    except _Fault as fault:
        raise DeckError(f"{source}{_locate_entry(text, fault.entry)}: {fault}") from None


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
            raise _Entry(show_name(key), str(key)).fault(f"unknown key; allowed are {', '.join(_DECK_KEYS)}")
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
        raise entry.fault(f"must be a list of contract tables, not {describe(value)}")
    if not 1 <= len(value) <= MAX_CONTRACTS:
        raise entry.fault(f"{len(value)} contracts; must be 1 to {MAX_CONTRACTS}")
    return tuple(_read_contract(table, index, source) for index, table in enumerate(value))


def _read_contract(table: object, index: int, source: str) -> Contract:
    whole = _Entry(f"{source}[{index}]", "", index)
    if not isinstance(table, Mapping):
        raise whole.fault(f"must be a table of {', '.join(_CONTRACT_KEYS)}, not {describe(table)}")
    entries = {str(key): _Entry(f"{whole.text}.{show_name(key)}", str(key), index) for key in table}
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


def _read_label(value: object, entry: _Entry) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise entry.fault(f"must be printable text in one line, not {describe(value)}")
    return value


def _read_needs(value: object, entry: _Entry) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_NEEDS or set(value) - set(RESOURCE_LETTERS):
        raise entry.fault(f"must be 1 to {MAX_NEEDS} letters of {RESOURCE_LETTERS}, not {describe(value)}")
    return value


def _read_number(value: object, least: int, most: int, entry: _Entry) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise entry.fault(f"must be a whole number from {least} to {most}, not {describe(value)}")
    return value


def _read_choice(value: object, choices: tuple[str, ...], entry: _Entry) -> str:
    if not isinstance(value, str) or value not in choices:
        raise entry.fault(f"must be one of {', '.join(choices)}, not {describe(value)}")
    return value


# --- positions in a file ------------------------------------------------------------------------------
def _locate_entry(text: str, entry: _Entry) -> str:
    """Return ":line:column" of the entry, else of the contract that lacks it, or "" where the file has neither."""
    places = _find_entries(text)
    offset = places.get((entry.contract, entry.key), places.get((entry.contract, "")))
    return "" if offset is None else locate_offset(text, offset)


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
