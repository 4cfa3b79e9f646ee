"""``GameSpec``, all that a game brings, and how a game is found by its id."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from steam_env.kit.show import show
from steam_env.spec.parts import Facts, Kernels, Players, Sight, Words

SHIPPED = "steam_env.games"  # the package whose modules are the shipped games, one each
ATTRIBUTE = "SPEC"  # what such a module calls its spec


@dataclass(frozen=True)
class GameSpec:
    """All that a game brings, by the parts that the shared rooms ask for.

    Attributes:
        game: its id: the name of its module in ``steam_env.games``, or the import path ``module:attribute`` of a spec
            elsewhere.
        version: of its environments, the number behind their names; changes with what results mean.
        load: ``(rules, **contents)``: the setting that the rules name; contents by name, such as a map at hand,
            stand in for those that they name.
        facts, kernels, words, sight, players: see there.
        mix: ``(settings)``: their ``steam_env.table.mixture.Mixture``; without one a batch has games of one setting.
        read_contents: ``(content)``: the contents for ``load`` from the plain data of ``Setting.contents``. Without
            one there are none.
        shipped: ``()``: by what the rules call them, names of what is shipped, such as maps.
        protocols: import paths of the game's frozen protocols.
        worlds: import path of how maps are made from seeds, a ``Worlds`` of ``steam_env.data.generate``; empty: not.
        balance: import path of a ``Balance`` of ``steam_env.pages.balance``, by which maps are measured; empty: not.
        play: import path of how people play at the terminal, a ``Desk`` of ``steam_env.playing.desk``; empty: not.
        game_class: import path of what one game is to its users, a ``steam_env.table.game:Game``.
        environments: by id of Gymnasium, fields of the rules that the environment of this id fixes, such as a mode.
    """

    game: str
    version: int
    load: Callable[..., Any]
    facts: Facts
    kernels: Kernels
    words: Words
    sight: Sight
    players: Players
    mix: Callable[[Sequence[Any]], Any] | None = None
    read_contents: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda content: {}
    shipped: Callable[[], Mapping[str, Sequence[str]]] = dict
    protocols: tuple[str, ...] = ()
    worlds: str = ""
    balance: str = ""
    play: str = ""
    game_class: str = "steam_env.table.game:Game"
    environments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are the game itself, found by its id."""
        return find_spec, (self.game,)

    def fill_seats(self, given: Mapping[str, Any], num_opponents: int | None) -> Any:
        """Rules from some fields, with seats for a learner and its opponents; ``None``: opponents are not named.

        Where ``Players.fill_seats`` does not say it, the rules have a field ``num_players``.
        """
        if self.players.fill_seats is not None:
            return self.players.fill_seats(given, num_opponents)
        num_seats = max(self.facts.seat_counts[0], 1 + (num_opponents or 0))
        return self.facts.rules(**{"num_players": num_seats, **given})

    def make_match_rules(self, num_seats: int, scripted: Sequence[str], given: Mapping[str, Any]) -> Any:
        """The rules of a match with so many seats, the last of which scripted opponents with these names hold.

        Where ``Players.make_match_rules`` does not say it, the rules have a field ``num_players``.
        """
        if self.players.make_match_rules is not None:
            return self.players.make_match_rules(num_seats, scripted, given)
        return self.facts.rules(**{"num_players": num_seats, **self.players.seat_scripted(scripted), **given})


# --- finding games -----------------------------------------------------------------------------------

_found: dict[str, GameSpec] = {}  # by id, all that were asked for


def list_games() -> tuple[str, ...]:
    """The ids of the shipped games, the default first."""
    package = importlib.import_module(SHIPPED)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if not module.name.startswith("_"))
    return tuple(sorted(names, key=lambda name: name != package.DEFAULT))


def find_spec(game: str | None = None) -> GameSpec:
    """The game with this id; without one the default game.

    Args:
        game: the id of a shipped game, or the import path ``module:attribute`` of a spec.

    Raises:
        ValueError: if there is none, naming what there is.
    """
    name = importlib.import_module(SHIPPED).DEFAULT if game is None else game
    if name not in _found:
        _found[name] = _load(name)
    return _found[name]


def find_known(game: object) -> GameSpec:
    """The game with this id, which a file names: a shipped one, or one that this process has asked for before.

    A file must not choose what is imported.

    Raises:
        ValueError: if it is neither.
    """
    if game is None or (isinstance(game, str) and (game in _found or game in list_games())):
        return find_spec(game)
    known = ", ".join(map(repr, dict.fromkeys((*list_games(), *_found))))
    raise ValueError(f"game={show(game)}: known are {known}; of another game import its spec first: find_spec(id)")


def load_named(path: str) -> Any:
    """What an import path ``module:attribute`` names.

    Raises:
        ValueError: if the module or the attribute is missing.
    """
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{path!r}: nothing can be imported there: {error}") from error


def _load(game: object) -> GameSpec:
    if not isinstance(game, str) or (":" not in game and game not in list_games()):
        allowed = ", ".join(map(repr, list_games()))
        raise ValueError(f"game={show(game)}: allowed are {allowed}, or the import path of a spec, module:attribute")
    spec = load_named(game if ":" in game else f"{SHIPPED}.{game}:{ATTRIBUTE}")
    if not isinstance(spec, GameSpec):
        raise ValueError(f"game={game!r}: is no GameSpec but {show(spec)}")
    return spec
