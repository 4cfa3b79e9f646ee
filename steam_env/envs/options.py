"""The options that all environments have, and checks of those that some have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces

from steam_env.encoding import Encoding
from steam_env.envs.observed import make_observation_space
from steam_env.kit.checks import as_integer
from steam_env.kit.errors import IllegalActionError
from steam_env.spec import GameSpec, Setting, find_spec
from steam_env.table.engine import load_setting
from steam_env.table.payment import Payment
from steam_env.table.rewards import RewardFunction, choose_reward

ANY_SEAT = "random"  # of the learner
ILLEGAL = ("raise", "forfeit")
RENDER_MODES = ("ansi", "human", "rgb_array")
RENDER_FPS = 4  # pictures per second of videos, and at most of the window
TERMINAL, SHAPED = "terminal", "terminal, and shaping between a seat's own decisions"  # metadata["reward_timing"]

E = TypeVar("E", bound=type)


@dataclass(frozen=True)
class GameOptions:
    """The options that every environment has: which game is played, and how its seats are asked and paid.

    Attributes:
        game: the id of the game, or `None`: that of `rules`, without them the default game.
        rules: the rules of the games, or `None` where they are given as keyword arguments.
        encoding: what a seat observes: a name of the game's encodings, or its digits, such as `"flat:tight"`; `None`:
            the first of them.
        reward: `"win"`, `"margin"`, `"score"` or a function `(records, rules) -> (n, seats)`, asked at the end;
            `None` = `"win"`, or `"score"` in solo, where `"win"` is refused.
        shaping: a potential `Φ(records, rules) -> (n, seats)`, or `None`. Its mean over the seats is subtracted, but
            not in solo; gamma × (Φ now) − (Φ before) is paid between a seat's own decisions, with 0 for Φ at the end.
        gamma: the discount of the shaping, 0 to 1.
        illegal: what an illegal action does: `"raise"` an error and change nothing, or `"forfeit"` the game.
        skip_forced: whether decisions with a single legal action are played without asking.
    """

    game: str | None = None
    rules: Any = None
    encoding: str | None = None
    reward: str | RewardFunction | None = None
    shaping: RewardFunction | None = None
    gamma: float = 1.0
    illegal: str = "raise"
    skip_forced: bool = False


SHARED = {field.name: field.default for field in fields(GameOptions)}


# --- reading them ----------------------------------------------------------------------------------------


def takes_game_options(environment: E) -> E:
    """Class decorator: show the options of ``GameOptions`` in the signature of an environment that takes them."""
    own = [one for one in signature(environment).parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    shared = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in SHARED.items()]
    rest = Parameter("rule_fields", Parameter.VAR_KEYWORD)
    environment.__signature__ = Signature([*own, *shared, rest])  # type: ignore[attr-defined]
    return environment


def list_options(environment: type) -> dict[str, Any]:
    """The options of an environment that are no fields of the game's rules, by name, with their defaults."""
    parameters = signature(environment).parameters.values()
    return {one.name: one.default for one in parameters if one.kind is Parameter.KEYWORD_ONLY}


def read_options(environment: type, given: Mapping[str, Any]) -> GameOptions:
    """The options that an environment's user has given, among them fields of the game's rules.

    Returns:
        options with ``game`` and ``rules`` filled in.

    Raises:
        ValueError: for a name that is neither an option of the environment nor a field of the rules, for rules in
            both ways at once, for those of another game, and for what are none.
    """
    return _read(environment, given, lambda spec, rule_fields: spec.facts.rules(**rule_fields))


def read_learner_options(environment: type, given: Mapping[str, Any], opponents: object) -> GameOptions:
    """As ``read_options``, for a learner against opponents: seats that the fields leave out are enough for all.

    Raises:
        ValueError: see ``read_options``.
    """
    named = len(opponents) if isinstance(opponents, list | tuple) else 1

    def make_rules(spec: GameSpec, rule_fields: dict[str, Any]) -> Any:
        return spec.fill_seats(rule_fields, None if opponents is None else named)

    return _read(environment, given, make_rules)


def _read(
    environment: type, given: Mapping[str, Any], make_rules: Callable[[GameSpec, dict[str, Any]], Any]
) -> GameOptions:
    options = GameOptions(**{name: value for name, value in given.items() if name in SHARED})
    rule_fields = {name: value for name, value in given.items() if name not in SHARED}
    spec = _find_game(options)
    known = [field.name for field in fields(spec.facts.rules)]
    for name in rule_fields:
        if name not in known:
            allowed = ", ".join(list_options(environment))
            raise ValueError(f"unknown option {name!r}: options are {allowed}; rules are {', '.join(known)}")
    if options.rules is not None and rule_fields:
        raise ValueError(f"rules= and {next(iter(rule_fields))}= exclude each other: give one of them")
    rules = make_rules(spec, rule_fields) if options.rules is None else options.rules
    return replace(options, game=spec.game, rules=rules)


def _find_game(options: GameOptions) -> GameSpec:
    """The game that is named, or whose rules are given."""
    spec = find_spec(options.game)
    if options.rules is None:
        return spec
    told = getattr(options.rules, "game", None)
    if options.game is None and isinstance(told, str):
        spec = find_spec(told)
    if not isinstance(options.rules, spec.facts.rules):
        allowed = spec.facts.rules
        raise ValueError(
            f"rules={options.rules!r}: an object of {allowed.__module__}.{allowed.__qualname__} is allowed"
        )
    return spec


@dataclass(frozen=True)
class Terms:
    """How an environment's games are played: its options checked, and what they name loaded.

    Attributes:
        spec: the game.
        setting: rules and all that they name.
        encoding: name of the encoding of observations; kernels need not travel in a pickle.
        payment: what seats are paid.
        forfeits: whether an illegal action ends the game, in place of an error.
        skips_forced: whether decisions with a single legal action are played without asking.
    """

    spec: GameSpec
    setting: Setting
    encoding: str
    payment: Payment
    forfeits: bool
    skips_forced: bool

    @classmethod
    def check(cls, options: GameOptions) -> Terms:
        """Check the options, and load what they name.

        Raises:
            ValueError: for a bad value, naming it and what is allowed, or rules with which no game can be dealt.
        """
        setting = load_setting(options.rules)
        setting.check_deal()
        spec = find_spec(options.rules.game)
        return cls(
            spec,
            setting,
            spec.sight.find_encoding(options.encoding, setting=setting).name,
            Payment(choose_reward(options.reward, setting), options.shaping, options.gamma),
            check_word("illegal", options.illegal, ILLEGAL) == "forfeit",
            check_flag("skip_forced", options.skip_forced),
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Terms:
        """The same object: terms never change."""
        return self

    def find_encoding(self) -> Encoding:
        """The encoding of observations."""
        encoding: Encoding = self.spec.sight.find_encoding(self.encoding, setting=self.setting)
        return encoding

    def make_space(self) -> spaces.Box | spaces.Dict:
        """The space of one observation; a fresh object."""
        return make_observation_space(self.find_encoding())

    def make_action_space(self) -> spaces.Discrete:
        """The space of actions; a fresh object."""
        return spaces.Discrete(self.spec.facts.num_actions)

    @property
    def reward_timing(self) -> str:
        """When seats are paid, for an environment's metadata."""
        return TERMINAL if self.payment.shaping is None else SHAPED


# --- checks ----------------------------------------------------------------------------------------------


def check_word(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """Refuse a value that is none of the allowed words; returns it.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={value!r}: allowed are {', '.join(map(repr, allowed))}")
    return value


def check_flag(name: str, value: object) -> bool:
    """Refuse a value that is neither True nor False; returns it.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r}: allowed are True, False")
    return value


def check_render_mode(value: object, allowed: tuple[str, ...] = RENDER_MODES) -> str | None:
    """Refuse a value that is neither a render mode nor ``None``; returns it.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    return None if value is None else check_word("render_mode", value, allowed)


def check_seat(seat: object, num_players: int) -> int | None:
    """The number of a learner's fixed seat, ``None`` for a random one.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if isinstance(seat, str) and seat == ANY_SEAT:
        return None
    number = -1 if isinstance(seat, str) else as_integer(seat, "seat")
    if not 0 <= number < num_players:
        raise ValueError(f"seat={seat!r}: {ANY_SEAT!r} or the number of a player seat, below {num_players}, is allowed")
    return number


def to_integer(action: object) -> int:
    """An action as an ``int``, also from a NumPy array without dimensions.

    Raises:
        IllegalActionError: for anything else.
    """
    value = action[()] if isinstance(action, np.ndarray) and action.ndim == 0 else action
    try:
        return as_integer(value, "action")
    except ValueError as error:
        raise IllegalActionError(str(error)) from None
