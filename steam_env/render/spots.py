"""Places of a picture that mean something to a click: what a game says of each, beside where its canvas marks it."""

from typing import NamedTuple


class Spot(NamedTuple):
    """A place in the picture, by the name that ``Canvas.mark`` gives it.

    Attributes:
        title: what it is called, in a word or two.
        text: what there is to know of it, in words: shown under the pointer.
        actions: ids that a click there may mean in this position, legal or not, those that are meant most first.
            Empty: there is something to read, and nothing to do.
    """

    title: str
    text: str = ""
    actions: tuple[int, ...] = ()


def name_spot(kind: str, *numbers: int) -> str:
    """What a place is called: ``edge:12:3``."""
    return ":".join([kind, *map(str, numbers)])
