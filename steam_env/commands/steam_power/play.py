"""``python -m steam_env.play`` and ``steam-play``: a game in the terminal, for people."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated

from steam_env.agents import AGENTS
from steam_env.data.steam_power.decks import shipped_decks
from steam_env.data.steam_power.maps import shipped_maps
from steam_env.data.steam_power.rules import AUTOMA_NAMES, Edition, FirstPlayer, Routing, Rules, is_automa
from steam_env.kit.command_line import list_given, parse_options, show_value_as
from steam_env.kit.errors import AgentError, Closed
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT, INTERRUPTED, fail, make_program
from steam_env.playing.steam_power.played_game import HUMAN, PlayedGame, seat_people
from steam_env.playing.steam_power.session import Session
from steam_env.render.pen import wants_color

try:
    from rich.prompt import Prompt

    from steam_env.playing.steam_power.terminal import run_full_screen, run_lines
except ImportError as error:
    raise SystemExit(f"steam_env: {error}; playing needs: pip install 'steam-env[play]'") from None

PROGRAM = "steam-play"
DEFAULT_OPPONENT = "automa:normal"
KEPT_WITH_FILE = ("load", "save", "plain")  # options that may stand beside --load
DESCRIPTION = f"""\
Play Steam Power in the terminal against agents, Automas and other people.

Without options a few questions set up the game; Enter takes what is proposed. The whole terminal is used (80 x 24
is enough); where there is none, lines are read and written, so games can be piped in. In the game, help tells what
can be typed, TAB completes, why ACTION tells which rule forbids an action, undo takes back, save keeps the game.
Ctrl-C, the end of the input and a closed window save as well, and say to which file.

what there is:
  opponents      {", ".join(sorted(AGENTS))}, {", ".join(AUTOMA_NAMES)},
                 {HUMAN} (who shares the keyboard: hands stay hidden)
  maps           {", ".join(shipped_maps())}, or the path of a map file
  contracts      {", ".join(shipped_decks())}, or the path of a deck file

examples:
  # against the Automa on a small map
  python -m steam_env.play --map mini --contracts mini
  # four at the table: you, a friend, an agent, and an Automa
  python -m steam_env.play --against human --against greedy --against automa:hard
  # three times the same opponent
  python -m steam_env.play --seats 4 --against greedy
  # the solo game
  python -m steam_env.play --solo
  # go on with a game that was saved
  python -m steam_env.play --load steam-play-1.save

Taking back does not change luck: a seed fixes the deal and all chance in play, so that after undo, and after --load,
the same actions lead to the same game. NO_COLOR=1 turns colours off.

exit codes: 0 left, 2 bad input (nothing was played), 4 an agent failed, 130 Ctrl-C (what was played is saved)
"""


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        against: Who sits on the other seats, in turn order: an agent, automa:LEVEL (the last seats), or human. One
            name fills all of them. Left out: automa:normal.
        seats: Seats at the table, yours included, 2 to 5. Left out: as many as are named.
        seat: Your seat, from 0. Who begins is drawn, see --first-player.
        map: A map's name, or the path of a map file.
        contracts: A deck's name, or the path of a deck file.
        contracts_to_end: Fulfilled contracts of one seat that trigger the end. Left out: what the deck file or the
            rules say.
        edition: The rules' edition (rule 10): final, or preview, which has no Automa and no solo game.
        routing: Which routes may carry goods (rule 6.5): any, or the cheapest from the chosen source.
        first_player: Who begins: random, or player_0.
        max_rounds: The game ends after this round at the latest.
        solo: The solo game (rule 9): you alone, with five companies.
        seed: Fixes the deal and all chance. Left out: another one each time.
        load: Go on with the game of this file.
        save: The file that `save` without a name, and leaving, write to. Left out: a new one, steam-play-1.save and
            so on, in this folder.
        plain: Lines instead of the full screen: for screen readers and logs.
        game: Which game is played, by its id; other games have options of their own.
    """

    against: Annotated[tuple[str, ...], show_value_as("NAME")] = ()
    seats: Annotated[int | None, show_value_as("INT")] = None
    seat: int = 0
    map: Annotated[str, show_value_as("MAP")] = Rules.map
    contracts: Annotated[str, show_value_as("DECK")] = Rules.contracts
    contracts_to_end: Annotated[int | None, show_value_as("INT")] = None
    edition: Edition = Rules.edition
    routing: Routing = Rules.routing
    first_player: FirstPlayer = Rules.first_player
    max_rounds: int = Rules.max_rounds
    solo: bool = False
    seed: Annotated[int | None, show_value_as("INT")] = None
    load: Annotated[Path | None, show_value_as("FILE")] = None
    save: Annotated[Path | None, show_value_as("FILE")] = None
    plain: bool = False
    game: Annotated[str, show_value_as("GAME")] = Rules.game

    @property
    def rules(self) -> Rules:
        """The rules; Automas follow from the names of the opponents."""
        return Rules(
            mode="solo" if self.solo else "multiplayer",
            map=self.map,
            contracts=self.contracts,
            contracts_to_end=self.contracts_to_end,
            edition=self.edition,
            routing=self.routing,
            first_player=self.first_player,
            max_rounds=self.max_rounds,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, the name of who sits there."""
        if self.solo:
            if self.against or self.seats not in (None, 1) or self.seat:
                raise ValueError("--solo has no opponents and one seat: leave out --against, --seats and --seat")
            return (HUMAN,)
        return seat_people(self.seat, self.against or (DEFAULT_OPPONENT,), self.seats)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the game that the command line, or the person, describes; returns the exit code."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        words = list(sys.argv[1:] if arguments is None else arguments)
        options = parse_options(Options, words, DESCRIPTION)
        if not words and on_terminal:
            options = ask_options()
        session = open_session(options, list_given(words))
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was played; --help explains)")
    except (KeyboardInterrupt, EOFError):
        return fail(PROGRAM, INTERRUPTED, "nothing was played")
    plain = options.plain or not on_terminal or os.environ.get("TERM") in (None, "", "dumb")
    return play(session, plain)


def open_session(options: Options, given: set[str]) -> Session:
    """The game that the options describe, at its first decision of a person.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if options.load is not None:
        beside = sorted(given.difference(KEPT_WITH_FILE))
        if beside:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in beside)
            raise ValueError(f"{names} cannot be given together with --load: the file says how the game is played")
        return Session(PlayedGame.load(options.load), options.save or options.load)
    if options.save is not None and options.save.exists():
        raise ValueError(f"--save {options.save}: there is such a file already; --load goes on with it")
    return Session(PlayedGame.deal(options.rules, options.names, options.seed), options.save)


def ask_options() -> Options:
    """Ask the person a few questions in place of options."""
    kind = Prompt.ask(
        "Play [bold]1[/] against others, [bold]2[/] solo, [bold]3[/] go on with a saved game", default="1"
    )
    if kind == "3":
        return Options(load=Path(Prompt.ask("File", default="steam-play-1.save")).expanduser())
    against: tuple[str, ...] = ()
    if kind != "2":
        print(f"There are {', '.join(sorted(AGENTS))}, {', '.join(AUTOMA_NAMES)}, {HUMAN}.")
        against = tuple(Prompt.ask("Opponents, one name for each seat", default=DEFAULT_OPPONENT).split())
    map_name = Prompt.ask(f"Map ({', '.join(shipped_maps())}, or a file)", default=Rules.map)
    contracts = Prompt.ask(f"Contracts ({', '.join(shipped_decks())}, or a file)", default=Rules.contracts)
    edition: Edition = "final"
    if kind != "2" and not any(map(is_automa, against)):
        answer = Prompt.ask("Edition of the rules", choices=["final", "preview"], default="final")
        edition = "preview" if answer == "preview" else "final"
    return Options(against=against, map=map_name, contracts=contracts, edition=edition, solo=kind == "2")


def play(session: Session, plain: bool) -> int:
    """Let people play until they leave; returns the exit code. Whatever ends it, what was played is saved."""
    _end_when_closed()
    if not plain:
        session.prepare_hints()
    code = 0
    try:
        (run_lines if plain else run_full_screen)(session, wants_color())
    except EOFError:
        pass
    except KeyboardInterrupt:
        code = INTERRUPTED
    except AgentError as error:
        code = fail(PROGRAM, AGENT_FAILED, str(error))
    finally:
        kept = session.keep()
        _tell(session, kept, scores=session.played.game.done and not plain)
    return code


def _tell(session: Session, kept: str, scores: bool) -> None:
    """What stays on the terminal: the scores of a game that is over, the file of another."""
    try:
        if scores:
            print("\n".join(session.describe_scores()))
        print(kept or (session.reply if session.ended else ""), flush=True)
    except OSError:  # the terminal is gone
        sys.stdout = None  # nor can it be flushed


def _end_when_closed() -> None:
    """A closed terminal, and a signal to end, end the program in order: what was played is saved."""

    def close(number: int, _: FrameType | None) -> None:
        raise Closed(128 + number)

    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), close)
