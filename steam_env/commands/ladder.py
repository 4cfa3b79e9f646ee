"""``python evaluate.py ladder``: every participant plays every other, and each gets a rating.

Each match is kept in ``ladder.json`` as soon as it is played. The same command goes on where it stopped, and plays
only what the file does not hold.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated

from steam_env.agents import list_agents
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.kept import Content, Progress, ResultKind, Results, run_kept
from steam_env.evaluation.ladder_results import find_lone, list_matches, measure_ahead, rate_all
from steam_env.evaluation.match import BATCH_SIZE, MAX_DEALS, MatchConfig, is_scripted, play_match, prepare_match
from steam_env.evaluation.provenance import describe_rules, describe_setting, describe_software, hash_game
from steam_env.evaluation.ratings import INTERVAL_METHOD, tell_method
from steam_env.evaluation.report import INTERVALS, Report, describe_played, describe_run, draw_report
from steam_env.evaluation.summary import summarise
from steam_env.kit.command_line import (
    add_fields,
    find_option,
    open_console,
    parse_options,
    show_progress,
    show_value_as,
)
from steam_env.kit.files import check_files, name_file, tell_fault, write_whole
from steam_env.kit.locks import PATIENCE, hold
from steam_env.kit.program import BAD_INPUT, NOT_WRITTEN, fail, make_program
from steam_env.kit.show import say_count, show_command
from steam_env.pages.blocks import renew_file
from steam_env.pages.leaderboard import draw_ratings, make_blocks, tabulate_ratings
from steam_env.spec import GameSpec, find_spec
from steam_env.table.engine import load_setting

PROGRAM = "evaluate ladder"
COMMAND = "python evaluate.py ladder"
RESULTS = ResultKind("steam_env ladder", 1, COMMAND, "ladder", ("matches",), anew_option="--fresh")
FEWEST_SEATS = 2
ANCHOR = "automa:normal"
ANCHOR_RATING = 1000.0
LEAST_DEALS = 2  # of one deal there is nothing to resample
LEFT_OUT = ("num_players", "automas", "automa_level")  # rules that differ from match to match
LEFT_OUT_RULES = ("edition", "first_player")
UNTOLD = ("batch_size", "page_only", "fresh", "quiet")  # options that change no result
NEEDED = ("choix", "matplotlib")
HOW_TO_INSTALL = "pip install -c constraints.txt -e '.[tools,ladder]'"

DESCRIPTION = f"""\
Play everybody against everybody, and rate them: a ladder.

Each pair plays the same deals, each once in every rotation of the player seats. With more than two seats, one of a pair
sits alone among seats of the other, and then the other alone among seats of the one. Automas of two levels never meet,
as a game has one level, and no game is without a player: they are rated through the opponents that both of them had.
Ratings are Bradley-Terry strengths on Elo's scale, 400 points for odds of ten to one, with {ANCHOR} at
{ANCHOR_RATING:.0f}. Agents that never win get a finite rating by one drawn game added to each pair.

what is written, for --out docs/leaderboard:
  docs/leaderboard/ladder.json   every match, rating and hash; after each match, so that a run that was cut short
                                 loses one match at most: give the same command again
  docs/leaderboard/ratings.svg   the ratings as a plot
  docs/leaderboard.md            the page: its tables, from ladder.json alone; text written by hand stays

who plays: left out, all agents ({{agents}}) and the five Automas. Names are those of
evaluate.py, paths of checkpoints (.safetensors), and path/to/file.py:ClassName for an agent of your own.

examples:
  # the whole ladder
  {COMMAND} --deals 500 --out docs/leaderboard
  # with an agent of your own: only its matches are played, if the others are in the file
  {COMMAND} --deals 500 --out docs/leaderboard --add examples/hasty_agent.py:HastyAgent
  # a quick look: three participants, small map, short games
  {COMMAND} --only greedy --only random --only automa:easy --anchor automa:easy --map mini --deals 20 --out /tmp/look
  # three seats; and searching agents, which take longer
  {COMMAND} --seats 3 --deals 100 --out docs/leaderboard/3
  {COMMAND} --add search:duel@64 --deals 100 --out docs/leaderboard/search-2
  # the page and the plot anew, nothing is played
  {COMMAND} --deals 500 --out docs/leaderboard --page-only

what a participant is: the hash of its source files and of its checkpoint. If that changes, its matches are played
anew. If the rules, the map, the deck, the deals or the seed change, the file is another ladder: name another --out, or
say --fresh. Comments, docstrings, imports and formatting change no hash.

exit codes: 0 played, 1 a file could not be written, 2 bad input, or another run has the folder (nothing was played),
4 an agent failed, 130 interrupted; matches that were played are kept
"""


@dataclass(frozen=True)
class Options:
    """The command line; rules of the game are options too, see ``options_of``.

    Attributes:
        out: Folder of the results. The page goes beside it, with the ending .md.
        add: Who plays beside all agents and Automas.
        only: Who plays, in place of all agents and Automas.
        anchor: The participant whose rating is fixed, at 1000.
        seats: Seats at the table. Left out: as few as there may be, but two at least.
        deals: Deals of each match: between agents a game for each seat, against Automas one for each seat that they
            leave. Four times the deals halve the intervals.
        seed: Everything random follows from it. The default is another one than that of evaluate.py and of its
            protocols: nobody tunes an agent on these deals by accident.
        game: Which game is played, by its id or by the import path of its spec. Left out: the default game.
        batch_size: Games on the table at once, about; a matter of speed and memory alone.
        page_only: Play nothing: write page and plot from ladder.json.
        fresh: Play everything anew, in place of what ladder.json holds, of this ladder or of another.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    out: Annotated[Path, show_value_as("FOLDER")] = Path("docs/leaderboard")
    add: Annotated[tuple[str, ...], show_value_as("NAME")] = ()
    only: Annotated[tuple[str, ...], show_value_as("NAME")] = ()
    anchor: Annotated[str, show_value_as("NAME")] = ANCHOR
    seats: Annotated[int | None, show_value_as("INT")] = None
    deals: int = 500
    seed: int = 1846
    game: Annotated[str | None, show_value_as("GAME")] = None
    batch_size: int = BATCH_SIZE
    page_only: bool = False
    fresh: bool = False
    quiet: bool = False

    @property
    def json(self) -> Path:
        """The file of all results."""
        return self.out / "ladder.json"

    @property
    def plot(self) -> Path:
        """The file of the plot of the ratings."""
        return self.out / "ratings.svg"

    @property
    def page(self) -> Path:
        """The file of the page."""
        return self.out.resolve().with_name(f"{self.out.resolve().name}.md")

    @property
    def participants(self) -> tuple[str, ...]:
        """Who plays: agents by name, then scripted opponents in their order."""
        names = self.only or (*sorted(list_agents(self.spec)), *self.spec.players.scripted)
        return tuple(sorted((*names, *self.add), key=partial(_order, self.spec)))

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return find_spec(self.game)

    @property
    def command(self) -> str:
        """The command line that makes the same ladder."""
        return show_command((COMMAND,), self, type(self)(), UNTOLD)

    @property
    def num_seats(self) -> int:
        """Seats at the table."""
        return self.seats if self.seats is not None else max(FEWEST_SEATS, self.spec.facts.seat_counts[0])

    def matches(self) -> tuple[MatchConfig, ...]:
        """The matches of each pair of participants, but not of two scripted opponents."""
        pairs = combinations(self.participants, 2)
        met = (pair for pair in pairs if not is_scripted(pair[0], self.spec))
        return tuple(match for pair in met for match in self.match_pair(*pair))

    def match_pair(self, first: str, second: str) -> list[MatchConfig]:
        """The matches of two participants, of which the first is an agent: each alone among seats of the other."""
        others = self.num_seats - 1
        matches = [self.make_match(first, (second,) * others)]
        if others > 1:
            many = (first,) * others
            scripted = is_scripted(second, self.spec)
            matches.append(self.make_match(first, (*many[1:], second)) if scripted else self.make_match(second, many))
        return matches

    def make_match(self, agent: str, against: tuple[str, ...]) -> MatchConfig:
        """The match of a lineup, in the order of its seats."""
        rules = {name: getattr(self, name) for name in rule_names(self.spec)}
        return MatchConfig(agent, against, self.num_seats, self.deals, self.seed, self.batch_size, self.game, **rules)


def rule_names(spec: GameSpec) -> list[str]:
    """The rules that a ladder may set: those of a match, but for those in ``LEFT_OUT_RULES``."""
    return [name for name in spec.players.match_fields if name not in LEFT_OUT_RULES]


def options_of(spec: GameSpec) -> type[Options]:
    """``Options`` with the rules that a ladder may set."""
    return add_fields(Options, spec.facts.rules, rule_names(spec))


def _order(spec: GameSpec, name: str) -> tuple[int, str]:
    """Agents by name come first, then scripted opponents: a match has the same name whoever was named first."""
    scripted = spec.players.scripted
    return (1 + scripted.index(name), "") if name in scripted else (0, name)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the ladder that the command line describes, or go on with it; returns the exit code."""
    return run_kept(PROGRAM, partial(parse, arguments), begin, play, tell, tell_kept)


def parse(arguments: Sequence[str] | None) -> Options:
    """The options of a command line, checked.

    Raises:
        ValueError: naming what cannot be played, and why.
    """
    spec = find_spec(find_option(arguments, "game"))
    description = DESCRIPTION.replace("{agents}", ", ".join(sorted(list_agents(spec))))
    options = parse_options(options_of(spec), arguments, description)
    check_options(options)
    if not options.page_only:
        make_folder(options)
    return options


def tell_kept(options: Options, results: Results) -> str:
    """What of a run that was cut short is in its file."""
    return f"{options.json} holds {say_count(len(results.content['matches']), 'match', 'matches')}"


# --- before anything is played ------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Refuse options that make no sense together.

    Raises:
        ValueError: if not.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ValueError(f"a ladder needs {' and '.join(missing)}: {HOW_TO_INSTALL}")
    if options.page_only:
        return
    if options.add and options.only:
        raise ValueError("--add and --only cannot be given together: --only names all participants")
    if not LEAST_DEALS <= options.deals <= MAX_DEALS:
        raise ValueError(f"deals={options.deals}: {LEAST_DEALS} to {MAX_DEALS} are allowed")
    names = options.participants
    for name in names:
        if is_scripted(name, options.spec):
            options.spec.players.seat_scripted([name])  # refuses what cannot sit
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{', '.join(twice)}: named twice, each participant plays once")
    counts = [count for count in options.spec.facts.seat_counts if count >= FEWEST_SEATS]
    if options.num_seats not in counts:
        raise ValueError(f"seats={options.seats}: {counts[0]} to {counts[-1]} are allowed")
    if len(names) < 2 or all(is_scripted(name, options.spec) for name in names):
        raise ValueError(f"{', '.join(names)}: a ladder needs two participants or more, of which one is an agent")
    if options.anchor not in names:
        raise ValueError(f"anchor={options.anchor!r}: a participant is allowed: {', '.join(names)}")


def make_folder(options: Options) -> None:
    """Make the folder, once it is known that everything can be played.

    Raises:
        ValueError: for a participant, map or deck that cannot be used, or a file that cannot be written.
    """
    for match in options.matches():
        prepare_match(match, partial(make_any_agent, game=match.game))
    with name_file(options.out):
        options.out.mkdir(parents=True, exist_ok=True)
    check_files([options.json, options.plot, options.page])


def begin(options: Options) -> Results:
    """The result file before play, with the matches that an earlier run has played.

    Matches of participants that have changed since are left out.

    Raises:
        ValueError: for a file of another ladder.
    """
    if options.page_only:
        return Results(options.json, RESULTS.read(options.json))
    spec = options.spec
    identities = {
        name: None if is_scripted(name, spec) else hash_agent(name, spec.game) for name in options.participants
    }
    head: Content = {
        "command": options.command,
        "fixed": fix(options),
        "participants": [{"name": name, "sha256": sha256} for name, sha256 in identities.items()],
        "anchor": {"name": options.anchor, "rating": ANCHOR_RATING},
        "methods": {"ratings": tell_method(options.num_seats), "rating_intervals": INTERVAL_METHOD, **INTERVALS},
        "ratings": [],
        "fit": None,
    }
    results = RESULTS.begin(options.json, head, anew=options.fresh)
    matches = results.content["matches"]
    results.content["matches"] = [match for match in matches if not _is_outdated(match, identities)]
    return results


def fix(options: Options) -> Content:
    """The settings that all matches of a ladder share: if any of them differs, it is another ladder."""
    setting = load_setting(options.matches()[0].rules)
    rules = {name: value for name, value in describe_rules(setting).items() if name not in LEFT_OUT}
    return {
        "seats": options.num_seats,
        "deals": options.deals,
        "seed": options.seed,
        "rules": rules,
        **describe_setting(setting),
        "game_sha256": hash_game(options.spec.game),
    }


def _is_outdated(match: Content, identities: dict[str, str | None]) -> bool:
    """Whether a participant of a match has changed since; those who do not take part now do not count."""
    players = zip(match["names"], match["sha256"], strict=True)
    return any(identities.get(name, sha256) != sha256 for name, sha256 in players)


# --- playing ------------------------------------------------------------------------------------------


def play(options: Options, results: Results) -> None:
    """Play the matches that are not among the results yet, and rate all participants."""
    if options.page_only:
        return
    content = results.content
    identities = {entry["name"]: entry["sha256"] for entry in content["participants"]}
    matches = options.matches()
    with show_progress(sum(match.num_games for match in matches), quiet=options.quiet) as report:
        for match in matches:
            key, state = {"names": list(match.names)}, {"sha256": [identities[name] for name in match.names]}
            results.find_or_make("matches", key, match.num_games, partial(play_one, match), report, state)
    content |= rate_all(content)
    content["software"] = describe_software()
    results.write()


def play_one(match: MatchConfig, report: Progress) -> Content:
    """What is kept of a match, which is played; shares of wins, and how often it is ahead, are of who sits alone."""
    result = play_match(match, make_agent=partial(make_any_agent, game=match.game), report=report)
    return {
        **describe_played(result),
        "results": asdict(summarise(result)),
        "shares": result.games.shares[:, :, find_lone(match.names)].mean(axis=1).tolist(),
        "ahead": measure_ahead(result).tolist(),
        "software": describe_software(),
        "run": describe_run([result], datetime.now(UTC).isoformat(timespec="seconds")),
    }


# --- telling ------------------------------------------------------------------------------------------


def tell(options: Options, results: Results) -> int:
    """Write page and plot, and print the ratings that were played for; returns the exit code."""
    content = results.content
    if not content["ratings"]:
        return fail(PROGRAM, BAD_INPUT, f"{options.json}: its run was cut short, there are no ratings yet: play on")
    try:
        draw_ratings(content, options.plot)
        with hold(options.page, PATIENCE):
            write_whole(options.page, renew_file(options.page, make_blocks(content, options.page.with_suffix(""))))
    except ValueError as error:
        return fail(PROGRAM, NOT_WRITTEN, f"{error}: not written")
    except OSError as error:
        return fail(PROGRAM, NOT_WRITTEN, tell_fault(error, options.page))
    if not options.page_only:
        games = sum(match["games"] for match in list_matches(content))
        report = Report(
            heading=f"{len(content['ratings'])} participants, {games:,} games",
            command=content["command"],
            grids=(tabulate_ratings(content),),
            lines=(f"{options.page.name}, {options.json}, {options.plot}",),
            speed="",
        )
        console = open_console()
        for part in draw_report(report):
            console.print(part)
    return 0
