"""Matches: the same deals played by the same agents in every rotation of the player seats.

A deal is a seed: it fixes the cities, the hands, the deck and the first player's seat. Each deal is played
as often as there are p player seats, and agent i sits on seat (i + rotation) mod p, so that every agent plays
every hand once and luck of the deal cancels between agents. Scripted opponents hold the last seats in every game:
they are part of the rules. Nothing here prints or writes.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from typing import Any

from steam_env.agents import SearchAgent, make_agent
from steam_env.evaluation.deals import draw_deal_seeds, find_map_set
from steam_env.evaluation.forfeits import Forfeit, try_out
from steam_env.evaluation.match_table import SHARD_DEALS, AgentMaker, MatchTable
from steam_env.evaluation.outcomes import Games, join_games
from steam_env.evaluation.recording import Plays, RecordedGame
from steam_env.kit.arrays import IntArray
from steam_env.kit.checks import as_integer
from steam_env.kit.errors import AgentError
from steam_env.kit.forms import split_form
from steam_env.kit.show import say_count, show_options
from steam_env.kit.text_files import as_text
from steam_env.spec import GameSpec, Setting, find_spec
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting

DEALS = 200
BATCH_SIZE = 1024
MAX_DEALS = 1_000_000


@dataclass(frozen=True, init=False)
class MatchConfig:
    """The configuration of a match: who plays, by which rules, and how many deals.

    Attributes:
        agent: The agent that is measured, by name.
        against: Who fills the other seats, an agent or a scripted opponent such as automa:LEVEL: one name fills all of
            them, several fill them in turn order, scripted ones the last seats. Left out: random.
        seats: Seats at the table, scripted ones included. Left out: as many as are named.
        deals: Deals, each played once in every rotation of the player seats: games = deals x player seats. Four times
            the deals halve the intervals.
        seed: Everything random follows from it: same seed, same result, whatever the batch size.
        batch_size: Games on the table at once, about; a matter of speed and memory alone.
        each_map: Deals go evenly through the maps of the set that the map names; else each draws one by its seed.
        game: The id of the game.
        given: The fields of the game's rules that differ from their defaults, given by name: those of its
            ``Players.match_fields``.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """

    agent: str
    against: tuple[str, ...]
    seats: int | None
    deals: int
    seed: int
    batch_size: int
    each_map: bool
    game: str
    given: tuple[tuple[str, Any], ...]

    def __init__(
        self,
        agent: str | os.PathLike[str],
        against: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
        seats: int | None = None,
        deals: int = DEALS,
        seed: int = 0,
        batch_size: int = BATCH_SIZE,
        game: str | None = None,
        given: Sequence[tuple[str, Any]] = (),
        **others: Any,  # each_map, and fields of the rules
    ) -> None:
        spec = find_spec(game)
        self._set("game", spec.game)
        self._set("agent", as_text(agent))
        self._set("seats", seats)
        self._check_names(against)
        self._check_number("deals", deals, 1, MAX_DEALS)
        self._check_number("seed", seed, 0, 2**63 - 1)
        self._check_number("batch_size", batch_size, 1, 2**31 - 1)
        self._check_seats()
        self._set("each_map", bool(others.pop("each_map", False)))
        self._check_given({**dict(given), **others})  # those given already, where a match is replaced
        rules = self.rules
        if self.each_map:
            find_map_set(rules)  # refuses rules that name none

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_names(self, against: object) -> None:
        several: Any = [against] if isinstance(against, str | os.PathLike) else against
        names = tuple(map(as_text, several))
        for name in (self.agent, *names):
            if not isinstance(name, str) or not name:
                raise ValueError(f"agent {name!r}: the name of an agent is allowed")
        if self.is_scripted(self.agent):
            raise ValueError(f"agent {self.agent!r}: the first must be an agent, Automas can only be played against")
        self._set("against", tuple(sorted(names, key=self.is_scripted)))  # agents first, each in their order
        scripted = [name for name in names if self.is_scripted(name)]
        for name in scripted:
            self.spec.players.seat_scripted([name])  # refuses one that there is not
        try:
            self.spec.players.seat_scripted(scripted)
        except ValueError as error:
            raise ValueError(f"against names {error}") from None

    def _check_number(self, name: str, given: object, low: int, high: int) -> None:
        value = as_integer(given, name)
        if not low <= value <= high:
            raise ValueError(f"{name}={value}: {low} to {high} are allowed")
        self._set(name, value)

    def _check_seats(self) -> None:
        counts = self.spec.facts.seat_counts
        if self.seats is not None:
            self._check_number("seats", self.seats, counts[0], counts[-1])
        named, others = len(self.against), self.num_seats - 1
        if named > 1 and named != others:
            raise ValueError(
                f"against names {named} agents for the {say_count(others, 'other seat')} of {self.num_seats}: "
                f"name one for all of them, or {others}"
            )

    def _check_given(self, given: Mapping[str, Any]) -> None:
        allowed = self.spec.players.match_fields
        for name in given:
            if name not in allowed:
                raise ValueError(f"{name}={given[name]!r}: no rule of a match; allowed are {', '.join(allowed)}")
        self._set("given", tuple((name, given[name]) for name in allowed if name in given))

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return find_spec(self.game)

    def is_scripted(self, name: str) -> bool:
        """Whether a name among the opponents is a scripted one's, which the rules play."""
        return is_scripted(name, self.spec)

    @property
    def num_seats(self) -> int:
        """Number of seats at the table."""
        return max(self.spec.facts.seat_counts[0], 1 + len(self.against)) if self.seats is None else self.seats

    @property
    def rules(self) -> Any:
        """The rules of every game."""
        return self.spec.make_match_rules(self.num_seats, self.scripted, dict(self.given))

    @property
    def names(self) -> tuple[str, ...]:
        """One name for each seat; the agent that is measured is number 0, scripted ones are the last."""
        others = self.against or (self.spec.players.default_opponent,)
        return (self.agent, *(others * (self.num_seats - 1) if len(others) == 1 else others))

    @property
    def scripted(self) -> tuple[str, ...]:
        """The names on the last seats, which the rules play."""
        return tuple(filter(self.is_scripted, self.names))

    @property
    def num_players(self) -> int:
        """Number of seats that agents hold, the first ones."""
        return self.num_seats - len(self.scripted)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names, with a number where one stands for the second time: ``random``, ``random 2``."""
        names = self.names
        earlier = [names[:index].count(name) for index, name in enumerate(names)]
        return tuple(f"{name} {count + 1}" if count else name for name, count in zip(names, earlier, strict=True))

    @property
    def num_games(self) -> int:
        """Number of games of the match."""
        return self.deals * self.num_players

    def command(self) -> str:
        """The command line that plays this match; the batch size, which changes nothing, is left out."""
        own = {"game": find_spec().game, "seats": None, "deals": DEALS, "seed": 0, "each_map": False}
        usual = {field.name: field.default for field in fields(self.spec.facts.rules)} | own | {"against": ()}
        rules = self.rules.to_dict()
        given = [("against", tuple(self.against) or (self.spec.players.default_opponent,))]
        given += [(name, getattr(self, name)) for name in own]
        given += [(name, rules[name]) for name in self.spec.players.match_fields]
        words = ["python evaluate.py", shlex.quote(self.agent), *show_options(given, usual)]
        return " ".join(words)


def is_scripted(name: str, spec: GameSpec) -> bool:
    """Whether a name among the opponents is a scripted one's, which the rules play: it begins like theirs."""
    return name.partition(":")[0] in {known.partition(":")[0] for known in spec.players.scripted}


@dataclass(frozen=True)
class MatchResult:
    """A match that was played.

    Attributes:
        config: what was played.
        setting: its rules, and what they name.
        deal_seeds: (deals,) int64.
        games: what happened in each game.
        duration: seconds that playing took.
        recorded: games move by move, as many as were asked for.
        forfeits: the games that agents lost by faults of their own, in the order of the tables.
    """

    config: MatchConfig
    setting: Setting
    deal_seeds: IntArray
    games: Games
    duration: float
    recorded: tuple[RecordedGame, ...] = ()
    forfeits: tuple[Forfeit, ...] = ()


# --- playing ----------------------------------------------------------------------------------------
def play_match(
    config: MatchConfig,
    *,
    make_agent: AgentMaker = make_agent,
    report: Callable[[int], None] = lambda ended: None,
    rotations: int | None = None,
    record: int = 0,
    keep: Callable[[Plays], None] | None = None,
    watch: Callable[[GameBatch], None] = lambda batch: None,
) -> MatchResult:
    """Play a match.

    Args:
        config: who plays what.
        make_agent: makes a fresh agent by name.
        report: called after each step with the number of games that have ended in it.
        rotations: how many of the rotations are played; ``None`` = all. Where one agent that draws nothing holds
            all player seats, each rotation is the same game.
        record: of so many deals, the first ones, a game is recorded move by move: of each deal another rotation than
            of the one before, so that the agents are seen on all player seats.
        keep: called with all decisions of each table, once its games are over; ``None``: nothing is kept.
        watch: called with the games of a table after each step, which it may look at.

    Raises:
        ValueError: for an unknown agent, map or deck, before anything is played.
        AgentError: if an agent fails, or answers with anything but legal actions; the message names agent, deal, seat
            and decision, and ``played`` is the match of the first deals, those of the tables that were over before.
        KeyboardInterrupt: with the same ``played``.

    Example:
        >>> result = play_match(MatchConfig("greedy", map="mini", contracts="mini", deals=4))
        >>> result.games.shares.shape  # deals, rotations, agents
        (4, 2, 2)
    """
    setting = prepare_match(config, make_agent)
    seeds = draw_deal_seeds(config.seed, config.deals)
    chosen = config.num_players if rotations is None else rotations
    _warm_up(config, make_agent, seeds)
    begun = time.perf_counter()
    parts: list[Games] = []
    recorded: list[RecordedGame] = []
    forfeits: list[Forfeit] = []

    def sum_up(deals: int) -> MatchResult:
        played, spent = replace(config, deals=deals), time.perf_counter() - begun
        return MatchResult(played, setting, seeds[:deals], join_games(parts), spent, tuple(recorded), tuple(forfeits))

    for deals in _split_deals(config):
        try:
            table = MatchTable(config, make_agent, seeds, deals, chosen, record, trace=keep is not None)
            parts.append(_play_table(table, report, watch))
        except (AgentError, KeyboardInterrupt) as error:
            error.played = sum_up(deals.start) if parts else None  # type: ignore[union-attr]
            raise
        if keep is not None:
            keep(table.list_plays(seeds, deals))
        recorded += table.recorder.games.values()
        forfeits += table.forfeits.noted
    return sum_up(config.deals)


def prepare_match(config: MatchConfig, make_agent: AgentMaker = make_agent) -> Setting:
    """Load map and deck and make each agent once, which refuses a match that cannot be played.

    Raises:
        ValueError: for an unknown agent, map or deck, or a deck too small for the seats.
        UnfitError: for an agent that was not made for such games.
    """
    agents = {name: try_out(make_agent(name)) for name in dict.fromkeys(config.names[: config.num_players])}
    for name, agent in agents.items():
        if agent.encoding is not None:
            split_form(config.spec.sight.encodings, agent.encoding, f"encoding of {name}")
    setting = load_setting(config.rules)
    setting.check_deal()
    for agent in agents.values():
        if isinstance(agent, SearchAgent):
            agent.check_setting(setting)
    return setting


def _split_deals(config: MatchConfig) -> Iterator[range]:
    """The deals that are on the table together: whole shards, about ``batch_size`` games."""
    shards = max(1, config.batch_size // (SHARD_DEALS * config.num_seats))
    for first in range(0, config.deals, shards * SHARD_DEALS):
        yield range(first, min(first + shards * SHARD_DEALS, config.deals))


def _warm_up(config: MatchConfig, make_agent: AgentMaker, seeds: IntArray) -> None:
    """Have everything compiled, so that a match lasts as long as playing: a first step asks every agent once."""
    table = MatchTable(config, make_agent, seeds, range(1), config.num_players)
    with closing(table.forfeits):
        table.step()
        table.count()


def _play_table(table: MatchTable, report: Callable[[int], None], watch: Callable[[GameBatch], None]) -> Games:
    """Play the games on a table to their ends."""
    ended = 0
    with closing(table.forfeits):
        while (before := ended) < len(table.batch):
            table.step()
            ended = int(table.batch.done.sum())
            watch(table.batch)
            report(ended - before)
        return table.count()
