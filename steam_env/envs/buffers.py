"""``SteamBuffers``: many games that are played into flat arrays which are given once, as PufferLib has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from steam_env.encoding import ArraySpec
from steam_env.envs.cast import Opponents
from steam_env.envs.options import ANY_SEAT, read_learner_options, takes_game_options
from steam_env.envs.tables import Tables
from steam_env.kit.arrays import BoolArray
from steam_env.kit.checks import SEED_BOUND, check_seed
from steam_env.kit.threads import Background

Told = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]


@takes_game_options
class SteamBuffers:
    """A game for each of many learners, with observations, rewards and ends always in the same arrays.

    Games are those of ``SteamVectorEnv`` and begin anew in the step that ends them. Names and arrays are those of
    PufferLib's native environments (``pufferlib.PufferEnv``), which need not be installed; what it asks for beyond them
    adds ``steam_env.envs.puffer``. ``action_masks`` is more than PufferLib knows: its ``masks`` tell which agents act,
    here all.

    Args:
        num_envs: how many games; PufferLib counts them as agents.
        buf: the arrays by name, written to in place: ``observations`` (n, ...), ``rewards`` (n,) float32, ``terminals``
            and ``truncations`` (n,) bool, ``masks`` (n,) bool, ``actions`` (n,) integers; also ``action_masks``
            (n, actions) bool. Those left out are made; others are kept as they are.
        seed: game i begins with ``seed + i``; ``None`` draws a seed.
        opponents, seat, threads, options: see ``SteamVectorEnv``; the encoding must have one array.

    Attributes:
        observations, rewards, terminals, truncations, masks, actions, action_masks: see ``buf``.
        single_observation_space, single_action_space: of one game.
        num_agents: how many games.

    Raises:
        ValueError: for a bad value, naming it and what is allowed.

    Example:
        >>> games = SteamBuffers(64, encoding="flat:tight", seed=1)
        >>> observations, infos = games.reset()
        >>> observations is games.observations, observations.dtype.name
        (True, 'uint8')
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        buf: Mapping[str, Any] | None = None,
        seed: int | None = None,
        opponents: Opponents = None,
        seat: str | int = ANY_SEAT,
        threads: int = 1,
        **options: Any,
    ) -> None:
        read = read_learner_options(SteamBuffers, options, opponents)
        self._tables = Tables(read, num_envs, opponents=opponents, seat=seat, threads=threads)
        terms = self._tables.terms
        space = terms.make_space()
        if not isinstance(space, spaces.Box):
            raise ValueError(f"encoding={terms.encoding!r}: one with a single array is allowed")
        self.num_agents = len(self._tables)
        self.single_observation_space, self.single_action_space = space, terms.make_action_space()
        self._seed = None if seed is None else check_seed(seed)
        self._stepping = Background()
        self._everywhere = np.ones(self.num_agents, np.bool_)
        self._take_arrays(buf or {}, ArraySpec(space.shape, 0, 0, space.dtype))

    def _take_arrays(self, given: Mapping[str, Any], seen: ArraySpec) -> None:
        flag, num_actions = np.dtype(np.bool_), int(self.single_action_space.n)
        wanted = {
            "observations": seen,
            "rewards": ArraySpec((), 0, 0, np.dtype(np.float32)),
            "terminals": ArraySpec((), 0, 0, flag),
            "truncations": ArraySpec((), 0, 0, flag),
            "masks": ArraySpec((), 0, 0, flag),
            "action_masks": ArraySpec((num_actions,), 0, 0, flag),
        }
        for name, spec in wanted.items():
            values = given.get(name)
            if values is None:
                values = spec.allocate(self.num_agents)
            elif not spec.fits(values, self.num_agents):
                shape = (self.num_agents, *spec.shape)
                raise ValueError(f"buf[{name!r}]: a writable array of shape {shape} and type {spec.dtype} is allowed")
            setattr(self, name, values)
        self.masks[:] = True
        self.actions = given.get("actions", np.zeros(self.num_agents, np.int32))

    observations: np.ndarray
    rewards: np.ndarray
    terminals: np.ndarray
    truncations: np.ndarray
    masks: np.ndarray
    action_masks: BoolArray

    # --- reset and step ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Begin all games, by ``seed + i``, without one by that of the constructor, which counts once."""
        first = self._seed if seed is None else check_seed(seed)
        self._seed = None
        if first is None:
            first = int(np.random.default_rng().integers(SEED_BOUND // 2))
        check_seed(first + self.num_agents - 1)
        seeds = first + np.arange(self.num_agents)
        self._tables.begin_all(np.random.default_rng(seeds), seeds)
        self.rewards[:], self.terminals[:], self.truncations[:] = 0, False, False
        self._look()
        return self.observations, []

    def step(self, actions: np.ndarray) -> Told:
        """Play the learners' actions (n,), and on to their next decisions; ended games begin anew.

        Returns:
            the arrays, written anew, and for each game that has ended a dict: ``score``, ``won``, ``round_limit``.

        Raises:
            IllegalActionError: see ``SteamVectorEnv.step``.
            gymnasium.error.ResetNeeded: before ``reset``.
        """
        tables = self._tables
        tables.check_ready()
        self.rewards[:] = tables.play(*tables.check(actions, self._everywhere), self._everywhere)
        self.terminals[:] = tables.over
        infos = self._tell_ends(np.flatnonzero(self.terminals)) if self.terminals.any() else []
        if infos:
            tables.begin(self.terminals.copy())
        self._look()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _tell_ends(self, rows: np.ndarray) -> list[dict[str, Any]]:
        told = self._tables.tell_end(rows)
        return [
            {"score": float(scores[seat, 0]), "won": float(winners[seat]), "round_limit": float(limit)}
            for seat, scores, winners, limit in zip(
                told["seat"], told["scores"], told["winners"], told["round_limit"], strict=True
            )
        ]

    def _look(self) -> None:
        self._tables.observe(self.observations)
        self._tables.write_masks(self.action_masks)

    # --- one half of the games while a net looks at the other ----------------------------------------------

    def send(self, actions: np.ndarray) -> None:
        """Begin ``step`` in a thread beside this one; ``recv`` waits for it."""
        given = np.array(actions)
        self._stepping.begin(lambda: self.step(given))

    def recv(self) -> Told:
        """Wait for the step that ``send`` has begun, and return what ``step`` returns, or raise what it raises."""
        return self._stepping.finish()  # type: ignore[no-any-return]

    def close(self) -> None:
        """Wait for a step under way; nothing is open."""
        if self._stepping.is_busy:
            self._stepping.finish()
