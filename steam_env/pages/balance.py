"""Is a map a good one to play on? A table of what is demanded of it beside what is found, on the board and in games.

    python -m steam_env.pages.balance midwest my_map.toml --agent greedy --deals 2000

All seats are played by the same agent, so whatever differs comes from the map, the deck and the turn order. What is
measured, and what is demanded, is the game's own: ``GameSpec.balance``. Each part of the work (a map, an agent, a
number of seats) is kept in a file as soon as it is played; what the file holds is not played again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.kept import run_kept
from steam_env.evaluation.match import MatchConfig, MatchResult, play_match
from steam_env.evaluation.provenance import describe_setting
from steam_env.evaluation.report import Grid, Report, draw_report
from steam_env.kit.command_line import (
    POSITIONAL,
    add_fields,
    find_option,
    open_console,
    parse_options,
    show_progress,
    show_value_as,
)
from steam_env.kit.files import check_files, name_file, write_whole
from steam_env.kit.json_text import dump_json, parse_json
from steam_env.kit.program import make_program
from steam_env.kit.text_files import read_text
from steam_env.spec import GameSpec, find_spec, load_named
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting

PROGRAM = "balance"
DESCRIPTION = """\
Measure whether maps are good ones to play on: statistics of the board, and of games in which one agent plays all seats.

Parts that are finished are kept in the file --keep: a run that was stopped goes on where it was.
"""
DEALS = 2000
BATCH_SIZE = 1024
PLACES, ROUNDS = "places", "rounds"  # measures of every game
ASKED = ("world", "names", "rules", "agent", "seats", "deals", "seed")  # what a part measures, in whatever state
COLUMNS = ("what", "seats", "demanded")

Ratio = tuple[np.ndarray, np.ndarray]
Part = dict[str, Any]


@dataclass(frozen=True)
class Demand:
    """What a map is asked for.

    Attributes:
        measure: the name of what is measured.
        meaning: in words.
        low, high: what is allowed, both included.
        seats: the numbers of seats at which it is asked; none: it is asked of the board, before any game.
        form: how numbers are written, for ``str.format``.
    """

    measure: str
    meaning: str
    low: float = -math.inf
    high: float = math.inf
    seats: tuple[int, ...] = ()
    form: str = "{:.1%}"

    def holds(self, value: float) -> bool:
        """Whether the value is allowed; nothing measured (NaN) is not."""
        return self.low <= value <= self.high

    def say(self, value: float) -> str:
        """The value as it is printed."""
        return self.form.format(value)

    def say_range(self) -> str:
        """What is allowed, as it is printed."""
        if math.isinf(self.high):
            return f"{self.say(self.low)} or more"
        if math.isinf(self.low):
            return f"{self.say(self.high)} or less"
        return f"{self.say(self.low)} to {self.say(self.high)}"


@dataclass(frozen=True)
class Balance:
    """How a game's maps are measured.

    Attributes:
        world: the field of the rules whose values are compared, such as the map.
        shipped: those values that are measured if none is named.
        agents: those that play if none is named.
        demands: what is asked of each, in the order of the table. Beside the measures of ``measure`` and ``count``
            there are ``PLACES``, the most by which the win rate of a place in the turn order is away from fair, and
            ``ROUNDS``, the median of the rounds.
        measure: ``(setting)``: measures of the board by name, before any game.
        notice: ``(before, after)``, records before and after a step: (games, ...) numbers of what ``count`` wants to
            know, which are added up over the steps.
        count: ``(records, noticed, setting)``: by name two (games,) arrays of numbers of games that are over; the
            measure is the sum of the first over the sum of the second. ``noticed`` are the sums of ``notice``.
        seats_of: ``(value of world)``: the numbers of seats that it is made for; without one all that the game has.
    """

    world: str
    shipped: tuple[str, ...]
    agents: tuple[str, ...]
    demands: tuple[Demand, ...]
    measure: Callable[[Any], Mapping[str, float]]
    notice: Callable[[np.ndarray, np.ndarray], np.ndarray]
    count: Callable[[np.ndarray, np.ndarray, Any], Mapping[str, Ratio]]
    seats_of: Callable[[str], Sequence[int]] | None = None


# --- playing ----------------------------------------------------------------------------------------
@dataclass
class Watcher:
    """Looks at all games of a match, table after table, and keeps what a ``Balance`` counts."""

    balance: Balance
    counted: list[Mapping[str, Ratio]] = field(default_factory=list)
    _batch: GameBatch | None = None
    _before: np.ndarray = field(default_factory=lambda: np.zeros(0))
    _noticed: Any = 0

    def __call__(self, batch: GameBatch) -> None:
        """Look at the games of a table after a step."""
        if batch is not self._batch:
            self._batch, self._before, self._noticed = batch, batch.records, 0
        self._noticed = self._noticed + self.balance.notice(self._before, batch.records)
        self._before = batch.records.copy()
        if batch.done.all():
            self.counted.append(self.balance.count(batch.records, self._noticed, batch.setting))

    def sum_up(self) -> dict[str, float]:
        """The measures of all games."""
        totals = {name: [0.0, 0.0] for name in self.counted[0]}
        for counts in self.counted:
            for name, (part, whole) in counts.items():
                totals[name][0] += float(part.sum())
                totals[name][1] += float(whole.sum())
        return {name: part / whole for name, (part, whole) in totals.items() if whole}


def play_part(config: MatchConfig, balance: Balance, report: Callable[[int], None] = lambda ended: None) -> Part:
    """Play a match of equal agents, each deal once; what is kept of it, as plain data.

    Raises:
        ValueError: for an unknown agent, map or deck, before anything is played.
        AgentError: if the agent fails.
    """
    watcher = Watcher(balance)
    maker = partial(make_any_agent, game=config.game)
    result = play_match(config, make_agent=maker, report=report, rotations=1, watch=watcher)
    rates = rate_places(result)
    return {
        **identify(config),
        "world": str(dict(config.given)[balance.world]),
        "names": {what: told["name"] for what, told in describe_setting(result.setting).items()},
        "board": dict(balance.measure(result.setting)),
        "places": rates,
        "played": {
            **watcher.sum_up(),
            PLACES: max(abs(rate - 1 / config.num_seats) for rate in rates),
            ROUNDS: float(np.median(result.games.rounds)),
        },
    }


def rate_places(result: MatchResult) -> list[float]:
    """The win rate of each place in the turn order of the first round, first player first."""
    games = result.games
    return [float(games.shares[games.turns == place].mean()) for place in range(result.config.num_seats)]


def identify(config: MatchConfig) -> Part:
    """All that a part's result depends on: what it is found by among the parts that are kept."""
    setting = load_setting(config.rules)
    return {
        "hashes": {what: told["sha256"] for what, told in describe_setting(setting).items()},
        "rules": {name: value for name, value in config.given if name not in setting.contents},
        "agent": config.agent,
        "agent_hash": hash_agent(config.agent, config.game),
        "seats": config.num_seats,
        "deals": config.deals,
        "seed": config.seed,
    }


# --- keeping ----------------------------------------------------------------------------------------
def read_parts(path: Path) -> list[Part]:
    """The parts in a file, a line of JSON for each; of a line that was cut when a run was stopped, nothing.

    Raises:
        ValueError: naming the line that is not one of a part.
    """
    if not path.exists():
        return []
    lines = read_text(path, "results", ValueError).splitlines()
    parts = []
    for number, line in enumerate(lines, 1):
        try:
            parts.append(parse_json(line))
            _ = parts[-1]["played"], parts[-1]["board"], parts[-1]["agent"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            if number == len(lines) and isinstance(error, json.JSONDecodeError):
                break
            raise ValueError(f"{path}:{number}: is no result of this program") from None
    return parts


def keep_part(path: Path, part: Part) -> None:
    """Add a part to the file, in place of what an earlier state of its agent or its world came to."""
    kept = read_parts(path)  # without a line that was cut
    parts = [*(one for one in kept if any(one.get(what) != part[what] for what in ASKED)), part]
    write_whole(path, "".join(dump_json(one) + "\n" for one in parts))


def find_part(parts: Sequence[Part], identity: Part) -> Part | None:
    """The part that was played with just this."""
    return next((part for part in parts if part.items() >= identity.items()), None)


# --- the table --------------------------------------------------------------------------------------
def tabulate(parts: Sequence[Part], demands: Sequence[Demand]) -> Grid:
    """A table of the parts of one world: what is demanded, what is found with each agent, and whether it holds."""
    agents = list(dict.fromkeys(part["agent"] for part in parts))
    rows = [row for demand in demands for row in _write_rows(parts, demand, agents)]
    return Grid("", (*COLUMNS, *agents, "holds"), tuple(rows), words=len(COLUMNS))


def _write_rows(parts: Sequence[Part], demand: Demand, agents: Sequence[str]) -> Iterator[tuple[str, ...]]:
    played = sorted({part["seats"] for part in parts})
    for seats in [count for count in demand.seats if count in played] if demand.seats else [0]:
        found = [_find_value(parts, demand.measure, agent, seats) for agent in agents]
        known = [value for value in found if not math.isnan(value)]
        cells = ["-" if math.isnan(value) else demand.say(value) for value in found]
        holds = "yes" if known and all(map(demand.holds, known)) else "**no**"
        if not seats:
            cells = [cells[0], *["" for _ in cells[1:]]]  # the board is the same for all
        yield (demand.meaning, str(seats or ""), demand.say_range(), *cells, holds if known else "-")


def _find_value(parts: Sequence[Part], measure: str, agent: str, seats: int) -> float:
    """The value of a measure; NaN where it was not taken. The latest part counts."""
    for part in reversed(parts):
        if part["agent"] == agent and (not seats or part["seats"] == seats):
            return float(part["played" if seats else "board"].get(measure, math.nan))
    return math.nan


def report_world(parts: Sequence[Part], demands: Sequence[Demand]) -> Report:
    """What is printed of one world."""
    names = ", ".join(f"{what} {name}" for what, name in parts[-1]["names"].items())
    places = tuple(
        f"{part['agent']}, {part['seats']} seats: first to last place win "
        + ", ".join(f"{100 * rate:.1f}" for rate in part["places"])
        + " %"
        for part in parts
    )
    return Report(f"{names}, {parts[-1]['deals']:,} deals", "", (tabulate(parts, demands),), places, "")


# --- the command line -------------------------------------------------------------------------------
@dataclass
class Job:
    """A match, and what is kept of it once it is played."""

    match: MatchConfig
    part: Part | None


@dataclass(frozen=True)
class Options:
    """The options of the command line. The game's rules are options too.

    Attributes:
        worlds: What is measured: maps, each by its name or by the path of a file. Left out: the shipped ones.
        agent: The agent on all seats; give it several times for several agents. Left out: the game's usual ones.
        seats: A number of seats; give it several times. Left out: all that the game has.
        deals: Deals of each part, each played once.
        seed: Everything random follows from it.
        keep: The file of finished parts, as lines of JSON. What it holds already is not played again.
        game: Which game is played, by its id or by the import path of its spec. Left out: the default game.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    worlds: Annotated[tuple[str, ...], show_value_as("MAP"), POSITIONAL] = ()
    agent: Annotated[tuple[str, ...], show_value_as("AGENT")] = ()
    seats: tuple[int, ...] = ()
    deals: int = DEALS
    seed: int = 0
    keep: Path = Path("balance.jsonl")
    game: Annotated[str | None, show_value_as("GAME")] = None
    quiet: bool = False

    @property
    def json(self) -> Path:
        """The file of finished parts."""
        return self.keep

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return find_spec(self.game)

    @property
    def balance(self) -> Balance:
        """How its maps are measured.

        Raises:
            ValueError: if the game does not say.
        """
        return find_balance(self.spec)

    def list_matches(self) -> list[MatchConfig]:
        """The match of each part.

        Raises:
            ValueError: naming an option that is wrong.
        """
        world = self.balance.world
        given = {name: getattr(self, name) for name in self.spec.players.match_fields if hasattr(self, name)}
        return [
            MatchConfig(
                agent,
                agent,
                seats=seats,
                deals=self.deals,
                seed=self.seed,
                batch_size=BATCH_SIZE,
                game=self.game,
                **{**given, world: name},
            )
            for name in dict.fromkeys(self.worlds or self.balance.shipped)
            for agent in dict.fromkeys(self.agent or self.balance.agents)
            for seats in dict.fromkeys(self.seats or self._list_seats(name))
        ]

    def _list_seats(self, world: str) -> Sequence[int]:
        """The numbers of seats that are played if none is named."""
        return self.spec.facts.seat_counts if self.balance.seats_of is None else self.balance.seats_of(world)


def options_of(spec: GameSpec) -> type[Options]:
    """``Options`` with the rules that a match of the game may set, but for what is compared."""
    world = find_balance(spec).world
    return add_fields(Options, spec.facts.rules, [name for name in spec.players.match_fields if name != world])


def find_balance(spec: GameSpec) -> Balance:
    """How a game's maps are measured.

    Raises:
        ValueError: if the game does not say.
    """
    if not spec.balance:
        raise ValueError(f"game {spec.game!r}: its spec names no balance, so nothing can be measured")
    balance: Balance = load_named(spec.balance)
    return balance


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line names and print a table for each map; returns the exit code."""
    return run_kept(PROGRAM, partial(parse, arguments), begin, play_missing, tell)


def parse(arguments: Sequence[str] | None) -> Options:
    """The options of a command line, checked.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    options = parse_options(options_of(find_spec(find_option(arguments, "game"))), arguments, DESCRIPTION)
    for match in options.list_matches():
        identify(match)
    with name_file(options.keep.parent):
        options.keep.parent.mkdir(parents=True, exist_ok=True)
    check_files([options.keep])
    return options


def begin(options: Options) -> list[Job]:
    """The match of each part, with the part where the file holds it."""
    kept = read_parts(options.keep)
    matches = options.list_matches()
    return [Job(match, find_part(kept, identify(match))) for match in matches]


def play_missing(options: Options, jobs: Sequence[Job]) -> None:
    """Play what the file does not hold, and keep it there."""
    missing = [job for job in jobs if job.part is None]
    with show_progress(sum(job.match.deals for job in missing), quiet=options.quiet) as report:
        for job in missing:
            job.part = play_part(job.match, options.balance, report)
            keep_part(options.keep, job.part)


def tell(options: Options, jobs: Sequence[Job]) -> int:
    """Print a table for each map; returns the exit code."""
    parts = [job.part for job in jobs if job.part is not None]
    console = open_console()
    for world in dict.fromkeys(part["world"] for part in parts):
        chosen = [part for part in parts if part["world"] == world]
        for drawn in draw_report(report_world(chosen, options.balance.demands)):
            console.print(drawn)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
