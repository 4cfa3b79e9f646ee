"""TOML files of people: those that ship, those at a path, and where in one something is wrong."""

import os
import re
import tomllib
from importlib import resources
from importlib.resources.abc import Traversable

from steam_env.kit.text_files import as_text, decode, locate_offset, read_text

_SYNTAX_POSITION = re.compile(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
# A key with many dots, at the begin of a line or inside brackets: reading it takes the square of its length.
MAX_KEY_PARTS = 16
_LONG_KEY = re.compile(
    rf"""(?m)(?:^|(?<=[\[{{,]))[ \t]*+(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS},}}+[\w"'-]++[ \t]*+[=\]]"""
)


def list_shipped(package: str, folder: str) -> tuple[str, ...]:
    """Names of the files in a folder of a package's data, without their ending, sorted."""
    entries = _open_folder(package, folder).iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))


def _open_folder(package: str, folder: str) -> Traversable:
    return resources.files(package) / folder


def read_named(
    name_or_path: str | os.PathLike[str], package: str, folder: str, what: str, fault: type[ValueError]
) -> tuple[str, str]:
    """(text, source) of a file that ``package`` ships in ``folder``, or of a path.

    A path is anything with a path separator or ending in ".toml".

    Raises:
        ValueError: for an unknown name.
        fault: for a file that cannot be read as text.
    """
    name = os.fspath(name_or_path)
    if isinstance(name_or_path, os.PathLike) or _is_path(name):
        return read_text(name, what, fault), name
    if name not in list_shipped(package, folder):
        allowed = ", ".join(list_shipped(package, folder))
        there = f"; {os.path.join(os.curdir, name)!r} names the file here" if os.path.isfile(name) else ""
        there = "; there is a folder of this name" if os.path.isdir(name) else there
        raise ValueError(f"{what}: {name!r} is not shipped; must be one of {allowed}, or a path to a file{there}")
    file = f"{name}.toml"
    return decode((_open_folder(package, folder) / file).read_bytes(), file, fault), file


def as_name(name_or_path: object) -> object:
    """A path as a text that means the same file, and no shipped one; anything else as it is."""
    text = as_text(name_or_path)
    if text is name_or_path or not isinstance(text, str) or _is_path(text):
        return text
    return os.path.join(os.curdir, text)


def _is_path(text: str) -> bool:
    separators = {"/", os.sep, os.altsep or os.sep}
    return text.endswith(".toml") or any(separator in text for separator in separators)


def parse_toml(text: str, source: str, fault: type[ValueError]) -> dict[str, object]:
    """The table that the text holds; ``fault`` with line and column if it is not TOML."""
    if long := _LONG_KEY.search(text):
        raise fault(f"{source}{locate_offset(text, long.start())}: a key has at most {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _SYNTAX_POSITION.fullmatch(str(error))
        if not match:
            raise fault(f"{source}: not TOML: {error}") from None
        position = f":{match[2]}:{match[3]}" if match[2] else locate_offset(text, len(text))
        raise fault(f"{source}{position}: not TOML: {match[1]}") from None
    except (ValueError, RecursionError) as error:  # a number with too many digits; brackets in brackets in ...
        raise fault(f"{source}: not TOML: {error}") from None
