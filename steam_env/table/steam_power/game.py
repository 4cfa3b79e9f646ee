"""``Game`` of Steam Power: one game, with what lies on its table by name."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import COLOR_NAMES, PLACE_FULFILLED, PLACE_HAND
from steam_env.data.steam_power.setting import Setting
from steam_env.kit.checks import compose
from steam_env.kit.show import show
from steam_env.table.game import Game as SharedGame
from steam_env.words.steam_power.links import describe_link, trace_links


class Game(SharedGame):
    """One game of Steam Power: its position, what is legal, what happened.

    Args:
        rules: the configuration, a ``steam_env.Rules``.
        seed: fixes the deal and all chance in play; ``None`` draws one (see ``seed``).
        deal: the outcome of a deal (the values of a game's ``deal`` event), to use instead of drawing one.

    Raises:
        ValueError: for a bad seed, an unknown map or deck, a deck too small for the seats.

    Example:
        >>> from steam_env import Rules
        >>> game = Game(Rules(num_players=3, map="mini", contracts="mini"), seed=1)
        >>> game.phase, game.round
        ('action', 1)
    """

    kind: ClassVar[str | None] = "steam_power"
    _setting: Setting

    @property
    def setting(self) -> Setting:
        """Rules, map and deck."""
        return self._setting

    @property
    def actions_left(self) -> int:
        """Number of actions of the turn that are not over yet."""
        return int(self._records["actions_left"][0])

    @property
    def money(self) -> list[int]:
        """Dollars of each seat; in solo those of the one purse."""
        return self._per_seat("money")[: self.rules.seats]

    @property
    def trains(self) -> list[int]:
        """Trains in reserve of each seat."""
        return self._per_seat("trains")

    @property
    def factories_left(self) -> list[int]:
        """Factories in reserve of each seat."""
        return self._per_seat("factories")

    def hand(self, seat: int) -> list[int]:
        """Numbers of the contracts in the seat's hand, ascending."""
        return self._contracts_at(PLACE_HAND + self._player_of(seat))

    def fulfilled(self, seat: int) -> list[int]:
        """Numbers of the contracts that the seat has fulfilled, ascending."""
        return self._contracts_at(PLACE_FULFILLED + self._player_of(seat))

    def _contracts_at(self, place: int) -> list[int]:
        contracts: list[int] = np.flatnonzero(self._records["place"][0] == place).tolist()
        return contracts

    def _player_of(self, seat: object) -> int:
        """Whose hand the seat has: in solo the one player's."""
        number = self._check_seat(seat)
        return 0 if self.rules.mode == "solo" else number

    @property
    def deck_size(self) -> int:
        """Number of contracts in the deck."""
        return int(self._records["deck_size"][0])

    @property
    def off_map(self) -> dict[str, int]:
        """City tiles beside the map, by colour as a word (rule 2.1)."""
        return {name: int(count) for name, count in zip(COLOR_NAMES, self.record.off_map, strict=True)}

    def city(self, name: str) -> dict[str, Any]:
        """One city: color, owner (or None), resources, flipped, group (its cities), connected (seats).

        Raises:
            ValueError: naming the city and those that there are.
        """
        cities, name = self._setting.map.cities, compose(name)
        if name not in cities:
            raise ValueError(f"no city {show(name)}: the map has {', '.join(cities)}")
        index, record, board = cities.index(name), self.record, self._setting.boards[0]
        group = int(board.group[index])
        owner = int(record.owner[index])
        resources = int(record.resources[index])
        return {
            "color": COLOR_NAMES[record.color[index]],
            "owner": None if owner == NONE else owner,
            "resources": resources,
            "flipped": owner != NONE and resources == 0,
            "group": [other for other, of in zip(cities, board.group, strict=False) if of == group],
            "connected": [seat for seat in range(self.seats) if int(record.network[seat]) >> group & 1],
        }

    def links(self) -> list[dict[str, Any]]:
        """All links in the order in which they were begun: owner, path, complete, open."""
        board = self._setting.boards[0]
        return [describe_link(link, board, self._setting.map) for link in trace_links(self.record, board)]
