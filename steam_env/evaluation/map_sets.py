"""Frozen sets of maps: hashes of all that is in them, that no two maps are equal, and that each can be played.

    python -m steam_env.evaluation.map_sets gen-v1            # tells whether the sets are what they are frozen to
    python -m steam_env.evaluation.map_sets gen-v1 --freeze   # writes the manifest anew

Three things are done. Maps and decks are made and hashed, and compared with the manifest, which ships with the game.
Maps are compared with each other under the 12 symmetries of the hex plane: no two may be equal, within a set or
between two, and the nearest pair of a training map and another is told. Last, each map is played with its deck by one
agent on all seats, at the fewest and the most seats: every game must end by its rules, not by the round limit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from steam_env.agents import make_agent
from steam_env.data.generate import SEPARATOR, Worlds, WorldSet, find_worlds
from steam_env.data.shapes import find_canonical
from steam_env.evaluation.kept import Content, Progress, ResultKind, Results, run_kept
from steam_env.evaluation.likeness import find_nearest
from steam_env.evaluation.provenance import describe_now, hash_content
from steam_env.evaluation.report import Grid, Report, draw_report, dump_json, say_percent
from steam_env.kit.command_line import open_console, parse_options, show_progress, show_value_as
from steam_env.kit.files import check_files, name_file, write_whole
from steam_env.kit.json_text import parse_json
from steam_env.kit.program import NOT_FROZEN, make_program
from steam_env.spec import GameSpec, find_spec
from steam_env.table.asking import ask
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting

FORMAT, SCHEMA = "steam_env map set", 1  # of the manifest
PROGRAM = "map_sets"
COMMAND = "python -m steam_env.evaluation.map_sets"
RESULTS = ResultKind("steam_env map set checks", 2, COMMAND, "check of maps", ("nearest", "played"))
BLOCK = 500  # worlds that share a hash in a large set, and a batch in play
LARGE = 1000  # worlds of a set whose manifest has a hash for each block, not for each
DIGITS = 16  # of a hash in the manifest
TRAIN = "train"  # the set that others must not be like
SEED = 1  # of the deals
ALL = 0  # as --sample: no sample

DESCRIPTION = """\
Tell whether the maps and decks of a family are what they are frozen to, whether any two maps are equal under the 12
symmetries of the hex plane, and whether each map can be played to the end.

what is written: FAMILY.json in the folder --out, after each block of maps. A run that was cut short goes on where it
was if the same command is given again.

exit codes: 0 all is as it should be, 1 a file could not be written, 2 bad input (nothing was played), 3 something is
not as it is frozen, two maps are equal, or a game did not end, 130 interrupted
"""


@dataclass(frozen=True)
class Options:
    """The command line.

    Attributes:
        family: The family of sets.
        freeze: Write the manifest anew, in a checkout.
        sample: Only so many maps of each set, the first ones, which are compared with the manifest where that has a
            hash for each. 0: all.
        unplayed: Nothing is played.
        out: Folder of the results.
        game: Whose maps they are, by its id or by the import path of its spec. Left out: the default game.
        anew: Play everything anew, in place of what the file holds.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    family: Annotated[str, show_value_as("FAMILY")]
    freeze: bool = False
    sample: int = ALL
    unplayed: bool = False
    out: Annotated[Path, show_value_as("FOLDER")] = Path("docs/map_sets")
    game: Annotated[str | None, show_value_as("GAME")] = None
    anew: bool = False
    quiet: bool = False

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return find_spec(self.game)

    @property
    def worlds(self) -> Worlds:
        """How it makes maps."""
        return find_worlds(self.game)

    @property
    def sets(self) -> Mapping[str, WorldSet]:
        """The sets of the family that have worlds of their own."""
        return self.worlds.list_frozen(self.family)

    @property
    def json(self) -> Path:
        """The file of the results."""
        return self.out / f"{self.family}.json"

    def count(self, kind: str) -> int:
        """How many worlds of a set are looked at."""
        count = self.sets[kind].count
        return count if self.sample == ALL else min(self.sample, count)


# --- making and hashing --------------------------------------------------------------------------------
@dataclass
class Made:
    """What was made of a set.

    Attributes:
        hashes: of map and deck of each world, SHA-256.
        maps: terrain codes by cell, of each.
    """

    hashes: list[str]
    maps: list[Mapping[tuple[int, int], int]]


def make_set(worlds: Worlds, family: str, kind: str, count: int, report: Progress = lambda done: None) -> Made:
    """Make the first worlds of a set, and hash map and deck of each."""
    made = Made([], [])
    for number in range(count):
        setting = load_setting(make_rules(worlds, name_world(family, kind, number)))
        made.hashes.append(hash_content(setting.contents))
        made.maps.append(worlds.terrain(setting))
        report(1)
    return made


def make_rules(worlds: Worlds, name: str, seats: int | None = None) -> Any:
    """The rules of a match on a world; ``None``: at the fewest seats."""
    spec = find_spec(worlds.game)
    return spec.make_match_rules(seats or spec.facts.seat_counts[0], (), worlds.name_fields(name))


def name_world(family: str, kind: str, number: int) -> str:
    """The name of a world in a set."""
    return SEPARATOR.join((family, kind, str(number)))


def write_manifest(family: str, made: Mapping[str, Made]) -> str:
    """The text of a manifest: of large sets a hash for each block, of others one for each world, cut short."""
    sets = {
        kind: {"count": len(one.hashes), "sha256": _list_hashes(one.hashes, len(one.hashes))}
        for kind, one in made.items()
    }
    return dump_json({"format": FORMAT, "schema": SCHEMA, "family": family, "sets": sets})


def _list_hashes(hashes: Sequence[str], count: int) -> list[str]:
    """Hashes of the first worlds of a set of so many, as the manifest has them; a block that is not full has none."""
    if count < LARGE:
        return [one[:DIGITS] for one in hashes]
    return [_join(hashes[first : first + BLOCK]) for first in range(0, len(hashes) - BLOCK + 1, BLOCK)]


def _join(hashes: Sequence[str]) -> str:
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def read_manifest(worlds: Worlds, family: str) -> Content:
    """The manifest of a family, of which the set names are the keys of ``sets``.

    Raises:
        ValueError: if there is none.
    """
    file = worlds.find_manifest(family)
    if not file.is_file():
        raise ValueError(f"family {family!r} has no manifest: --freeze writes it")
    content: Content = parse_json(file.read_text(encoding="utf-8"))
    return content


def find_changed(manifest: Content, made: Mapping[str, Made]) -> list[str]:
    """Sets whose worlds are not what the manifest says, with the first number that differs."""
    changed = []
    for kind, one in made.items():
        frozen = manifest["sets"].get(kind, {"count": 0, "sha256": []})
        found = _list_hashes(one.hashes, frozen["count"])
        size = BLOCK if frozen["count"] >= LARGE else 1
        pairs = zip(found, frozen["sha256"], strict=False)
        wrong = [size * place for place, (here, there) in enumerate(pairs) if here != there]
        wrong += [frozen["count"]] if len(one.hashes) > frozen["count"] else []
        if wrong:
            changed.append(f"{kind}{SEPARATOR}{wrong[0]}, or one of its block, is not as it is frozen")
    return changed


# --- comparing -----------------------------------------------------------------------------------------
def find_equal(made: Mapping[str, Made]) -> list[tuple[str, str]]:
    """Pairs of maps, as set and number, that are equal under the 12 symmetries; within a set and between sets."""
    seen: dict[bytes, str] = {}
    equal = []
    for kind, one in made.items():
        for number, cells in enumerate(one.maps):
            name = f"{kind}{SEPARATOR}{number}"
            earlier = seen.setdefault(find_canonical(cells), name)
            if earlier != name:
                equal.append((earlier, name))
    return equal


# --- playing -------------------------------------------------------------------------------------------
def play_worlds(
    worlds: Worlds, names: Sequence[str], seats: int, report: Progress = lambda ended: None
) -> list[GameBatch]:
    """Play a game on each of these worlds to its end, all seats by ``Worlds.player``.

    All are in one batch where the game has batches of several maps, else each is in one of its own.
    """
    rules = [make_rules(worlds, name, seats) for name in names]
    if find_spec(worlds.game).mix is not None:
        batch = GameBatch(rules, len(names), seed=SEED)
        _play_together(worlds, batch, report)
        return [batch]
    batches = [GameBatch(one, 1, seed=SEED) for one in rules]
    for batch in batches:
        batch.rollout(worlds.player, seed=SEED)
        report(1)
    return batches


def _play_together(worlds: Worlds, batch: GameBatch, report: Progress) -> None:
    agent = make_agent(worlds.player, worlds.game)
    agent.reset(SEED)
    actions = np.full(len(batch), find_spec(worlds.game).facts.resting_action)
    while not batch.done.all():
        live = np.flatnonzero(~batch.done)
        movers = batch.seats[live].astype(np.int64)
        actions[live] = ask(agent, batch.records[live], movers, batch.mask[live], batch.setting)
        batch.step(actions)
        report(int(batch.done[live].sum()))


# --- the program ---------------------------------------------------------------------------------------
@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Check or freeze what the command line names; returns the exit code."""
    return run_kept(PROGRAM, partial(parse, arguments), begin, work, tell)


def parse(arguments: Sequence[str] | None) -> Options:
    """The options of a command line, checked.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    options = parse_options(Options, arguments, DESCRIPTION)
    check_options(options)
    return options


def check_options(options: Options) -> None:
    """Refuse what cannot be done, and make the folder.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    _ = options.sets
    if options.sample < 0:
        raise ValueError(f"sample={options.sample}: 0 or more is allowed")
    if options.freeze and options.sample != ALL:
        raise ValueError(f"sample={options.sample}: a manifest is of all maps")
    if not options.freeze:
        read_manifest(options.worlds, options.family)
    with name_file(options.out):
        options.out.mkdir(parents=True, exist_ok=True)
    check_files([options.json])


def begin(options: Options) -> Results:
    """The result file before the work, with what an earlier run has done.

    Raises:
        ValueError: for a file of another family or sample.
    """
    head: Content = {"fixed": {"family": options.family, "sample": options.sample}, "changed": [], "equal": []}
    return RESULTS.begin(options.json, head, anew=options.anew)


def work(options: Options, results: Results) -> None:
    """Make, compare and play what is not among the results yet."""
    content = results.content
    counts = {kind: options.count(kind) for kind in options.sets}
    with show_progress(sum(counts.values()), what="maps", quiet=options.quiet) as report:
        made = {kind: make_set(options.worlds, options.family, kind, count, report) for kind, count in counts.items()}
    if options.freeze:
        manifest = Path(str(options.worlds.find_manifest(options.family)))
        with name_file(manifest):
            manifest.parent.mkdir(exist_ok=True)
            write_whole(manifest, write_manifest(options.family, made))
    content["worlds"] = {kind: len(one.hashes) for kind, one in made.items()}
    content["changed"] = find_changed(read_manifest(options.worlds, options.family), made)
    content["equal"] = find_equal(made)
    compare(options, results, made)
    if not options.unplayed:
        play(options, results, made)
    content |= describe_now()
    results.write()


def compare(options: Options, results: Results, made: Mapping[str, Made]) -> None:
    """Find the nearest training map of each other set."""
    others = [kind for kind in made if kind != TRAIN] if TRAIN in made else []
    count = sum(len(made[kind].maps) for kind in others)
    with show_progress(count, what="maps compared", quiet=options.quiet) as report:
        for kind in others:
            state = {"of": _join([*made[TRAIN].hashes, *made[kind].hashes])}
            find = partial(_find_nearest, made[TRAIN], made[kind])
            results.find_or_make("nearest", {"set": kind}, len(made[kind].maps), find, report, state)


def _find_nearest(train: Made, other: Made, report: Progress) -> Content:
    return asdict(find_nearest(train.maps, other.maps, report))


def play(options: Options, results: Results, made: Mapping[str, Made]) -> None:
    """Play each map with its deck at the fewest and the most seats, block by block."""
    counts = options.spec.facts.seat_counts
    blocks = [
        (kind, seats, first, one.hashes[first : first + BLOCK])
        for seats in (counts[0], counts[-1])
        for kind, one in made.items()
        for first in range(0, len(one.hashes), BLOCK)
    ]
    with show_progress(sum(len(hashes) for *_, hashes in blocks), quiet=options.quiet) as report:
        for kind, seats, first, hashes in blocks:
            names = [name_world(options.family, kind, first + number) for number in range(len(hashes))]
            key = {"set": kind, "seats": seats, "first": first}
            state = {"player": options.worlds.player, "of": _join(hashes)}
            play_block = partial(_play_block, options.worlds, names, seats)
            results.find_or_make("played", key, len(names), play_block, report, state)


def _play_block(worlds: Worlds, names: Sequence[str], seats: int, report: Progress) -> Content:
    return _count(play_worlds(worlds, names, seats, report), names)


def _count(batches: Sequence[GameBatch], names: Sequence[str]) -> Content:
    """What is kept of games that are over: those that the round limit ended, and how often which number of rounds."""
    rounds = np.concatenate([batch.records["round_number"] for batch in batches])
    truncated = np.concatenate([batch.truncated for batch in batches])
    numbers, times = np.unique(rounds, return_counts=True)
    return {
        "games": len(rounds),
        "unfinished": [names[row] for row in np.flatnonzero(truncated).tolist()],
        "rounds": np.stack([numbers, times], axis=1).tolist(),
    }


# --- telling -------------------------------------------------------------------------------------------
def tabulate_played(content: Content) -> Grid:
    """A table of the games of each set and number of seats: how many ended by the rules, and after how many rounds."""
    rows = []
    for kind, seats in dict.fromkeys((one["set"], one["seats"]) for one in content["played"]):
        blocks = [one for one in content["played"] if (one["set"], one["seats"]) == (kind, seats)]
        rounds = np.repeat(*np.array([pair for one in blocks for pair in one["rounds"]]).T)
        ended = sum(one["games"] - len(one["unfinished"]) for one in blocks)
        spread = (f"{value:.0f}" for value in np.percentile(rounds, (0, 50, 100)))
        rows.append((kind, str(seats), f"{len(rounds):,}", f"{ended:,}", *spread))
    columns = ("set", "seats", "games", "ended by the rules", "fewest rounds", "median", "most")
    players = sorted({one["player"] for one in content["played"]})
    return Grid(f"Games of {', '.join(players)}", columns, tuple(rows))


def tabulate_nearest(content: Content) -> Grid:
    """A table of the pairs of a training map and another that are most alike."""
    rows = [
        (one["set"], str(one["second"]), f"{TRAIN} {one['first']}", say_percent(one["equal"] / one["larger"]))
        for one in content["nearest"]
    ]
    return Grid("Most alike", ("set", "map", "and map", "equal hexes"), tuple(rows))


def list_faults(content: Content) -> list[str]:
    """What is not as it should be."""
    equal = [f"{first} and {second} are equal" for first, second in content["equal"]]
    unfinished = [
        f"{name} at {one['seats']} seats did not end" for one in content["played"] for name in one["unfinished"]
    ]
    return [*content["changed"], *equal, *unfinished]


def tell(options: Options, results: Results) -> int:
    """Print what was found; returns the exit code."""
    content = results.content
    faults = list_faults(content)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in content["worlds"].items())
    report = Report(
        heading=f"{options.family}: {counts}; {'all is as it is frozen' if not faults else faults[0]}",
        command="",
        grids=(tabulate_nearest(content), tabulate_played(content)),
        lines=(*faults, str(options.json)),
        speed="",
    )
    console = open_console()
    for part in draw_report(report):
        console.print(part)
    return NOT_FROZEN if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
