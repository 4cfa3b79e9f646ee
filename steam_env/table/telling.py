"""Positions told to programs in any language and to language models: a view as plain data, a game as a page of text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.spec import Setting, find_spec
from steam_env.table.engine import find_engine
from steam_env.table.mixture import list_parts, single_out
from steam_env.words.seats import name_seat

if TYPE_CHECKING:
    from steam_env.table.game import Game
    from steam_env.table.view import View

FORMAT = "steam_env view"
SCHEMA = 1  # of the JSON, docs/protocol/view-1.schema.json; changes with the name or the meaning of an entry
PAGE_WIDTH = 100  # characters of a line of actions
COLUMN_GAP = "   "  # between two actions on a line: no text of an action has so many blanks
COLOR_CODES = re.compile(r"\x1b\[[0-9;]*m")  # boards have colour on a terminal


def tell_view(view: View) -> dict[str, Any]:
    """What a seat sees of one game as plain numbers, texts, lists and dicts, see ``View.to_dict``."""
    part, records = single_setting(view), single_out(view.records, view.setting, np.arange(1))
    engine, record = find_engine(part.rules.game), records[0]
    facts = engine.spec.facts
    scores, _ = engine.score(records, part)
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "game": part.rules.game,
        "seat": None if view.seat == NONE else view.seat,
        "mover": None if record["seat"] == NONE else int(record["seat"]),
        "phase": facts.phases[record["phase"]],
        "round": int(record["round_number"]),
        "done": bool(record["seat"] == NONE),
        "truncated": bool(record["truncated"]),
        "scores": [dict(zip(facts.score_parts, row, strict=True)) for row in scores[0].tolist()],
        "position": engine.spec.sight.tell_position(part, record),
    }


def single_setting(view: View) -> Setting:
    """The setting of a view of one game, which may be part of a mixture."""
    _, setting, _ = next(list_parts(view.records, view.setting))
    return setting


def describe_game(game: Game, seat: int) -> str:
    """One page: the rules in short, the position as the seat sees it, its legal actions; see ``Game.describe``."""
    spec = find_spec(game.rules.game)
    nothing = np.zeros_like(game.mask)  # the actions are told below, each by its whole text
    scene = spec.sight.scene(game.setting, game.records, nothing, seat)
    parts = [
        f"# The rules of {spec.facts.title}, in short",
        spec.words.summarise_rules(game.setting),
        "\n".join(f"{block.name}: {block.meaning}" for block in spec.facts.blocks),
        f"# The position, as {name_seat(seat)} sees it",
        COLOR_CODES.sub("", spec.sight.draw_text(scene)),
        "# Legal actions",
        _tell_actions(game, seat),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _tell_actions(game: Game, seat: int) -> str:
    """The legal actions, if they are the seat's: others' might tell what is in a hand."""
    if game.done:
        return "None: the game is over."
    if seat != game.seat and not game.setting.is_solo:
        return f"None now: {name_seat(game.seat)} decides."
    return _set_in_columns(game.legal_text())


def _set_in_columns(texts: Sequence[str]) -> str:
    """Texts side by side, as many as a line holds."""
    width = max(map(len, texts))
    count = max(1, (PAGE_WIDTH + len(COLUMN_GAP)) // (width + len(COLUMN_GAP)))
    rows = (texts[start : start + count] for start in range(0, len(texts), count))
    return "\n".join(COLUMN_GAP.join(text.ljust(width) for text in row).rstrip() for row in rows)
