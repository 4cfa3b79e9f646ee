"""What rules of games have in common: fields that are checked, and read and written as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, fields
from typing import Any, Self

from steam_env.kit.checks import as_integer
from steam_env.kit.json_text import dump_json, parse_json
from steam_env.kit.show import show
from steam_env.kit.toml_file import as_name


class Configuration:
    """Base of a frozen dataclass ``Rules``: the same after a JSON round trip, with checks for ``__post_init__``."""

    def to_dict(self) -> dict[str, Any]:
        """Every field by name; ``Rules.from_dict`` reads it back."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]

    def to_table(self, names: Collection[str]) -> dict[str, Any]:
        """Those of the named fields that are set: TOML has no word for None, which is what a field left out means."""
        return {name: value for name, value in self.to_dict().items() if name in names and value is not None}

    def to_json(self) -> str:
        """The rules as one line of JSON; ``Rules.from_json`` reads it back."""
        return dump_json(self.to_dict())

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Rules from field names and values; an unknown name raises ``ValueError``."""
        if not isinstance(values, Mapping):
            raise ValueError(f"rules must be a table of fields, not {show(values)} of type {type(values).__name__}")
        known = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        for name in values:
            if name not in known:
                raise ValueError(f"{show(name)} is no field of Rules: allowed are {', '.join(known)}")
        return cls(**values)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rules from the text of ``to_json``."""
        try:
            values = parse_json(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"rules must be a JSON object, and {show(text)} is no JSON: {error}") from None
        return cls.from_dict(values)

    def _check_word(self, name: str, allowed: tuple[str, ...]) -> None:
        """Refuse a field that is none of the words."""
        value = getattr(self, name)
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(f"{name}={show(value)}: allowed are {', '.join(map(repr, allowed))}")

    def _check_name(self, name: str) -> None:
        """Refuse a field that is no shipped name or path; a path becomes a text, which JSON holds."""
        value = as_name(getattr(self, name))
        if not isinstance(value, str) or not value:
            raise ValueError(f"{name}={show(value)}: a name or the path of a file is allowed")
        object.__setattr__(self, name, value)

    def _check_flag(self, name: str) -> None:
        """Refuse a field that is neither True nor False."""
        value = getattr(self, name)
        if not isinstance(value, bool):
            raise ValueError(f"{name}={show(value)}: True or False is allowed")

    def _check_number(self, name: str, low: int, high: int, word: str | None = None) -> None:
        """Refuse a field that is no whole number in the range, nor the word, if there is one that stands for others.

        A number of NumPy becomes an int: equal rules hash alike.
        """
        value = getattr(self, name)
        if word is not None and isinstance(value, str) and value == word:
            return
        allowed = f"only {low} is allowed" if low == high else f"{low} to {high} are allowed"
        allowed += "" if word is None else f", or {word!r}"
        try:
            number = as_integer(value, name)
        except ValueError as error:
            raise ValueError(f"{error}; {allowed}") from None
        if not low <= number <= high:
            raise ValueError(f"{name}={show(number)}: {allowed}")
        object.__setattr__(self, name, number)
