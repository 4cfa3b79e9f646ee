"""What an engine must offer to be tested here, and the engines that there are."""

import random
from collections.abc import Mapping
from typing import Any, Protocol

from tests.rules_steam.kernels import Kernels
from tests.verification.reference_steam import Deal, Reference, Rules


class Engine(Protocol):
    """A game of Steam. Rules are cited as ``8.3a``."""

    @classmethod
    def from_scenario(cls, scenario: Mapping[str, Any], rng: random.Random | None = None) -> "Engine":
        """At the position of a scenario; ``rng`` draws what is left out. A ValueError if it cannot be."""

    @classmethod
    def from_deal(cls, rules: Rules, board: Mapping[str, Any], deal: Deal) -> "Engine":
        """At the start of a game on a map (a table as in map files), with these outcomes of chance."""

    @classmethod
    def from_chance(cls, rules: Rules, board: Mapping[str, Any], rng: random.Random) -> "Engine":
        """At the start of a game, with outcomes that are drawn."""

    def legal(self) -> list[str]:
        """The texts of all legal actions, in the order of their numbers."""

    def legal_actions(self) -> list[int]:
        """Their numbers."""

    def number_of(self, text: str) -> int:
        """The number of the action with this text; a ValueError if there is none."""

    def text_of(self, number: int) -> str:
        """The text of the action with this number; a ValueError if there is none."""

    def apply(self, action: int | str) -> None:
        """Play a legal action. A ValueError for any other one, which changes nothing."""

    def copy(self) -> "Engine":
        """A game of its own at the same position."""

    def explain_placement(self, hex_name: str, pattern: str) -> str | None:
        """The rule that forbids the mover to lay this now; None if it is legal."""

    def state(self) -> dict[str, Any]:
        """The position: everything public, as plain values."""

    def to_scenario(self, board: Mapping[str, Any]) -> dict[str, Any]:
        """The position as a scenario; ``board``: the map as a table."""


ENGINES: dict[str, type[Engine]] = {"kernels": Kernels, "reference": Reference}
