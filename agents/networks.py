"""The nets of a game: the one that training begins with, and others by name."""

from __future__ import annotations

from typing import Any, NamedTuple

from steam_env.encoding import Encoding
from steam_env.kit.checks import look_up
from steam_env.spec import GameSpec, load_named

USUAL = ""  # the name of the net that training begins with


class NetworkKind(NamedTuple):
    """A net that a game's policies may be.

    Attributes:
        name: by ``Players.networks``, or ``USUAL``.
        network: the class of the net.
        config: the class of its configuration.
    """

    name: str
    network: Any
    config: Any

    def find_encoding(self, spec: GameSpec) -> Encoding:
        """The encoding that the net looks at: the one it names as its ``encoding``, else the game's first."""
        encoding: Encoding = spec.sight.find_encoding(getattr(self.network, "encoding", None))
        return encoding


def find_network(spec: GameSpec, name: str = USUAL) -> NetworkKind:
    """The net of a game with this name.

    Raises:
        ValueError: if there is none, naming those that there are.
    """
    players = spec.players
    paths = {USUAL: (players.network, players.network_config), **players.networks}
    network, config = look_up(paths, "net", name)
    return NetworkKind(name, load_named(network), load_named(config))


def find_network_of(spec: GameSpec, config: object) -> NetworkKind:
    """The net of a game whose configuration this is.

    Raises:
        ValueError: for a configuration of none of its nets.
    """
    kinds = [find_network(spec, name) for name in (USUAL, *spec.players.networks)]
    for kind in kinds:
        if type(config) is kind.config:
            return kind
    raise ValueError(f"network={config!r}: allowed are {', '.join(kind.config.__name__ for kind in kinds)}")
