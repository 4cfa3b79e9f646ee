"""The page of reference results, ``docs/benchmark.md``, with its numbers beside it as JSON.

    python -m steam_env.pages.steam_power.benchmark

plays the matches anew; ``python -m steam_env.pages benchmark`` writes the tables from the JSON files that are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from steam_env.core.steam_power.actions import KINDS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation.match import MatchConfig, MatchResult, play_match
from steam_env.evaluation.protocol import Protocol, ProtocolResult, compare_frozen, describe_parts, protocol_to_dict
from steam_env.evaluation.provenance import describe_setting, describe_software
from steam_env.evaluation.report import (
    INTERVALS,
    TURN_NAMES,
    describe_played,
    describe_run,
    dump_json,
    say_percent,
)
from steam_env.evaluation.steam_power.protocols import V1
from steam_env.evaluation.summary import summarise
from steam_env.kit.command_line import parse_options, show_progress
from steam_env.kit.errors import AgentError
from steam_env.kit.files import check_files, write_whole
from steam_env.kit.json_text import read_json
from steam_env.kit.locks import PATIENCE, hold
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT, INTERRUPTED, NOT_WRITTEN, fail, make_program
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import INTERVAL, code, say_margin, say_rate, table, tabulate_origin

FORMAT = "steam_env benchmark"
SCHEMA = 1  # of the JSON; changes with the meaning of an entry
PROGRAM = "benchmark"
COMMAND = "python -m steam_env.pages.steam_power.benchmark"
DESCRIPTION = """\
Play the matches of docs/benchmark.md and write the page, and the numbers as JSON files in docs/benchmark/.

With the default number of deals it plays about 130,000 games, in 10 to 20 minutes on one core.
"""
AGENTS = ("greedy", "random")
LEVELS, MIXED, BALANCE = "levels", "mixed", "balance"
ROTATIONS = {BALANCE: 1}  # of the seats that are played; elsewhere all
NORMAL = "automa:normal"

Content = dict[str, Any]


# --- playing ----------------------------------------------------------------------------------------


def plan_sections(deals: int, seed: int) -> dict[str, tuple[MatchConfig, ...]]:
    """The matches of each table, a row for each, by the name of its JSON file."""
    return {
        LEVELS: tuple(_match(agent, name, deals=deals, seed=seed) for agent in AGENTS for name in AUTOMA_NAMES),
        MIXED: tuple(_match("greedy", "random", *[NORMAL] * n, deals=deals, seed=seed) for n in (1, 2, 3)),
        BALANCE: (
            *(_match("greedy", "greedy", seats=seats, deals=deals, seed=seed) for seats in (2, 3, 4, 5)),
            _match("greedy", "greedy", seats=2, map="mini", contracts="mini", deals=deals, seed=seed),
        ),
    }


def _match(agent: str, *against: str, **fields: Any) -> MatchConfig:
    return MatchConfig(agent, against, **{"map": "midwest", "contracts": "standard", **fields})


def play_section(name: str, matches: Sequence[MatchConfig], command: str, report: Callable[[int], None]) -> Content:
    """Play the matches of a table; returns the content of its JSON file."""
    rotations = ROTATIONS.get(name)
    results = [play_match(match, report=report, rotations=rotations) for match in matches]
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "table": name,
        "command": command,
        "rotations": rotations or "all",
        "intervals": INTERVALS,
        "rows": [
            {**describe_played(result), **describe_setting(result.setting), "results": asdict(summarise(result))}
            for result in results
        ],
        "software": describe_software(),
        "run": describe_run(results, tell_time()),
    }


def play_protocol(protocol: Protocol, agent: str, report: Callable[[int], None]) -> Content:
    """Play a protocol; returns the content of its JSON file."""
    results: tuple[MatchResult, ...] = tuple(play_match(match, report=report) for match in protocol.matches(agent))
    return protocol_to_dict(ProtocolResult(protocol, agent, results, compare_frozen(protocol)), tell_time())


def tell_time() -> str:
    """Date and time (UTC)."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# --- the page ---------------------------------------------------------------------------------------

LENGTH = ("games", "rounds", "by contracts")
SETTING = ("map", "deck", "seats")


def make_files() -> dict[Path, str]:
    """The page's text by its path, from the JSON files."""
    options = Options()
    return {options.page: renew_file(options.page, make_blocks(read_contents(options)))}


def make_blocks(contents: Mapping[str, Content]) -> Makers:
    """The functions that write the blocks of the page, from the contents of the JSON files by name."""
    plays = [contents[f"v1-{agent}"] for agent in AGENTS]
    names = (LEVELS, MIXED, BALANCE)
    return {
        "v1": lambda: tabulate_protocol(plays),
        "openings": lambda: tabulate_openings(plays),
        "frozen": lambda: tabulate_frozen(plays),
        LEVELS: lambda: tabulate_seats(contents[LEVELS]["rows"]),
        MIXED: lambda: tabulate_seats(contents[MIXED]["rows"]),
        BALANCE: lambda: tabulate_balance(contents[BALANCE]["rows"]),
        "points": lambda: tabulate_points(contents[BALANCE]["rows"]),
        "actions": lambda: tabulate_actions(contents[BALANCE]["rows"]),
        **{f"{name}_commands": partial(code, [row["command"] for row in contents[name]["rows"]]) for name in names},
        "origin": lambda: tell_origin(contents),
    }


def tabulate_protocol(plays: Sequence[Content]) -> str:
    """A table of the win rate of each agent in each match of the protocol."""
    names = [column for agent in AGENTS for column in (f"{agent}: win rate", INTERVAL, "VP margin", INTERVAL)]
    rows = []
    for matches in zip(*(play["matches"] for play in plays), strict=True):
        agents = [match["results"]["agents"][0] for match in matches]
        cells = [cell for agent in agents for cell in (*say_rate(agent["win_rate"]), *say_margin(agent["margin"]))]
        rows.append((matches[0]["opponent"], say_percent(matches[0]["results"]["chance"]), *cells))
    return table(("match", "1/n", *names), rows)


def tabulate_openings(plays: Sequence[Content]) -> str:
    """A table of how each agent opens its games in each match of the protocol."""
    names = [column for agent in AGENTS for column in (f"{agent}: effective number", "most frequent", "share")]
    rows = []
    for matches in zip(*(play["matches"] for play in plays), strict=True):
        spreads = [match["results"]["agents"][0]["openings"] for match in matches]
        cells = [(f"{spread['effective']:.1f}", spread["most"], say_percent(spread["share"])) for spread in spreads]
        rows.append((matches[0]["opponent"], *(text for cell in cells for text in cell)))
    return table(("match", *names), rows)


def tabulate_frozen(plays: Sequence[Content]) -> str:
    """A table of what the protocol is frozen to, and whether the results were played with that."""
    rows = [
        (
            f"{part}: {meaning}",
            f"`{plays[0]['frozen'][part]['sha256']}`",
            "yes" if all(play["frozen"][part]["matches"] for play in plays) else "**no: these are not its results**",
        )
        for part, meaning in describe_parts(V1).items()
    ]
    return table(("what", "SHA-256", "as frozen"), rows, words=3)


def say_length(row: Content) -> tuple[str, str, str]:
    """The cells of ``LENGTH``."""
    results, rounds = row["results"], row["results"]["rounds"]
    quartiles = (rounds["lower_quartile"], rounds["median"], rounds["upper_quartile"])
    ended = say_percent(results["ended_by_contracts"] / results["games"])
    return f"{results['games']:,}", ", ".join(f"{number:g}" for number in quartiles), ended


def say_setting(row: Content) -> tuple[str, str, str]:
    """The cells of ``SETTING``."""
    return row["map"]["name"], row["deck"]["name"], str(len(row["agents"]))


def say_points(agents: Sequence[Content]) -> tuple[str, ...]:
    """Victory points and their sources, means over agents."""
    points = [(agent["victory_points"]["mean"], *map(agent["sources"].get, SCORE_PARTS[1:])) for agent in agents]
    return tuple(f"{sum(column) / len(agents):.1f}" for column in zip(*points, strict=True))


def tabulate_seats(rows: Sequence[Content]) -> str:
    """A table of the results on each seat of each match."""
    cells = (
        (
            ", ".join(player["name"] for player in row["agents"]),
            agent["label"],
            *say_rate(agent["win_rate"]),
            say_percent(row["results"]["chance"]),
            *say_margin(agent["margin"]),
            *say_length(row),
            *say_points([agent]),
        )
        for row in rows
        for agent in row["results"]["agents"]
    )
    columns = ("match", "seat", "win rate", INTERVAL, "1/n", "VP margin", INTERVAL, *LENGTH, *SCORE_PARTS)
    return table(columns, cells, words=2)


def tabulate_balance(rows: Sequence[Content]) -> str:
    """A table of how long games of equal players are, and who wins."""
    cells = []
    for row in rows:
        results, rounds = row["results"], row["results"]["rounds"]
        rates = [*results["by_turn"], *[None] * len(TURN_NAMES)][: len(TURN_NAMES)]
        cells.append(
            (*say_setting(row), *say_length(row), f"{rounds['least']} to {rounds['most']}", *map(say_percent, rates))
        )
    return table((*SETTING, *LENGTH, "fewest and most rounds", *TURN_NAMES), cells, words=2)


def tabulate_points(rows: Sequence[Content]) -> str:
    """A table of victory points by source, means over the seats."""
    cells = [(*say_setting(row), *say_points(row["results"]["agents"])) for row in rows]
    return table((*SETTING, *SCORE_PARTS), cells, words=2)


def tabulate_actions(rows: Sequence[Content]) -> str:
    """A table of the actions of all seats together."""
    cells = []
    for row in rows:
        played = [agent["actions"] for agent in row["results"]["agents"]]
        cells.append((*say_setting(row), *(f"{sum(actions[kind] for actions in played):.1f}" for kind in KINDS)))
    return table((*SETTING, *KINDS), cells, words=2)


def tell_origin(contents: Mapping[str, Content]) -> str:
    """A table of the command, the versions, and the hashes of maps and decks."""
    first = contents[LEVELS]
    rows = {"command": f"`{first['command']}`", "finished": first["run"]["finished_utc"][:10]}
    played = [row for name in (LEVELS, MIXED, BALANCE) for row in contents[name]["rows"]]
    hashes = {f"{what} `{row[what]['name']}`": row[what]["sha256"] for row in played for what in ("map", "deck")}
    return tabulate_origin(rows, first["software"], hashes)


# --- the command line -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        deals: Deals of each row (those of protocol v1 are fixed).
        seed: Everything random follows from it.
        out: Folder of the page; the JSON files go to its folder benchmark.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    deals: int = 5000
    seed: int = 0
    out: Path = Path("docs")
    quiet: bool = False

    @property
    def command(self) -> str:
        """The command line that makes the same page."""
        return f"{COMMAND} --deals {self.deals} --seed {self.seed}"

    @property
    def page(self) -> Path:
        """The page."""
        return self.out / "benchmark.md"

    @property
    def files(self) -> dict[str, Path]:
        """The JSON files by name."""
        names = [*(f"v1-{agent}" for agent in AGENTS), LEVELS, MIXED, BALANCE]
        return {name: self.out / "benchmark" / f"{name}.json" for name in names}


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the benchmark and write its page; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        sections = plan_sections(options.deals, options.seed)
        _prepare_files(options)
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was played; --help explains)")
    try:
        contents = play_all(options, sections)
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    except AgentError as error:
        return fail(PROGRAM, AGENT_FAILED, f"{error}; nothing was written")
    try:
        for name, path in options.files.items():
            write_whole(path, dump_json(contents[name]))
        with hold(options.out, PATIENCE):
            write_whole(options.page, renew_file(options.page, make_blocks(read_contents(options))))
    except ValueError as error:
        return fail(PROGRAM, NOT_WRITTEN, str(error))
    return 0


def _prepare_files(options: Options) -> None:
    (options.out / "benchmark").mkdir(parents=True, exist_ok=True)
    check_files([options.page, *options.files.values()])


def read_contents(options: Options) -> dict[str, Content]:
    """The contents of the JSON files by name."""
    return {name: read_json(path, "result") for name, path in options.files.items()}


def play_all(options: Options, sections: Mapping[str, Sequence[MatchConfig]]) -> dict[str, Content]:
    """Play everything; returns the contents of the JSON files by name."""
    planned = [(match, ROTATIONS.get(name, match.num_players)) for name, some in sections.items() for match in some]
    games = sum(match.deals * rotations for match, rotations in planned)
    games += sum(match.num_games for agent in AGENTS for match in V1.matches(agent))
    with show_progress(games, quiet=options.quiet) as report:
        contents = {name: play_section(name, some, options.command, report) for name, some in sections.items()}
        return contents | {f"v1-{agent}": play_protocol(V1, agent, report) for agent in AGENTS}


if __name__ == "__main__":
    raise SystemExit(main())
