"""``steam-play --web``: a server on which games are played and watched in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Annotated

from steam_env.evaluation.agent_names import make_any_agent
from steam_env.kit.command_line import parse_options, show_value_as
from steam_env.kit.program import BAD_INPUT, fail, make_program
from steam_env.spec import find_spec, list_games

try:
    from steam_env.web.desk import AgentDesk, list_own
    from steam_env.web.house import MOST_GAMES, House
    from steam_env.web.look import warm_up
    from steam_env.web.server import Address, bind, draw_token, make_server
    from steam_env.web.store import Store
except ImportError as error:
    raise SystemExit(f"steam_env: {error}; playing in the browser needs: pip install 'steam-env[web]'") from None

PROGRAM = "steam-play --web"
OPENING_SECONDS = 0.7  # after which the browser finds the server there
GAME_SIGN = "="  # between a game and an agent, in --agent
DESCRIPTION = f"""\
Play and watch in the browser: this program is the server, which prints the address to open.

Every game of the house: {", ".join(f"{find_spec(game).facts.title} ({game})" for game in list_games())}.
On the page you choose map, seats and opponents; people share the screen, or are invited by a link. Every action is
written to a file at once, and games go on after a restart.

By default only this machine can reach the server. With --host another address is bound; then the address that is
printed holds a token, without which nobody comes in.

examples:
  # play here
  steam-play --web
  # with an agent of your own beside the game's
  steam-play --web --agent greedy --agent my_agents.py:Brave
  # for others in the same network
  steam-play --web --host 192.0.2.7 --port 8000

exit codes: 0 ended, 2 bad input, or an address that cannot be bound, 130 Ctrl-C (games are kept)
"""


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        web: Play in the browser.
        host: The address that is bound.
        port: The port.
        name: A further name under which browsers reach the server, such as that of a proxy before it; several are
            allowed.
        agent: An agent that can be chosen on the page, any that `evaluate.py` knows, with GAME= before it for another
            than the default game; several are allowed. Left out: those that each game brings.
        store: The file in which games are kept. Left out: steam-web.sqlite in this folder.
        most_games: So many games are kept; then those in which nothing happened for 30 days make room.
        quiet: Do not open a browser.
    """

    web: bool = False
    host: str = Address.host
    port: int = Address.port
    name: Annotated[tuple[str, ...], show_value_as("HOST")] = ()
    agent: Annotated[tuple[str, ...], show_value_as("NAME")] = ()
    store: Path = Path("steam-web.sqlite")
    most_games: int = MOST_GAMES
    quiet: bool = False


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the program is interrupted; returns the exit code."""
    with ExitStack() as stack:
        try:
            options = parse_options(Options, arguments, DESCRIPTION)
            if not 1 <= options.port <= 65535:
                raise ValueError(f"--port {options.port}: 1 to 65535 are allowed")
            address = Address(options.host, options.port, options.name)
            if not address.is_local:
                address = Address(options.host, options.port, options.name, draw_token())
            agents = choose_agents(options.agent)
            listener = stack.enter_context(bind(address))
            house = House(Store(options.store), AgentDesk(agents), options.most_games)
        except ValueError as error:
            return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
        for game in list_games():
            warm_up(find_spec(game))
        print(f"play at {address.url}  (Ctrl-C ends; games are kept in {options.store})", flush=True)
        if address.is_local and not options.quiet:
            opener = Timer(OPENING_SECONDS, webbrowser.open, (address.url,))
            opener.daemon = True
            opener.start()
        make_server(house, address).run([listener])
    return 0


def choose_agents(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By game, the agents that can be chosen on the page.

    Raises:
        ValueError: for an unknown agent.
    """
    if not names:
        return {game: tuple(list_own(find_spec(game))) for game in list_games()}
    chosen: dict[str, tuple[str, ...]] = dict.fromkeys(list_games(), ())
    for name in names:
        game, sign, agent = name.partition(GAME_SIGN)
        spec = find_spec(game) if sign and game in chosen else find_spec()
        chosen[spec.game] += (agent if sign and game in chosen else name,)
        make_any_agent(chosen[spec.game][-1], spec.game)  # refused here, and not in the middle of a game
    return chosen
