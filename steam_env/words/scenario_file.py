"""Scenario files: reading and writing TOML that people can read, with the game's id in it."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from steam_env.core.fields import SPARE
from steam_env.kit.errors import ScenarioError
from steam_env.kit.files import write_whole
from steam_env.kit.show import show, show_name
from steam_env.kit.text_files import read_text
from steam_env.kit.toml_file import parse_toml
from steam_env.spec import GameSpec, Position, find_known

GAME = "game"  # the entry with the game's id; without one it is the default game
RULES, POSITION = "rules", "position"  # the others of a game that does not write scenarios in its own way
LINE_LENGTH = 110

_ITEM = r'(?:-?\d+|"[^"\\\n]*"|\[[^\[\]\n]*\])'  # a number, a name, a list that stands in one line
_ARRAY = re.compile(rf'^([^\n\[\]{{}}"]*)\[\n((?:[ ]+{_ITEM},\n)+)[ ]*\]', re.MULTILINE)


def dump_scenario(scenario: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a scenario, as ``write_scenario`` gives it, to a TOML file for people to read.

    Raises:
        OSError: if the file cannot be written.
    """
    write_whole(Path(path), dump_scenario_text(scenario))


def dump_scenario_text(scenario: Mapping[str, Any]) -> str:
    """The text of that file."""
    import tomli_w

    text = _ARRAY.sub(_join_array, tomli_w.dumps(scenario))
    return _ARRAY.sub(_join_array, text)  # now the lists of lists


def _join_array(match: re.Match[str]) -> str:
    """A list, which tomli_w writes one item a line, in as few lines as it needs."""
    before, items = match[1], [line.strip(" ,") for line in match[2].splitlines()]
    indent = " " * (len(before) - len(before.lstrip()))
    if len(before) + len(", ".join(items)) + 2 <= LINE_LENGTH:
        return f"{before}[{', '.join(items)}]"
    if items[0].startswith("["):
        return match[0]
    return f"{before}[\n{_wrap_items(items, indent + 4 * ' ')}\n{indent}]"


def _wrap_items(items: Sequence[str], indent: str) -> str:
    """The items in lines that are no longer than allowed."""
    lines = [indent + items[0] + ","]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 2 <= LINE_LENGTH:
            lines[-1] += f" {item},"
        else:
            lines.append(f"{indent}{item},")
    return "\n".join(lines)


def read_scenario(source: Mapping[str, Any] | str | os.PathLike[str], seed: int) -> tuple[GameSpec, Position]:
    """The game and the position of a scenario.

    Args:
        source: the scenario as a dict, or the path of a TOML file.
        seed: decides what the scenario leaves out.

    Raises:
        ScenarioError: naming the file, if there is one, the entry at fault, its value and what is allowed.
    """
    table = open_scenario(source)
    try:
        return _read_table(table, seed)
    except ScenarioError as error:
        where = "" if isinstance(source, Mapping) else f" (in {show_name(os.fspath(source))})"
        raise ScenarioError(f"{error}{where}") from None


def open_scenario(source: Mapping[str, Any] | str | os.PathLike[str]) -> Mapping[str, Any]:
    """The table of a scenario, as it stands in a file, or as it is.

    Raises:
        ScenarioError: for a file that cannot be read, or that is not TOML.
    """
    if isinstance(source, Mapping):
        return source
    path = os.fspath(source)
    return parse_toml(read_text(path, "scenario", ScenarioError), path, ScenarioError)


def _read_table(table: Mapping[str, Any], seed: int) -> tuple[GameSpec, Position]:
    try:
        spec = find_known(table.get(GAME))
    except ValueError as error:
        raise ScenarioError(str(error)) from None
    read = spec.words.read_scenario or partial(_read_fields, spec)
    return spec, read({name: value for name, value in table.items() if name != GAME}, seed)


def _read_fields(spec: GameSpec, table: Mapping[str, Any], seed: int) -> Position:
    """The position of a scenario that has the rules and every field of the record by name."""
    for name in (RULES, POSITION):
        if not isinstance(table.get(name), Mapping):
            raise ScenarioError(f"{name}: must be a table, not {show(table.get(name))}")
    try:
        setting = spec.load(spec.facts.rules.from_dict(table[RULES]))
        records = setting.blank.copy()
        for name, value in table[POSITION].items():
            records[name] = value
        return Position(setting, spec.kernels.check_records(records, setting))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ScenarioError(f"{POSITION}: {error}") from None


def _write_fields(position: Position) -> dict[str, Any]:
    record = position.records[0]
    if record["seat"] < 0:
        raise ValueError("the game is over: it has no scenario")
    fields = {name: record[name].tolist() for name in record.dtype.names if name != SPARE}
    return {RULES: position.setting.rules.to_dict(), POSITION: fields}


def write_scenario(spec: GameSpec, position: Position) -> dict[str, Any]:
    """The scenario of a position, with its game's id before all else.

    Raises:
        ValueError: inside an action, or after the end.
    """
    return {GAME: spec.game, **(spec.words.write_scenario or _write_fields)(position)}


def keep_scenario(
    spec: GameSpec, position: Position, source: Mapping[str, Any] | str | os.PathLike[str]
) -> dict[str, Any]:
    """The scenario with which a game begins that was read from ``source``, for its saves: nothing is left to chance.

    Of a position of which no scenario tells, such as an auction before the first turn, it is what was read; the seed
    decides the rest again.
    """
    try:
        return write_scenario(spec, position)
    except ValueError:
        return copy.deepcopy({**open_scenario(source), GAME: spec.game})
