"""Who plays the other player seats of many games, and what they choose: in batches, without a loop over games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steam_env.encoding import Observations, pick
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.opponents import Opponent, PolicyAgent, encoding_of, make_opponents, name_opponent
from steam_env.envs.pool import Pool
from steam_env.envs.table import draw_seed
from steam_env.kit.arrays import BoolArray, FloatArray, IntArray
from steam_env.kit.checks import look_up
from steam_env.kit.errors import IllegalActionError
from steam_env.spec import Setting
from steam_env.table.records import take_games
from steam_env.table.view import view_records

if TYPE_CHECKING:
    from steam_env.agents.base import Agent
    from steam_env.table.batch import GameBatch

Opponents: TypeAlias = "Opponent | Pool | list[Opponent | Pool] | tuple[Opponent | Pool, ...] | None"

NOBODY = -1  # where nobody has been drawn yet
ANY_PLACE = -1  # of one who plays all places
GOLDEN = 0x9E3779B97F4A7C15  # SplitMix64: the step between its states
WORD = 2**64 - 1
WORD_BITS, FRACTION_BITS = 64, 53  # of a float64's fraction


def draw_fractions(seeds: IntArray, stream: int) -> FloatArray:
    """(n,) float64, uniform from 0 to below 1: functions of seed and stream alone, unlike what a deal draws.

    So a game's learner and opponents follow from its seed, wherever in a batch it is played.
    """
    state = _scramble(seeds.astype(np.uint64)) + np.uint64((stream + 1) * GOLDEN & WORD)
    bits = _scramble(state) >> np.uint64(WORD_BITS - FRACTION_BITS)
    return bits.astype(np.float64) * 2.0**-FRACTION_BITS


def _scramble(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What SplitMix64 makes of its states, (n,) uint64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


@dataclass(frozen=True)
class _Player:
    """A member of a pool on one place, or on all, of some games."""

    pool: Pool
    number: int
    place: int
    agent: Agent


class Cast:
    """Who plays the other player seats of each game.

    Places count from the learner's seat onwards: place 0 is the next player seat. Every place has agents of its
    own; a policy, which remembers nothing, plays on all places at once.

    Args:
        opponents: one for all places, or a list with one for each: agents, what makes them, policies, or pools.
        places: how many other player seats there are.
        num_games: how many games.

    Attributes:
        numbers: (games, places) int64, who was drawn: the member's number in its pool.

    Raises:
        ValueError: for another number of them, or something that is no opponent.
    """

    def __init__(self, opponents: Opponents, places: int, num_games: int) -> None:
        self._pools = _make_pools(opponents, places)
        self._players: dict[int, _Player] = {}
        self._next_key = 0
        self._seated = np.full((num_games, places), NOBODY, np.int64)  # keys of players
        self.numbers = np.full((num_games, places), NOBODY, np.int64)
        self._observations: dict[str, Observations] = {}  # by encoding: memory for what opponents see

    def clear(self) -> None:
        """Dismiss all agents: each is made anew when it is next drawn."""
        self._players.clear()
        self._next_key = 0
        self._seated[:] = NOBODY

    def draw(self, rows: IntArray, fractions: list[FloatArray], rng: np.random.Generator) -> None:
        """Seat opponents in the games ``rows`` by a fraction for each place and game; ``rng`` seeds new agents."""
        for place, pool in enumerate(self._pools):
            drawn = pool.draw(fractions[place])
            self.numbers[rows, place] = drawn
            for number in np.unique(drawn):
                self._seated[rows[drawn == number], place] = self._find(pool, int(number), place, rng)
        self._dismiss_removed()

    def _find(self, pool: Pool, number: int, place: int, rng: np.random.Generator) -> int:
        """The key of the player that is this member on this place."""
        for key, player in self._players.items():
            if player.pool is pool and player.number == number and player.place in (place, ANY_PLACE):
                return key
        member = pool.get(number)
        agent = member.make()
        agent.reset(draw_seed(rng))
        self._next_key += 1
        self._players[self._next_key] = _Player(pool, number, ANY_PLACE if member.policy else place, agent)
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

    def choose(self, batch: GameBatch, rows: IntArray, places: IntArray, seats: IntArray) -> IntArray:
        """(k,) legal actions of the movers of k games: each opponent is asked once, for all its games.

        Args:
            batch: all games, to look at.
            rows: (k,) the games' numbers.
            places: (k,) the movers' places.
            seats: (k,) the movers' seats.

        Raises:
            IllegalActionError: naming an opponent whose answer is not one legal action for each of its games.
        """
        keys = self._seated[rows, places]
        actions = np.empty(len(rows), np.int64)
        for key in sorted(set(keys.tolist())):
            part = np.flatnonzero(keys == key)
            agent = self._players[key].agent
            games, masks = take_games(batch.records, rows[part]), batch.mask[rows[part]]
            try:
                answer = self._ask(agent, games, seats[part], masks, batch.setting)
                actions[part] = _check_answer(answer, masks)
            except IllegalActionError as error:
                raise IllegalActionError(f"opponent {name_opponent(agent)}: {error}") from None
        return actions

    def _ask(self, agent: Agent, games: np.ndarray, seats: IntArray, masks: np.ndarray, setting: Setting) -> object:
        observations = self._observe(encoding_of(agent), games, seats, setting)
        if isinstance(agent, PolicyAgent):  # it looks at no view, which takes time to make
            return agent.act(observations, masks, None)
        return agent.act(observations, masks, view_records(games, seats, setting))

    def _observe(self, name: str | None, games: np.ndarray, seats: IntArray, setting: Setting) -> Observations | None:
        """(k, ...) observations in memory that the next call writes over; ``None`` without an encoding."""
        if name is None:
            return None
        encoding = look_up(ENCODINGS, "encoding", name)
        if name not in self._observations:
            self._observations[name] = encoding.allocate(len(self.numbers))
        out = pick(self._observations[name], slice(len(games)))
        encoding.encode(games, *setting.statics, seats, out)
        return out


def _make_pools(opponents: Opponents, places: int) -> list[Pool]:
    """A pool for each place; places with the same opponent share one."""
    given: Sequence[Any] = opponents if isinstance(opponents, list | tuple) else [opponents] * max(places, 1)
    if opponents is None or len(given) != places:
        given = make_opponents(opponents, places)  # nobody, or an error that says what is wrong
    pools = {id(one): one if isinstance(one, Pool) else Pool({"opponent": one}) for one in given}
    return [pools[id(one)] for one in given]


def _check_answer(answer: object, masks: np.ndarray) -> IntArray:
    """(k,) int64, an opponent's answer for k games.

    Raises:
        IllegalActionError: if it is not k legal actions.
    """
    actions = np.asarray(answer)
    if actions.shape != (len(masks),) or not np.issubdtype(actions.dtype, np.integer):
        raise IllegalActionError(
            f"act must return {len(masks)} integers for {len(masks)} games, "
            f"not an array of shape {actions.shape} and type {actions.dtype}"
        )
    wrong = find_illegal(actions, masks)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        legal = ", ".join(map(str, np.flatnonzero(masks[first])))
        raise IllegalActionError(f"action {actions[first]} is illegal; legal are {legal}")
    return actions.astype(np.int64)


def find_illegal(actions: np.ndarray, masks: np.ndarray) -> BoolArray:
    """(k,) bool, which of the actions (k,) is no id or not in its mask (k, 372)."""
    inside = (actions >= 0) & (actions < masks.shape[1])
    illegal: BoolArray = ~(inside & masks[np.arange(len(masks)), np.where(inside, actions, 0)])
    return illegal
