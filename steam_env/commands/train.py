"""``python train.py`` and ``steam-train``: self-play training on the command line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from steam_env.kit.checks import look_up
from steam_env.kit.command_line import add_options, find_option, list_given, open_console, parse_options, show_value_as
from steam_env.kit.errors import AgentError, NotFiniteError
from steam_env.kit.files import name_file, tell_fault
from steam_env.kit.locks import hold
from steam_env.kit.program import (
    AGENT_FAILED,
    BAD_INPUT,
    INTERRUPTED,
    NOT_FINITE,
    NOT_WRITTEN,
    fail,
    make_program,
)
from steam_env.spec import GameSpec, find_spec

try:
    import torch
    from rich.console import Console

    from steam_env.training.clock import PARTS
    from steam_env.training.config import DEFAULT_PRESET, TrainConfig, find_presets
    from steam_env.training.plot import draw_curve
    from steam_env.training.run import BEST, CURVE, POLICY, Run, find_best, read_config, read_history, weigh_share
    from steam_env.training.run import Progress as Step
except ImportError as error:
    raise SystemExit(f"train: {error}; training needs: pip install 'steam-env[tools,train]'") from None

PROGRAM = "train"
DESCRIPTION = """\
Train a policy by self-play: MaskablePPO of sb3-contrib on many games at once, against a league of the latest and past
policies, greedy, and Automas. From random weights it imitates a teacher first, where there is one.

presets:
  quick      about 2 minutes on two cores: no teacher, beats random
  standard   about 1 hour: imitates greedy, then plays against the league, greedy and Automas
  strong     about 4 hours, or less with a GPU: looks more at winning than at the margin
  duel       several hours: two seats, against a population of agents, habits and past policies, advised by greedy
  table      several hours: the same with three to five seats
  nomad      several hours: advised, too; for any map and 2 to 5 seats, on the maps of gen-v1:learn
  charted    the same, also told what greedy knows of the map
  magnate    about an hour: of the other game (--game), three to five seats, advised by greedy

examples:
  # the presets
  python train.py --preset quick
  python train.py --preset standard --folder runs/first
  # go on after a kill: at most one iteration is lost
  python train.py --resume --folder runs/first
  # other games: three seats against two greedy agents, and against one and an Automa
  python train.py --tables greedy+greedy=2 --tables greedy+automa:hard
  # an exploiter of a frozen policy, from random weights and from the policy's own; then it joins a population
  python train.py --tables duel --evaluate duel --folder runs/exploiter
  python train.py --preset duel --tables duel --evaluate duel --start duel --teacher none --folder runs/exploiter-2
  python train.py --preset duel --tables league=4 --tables runs/exploiter/best.safetensors --folder runs/wiser
  # the whole run learns from what a search of 64 positions a decision finds in the learner's own games
  python train.py --preset duel --start duel --teacher search@64 --imitation 1 --imitation-rate 2e-4
  # how it goes, in a browser
  tensorboard --logdir runs
  # what came out
  python evaluate.py runs/first/policy.safetensors --against automa:very_hard

what is written into the folder:
  config.json         the whole configuration, versions, commit, machine, hashes of map and deck
  history.jsonl       a line for each iteration: losses, speed, where the time went, evaluations
  policy.safetensors  the policy as it is now: an agent for evaluate.py, and for steam_env.agents.load_policy
  best.safetensors    the policy of the best evaluation: of the highest mean win rate against all that --evaluate names
  checkpoint.pt       all that is needed to go on; read it only if you trust it, as any pickle
  curve.svg           win rates against decisions
  tensorboard/        the history for TensorBoard

exit codes: 0 trained, 1 a file could not be written, 2 bad input, or another run has the folder (nothing was trained),
4 an agent failed, 5 a loss is not finite, 130 interrupted; the checkpoint and the policy of the last iteration are kept
"""
SPEED_PERIOD = 600  # seconds from which the time left is estimated
RUN_OPTIONS = ("preset", "folder", "resume", "device", "threads", "quiet")  # no part of the configuration
OWN_OPTIONS = (
    "tables",
    "stand_ins",
    "evaluate",
    "game",
    "rules",
)  # options of another form


@dataclass(frozen=True)
class Options:
    """The command line: a run's folder and how it is run. Configuration and rules are options too: see ``options_of``.

    Attributes:
        tables: Who sits with the learner: opponents joined by +, and the table's share of the games after =. An
            opponent is league (the latest and past policies), an agent of the game, a policy, or a scripted opponent.
            One with a habit has it after another +: greedy+rush; greedy+any has another one in each game. A table may
            have a map of its own, after @: greedy+greedy@alps. Left out: the preset's.
        stand_ins: Who plays all seats of games that the learner joins in the middle, before it does, each with its
            share after =. Left out: the preset's.
        evaluate: Opponents of evaluations, each a table without a share. Left out: the preset's.
        preset: The configuration that the other options change.
        folder: The run's folder, made if there is none. Left out: runs/ and the preset's name.
        resume: Go on with the run of the folder: its configuration stays.
        device: Where the network is: auto takes a GPU if there is one.
        threads: Of torch on the processor. Left out: as many as torch likes.
        quiet: No progress bar. (There is none either where stderr is no terminal: a line for each iteration then.)
        game: Which game is learnt, by its id or by the import path of its spec. Left out: the default game.
    """

    tables: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    evaluate: tuple[str, ...] = ()
    preset: str = DEFAULT_PRESET
    folder: Annotated[Path | None, show_value_as("PATH")] = None
    resume: bool = False
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: Annotated[int | None, show_value_as("INT")] = None
    quiet: bool = False
    game: Annotated[str | None, show_value_as("GAME")] = None

    def __post_init__(self) -> None:
        _ = self.config  # which checks it

    @property
    def place(self) -> Path:
        """The run's folder."""
        return self.folder or Path("runs") / self.preset

    @property
    def config(self) -> TrainConfig:
        """The configuration alone."""
        spec = find_spec(self.game)
        preset = look_up(find_presets(spec), "preset", self.preset)
        given = {field.name: getattr(self, field.name) for field in fields(TrainConfig) if hasattr(self, field.name)}
        named = {name: getattr(preset, name) if value == () else value for name, value in given.items()}
        rules = tuple((name, getattr(self, name)) for name in spec.players.match_fields)
        return TrainConfig(**{**named, "game": spec.game, "rules": rules})


def options_of(spec: GameSpec, preset: TrainConfig) -> type[Options]:
    """``Options`` with all of a run's configuration, as the preset has it, and the rules that a match may set."""
    choice: Any = Literal
    presets = choice[tuple(find_presets(spec))]
    usual = {name: value for name, value in vars(preset).items() if name not in OWN_OPTIONS}
    rules = preset.make_rules(preset.lineups[0]).to_dict()
    kind = add_options(Options, Options, {"preset": DEFAULT_PRESET}, {"preset": presets})
    kind = add_options(kind, TrainConfig, usual, {"network": type(preset.network)})
    return add_options(kind, spec.facts.rules, {name: rules[name] for name in spec.players.match_fields})


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Train what the command line describes; returns the exit code."""
    with ExitStack() as stack:
        try:
            options = read_options(arguments)
            if options.threads is not None:
                torch.set_num_threads(options.threads)
            try:
                run = open_run(options, stack)
            except OSError as error:
                return fail(PROGRAM, NOT_WRITTEN, tell_fault(error, options.place))
        except ValueError as error:
            return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was trained; --help explains)")
        try:
            train(run, quiet=options.quiet)
            return tell(run)
        except KeyboardInterrupt:
            return fail(PROGRAM, INTERRUPTED, f"interrupted; {tell_kept(run)}")
        except OSError as error:
            return fail(PROGRAM, NOT_WRITTEN, f"{tell_fault(error, run.folder)}; {tell_kept(run)}")
        except AgentError as error:
            return fail(PROGRAM, AGENT_FAILED, f"{error}; {tell_kept(run)}")
        except NotFiniteError as error:
            return fail(PROGRAM, NOT_FINITE, f"{error}; {tell_kept(run)}; lower rates or rewards may help")


def open_run(options: Options, stack: ExitStack) -> Run:
    """The run that the options describe, and the folder held for it alone as long as the stack is open.

    Raises:
        ValueError: naming what is wrong.
        OSError: if the folder cannot be written.
    """
    if options.resume:
        config = read_config(options.place)
        if options.game not in (None, config.game):
            raise ValueError(f"game={options.game!r}: the run in {options.place} is of {config.game!r}")
    else:
        with name_file(options.place):
            options.place.mkdir(parents=True, exist_ok=True)
    stack.enter_context(hold(options.place))
    if options.resume:
        return Run.resume(options.place, options.device)
    return Run.start(options.place, options.config, options.device)


def tell_kept(run: Run) -> str:
    """What is in the folder of a run that has ended before its time."""
    if not run.saved:
        return f"{run.folder} holds no checkpoint yet"
    return f"{run.folder} holds the checkpoint and the policy of iteration {run.saved}; go on with --resume"


def read_options(arguments: Sequence[str] | None) -> Options:
    """The options, those left out as the preset has them.

    Raises:
        ValueError: for one that is wrong, or that a run which goes on has already.
    """
    spec = find_spec(find_option(arguments, "game"))
    presets = find_presets(spec)
    named = find_option(arguments, "preset")
    preset = presets[named if named in presets else DEFAULT_PRESET]
    options = parse_options(options_of(spec, preset), arguments, DESCRIPTION)
    if options.threads is not None and options.threads < 1:
        raise ValueError(f"threads={options.threads}: at least 1 is allowed")
    given = sorted(list_given(arguments) - {*RUN_OPTIONS, "game"})  # which may have to be imported
    if options.resume and given:
        raise ValueError(f"--{given[0].replace('_', '-')} cannot be given with --resume: the run's configuration stays")
    return options


def train(run: Run, *, quiet: bool) -> None:
    """Carry the run on to its end, and show its progress."""
    with show_run(run, quiet=quiet) as show:
        for step in run.play():
            show(step)


@contextmanager
def show_run(run: Run, *, quiet: bool) -> Iterator[Callable[[Step], None]]:
    """A progress bar on stderr, or where there is no terminal a line for each iteration; yields what shows a step."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[rates]}"),
    )
    shows_bar = console.is_terminal and not quiet
    with Progress(*columns, console=console, disable=not shows_bar, speed_estimate_period=SPEED_PERIOD) as progress:
        done = run.iteration * run.config.iteration
        total = run.config.iterations * run.config.iteration
        task = progress.add_task("decisions", total=total, completed=done, speed="", rates="")

        def show(step: Step) -> None:
            entry = step.entry
            speed = f"{entry['decisions_per_second']:,.0f}/s"
            progress.update(task, completed=step.decisions, description=entry["stage"], speed=speed)
            if "evaluation" in entry:
                progress.update(task, rates=say_rates(entry))
            if not shows_bar and not quiet:
                words = f"{step.iteration}/{run.config.iterations} {entry['stage']} {speed} {say_rates(entry)}"
                print(words.rstrip(), file=sys.stderr, flush=True)

        yield show


def say_rates(entry: dict[str, Any]) -> str:
    """The win rates of an evaluation, in words."""
    return ", ".join(f"{name} {rates['win_rate']:.0%}" for name, rates in entry.get("evaluation", {}).items())


def tell(run: Run) -> int:
    """Print the run's results and where its time went; returns the exit code."""
    history = read_history(run.folder)
    draw_curve(history, run.folder / CURVE)
    seconds = sum(entry["seconds"] for entry in history)
    decisions = sum(run.config.iteration for _ in history)
    console = open_console()
    console.print(f"{decisions:,} decisions in {time.strftime('%H:%M:%S', time.gmtime(seconds))}")
    for part in PARTS:
        console.print(f"  {part:<12} {weigh_share(history, part):6.1%} of the time")
    last = next((entry for entry in reversed(history) if "evaluation" in entry), None)
    if last is not None:
        console.print(f"win rates: {say_rates(last)}")
    console.print(f"policy: {run.folder / POLICY}")
    best = find_best(history)
    if best is not None:
        console.print(f"best: {run.folder / BEST}, of {best['decisions']:,} decisions: {say_rates(best)}")
    return 0
