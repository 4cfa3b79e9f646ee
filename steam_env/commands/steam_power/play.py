"""Steam Power in the terminal, for people: the options of ``python -m steam_env.play``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from steam_env.agents import AGENTS
from steam_env.data.steam_power.decks import shipped_decks
from steam_env.data.steam_power.maps import shipped_maps
from steam_env.data.steam_power.rules import AUTOMA_NAMES, Edition, FirstPlayer, Routing, Rules, is_automa
from steam_env.games.steam_power import SPEC
from steam_env.kit.command_line import show_value_as
from steam_env.kit.program import make_program
from steam_env.playing.played_game import HUMAN, seat_people
from steam_env.playing.program import EXIT_CODES, MANNER, PROGRAM, TableOptions, run

try:
    from rich.prompt import Prompt
except ImportError as error:
    raise SystemExit(f"steam_env: {error}; playing needs: pip install 'steam-env[play]'") from None

DEFAULT_OPPONENT = "automa:normal"
DESCRIPTION = f"""\
Play Steam Power in the terminal against agents, Automas and other people.

Without options a few questions set up the game; Enter takes what is proposed. {MANNER}

what there is:
  opponents      {DEFAULT_OPPONENT}; {", ".join(sorted(AGENTS))}, {", ".join(AUTOMA_NAMES)},
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
the same actions lead to the same game. {EXIT_CODES}"""


@dataclass(frozen=True)
class Options(TableOptions):
    """The options of the command line.

    Attributes:
        map: A map's name, or the path of a map file.
        contracts: A deck's name, or the path of a deck file.
        contracts_to_end: Fulfilled contracts of one seat that trigger the end. Left out: what the deck file or the
            rules say.
        edition: The rules' edition (rule 10): final, or preview, which has no Automa and no solo game.
        routing: Which routes may carry goods (rule 6.5): any, or the cheapest from the chosen source.
        first_player: Who begins: random, or player_0.
        max_rounds: The game ends after this round at the latest.
        solo: The solo game (rule 9): you alone, with five companies.
        game: Which game is played, by its id; other games have options of their own.
    """

    map: Annotated[str, show_value_as("MAP")] = Rules.map
    contracts: Annotated[str, show_value_as("DECK")] = Rules.contracts
    contracts_to_end: Annotated[int | None, show_value_as("INT")] = None
    edition: Edition = Rules.edition
    routing: Routing = Rules.routing
    first_player: FirstPlayer = Rules.first_player
    max_rounds: int = Rules.max_rounds
    solo: bool = False
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
        return seat_people(SPEC, self.seat, self.against or (DEFAULT_OPPONENT,), self.seats)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the game that the command line, or the person, describes; returns the exit code."""
    return run(Options, DESCRIPTION, ask_options, arguments)


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
