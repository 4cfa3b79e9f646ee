"""The page of results of Steam (2009), ``docs/steam_results.md``, from the files of four commands.

python evaluate.py AGENT --game steam --protocol steam-v1 --json docs/leaderboard/steam/AGENT.json
python -m steam_env.pages.balance --game steam --keep docs/balance/steam.jsonl
python -m steam_env.evaluation.holes greedy --game steam --seats 3 --own-only --out docs/holes/steam
python -m steam_env.pages steam_results
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from steam_env.core.steam.state import MAX_TURNS
from steam_env.evaluation.agent_names import find_deviations
from steam_env.evaluation.frozen import FROZEN
from steam_env.evaluation.holes import RESULTS
from steam_env.evaluation.protocol import describe_parts
from steam_env.evaluation.report import say_percent
from steam_env.evaluation.steam.protocols import STEAM_V1
from steam_env.kit.json_text import read_json
from steam_env.pages.balance import Part, read_parts, tabulate
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import INTERVAL, code, join, say_margin, say_rate, table
from steam_env.pages.robustness import NOTHING, tabulate_meanings, tell_details
from steam_env.pages.steam.balance import DEMANDS

PAGE = Path("docs/steam_results.md")
PLAYED = Path("docs/leaderboard/steam")
BALANCE = Path("docs/balance/steam.jsonl")
HOLES = Path("docs/holes/steam")

Content = dict[str, Any]


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    plays = [read_json(path, "result") for path in sorted(PLAYED.glob("*.json"))]
    holes = RESULTS.read_all(HOLES)
    return {PAGE: renew_file(PAGE, make_blocks(plays, read_parts(BALANCE), holes))}


def make_blocks(plays: Sequence[Content], parts: Sequence[Part], holes: Sequence[Content]) -> Makers:
    """The functions that write the blocks of the page, from the contents of result files."""
    return {
        "leaderboard": partial(rank_agents, plays),
        "matches": partial(tabulate_matches, plays),
        "frozen": tabulate_frozen,
        "demands": partial(tabulate_demands, parts),
        "turns": partial(tabulate_turns, parts),
        "habits": lambda: tabulate_meanings(find_deviations(STEAM_V1.game)),
        "holes": lambda: join(*map(tell_details, holes)) if holes else NOTHING,
    }


# --- the protocol -----------------------------------------------------------------------------------


def rank_agents(plays: Sequence[Content]) -> str:
    """A table of the agents, the best first: by their wins in all matches, in those of an equal player."""
    if not plays:
        return NOTHING
    rows = []
    for play in sorted(plays, key=_rate_agent, reverse=True):
        agents = [match["results"]["agents"][0] for match in play["matches"]]
        rows.append(
            (
                play["agent"],
                f"{_rate_agent(play):.2f}",
                *(f"{_rate_agent(play, opponent):.2f}" for opponent in _list_opponents(plays)),
                f"{sum(agent['margin']['mean'] for agent in agents) / len(agents):+.1f}",
                "yes" if play["is_frozen"] else "**no**",
            )
        )
    against = (f"against {opponent}" for opponent in _list_opponents(plays))
    return table(("agent", "wins by fair share", *against, "margin", "as frozen"), rows)


def _list_opponents(plays: Sequence[Content]) -> list[str]:
    return list(dict.fromkeys(_name_opponent(match) for play in plays for match in play["matches"]))


def _name_opponent(match: Content) -> str:
    return str(match["results"]["agents"][1]["name"])


def _rate_agent(play: Content, opponent: str = "") -> float:
    """Wins of an agent by those of an equal player: the mean of its matches, or of those against an opponent."""
    rates = [
        match["results"]["agents"][0]["win_rate"]["mean"] / match["results"]["chance"]
        for match in play["matches"]
        if not opponent or _name_opponent(match) == opponent
    ]
    return float(sum(rates) / len(rates))


def tabulate_matches(plays: Sequence[Content], agent: str) -> str:
    """A table of the matches of an agent."""
    play = next((play for play in plays if play["agent"] == agent), None)
    if play is None:
        return NOTHING
    rows = []
    for match in play["matches"]:
        results = match["results"]
        found = results["agents"][0]
        cells = (*say_rate(found["win_rate"]), *say_margin(found["margin"]))
        rows.append((match["opponent"], f"{results['games']:,}", say_percent(results["chance"]), *cells))
    grid = table(("match", "games", "1/n", "win rate", INTERVAL, "margin", INTERVAL), rows)
    return join(code([f"{play['command']} --json {PLAYED}/{agent}.json"]), grid)


def tabulate_frozen() -> str:
    """A table of what the protocol is frozen to."""
    meanings, hashes = describe_parts(STEAM_V1), FROZEN[STEAM_V1.name]
    return table(
        ("what", "SHA-256"), ((f"{part}: {meanings[part]}", f"`{found}`") for part, found in hashes.items()), 2
    )


# --- maps -------------------------------------------------------------------------------------------


def tabulate_demands(parts: Sequence[Part], world: str) -> str:
    """The table of what is demanded of a map and what is found."""
    found = [part for part in parts if part["world"] == world]
    if not found:
        return NOTHING
    grid = tabulate(found, DEMANDS)
    return table(grid.columns, grid.rows, words=grid.words)


def tabulate_turns(parts: Sequence[Part], world: str) -> str:
    """A table of mean income and victory points of a seat at the end of each turn."""
    rows = [
        (part["agent"], str(part["seats"]), what, *(_say_turn(part, what, turn) for turn in range(1, MAX_TURNS + 1)))
        for part in parts
        if part["world"] == world
        for what in ("income", "vp")
    ]
    return (
        NOTHING
        if not rows
        else table(("agent", "seats", "after turn", *map(str, range(1, MAX_TURNS + 1))), rows, words=3)
    )


def _say_turn(part: Part, what: str, turn: int) -> str:
    value = part["played"].get(f"{what} {turn}")
    return "" if value is None else f"{value:.1f}"
