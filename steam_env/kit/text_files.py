"""Text files of people: found, read and decoded in one way, whatever stands in them."""

from __future__ import annotations

import codecs
import os
from pathlib import Path
from stat import S_ISREG
from typing import Any

from steam_env.kit.files import tell_reason
from steam_env.kit.show import show_name

MAX_FILE_BYTES = 2**20  # of a file that a person writes
MAX_MADE_BYTES = 2**30  # of one that a program writes
OTHER_ENCODINGS = {  # by their byte order marks, of which one of UTF-32 begins like one of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def as_text(path: Any) -> Any:
    """A path as a text; anything else as it is."""
    return os.fsdecode(path) if isinstance(path, os.PathLike) else path


def read_bytes(path: str | os.PathLike[str], what: str, fault: type[ValueError], most: int = MAX_FILE_BYTES) -> bytes:
    """The content of the file, which is what it should be; ``fault`` if there is none that can be read."""
    try:
        with Path(path).open("rb") as file:
            told = os.fstat(file.fileno())
            ends = S_ISREG(told.st_mode) and told.st_size <= most  # a device may never end
            data = file.read() if ends else file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        where = f"a {what} file cannot be read there" if what else "cannot be read"
        raise fault(f"{show_name(os.fspath(path))}: {where}: {tell_reason(error)}") from None
    if len(data) > most:
        raise fault(f"{path}: larger than {f'a {what}' if what else 'such a'} file may be, {most} bytes")
    return data


def decode(data: bytes, source: str, fault: type[ValueError]) -> str:
    """UTF-8 text with the line ends that parsers see, so that positions agree; a byte order mark is left out."""
    for mark, name in OTHER_ENCODINGS.items():
        if data.startswith(mark):
            raise fault(f"{source}: begins with the byte order mark of {name}; UTF-8 is allowed")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        position = locate_offset(before, len(before))
        raise fault(f"{source}{position}: byte {data[error.start]:#04x} is not UTF-8") from None
    return text.replace("\r\n", "\n")


def read_text(path: str | os.PathLike[str], what: str, fault: type[ValueError], most: int = MAX_FILE_BYTES) -> str:
    """The text of the file; ``fault`` if there is none."""
    return decode(read_bytes(path, what, fault, most), show_name(os.fspath(path)), fault)


def locate_offset(text: str, offset: int) -> str:
    """The position in the text as ":line:column", both from 1."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f":{line}:{column}"
