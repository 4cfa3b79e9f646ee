"""TOML files of people: finding a file, reading it, and saying where in it something is wrong."""

import os
import re
import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from steam_env.kit.show import show_name

_SYNTAX_POSITION = re.compile(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
# A key with many dots, at the begin of a line or inside brackets: reading it takes the square of its length.
MAX_KEY_PARTS = 16
_LONG_KEY = re.compile(
    rf"""(?m)(?:^|(?<=[\[{{,]))[ \t]*+(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS},}}+[\w"'-]++[ \t]*+[=\]]"""
)
MAX_FILE_BYTES = 2**20


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
        return decode(read_bytes(name, what, fault), name, fault), name
    if name not in list_shipped(package, folder):
        allowed = ", ".join(list_shipped(package, folder))
        raise ValueError(f"{what}: {name!r} is not shipped; must be one of {allowed}, or a path to a file")
    file = f"{name}.toml"
    return decode((_open_folder(package, folder) / file).read_bytes(), file, fault), file


def _is_path(text: str) -> bool:
    separators = {"/", os.sep, os.altsep or os.sep}
    return text.endswith(".toml") or any(separator in text for separator in separators)


def read_bytes(path: str, what: str, fault: type[ValueError]) -> bytes:
    """The content of the file; ``fault`` if there is none that can be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise fault(f"{show_name(path)}: a {what} file cannot be read there: {reason}") from None
    if len(data) > MAX_FILE_BYTES:
        raise fault(f"{path}: larger than a {what} file may be, {MAX_FILE_BYTES} bytes")
    return data


def decode(data: bytes, source: str, fault: type[ValueError]) -> str:
    """UTF-8 text with the line ends that TOML sees, so that positions agree."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        position = locate_offset(before, len(before))
        raise fault(f"{source}{position}: byte {data[error.start]:#04x} is not UTF-8") from None
    return text.replace("\r\n", "\n")


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


def locate_offset(text: str, offset: int) -> str:
    """The position in the text as ":line:column", both from 1."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f":{line}:{column}"
