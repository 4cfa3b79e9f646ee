"""The page ``docs/performance.md`` and its plots, made of the result files alone.

    python -m benchmarks.report

Each number of the page comes from the JSON; what a sentence claims is decided by the numbers too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.results import FOLDER, THREAD_SHARE, read_result, say_rate, say_ratio
from steam_env.evaluation.report import Grid, grid_to_markdown
from steam_env.kit.command_line import BAD_INPUT, fail, parse_options
from steam_env.kit.files import write_whole

PROGRAM = "benchmarks.report"
PAGE_WIDTH = 120
KIB, MIB = 1 << 10, 1 << 20
FEW_PERCENT = 0.1  # a change of a rate that is worth a sentence
THROUGHPUT, PEERS = "throughput", "peers"

DESCRIPTION = """Write docs/performance.md and its plots from the result files in docs/performance.

Examples:
  python -m benchmarks.report
  python -m benchmarks.report --folder /tmp/performance      (writes /tmp/performance.md)"""

Content = Mapping[str, Any]
Rows = Sequence[Content]


# --- the page ---------------------------------------------------------------------------------------


def write_page(throughput: Content, peers: Content) -> str:
    """The page as Markdown."""
    parts = (
        _write_head(throughput, peers),
        _write_targets(throughput, peers),
        _write_peers(peers),
        _write_seats(throughput["groups"]["seats"]),
        _write_sizes(throughput),
        _write_maps(throughput["groups"]["maps"]),
        _write_stages(throughput["groups"]["stages"]),
        _write_budget(throughput["budget"]),
        _write_ends(throughput),
        _write_training(),
        _write_method(throughput, peers),
        _write_origin(throughput, peers),
    )
    return "\n\n".join(block for part in parts for block in part) + "\n"


def _write_head(throughput: Content, peers: Content) -> Iterator[str]:
    yield "# Performance"
    yield _text(
        "Written by `python -m benchmarks.report` from the numbers in [performance/](performance/): do not edit. All",
        "play is uniformly random among the legal actions. A *decision* is one action of one game: sampling it,",
        f"playing it, and the mask of the next decision. Rates are medians over {throughput['plan']['runs']} runs that",
        f"take turns, each of about {throughput['plan']['seconds']:g} s after a warm-up; what is compared was measured",
        f"in the same run of the program. The machine: {_say_machine(throughput)}.",
    )
    if throughput["quick"] or peers["quick"]:
        yield "**Made with `--quick`: a test of the programs. The figures mean little.**"
    least = min(map(_least_share, (throughput, peers)))
    if least < 1 - FEW_PERCENT:
        yield _text(
            f"**Other programs were running: a workload got as little as {least:.0%} of a processor. Rates are too",
            "low; ratios by CPU time are nearer to the truth.**",
        )


def _least_share(content: Content) -> float:
    """The least share of a processor that a workload of the result got."""
    rows = content["rows"] if "rows" in content else [row for group in content["groups"].values() for row in group]
    return float(min(row["cpu_share"] for row in rows))


def _say_machine(content: Content) -> str:
    machine = content["machine"]
    caches = ", ".join(f"{name} {_say_bytes(size)}" for name, size in machine["caches"].items())
    return (
        f"{machine['model']}, {machine['usable_cpus']} cores{f' ({caches})' if caches else ''}, {machine['platform']}"
    )


def _say_bytes(size: float) -> str:
    return f"{size / MIB:,.0f} MiB" if size >= MIB else f"{size / KIB:,.0f} KiB"


TARGET_COLUMNS = ("ours : other", "ours/s", "other/s", "ratio", "run by run", "by CPU time", "wanted", "met")


def _write_targets(throughput: Content, peers: Content) -> Iterator[str]:
    yield "## Targets"
    ratios = [target for target in (*peers["targets"], *throughput["targets"]) if "ratio" in target]
    yield _table(TARGET_COLUMNS, map(_target_row, ratios))
    limits = [target for target in throughput["targets"] if "most" in target]
    yield _table(
        ("what", "is", "at most", "met"),
        [(limit["what"], f"{limit['is']:,}", f"{limit['most']:,}", _say_met(limit)) for limit in limits],
    )
    yield _text(
        "*Run by run* are the least and the greatest ratio of two neighbouring runs. *By CPU time* is the ratio of",
        "what was done in a second of processor time, which other programs on the machine disturb less; with several",
        "threads it tells how much dearer a decision gets, not how much faster the whole.",
    )
    if peers["missing"]:
        yield f"Not installed, and so without a ratio: {', '.join(peers['missing'])}."


def _target_row(target: Content) -> tuple[str, ...]:
    return (
        target["what"],
        say_rate(target["ours"]),
        say_rate(target["other"]),
        say_ratio(target["ratio"]),
        f"{say_ratio(target['lowest'])} to {say_ratio(target['highest'])}",
        say_ratio(target["by_cpu"]),
        say_ratio(target["target"]),
        _say_met(target),
    )


def _say_met(target: Content) -> str:
    return "yes" if target["met"] else "**no**"


UNITS = ("decisions", "choices", "games", "copies")
UNIT_COLUMNS = ("decisions/s", "with a choice/s", "games/s", "copies/s")


def _write_peers(peers: Content) -> Iterator[str]:
    yield "## Beside other environments"
    yield _plot("peers", "decisions per second of each environment, one thread")
    rows = [(row["what"], *_say_rates(row, UNITS)) for row in peers["rows"]]
    yield _table(("what", *UNIT_COLUMNS), rows)
    yield _text(
        "*With a choice* counts decisions with more than one legal action only. The games differ: a decision of chess",
        "is a move, one of Catanatron a die roll or a building, ours a tile, a hop of a good or the choice of an",
        "action. So the ratios tell what a user waits for, not whose code is better. The same ratios taken in other",
        "ways that one could think of:",
    )
    columns = ("ours : other", "ours/s", "other/s", "ratio", "run by run", "by CPU time")
    yield _table(columns, (_target_row(ratio)[: len(columns)] for ratio in peers["also"]))


def _say_rates(row: Content, units: Sequence[str]) -> list[str]:
    return [say_rate(row[unit]["median"]) if unit in row else "-" for unit in units]


# --- what speed depends on -----------------------------------------------------------------------------


def _rate(row: Content) -> float:
    return float(row["decisions"]["median"])


def _nanoseconds(row: Content) -> float:
    return 1e9 / _rate(row)


FACT_COLUMNS = ("legal actions", "contracts in hand", "track segments", "round")
FACTS = ("legal", "hand", "segments", "round")


def _say_facts(row: Content) -> list[str]:
    return [f"{row[fact]:.1f}" if fact in row else "-" for fact in FACTS]


def _tell_facts(first: Content, last: Content) -> str:
    """How the positions of two rows differ, in words."""
    names = {"legal": "legal actions", "hand": "contracts in the mover's hand", "segments": "track segments on the map"}
    return ", ".join(f"{first[fact]:.1f} and {last[fact]:.1f} {name}" for fact, name in names.items())


def _write_seats(rows: Rows) -> Iterator[str]:
    yield "## Seats"
    yield _plot("seats", "decisions per second against seats")
    yield _table(
        ("play", "seats", *UNIT_COLUMNS[:3], "ns per decision", *FACT_COLUMNS),
        [
            (row["kind"], str(row["seats"]), *_say_rates(row, UNITS[:3]), f"{_nanoseconds(row):,.0f}", *_say_facts(row))
            for row in rows
        ],
    )
    yield _text(
        "*Observed* writes the mover's full `flat` observation before each decision. *Automas* has one random player,",
        "Automas on all other seats, and their turns in the time of its decisions.",
    )
    kinds = {kind: [row for row in rows if row["kind"] == kind] for kind in ("bare", "observed", "automas")}
    first, last = kinds["bare"][0], kinds["bare"][-1]
    yield _text(
        f"Bare, from {first['seats']} to {last['seats']} seats a decision {_tell_change(first, last)} (the mean",
        f"position has {_tell_facts(first, last)}).",
        _tell_observation(kinds["bare"], kinds["observed"]),
        _tell_automas(kinds["automas"]),
    )


def _tell_change(first: Content, last: Content) -> str:
    """How the cost of a decision changes, in words."""
    before, after = _nanoseconds(first), _nanoseconds(last)
    change = after / before - 1
    if abs(change) < FEW_PERCENT:
        return f"costs about the same, {before:,.0f} and {after:,.0f} ns"
    word = "dearer" if change > 0 else "cheaper"
    return f"gets {word} by {abs(change):.0%}, from {before:,.0f} to {after:,.0f} ns"


def _tell_observation(bare: Rows, observed: Rows) -> str:
    costs = [_nanoseconds(seen) - _nanoseconds(plain) for plain, seen in zip(bare, observed, strict=True)]
    return (
        f"An observation adds {costs[0]:,.0f} ns with {bare[0]['seats']} seats "
        f"and {costs[-1]:,.0f} ns with {bare[-1]['seats']}."
    )


def _tell_automas(rows: Rows) -> str:
    one, many = ((_nanoseconds(row) / 1000, row["seats"] - 1) for row in (rows[0], rows[-1]))
    return (
        f"Against Automas a decision carries its share of their turns: {one[0]:,.1f} µs with {one[1]} Automa and"
        f" {many[0]:,.1f} µs with {many[1]}, {one[0] / one[1]:,.1f} and {many[0] / many[1]:,.1f} µs for each of them."
    )


def _write_sizes(throughput: Content) -> Iterator[str]:
    rows, caches = throughput["groups"]["sizes"], throughput["machine"]["caches"]
    yield "## Batch size"
    yield _plot("sizes", "decisions per second against the games in a batch")
    yield _table(
        ("play", "games", "decisions/s", "games/s", "ns per decision", "memory of the batch"),
        [
            (
                row["kind"],
                f"{row['size']:,}",
                *_say_rates(row, ("decisions", "games")),
                f"{_nanoseconds(row):,.0f}",
                _say_bytes(row["bytes"]),
            )
            for row in rows
        ],
    )
    yield _text("The memory is that of records, masks and observations. Two seats.")
    for kind, name in (("bare", "Bare"), ("observed", "With observations")):
        own = [row for row in rows if row["kind"] == kind]
        yield _text(f"{name}:", _tell_rise(own), tell_fall(own, caches))


def _tell_rise(rows: Rows) -> str:
    """The bend at small batches: the fixed cost of a step."""
    best = max(rows, key=_rate)
    fixed = _nanoseconds(rows[0]) - _nanoseconds(best)
    enough = next(row for row in rows if _rate(row) >= (1 - FEW_PERCENT) * _rate(best))
    return (
        f"a step costs about {fixed / 1000:,.1f} µs whatever it holds, for Python and NumPy around the kernels. That is"
        f" {fixed / _nanoseconds(rows[0]):.0%} of a step of one game; from {enough['size']:,} games on the rate is"
        f" within {FEW_PERCENT:.0%} of the best, that of {best['size']:,} games."
    )


def tell_fall(rows: Rows, caches: Mapping[str, int]) -> str:
    """The bend at large batches: where the rate leaves its best for good, and which cache that crosses."""
    best = max(rows, key=_rate)
    later = [row for row in rows if row["size"] > best["size"]]
    slower = [row for row in later if _rate(row) < (1 - FEW_PERCENT) * _rate(best)]
    if not slower:
        return (
            f"It stays so up to {rows[-1]['size']:,} games: a step takes one game after the other, so what has to be"
            " near the processor is one record, not the batch."
        )
    first, lowest = slower[0], min(slower, key=_rate)
    crossed = [name for name, size in caches.items() if best["bytes"] <= size < first["bytes"]]
    why = f": more than the {' and '.join(crossed)} cache holds" if crossed else ""
    return (
        f"With {first['size']:,} games ({_say_bytes(first['bytes'])}{why}) it is slower by more than {FEW_PERCENT:.0%};"
        f" the slowest of the larger batches, of {lowest['size']:,} games, reaches {_rate(lowest) / _rate(best):.0%}."
    )


def _write_maps(rows: Rows) -> Iterator[str]:
    yield "## Map"
    yield _plot("maps", "nanoseconds of a decision on each map")
    yield _table(
        ("map", "hexes", "cities", *UNIT_COLUMNS[:3], "ns per decision", *FACT_COLUMNS),
        [
            (
                row["map"],
                str(row["hexes"]),
                str(row["cities"]),
                *_say_rates(row, UNITS[:3]),
                f"{_nanoseconds(row):,.0f}",
                *_say_facts(row),
            )
            for row in rows
        ],
    )
    least, most = rows[0], rows[-1]
    yield _text(
        "`largest` is made for this table and fills a record: no map can have more hexes or cities. Two seats. From",
        f"{least['hexes']} to {most['hexes']} hexes a decision {_tell_change(least, most)}:",
        f"{_nanoseconds(most) / _nanoseconds(least):.2f} times the cost for {most['hexes'] / least['hexes']:.1f} times",
        f"the hexes (the mean position has {_tell_facts(least, most)}).",
    )


def _write_stages(rows: Rows) -> Iterator[str]:
    yield "## Stage of the game"
    yield _plot("stages", "nanoseconds of a decision in each stage of the game")
    yield _table(
        ("rounds", "share of all positions", "decisions/s", "ns per decision", "times the average", *FACT_COLUMNS[:3]),
        [
            (
                row["rounds"],
                f"{row['share']:.1%}",
                *_say_rates(row, ("decisions",)),
                f"{_nanoseconds(row):,.0f}",
                f"{_rate(rows[0]) / _rate(row):.2f}",
                *_say_facts(row)[:3],
            )
            for row in rows
        ],
    )
    whole, stages = rows[0], rows[1:]
    slowest, fastest = min(stages, key=_rate), max(stages, key=_rate)
    yield _text(
        "Positions of each stage, from random games of two seats, a few steps from each. *All* is the average over all",
        f"positions. The dearest stage, rounds {slowest['rounds']}, costs {_rate(whole) / _rate(slowest):.2f} times",
        f"the average, the cheapest, rounds {fastest['rounds']}, {_rate(whole) / _rate(fastest):.2f} times (the mean",
        f"position has {_tell_facts(slowest, fastest)}). Positions of the early rounds are {_tell_open(stages)}.",
    )


def _tell_open(stages: Rows) -> str:
    first, last = stages[0], stages[-1]
    if abs(_nanoseconds(first) / _nanoseconds(last) - 1) < FEW_PERCENT:
        return "as dear as those of the last ones"
    word = "cheaper" if _nanoseconds(first) < _nanoseconds(last) else "dearer"
    return f"{word} than those of the last: {_nanoseconds(first):,.0f} against {_nanoseconds(last):,.0f} ns"


def _write_budget(budgets: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    yield "## Where a decision's time goes"
    yield _text(
        "Nanoseconds of each part over positions drawn evenly from random games, in processor time: over *few*",
        "positions again and again, whose records the inner caches hold, and over *many*, as a large batch has them.",
        "What *many* has more is waiting for memory; the rest is instructions. The *floor* is what the least that the",
        "part must do takes: a cleared row for mask and observation, one look at the row for sampling, taking $3 for",
        "applying an action. The program is `python -m benchmarks.budget`; its docstring tells the method.",
    )
    for name, budget in budgets.items():
        yield f"On `midwest`, {name}:"
        yield _table(
            ("part", "few, ns", "many, ns", "floor, ns", "bound by"),
            [
                (
                    part,
                    *(f"{entry[size]:,.0f}" for size in ("few", "many")),
                    f"{entry['floor']:,.0f}" if "floor" in entry else "-",
                    _say_bound(entry),
                )
                for part, entry in budget.items()
            ],
        )


def _say_bound(entry: Mapping[str, float]) -> str:
    """What bounds a part: memory if waiting for it is the greater share."""
    waiting = entry["many"] - entry["few"]
    return "memory" if waiting > entry["few"] else f"instructions ({max(waiting, 0) / entry['many']:.0%} memory)"


def _write_ends(throughput: Content) -> Iterator[str]:
    rows = {row["kind"]: row for row in throughput["groups"]["ends"]}
    threads = throughput["groups"]["threads"]
    memory = throughput["memory"]
    yield "## Ends, copies, threads, memory"
    units = ("decisions", "games", "copies")
    yield _table(
        ("what", "decisions/s", "games/s", "copies/s"),
        [
            *((row["kind"], *_say_rates(row, units)) for row in rows.values()),
            *((f"threads: {row['threads']}", *_say_rates(row, units)) for row in threads),
        ],
    )
    again, whole = rows["dealt anew"], rows["to the last end"]
    yield _text(
        "*Dealt anew* is what this page reports elsewhere: each game that ends is dealt anew at once, in a batch of",
        "games of all ages. It is the fair counterpart of a peer that plays game after game, and what training does.",
        "*To the last end* deals a batch once and plays until its last game is over: its last steps move few games,",
        f"and pay the fixed cost of a step. It reaches {_rate(whole) / _rate(again):.0%} of the decisions and",
        f"{whole['games']['median'] / again['games']['median']:.0%} of the games of the former.",
    )
    if memory:
        moved = memory["record_bytes"] * rows["clone(out=)"]["copies"]["median"]
        yield _text(
            f"A game is {memory['record_bytes']:,} bytes. `clone(out=)` moves {moved / 1e9:.1f} GB/s of records.",
            f"A process that plays {memory['games']:,} games has at most {_say_bytes(memory['peak'])} in memory, of",
            f"which {_say_bytes(memory['before'])} were there before: the interpreter, the libraries and the kernels.",
        )
    gain, cores = _rate(threads[1]) / _rate(threads[0]), throughput["machine"]["usable_cpus"]
    games = THREAD_SHARE * throughput["plan"]["size"]
    yield _text(
        f"{threads[1]['threads']} threads, each with a batch of {games:,} games, make {gain:.2f}",
        f"times the decisions of one, on {cores} cores. Kernels release Python's global lock; the Python around them",
        "holds it.",
    )


def _write_training() -> Iterator[str]:
    yield "## Training"
    yield (
        "Decisions a second of a whole training, and the share of the environment in it: "
        "[training.md](training.md#standard). No GPU was at hand: `python train.py --preset strong --device cuda` is "
        "the same program, not measured."
    )


def _write_method(throughput: Content, peers: Content) -> Iterator[str]:
    size = throughput["plan"]["size"]
    yield "## How it is measured"
    yield "\n".join(
        (
            _item(
                "All workloads of a table (of all peers) are warmed up, then run in turns, every second round in the",
                "opposite order. What disturbs the machine for a while disturbs all of them. *CPU share* in the JSON",
                "tells how much of a processor a workload got.",
            ),
            _item(
                f"Ours: `GameBatch` with {size:,} games on `midwest`, two seats, one thread, unless the table says",
                "otherwise: `step(sample_legal(rng))` and `reset(done)`. Nothing else is in the loop.",
            ),
            _item(
                "Decisions with a choice: the share of masks with more than one action is counted beforehand; counting",
                "in the timed loop would slow ours down. Catanatron's are counted as they come.",
            ),
            _item(
                "Catanatron: its own random players, `Game.play_tick` until `winning_color` or its turn limit, new",
                "games in the time. Two seats like ours. Copies are `Game.copy` of positions of all stages.",
            ),
            _item(
                "OpenSpiel chess: `legal_actions` and `apply_action`; with tensor and mask before each move. *As",
                "arrays* is what a network needs: `observation_tensor` and `legal_actions_mask` made NumPy arrays. *As",
                "lists* is what these calls return. *Into buffers* uses `make_observation`, which writes into an array",
                "that is there, as our `observe(out=...)` does, and fills a mask from the legal actions: the fastest",
                "way that we know.",
            ),
            _item(
                "PettingZoo: `env()` with its standard wrappers, `agent_iter`, `last`, `step`; observation and mask",
                "are what `last` returns; the same loop plays all of them, ours too.",
            ),
            _item(
                "`Game.step` alone: random games recorded before are played again, and only the steps are timed: no",
                "sampling, no observation, no deal.",
            ),
            _item(
                "RLCard: `reset` and `step`, whose states hold observation and legal actions. Pgx: a compiled batch on",
                "the processor, observations included, with `auto_reset`; JAX may use more than one core.",
            ),
        )
    )


def _item(*parts: str) -> str:
    return _text(*parts, bullet="- ")


def _write_origin(throughput: Content, peers: Content) -> Iterator[str]:
    yield "## Where the numbers come from"
    rows = [
        (
            f"`{content['command']}`",
            content["finished_utc"],
            f"{content['duration']:,.0f} s",
            _say_commit(content["software"]["git"]),
            content["machine"]["model"],
        )
        for content in (throughput, peers)
    ]
    yield _table(("command", "finished (UTC)", "took", "commit", "machine"), rows, words=5)
    software = peers["software"]
    versions = {
        "steam_env": software["steam_env"],
        "Python": software["python"],
        "NumPy": software["numpy"],
        "Numba": software["numba"],
        **{name: found or "not installed" for name, found in peers["peers"].items()},
    }
    yield _text("Versions:", ", ".join(f"{name} {found}" for name, found in versions.items()) + ".")


def _say_commit(git: Content | None) -> str:
    if git is None:
        return "no git checkout"
    return f"`{git['commit'][:12]}`{', with changes not yet committed' if git['dirty'] else ''}"


# --- Markdown ---------------------------------------------------------------------------------------


def _text(*parts: str, bullet: str = "") -> str:
    return fill(
        " ".join(parts),
        PAGE_WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(columns: Sequence[str], rows: Any, words: int = 1) -> str:
    return grid_to_markdown(Grid("", tuple(columns), tuple(tuple(row) for row in rows), words))


def _plot(name: str, what: str) -> str:
    return f"![{what}](performance/{name}.svg)"


# --- the command line -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReportOptions:
    """The command line.

    Attributes:
        folder: Folder of the result files; the plots go there, the page beside it, as FOLDER.md.
    """

    folder: Path = FOLDER

    @property
    def page(self) -> Path:
        """The page."""
        return self.folder.with_suffix(".md")


def write_report(folder: Path, page: Path) -> None:
    """Write the page and its plots."""
    from benchmarks.plots import draw_plot  # here, so that the page can be made without matplotlib

    throughput, peers = read_result(folder, THROUGHPUT), read_result(folder, PEERS)
    for name in ("sizes", "seats", "maps", "stages"):
        draw_plot(name, throughput["groups"][name], folder / f"{name}.svg")
    draw_plot("peers", peers["rows"], folder / "peers.svg")
    write_whole(page, write_page(throughput, peers))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; the exit code."""
    try:
        options = parse_options(ReportOptions, arguments, DESCRIPTION)
        write_report(options.folder, options.page)
    except (ValueError, OSError, ImportError) as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    print(f"written: {options.page}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
