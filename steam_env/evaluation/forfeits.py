"""Games that agents lose by faults of their own: telling agents which games they play, noting what they forfeit.

Who forfeits a game has lost it to all who had not forfeited it by then, whatever the points say: those are what
somebody else came to who played on. The others win among themselves as always.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

import numpy as np

from steam_env.agents import Agent, FollowingAgent
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.spec import Facts
from steam_env.words.seats import name_seat


@dataclass(frozen=True)
class Forfeit:
    """A game that was forfeited.

    Attributes:
        agent: the label of who did it.
        deal: of the match, from 1.
        seat: where it sat.
        decision: of the game, from 1, those of all seats counted.
        fault: what it did wrong.
    """

    agent: str
    deal: int
    seat: int
    decision: int
    fault: str

    def tell(self) -> str:
        """Where it was, and what was wrong, in words."""
        return f"deal {self.deal}, {name_seat(self.seat)}, decision {self.decision}: {self.fault}"


def try_out(agent: Agent) -> Agent:
    """The agent, of which one that follows its games has shown that it can play.

    Raises:
        ValueError: saying why it cannot.
    """
    if isinstance(agent, FollowingAgent):
        with closing(agent):
            agent.prepare()
    return agent


class Forfeits:
    """What the agents at a table forfeit.

    Args:
        agents: all agents, of which those that follow their games are told of them.
        labels: of each agent.
        deals: (games,) int64, the deal of each game, from 0.
        num_seats: of every game.

    Attributes:
        labels: of each agent.
        noted: all forfeits, in their order.
        places: (games, seats) int64, 0 where the game is not forfeited, else greater the later it was.
    """

    def __init__(self, agents: Sequence[Agent], labels: Sequence[str], deals: IntArray, num_seats: int) -> None:
        numbered = enumerate(agents)
        self._followers = {number: agent for number, agent in numbered if isinstance(agent, FollowingAgent)}
        self.labels, self._deals = labels, deals
        self.noted: list[Forfeit] = []
        self.places = np.zeros((len(deals), num_seats), np.int64)

    @contextmanager
    def watch(self, player: int, rows: IntArray, seats: IntArray, decisions: IntArray) -> Iterator[None]:
        """While an agent is asked: tell it the games before, and note what it has forfeited after.

        Args:
            player: its number.
            rows: (k,) the games that it is asked for.
            seats: (k,) its seats there.
            decisions: (games,) how many decisions every game has had before.
        """
        follower = self._followers.get(player)
        if follower is None:
            yield
            return
        follower.follow(rows)
        yield
        seat_of = dict(zip(rows.tolist(), seats.tolist(), strict=True))
        for game, fault in follower.take_faults():
            seat = seat_of[game]
            deal, decision = int(self._deals[game]) + 1, int(decisions[game]) + 1
            self.noted.append(Forfeit(self.labels[player], deal, seat, decision, fault))
            self.places[game, seat] = len(self.noted)

    def settle(self, strength: IntArray, winners: BoolArray) -> tuple[IntArray, BoolArray]:
        """The order of the final ranking and who wins, both (games, seats), after what was forfeited."""
        lost = self.places > 0
        if not lost.any():
            return strength, winners
        floor = strength.min() - self.places.max() - 1
        settled = np.where(lost, floor + self.places, strength)
        best = settled == settled.max(axis=1, keepdims=True)
        left = winners & ~lost
        return settled, np.where(left.any(axis=1, keepdims=True), left, best)

    def end_games(self, players: IntArray, scores: IntArray, winners: BoolArray, facts: Facts) -> None:
        """Tell the agents that follow their games how they ended.

        Args:
            players: (games, player seats) the number of the agent on each seat.
            scores: (games, seats, parts).
            winners: (games, seats) bool.
            facts: of the game.
        """
        for number, follower in self._followers.items():
            games = np.flatnonzero((players == number).any(axis=1))
            results = [
                {
                    "scores": [dict(zip(facts.score_parts, row, strict=True)) for row in scores[game].tolist()],
                    "winners": np.flatnonzero(winners[game]).tolist(),
                }
                for game in games
            ]
            follower.end_games(games, results)

    def close(self) -> None:
        """End whatever runs for the agents."""
        for follower in self._followers.values():
            follower.close()
