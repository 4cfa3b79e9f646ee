"""The tables of ``docs/performance.md`` and its plots, made of the result files alone.

    python -m benchmarks.report

``python -m steam_env.pages performance`` writes the tables without the plots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.results import FOLDER, read_result, say_rate, say_ratio, target_row
from benchmarks.search_tables import list_parts, list_playouts
from benchmarks.training import say_differing
from benchmarks.workers import list_ratio
from steam_env.kit.command_line import parse_options
from steam_env.kit.files import write_whole
from steam_env.kit.program import BAD_INPUT, fail, make_program
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import join, say_commit, say_versions, table

PROGRAM = "benchmarks.report"
KIB, MIB = 1 << 10, 1 << 20
THROUGHPUT, PEERS, LOOKS, STEAM, SEARCH, TRAINING = "throughput", "peers", "looks", "steam", "search", "training"
NOTHING = "-"

DESCRIPTION = """Write docs/performance.md and its plots from the result files in docs/performance.

Examples:
  python -m benchmarks.report
  python -m benchmarks.report --folder /tmp/performance      (writes /tmp/performance.md)"""

Content = Mapping[str, Any]
Rows = Sequence[Content]


# --- the page ---------------------------------------------------------------------------------------


def make_files() -> dict[Path, str]:
    """The page's text by its path, from the shipped result files."""
    return {FOLDER.with_suffix(".md"): write_page(FOLDER, FOLDER.with_suffix(".md"))}


def write_page(folder: Path, page: Path) -> str:
    """The page's text, from the results in a folder."""
    names = (THROUGHPUT, PEERS, LOOKS, STEAM, SEARCH, TRAINING)
    return renew_file(page, make_blocks(*(read_result(folder, name) for name in names)))


def make_blocks(
    throughput: Content, peers: Content, looks: Content, steam: Content, search: Content, training: Content
) -> Makers:
    """The functions that write the blocks of the page."""
    groups = throughput["groups"]
    return {
        "origin": lambda: tabulate_origin((throughput, peers)),
        "targets": lambda: tabulate_targets((*peers["targets"], *throughput["targets"]), len(TARGET)),
        "limits": lambda: tabulate_limits(throughput["targets"]),
        "peers": lambda: tabulate_rates(peers["rows"], ("what",), UNITS),
        "also": lambda: tabulate_targets(peers["also"], len(TARGET) - 2),
        "sizes": lambda: tabulate_rates(groups["sizes"], ("kind", "size"), ("decisions", "games"), ("bytes",)),
        "seats": lambda: tabulate_rates(groups["seats"], ("kind", "seats"), UNITS[:3], FACTS),
        "maps": lambda: tabulate_rates(groups["maps"], ("map", "hexes", "cities"), UNITS[:3], FACTS),
        "stages": lambda: tabulate_rates(groups["stages"], ("rounds", "share"), UNITS[:1], FACTS[:3]),
        "budget": lambda: join(*(tabulate_budget(name, parts) for name, parts in throughput["budget"].items())),
        "ends": lambda: tabulate_rates(groups["ends"], ("kind",), ("decisions", "games", "copies")),
        "threads": lambda: tabulate_rates(groups["threads"], ("threads",), ("decisions", "games")),
        "memory": lambda: tabulate_memory(throughput["memory"]),
        "steam": lambda: join(
            tabulate_rates(steam["rows"], ("what",), ("decisions", "games")),
            tabulate_targets(steam["targets"], len(TARGET)),
            tell_run(steam),
        ),
        "looks": lambda: join(tabulate_looks(looks["rows"]), tabulate_look_ratios(looks["ratios"]), tell_run(looks)),
        "copies": lambda: tabulate_copies(looks.get("copies", ())),
        "training": lambda: join(
            tabulate_looks(training["rows"]),
            tabulate_training_ratios(training["ratios"]),
            f"{say_differing(training['decisions'])}.",
            tell_run(training),
        ),
        "search": lambda: join(tabulate_parts(search), tabulate_playouts(search), tell_run(search)),
    }


def tabulate_origin(contents: Sequence[Content]) -> str:
    """A table of what was run, when, on which machine, and how busy the machine was with other programs."""
    rows = {
        "command": [f"`{content['command']}`" for content in contents],
        "finished (UTC)": [content["finished_utc"] for content in contents],
        "took": [f"{content['duration']:,.0f} s" for content in contents],
        "runs of each workload": [str(content["plan"]["runs"]) for content in contents],
        "seconds of a run": [f"{content['plan']['seconds']:g}" for content in contents],
        "games in a batch": [f"{content['plan']['size']:,}" for content in contents],
        "a test of the programs alone": ["**yes**" if content["quick"] else "no" for content in contents],
        "least share of a processor": [f"{find_least_share(content):.0%}" for content in contents],
        "processor": [f"{say['model']}, {say['usable_cpus']} cores" for say in (one["machine"] for one in contents)],
        "caches": [say_caches(content["machine"]["caches"]) for content in contents],
        "platform": [content["machine"]["platform"] for content in contents],
        "versions": [say_versions(content["software"]) for content in contents],
        "peers": [say_versions(content["peers"]) if "peers" in content else NOTHING for content in contents],
        "git commit": [say_commit(content["software"]) for content in contents],
    }
    columns = ("", *(content["format"].rpartition(": ")[2] for content in contents))
    return table(columns, ((what, *cells) for what, cells in rows.items()), words=len(columns))


def find_least_share(content: Content) -> float:
    """The least share of a processor that a workload of the result got."""
    rows = content["rows"] if "rows" in content else [row for group in content["groups"].values() for row in group]
    return float(min(row["cpu_share"] for row in rows))


def say_caches(caches: Mapping[str, int]) -> str:
    """The processor's caches by level."""
    return ", ".join(f"{name} {say_bytes(size)}" for name, size in caches.items()) or NOTHING


def say_bytes(size: float) -> str:
    """A size in a unit that fits it."""
    return f"{size / MIB:,.0f} MiB" if size >= MIB else f"{size / KIB:,.0f} KiB"


TARGET = ("ours : other", "ours/s", "other/s", "ratio", "run by run", "by CPU time", "wanted", "met")


def tabulate_targets(targets: Iterable[Content], columns: int) -> str:
    """A table of ratios; how many ``columns`` says whether the targets are shown."""
    ratios = (target for target in targets if "ratio" in target)
    return table(TARGET[:columns], (target_row(ratio)[:columns] for ratio in ratios))


def tabulate_limits(targets: Iterable[Content]) -> str:
    """A table of figures that have an upper limit."""
    rows = (
        (limit["what"], f"{limit['is']:,}", f"{limit['most']:,}", "yes" if limit["met"] else "NO")
        for limit in targets
        if "most" in limit
    )
    return table(("what", "is", "at most", "met"), rows)


UNITS = ("decisions", "choices", "games", "copies")
FACTS = ("legal", "hand", "segments", "round")
TITLES = {
    "kind": "play",
    "size": "games",
    "share": "share of all positions",
    "decisions": "decisions/s",
    "choices": "with a choice/s",
    "games": "games/s",
    "copies": "copies/s",
    "legal": "legal actions",
    "hand": "contracts in hand",
    "segments": "track segments",
    "bytes": "memory of the batch",
}


def tabulate_rates(rows: Rows, names: Sequence[str], units: Sequence[str], facts: Sequence[str] = ()) -> str:
    """A table of what was played, its rates, the time of a decision, and facts on the positions."""
    columns = [TITLES.get(name, name) for name in (*names, *units)]
    cells = (
        (
            *(say_value(name, row[name]) for name in names),
            *(say_rate(row[unit]["median"]) if unit in row else NOTHING for unit in units),
            f"{1e9 / row['decisions']['median']:,.0f}" if "decisions" in row else NOTHING,
            *(say_value(fact, row[fact]) if fact in row else NOTHING for fact in facts),
        )
        for row in rows
    )
    return table((*columns, "ns per decision", *(TITLES.get(fact, fact) for fact in facts)), cells)


def say_value(name: str, value: Any) -> str:
    """A label or a fact of a row as text."""
    if name == "share":
        return f"{value:.1%}"
    if name == "bytes":
        return say_bytes(value)
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.1f}"


def tabulate_budget(name: str, parts: Mapping[str, Mapping[str, float]]) -> str:
    """A table of where a decision's time goes, and whether instructions or waiting for memory bound each part."""
    rows = []
    for part, entry in parts.items():
        few, many = entry["few"], entry["many"]
        bound = "memory" if many > 2 * few else f"instructions ({max(many - few, 0) / many:.0%} memory)"
        floor = f"{entry['floor']:,.0f}" if "floor" in entry else NOTHING
        rows.append((part, f"{few:,.0f}", f"{many:,.0f}", floor, bound))
    return table((name, "few, ns", "many, ns", "floor, ns", "bound by"), rows)


def tabulate_memory(memory: Content) -> str:
    """A table of the memory that games and a process take."""
    if not memory:
        return "Not measured."
    rows = (
        ("a game", f"{memory['record_bytes']:,} bytes"),
        (f"a process that plays {memory['games']:,} games, at most", say_bytes(memory["peak"])),
        ("of it before: interpreter, libraries, kernels", say_bytes(memory["before"])),
    )
    return table(("what", "memory"), rows)


def tabulate_copies(rows: Rows) -> str:
    """A table of copies by the size of a batch."""
    told = ((f"{row['games']:,}", say_bytes(row["bytes"]), say_rate(row["per CPU second"])) for row in rows)
    return table(("games", "original and copy", "copies per CPU second"), told, words=0)


def tabulate_looks(rows: Rows) -> str:
    """A table of what was done with and without observations, in this checkout and another."""
    units = ("per CPU second", "per second")
    return table(("decisions", *units), ((row["name"], *(say_rate(row[unit]) for unit in units)) for row in rows))


def tabulate_look_ratios(ratios: Rows) -> str:
    """A table of the ratios of these rates, medians over the runs."""
    cells = (
        (
            f"{ratio['ours']} : {ratio['other']}",
            ratio["unit"],
            say_ratio(ratio["ratio"]),
            f"{say_ratio(ratio['lowest'])} to {say_ratio(ratio['highest'])}",
            say_ratio(ratio["wanted"]),
            "yes" if ratio["met"] else "NO",
        )
        for ratio in ratios
    )
    return table(("ours : other", "unit", "ratio", "run by run", "wanted", "met"), cells, words=2)


def tabulate_training_ratios(ratios: Rows) -> str:
    """A table of what training and matches cost here beside the other checkout, medians over the runs."""
    cells = ((ratio["what"], *list_ratio(ratio, say_ratio)) for ratio in ratios)
    return table(("ours : other", "ratio", "lowest", "highest", "wanted", "met"), cells)


def tabulate_parts(content: Content) -> str:
    """A table of what an evaluation of a search costs, part by part."""
    return table(("part of an evaluation", "microseconds"), list_parts(content))


def tabulate_playouts(content: Content) -> str:
    """A table of how fast greedy's games are."""
    return table(("greedy", "games/s"), list_playouts(content))


def tell_run(content: Content) -> str:
    """When a result was measured, and by which command."""
    return f"`{content['command']}`, {content['finished_utc']} UTC, {say_commit(content['software'])}."


# --- the command line -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReportOptions:
    """The options of the command line.

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
    write_whole(page, write_page(folder, page))


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; returns the exit code."""
    try:
        options = parse_options(ReportOptions, arguments, DESCRIPTION)
        write_report(options.folder, options.page)
    except (ValueError, OSError, ImportError) as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    print(f"written: {options.page}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
