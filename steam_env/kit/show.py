"""Values in messages: shortened, and never an error of their own."""

SHOWN_CHARACTERS = 60
SHOWN_NAME = 1000  # characters, of a path say


def show(value: object) -> str:
    """The value for a message; shortened, for it may be long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number with too many digits; lists in lists in ...
        return "a value too long to be shown"
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."


def show_name(name: object) -> str:
    """The name of an entry or a file: as it is, but for characters that cannot be written."""
    if not isinstance(name, str) or len(name) > SHOWN_NAME:
        return show(name)
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def describe(value: object) -> str:
    """The value and its type, for a message."""
    return f"{show(value)} ({type(value).__name__})"
