"""The page and the plot of a ladder, from its result file alone."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from steam_env.evaluation.report import Grid, grid_to_markdown, say_percent
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

NOTHING = "-"

Content = dict[str, Any]


def list_matches(content: Content) -> list[Content]:
    """The matches of the participants; the file may hold more, of earlier participants."""
    names = {entry["name"] for entry in content["participants"]}
    return [match for match in content["matches"] if names.issuperset(match["names"])]


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
    """A table of the win rate of each against each."""
    names = [row["name"] for row in content["ratings"]]
    rates: dict[tuple[str, str], float] = {}
    for match in list_matches(content):
        for name, other, agent in zip(match["names"], match["names"][::-1], match["results"]["agents"], strict=True):
            rates[name, other] = agent["win_rate"]["mean"]
    rows = tuple((name, *(say_percent(rates.get((name, other))) for other in names)) for name in names)
    return Grid("Win rates", ("", *names), rows)


def tabulate_seats(content: Content) -> Grid:
    """A table of win rates by seat and turn order, in games between agents."""
    rows = tuple(
        (row["name"], f"{found['games']:,}", *map(say_percent, (*found["by_seat"], *found["by_turn"])))
        for row in content["ratings"]
        if (found := row["between_agents"]) is not None
    )
    return Grid("By seat", ("agent", "games", "player_0", "player_1", "plays first", "plays second"), rows)


# --- the page -----------------------------------------------------------------------------------------


def make_files() -> dict[Path, str]:
    """The text of the shipped ladder's page by its path, from its result file."""
    content = read_json(PAGE.with_suffix("") / "ladder.json", "ladder")
    return {PAGE: renew_file(PAGE, make_blocks(content, PAGE.stem))}


def make_blocks(content: Content, folder: str) -> Makers:
    """The functions that write the blocks of the page.

    Args:
        content: of the result file.
        folder: the name of the folder beside the page that holds the result file and the plot.
    """
    return {
        "command": lambda: code([content["command"]]),
        "ratings": lambda: join(
            grid_to_markdown(tabulate_ratings(content)), f"![Ratings with their intervals]({folder}/ratings.svg)"
        ),
        "methods": lambda: items(content["methods"][what] + "." for what in ("ratings", "rating_intervals")),
        "pairs": lambda: grid_to_markdown(tabulate_pairs(content)),
        "fit": lambda: tabulate_fit(content["fit"]),
        "seats": lambda: grid_to_markdown(tabulate_seats(content)),
        "origin": lambda: tell_origin(content),
    }


def tabulate_fit(fit: Content) -> str:
    """A table of how far the ratings are from the win rates that they were made from."""
    worst = fit["largest"]
    pair = " against ".join(f"`{name}`" for name in worst["names"])
    return table(
        ("ratings and win rates", "played", "by the ratings", "apart"),
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
