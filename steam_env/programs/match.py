"""Matches: the same deals played by the same agents in every rotation of the seats.

A deal is a seed: it fixes the cities, the hands, the deck and the first player's seat. Each deal is played
as often as there are seats, and agent i sits on seat (i + rotation) mod n, so that every agent plays every
hand once and luck of the deal cancels between agents. Nothing here prints or writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from steam_env.batch import GameBatch
from steam_env.core.actions import NUM_ACTIONS
from steam_env.core.scoring import TOTAL
from steam_env.encoding import ENCODINGS
from steam_env.errors import IllegalActionError
from steam_env.rules import MIN_SEATS, Edition, FirstPlayer, Routing, Rules, as_integer
from steam_env.setting import Setting, load_setting
from steam_env.view import View, view_records

if TYPE_CHECKING:
    from steam_env.agents import Agent

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
AgentMaker = Callable[[str], "Agent"]
T = TypeVar("T", bound=np.generic)

DEFAULT_OPPONENT = "random"
SHARD_DEALS = 128  # deals that share their agents: part of what a seed means, so changing it changes results
SEED_BITS = 53  # seeds that every reader of JSON keeps exactly
DEAL_KEY, AGENT_KEY = range(2)  # the two families of seeds under the match's seed
MAX_DEALS = 1_000_000


@dataclass(frozen=True)
class MatchConfig:
    """Who plays what, and how often.

    Attributes:
        agent: The agent in question, by name.
        against: Who fills the other seats: one name fills all of them, several fill them in turn order. Left out:
            random.
        seats: Seats at the table, 2 to 5. Left out: as many as agents are named.
        deals: Deals, each played once in every rotation of the seats: games = deals x seats. Four times the deals
            halve the intervals.
        seed: Everything random follows from it: same seed, same result, whatever the batch size.
        map: A shipped map's name, or the path of a map file.
        contracts: A shipped deck's name, or the path of a deck file.
        contracts_to_end: Fulfilled contracts of one seat that trigger the end. Left out: what the deck file or the
            rules say.
        edition: The rules' edition.
        routing: Whether a resource may take any route, or only a cheapest one.
        first_player: Who has the first turn: drawn with the deal, or always player_0.
        max_rounds: The game ends after this round at the latest.
        batch_size: Games on the table at once, about; a matter of speed and memory alone.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """

    agent: str
    against: tuple[str, ...] = ()
    seats: int | None = None
    deals: int = 200
    seed: int = 0
    map: str = Rules.map
    contracts: str = Rules.contracts
    contracts_to_end: int | None = None
    edition: Edition = "final"
    routing: Routing = "any"
    first_player: FirstPlayer = "random"
    max_rounds: int = Rules.max_rounds
    batch_size: int = 1024

    def __post_init__(self) -> None:
        self._check_names()
        self._check_number("deals", 1, MAX_DEALS)
        self._check_number("seed", 0, 2**63 - 1)
        self._check_number("batch_size", 1, 2**31 - 1)
        self._check_seats()
        _ = self.rules

    def _check_names(self) -> None:
        names = (self.against,) if isinstance(self.against, str) else tuple(self.against)
        object.__setattr__(self, "against", names)
        for name in (self.agent, *names):
            if not isinstance(name, str) or not name:
                raise ValueError(f"agent {name!r}: the name of an agent is allowed")

    def _check_number(self, name: str, low: int, high: int) -> None:
        value = as_integer(getattr(self, name), name)
        if not low <= value <= high:
            raise ValueError(f"{name}={value}: {low} to {high} are allowed")
        object.__setattr__(self, name, value)

    def _check_seats(self) -> None:
        if self.seats is not None:
            Rules(num_players=self.seats)
        named, others = len(self.against), self.num_seats - 1
        if named > 1 and named != others:
            raise ValueError(
                f"against names {named} agents for the {others} other seats of {self.num_seats}: "
                f"name one for all of them, or {others}"
            )

    @property
    def num_seats(self) -> int:
        """Seats at the table."""
        return max(MIN_SEATS, 1 + len(self.against)) if self.seats is None else self.seats

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        return Rules(
            num_players=self.num_seats,
            map=self.map,
            contracts=self.contracts,
            contracts_to_end=self.contracts_to_end,
            edition=self.edition,
            routing=self.routing,
            first_player=self.first_player,
            max_rounds=self.max_rounds,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """One agent's name for each seat; the agent in question is number 0."""
        others = self.against or (DEFAULT_OPPONENT,)
        return (self.agent, *(others * (self.num_seats - 1) if len(others) == 1 else others))

    @property
    def labels(self) -> tuple[str, ...]:
        """The names, with a number where one stands for the second time: ``random``, ``random 2``."""
        names = self.names
        earlier = [names[:index].count(name) for index, name in enumerate(names)]
        return tuple(f"{name} {count + 1}" if count else name for name, count in zip(names, earlier, strict=True))

    @property
    def num_games(self) -> int:
        """Games of the match."""
        return self.deals * self.num_seats

    def command(self) -> str:
        """The command line that plays this match; the batch size, which changes nothing, is left out."""
        words = ["python evaluate.py", _quote(self.agent)]
        words += [f"--against {_quote(name)}" for name in self.against or (DEFAULT_OPPONENT,)]
        for field in fields(MatchConfig):
            value = getattr(self, field.name)
            if field.name not in ("agent", "against", "batch_size") and value != field.default:
                words.append(f"--{field.name.replace('_', '-')} {_quote(str(value))}")
        return " ".join(words)


def _quote(word: str) -> str:
    import shlex

    return shlex.quote(word)


@dataclass(frozen=True)
class MatchResult:
    """What happened, game by game. Arrays are indexed by deal, rotation and, with a third axis, agent.

    Attributes:
        config: what was played.
        setting: its rules, map and deck.
        deal_seeds: (deals,) int64.
        shares: (deals, rotations, agents) float64, 1/W to each of a game's W winners.
        scores: (deals, rotations, agents, parts) int64, victory points by ``SCORE_PARTS``.
        ranks: (deals, rotations, agents) float64, 1 = best; equal agents share the mean of their ranks.
        turns: (deals, rotations, agents) int64, place in the turn order, 0 = first player.
        rounds: (deals, rotations) int64, the round in which the game ended.
        decisions: (deals, rotations) int64, decisions of all seats.
        truncated: (deals, rotations) bool, whether the round limit alone ended the game.
        duration: seconds that playing took.
    """

    config: MatchConfig
    setting: Setting
    deal_seeds: IntArray
    shares: FloatArray
    scores: IntArray
    ranks: FloatArray
    turns: IntArray
    rounds: IntArray
    decisions: IntArray
    truncated: BoolArray
    duration: float


def play_match(
    config: MatchConfig,
    *,
    make_agent: AgentMaker | None = None,
    report: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play a match.

    Args:
        config: who plays what.
        make_agent: a fresh agent by name; left out: ``steam_env.agents.make_agent``.
        report: called with the number of games that have ended since its last call.

    Raises:
        ValueError: for an unknown agent, map or deck, before anything is played.
        IllegalActionError: if an agent answers with anything but legal actions; the message names it.

    Example:
        >>> result = play_match(MatchConfig("greedy", map="mini", contracts="mini", deals=4))
        >>> result.shares.shape  # deals, rotations, agents
        (4, 2, 2)
    """
    maker = find_maker() if make_agent is None else make_agent
    setting = prepare_match(config, maker)
    begun = time.perf_counter()
    seeds = draw_deal_seeds(config)
    parts = [_play_deals(config, maker, seeds, deals, report) for deals in _split_deals(config)]
    shares, scores, ranks, turns, rounds, decisions, truncated = (np.concatenate(column) for column in zip(*parts))
    return MatchResult(
        config=config,
        setting=setting,
        deal_seeds=seeds,
        shares=shares,
        scores=scores,
        ranks=ranks,
        turns=turns,
        rounds=rounds,
        decisions=decisions,
        truncated=truncated,
        duration=time.perf_counter() - begun,
    )
