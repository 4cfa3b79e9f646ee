"""The peers, each played at random as its own documentation shows, and as fast as that allows.

Peers are imported when they are asked for: the extra ``peers`` installs them. All play game after game, new games
included in the time, and choose uniformly among the legal actions.
"""

from __future__ import annotations

import importlib
import os
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.play import AECPlay
from benchmarks.timing import Workload
from steam_env.core.jit import kernel

COPIED_POSITIONS = 256
STEPS_BETWEEN_POSITIONS = 37  # so that positions of all stages are copied
PGX_GAMES = 256


AT_RANDOM = ("catanatron.models.player", "RandomPlayer")
BY_POINTS = ("catanatron.players.search", "VictoryPointPlayer")  # takes the action with the most points at once


class CatanatronPlay:
    """Catanatron: ``Game.play_tick`` with its own players until the game is won or its turn limit ends it.

    Args:
        seats: at the table.
        seed: of the first game.
        kind: module and class of its players.
    """

    def __init__(self, seats: int, seed: int, kind: tuple[str, str] = AT_RANDOM) -> None:
        self._game = importlib.import_module("catanatron.game")
        self._players = importlib.import_module("catanatron.models.player")
        self._kind = getattr(importlib.import_module(kind[0]), kind[1])
        self._seats = seats
        self._next_seed = seed

    def begin(self) -> Any:
        """A new game; its board and dice follow from the next seed."""
        self._next_seed += 1
        colors = list(self._players.Color)[: self._seats]
        return self._game.Game([self._kind(color) for color in colors], seed=self._next_seed)

    def is_over(self, game: Any) -> bool:
        """Whether the game is over, as ``Game.play`` asks it."""
        return game.winning_color() is not None or game.state.num_turns >= self._game.TURNS_LIMIT

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play whole games for ``seconds``; returns decisions, those with a choice (``choices``), and games."""
        decisions = choices = games = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            game = self.begin()
            while not self.is_over(game):
                decisions += 1
                choices += len(game.state.playable_actions) > 1
                game.play_tick()
            games += 1
        return {"decisions": decisions, "choices": choices, "games": games}


class CatanatronCopies:
    """``Game.copy`` of positions from all stages of Catanatron games."""

    def __init__(self, seats: int, seed: int) -> None:
        play = CatanatronPlay(seats, seed)
        self._positions: list[Any] = []
        game = play.begin()
        while len(self._positions) < COPIED_POSITIONS:
            for _ in range(STEPS_BETWEEN_POSITIONS):
                if play.is_over(game):
                    game = play.begin()
                game.play_tick()
            self._positions.append(game.copy())

    def __call__(self, seconds: float) -> dict[str, float]:
        """Copy for ``seconds``; returns copies."""
        copies = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for position in self._positions:
                position.copy()
            copies += len(self._positions)
        return {"copies": copies}


@kernel
def pick_bits(masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray) -> int:
    """Write for each row (n, words) uint64 of flags the one ``fractions`` (n,) of the way through those that are set.

    Returns:
        how many rows have more than one.
    """
    one, choices = np.uint64(1), 0
    for index in range(masks.shape[0]):
        legal = 0
        for word in range(masks.shape[1]):
            rest = masks[index, word]
            while rest != 0:
                rest &= rest - one
                legal += 1
        choices += legal > 1
        skip = int(fractions[index] * legal)
        for word in range(masks.shape[1]):
            rest, place = masks[index, word], word * 64
            while rest != 0 and skip >= 0:
                if rest & one:
                    actions[index] = place
                    skip -= 1
                rest >>= one
                place += 1
            if skip < 0:
                break
    return choices


def open_fastcatan() -> Any:
    """The package, in one thread: its loops ask OpenMP, which reads this once, when it is loaded."""
    os.environ["OMP_NUM_THREADS"] = "1"
    return importlib.import_module("fastcatan")


class FastCatanPlay:
    """fastcatan, Catan in C++: its batch, which deals ended games anew, masks in its packed form, and a compiled draw.

    Its own example draws in Python, which takes longer than all the rest. It shows no observation.

    Args:
        size: games.
        seed: of the games and of the draws.
    """

    def __init__(self, size: int, seed: int) -> None:
        package = open_fastcatan()
        self.games = package.BatchedEnv(size, seed)
        self.games.reset()
        self._masks = np.zeros((size, package.MASK_WORDS), np.uint64)
        self._actions, self._done = np.zeros(size, np.uint32), np.zeros(size, np.uint8)
        self._rng = np.random.default_rng(seed)

    def step(self) -> tuple[int, int]:
        """Play one decision in each game; returns how many had a choice, and how many games ended."""
        self.games.write_masks(self._masks)
        choices = pick_bits(self._masks, self._rng.random(len(self._masks)), self._actions)
        self.games.step_autoreset(self._actions, self._done)
        return int(choices), int(np.count_nonzero(self._done))

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play for ``seconds``; returns decisions, those with a choice (``choices``), and games that ended."""
        steps = choices = games = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            with_choice, ended = self.step()
            steps, choices, games = steps + 1, choices + with_choice, games + ended
        return {"decisions": steps * len(self._masks), "choices": choices, "games": games}


class FastCatanCopies:
    """``BatchedEnv.save_snapshots`` of positions from all stages, into an array that is there."""

    def __init__(self, size: int, seed: int) -> None:
        play = FastCatanPlay(size, seed)
        for _ in range(STEPS_BETWEEN_POSITIONS**2):
            play.step()
        self._games = play.games
        self._out = np.zeros((size, open_fastcatan().SNAPSHOT_BYTES), np.uint8)

    def __call__(self, seconds: float) -> dict[str, float]:
        """Copy for ``seconds``; returns copies."""
        copies = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._games.save_snapshots(self._out)
            copies += len(self._out)
        return {"copies": copies}


class OpenSpielPlay:
    """A game of OpenSpiel through its Python states.

    Args:
        name: of the game.
        seed: of the random players.
        look: what the mover is shown before each decision: a function of the state.
    """

    def __init__(self, name: str, seed: int, look: Callable[[Any], object] | None = None) -> None:
        self._game = importlib.import_module("pyspiel").load_game(name)
        self._random = random.Random(seed)
        self._look = look

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play whole games for ``seconds``; returns decisions and games."""
        draw, look = self._random.random, self._look
        decisions = games = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            state = self._game.new_initial_state()
            while not state.is_terminal():
                if look is not None:
                    look(state)
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
            games += 1
        return {"decisions": decisions, "games": games}


def look_at_arrays(state: Any) -> tuple[np.ndarray, np.ndarray]:
    """Tensor and mask as arrays, as a net is fed with them; OpenSpiel hands out lists."""
    tensor = np.asarray(state.observation_tensor(state.current_player()), np.float32)
    return tensor, np.asarray(state.legal_actions_mask(), np.bool_)


def look_at_lists(state: Any) -> tuple[list[float], list[int]]:
    """Tensor and mask as the lists that OpenSpiel hands out, of no use to a net."""
    return state.observation_tensor(state.current_player()), state.legal_actions_mask()


def make_buffer_look(name: str) -> Callable[[Any], object]:
    """Tensor and mask written into arrays that are there: by OpenSpiel's observer, and by the legal actions."""
    game = importlib.import_module("pyspiel").load_game(name)
    observation = importlib.import_module("open_spiel.python.observation").make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.bool_)

    def look(state: Any) -> None:
        observation.set_from(state, state.current_player())
        mask[:] = False
        mask[state.legal_actions()] = True

    return look


class RLCardPlay:
    """A game of RLCard through ``reset`` and ``step``, whose states hold observation and legal actions."""

    def __init__(self, name: str, seed: int) -> None:
        self._env = importlib.import_module("rlcard").make(name, config={"seed": seed})
        self._random = random.Random(seed)

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play whole games for ``seconds``; returns decisions and games."""
        env, draw = self._env, self._random.random
        decisions = games = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(draw() * len(legal))])
                decisions += 1
            games += 1
        return {"decisions": decisions, "games": games}


class PgxPlay:
    """A game of Pgx: a compiled batch in JAX, observations included; ``auto_reset`` begins ended games anew."""

    def __init__(self, name: str, seed: int) -> None:
        jax = importlib.import_module("jax")
        pgx = importlib.import_module("pgx")
        auto_reset = importlib.import_module("pgx.experimental").auto_reset
        env = pgx.make(name)
        self._wait = jax.block_until_ready

        def step(state: Any, key: Any) -> tuple[Any, Any]:
            key, draw, renew = jax.random.split(key, 3)
            scores = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            actions = jax.random.categorical(draw, scores)
            keys = jax.random.split(renew, PGX_GAMES)
            return jax.vmap(auto_reset(env.step, env.init))(state, actions, keys), key

        self._step = jax.jit(step)
        self._key = jax.random.PRNGKey(seed)
        self._state = jax.jit(jax.vmap(env.init))(jax.random.split(self._key, PGX_GAMES))

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play for ``seconds``; returns decisions."""
        decisions = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._state, self._key = self._step(self._state, self._key)
            self._wait(self._state)
            decisions += PGX_GAMES
        return {"decisions": decisions}


def open_aec(name: str, seed: int) -> Workload:
    """An environment of ``pettingzoo.classic`` with its standard wrappers, played as ours is."""
    return AECPlay(importlib.import_module(f"pettingzoo.classic.{name}").env(), seed)
