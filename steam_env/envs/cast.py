"""The opponents of the learners in many games: who sits where, and what they choose, in batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steam_env.agents.base import VaryingAgent
from steam_env.encoding import Observations, pick
from steam_env.envs.opponents import Opponent, check_encoding, make_opponents, name_opponent
from steam_env.envs.pool import Pool
from steam_env.envs.table import draw_seed
from steam_env.kit.arrays import FloatArray, IntArray
from steam_env.spec import GameSpec, Setting
from steam_env.table.asking import ask, blame, call, encoding_of, observe_for
from steam_env.table.records import take_games
from steam_env.words.seats import name_seat

if TYPE_CHECKING:
    from steam_env.agents.base import Agent
    from steam_env.table.batch import GameBatch

Opponents: TypeAlias = "Opponent | Pool | list[Opponent | Pool] | tuple[Opponent | Pool, ...] | None"

NOBODY = -1  # where no opponent has been drawn yet
ANY_PLACE = -1  # the place of a player that plays on all
SPREAD = (math.sqrt(5.0) - 1.0) / 2.0  # between the chances of two seats of a game: their fractions lie far apart
FIRST_CAST_STREAM, FIRST_VARY_STREAM = 1, 17  # of a game's draws: one for each place
GOLDEN = 0x9E3779B97F4A7C15  # SplitMix64: the step between its states
WORD = 2**64 - 1
WORD_BITS, FRACTION_BITS = 64, 53  # of a float64's fraction


def draw_fractions(seeds: IntArray, stream: int) -> FloatArray:
    """(n,) float64, uniform from 0 to below 1: they follow from seed and stream alone, apart from the deal's draws.

    So a game's learner and opponents follow from its seed, wherever in a batch it is played.
    """
    state = _scramble(seeds.astype(np.uint64)) + np.uint64((stream + 1) * GOLDEN & WORD)
    bits = _scramble(state) >> np.uint64(WORD_BITS - FRACTION_BITS)
    return bits.astype(np.float64) * 2.0**-FRACTION_BITS


def draw_chances(seeds: IntArray, place: int) -> FloatArray:
    """(n,) what agents of one place are told of games with these seeds (n,), see ``VaryingAgent``."""
    return draw_fractions(seeds, FIRST_VARY_STREAM + place)


def _scramble(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What SplitMix64 makes of its states, (n,) uint64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


@dataclass(frozen=True)
class _Player:
    """A member of a pool on one place, or on all, of some games; ``vary`` is the agent's, if it is a VaryingAgent."""

    pool: Pool
    number: int
    place: int
    agent: Agent
    vary: Callable[[np.ndarray], None] | None


class Cast:
    """The opponents in each game: who plays the player seats that are not the learner's.

    Places count from the learner's seat onwards: place 0 is the next player seat. The last is the stand-in's, who plays
    all seats of a game before the learner joins. Every place has agents of its own; a policy, which remembers nothing,
    plays on all places at once.

    Args:
        opponents: one for all places, or a list with one for each: agents, what makes them, policies, or pools.
        places: how many other player seats there are.
        num_games: how many games.
        spec: the game that is played.
        stand_in: who plays before the learner takes its seat; ``None``: nobody.

    Attributes:
        stand_in_place: the place of the stand-in, whether there is one or not.
        numbers: (games, places) int64, who was drawn: the member's number in its pool. The stand-in comes last.

    Raises:
        ValueError: for another number of them, something that is no opponent, or one that wants an encoding which the
            game has not.
    """

    def __init__(
        self,
        opponents: Opponents,
        places: int,
        num_games: int,
        spec: GameSpec,
        stand_in: Opponent | Pool | None = None,
    ) -> None:
        self._spec = spec
        self._pools, self.stand_in_place = _make_pools(opponents, places), places
        if stand_in is not None:
            self._pools += _make_pools([stand_in], 1)
        for pool in self._pools:
            pool.check_encodings(spec)
        self._players: dict[int, _Player] = {}
        self._next_key = 0
        shape = num_games, len(self._pools)
        self._seated = np.full(shape, NOBODY, np.int64)  # keys of players
        self._chances = np.zeros(shape)  # what agents vary follows from it, see ``VaryingAgent``
        self.numbers = np.full(shape, NOBODY, np.int64)
        self._observations: dict[str, Observations] = {}  # by encoding: memory for what opponents see

    def clear(self) -> None:
        """Dismiss all agents: each is made anew when it is next drawn."""
        self._players.clear()
        self._next_key = 0
        self._seated[:] = NOBODY

    def draw(self, rows: IntArray, seeds: IntArray, rng: np.random.Generator) -> None:
        """Seat opponents in the games ``rows`` (k,) by their seeds (k,); ``rng`` seeds new agents."""
        for place, pool in enumerate(self._pools):
            drawn = pool.draw(draw_fractions(seeds, FIRST_CAST_STREAM + place))
            self.numbers[rows, place] = drawn
            self._chances[rows, place] = draw_chances(seeds, place)
            for number in np.unique(drawn):
                self._seated[rows[drawn == number], place] = self._find(pool, int(number), place, rng)
        self._dismiss_removed()

    def _find(self, pool: Pool, number: int, place: int, rng: np.random.Generator) -> int:
        """The key of the player that is this member on this place."""
        for key, player in self._players.items():
            if player.pool is pool and player.number == number and player.place in (place, ANY_PLACE):
                return key
        member = pool.get(number)
        with blame(f"opponent {member.name}"):
            agent = call("it", lambda: pool.make(number))
            check_encoding(agent, self._spec)
            seed = draw_seed(rng)
            call("reset", lambda: agent.reset(seed))
        self._next_key += 1
        vary = agent.vary if isinstance(agent, VaryingAgent) else None  # looked up once: it is slow
        self._players[self._next_key] = _Player(pool, number, ANY_PLACE if member.policy else place, agent, vary)
        return self._next_key

    def _dismiss_removed(self) -> None:
        """Forget the agents of removed members that play no game any more."""
        removed = [key for key, player in self._players.items() if not player.pool.has(player.number)]
        if removed:
            busy = np.unique(self._seated)
            for key in removed:
                if key not in busy:
                    del self._players[key]

    # --- what they choose ------------------------------------------------------------------------------

    def choose(self, batch: GameBatch, rows: IntArray, places: IntArray, movers: IntArray) -> IntArray:
        """(k,) legal actions of the movers of k games: each opponent is asked once, for all its games.

        Args:
            batch: all games, to look at.
            rows: (k,) the games' numbers.
            places: (k,) the movers' places.
            movers: (k,) the movers' seats.

        Raises:
            AgentError: naming an opponent that fails, or whose answer is not one legal action for each of its games.
        """
        keys = self._seated[rows, places]
        actions = np.empty(len(rows), np.int64)
        for key in sorted(set(keys.tolist())):
            part = np.flatnonzero(keys == key)
            player = self._players[key]
            agent = player.agent
            if player.vary is not None:
                player.vary((self._chances[rows[part], places[part]] + SPREAD * movers[part]) % 1.0)
            asked = take_games(batch.records, rows[part]), movers[part]
            seen = observe_for(agent, *asked, batch.setting, self._open_memory(agent, batch.setting, len(part)))
            with blame(f"opponent {name_opponent(agent)}", partial(_tell_game, rows[part], movers[part])):
                actions[part] = ask(agent, *asked, batch.mask[rows[part]], batch.setting, observations=seen)
        return actions

    def _open_memory(self, agent: Agent, setting: Setting, count: int) -> Observations | None:
        """Arrays for what the agent observes of so many games, which the next call writes over; for none ``None``."""
        name = encoding_of(agent)
        if name is None:
            return None
        if name not in self._observations:
            encoding = self._spec.sight.find_encoding(name or None, setting=setting)
            self._observations[name] = encoding.allocate(len(self.numbers))
        return pick(self._observations[name], slice(count))


def _tell_game(rows: IntArray, movers: IntArray, row: int) -> str:
    """Which of the games that an opponent was asked for an error is about."""
    return f" (game {rows[row]}, {name_seat(int(movers[row]))})"


def _make_pools(opponents: Opponents, places: int) -> list[Pool]:
    """A pool for each place; places with the same opponent share one."""
    given: Sequence[Any] = opponents if isinstance(opponents, list | tuple) else [opponents] * max(places, 1)
    if opponents is None or len(given) != places:
        given = make_opponents(opponents, places)  # empty if none are needed, else it raises
    pools = {id(one): one if isinstance(one, Pool) else Pool({"opponent": one}) for one in given}
    return [pools[id(one)] for one in given]
