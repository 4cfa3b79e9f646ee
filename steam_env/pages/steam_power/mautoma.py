"""``python -m steam_env.pages.steam_power.mautoma``: a game against Automas, each of their decisions told (rule 8).

And the parts of ``docs/mautoma.md``: such a game, the Automa's tables, which test reaches which branch of rule 8.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from steam_env.agents import AGENTS, make_agent
from steam_env.agents.base import Agent
from steam_env.core.steam_power.state import COMPENSATION
from steam_env.data.steam_power.automa import RESOURCE_NAMES, load_target_rules
from steam_env.data.steam_power.decks import shipped_decks
from steam_env.data.steam_power.maps import shipped_maps
from steam_env.data.steam_power.rules import AUTOMA_LEVELS, Rules
from steam_env.kit.program import make_program
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import code, join, table
from steam_env.table.asking import ask_mover
from steam_env.table.steam_power.game import Game
from steam_env.words.events import TABLE, Event
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.events import TARGET_RULES, Narrator

PASSIVE = "money"  # the player that only takes money
INDENT = "  "
TEST_NAME = re.compile(r"^def test_rule_8_(\d+)__(\w+)\(", re.MULTILINE)
PAGE = Path("docs") / "mautoma.md"
NOT_COUNTED = "brute_force"  # tests that compare with another search, not branch by branch


# --- a game ---------------------------------------------------------------------------------------


def tell_game(rules: Rules, seed: int, player: str) -> str:
    """Play a game and tell it turn by turn.

    Args:
        rules: with at least one Automa.
        seed: of the deal and of chance in play; player seat s plays from seed + s.
        player: ``"money"`` or an agent's name, for all player seats.
    """
    game = Game(rules, seed)
    agents: dict[int, Agent] = {}
    if player != PASSIVE:
        agents = {seat: make_agent(player) for seat in range(rules.players)}
        for seat, agent in agents.items():
            agent.reset(seed + seat)
    while not game.done:
        game.step(PASSIVE if player == PASSIVE else ask_mover(agents[game.seat], game))
    return "\n".join([*tell_events(game), "", *tell_scores(game)])


def tell_events(game: Game) -> Iterator[str]:
    """The game's log, a paragraph for each turn with the seat's name before it."""
    narrator = Narrator(game.setting)
    mover = TABLE
    for actor, beside, events in _gather(game):
        lines = list(join_path(narrator, events))
        if events[0].kind in ("deal", "round", "end"):
            yield from (f"\n== {line} ==" if events[0].kind == "round" else line for line in lines)
            mover = TABLE
        elif beside:
            yield from (INDENT + line for line in lines)
        else:
            if actor != mover:
                yield f"\n{name_seat(actor)} ({'the Automa' if actor >= game.rules.players else 'a player'})"
            yield from (INDENT + line.removeprefix(f"{name_seat(actor)} ") for line in lines)
            mover = actor


def _gather(game: Game) -> Iterator[tuple[int, bool, list[Event]]]:
    """Events in a row of one seat: the seat, whether they happen beside its turn, and they; none that lie face down."""

    def describe(event: Event) -> tuple[int, bool, bool]:
        loses_path = event.kind in ("clear_coins", "remove") and event.actor >= game.rules.players  # rule 8.13
        return event.actor, loses_path or event.kind == "reshuffle", event.kind == "round"

    shown = (event for event in game.events if event.kind != "stack")
    for (actor, beside, _), events in groupby(shown, key=describe):
        yield actor, beside, list(events)


def join_path(narrator: Narrator, events: Sequence[Event]) -> Iterator[str]:
    """Lines of events, those of the hexes of one path joined."""
    for on_path, group in groupby(events, key=lambda event: event.kind == "path_hex"):
        lines = list(map(narrator, group))
        if not on_path:
            yield from lines
            continue
        start = f"{name_seat(events[0].actor)} has on its path "
        yield start + ", ".join(line.removeprefix(start) for line in lines)


def tell_scores(game: Game) -> Iterator[str]:
    """The final scores, a line for each seat."""
    for seat, score in enumerate(game.scores()):
        won = " and wins" if seat in game.winners() else ""
        parts = ", ".join(f"{name} {value}" for name, value in score.items() if name != "total")
        yield f"{name_seat(seat)} has {score['total']} VP{won}: {parts}"


# --- tables ---------------------------------------------------------------------------------------


def describe_tables() -> str:
    """The Automa's tables as Markdown: targets by colour (rule 8.10), compensation by level (rule 8.7)."""
    targets = zip(RESOURCE_NAMES, load_target_rules(), strict=True)
    levels = zip(AUTOMA_LEVELS, COMPENSATION, strict=True)
    return join(
        table(
            ("colour on the contract", "rule", "target"),
            ((color, f"`{rule}`", TARGET_RULES[rule]) for color, rule in targets),
            words=3,
        ),
        table(("level", "compensation"), ((f"`{level}`", f"${amount}") for level, amount in levels)),
    )


def describe_coverage(folder: str) -> str:
    """Which tests in the folder reach which branches of rule 8, as Markdown; made from their names."""
    rows = []
    for path in sorted(Path(folder).glob("test_rule_8_*.py")):
        if NOT_COUNTED not in path.name:
            found = TEST_NAME.findall(path.read_text(encoding="utf-8"))
            rows += [(int(number), words.replace("_", " "), path.name) for number, words in found]
    rows.sort(key=lambda row: row[0])
    return table(("rule", "branch", "in"), ((f"8.{row[0]}", row[1], f"`{row[2]}`") for row in rows), words=3)


# --- the page -------------------------------------------------------------------------------------


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, {"tables": describe_tables, "game": show_game, "coverage": describe_coverage})}


def show_game(*arguments: str) -> str:
    """A game as the command prints it."""
    return code([run(make_parser().parse_args(arguments))], "text")


# --- the command ------------------------------------------------------------------------------------


def make_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m steam_env.pages.steam_power.mautoma", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=0, help="of the deal and of all chance (default 0)")
    parser.add_argument("--seats", type=int, default=2, help="seats, Automas included (default 2)")
    parser.add_argument("--automas", type=int, default=1, help="Automa seats, the last ones (default 1)")
    parser.add_argument("--level", default="normal", choices=AUTOMA_LEVELS, help="the Automas' level")
    parser.add_argument("--map", default="mini", help=f"{', '.join(shipped_maps())}, or the path of a map file")
    parser.add_argument("--contracts", default="mini", help=f"{', '.join(shipped_decks())}, or the path of a deck file")
    parser.add_argument("--player", default=PASSIVE, choices=(PASSIVE, *sorted(AGENTS)), help="who plays the others")
    parser.add_argument("--end", type=int, default=None, help="contracts that trigger the end (default: the deck's)")
    parser.add_argument("--rounds", type=int, default=100, help="the game ends after so many rounds (default 100)")
    return parser


def run(options: argparse.Namespace) -> str:
    """What the command prints.

    Raises:
        ValueError: for rules that are none.
    """
    rules = Rules(
        num_players=options.seats,
        automas=options.automas,
        automa_level=options.level,
        map=options.map,
        contracts=options.contracts,
        contracts_to_end=options.end,
        max_rounds=options.rounds,
    )
    return tell_game(rules, options.seed, options.player)


@make_program("mautoma")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = make_parser()
    try:
        print(run(parser.parse_args(arguments)))
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
