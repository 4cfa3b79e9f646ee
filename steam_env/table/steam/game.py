"""``Game`` of Steam (2009): one game, with what lies on its table by name."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.scoring import rank_seats
from steam_env.data.steam.setting import Setting
from steam_env.table.game import Game as SharedGame
from steam_env.table.steam.position import describe_position
from steam_env.words.steam.links import describe_link, trace_links


class Game(SharedGame):
    """One game of Steam: its position, what is legal, what happened.

    Args:
        rules: the configuration, a ``steam_env.steam.Rules``.
        seed: fixes the deal; ``None`` draws one (see ``seed``). Nothing is random in play.
        deal: the outcome of a deal (the values of a game's ``deal`` event), to use instead of drawing one.

    Raises:
        ValueError: for a bad seed, an unknown map, or one that is not made for so many seats.

    Example:
        >>> from steam_env.steam import Rules
        >>> game = Game(Rules(map="mini"), seed=1)
        >>> game.phase, game.round
        ('take', 1)
    """

    kind: ClassVar[str | None] = "steam"
    _setting: Setting

    @property
    def setting(self) -> Setting:
        """Rules, map and table of tiles."""
        return self._setting

    def links(self) -> list[dict[str, Any]]:
        """All links in the order of their first (hex, edge): owner (-1 nobody), path, open, extended."""
        return [describe_link(link, self._setting) for link in trace_links(self.record, self._setting)]

    def state(self) -> dict[str, Any]:
        """Everything public at any decision, inside a chain too, as plain Python values.

        Keys: ``turn``, ``turns``, ``phase``, ``mover``, ``done``, ``order``, ``round``, ``placements``; by seat
        ``money``, ``income``, ``vp``, ``level``, ``bankrupt``, ``tile``, ``passed``, ``to_do``, ``improved``,
        ``complete_links``; ``cubes``, ``supply``, ``bag``, ``grown``, ``markers_left``, ``new_cities``, ``new_left``,
        ``tiles``, ``stock``, ``links``, ``chain``, ``auction``, ``scores``, ``winners``, ``places``.
        """
        scores, winners = self._engine.score(self._records, self._setting)
        ranks = rank_seats(self._records, scores)[0]
        places = [1 + int((ranks > rank).sum()) for rank in ranks]
        return {
            **describe_position(self.record, self._setting),
            "scores": [int(score[0]) for score in scores[0]],
            "winners": [int(seat) for seat in np.flatnonzero(winners[0])] if self.done else None,
            "places": places if self.done else None,
        }

    @property
    def money(self) -> list[int]:
        """Dollars of each seat."""
        return self._per_seat("money")

    @property
    def income(self) -> list[int]:
        """Income of each seat."""
        return self._per_seat("income")

    @property
    def vp(self) -> list[int]:
        """Victory points of each seat."""
        return self._per_seat("vp")

    @property
    def level(self) -> list[int]:
        """Level of each seat's locomotive."""
        return self._per_seat("level")

    @property
    def order(self) -> list[int]:
        """The order track: seats by place, bankrupt ones behind; empty during an auction."""
        return [seat for seat in self._per_seat("order") if self.record.opener == NONE]
