"""Actions as text and back, in the words of the action table."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from steam_env.core.hexes import EDGE_NAMES, NUM_EDGES
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    BLOCKS,
    BUILD,
    CONTRACTS,
    DONE,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    MONEY,
    NUM_AMOUNTS,
    NUM_OTHERS,
    PAY_TO,
    REMOVE,
    REPLACE,
    SOURCE_FROM,
    START,
    TAKE,
    block_of,
)
from steam_env.core.steam_power.state import (
    FACTORY_RESOURCES,
    FACTORY_RESOURCES_TWO_SEATS,
    FINAL,
    MAX_CITIES,
    MAX_CONTRACTS,
    MULTIPLAYER,
)
from steam_env.data.steam_power.setting import Setting
from steam_env.kit.checks import compose
from steam_env.kit.errors import IllegalActionError
from steam_env.kit.show import show
from steam_env.words.seats import name_seat

PLAIN_WORDS = {"money": MONEY, "contracts": CONTRACTS, "done": DONE, "remove": REMOVE}


@dataclass(frozen=True)
class ActionTexts:
    """Texts of actions in one position: they depend on the map, the mover and the seats.

    Attributes:
        cities: names in map order.
        groups: by city, its group's first city.
        seat: the mover (0 after the end).
        seats: number of seats.
        usual_resources: what a factory brings (rule 5.2).
    """

    cities: tuple[str, ...]
    groups: tuple[int, ...]
    seat: int
    seats: int
    usual_resources: int

    def text(self, action: int) -> str:
        """The text of an action id, 0 to 371."""
        block = block_of(action)
        offset = action - block.start
        if block.name in PLAIN_WORDS:
            return block.name
        return f"{block.name} {self._argument(block.start, offset)}"

    def _argument(self, start: int, offset: int) -> str:
        if start == START:
            return f"{self._city(offset // NUM_EDGES)} {EDGE_NAMES[offset % NUM_EDGES]}"
        if start in (HEAD_TO, REPLACE):
            return EDGE_NAMES[offset]
        if start in (BUILD, SOURCE_FROM, HOP_TO):
            return self._city(offset)
        if start == AMOUNT_OF:
            return str(self.usual_resources - 1 + offset)
        if start == FULFIL:
            return str(offset)
        return self._other(offset)

    def _city(self, city: int) -> str:
        return self.cities[city] if city < len(self.cities) else f"#{city}"

    def _other(self, offset: int) -> str:
        steps = offset + 1
        return name_seat((self.seat + steps) % self.seats) if steps < self.seats else f"#{steps}"

    def parse(self, text: str) -> int:
        """The id of an action's text; a hop may name any city of the group.

        Raises:
            IllegalActionError: naming the text and what is allowed.
        """
        if not isinstance(text, str):
            raise IllegalActionError(f"{show(text)} is no action: a text is needed, not {type(text).__name__}")
        words = compose(text).split()
        if len(words) == 1 and words[0] in PLAIN_WORDS:
            return PLAIN_WORDS[words[0]]
        readers: dict[str, Callable[[str], int]] = {
            "start": self._parse_start,
            "head": lambda rest: HEAD_TO + self._edge(rest),
            "replace": lambda rest: REPLACE + self._edge(rest),
            "build": lambda rest: BUILD + self._city_index(rest),
            "amount": self._parse_amount,
            "fulfil": self._parse_fulfil,
            "source": lambda rest: SOURCE_FROM + self._city_index(rest),
            "hop": self._parse_hop,
            "pay": lambda rest: PAY_TO + self._other_index(rest),
            "take_from": lambda rest: TAKE + self._other_index(rest),
        }
        if not words or words[0] not in readers:
            allowed = ", ".join(block.name for block in BLOCKS)
            raise IllegalActionError(f"{show(text)} is no action: the first word must be one of {allowed}")
        try:
            return readers[words[0]](" ".join(words[1:]))
        except ValueError as error:
            raise IllegalActionError(f"{show(text)} is no action: {error}") from None

    def _parse_start(self, rest: str) -> int:
        city, _, edge = rest.rpartition(" ")
        return START + self._city_index(city) * NUM_EDGES + self._edge(edge)

    def _parse_amount(self, rest: str) -> int:
        choices = [str(self.usual_resources - 1 + choice) for choice in range(NUM_AMOUNTS)]
        if rest not in choices:
            raise ValueError(f"the amount must be one of {', '.join(choices)}")
        return AMOUNT_OF + choices.index(rest)

    def _parse_fulfil(self, rest: str) -> int:
        return FULFIL + _number_below(rest, MAX_CONTRACTS, "contract number")

    def _parse_hop(self, rest: str) -> int:
        city = self._city_index(rest)
        return HOP_TO + (self.groups[city] if city < len(self.groups) else city)

    def _edge(self, name: str) -> int:
        if name not in EDGE_NAMES:
            raise ValueError(f"the edge must be one of {', '.join(EDGE_NAMES)}, not {show(name)}")
        return EDGE_NAMES.index(name)

    def _city_index(self, name: str) -> int:
        if name in self.cities:
            return self.cities.index(name)
        if name.startswith("#"):
            return _number_below(name[1:], MAX_CITIES, "city number")
        raise ValueError(f"the city must be one of {', '.join(self.cities)}, not {show(name)}")

    def _other_index(self, name: str) -> int:
        others = [name_seat((self.seat + steps) % self.seats) for steps in range(1, self.seats)]
        if name in others:
            return others.index(name)
        if name.startswith("#"):
            return _number_below(name[1:], NUM_OTHERS + 1, "seat") - 1
        raise ValueError(f"the seat must be one of {', '.join(others)}, not {show(name)}")


def _number_below(text: str, bound: int, what: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < bound):
        raise ValueError(f"the {what} must be 0 to {bound - 1}, not {show(text)}")
    return int(text)


def texts_of(record: np.record, setting: Setting) -> ActionTexts:
    """The texts of the position's actions."""
    cities, board = setting.map.cities, setting.boards[0]
    return ActionTexts(
        cities=cities,
        groups=tuple(int(group) for group in board.group[: len(cities)]),
        seat=max(int(record.seat), 0),
        seats=int(record.num_seats),
        usual_resources=usual_resources(record),
    )


def usual_resources(record: np.record) -> int:
    """What a factory brings, but for bonuses (rule 5.2)."""
    two_seats = record.num_seats == 2 and record.edition == FINAL and record.mode == MULTIPLAYER
    return FACTORY_RESOURCES_TWO_SEATS if two_seats else FACTORY_RESOURCES
