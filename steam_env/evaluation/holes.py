"""Look for holes: is there a simple habit with which an agent, or another one, beats an agent?

    python -m steam_env.evaluation.holes greedy

An agent is worth little as a yardstick if something simple beats it. So each habit that the game knows
(``Players.deviations``) is given to the agent itself and to the game's other agents, and plays against the agent. All
are screened with few deals; those that win most play many fresh ones, and only these count.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

from steam_env.evaluation.agent_names import HABIT, find_deviations, hash_agent, make_any_agent
from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.kept import Content, Progress, ResultKind, Results, run_kept
from steam_env.evaluation.match import BATCH_SIZE, MAX_DEALS, MatchConfig, play_match, prepare_match
from steam_env.evaluation.provenance import describe_machine, describe_setting, describe_software, hash_game
from steam_env.evaluation.report import INTERVALS, Grid, Report, draw_report, say_interval, say_percent
from steam_env.evaluation.summary import summarise
from steam_env.kit.command_line import (
    add_fields,
    find_option,
    open_console,
    parse_options,
    show_progress,
    show_value_as,
)
from steam_env.kit.files import check_files, name_file
from steam_env.kit.program import HOLE_FOUND, make_program
from steam_env.kit.show import say_count, show_command
from steam_env.spec import GameSpec, Setting, find_spec
from steam_env.table.engine import load_setting

PROGRAM = "holes"
COMMAND = "python -m steam_env.evaluation.holes"
RESULTS = ResultKind("steam_env holes", 1, COMMAND, "search", ("tables", "matches"))
TWO_SEATS_LIMIT = 0.55  # the win rate from which on a habit beats the agent, with two seats
LIMIT_BY_FAIR = 1.25  # with more seats, by the win rate of equal agents
SCREEN, FRESH = "screen", "fresh"  # the two stages; the second has the seed after that of the first
WIDTH = 16  # of the column of habits
UNTOLD = ("out", "batch_size", "anew", "quiet")  # options that change no result

DESCRIPTION = f"""\
Look for simple habits that beat an agent: holes in its play.

Habits are given to the agent itself and to the game's other agents. Each plays one seat, and the agent all others:

{{habits}}

All are screened with a few deals. The --worst of the agent's own habits and as many of other agents' play fresh
deals, which alone count. An own habit is a hole if it wins more than {TWO_SEATS_LIMIT:.0%} with two seats, with n seats
more than {LIMIT_BY_FAIR} / n. Another agent may be stronger: its habit is a hole if it wins by as much more than that
agent itself.

evaluate.py and its ladder take an agent with a habit, too: python evaluate.py "greedy+hoard:money" --against greedy

what is written: AGENT-SETTING.json in the folder --out, after each match. A run that was cut short goes on where it was
if the same command is given again. More --seats are added to the file.

exit codes: 0 no hole, 1 a file could not be written, 2 bad input (nothing was played), 4 an agent failed, 6 there is a
hole, 130 interrupted
"""


@dataclass(frozen=True)
class Options:
    """The command line; rules of the game are options too, see ``options_of``.

    Attributes:
        agent: The agent in which holes are looked for, by any name that evaluate.py takes.
        seats: Seats at the table; may be given several times. Left out: 2.
        other: Whose habits play, beside its own; may be given several times. Left out: all rule-based agents.
        own_only: No habits of other agents play.
        screen: Deals of the screening, each played in all rotations of the seats.
        deals: Fresh deals of each habit that won most of the screening.
        worst: How many habits play them, of its own, and of other agents.
        seed: Everything random follows from it. The fresh deals have the next seed.
        out: Folder of the results.
        game: Which game is played, by its id or by the import path of its spec. Left out: the default game.
        batch_size: Games on the table at once, about; a matter of speed and memory alone.
        anew: Play everything anew, in place of what the file holds.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    agent: Annotated[str, show_value_as("AGENT")]
    seats: Annotated[tuple[int, ...], show_value_as("INT")] = ()
    other: Annotated[tuple[str, ...], show_value_as("AGENT")] = ()
    own_only: bool = False
    screen: int = 100
    deals: int = 1000
    worst: int = 10
    seed: int = 1857
    out: Annotated[Path, show_value_as("FOLDER")] = Path("docs/holes")
    game: Annotated[str | None, show_value_as("GAME")] = None
    batch_size: int = BATCH_SIZE
    anew: bool = False
    quiet: bool = False

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return find_spec(self.game)

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats are played, ascending."""
        return tuple(sorted(set(self.seats))) or self.spec.facts.seat_counts[:1]

    @property
    def others(self) -> tuple[str, ...]:
        """The other agents whose habits play."""
        players = self.spec.players
        usual = [name for name in players.agents if name != players.default_opponent]
        named = () if self.own_only else (self.other or tuple(usual))
        return tuple(name for name in dict.fromkeys(named) if name != self.agent)

    @property
    def setting(self) -> Setting:
        """The rules, with what they name."""
        return load_setting(self.make_match(self.agent, self.seat_counts[0], SCREEN).rules)

    @property
    def json(self) -> Path:
        """The file of the results."""
        return self.out / f"{_plain(self.agent)}-{_plain(self.setting.title)}.json"

    @property
    def command(self) -> str:
        """The command line that plays the same."""
        return show_command((COMMAND, shlex.quote(self.agent)), self, type(self)(self.agent), UNTOLD)

    def make_match(self, name: str, seats: int, stage: str) -> MatchConfig:
        """The match of an agent with a habit."""
        rules = {field: getattr(self, field) for field in self.spec.players.match_fields}
        deals, seed = (self.screen, self.seed) if stage == SCREEN else (self.deals, self.seed + 1)
        return MatchConfig(name, self.agent, seats, deals, seed, self.batch_size, self.game, **rules)


def _plain(name: str) -> str:
    """A name, or the end of a path, as a part of a file's name."""
    return re.sub(r"[^\w.]+", "-", Path(name).name).strip("-")


def options_of(spec: GameSpec) -> type[Options]:
    """``Options`` with the rules that a match of the game may set."""
    return add_fields(Options, spec.facts.rules, spec.players.match_fields)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Look for holes as the command line says, or go on with it; returns the exit code."""
    return run_kept(PROGRAM, partial(parse, arguments), begin, play, tell)


def parse(arguments: Sequence[str] | None) -> Options:
    """The options of a command line, checked.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    spec = find_spec(find_option(arguments, "game"))
    options = parse_options(options_of(spec), arguments, DESCRIPTION.replace("{habits}", describe_habits(spec)))
    check_options(options)
    return options


def describe_habits(spec: GameSpec) -> str:
    """The habits of a game, a line for each."""
    deviations = find_deviations(spec.game)
    if deviations is None:
        return f"  {spec.facts.title} has none"
    return "\n".join(f"  {name:<{WIDTH}} {meaning}" for name, meaning in deviations.meanings.items())


# --- before anything is played ------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Refuse what cannot be played, and make the folder.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if find_deviations(options.game) is None:
        raise ValueError(f"game={options.spec.game!r}: it brings no habits")
    for name, value, most in (("screen", options.screen, MAX_DEALS), ("deals", options.deals, MAX_DEALS)):
        if not 1 <= value <= most:
            raise ValueError(f"{name}={value}: 1 to {most} are allowed")
    if options.worst < 1:
        raise ValueError(f"worst={options.worst}: 1 or more are allowed")
    for seats in options.seat_counts:
        for name in (options.agent, *options.others):
            prepare_match(options.make_match(name, seats, SCREEN), partial(make_any_agent, game=options.game))
    with name_file(options.out):
        options.out.mkdir(parents=True, exist_ok=True)
    check_files([options.json])


def begin(options: Options) -> Results:
    """The result file before play, with the matches that an earlier run has played.

    Raises:
        ValueError: for a file of another search.
    """
    head = {
        "command": options.command,
        "agent": options.agent,
        "fixed": fix(options),
        "intervals": INTERVALS,
    }
    return RESULTS.begin(options.json, head, anew=options.anew)


def fix(options: Options) -> Content:
    """What all matches of a search share: if any of it differs, it is another search."""
    setting, deviations = options.setting, find_deviations(options.game)
    assert deviations is not None  # see check_options
    habit = deviations.names(setting)[0]
    rules = setting.rules.to_dict()
    agents = (options.agent, *options.others)
    return {
        "agents": {name: hash_agent(f"{name}{HABIT}{habit}", options.game) for name in agents},
        "screen": options.screen,
        "deals": options.deals,
        "worst": options.worst,
        "seed": options.seed,
        "rules": {name: rules[name] for name in options.spec.players.match_fields},
        **describe_setting(setting),
        "game_sha256": hash_game(options.spec.game),
    }


# --- playing ------------------------------------------------------------------------------------------


def list_candidates(options: Options) -> dict[str, str]:
    """Whose agent's habit it is, by the name of the agent with the habit; the other agents themselves are there too."""
    deviations = find_deviations(options.game)
    assert deviations is not None
    agents = (options.agent, *options.others)
    names = {f"{agent}{HABIT}{habit}": agent for agent in agents for habit in deviations.names(options.setting)}
    return {**names, **{name: name for name in options.others}}


def play(options: Options, results: Results) -> None:
    """Play the matches that are not among the results yet, and judge those that played fresh deals."""
    content = results.content
    candidates = list_candidates(options)
    fresh = len(options.others) + options.worst * (1 + bool(options.others))
    games = sum(seats * (len(candidates) * options.screen + fresh * options.deals) for seats in options.seat_counts)
    with show_progress(games, quiet=options.quiet) as report:
        for seats in options.seat_counts:
            screened = {name: play_one(options, results, name, seats, SCREEN, report) for name in candidates}
            chosen = choose_worst(options, candidates, screened)
            played = {name: play_one(options, results, name, seats, FRESH, report) for name in chosen}
            table = judge(options, candidates, seats, screened, played)
            content["tables"] = [one for one in content["tables"] if one["seats"] != seats] + [table]
    content["tables"].sort(key=lambda table: table["seats"])
    content |= {"software": describe_software(), "run": describe_end(content)}
    results.write()


def describe_end(content: Content) -> Content:
    """When the search ended, how long it took, and on which machine."""
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    seconds = sum(match["seconds"] for match in content["matches"])
    return {"finished_utc": finished, "seconds": seconds, "machine": describe_machine()}


def play_one(options: Options, results: Results, name: str, seats: int, stage: str, report: Progress) -> Content:
    """The entry of one match in the result file, which is played if it is not there."""
    config = options.make_match(name, seats, stage)
    key = {"name": name, "seats": seats, "stage": stage}
    return results.find_or_make("matches", key, config.num_games, partial(play_kept, config), report)


def play_kept(config: MatchConfig, report: Progress) -> Content:
    """What is kept of a match, which is played."""
    result = play_match(config, make_agent=partial(make_any_agent, game=config.game), report=report)
    agent = summarise(result).agents[0]
    return {
        "command": config.command(),
        "seed": config.seed,
        "deals": config.deals,
        "games": agent.games,
        "win_rate": asdict(agent.win_rate),
        "margin": asdict(agent.margin),
        "seconds": result.duration,
    }


def choose_worst(options: Options, candidates: dict[str, str], screened: dict[str, Content]) -> list[str]:
    """Who plays fresh deals: the other agents, the own habits that won most, and as many of other agents'."""
    order = sorted(candidates, key=lambda name: -screened[name]["win_rate"]["mean"])
    habits = [name for name in order if candidates[name] != name]
    own = [name for name in habits if candidates[name] == options.agent]
    foreign = [name for name in habits if candidates[name] != options.agent]
    return [*options.others, *own[: options.worst], *foreign[: options.worst]]


def judge(
    options: Options,
    candidates: dict[str, str],
    seats: int,
    screened: dict[str, Content],
    played: dict[str, Content],
) -> Content:
    """The entry of one number of seats in the result file: who played fresh deals, and which are holes."""
    fair = 1 / seats
    limit = TWO_SEATS_LIMIT if seats == 2 else LIMIT_BY_FAIR * fair
    rows = []
    for name, match in played.items():
        agent, rate = candidates[name], match["win_rate"]
        lead = 0.0 if agent == options.agent else max(0.0, played[agent]["win_rate"]["mean"] - fair)
        row = {"name": name, "of": agent, "screened": screened[name]["win_rate"]["mean"], "fresh": rate}
        is_hole = agent != name and rate["mean"] > limit + lead
        rows.append({**row, "margin": match["margin"], "limit": limit + lead, "is_hole": is_hole})
    rows.sort(key=lambda row: (row["of"] != options.agent, row["of"] != row["name"], -row["fresh"]["mean"]))
    holes = [row["name"] for row in rows if row["is_hole"]]
    return {"seats": seats, "fair": fair, "limit": limit, "screened": len(screened), "holes": holes, "rows": rows}


# --- telling ------------------------------------------------------------------------------------------

COLUMNS = ("who plays against it", "screened", "fresh deals", "95 % interval", "limit", "verdict")


def tabulate(content: Content, table: Content) -> Grid:
    """A table of who played fresh deals against the agent."""
    title = f"{content['agent']}, {table['seats']} seats, {table['screened']} screened"
    return Grid(title, COLUMNS, tuple(_make_row(row) for row in table["rows"]))


def _make_row(row: Content) -> tuple[str, ...]:
    verdict = "another agent" if row["of"] == row["name"] else "hole" if row["is_hole"] else "no hole"
    rate = Estimate(**row["fresh"])
    limit = "-" if row["of"] == row["name"] else say_percent(row["limit"])
    return (
        row["name"],
        say_percent(row["screened"]),
        say_percent(rate.mean),
        say_interval(rate, 100, " %"),
        limit,
        verdict,
    )


def tell(options: Options, results: Results) -> int:
    """Print who played fresh deals; returns the exit code."""
    content = results.content
    tables = [table for table in content["tables"] if table["seats"] in options.seat_counts]
    holes = sum(len(table["holes"]) for table in tables)
    report = Report(
        heading=f"{options.agent} on {options.setting.title}: {say_count(holes, 'hole')}",
        command=content["command"],
        grids=tuple(tabulate(content, table) for table in tables),
        lines=(str(options.json),),
        speed=f"Played in {content['run']['seconds']:.0f} s",
    )
    console = open_console()
    for part in draw_report(report):
        console.print(part)
    return HOLE_FOUND if holes else 0


if __name__ == "__main__":
    raise SystemExit(main())
