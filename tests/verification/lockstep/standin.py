"""A stand-in for the reference, to test the lockstep itself: the core again, or the core with a fault."""

from collections.abc import Sequence
from typing import Any

from steam_env import Game
from tests.verification.lockstep.compare import Start, begin_game, describe


class Standin:
    """The core behind the reference's interface."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.opening_events = [event.to_dict() for event in game.events if event.kind != "deal"]

    @classmethod
    def begin(cls, start: Start, game: Game) -> "Standin":
        return cls(begin_game(start))

    seat = property(lambda self: self._game.seat)
    round = property(lambda self: self._game.round)
    actions_left = property(lambda self: self._game.actions_left)
    done = property(lambda self: self._game.done)
    truncated = property(lambda self: self._game.truncated)

    def legal(self) -> set[str]:
        return set(self._game.legal_text())

    def step(self, text: str, outcomes: Sequence[int]) -> list[dict[str, Any]]:
        before = len(self._game.events)
        self._game.step(text)
        return [event.to_dict() for event in self._game.events[before:]]

    def state(self) -> dict[str, Any]:
        return describe(self._game)

    def scores(self) -> list[dict[str, int]]:
        return self._game.scores()

    def winners(self) -> list[int]:
        return self._game.winners()


class FreeCrossings(Standin):
    """Thinks that crossings are free."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._gained = 0

    def step(self, text: str, outcomes: Sequence[int]) -> list[dict[str, Any]]:
        events = super().step(text, outcomes)
        self._gained += sum(event["cost"] for event in events if event["kind"] == "place" and event["crossing"])
        return events

    def state(self) -> dict[str, Any]:
        state = super().state()
        return {**state, "money": [state["money"][0] + self._gained, *state["money"][1:]]}
