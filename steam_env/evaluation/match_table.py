"""The games of a match on one table: who sits where, asking the agents, and what came of it by agent."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from steam_env.agents.base import Agent, VaryingAgent
from steam_env.envs.cast import draw_chances
from steam_env.evaluation.deals import draw_agent_seed, list_maps, seat_agents
from steam_env.evaluation.forfeits import Forfeits
from steam_env.evaluation.openings import OpeningBook
from steam_env.evaluation.outcomes import Games, rank_rows
from steam_env.evaluation.recording import Plays, RecordedGame, Recorder, Trace
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.table.asking import ask, blame, call, observe_for
from steam_env.table.batch import GameBatch
from steam_env.table.view import View, view_records
from steam_env.words.seats import name_seat

if TYPE_CHECKING:
    from steam_env.evaluation.match import MatchConfig

AgentMaker = Callable[[str], Agent]
T = TypeVar("T", bound=np.generic)

SHARD_DEALS = 128  # deals that share their agents: part of what a seed means, so changing it changes results


class MatchTable:
    """Deals being played in rotations, as one batch: game = deal x rotations + rotation.

    An agent made for one rotation of one shard's deals is asked once in each step, for all of its games in
    which it is to move. Which deals it plays does not depend on the batch, so neither does what it draws. Of agents
    that are steady, one is asked for all of its twins.
    """

    def __init__(
        self,
        config: MatchConfig,
        make_agent: AgentMaker,
        seeds: IntArray,
        deals: range,
        rotations: int,
        record: int = 0,
        *,
        trace: bool = False,
    ) -> None:
        self.spec = config.spec
        self.seats, self.num_players, self.rotations = config.num_seats, config.num_players, rotations
        self.seating = seat_agents(config.num_players, len(config.scripted))[:rotations]
        dealt = np.repeat(seeds[deals.start : deals.stop], rotations)
        self.batch = GameBatch(config.rules, len(dealt), seed=dealt)
        if config.each_map:
            maps = list_maps(config.rules, config.deals)[deals.start : deals.stop]
            self.batch.reset(seed=dealt, maps=np.repeat(maps, rotations))
        self.first_places = self.spec.kernels.first_places(self.batch.records, self.seats)
        self.first_deal = deals.start
        self.agents: list[Agent] = []
        labels: list[str] = []
        first_shard = deals.start // SHARD_DEALS
        num_shards = -(-len(deals) // SHARD_DEALS)
        for shard, rotation, index in np.ndindex(num_shards, rotations, self.num_players):
            seed = draw_agent_seed(config.seed, first_shard + shard, rotation, index)
            with blame(f"agent {config.labels[index]}"):
                agent = call("it", partial(make_agent, config.names[index]))
                call("reset", partial(agent.reset, seed))
            self.agents.append(agent)
            labels.append(config.labels[index])
        self.players = find_twins(self.agents, labels)[self._place_agents(len(deals))]
        self._varying = {number for number, agent in enumerate(self.agents) if isinstance(agent, VaryingAgent)}
        self._seeds = dealt
        dealt_in = deals.start + np.arange(len(self.batch)) // rotations
        self.forfeits = Forfeits(self.agents, labels, dealt_in, self.seats)
        self.decisions = np.zeros(len(self.batch), np.int64)
        self.actions = np.zeros((len(self.batch), self.seats, len(self.spec.facts.action_kinds)), np.int64)
        self.openings = OpeningBook(self.spec.facts, len(self.batch), self.seats)
        self.recorder = Recorder(dict(self._open_records(config, seeds, deals, record)))
        self.trace = Trace() if trace else None

    def _open_records(
        self, config: MatchConfig, seeds: IntArray, deals: range, record: int
    ) -> Iterator[tuple[int, RecordedGame]]:
        """An empty record for each game that is to be recorded."""
        for deal in deals[: max(record - deals.start, 0)]:
            rotation = deal % self.rotations
            players = tuple(config.labels[index] for index in np.argsort(self.seating[rotation]))
            game = (deal - deals.start) * self.rotations + rotation
            yield game, RecordedGame(deal, rotation, int(seeds[deal]), players)

    def list_plays(self, seeds: IntArray, deals: range) -> Plays:
        """Every decision of all games, once they are over; only for a table with a trace."""
        assert self.trace is not None
        rotation = np.tile(np.arange(self.rotations), len(deals))
        return self.trace.close(
            seeds=np.repeat(seeds[deals.start : deals.stop], self.rotations),
            deals=np.repeat(np.arange(deals.start, deals.stop), self.rotations),
            rotations=rotation,
            players=np.argsort(self.seating[:, : self.num_players], axis=1)[rotation],
        )

    def _place_agents(self, num_deals: int) -> IntArray:
        """(games, player seats) the number in ``agents`` of who sits there."""
        deal, rotation, seat = np.ogrid[:num_deals, : self.rotations, : self.num_players]
        agent = (seat - rotation) % self.num_players
        players = ((deal // SHARD_DEALS) * self.rotations + rotation) * self.num_players + agent
        return np.asarray(players.reshape(-1, self.num_players))

    def step(self) -> None:
        """Play one decision in every game that is not over."""
        batch = self.batch
        rows = np.flatnonzero(~batch.done)
        seats = batch.seats[rows].astype(np.int64)
        players = self.players[rows, seats]
        order = np.argsort(players, kind="stable")
        rows, seats, players = rows[order], seats[order], players[order]
        actions = np.zeros(len(batch), np.int64)
        actions[rows] = self._ask_all(rows, seats, players)
        self._note_actions(rows, seats, actions[rows])
        batch.step(actions)

    def _note_actions(self, rows: IntArray, seats: IntArray, actions: IntArray) -> None:
        """Count the actions that are about to be played: those that the rules call actions, not each choice in them."""
        self.decisions[rows] += 1
        self.recorder.note_actions(rows, actions)
        self.openings.note(rows, seats, actions)
        begins = self.batch.records["phase"][rows] == self.spec.facts.action_phase
        kinds = self.spec.facts.kind_of[actions[begins]]
        counts = kinds >= 0
        self.actions[rows[begins][counts], seats[begins][counts], kinds[counts]] += 1

    def _ask_all(self, rows: IntArray, seats: IntArray, players: IntArray) -> IntArray:
        """The actions in the games ``rows``, which are sorted by mover."""
        records, masks = self.batch.records[rows], self.batch.mask[rows]
        views = view_records(records, seats, self.batch.setting)
        starts = np.flatnonzero(np.diff(players, prepend=-1))
        answers = []
        for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
            part = slice(int(start), int(stop))
            view = views.take(part)
            player = int(players[start])
            watched = self.forfeits.watch(player, rows[part], seats[part], self.decisions)
            with blame(f"agent {self.forfeits.labels[player]}", partial(self._tell_game, rows[part], view)), watched:
                self._vary(player, rows[part])
                answers.append(self._ask(self.agents[player], rows[part], records[part], masks[part], view))
        return np.concatenate(answers)

    def _vary(self, player: int, rows: IntArray) -> None:
        """Tell an agent that plays each game in a way of its own which games come: the same in all rotations."""
        if player in self._varying:
            agent: Any = self.agents[player]
            agent.vary(draw_chances(self._seeds[rows], player % self.num_players))

    def _ask(self, agent: Agent, rows: IntArray, records: np.ndarray, masks: BoolArray, view: View) -> IntArray:
        """What an agent plays in its games, and tells where it is asked for that."""
        observations = observe_for(agent, records, view.seats, view.setting)
        self.recorder.note_thoughts(agent, observations, rows, masks, view)
        told = None if self.trace is None else self.trace.ask(agent, observations, masks, view)
        answer = ask(agent, records, view.seats, masks, view.setting, observations=observations, views=view)
        if self.trace is not None:
            self.trace.note(agent, rows, answer, told)
        return answer

    def _tell_game(self, rows: IntArray, view: View, row: int) -> str:
        """Which of the games that an agent was asked for an error is about."""
        game = int(rows[row])
        deal, decision = self.first_deal + game // self.rotations + 1, int(self.decisions[game]) + 1
        others = f", asked for {len(rows)} games together" if len(rows) > 1 else ""
        return f" (deal {deal}, {name_seat(int(view.seats[row]))}, decision {decision}{others})"

    def count(self) -> Games:
        """The results of the games by agent, once all are over."""
        records = self.batch.records
        scores, winners = self.batch.scores()
        strength, winners = self.forfeits.settle(self.spec.kernels.rank(records, scores), winners)
        if self.batch.done.all():
            self.forfeits.end_games(self.players, scores, winners, self.spec.facts)
        return Games(
            shares=self._by_agent(winners / winners.sum(axis=1, keepdims=True)),
            scores=self._by_agent(scores),
            ranks=self._by_agent(rank_rows(strength)),
            turns=self._by_agent(self.first_places),
            actions=self._by_agent(self.actions),
            openings=self._by_agent(self.openings.played),
            rounds=self._by_deal(records["round_number"].astype(np.int64)),
            decisions=self._by_deal(self.decisions),
            truncated=self._by_deal(self.batch.truncated),
            forfeits=self._by_agent(self.forfeits.places > 0),
        )

    def _by_deal(self, values: NDArray[T]) -> NDArray[T]:
        """(games, ...) as (deals, rotations, ...)."""
        return values.reshape(-1, self.rotations, *values.shape[1:])

    def _by_agent(self, values: NDArray[T]) -> NDArray[T]:
        """(games, seats, ...) as (deals, rotations, agents, ...)."""
        return self._by_deal(values)[:, np.arange(self.rotations)[:, None], self.seating]


def find_twins(agents: Sequence[Agent], labels: Sequence[str]) -> IntArray:
    """(agents,) int64, who is asked in place of each: the first with its label that is its twin, or it itself."""
    first: dict[Hashable, int] = {}
    twins = [getattr(agent, "twin", None) for agent in agents]
    keys = [number if twin is None else (labels[number], twin) for number, twin in enumerate(twins)]
    return np.array([first.setdefault(key, number) for number, key in enumerate(keys)], np.int64)
