"""A match result as JSON, as tables on the terminal, and as Markdown."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from steam_env.programs.intervals import LEVEL, MEAN_METHOD, RATE_METHOD, Estimate
from steam_env.programs.match import SHARD_DEALS, MatchResult
from steam_env.programs.provenance import describe_machine, describe_setting, describe_software
from steam_env.programs.summary import VP_SOURCES, MatchSummary, Spread, summarise

if TYPE_CHECKING:
    from rich.console import RenderableType

FORMAT = "steam_env match"
SCHEMA = 1  # of the JSON; changes with the meaning of an entry
TURN_NAMES = ("first", "second", "third", "fourth", "fifth")
ANYONE = "(any agent)"
NUMBER_LIST = re.compile(r"\[\n\s*([^\[\]{}]*?)\n\s*\]")  # a list without lists in it, over several lines


# --- JSON -------------------------------------------------------------------------------------------


def result_to_dict(result: MatchResult, finished: str) -> dict[str, Any]:
    """The content of a result file. All but ``run`` and ``software`` is the same each time the match is played.

    Args:
        result: the match.
        finished: date and time of its end (UTC).
    """
    config = result.config
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "command": config.command(),
        "agents": [{"label": label, "name": name} for label, name in zip(config.labels, config.names, strict=True)],
        "rules": config.rules.to_dict() | {"contracts_to_end": result.setting.contracts_to_end},
        **describe_setting(result.setting),
        "seed": config.seed,
        "deals": config.deals,
        "games": config.num_games,
        "deals_per_agent_seed": SHARD_DEALS,
        "intervals": {"level": LEVEL, "win_rate": RATE_METHOD, "victory_points": MEAN_METHOD},
        "results": asdict(summarise(result)),
        "by_deal": {
            "seeds": result.deal_seeds.tolist(),
            "shares": result.games.shares.mean(axis=1).tolist(),
        },
        "software": describe_software(),
        "run": {
            "finished_utc": finished,
            "seconds": result.duration,
            "games_per_second": config.num_games / result.duration,
            "batch_size": config.batch_size,
            "machine": describe_machine(),
        },
    }


def dump_json(content: dict[str, Any]) -> str:
    """JSON to be read by people too: lists of numbers on one line."""
    text = json.dumps(content, indent=2, allow_nan=False)
    return NUMBER_LIST.sub(lambda found: "[" + re.sub(r"\n\s*", " ", found[1]) + "]", text) + "\n"


# --- tables -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """A table of texts; the first column is words, the others are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def make_grids(summary: MatchSummary) -> tuple[Grid, ...]:
    """The tables of a match."""
    return _wins_grid(summary), _points_grid(summary), _seats_grid(summary), _turns_grid(summary)


def _wins_grid(summary: MatchSummary) -> Grid:
    return Grid(
        "Wins",
        ("agent", "wins", "win rate", "95 % interval", "1/n", "mean rank"),
        tuple(
            (
                agent.label,
                f"{agent.wins:.1f}",
                _percent(agent.win_rate.mean),
                _interval(agent.win_rate, 100, " %"),
                _percent(summary.chance),
                f"{agent.rank:.2f}",
            )
            for agent in summary.agents
        ),
    )


def _points_grid(summary: MatchSummary) -> Grid:
    return Grid(
        "Victory points (mean)",
        ("agent", "total", "95 % interval", *VP_SOURCES),
        tuple(
            (
                agent.label,
                f"{agent.victory_points.mean:.1f}",
                _interval(agent.victory_points),
                *(f"{agent.sources[source]:.1f}" for source in VP_SOURCES),
            )
            for agent in summary.agents
        ),
    )


def _seats_grid(summary: MatchSummary) -> Grid:
    rows = [(agent.label, agent.by_seat) for agent in summary.agents]
    columns = (f"player_{seat}" for seat in range(len(summary.agents)))
    return Grid("Win rate by seat", ("agent", *columns), _rate_rows([*rows, (ANYONE, summary.by_seat)]))


def _turns_grid(summary: MatchSummary) -> Grid:
    rows = [(agent.label, agent.by_turn) for agent in summary.agents]
    columns = TURN_NAMES[: len(summary.agents)]
    return Grid(
        "Win rate by place in the turn order", ("agent", *columns), _rate_rows([*rows, (ANYONE, summary.by_turn)])
    )


def _rate_rows(rows: list[tuple[str, tuple[float, ...]]]) -> tuple[tuple[str, ...], ...]:
    return tuple((label, *map(_percent, rates)) for label, rates in rows)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _interval(estimate: Estimate, scale: int = 1, unit: str = "") -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{scale * estimate.low:.1f} to {scale * estimate.high:.1f}{unit}"


def describe_match(result: MatchResult) -> str:
    """What was played, in a line."""
    config = result.config
    return (
        f"{config.labels[0]} against {', '.join(config.labels[1:])}: {config.num_seats} seats, "
        f"map {result.setting.map.name}, contracts {result.setting.deck.name}, {config.edition} edition, "
        f"seed {config.seed}; {config.deals} deals in {config.num_seats} rotations = {config.num_games} games"
    )


def describe_games(summary: MatchSummary) -> tuple[str, ...]:
    """How long the games were and how they ended, in lines."""
    ended, games = summary.ended_by_contracts, summary.games
    return (
        f"Rounds: {_describe_spread(summary.rounds)}",
        f"Decisions: {_describe_spread(summary.decisions)}",
        f"Ended by fulfilled contracts: {ended} ({_percent(ended / games)}); "
        f"by the round limit: {games - ended} ({_percent(1 - ended / games)})",
    )


def _describe_spread(spread: Spread) -> str:
    return (
        f"mean {spread.mean:.1f}, median {spread.median:g}, "
        f"quartiles {spread.lower_quartile:g} and {spread.upper_quartile:g}, {spread.least} to {spread.most}"
    )


# --- the terminal -----------------------------------------------------------------------------------


def draw_report(result: MatchResult) -> list[RenderableType]:
    """What the terminal shows of a match."""
    from rich.table import Table
    from rich.text import Text

    summary = summarise(result)
    parts: list[RenderableType] = [Text(describe_match(result))]
    for grid in make_grids(summary):
        table = Table(title=grid.title, title_justify="left", title_style="bold")
        for number, column in enumerate(grid.columns):
            table.add_column(column, justify="right" if number else "left")
        for row in grid.rows:
            table.add_row(*map(Text, row))
        parts.append(table)
    speed = f"{result.config.num_games / result.duration:.0f} games/s"
    lines = (*describe_games(summary), f"Played in {result.duration:.1f} s ({speed})")
    parts.append(Text("\n".join(lines)))
    return parts


# --- Markdown ---------------------------------------------------------------------------------------


def write_markdown(result: MatchResult) -> str:
    """The tables as Markdown, with the command that makes them; the same each time the match is played."""
    summary = summarise(result)
    blocks = [f"{describe_match(result)}.", f"```sh\n{result.config.command()}\n```"]
    blocks += [f"**{grid.title}**\n\n{_grid_to_markdown(grid)}" for grid in make_grids(summary)]
    blocks.append("\n".join(f"- {line}" for line in describe_games(summary)))
    return "\n\n".join(blocks) + "\n"


def _grid_to_markdown(grid: Grid) -> str:
    rules = ["---", *["---:"] * (len(grid.columns) - 1)]
    rows = (grid.columns, rules, *grid.rows)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
