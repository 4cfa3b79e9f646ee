"""What thinking is worth: the win rate of a search over its evaluations, beside the policy that it searches by.

    python -m steam_env.evaluation.search_curve duel --against automa:very_hard --deals 40

All play the same deals in the same seats, so what is compared is paired. The deals are played in blocks, and the file
is written after each of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np

from steam_env.agents.search import PREFIX
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.intervals import estimate_mean, estimate_rate
from steam_env.evaluation.kept import Content, Progress, ResultKind, Results, run_kept
from steam_env.evaluation.match import BATCH_SIZE, MAX_DEALS, MatchConfig, play_match, prepare_match
from steam_env.evaluation.provenance import describe_now, describe_setting, hash_game
from steam_env.evaluation.report import INTERVALS, Grid, Report, draw_report, say_interval, say_percent
from steam_env.kit.command_line import (
    add_fields,
    find_option,
    open_console,
    parse_options,
    show_progress,
    show_value_as,
)
from steam_env.kit.files import check_files
from steam_env.kit.program import make_program
from steam_env.kit.show import show_command
from steam_env.spec import GameSpec, find_spec
from steam_env.table.engine import load_setting

PROGRAM = "search_curve"
COMMAND = "python -m steam_env.evaluation.search_curve"
RESULTS = ResultKind("steam_env search curve", 1, COMMAND, "curve", ("blocks",), place_option="--json")
BLOCK = 100  # deals that are played together, as searches of many games share the net; block i has the seed i further
EVALUATIONS = (1, 16, 64, 256, 1024)
UNTOLD = ("json", "batch_size", "anew", "quiet")  # options that change no result
COLUMNS = ("agent", "deals", "win rate", "95 % interval", "more than without", "95 % interval", "VP margin", "s a game")

DESCRIPTION = """\
Measure how much stronger a search gets with more evaluations a decision, beside the policy itself on the same deals.

Examples:
  python -m steam_env.evaluation.search_curve duel --against automa:very_hard --deals 40
  python -m steam_env.evaluation.search_curve greedy --against greedy --deals 20 --evaluations 16

A run that was cut short goes on where it was if the same command is given again. More --deals and --evaluations are
added to the file.

exit codes: 0 all was played, 1 the file could not be written, 2 bad input (nothing was played), 4 an agent failed, 130
interrupted
"""


@dataclass(frozen=True)
class Options:
    """The command line; rules of the game are options too, see ``options_of``.

    Attributes:
        agent: What searches: a policy, or an agent that plays playouts.
        against: Who fills the other seats, as in evaluate.py.
        seats: Seats at the table. Left out: as many as are named.
        evaluations: Budget of a decision; may be given several times. Left out: 1, 16, 64, 256 and 1,024.
        deals: Deals, each played in all rotations of the player seats.
        seed: Everything random follows from it.
        json: The file of the results.
        game: Which game is played, by its id or by the import path of its spec. Left out: the default game.
        batch_size: Games on the table at once, about; a matter of speed and memory alone.
        anew: Play everything anew, in place of what the file holds.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    agent: Annotated[str, show_value_as("AGENT")]
    against: Annotated[tuple[str, ...], show_value_as("AGENT")] = ()
    seats: Annotated[int | None, show_value_as("INT")] = None
    evaluations: Annotated[tuple[int, ...], show_value_as("INT")] = ()
    deals: int = 100
    seed: int = 1905
    json: Annotated[Path, show_value_as("PATH")] = Path("search_curve.json")
    game: Annotated[str | None, show_value_as("GAME")] = None
    batch_size: int = BATCH_SIZE
    anew: bool = False
    quiet: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays: the agent itself, then its searches."""
        counts = sorted(set(self.evaluations)) or EVALUATIONS
        return (self.agent, *(f"{PREFIX}{self.agent}@{count}" for count in counts))

    @property
    def blocks(self) -> list[int]:
        """Deals of each block."""
        return [min(BLOCK, self.deals - first) for first in range(0, self.deals, BLOCK)]

    @property
    def command(self) -> str:
        """The command line that plays the same."""
        return show_command((COMMAND, shlex.quote(self.agent)), self, type(self)(self.agent), UNTOLD)

    def make_match(self, name: str, block: int, deals: int) -> MatchConfig:
        """The match of a block."""
        rules = {field: getattr(self, field) for field in find_spec(self.game).players.match_fields}
        seed = self.seed + block
        return MatchConfig(name, self.against, self.seats, deals, seed, self.batch_size, self.game, **rules)


def options_of(spec: GameSpec) -> type[Options]:
    """``Options`` with the rules that a match of the game may set."""
    return add_fields(Options, spec.facts.rules, spec.players.match_fields)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure as the command line says, or go on with it; returns the exit code."""
    return run_kept(PROGRAM, partial(parse, arguments), begin, play, tell)


def parse(arguments: Sequence[str] | None) -> Options:
    """The options of a command line, checked.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    options = parse_options(options_of(find_spec(find_option(arguments, "game"))), arguments, DESCRIPTION)
    check_options(options)
    return options


# --- before anything is played ------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Refuse what cannot be played.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if not 1 <= options.deals <= MAX_DEALS:
        raise ValueError(f"deals={options.deals}: 1 to {MAX_DEALS} are allowed")
    for name in options.names:
        prepare_match(options.make_match(name, 0, 1), partial(make_any_agent, game=options.game))
    check_files([options.json])


def begin(options: Options) -> Results:
    """The result file before play, with the blocks that an earlier run has played.

    Raises:
        ValueError: for a file of another curve.
    """
    head = {"command": options.command, "fixed": fix(options), "intervals": INTERVALS}
    return RESULTS.begin(options.json, head, anew=options.anew)


def fix(options: Options) -> Content:
    """What all blocks share: if any of it differs, it is another curve."""
    match = options.make_match(options.agent, 0, 1)
    setting = load_setting(match.rules)
    players = dict.fromkeys((f"{PREFIX}{options.agent}", *match.names[: match.num_players]))
    return {
        "against": list(match.names[1:]),
        "agents": {name: hash_agent(name, options.game) for name in players},
        "seed": options.seed,
        "block": BLOCK,
        "rules": match.rules.to_dict(),
        **describe_setting(setting),
        "game_sha256": hash_game(match.game),
    }


# --- playing ------------------------------------------------------------------------------------------


def play(options: Options, results: Results) -> None:
    """Play the blocks that are not among the results yet, all agents block by block."""
    players = options.make_match(options.agent, 0, 1).num_players
    with show_progress(players * options.deals * len(options.names), quiet=options.quiet) as report:
        for block, deals in enumerate(options.blocks):
            for name in options.names:
                play_one = partial(play_block, options.make_match(name, block, deals), results)
                key = {"agent": name, "block": block}
                results.find_or_make("blocks", key, players * deals, play_one, report, {"deals": deals})


def play_block(config: MatchConfig, results: Results, report: Progress) -> Content:
    """What is kept of a block, which is played; the file then says when and where."""
    result = play_match(config, make_agent=partial(make_any_agent, game=config.game), report=report)
    totals = result.games.scores[:, :, :, 0]
    margins = totals[:, :, 0] - totals[:, :, 1:].mean(axis=2)
    results.content.update(describe_now())
    return {
        "games": result.games.rounds.size,
        "shares": result.games.shares[:, :, 0].mean(axis=1).tolist(),
        "margins": margins.mean(axis=1).tolist(),
        "seconds": result.duration,
    }


# --- telling ------------------------------------------------------------------------------------------


def tabulate(content: Content, names: Sequence[str]) -> Grid:
    """A table of the agents: how often they win, and how much more often than the first on the same deals."""
    shares = {name: _join(content, name, "shares") for name in names}
    rows = []
    for name in names:
        rate, margin = estimate_rate(shares[name]), estimate_mean(_join(content, name, "margins"))
        blocks = [one for one in content["blocks"] if one["agent"] == name]
        played = [one["block"] for one in blocks]  # fewer than the first has, where a run was cut short
        more = estimate_mean(shares[name] - _join(content, names[0], "shares", played))
        paired = (
            ("", "") if name == names[0] else (f"{100 * more.mean:+.1f} %", say_interval(more, 100, " %", sign="+"))
        )
        cost = sum(one["seconds"] for one in blocks) / sum(one["games"] for one in blocks)
        counts = (name, str(len(shares[name])), say_percent(rate.mean), say_interval(rate, 100, " %"))
        rows.append((*counts, *paired, f"{margin.mean:+.1f}", f"{cost:.2f}"))
    return Grid(f"Against {', '.join(content['fixed']['against'])}", COLUMNS, tuple(rows))


def _join(content: Content, name: str, what: str, played: Sequence[int] | None = None) -> np.ndarray:
    """(deals,) float64, values of an agent, block by block: of the blocks ``played``, or of all."""
    mine = {int(one["block"]): one[what] for one in content["blocks"] if one["agent"] == name}
    return np.array([value for block in sorted(mine if played is None else played) for value in mine[block]])


def tell(options: Options, results: Results) -> int:
    """Print what was found; returns the exit code."""
    grid = tabulate(results.content, options.names)
    report = Report(options.agent, options.command, (grid,), (str(options.json),), "")
    console = open_console()
    for part in draw_report(report):
        console.print(part)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
