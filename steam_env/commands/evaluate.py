"""``python evaluate.py`` and ``steam-evaluate``: a match, or a frozen protocol, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from steam_env.agents import Agent, list_agents
from steam_env.commands import ladder, verify
from steam_env.commands.replay import write_games
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.evaluation.dataset import DatasetWriter, RecordConfig, check_record, name_dataset
from steam_env.evaluation.match import BATCH_SIZE, DEALS, MatchConfig, MatchResult, play_match, prepare_match
from steam_env.evaluation.protocol import (
    ProtocolResult,
    compare_frozen,
    describe_parts,
    find_protocol,
    find_protocols,
    protocol_to_dict,
    refuse_track,
    report_protocol,
)
from steam_env.evaluation.report import (
    Report,
    draw_report,
    dump_json,
    report_match,
    result_to_dict,
    write_markdown,
)
from steam_env.evaluation.verification import SAMPLE, SAMPLE_DEALS, describe_sample
from steam_env.kit.command_line import (
    add_fields,
    add_options,
    find_option,
    list_given,
    open_console,
    parse_options,
    show_progress,
    show_value_as,
)
from steam_env.kit.errors import AgentError
from steam_env.kit.files import check_files, tell_fault, tell_reason, write_files
from steam_env.kit.locks import InUseError, hold
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT, INTERRUPTED, NOT_FROZEN, NOT_WRITTEN, fail, make_program
from steam_env.kit.show import say_count
from steam_env.spec import GameSpec, find_spec

DESCRIPTION = """\
Play agents against each other, and against Automas, and print who wins.

Each deal (cities, hands, deck, first player) is played once in every rotation of the player seats: each agent
plays every hand of it, so luck of the deal cancels out. Automas hold the last seats in every game.
games = deals x player seats.

what there is:
{things}

examples:
  # two seats, 200 deals = 400 games
  python evaluate.py greedy --against random
  # against an Automa: one player seat, so 200 deals = 200 games
  python evaluate.py greedy --against automa:hard
  # four seats, random on the three others
  python evaluate.py greedy --against random --seats 4
  # four seats: two agents, two Automas of one level
  python evaluate.py greedy --against random --against automa:easy --against automa:easy
  # three seats, named in turn order, and a result file
  python evaluate.py greedy --against random --against greedy --deals 1000 --json result.json
  # a quick look: small map, short games
  python evaluate.py greedy --map mini --contracts-to-end 3 --deals 20
  # three of its games to look at: pages for a browser
  python evaluate.py greedy --against automa:hard --deals 20 --replays 3
  # all of its games as a Minari data set in the folder data, for offline learning: docs/datasets.md
  python evaluate.py greedy --against random --deals 20 --record data
  # the yardstick to cite: all of it is fixed, see docs/benchmark.md
  python evaluate.py greedy --protocol v1 --json greedy-v1.json
  # a program of any language, here one that must answer within a second
  python evaluate.py "cmd[seconds=1]:perl examples/bots/random_bot.pl" --against greedy
  # what it can do on maps that it has not learnt from: docs/maps.md
  python evaluate.py greedy --protocol gen-v1 --json greedy-gen-v1.json
  # an agent that thinks, for 256 positions or half a second a decision: docs/search.md
  python evaluate.py search:duel@256 --against automa:very_hard --deals 20
  # does a result come out the same again? python evaluate.py --verify --help
  python evaluate.py --verify greedy-v1.json
  # everybody against everybody, with ratings: python evaluate.py ladder --help
  python evaluate.py ladder --out docs/leaderboard

what is printed:
  wins           games won; a win shared by W seats counts 1/W for each
  win rate       wins / games, beside 1/n: the rate of n equal seats, Automas included
  95 % interval  taken over deals, as games of one deal are not independent: for win rates Wilson's
                 score interval (sensible at 0 and 100 % too), for points Student's t
  mean rank      1 = best by rule 3.3; equal seats share the mean of their ranks
  victory points mean at the end, and from contracts, factories, cities and money; margin = victory
                 points less the mean of the others'
  openings       how each agent opened: its first city, how many different ones, and their effective number
                 (of so many equally frequent ones the entropy is the same)
  actions        how often in a game each of the five actions was played (bonus actions are none)
  by seat        win rate on each seat, and as first, second, ... player in the turn order
  rounds         game length; decisions counts those of all player seats

A program that fails loses the game by forfeit, which is told and counted: docs/agents_as_programs.md.

exit codes: 0 played, 1 a file could not be written, 2 bad input (nothing was played), 3 protocol played, but not with
what it is frozen to
({parts}), 4 an agent failed: whatever it raised, or an illegal action (what was over before is
told and written: the first deals of a match, the first matches of a protocol; but no data set), 130 interrupted (what
was over before likewise)
"""
PROGRAM = "evaluate"
OWN_AGENTS = "path/to/file.py:ClassName, or cmd:COMMAND, a program of any language"
INTERRUPTION = "interrupted"
FAULTS = "faults"  # the entry of a result file with what agents did wrong
STOPPED = "stopped"  # the entry of a result file that says why there are fewer deals, or matches, than were asked for
LADDER = "ladder"  # in the place of the agent's name


@dataclass(frozen=True)
class Options:
    """The command line: a match, and where its result goes. The game's rules are options too, see ``options_of``.

    Attributes:
        agent: The agent that is measured.
        against: Who fills the other seats, an agent or a scripted opponent: one name fills all of them, several fill
            them in turn order, scripted ones the last seats. Left out: random.
        seats: Seats at the table, scripted ones included. Left out: as many as are named.
        deals: Deals, each played once in every rotation of the player seats: games = deals x player seats. Four times
            the deals halve the intervals.
        seed: Everything random follows from it: same seed, same result, whatever the batch size.
        batch_size: Games on the table at once, about; a matter of speed and memory alone.
        game: Which game is played, by its id or by the import path of its spec. Left out: the default game.
        each_map: Deals go evenly through the maps of the set that --map names; else each draws one by its seed.
        protocol: A frozen yardstick in place of a match: opponents, seats, deals, seed and rules are fixed.
        json: Write all numbers to this file, with rules, seeds, versions, commit and machine. An older file is
            replaced.
        markdown: Write the tables to this file as Markdown, for documents. An older file is replaced.
        replays: Write so many games as game files and as pages for a browser: of the first deals one game each, in
            which the agent changes its seat from one to the next; of a protocol so many of each match.
        replays_folder: The folder for them, made if there is none.
        record: Write all games as a Minari data set into this folder of data sets: observations, masks, actions,
            rewards, behaviour probabilities. About 12 kB for each decision.
        record_name: Its name, with -v0 at the end. Left out: who plays whom.
        record_encoding: The encoding of its observations.
        record_reward: What its games pay: win, margin or score.
        record_replace: Replace an older data set of this name.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    agent: Annotated[str, show_value_as("AGENT")]
    against: Annotated[tuple[str, ...], show_value_as("AGENT")] = ()
    seats: Annotated[int | None, show_value_as("INT")] = None
    deals: int = DEALS
    seed: int = 0
    batch_size: int = BATCH_SIZE
    game: Annotated[str | None, show_value_as("GAME")] = None
    each_map: bool = False
    protocol: Annotated[str | None, show_value_as("NAME")] = None
    json: Annotated[Path | None, show_value_as("PATH")] = None
    markdown: Annotated[Path | None, show_value_as("PATH")] = None
    replays: Annotated[int, show_value_as("INT")] = 0
    replays_folder: Annotated[Path, show_value_as("PATH")] = Path("replays")
    record: Annotated[Path | None, show_value_as("FOLDER")] = None
    record_name: Annotated[str | None, show_value_as("NAME")] = None
    record_encoding: str | None = None
    record_reward: str = "win"
    record_replace: bool = False
    quiet: bool = False

    def __post_init__(self) -> None:
        _ = self.match

    @property
    def match(self) -> MatchConfig:
        """The match that the options describe."""
        rules = {name: getattr(self, name) for name in find_spec(self.game).players.match_fields}
        named = (self.agent, self.against, self.seats, self.deals, self.seed, self.batch_size, self.game)
        return MatchConfig(*named, each_map=self.each_map, **rules)

    @property
    def dataset(self) -> RecordConfig | None:
        """The data set to write; ``None``: none."""
        if self.record is None:
            return None
        if self.protocol is not None:
            raise ValueError("--record cannot be given together with --protocol: record a match of your own deals")
        name = name_dataset(self.match) if self.record_name is None else self.record_name
        encoding = find_spec(self.game).sight.find_encoding(self.record_encoding, "record_encoding").name
        return RecordConfig(self.record, name, encoding, self.record_reward, self.record_replace, self.game)

    @property
    def files(self) -> list[Path]:
        """The files to write."""
        return [path for path in (self.json, self.markdown) if path is not None]

    @property
    def matches(self) -> tuple[MatchConfig, ...]:
        """The matches to play."""
        if self.protocol is None:
            return (self.match,)
        return find_protocol(self.protocol, self.game).matches(self.agent, self.batch_size)


def options_of(spec: GameSpec) -> type[Options]:
    """``Options`` with the rules that a match of the game may set, and the game's first encoding."""
    kind = add_options(Options, Options, {"record_encoding": spec.sight.find_encoding().name})
    return add_fields(kind, spec.facts.rules, spec.players.match_fields)


def describe_things(spec: GameSpec) -> str:
    """The agents, opponents, maps and protocols to choose from, a line for each kind."""
    things = {
        "agents": f"{', '.join(sorted(list_agents(spec)))}, search:NAME@BUDGET, or one of your own: {OWN_AGENTS}",
        "opponents too": ", ".join(spec.players.scripted),
        **{what: f"{', '.join(names)}, or the path of a file" for what, names in spec.shipped().items()},
        "protocols": ", ".join(find_protocols(spec)),
    }
    return "\n".join(f"  {what:<14} {names}" for what, names in things.items() if names)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play what the command line describes; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] == LADDER:
        return ladder.main(words[1:])
    if any(word.partition("=")[0] == verify.VERIFY for word in words):
        return verify.main(words)
    try:
        spec = find_spec(find_option(arguments, "game"))
        parts = dict.fromkeys(part for one in find_protocols(spec).values() for part in describe_parts(one))
        description = DESCRIPTION.format(things=describe_things(spec), parts=", ".join(parts))
        options = parse_options(options_of(spec), arguments, description)
        if options.protocol is not None:
            refuse_fixed(options.protocol, spec, list_given(arguments))
            refuse_track(find_protocol(options.protocol, options.game), options.agent)
        for match in options.matches:
            prepare_match(match, partial(make_any_agent, game=match.game))
        check_replays(options)
        check_files(options.files)
        if options.dataset is not None:
            check_record(options.dataset)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was played; --help explains)")
    try:
        outcome = play(options)
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    except InUseError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was played)")
    except AgentError as error:
        return fail(PROGRAM, AGENT_FAILED, f"{error}; nothing is written")
    except OSError as error:
        if options.dataset is None:
            raise
        return fail(PROGRAM, NOT_WRITTEN, f"{options.dataset.path}: not written: {tell_reason(error)}")
    return tell(options, outcome)


def refuse_fixed(protocol: str, spec: GameSpec, given: set[str]) -> None:
    """Refuse options that a protocol fixes.

    Raises:
        ValueError: for an unknown protocol, or naming the options.
    """
    find_protocol(protocol, spec.game)
    chosen = ("against", "seats", "deals", "seed", "each_map", *spec.players.match_fields)
    fixed = [name for name in chosen if name in given]
    if fixed:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in fixed)
        raise ValueError(f"{names} cannot be given together with --protocol {protocol}, which fixes it")


def check_replays(options: Options) -> None:
    """Refuse more replays than there are deals, or a replays folder that is not a folder.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    deals = min(match.deals for match in options.matches)
    if not 0 <= options.replays <= deals:
        raise ValueError(f"replays={options.replays}: 0 to {deals} are allowed, one for each deal")
    if options.replays and options.replays_folder.exists() and not options.replays_folder.is_dir():
        raise ValueError(f"{options.replays_folder}: is no folder, replays cannot be written there")


@dataclass(frozen=True)
class Outcome:
    """The result of what was played.

    Attributes:
        report: what is to be printed.
        content: of the result file.
        differing: in what it differs from the frozen protocol.
        results: each match.
        dataset: what was written as a data set, in words; empty if nothing.
        failure: what an agent failed with, or that it was interrupted, where the results are those before; empty if all
            was played.
    """

    report: Report
    content: dict[str, Any]
    differing: tuple[str, ...]
    results: tuple[MatchResult, ...]
    dataset: str = ""
    failure: str = ""


def play(options: Options) -> Outcome:
    """Play what the options describe, or as much of it as was over before an agent failed, or before an interruption.

    Raises:
        AgentError: if it fails before anything is over.
        OSError: if a data set cannot be written.
        InUseError: if another process writes it.
    """
    failure = ""
    games = sum(match.num_games for match in options.matches)
    with open_dataset(options) as writer, show_progress(games, quiet=options.quiet) as report:
        keep = None if writer is None else writer.write
        record = max(options.replays, SAMPLE_DEALS if options.json else 0)
        results: list[MatchResult] = []
        agents: list[Agent] = []
        for match in options.matches:
            maker = partial(_make_agent, agents, match.game)
            try:
                results.append(play_match(match, make_agent=maker, report=report, record=record, keep=keep))
            except (AgentError, KeyboardInterrupt) as error:
                played = getattr(error, "played", None)
                results += [] if played is None or options.protocol else [played]
                if writer is not None or not results:
                    raise
                failure = str(error) or INTERRUPTION
                break
    outcome = sum_up(options, tuple(results), "" if writer is None else writer.tell(), failure)
    outcome.content[FAULTS] = count_faults(agents, failure)
    return outcome


def _make_agent(made: list[Agent], game: str, name: str) -> Agent:
    """A fresh agent, which is added to those that were made."""
    made.append(make_any_agent(name, game))
    return made[-1]


def count_faults(agents: Sequence[Agent], failure: str) -> dict[str, int]:
    """How often agents failed, which ends a match, and how many of their decisions with a time limit took too long."""
    late, timed = (sum(getattr(agent, what, 0) for agent in agents) for what in ("late", "timed"))
    return {"failed": int(bool(failure) and failure != INTERRUPTION), "late": late, "timed": timed}


def sum_up(options: Options, results: tuple[MatchResult, ...], dataset: str, failure: str) -> Outcome:
    """What came out of the matches."""
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    stopped = {STOPPED: failure} if failure else {}
    if options.protocol is None:
        content = {**result_to_dict(results[0], finished), **stopped}
        content |= tell_sample(results[0])
        return Outcome(report_match(results[0]), content, (), results, dataset, failure)
    protocol = find_protocol(options.protocol, options.game)
    outcome = ProtocolResult(protocol, options.agent, results, compare_frozen(protocol))
    content = {**protocol_to_dict(outcome, finished), **stopped}
    for match, result in zip(content["matches"], results, strict=True):
        match |= tell_sample(result)
    return Outcome(report_protocol(outcome), content, outcome.differing, results, failure=failure)


def tell_sample(result: MatchResult) -> dict[str, Any]:
    """The entry of a result file with games to play again, if any were recorded."""
    return {SAMPLE: describe_sample(result)} if result.recorded else {}


@contextmanager
def open_dataset(options: Options) -> Iterator[DatasetWriter | None]:
    """Open the writer of the data set; yields ``None`` where none is asked for."""
    if options.dataset is None:
        yield None
        return
    with hold(options.dataset.path):
        try:
            check_record(options.dataset)  # once more, as another process may just have let go of it
        except ValueError as error:
            raise InUseError(str(error)) from None
        with DatasetWriter(options.dataset, options.match) as writer:
            yield writer


def tell(options: Options, outcome: Outcome) -> int:
    """Write and print a result; returns the exit code."""
    failures = [
        write_files(
            [
                (options.json, lambda: dump_json(outcome.content)),
                (options.markdown, lambda: write_markdown(outcome.report)),
            ]
        )
    ]
    console = open_console()
    for part in draw_report(outcome.report):
        console.print(part)
    failures.append(write_replays(options, outcome.results))
    if outcome.dataset:
        print(outcome.dataset)
    code = 0
    if outcome.differing:
        verb = "differs" if len(outcome.differing) == 1 else "differ"
        parts = ", ".join(outcome.differing)
        words = f"this is NOT protocol {options.protocol}: {parts} {verb} from what it is frozen to"
        code = fail(PROGRAM, NOT_FROZEN, words)
    failed = "; ".join(filter(None, failures))
    if failed:
        code = fail(PROGRAM, NOT_WRITTEN, failed)
    if outcome.failure:
        stop = INTERRUPTED if outcome.failure == INTERRUPTION else AGENT_FAILED
        return fail(PROGRAM, stop, tell_stop(options, outcome))
    return code


def tell_stop(options: Options, outcome: Outcome) -> str:
    """What an agent failed with, and what the results are of, in words."""
    matches, deals = say_count(len(outcome.results), "match", "matches"), outcome.results[-1].config.deals
    over = matches if options.protocol else say_count(deals, "deal")
    return f"{outcome.failure}; the results are those of {over} before"


def write_replays(options: Options, results: Sequence[MatchResult]) -> str:
    """Write the games that were asked for and print their pages' names; returns what went wrong, in words."""
    try:
        for result in results if options.replays else ():
            shown = replace(result, recorded=result.recorded[: options.replays])
            for page in write_games(shown, options.replays_folder):
                print(f"replay: {page}")
    except OSError as error:
        return tell_fault(error, options.replays_folder)
    return ""
