"""One game at a time with its players: what the environments share, whatever interface they have."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self
from warnings import warn

import gymnasium
import numpy as np

from steam_env.data.generate import list_world_fields, move_to_world
from steam_env.encoding import Observations
from steam_env.envs.options import RENDER_FPS, RENDER_MODES, GameOptions, Terms
from steam_env.kit.arrays import FloatArray
from steam_env.kit.checks import SEED_BOUND
from steam_env.kit.errors import IllegalActionError
from steam_env.render import close_window
from steam_env.spec import Setting
from steam_env.table.engine import load_setting
from steam_env.table.game import Game, game_class_of
from steam_env.table.records import copy_games
from steam_env.table.rewards import RewardFunction, forfeit_reward
from steam_env.words.events import SeenEvents
from steam_env.words.seats import name_seat

MAX_DEALS = 100  # tries to deal a game in which a learner decides at all
MODES = {False: "multiplayer", True: "solo"}  # what messages call settings by ``is_solo``
NOBODY = -1  # the mover of a game that is over
SCENARIO = "scenario"  # a reset option
NOT_ASKED = -1  # the step of a player's last decision, before its first


class Table:
    """A game with its players: whose decision it is, and what each player sees, is told and is paid.

    Players are the player seats, by index; scripted seats play inside the game. In solo there is one, player 0, who
    decides for the company that is active and sees the game from there.

    Args:
        options: with the rules of the games that are dealt.

    Attributes:
        terms: the options, checked.
        num_players: number of players, the same in all games.
        forfeit: after a forfeit who did what: ``player``, ``action`` and ``reason``; else ``None``.

    Raises:
        ValueError: for a bad value, naming it and what is allowed.
    """

    def __init__(self, options: GameOptions) -> None:
        self.terms = Terms.check(options)
        self.num_players = self.terms.setting.num_players
        self._game: Game | None = None
        self.forfeit: dict[str, Any] | None = None
        self._asked_at: list[int] = []  # by player: the number of its last decision, for its events
        self._potential = np.zeros(0)  # (seats,) Φ at its last decision

    # --- game and players ------------------------------------------------------------------------------

    @property
    def setting(self) -> Setting:
        """The setting of the game under way; before the first game, the setting of those to be dealt."""
        return self.terms.setting if self._game is None else self._game.setting

    @property
    def is_solo(self) -> bool:
        """Whether one player has all the companies."""
        return self.terms.setting.is_solo

    @property
    def has_game(self) -> bool:
        """Whether a game has begun."""
        return self._game is not None

    @property
    def game(self) -> Game:
        """The game under way: step it through ``play`` only.

        Raises:
            RuntimeError: before the first one.
        """
        if self._game is None:
            raise RuntimeError("no game yet: call reset() first")
        return self._game

    @property
    def mover(self) -> int:
        """The player whose decision it is; ``NOBODY`` when the game is over."""
        seat = self.game.seat  # NOBODY too when the game is over
        if self.forfeit is not None:
            return NOBODY
        return min(seat, 0) if self.is_solo else seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by a forfeit."""
        return self.mover == NOBODY

    @property
    def is_round_limit(self) -> bool:
        """Whether the round limit alone has ended the game."""
        return self.game.truncated and self.forfeit is None

    def _observer_for(self, player: int) -> int:
        """The seat as which the player observes: in solo the active company's, at the end the first."""
        return max(self.game.seat, 0) if self.is_solo else player

    # --- play ------------------------------------------------------------------------------------------

    def begin(self, seed: int, options: Mapping[str, Any] | None) -> None:
        """Begin the game ``Game(rules, seed=seed)``, with the option ``map`` on that map, or at a ``scenario``.

        Raises:
            ValueError: for an unknown map, or a scenario of another mode or number of player seats.
            ScenarioError: naming the entry of the scenario that could not exist.
        """
        self._game = self._deal(seed, options or {})
        self.forfeit = None
        self._play_forced()
        self._asked_at = [NOT_ASKED] * self.num_players
        self._potential = self._count_potential()

    def _deal(self, seed: int, options: Mapping[str, Any]) -> Game:
        named = self._read_options(options)
        if options.get(SCENARIO) is not None:
            return self._set_up(seed, options[SCENARIO])
        rules = self.terms.setting.rules
        setting = load_setting(move_to_world(rules, named)) if named else self.terms.setting
        return game_class_of(setting)._dealt(setting, seed)

    def _read_options(self, options: Mapping[str, Any]) -> dict[str, str]:
        """What of the map is named, by field of the rules."""
        fields = list_world_fields(self.terms.spec.game)
        for name in options:
            if name not in (SCENARIO, *fields):  # no error: PettingZoo's own api_test passes a name that nobody knows
                allowed = ", ".join(map(repr, (SCENARIO, *fields)))
                are = "are" if fields else "is"
                warn(f"reset option {name!r} is ignored: {allowed} {are} allowed", stacklevel=5)
        named = {name: options[name] for name in fields if options.get(name) is not None}
        if named and options.get(SCENARIO) is not None:
            raise ValueError(f"{next(iter(named))}={next(iter(named.values()))!r}: a scenario has a map of its own")
        return named

    def _set_up(self, seed: int, scenario: Any) -> Game:
        game = game_class_of(self.terms.setting).from_scenario(scenario, seed)
        given = game.setting
        if given.rules.game != self.terms.spec.game:
            raise ValueError(f"the scenario is one of {given.rules.game!r}, this environment {self.terms.spec.game!r}")
        if given.num_players != self.num_players or given.is_solo != self.is_solo:
            raise ValueError(
                f"the scenario has {given.num_players} player seats in mode {MODES[given.is_solo]!r}, "
                f"this environment {self.num_players} in mode {MODES[self.is_solo]!r}"
            )
        return game

    def play(self, action: int) -> None:
        """Play an action of the mover, or end the game by its forfeit.

        Raises:
            IllegalActionError: for an illegal action where it does not forfeit. Nothing is changed.
        """
        try:
            self.advance(action)
        except IllegalActionError:
            if not self.terms.forfeits:
                raise
            self._asked_at[self.mover] = self.game.num_steps
            self.forfeit = {"player": self.mover, "action": action, "reason": self._explain(action)}

    def advance(self, action: int) -> None:
        """Play a legal action of the mover up to the next decision.

        Raises:
            IllegalActionError: for an illegal action, whatever the option says. Nothing is changed.
        """
        player, asked_at = self.mover, self.game.num_steps
        self.game.step(action)
        self._play_forced()
        self._asked_at[player] = asked_at

    def _explain(self, action: int) -> str:
        """Why the action is illegal, without the examples of legal ones: they would show a hand."""
        try:
            return str(self.game.explain(action))
        except IllegalActionError as error:  # an id out of range
            return str(error)

    def _play_forced(self) -> None:
        while self.terms.skips_forced and not self.game.done:
            legal = np.flatnonzero(self.game.mask)
            if len(legal) > 1:
                return
            self.game.step(int(legal[0]))

    def sample_legal(self, rng: np.random.Generator) -> int | None:
        """A uniformly random legal action of the mover; ``None`` if the game is over."""
        return None if self.is_over else int(rng.choice(np.flatnonzero(self.game.mask)))

    # --- what players are paid -------------------------------------------------------------------------

    def pay(self) -> FloatArray:
        """(seats,) float64, scripted seats included: what is due now; ask once after each ``play``.

        At the end every seat is paid: the reward of the game or of its forfeit, and −Φ, for at the end the
        potential is 0. Before, the mover alone is: the shaping since it was last paid.
        """
        if self.is_over:
            paid: FloatArray = self._count_reward() - self._potential
            return paid
        paid = np.zeros(len(self._potential))
        if self.terms.payment.shaping is not None:
            now = self._count_potential()[self.mover]
            paid[self.mover] = self.terms.payment.gamma * now - self._potential[self.mover]
            self._potential[self.mover] = now
        return paid

    def _count_reward(self) -> FloatArray:
        """(seats,) float64, the reward of a game that is over."""
        game = self.game
        if self.forfeit is not None:
            return forfeit_reward(game.setting.num_seats, self.forfeit["player"])
        reward: FloatArray = self.terms.payment.count_final(copy_games(game.records), game.setting)[0]
        return reward

    def _count_potential(self) -> FloatArray:
        """(seats,) float64, Φ of the position; 0 at the end."""
        game = self.game
        if game.done:
            return np.zeros(game.setting.num_seats)
        potential: FloatArray = self.terms.payment.count_potential(copy_games(game.records), game.setting)[0]
        return potential

    # --- what players see and are told -----------------------------------------------------------------

    def observe(self, player: int, encoding: str | None = None) -> Observations:
        """What the player sees, in fresh arrays of the encoding, by default the table's; changes nothing."""
        observation: Observations = self.game.observe(self._observer_for(player), encoding or self.terms.encoding)
        return observation

    def mask_for(self, player: int) -> np.ndarray:
        """(actions,) int8, a fresh array: 1 for each legal action; all zero if it is not the player's decision."""
        if player != self.mover:
            return np.zeros(len(self.game.mask), np.int8)
        return self.game.mask.astype(np.int8)

    def inform(self, player: int, *, events: bool = True) -> dict[str, Any]:
        """The player's info, shared with nobody: ``round_limit``, after a forfeit ``forfeit``.

        With ``events`` also these, what the game's rules name, such as its map, and at the end ``scores``, ``winners``.
        """
        info: dict[str, Any] = {"events": self._recall(player), **self.game.setting.names} if events else {}
        info["round_limit"] = self.is_round_limit
        if events and self.is_over:
            info |= {"scores": self.game.scores(), "winners": self.list_winners()}
        if self.forfeit is not None:
            agent = name_seat(self.forfeit["player"])
            info["forfeit"] = {"agent": agent, "action": self.forfeit["action"], "reason": self.forfeit["reason"]}
        return info

    def _recall(self, player: int) -> SeenEvents:
        """The events since the player's last decision, as it may see them."""
        asked_at = self._asked_at[player]
        return self.game.events_for(player, None if asked_at == NOT_ASKED else asked_at)

    def list_winners(self) -> list[int]:
        """The seats that win as the position stands; after a forfeit all others, who share its +1."""
        if self.forfeit is None:
            return self.game.winners()
        return [seat for seat in range(self.game.setting.num_seats) if seat != self.forfeit["player"]]


def draw_seed(rng: np.random.Generator) -> int:
    """A seed for a game or an agent."""
    return int(rng.integers(0, SEED_BOUND, dtype=np.int64))


class AtTable:
    """The part of an environment's interface that shows its table: rules, game, pictures."""

    _table: Table
    render_mode: str | None

    @property
    def rules(self) -> Any:
        """What the environment was configured with; a game from a scenario has its own (``game.rules``)."""
        return self._table.terms.setting.rules

    @property
    def reward(self) -> str | RewardFunction:
        """What is paid at the end: the option, or what it stands for when left out."""
        return self._table.terms.payment.reward

    @property
    def game(self) -> Game:
        """The game under way, to look at: step it through the environment only.

        Raises:
            RuntimeError: before the first ``reset``.
        """
        return self._table.game

    @property
    def board_features(self) -> dict[str, np.ndarray]:
        """What the setting fixes for good, such as the map: fresh arrays by name, see ``Sight.board_features``."""
        return self._table.terms.spec.sight.board_features(self._table.setting)

    def render(self) -> Any:
        """The board: a text with ``render_mode="ansi"``, pixels with ``"rgb_array"``; ``"human"`` shows a window."""
        if self.render_mode is None:
            allowed = ", ".join(map(repr, RENDER_MODES))
            gymnasium.logger.warn(f"render() does nothing without a render_mode: allowed are {allowed}")
            return None
        return self.game.render(self.render_mode, fps=RENDER_FPS)

    def close(self) -> None:
        """Close the window of ``render_mode="human"``; the environment stays usable."""
        if self.render_mode == "human":
            close_window()

    def __copy__(self) -> Self:
        """An independent environment with the same position and future: a deep copy."""
        return copy.deepcopy(self)
