"""Steam in the terminal, for people: the options of ``python -m steam_env.play --game steam``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from steam_env.agents import list_agents
from steam_env.data.steam.maps import shipped_maps
from steam_env.data.steam.rules import LARGE_MAP, Bankruptcy, Rules, Start, Tiles, make_match_rules
from steam_env.games.steam import SPEC
from steam_env.kit.command_line import show_value_as
from steam_env.kit.program import make_program
from steam_env.playing.played_game import HUMAN, seat_people
from steam_env.playing.program import EXIT_CODES, MANNER, PROGRAM, TableOptions, run

try:
    from rich.prompt import Prompt
except ImportError as error:
    raise SystemExit(f"steam_env: {error}; playing needs: pip install 'steam-env[play]'") from None

DEFAULT_OPPONENT = "greedy"
AGENTS = tuple(sorted(list_agents(SPEC)))
DESCRIPTION = f"""\
Play Steam in the terminal against agents and other people.

Without options (but --game) a few questions set up the game; Enter takes what is proposed. {MANNER}

what there is:
  opponents      {DEFAULT_OPPONENT}; {", ".join(AGENTS)}, {HUMAN} (who shares the keyboard)
  maps           {", ".join(shipped_maps())}, or the path of a map file

examples:
  # against two agents on a small map
  python -m steam_env.play --game steam --map mini
  # five at the table, two of them people
  python -m steam_env.play --game steam --against human --against thrifty --against thrifty --against random
  # the first order of play is bid for
  python -m steam_env.play --game steam --start auction
  # go on with a game that was saved
  python -m steam_env.play --load steam-play-1.save

{EXIT_CODES}"""


@dataclass(frozen=True)
class Options(TableOptions):
    """The options of the command line.

    Attributes:
        map: A map's name, or the path of a map file. Left out: one that is made for so many seats.
        tiles: The stock of track tiles (rule 2.5): that of the box, or unlimited.
        first_player: Who is first on the order track, or opens the auction: random, or a seat.
        start: How the first order track is made: random (rule 4.4), or by an auction (rule 15.2).
        turns: Turns of the game, 1 to 10. Left out: by the number of seats (rule 4.5).
        bankruptcy: What happens to a seat that cannot pay: it is out (rule 13), or forgiven (rule 13.6).
        game: Which game is played, by its id; other games have options of their own.
    """

    map: Annotated[str | None, show_value_as("MAP")] = None
    tiles: Tiles = Rules.tiles
    first_player: Annotated[str, show_value_as("SEAT")] = "random"
    start: Start = Rules.start
    turns: Annotated[int | None, show_value_as("INT")] = None
    bankruptcy: Bankruptcy = Rules.bankruptcy
    game: Annotated[str, show_value_as("GAME")] = Rules.game

    @property
    def rules(self) -> Rules:
        """The rules."""
        first = self.first_player
        given = {"map": self.map} if self.map is not None else {}
        options = {
            "tiles": self.tiles,
            "first_player": int(first) if first.isascii() and first.isdigit() else first,
            "start": self.start,
            "turns": self.turns,
            "bankruptcy": self.bankruptcy,
        }
        return make_match_rules(len(self.names), (), {**given, **options})

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, the name of who sits there."""
        return seat_people(SPEC, self.seat, self.against or (DEFAULT_OPPONENT,), self.seats)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the game that the command line, or the person, describes; returns the exit code."""
    return run(Options, DESCRIPTION, ask_options, arguments)


def ask_options() -> Options:
    """Ask the person a few questions in place of options."""
    kind = Prompt.ask("Play [bold]1[/] a new game, [bold]2[/] go on with a saved one", default="1")
    if kind == "2":
        return Options(load=Path(Prompt.ask("File", default="steam-play-1.save")).expanduser())
    print(f"There are {', '.join(AGENTS)}, {HUMAN}.")
    usual = f"{DEFAULT_OPPONENT} {DEFAULT_OPPONENT}"
    against = tuple(Prompt.ask("Opponents, one name for each seat, two to four", default=usual).split())
    proposed = Rules.map if len(against) < max(SPEC.facts.seat_counts) - 1 else LARGE_MAP
    return Options(against=against, map=Prompt.ask(f"Map ({', '.join(shipped_maps())}, or a file)", default=proposed))
