"""Results as JSON, as tables on the terminal, and as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from steam_env.evaluation.intervals import LEVEL, MEAN_METHOD, RATE_METHOD, Estimate
from steam_env.evaluation.match import MatchConfig, MatchResult
from steam_env.evaluation.match_table import SHARD_DEALS
from steam_env.evaluation.openings import OpeningSpread
from steam_env.evaluation.provenance import describe_machine, describe_rules, describe_setting, describe_software
from steam_env.evaluation.summary import AgentSummary, MatchSummary, Spread, summarise
from steam_env.kit import json_text
from steam_env.kit.show import say_count
from steam_env.spec import Facts

if TYPE_CHECKING:
    from rich.console import RenderableType

FORMAT = "steam_env match"
SCHEMA = 1  # of the JSON; changes with the meaning of an entry
MOST_FORFEITS = 100  # in a result file, each with what was done wrong
TURN_NAMES = ("first", "second", "third", "fourth", "fifth")
ANYONE = "(anyone)"
INTERVALS = {"level": LEVEL, "win_rate": RATE_METHOD, "victory_points": MEAN_METHOD}
NUMBER_LIST = re.compile(r"\[\n\s*([^\[\]{}]*?)\n\s*\]")  # a list without lists in it, over several lines


# --- JSON -------------------------------------------------------------------------------------------


def result_to_dict(result: MatchResult, finished: str) -> dict[str, Any]:
    """The content of a result file. All but ``run`` and ``software`` is the same each time the match is played.

    Args:
        result: the match.
        finished: date and time of its end (UTC).
    """
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        **describe_played(result),
        **describe_setting(result.setting),
        "deals_per_agent_seed": SHARD_DEALS,
        "intervals": INTERVALS,
        "results": asdict(summarise(result)),
        "by_deal": {
            "seeds": result.deal_seeds.tolist(),
            "shares": result.games.shares.mean(axis=1).tolist(),
        },
        "software": describe_software(),
        "run": describe_run([result], finished),
    }


def describe_played(result: MatchResult) -> dict[str, Any]:
    """Who played whom, by which rules, and the first games that were forfeited, if any: the summary counts all."""
    config = result.config
    return {
        "command": config.command(),
        "agents": [{"label": label, "name": name} for label, name in zip(config.labels, config.names, strict=True)],
        **config.spec.players.describe_scripted(config.rules),
        "rules": describe_rules(result.setting),
        "seed": config.seed,
        "deals": config.deals,
        "games": result.games.rounds.size,
        **({"forfeits": list(map(asdict, result.forfeits[:MOST_FORFEITS]))} if result.forfeits else {}),
    }


def describe_run(results: Sequence[MatchResult], finished: str) -> dict[str, Any]:
    """When, on which machine and how fast the matches were played."""
    seconds = sum(result.duration for result in results)
    return {
        "finished_utc": finished,
        "seconds": seconds,
        "games_per_second": sum(result.games.rounds.size for result in results) / seconds,
        "batch_size": results[0].config.batch_size,
        "machine": describe_machine(),
    }


def dump_json(content: dict[str, Any]) -> str:
    """JSON to be read by people too: lists of numbers on one line."""
    text = json_text.dump_json(content, indent=2)
    return NUMBER_LIST.sub(lambda found: "[" + re.sub(r"\n\s*", " ", found[1]) + "]", text) + "\n"


# --- tables -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """A table of texts; the first ``words`` columns are words, the others are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True)
class Report:
    """A result as it is shown on the terminal and in Markdown.

    Attributes:
        heading: what was played, in a line.
        command: the command line that plays it.
        grids: the tables.
        lines: what is told below the tables.
        speed: how long it took, for the terminal only: Markdown is the same each time.
    """

    heading: str
    command: str
    grids: tuple[Grid, ...]
    lines: tuple[str, ...]
    speed: str


def report_match(result: MatchResult) -> Report:
    """The report of a match."""
    summary = summarise(result)
    return Report(
        heading=describe_match(result),
        command=result.config.command(),
        grids=make_grids(summary, result.config.spec.facts),
        lines=(*describe_games(summary, result.config.spec.facts), *tell_forfeits([result])),
        speed=describe_speed([result]),
    )


def make_grids(summary: MatchSummary, facts: Facts) -> tuple[Grid, ...]:
    """The tables of a match."""
    return (
        _wins_grid(summary),
        _points_grid(summary, facts),
        _actions_grid(summary, facts),
        *tabulate_openings(facts, "agent", [(agent.label, agent) for agent in summary.agents]),
        _seats_grid(summary),
        _turns_grid(summary),
    )


def _wins_grid(summary: MatchSummary) -> Grid:
    return Grid(
        "Wins",
        ("agent", "wins", "win rate", "95 % interval", "1/n", "mean rank"),
        tuple(
            (
                agent.label,
                f"{agent.wins:.1f}",
                say_percent(agent.win_rate.mean),
                say_interval(agent.win_rate, 100, " %"),
                say_percent(summary.chance),
                f"{agent.rank:.2f}",
            )
            for agent in summary.agents
        ),
    )


def _points_grid(summary: MatchSummary, facts: Facts) -> Grid:
    sources = facts.score_parts[1:]
    return Grid(
        f"{facts.score_word.capitalize()} (mean)",
        ("agent", "total", "95 % interval", *sources, "margin", "95 % interval"),
        tuple(
            (
                agent.label,
                f"{agent.victory_points.mean:.1f}",
                say_interval(agent.victory_points),
                *(f"{agent.sources[source]:.1f}" for source in sources),
                f"{agent.margin.mean:+.1f}",
                say_interval(agent.margin, sign="+"),
            )
            for agent in summary.agents
        ),
    )


def _actions_grid(summary: MatchSummary, facts: Facts) -> Grid:
    kinds = facts.action_kinds
    return Grid(
        "Actions in a game (mean)",
        ("agent", *kinds),
        tuple(
            (agent.label, *(f"{agent.actions[kind]:.1f}" if agent.actions else "-" for kind in kinds))
            for agent in summary.agents
        ),
    )


def tabulate_openings(facts: Facts, what: str, rows: Sequence[tuple[str, AgentSummary]]) -> tuple[Grid, ...]:
    """A table of how agents opened their games, a named row for each; none in a game that does not tell."""
    if facts.openings is None:
        return ()
    columns = (what, "games", "different", "effective number", "most frequent", "share")
    return (
        Grid(
            f"Openings: {facts.openings.word}", columns, tuple((name, *_say_openings(of.openings)) for name, of in rows)
        ),
    )


def _say_openings(spread: OpeningSpread | None) -> tuple[str, ...]:
    if spread is None or not spread.games:
        return ("-",) * 5
    counts = (str(spread.games), str(spread.distinct), f"{spread.effective:.1f}")
    return *counts, spread.most, say_percent(spread.share)


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


def _rate_rows(rows: list[tuple[str, tuple[float | None, ...]]]) -> tuple[tuple[str, ...], ...]:
    return tuple((label, *map(say_percent, rates)) for label, rates in rows)


def say_percent(rate: float | None) -> str:
    """A share in percent, "-" if there is none."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def say_interval(estimate: Estimate, scale: int = 1, unit: str = "", sign: str = "") -> str:
    """An interval from low to high, "-" if there is none."""
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{scale * estimate.low:{sign}.1f} to {scale * estimate.high:{sign}.1f}{unit}"


def describe_match(result: MatchResult) -> str:
    """What was played, in a line."""
    config = result.config
    return (
        f"{config.labels[0]} against {', '.join(config.labels[1:])}: {config.num_seats} seats, "
        f"{config.spec.words.tell_rules(result.setting)}, "
        f"seed {config.seed}; {describe_count(config)}"
    )


def describe_count(config: MatchConfig) -> str:
    """How many games a match has, and from how many deals and rotations."""
    deals, games = say_count(config.deals, "deal"), say_count(config.num_games, "game")
    if config.num_players == 1:
        return f"{deals} with one player seat = {games}"
    where = f" of {config.num_players} player seats" if config.scripted else ""
    return f"{deals} in {config.num_players} rotations{where} = {games}"


def describe_speed(results: Sequence[MatchResult]) -> str:
    """How long playing took."""
    seconds = sum(result.duration for result in results)
    games = sum(result.games.rounds.size for result in results)
    return f"Played in {seconds:.1f} s ({games / seconds:.0f} games/s)"


def describe_games(summary: MatchSummary, facts: Facts) -> tuple[str, ...]:
    """How long the games were and how they ended, in lines."""
    ended, games = summary.ended_by_contracts, summary.games
    return (
        f"Rounds: {_describe_spread(summary.rounds)}",
        f"Decisions: {_describe_spread(summary.decisions)}",
        f"Ended by {facts.end_word}: {ended} ({say_percent(ended / games)}); "
        f"by the round limit: {games - ended} ({say_percent(1 - ended / games)})",
    )


def tell_forfeits(results: Sequence[MatchResult]) -> tuple[str, ...]:
    """Who has lost how many games by faults of its own, and by which first; no line where nobody has."""
    forfeits = [forfeit for result in results for forfeit in result.forfeits]
    first = {forfeit.agent: forfeit for forfeit in reversed(forfeits)}
    counts = Counter(forfeit.agent for forfeit in forfeits)
    return tuple(
        f"Forfeits of {agent}: {say_count(count, 'game')}, the first in {first[agent].tell()}"
        for agent, count in counts.items()
    )


def _describe_spread(spread: Spread) -> str:
    return (
        f"mean {spread.mean:.1f}, median {spread.median:g}, "
        f"quartiles {spread.lower_quartile:g} and {spread.upper_quartile:g}, {spread.least} to {spread.most}"
    )


# --- the terminal -----------------------------------------------------------------------------------


def draw_report(report: Report) -> list[RenderableType]:
    """The parts of a report that the terminal shows."""
    from rich.table import Table
    from rich.text import Text

    parts: list[RenderableType] = [Text(report.heading)]
    for grid in report.grids:
        table = Table(title=grid.title, title_justify="left", title_style="bold")
        for number, column in enumerate(grid.columns):
            table.add_column(column, justify="left" if number < grid.words else "right")
        for row in grid.rows:
            table.add_row(*map(Text, row))
        parts.append(table)
    parts.append(Text("\n".join((*report.lines, report.speed))))
    return parts


# --- Markdown ---------------------------------------------------------------------------------------


def write_markdown(report: Report) -> str:
    """The tables as Markdown, with the command that makes them; the same each time it is played."""
    blocks = [f"{report.heading}.", f"```sh\n{report.command}\n```"]
    blocks += [f"**{grid.title}**\n\n{grid_to_markdown(grid)}" for grid in report.grids]
    blocks.append("\n".join(f"- {line}" for line in report.lines))
    return "\n\n".join(blocks) + "\n"


def grid_to_markdown(grid: Grid) -> str:
    """A table as Markdown, without its title."""
    rules = ["---"] * grid.words + ["---:"] * (len(grid.columns) - grid.words)
    rows = (grid.columns, rules, *grid.rows)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
