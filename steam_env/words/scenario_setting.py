"""The entries of a scenario that say what is played: rules, and the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from steam_env.kit.configuration import Configuration
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import describe, show
from steam_env.kit.toml_file import as_name
from steam_env.words.values import as_table, begin_with


class Named(Protocol):
    """What has a name, such as a map."""

    @property
    def name(self) -> str: ...  # noqa: D102 - see the class


M = TypeVar("M", bound=Named)
R = TypeVar("R", bound=Configuration)


def read_rules(value: object, kind: type[R], keys: Sequence[str], own: Mapping[str, str]) -> R:
    """The rules of a scenario.

    Args:
        value: its entry ``rules``.
        kind: the class of the rules.
        keys: fields that may stand there.
        own: fields that are entries of the scenario itself, with their values.

    Raises:
        ScenarioError: naming the entry that is wrong.
    """
    given: Mapping[str, object] = value if isinstance(value, Mapping) else {}
    misplaced = next((name for name in own if name in given), None)
    if misplaced is not None:
        told = show(given[misplaced])
        raise ScenarioError(f"rules.{misplaced}: {told} stands here; it is the scenario's own entry {misplaced}")
    table = as_table(value, "rules", keys)
    try:
        return kind.from_dict({**table, **own})
    except ValueError as error:
        raise ScenarioError(f"rules.{error}") from None


def read_map(value: object, find: Callable[[str], M], parse: Callable[[Any, str], M]) -> tuple[str, M]:
    """The map of a scenario, a shipped one by name or its table: the name by which rules call it, and the map.

    Raises:
        ScenarioError: naming what is wrong.
    """
    value = as_name(value)
    if not isinstance(value, str | Mapping):
        raise ScenarioError(f"map: must be a shipped name or a map's table, not {describe(value)}")
    try:
        board = find(value) if isinstance(value, str) else parse(value, "map")
    except ValueError as error:
        raise ScenarioError(begin_with("map", str(error))) from None
    return value if isinstance(value, str) else board.name, board
