"""The page and the plot of a ladder, from its result file alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from steam_env.evaluation.frozen import FROZEN
from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.ladder_results import list_matches
from steam_env.evaluation.protocol import FORMAT as PROTOCOL
from steam_env.evaluation.report import Grid, grid_to_markdown, say_interval, say_percent
from steam_env.kit.files import write_whole
from steam_env.kit.json_text import read_json
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import code, items, join, say_commit, table, tabulate_origin

PAGE = Path("docs") / "leaderboard.md"
STYLE: Any = {
    "svg.hashsalt": "steam_env",  # the same picture is the same file
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
WIDTH, HEIGHT, ROW = 7.0, 1.2, 0.34  # inches: of the plot, without rows, of a row
AGENT, AUTOMA = "#0072b2", "#d55e00"  # told apart by the colour-blind too, and by the marker

ORDINALS = ("first", "second", "third", "fourth", "fifth")
NOTHING = "-"
NOT_PLAYED = "No agent has been measured yet."

Content = dict[str, Any]


# --- the plot -----------------------------------------------------------------------------------------


def draw_ratings(content: Content, path: Path) -> None:
    """Draw the ratings with their intervals into an SVG file."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = content["ratings"][::-1]  # the best on top
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT + ROW * len(rows)), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        scripted = {entry["name"] for entry in content["participants"] if entry["sha256"] is None}
        for place, row in enumerate(rows):
            color, marker = (AUTOMA, "s") if row["name"] in scripted else (AGENT, "o")
            if not _find_bound(row):
                axes.plot([row["low"], row["high"]], [place, place], color=color, linewidth=2)
            axes.plot([row["rating"]], [place], color=color, marker=marker)
        axes.axvline(content["anchor"]["rating"], color="#999999", linestyle="--", linewidth=1)
        axes.set_yticks(range(len(rows)), [f"{row['name']} {_find_bound(row)}".rstrip() for row in rows])
        axes.set_xlabel(f"rating ({content['anchor']['name']} = {content['anchor']['rating']:.0f}), 95 % intervals")
        axes.grid(visible=False, axis="y")
        picture = BytesIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    write_whole(path, picture.getvalue())


# --- tables -------------------------------------------------------------------------------------------


def tabulate_ratings(content: Content) -> Grid:
    """A table of the ratings, from the best down."""
    rows = tuple(
        (
            str(place),
            row["name"],
            f"{_find_bound(row)}{row['rating']:.0f}",
            _say_rating_interval(row, content["anchor"]["name"]),
            f"{row['games']:,}",
            say_percent(row["win_rate"]),
        )
        for place, row in enumerate(content["ratings"], 1)
    )
    return Grid("Ratings", ("place", "participant", "rating", "95 % interval", "games", "win rate"), rows, words=2)


def _find_bound(row: Content) -> str:
    """What stands before the rating of one that lost, or won, all games."""
    return {0.0: "≤ ", float(row["games"]): "≥ "}.get(row["wins"], "")


def _say_rating_interval(row: Content, anchor: str) -> str:
    if row["name"] == anchor:
        return "anchor"
    return NOTHING if _find_bound(row) else f"{row['low']:.0f} to {row['high']:.0f}"


def tabulate_pairs(content: Content) -> Grid:
    """A table of the win rate of each against each; with more than two seats, of one alone among seats of the other."""
    names = [row["name"] for row in content["ratings"]]
    rates: dict[tuple[str, str], float] = {}
    for match in list_matches(content):
        for place, name in enumerate(match["names"]):
            if match["names"].count(name) == 1:
                other = match["names"][place - 1]
                rates[name, other] = match["results"]["agents"][place]["win_rate"]["mean"]
    rows = tuple((name, *(say_percent(rates.get((name, other))) for other in names)) for name in names)
    return Grid("Win rates", ("", *names), rows)


def tabulate_seats(content: Content) -> Grid:
    """A table of win rates by seat and turn order, in games between agents."""
    rows = tuple(
        (row["name"], f"{found['games']:,}", *map(say_percent, (*found["by_seat"], *found["by_turn"])))
        for row in content["ratings"]
        if (found := row["between_agents"]) is not None
    )
    seats = range(content["fixed"]["seats"])
    named = (*(f"player_{seat}" for seat in seats), *(f"plays {ORDINALS[seat]}" for seat in seats))
    return Grid("By seat", ("agent", "games", *named), rows)


# --- the page -----------------------------------------------------------------------------------------


def make_files() -> dict[Path, str]:
    """The texts of the shipped ladders' pages by their paths, from their result files."""
    folders = [PAGE.with_suffix(""), *sorted(path.parent for path in PAGE.with_suffix("").glob("*/ladder.json"))]
    read = {folder: read_json(folder / "ladder.json", "ladder") for folder in folders}
    pages = {folder: folder.with_suffix(".md") for folder in folders}
    return {pages[folder]: renew_file(pages[folder], make_blocks(read[folder], folder)) for folder in folders}


def make_blocks(content: Content, folder: Path) -> Makers:
    """The functions that write the blocks of the page.

    Args:
        content: of the result file.
        folder: beside the page, of the same name; it holds the result file and the plot, and results of protocols.
    """
    return {
        "command": lambda: code([content["command"]]),
        "ratings": lambda: join(
            grid_to_markdown(tabulate_ratings(content)), f"![Ratings with their intervals]({folder.name}/ratings.svg)"
        ),
        "methods": lambda: items(content["methods"][what] + "." for what in ("ratings", "rating_intervals")),
        "pairs": lambda: grid_to_markdown(tabulate_pairs(content)),
        "fit": lambda: tabulate_fit(content["fit"], content["fixed"]["seats"]),
        "seats": lambda: grid_to_markdown(tabulate_seats(content)),
        "origin": lambda: tell_origin(content),
        "any_map": lambda: tell_any_map(read_any_map(folder)),
    }


# --- what agents do on maps that they have not learnt from ---------------------------------------------


def read_any_map(folder: Path) -> list[Content]:
    """The results in a folder of protocols that tell gaps between sets of maps, the best on unseen maps first."""
    results = [read_json(path, "result") for path in sorted(folder.glob("*.json"))]
    told = [one for one in results if one.get("format") == PROTOCOL and one.get("gaps")]
    return sorted(told, key=lambda one: -float(one["gaps"][0]["rates"][1]["mean"]))


def tell_any_map(results: Sequence[Content]) -> str:
    """A table of win rates against the first opponents on the set that agents learn from and on others, and gaps."""
    if not results:
        return NOT_PLAYED
    first = results[0]["gaps"]
    shown = [one for one in first if one["against"] == first[0]["against"]]
    names = [name for one in shown for name in (one["second"], "gap")]
    rows = [(one["agent"], *_say_gaps(one, [gap["second"] for gap in shown])) for one in results]
    lines = [line for one in results for line in _tell_differing(one)]
    return join(table(("agent", first[0]["first"], *names), rows), *lines)


def _say_gaps(content: Content, sets: Sequence[str]) -> Iterator[str]:
    gaps = {gap["second"]: gap for gap in content["gaps"] if gap["against"] == content["gaps"][0]["against"]}
    yield _say_whole(gaps[sets[0]]["rates"][0], "", " %")
    for name in sets:
        yield _say_whole(gaps[name]["rates"][1], "", " %")
        yield _say_whole(gaps[name]["gap"], "+")


def _say_whole(rate: Content, sign: str, unit: str = "") -> str:
    """A mean with its interval in brackets."""
    return f"{100 * rate['mean']:{sign}.1f}{unit} ({say_interval(Estimate(**rate), 100, sign=sign)})"


def _tell_differing(content: Content) -> Iterator[str]:
    """What a result was played with that is not what the protocol is frozen to now."""
    frozen = FROZEN.get(content["protocol"], {})
    differing = [part for part, check in content["frozen"].items() if check["sha256"] != frozen.get(part)]
    if differing:
        yield f"{content['agent']}: not what `{content['protocol']}` is frozen to: {', '.join(differing)}."


def tabulate_fit(fit: Content, seats: int) -> str:
    """A table of how far the ratings are from what they were made from: who was how often ahead."""
    made_from = "win rates" if seats == 2 else "how often ahead"
    worst = fit["largest"]
    pair = " against ".join(f"`{name}`" for name in worst["names"])
    return table(
        (f"ratings and {made_from}", "played", "by the ratings", "apart"),
        (
            ("all pairs, on average", NOTHING, NOTHING, say_percent(fit["mean_gap"])),
            (
                f"{pair}, the farthest",
                say_percent(worst["win_rate"]),
                say_percent(worst["expected"]),
                say_percent(abs(worst["win_rate"] - worst["expected"])),
            ),
        ),
    )


def tell_origin(content: Content) -> str:
    """A table of what was played with which versions, and the hashes of what it depends on."""
    fixed, matches = content["fixed"], list_matches(content)
    days = sorted(match["run"]["finished_utc"][:10] for match in matches)
    rows = {
        "matches": f"{len(matches)}, {fixed['deals']:,} deals each, seed {fixed['seed']}",
        "games": f"{sum(match['games'] for match in matches):,}",
        "played": f"{days[0]} to {days[-1]}",
        "commits of the matches": ", ".join(dict.fromkeys(say_commit(match["software"]) for match in matches)),
    }
    named = {what: entry for what, entry in fixed.items() if isinstance(entry, dict) and "sha256" in entry}
    hashes = {f"{what} `{entry['name']}`": entry["sha256"] for what, entry in named.items()}
    hashes["rules and scripted opponents"] = fixed["game_sha256"]
    agents = (entry for entry in content["participants"] if entry["sha256"] is not None)
    hashes |= {f"agent `{entry['name']}`": entry["sha256"] for entry in agents}
    return tabulate_origin(rows, content["software"], hashes)
