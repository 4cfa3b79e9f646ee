"""``SteamVecEnv``: many games as one environment of Stable-Baselines3. Needs the extra `train`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from steam_env.encoding import Observations, pick
from steam_env.envs.cast import Opponents
from steam_env.envs.midgame import Midgame
from steam_env.envs.options import ANY_SEAT, check_render_mode, read_learner_options, takes_game_options
from steam_env.envs.reserve import Reserve, size_reserve
from steam_env.envs.tables import Tables
from steam_env.kit.arrays import BoolArray
from steam_env.kit.checks import check_seed

RENDER_MODES = ("rgb_array",)
SEED_WORD = 2**32  # Stable-Baselines3 draws seeds below it

Indices = int | Iterable[int] | None


@takes_game_options
class SteamVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]  # an extra, which a checkout need not have
    """A game for each of many learners, as Stable-Baselines3 wants them: all are played in step.

    Games are those of ``SteamVectorEnv`` and begin anew in the step that ends them, so each step is a decision of every
    learner. ``action_masks()`` is what sb3-contrib's ``MaskablePPO`` asks for. Observations, masks and rewards are
    fresh arrays in each step.

    Infos: of a game that has just ended ``terminal_observation`` and the entries that ``SteamVectorEnv`` tells then;
    of every game ``TimeLimit.truncated``, always False: the round limit is a rule, and nothing is bootstrapped.

    Args:
        num_envs: how many games.
        opponents, seat, threads, options: see ``SteamVectorEnv``.
        midgame: which learners join their games later, and who plays for them before; `None`: none do. Where some do,
            games are begun ahead, many together.
        render_mode: `None` or `"rgb_array"`.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Opponents = None,
        seat: str | int = ANY_SEAT,
        threads: int = 1,
        midgame: Midgame | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        read = read_learner_options(SteamVecEnv, options, opponents)
        given: dict[str, Any] = {"opponents": opponents, "seat": seat, "threads": threads, "midgame": midgame}
        ahead = None if midgame is None else Reserve(Tables(read, size_reserve(num_envs), **given))
        tables = Tables(read, num_envs, **given, reserve=ahead)
        self._take_up([tables], render_mode)

    @classmethod
    def join(cls, *envs: SteamVecEnv) -> SteamVecEnv:
        """Join several environments into one, whose games may differ in rules, opponents and rewards.

        So a learner meets other numbers of seats, scripted opponents and past policies side by side. The parts must
        not be used by themselves any more.

        Raises:
            ValueError: for none, or if their observations or actions differ.
        """
        spaces = [(env.observation_space, env.action_space) for env in envs]
        if not envs or any(each != spaces[0] for each in spaces):
            raise ValueError("join needs environments with the same observations and actions")
        joined = cls.__new__(cls)
        joined._take_up([tables for env in envs for tables in env.groups], envs[0].render_mode)
        return joined

    def _take_up(self, groups: list[Tables], render_mode: str | None) -> None:
        self.groups = groups
        self.render_mode = check_render_mode(render_mode, RENDER_MODES)
        count, terms = sum(map(len, groups)), groups[0].terms
        self._masks = np.zeros((count, terms.spec.facts.num_actions), np.bool_)
        self._actions = np.zeros(count, np.int64)
        self._everywhere = np.ones(count, np.bool_)
        self._given: dict[str, dict[int, Any]] = {}  # by name and game: attributes that only others know
        super().__init__(count, terms.make_space(), terms.make_action_space())

    def _parts(self) -> Iterator[tuple[slice, Tables]]:
        """Each group with its part of all arrays."""
        start = 0
        for tables in self.groups:
            yield slice(start, start + len(tables)), tables
            start += len(tables)

    # --- reset and step ----------------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Let the next ``reset`` begin game i with ``seed + i``, and fix all that follows; ``None`` draws a seed."""
        first = int(np.random.default_rng().integers(SEED_WORD)) if seed is None else check_seed(seed)
        check_seed(first + self.num_envs - 1)
        self._seeds = [first + index for index in range(self.num_envs)]
        return self._seeds

    def reset(self) -> Observations:
        """Begin all games, up to the learners' first decisions; by the seeds of ``seed``, which count once.

        Raises:
            ValueError: for reset options, there are none.
        """
        if any(self._options):
            raise ValueError(f"reset options {self._options[0]}: there are none")
        for part, tables in self._parts():
            seeds = None if self._seeds[0] is None else np.array(self._seeds[part], np.int64)
            tables.begin_all(np.random.default_rng(seeds), seeds)
        self._reset_seeds()
        return self._look()

    def step_async(self, actions: np.ndarray) -> None:
        """Note the learners' actions, (n,) ids."""
        self._actions = actions

    def step_wait(self) -> tuple[Observations, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the learners' actions, then their opponents' up to the learners' next decisions; ended games begin anew.

        Returns:
            observations, rewards, dones, infos.

        Raises:
            IllegalActionError: see ``SteamVectorEnv.step``.
            gymnasium.error.ResetNeeded: before ``reset``.
        """
        checked = []
        for part, tables in self._parts():
            tables.check_ready()
            checked.append(tables.check(self._actions[part], self._everywhere[part]))
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]  # SB3's form
        for (part, tables), (actions, illegal) in zip(self._parts(), checked, strict=True):
            rewards[part] = tables.play(actions, illegal, self._everywhere[part])
            over = tables.over
            dones[part] = over
            if over.any():
                for row, told in self._tell_end(tables, over):
                    infos[part.start + row].update(told)
                tables.begin(over)
        return self._look(), rewards, dones, infos

    def _tell_end(self, tables: Tables, over: BoolArray) -> Iterator[tuple[int, dict[str, Any]]]:
        """The infos of games that have just ended, one by one: in this interface each is a dict."""
        rows = np.flatnonzero(over)
        seen, told = tables.observe_some(rows), tables.tell_end(rows)
        for index, row in enumerate(rows):
            entries = {name: values[index] for name, values in told.items()}
            yield int(row), {"terminal_observation": pick(seen, index), **entries}

    def _look(self) -> Observations:
        """What the learners see, fresh arrays; their masks are renewed."""
        observations = self.groups[0].allocate(self.num_envs)
        self._masks = np.empty_like(self._masks)
        for part, tables in self._parts():
            tables.observe(pick(observations, part))
            tables.write_masks(self._masks[part])
        return observations

    # --- what else the interface asks for ----------------------------------------------------------------

    def action_masks(self) -> BoolArray:
        """(n, actions) bool, the learners' legal actions: the same array until the next step."""
        return self._masks

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Any:
        """The masks, one for each game of ``indices``, for the method ``action_masks``; games have no other."""
        if method_name != "action_masks":
            raise AttributeError(f"games have no method {method_name!r}: 'action_masks' is allowed")
        return self._masks if indices is None else list(self._masks[self._list_indices(indices)])

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """The attribute of this environment, once for each game of ``indices``, or what ``set_attr`` gave the games."""
        rows = self._list_indices(indices)
        given = vars(self).get("_given", {}).get(attr_name, {})  # checkpoints of earlier versions have none
        if given and all(row in given for row in rows):
            return [given[row] for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of this environment, for all games; one that it has not belongs to the games of ``indices``.

        Raises:
            ValueError: for an attribute of all games and some of the games only.
        """
        if not hasattr(self, attr_name):
            self._given.setdefault(attr_name, {}).update(dict.fromkeys(self._list_indices(indices), value))
            return
        if len(self._list_indices(indices)) != self.num_envs:
            raise ValueError(f"{attr_name!r} belongs to all games, not to {indices!r}")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """False for each game: there are no environments of one game."""
        return [False] * len(self._list_indices(indices))

    def _list_indices(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))

    def get_images(self) -> Sequence[np.ndarray | None]:
        """The pixels of each game, with ``render_mode="rgb_array"``."""
        if self.render_mode is None:
            return [None] * self.num_envs
        games = (tables.batch.game(row) for tables in self.groups for row in range(len(tables)))
        return [game.render("rgb_array") for game in games]  # type: ignore[misc]  # pixels

    def close(self) -> None:
        """Do nothing: nothing is open."""
