"""The tables of ``docs/record.md``: the records of the core, field by field."""

from pathlib import Path

from steam_env.core.fields import describe_fields
from steam_env.core.steam_power.state import BOARD, BOARD_FIELDS, DECK, DECK_FIELDS, GAME, GAME_FIELDS
from steam_env.pages.blocks import renew_file

PAGE = Path("docs") / "record.md"
RECORDS = {"GAME": (GAME, GAME_FIELDS), "BOARD": (BOARD, BOARD_FIELDS), "DECK": (DECK, DECK_FIELDS)}


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, {"record": describe_record})}


def describe_record(name: str) -> str:
    """The size and the fields of a record."""
    record, fields = RECORDS[name]
    return f"{record.itemsize} bytes.\n\n{describe_fields(fields)}"
