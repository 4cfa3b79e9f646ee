"""The page and the plot of a ladder, from its result file alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

from steam_env.evaluation.report import Grid, grid_to_markdown, say_percent

PAGE_WIDTH = 118  # characters of a line of text
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
    """The matches of those who take part; the file may hold more, of who took part before."""
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
        figure.savefig(path, format="svg", metadata={"Date": None})


# --- tables -------------------------------------------------------------------------------------------


def tabulate_ratings(content: Content) -> Grid:
    """The ratings, from the best down."""
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
    """The win rate of each against each."""
    names = [row["name"] for row in content["ratings"]]
    rates: dict[tuple[str, str], float] = {}
    for match in list_matches(content):
        for name, other, agent in zip(match["names"], match["names"][::-1], match["results"]["agents"], strict=True):
            rates[name, other] = agent["win_rate"]["mean"]
    rows = tuple((name, *(say_percent(rates.get((name, other))) for other in names)) for name in names)
    return Grid("Win rates", ("", *names), rows)


def tabulate_seats(content: Content) -> Grid:
    """Win rates by seat and turn order, in games between agents."""
    rows = tuple(
        (row["name"], f"{found['games']:,}", *map(say_percent, (*found["by_seat"], *found["by_turn"])))
        for row in content["ratings"]
        if (found := row["between_agents"]) is not None
    )
    return Grid("By seat", ("agent", "games", "player_0", "player_1", "plays first", "plays second"), rows)


# --- the page -----------------------------------------------------------------------------------------


def write_page(content: Content, folder: str) -> str:
    """The page, as Markdown.

    Args:
        content: of the result file.
        folder: the name of the folder beside the page that holds the result file and the plot.
    """
    blocks = (*_write_ratings(content, folder), *_write_pairs(content), *_write_own(), *_write_origin(content, folder))
    return "\n\n".join(blocks) + "\n"


def _write_ratings(content: Content, folder: str) -> Iterator[str]:
    anchor, fixed = content["anchor"], content["fixed"]
    yield "# Leaderboard"
    yield _text(
        f"Written from [{folder}/ladder.json]({folder}/ladder.json) by the command below: do not edit. Everybody plays",
        f"everybody, two seats, map `{fixed['map']['name']}`, deck `{fixed['deck']['name']}`, {fixed['deals']:,} deals",
        "each, and always the same ones.",
    )
    yield _code([content["command"]])
    yield _table(tabulate_ratings(content))
    yield f"![Ratings with their intervals]({folder}/ratings.svg)"
    yield _text(
        f"`{anchor['name']}` is at {anchor['rating']:.0f}. 400 points more are odds of ten to one, 100 points",
        "a win rate of 64 %. The win rate beside is over all games of a participant; not all had the same opponents.",
    )
    yield _list(
        (
            f"Ratings: {content['methods']['ratings']}.",
            f"Intervals: {content['methods']['rating_intervals']}.",
            "≤ and ≥: lost, or won, every game. The rating is then a bound that the added games set, further out with "
            "more deals; resampled games are lost, or won, too, so that there is no interval.",
            "Automas of two levels never meet, and none plays without an agent: they are rated through common "
            "opponents. They hold the last seat and the agent has the first turn (rule 8.1); an Automa's rating is "
            "that of an Automa that plays second.",
        )
    )


def _write_pairs(content: Content) -> Iterator[str]:
    fit = content["fit"]
    largest = fit["largest"]
    yield "## Each against each"
    yield "The win rate of the row against the column; a shared win counts half."
    yield _table(tabulate_pairs(content))
    yield _text(
        "One number for each does not tell everything: the ratings miss a pair's win rate by",
        f"{100 * fit['mean_gap']:.1f} points on average, and most of all that of `{largest['names'][0]}` against",
        f"`{largest['names'][1]}`, which is {say_percent(largest['win_rate'])} where the ratings say",
        f"{say_percent(largest['expected'])}.",
    )
    seats = tabulate_seats(content)
    if seats.rows:
        yield "## By seat"
        yield "Win rates in the games between agents, on each seat and as first and second player of a game."
        yield _table(seats)


def _write_own() -> Iterator[str]:
    yield "## An agent of your own"
    yield _text(
        "One file and one line. The file holds a class with `encoding`, `reset` and `act`, as `steam_env.agents.Agent`",
        "describes it; [examples/hasty_agent.py](../examples/hasty_agent.py) is one. The line names it:",
    )
    yield _code(["python evaluate.py ladder --out docs/leaderboard --add examples/hasty_agent.py:HastyAgent"])
    yield _text(
        "Matches that `ladder.json` holds are not played again. To ship an agent, put its file into `agents/` and its",
        "class into `AGENTS` in `agents/__init__.py`: it then plays without being named. A trained policy plays by the",
        "path of its checkpoint: `--add runs/mine/policy.safetensors`. An agent that reads other files names them in",
        "an attribute `files`: if one of them changes, or its source, its matches are played anew.",
    )


def _write_origin(content: Content, folder: str) -> Iterator[str]:
    fixed, matches = content["fixed"], list_matches(content)
    commits = dict.fromkeys(_say_commit(match["software"]["git"]) for match in matches)
    days = sorted(match["run"]["finished_utc"][:10] for match in matches)
    software = content["software"]
    yield "## Where the numbers come from"
    yield _text(
        f"{sum(match['games'] for match in matches):,} games in {len(matches)} matches, played from {days[0]} to",
        f"{days[-1]} with seed {fixed['seed']}: steam_env {software['steam_env']}, Python {software['python']}, NumPy",
        f"{software['numpy']}, Numba {software['numba']}; {'; '.join(commits)}. `{folder}/ladder.json`",
        "holds the rules, every match with its victory points, actions and game lengths, and the machine. An agent's",
        "hash is that of its sources' syntax trees, without imports and docstrings, and of its checkpoint's weights",
        "and network.",
    )
    rows = [(f"{what} `{fixed[what]['name']}`", f"`{fixed[what]['sha256']}`") for what in ("map", "deck")]
    rows.append(("rules and Automa", f"`{fixed['game_sha256']}`"))
    agents = [entry for entry in content["participants"] if entry["sha256"] is not None]
    rows += [(f"agent `{entry['name']}`", f"`{entry['sha256']}`") for entry in agents]
    yield _table(Grid("", ("what", "SHA-256"), tuple(rows), words=2))


def _say_commit(git: Content | None) -> str:
    if git is None:
        return "no git checkout"
    return f"git commit `{git['commit']}`{', with changes not yet committed' if git['dirty'] else ''}"


def _text(*parts: str) -> str:
    return fill(" ".join(parts), PAGE_WIDTH, break_long_words=False, break_on_hyphens=False)


def _list(items: Iterable[str]) -> str:
    options: Any = {"subsequent_indent": "  ", "break_long_words": False, "break_on_hyphens": False}
    return "\n".join(fill(f"- {item}", PAGE_WIDTH, **options) for item in items)


def _table(grid: Grid) -> str:
    return grid_to_markdown(grid)


def _code(lines: Iterable[str]) -> str:
    return "\n".join(["```sh", *lines, "```"])
