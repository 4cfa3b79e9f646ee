"""The page of reference results, ``docs/benchmark.md``, with its numbers beside it as JSON.

    python -m steam_env.pages.steam_power.benchmark

The page is made from the JSON files alone, so it says nothing that they do not hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from textwrap import fill
from typing import Any

from steam_env.core.steam_power.actions import KINDS as ACTION_KINDS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.match import MatchConfig, MatchResult, play_match
from steam_env.evaluation.protocol import PARTS, Protocol, ProtocolResult, compare_frozen, protocol_to_dict
from steam_env.evaluation.provenance import describe_setting, describe_software
from steam_env.evaluation.report import (
    INTERVALS,
    TURN_NAMES,
    Grid,
    describe_played,
    describe_run,
    dump_json,
    grid_to_markdown,
    say_interval,
    say_percent,
)
from steam_env.evaluation.steam_power.protocols import V0
from steam_env.evaluation.summary import summarise
from steam_env.kit.command_line import BAD_INPUT, INTERRUPTED, fail, parse_options, show_progress
from steam_env.kit.files import check_files, write_whole

FORMAT = "steam_env benchmark"
SCHEMA = 1  # of the JSON; changes with the meaning of an entry
PROGRAM = "benchmark"
COMMAND = "python -m steam_env.pages.steam_power.benchmark"
DESCRIPTION = """\
Play the matches of docs/benchmark.md and write the page, and the numbers as JSON files in docs/benchmark/.

With the default number of deals it plays about 120,000 games, in 10 to 20 minutes on one core.
"""
AGENTS = ("greedy", "random")
LEVELS, MIXED, BALANCE = "levels", "mixed", "balance"
PAGE_WIDTH = 118  # characters of a line of text
NORMAL = "automa:normal"

Content = dict[str, Any]


# --- playing ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """The matches of one table.

    Attributes:
        name: of its JSON file.
        matches: one for each row.
        rotations: how many rotations of the seats are played; None = all.
    """

    name: str
    matches: tuple[MatchConfig, ...]
    rotations: int | None = None

    @property
    def num_games(self) -> int:
        """Games of all matches."""
        return sum(match.deals * (self.rotations or match.num_players) for match in self.matches)


def plan_sections(deals: int, seed: int) -> tuple[Section, ...]:
    """The tables that are played with a number of deals."""
    return (
        Section(
            LEVELS, tuple(_match(agent, name, deals=deals, seed=seed) for agent in AGENTS for name in AUTOMA_NAMES)
        ),
        Section(MIXED, tuple(_match("greedy", "random", *[NORMAL] * n, deals=deals, seed=seed) for n in (1, 2, 3))),
        Section(
            BALANCE,
            (
                *(_match("greedy", "greedy", seats=seats, deals=deals, seed=seed) for seats in (2, 3, 4, 5)),
                _match("greedy", "greedy", seats=2, map="mini", contracts="mini", deals=deals, seed=seed),
            ),
            rotations=1,
        ),
    )


def _match(agent: str, *against: str, **fields: Any) -> MatchConfig:
    return MatchConfig(agent, against, **{"map": "midwest", "contracts": "standard", **fields})


def play_section(section: Section, command: str, report: Callable[[int], None]) -> Content:
    """Play the matches of a table; the content of its JSON file."""
    results = [play_match(match, report=report, rotations=section.rotations) for match in section.matches]
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "table": section.name,
        "command": command,
        "rotations": section.rotations or "all",
        "intervals": INTERVALS,
        "rows": [
            {**describe_played(result), **describe_setting(result.setting), "results": asdict(summarise(result))}
            for result in results
        ],
        "software": describe_software(),
        "run": describe_run(results, tell_time()),
    }


def play_protocol(protocol: Protocol, agent: str, report: Callable[[int], None]) -> Content:
    """Play a protocol; the content of its JSON file."""
    results: tuple[MatchResult, ...] = tuple(play_match(match, report=report) for match in protocol.matches(agent))
    return protocol_to_dict(ProtocolResult(protocol, agent, results, compare_frozen(protocol)), tell_time())


def tell_time() -> str:
    """Date and time (UTC)."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# --- the page ---------------------------------------------------------------------------------------


def write_page(contents: Mapping[str, Content]) -> str:
    """The page, from the contents of the JSON files by name."""
    blocks = [
        *_write_head(contents),
        *_write_protocol(contents),
        *_write_levels(contents[LEVELS]),
        *_write_mixed(contents[MIXED]),
        *_write_balance(contents[BALANCE]),
        *_write_origin(contents),
    ]
    return "\n\n".join(blocks) + "\n"


def _write_head(contents: Mapping[str, Content]) -> Iterator[str]:
    yield "# Benchmark"
    yield _text(
        f"Written by `{contents[LEVELS]['command']}` from the numbers in [benchmark/](benchmark/): do not edit.",
        "Agents and Automas are those that this repository ships. `automa:LEVEL` is a Mautoma (rule 8); Automas hold",
        "the last seats of the table.",
    )
    yield _text(
        "How to read the tables. Each deal is played in all rotations of the player seats: games = deals x player",
        "seats. A win shared by W seats counts 1/W. 1/n is the win rate of n equal seats, Automas included. Intervals",
        "are 95 % intervals over deals. The VP margin is the victory points less the mean of the others'. Rounds are",
        "the lower quartile, the median and the upper quartile; *by contracts* is the share of games that fulfilled",
        "contracts ended (rule 3.2), and not the round limit.",
    )


def _write_protocol(contents: Mapping[str, Content]) -> Iterator[str]:
    plays = [contents[f"v0-{agent}"] for agent in AGENTS]
    fixed = plays[0]["fixed"]
    yield "## Protocol v0"
    yield _text(
        f"`v0` is a frozen yardstick for one agent: {_count(fixed['games'])} games with 2 seats against each of",
        f"{len(fixed['opponents'])} opponents, on the map `{fixed['map']}` with the deck `{fixed['contracts']}`,",
        f"{fixed['edition']} edition, routing `{fixed['routing']}`, first player `{fixed['first_player']}` (against an",
        f"Automa always the agent, rule 8.1), at most {fixed['max_rounds']} rounds, seed {fixed['seed']}. The metric",
        "is the win rate against each opponent with its interval, beside the VP margin. Cite it as *steam_env protocol",
        "v0*, with the whole table.",
    )
    yield _code(f"{play['command']} --json {play['agent']}-v0.json" for play in plays)
    yield _table(("opponent", "1/n", *(column for agent in AGENTS for column in _name_columns(agent))), _rows_v0(plays))
    yield "It is frozen to these SHA-256 hashes (`python -m steam_env.evaluation.protocol` compares them):"
    hashes = {part: plays[0]["frozen"][part]["sha256"] for part in PARTS}
    yield _table(("what", "SHA-256"), [(f"{part}: {PARTS[part]}", f"`{hashes[part]}`") for part in PARTS], words=2)
    differing = [part for part in PARTS if not all(play["frozen"][part]["matches"] for play in plays)]
    if differing:
        yield f"**These are NOT results of protocol v0: {', '.join(differing)} differ from what it is frozen to.**"
    yield _text(
        "Any change of rules, maps, decks, greedy or Automas that changes a result makes `v0` into `v1`: a new name,",
        "seed and hashes, and this page anew. Results of different protocols are never compared. A change that leaves",
        "all results as they are (a faster kernel) keeps the name; if it changed greedy's code, its hash is",
        "renewed with `--freeze`. Comments, docstrings, imports and formatting change no hash. Where a hash differs,",
        "`evaluate.py --protocol v0` says so in place of the table's",
        "title and in the JSON (`is_frozen`), and its exit code is 3.",
    )


def _name_columns(agent: str) -> tuple[str, ...]:
    return f"{agent}: win rate", "95 % interval", "VP margin", "95 % interval"


def _rows_v0(plays: Sequence[Content]) -> Iterator[tuple[str, ...]]:
    for matches in zip(*(play["matches"] for play in plays), strict=True):
        agents = [match["results"]["agents"][0] for match in matches]
        cells = [cell for agent in agents for cell in (*_say_rate(agent), *_say_margin(agent))]
        yield matches[0]["opponent"], say_percent(matches[0]["results"]["chance"]), *cells


def _say_rate(agent: Content) -> tuple[str, str]:
    rate = Estimate(**agent["win_rate"])
    return say_percent(rate.mean), say_interval(rate, 100, " %")


def _say_margin(agent: Content) -> tuple[str, str]:
    margin = Estimate(**agent["margin"])
    return f"{margin.mean:+.1f}", say_interval(margin, sign="+")


RESULT_COLUMNS = ("win rate", "95 % interval", "1/n", "VP margin", "95 % interval")
GAME_COLUMNS = ("rounds", "by contracts")


def _say_result(row: Content, agent: Content) -> tuple[str, ...]:
    return *_say_rate(agent), say_percent(row["results"]["chance"]), *_say_margin(agent)


def _say_games(row: Content) -> tuple[str, str]:
    results, rounds = row["results"], row["results"]["rounds"]
    quartiles = (rounds["lower_quartile"], rounds["median"], rounds["upper_quartile"])
    ended = say_percent(results["ended_by_contracts"] / results["games"])
    return ", ".join(f"{number:g}" for number in quartiles), ended


def _say_points(agent: Content) -> tuple[str, ...]:
    return f"{agent['victory_points']['mean']:.1f}", *(f"{agent['sources'][part]:.1f}" for part in SCORE_PARTS[1:])


def _write_levels(content: Content) -> Iterator[str]:
    rows = content["rows"]
    yield "## Against one Automa of each level"
    yield _text(f"Two seats, map `{rows[0]['map']['name']}`, deck `{rows[0]['deck']['name']}`.", _tell_ends(rows))
    yield _table(
        ("agent", "opponent", "games", *RESULT_COLUMNS, *GAME_COLUMNS),
        [
            (*_names(row), _count(row["games"]), *_say_result(row, row["results"]["agents"][0]), *_say_games(row))
            for row in rows
        ],
        words=2,
    )
    yield "Mean victory points by source:"
    yield _table(
        ("match", "seat", *SCORE_PARTS),
        [
            (" against ".join(_names(row)), agent["label"], *_say_points(agent))
            for row in rows
            for agent in row["results"]["agents"]
        ],
        words=2,
    )
    yield _code(row["command"] for row in rows)


def _names(row: Content) -> Iterator[str]:
    return (agent["name"] for agent in row["agents"])


def _tell_ends(rows: Sequence[Content]) -> str:
    """Whether the games of greedy against Automas came to an end by themselves."""
    results = [row["results"] for row in rows if row["agents"][0]["name"] == "greedy"]
    games = sum(result["games"] for result in results)
    ended = sum(result["ended_by_contracts"] for result in results)
    share = f"All {_count(games)}" if ended == games else f"{_count(ended)} of {_count(games)}"
    return f"{share} games of greedy against a Mautoma ended by the contract trigger (rule 3.2)."


def _write_mixed(content: Content) -> Iterator[str]:
    rows = content["rows"]
    yield "## Tables of three to five"
    yield _text(
        f"Greedy, random and one to three Automas of level {rows[0]['automas']['level']},",
        f"map `{rows[0]['map']['name']}`, deck `{rows[0]['deck']['name']}`; {_count(rows[0]['games'])} games each.",
    )
    yield _table(
        ("seats", "seat", *RESULT_COLUMNS, *GAME_COLUMNS, *SCORE_PARTS),
        [
            (str(len(row["agents"])), agent["label"], *_say_result(row, agent), *_say_games(row), *_say_points(agent))
            for row in rows
            for agent in row["results"]["agents"]
        ],
        words=2,
    )
    yield _code(row["command"] for row in rows)


def _write_balance(content: Content) -> Iterator[str]:
    rows = content["rows"]
    yield "## Balance: greedy on all seats"
    yield _text(
        f"How the game goes with the same player everywhere; {_count(rows[0]['games'])} games each. Greedy draws",
        "nothing, so all rotations of a deal are one and the same game, which is played once here; the commands below",
        "play all of them, with the same means. First to fifth are the win rates by place in the turn order.",
    )
    columns = ("map", "deck", "seats")
    yield _table(
        (*columns, *GAME_COLUMNS, "fewest and most rounds", *TURN_NAMES),
        [(*_say_setting(row), *_say_games(row), *_say_turns(row["results"])) for row in rows],
        words=2,
    )
    yield "Mean victory points of a seat by source:"
    yield _table(
        (*columns, *SCORE_PARTS),
        [(*_say_setting(row), *_average_points(row["results"]["agents"])) for row in rows],
        words=2,
    )
    yield "Actions in a game, of all seats together (bonus actions are not counted):"
    yield _table(
        (*columns, *ACTION_KINDS),
        [(*_say_setting(row), *_sum_actions(row["results"]["agents"])) for row in rows],
        words=2,
    )
    yield _code(row["command"] for row in rows)


def _say_setting(row: Content) -> tuple[str, str, str]:
    return row["map"]["name"], row["deck"]["name"], str(len(row["agents"]))


def _say_turns(results: Content) -> tuple[str, ...]:
    rates = [*results["by_turn"], *[None] * len(TURN_NAMES)][: len(TURN_NAMES)]
    return f"{results['rounds']['least']} to {results['rounds']['most']}", *map(say_percent, rates)


def _average_points(agents: Sequence[Content]) -> Iterator[str]:
    yield f"{sum(agent['victory_points']['mean'] for agent in agents) / len(agents):.1f}"
    for source in SCORE_PARTS[1:]:
        yield f"{sum(agent['sources'][source] for agent in agents) / len(agents):.1f}"


def _sum_actions(agents: Sequence[Content]) -> Iterator[str]:
    for kind in ACTION_KINDS:
        yield f"{sum(agent['actions'][kind] for agent in agents):.1f}"


def _write_origin(contents: Mapping[str, Content]) -> Iterator[str]:
    first, protocol = contents[LEVELS], contents[f"v0-{AGENTS[0]}"]
    software, git = first["software"], first["software"]["git"]
    commit = "no git checkout" if git is None else f"git commit `{git['commit']}`"
    changed = ", with changes not yet committed" if git is not None and git["dirty"] else ""
    yield "## Where the numbers come from"
    yield _text(
        f"All by one command, `{first['command']}`, on {first['run']['finished_utc'][:10]}: steam_env",
        f"{software['steam_env']}, Python {software['python']}, NumPy {software['numpy']}, Numba {software['numba']},",
        f"{commit}{changed}. The seed is {first['rows'][0]['seed']}, for protocol v0 {protocol['fixed']['seed']}. The",
        "JSON files hold the rules of each row and the machine and time of each table.",
    )
    settings = {
        (what, row[what]["name"]): row[what]["sha256"] for row in _all_rows(contents) for what in ("map", "deck")
    }
    yield _table(
        ("what", "SHA-256"), [(f"{what} `{name}`", f"`{found}`") for (what, name), found in settings.items()], words=2
    )


def _all_rows(contents: Mapping[str, Content]) -> Iterator[Content]:
    for name in (LEVELS, MIXED, BALANCE):
        yield from contents[name]["rows"]


def _count(number: int) -> str:
    return f"{number:,}"


def _text(*parts: str) -> str:
    return fill(" ".join(parts), PAGE_WIDTH, break_long_words=False, break_on_hyphens=False)


def _table(columns: Sequence[str], rows: Iterable[Iterable[str]], words: int = 1) -> str:
    return grid_to_markdown(Grid("", tuple(columns), tuple(tuple(row) for row in rows), words))


def _code(lines: Iterable[str]) -> str:
    return "\n".join(["```sh", *lines, "```"])


# --- the command line -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """The command line.

    Attributes:
        deals: Deals of each row (those of protocol v0 are fixed).
        seed: Everything random follows from it.
        out: Folder of the page; the JSON files go to its folder benchmark.
        page_only: Play nothing: write the page from the JSON files that are there.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    deals: int = 5000
    seed: int = 0
    out: Path = Path("docs")
    page_only: bool = False
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
        names = [*(f"v0-{agent}" for agent in AGENTS), LEVELS, MIXED, BALANCE]
        return {name: self.out / "benchmark" / f"{name}.json" for name in names}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the benchmark and write its page; the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        sections = plan_sections(options.deals, options.seed)
        if options.page_only:
            write_whole(options.page, write_page(read_contents(options)))
            return 0
        _prepare_files(options)
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was played; --help explains)")
    try:
        contents = play_all(options, sections)
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    for name, path in options.files.items():
        write_whole(path, dump_json(contents[name]))
    write_whole(options.page, write_page(read_contents(options)))
    return 0


def _prepare_files(options: Options) -> None:
    (options.out / "benchmark").mkdir(parents=True, exist_ok=True)
    check_files([options.page, *options.files.values()])


def read_contents(options: Options) -> dict[str, Content]:
    """The contents of the JSON files by name."""
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in options.files.items()}


def play_all(options: Options, sections: Sequence[Section]) -> dict[str, Content]:
    """Play everything; the contents of the JSON files by name."""
    games = sum(section.num_games for section in sections)
    games += sum(match.num_games for agent in AGENTS for match in V0.matches(agent))
    with show_progress(games, quiet=options.quiet) as report:
        contents = {section.name: play_section(section, options.command, report) for section in sections}
        return contents | {f"v0-{agent}": play_protocol(V0, agent, report) for agent in AGENTS}


if __name__ == "__main__":
    raise SystemExit(main())
