"""``python -m steam_env.pages.steam_power.record``: the records of the core, field by field, as a page."""

from steam_env.core.fields import describe_fields
from steam_env.core.steam_power.state import BOARD, BOARD_FIELDS, DECK, DECK_FIELDS, GAME, GAME_FIELDS

HEAD = """\
# The records

Printed by `python -m steam_env.pages.steam_power.record`. A game is one `GAME` record; a batch is an array of them, so
`batch.records["money"]` is a view of the money in all games, a clone is a copy of bytes, and equal bytes mean equal
games. Maps and decks are `BOARD` and `DECK` records, which games only read. Every field is declared once, in
`steam_env/core/steam_power/state.py`. Masks have one bit for each index. Change records only through `step`.
"""


def describe_records() -> str:
    """The page: a table for each record."""
    parts = [HEAD]
    for name, record, fields in (
        ("GAME", GAME, GAME_FIELDS),
        ("BOARD", BOARD, BOARD_FIELDS),
        ("DECK", DECK, DECK_FIELDS),
    ):
        parts.append(f"## {name}\n\n{record.itemsize} bytes.\n\n{describe_fields(fields)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(describe_records(), end="")
