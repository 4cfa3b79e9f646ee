"""``Reference``: the whole game by the letter of the rules, to be compared with the product step by step."""

import copy
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.verification.reference_steam import describe, legal, score, setup, turn
from tests.verification.reference_steam.actions import action_of, name_action, number_of, read_action
from tests.verification.reference_steam.board import read_board
from tests.verification.reference_steam.phases import settle
from tests.verification.reference_steam.rules import Rules
from tests.verification.reference_steam.scenario import read_scenario, write_scenario
from tests.verification.reference_steam.state import Table
from tests.verification.reference_steam.tiles import read_pattern
from tests.verification.reference_steam.track import explain

Source = Mapping[str, Any] | Path  # of a map


class Reference:
    """A game, driven by texts or numbers of actions. Chance is in set-up alone."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._begin_decision()  # rule 14.1 also when a position is loaded

    def _begin_decision(self) -> None:
        settle(self.table)
        self._options = legal.list_legal(self.table)

    @classmethod
    def from_deal(cls, rules: Rules, board: Source, deal: setup.Deal) -> "Reference":
        """At the start of a game with these outcomes of chance."""
        return cls(setup.set_up(rules, read_board(board), deal))

    @classmethod
    def from_chance(cls, rules: Rules, board: Source, rng: random.Random) -> "Reference":
        """At the start of a game whose outcomes are drawn."""
        read = read_board(board)
        rules.check_map(read)
        return cls(setup.set_up(rules, read, setup.draw(rules, read, rng)))

    @classmethod
    def from_scenario(cls, scenario: Mapping[str, Any], rng: random.Random | None = None) -> "Reference":
        """At a position; ``rng`` draws what the scenario leaves out."""
        return cls(read_scenario(scenario, rng))

    # --- decisions ---
    phase = property(lambda self: self.table.phase)
    mover = property(lambda self: self.table.mover)
    done = property(lambda self: self.table.mover is None)

    def legal_actions(self) -> list[int]:
        """Numbers in rising order."""
        return sorted(number_of(self.table, action) for action in self._options)

    def legal(self) -> list[str]:
        """The texts of ``legal_actions``, in the same order."""
        return [name_action(self.table, action_of(self.table, number)) for number in self.legal_actions()]

    def text_of(self, number: int) -> str:
        return name_action(self.table, action_of(self.table, number))

    def number_of(self, text: str) -> int:
        return number_of(self.table, read_action(self.table, text))

    def apply(self, action: int | str) -> None:
        """Play a legal action. A ValueError for any other one, which changes nothing."""
        chosen = read_action(self.table, action) if isinstance(action, str) else action_of(self.table, action)
        if not legal.may_play(self.table, self._options, chosen):
            raise ValueError(f"{action!r} is not legal in {self.phase}: {self.legal()}")
        turn.play(self.table, chosen)
        self._begin_decision()

    def explain_placement(self, hex_name: str, pattern: str) -> str | None:
        """The rule that forbids the mover this placement now, as ``8.3a``; None if it is legal."""
        try:
            read = read_pattern(pattern)
        except ValueError:
            return "2.2"
        assert self.table.mover is not None
        return explain(self.table, self.table.mover, self.table.board.hex_of[hex_name], read)

    def copy(self) -> "Reference":
        """A game of its own at the same position; what never changes is shared."""
        fixed = (self.table.board, self.table.rules, self.table.tile_set)
        found = (self.table.by_track, self.table.by_owner)  # is found anew: parts of it are known by their identity
        return copy.deepcopy(self, {id(part): part for part in fixed} | {id(part): {} for part in found})

    # --- what there is to see ---
    def state(self) -> dict[str, Any]:
        """The position: everything public, as plain values."""
        return describe.describe(self.table)

    def to_scenario(self, board: Mapping[str, Any]) -> dict[str, Any]:
        """The position as a scenario; ``board``: the map as a table."""
        return write_scenario(self.table, board)

    def scores(self) -> list[int]:
        return score.scores(self.table)

    def winners(self) -> list[int]:
        return score.winners(self.table) if self.done else []

    def places(self) -> list[int]:
        return score.places(self.table) if self.done else []
