"""One game of Steam in both engines: what is compared at every decision, and where they differ."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.rules_steam.engines import Engine
from tests.rules_steam.kernels import Kernels
from tests.verification.lockstep.differences import Difference, as_difference, find_differences, play_through
from tests.verification.reference_steam import Deal, Reference, Rules

Start = Mapping[str, Any]  # {"scenario": ...}, or {"rules": ..., "map": ..., "seed": ...} of a deal
Begin = Callable[[Start, Kernels], Engine]  # makes the reference


def begin_kernels(start: Start) -> Kernels:
    """The kernels' game at the start.

    Raises:
        ValueError: if the scenario is refused.
    """
    if "scenario" in start:
        return Kernels.from_scenario(start["scenario"])
    return Kernels.from_chance(Rules(**start["rules"]), start["map"], random.Random(start["seed"]))


def begin_reference(start: Start, kernels: Kernels, engine: type[Engine] = Reference) -> Engine:
    """The reference at the same start; of a deal the kernels tell what chance decided.

    Raises:
        ValueError: likewise.
    """
    if "scenario" in start:
        return engine.from_scenario(start["scenario"])
    dealt = kernels.game.events[0].values
    cities = {city["name"]: cubes for city, cubes in zip(start["map"]["cities"], dealt["cities"], strict=True)}
    return engine.from_deal(Rules(**start["rules"]), start["map"], Deal(dealt["first"], cities, dealt["supply"]))


class Twins:
    """One game in both engines. After each step ``difference`` tells the first thing they do not agree on.

    Raises:
        ValueError: if both refuse the scenario.
    """

    kernels: Kernels

    def __init__(self, start: Start, begin: Begin = begin_reference) -> None:
        self.difference: Difference | None = None
        self.state: dict[str, Any] = {}
        self.legal: list[str] = []  # in the kernels
        try:
            self.kernels = begin_kernels(start)
        except ValueError as refusal:
            self._expect_refusal(start, refusal)
            return
        try:
            self.reference = begin(start, self.kernels)
            self._compare()
        except Exception as error:
            self.difference = as_difference(error)

    def _expect_refusal(self, start: Start, refusal: ValueError) -> None:
        """Of a scenario that the kernels refuse."""
        try:
            Reference.from_scenario(start["scenario"])
        except ValueError:
            raise refusal from None
        self.difference = Difference("refused", str(refusal), "goes on")

    def step(self, text: str) -> None:
        """Play a text that is legal in the kernels."""
        self.kernels.apply(text)
        try:
            self.reference.apply(text)
            self._compare()
        except Exception as error:
            self.difference = as_difference(error)

    def _compare(self) -> None:
        seen = look_at(self.kernels)
        self.state, self.legal = seen["state"], seen["legal"]
        self.difference = next(find_differences(seen, look_at(self.reference)), None)


def look_at(engine: Engine) -> dict[str, Any]:
    """All that is compared: the mask as numbers and as texts, and the position with its scores."""
    return {"numbers": engine.legal_actions(), "legal": engine.legal(), "state": engine.state()}


def replay(start: Start, moves: list[str], begin: Begin = begin_reference) -> Twins:
    """Play the moves in both engines, up to the first difference."""
    return play_through(Twins(start, begin), moves)
