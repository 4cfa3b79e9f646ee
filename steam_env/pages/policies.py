"""The parts of ``docs/policies.md`` on each shipped policy, from its JSON file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from steam_env.agents.grounds import ON
from steam_env.agents.policy_files import find_game_of
from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.report import say_percent
from steam_env.kit.json_text import read_json
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import INTERVAL, join, say_commit, say_margin, say_rate, table
from steam_env.spec import GameSpec
from steam_env.training.config import make_config
from steam_env.training.population import split_names
from steam_env.training.run import POLICY

FOLDER = Path("agents") / "policies"
PAGE, PICTURES = Path("docs") / "policies.md", Path("docs") / "policies"  # the page, its curves
EXPLOITERS = {"exploiter": "random weights", "exploiter-2": "its own weights"}  # by the ending of a match's file


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, {"policy": describe_policy})}


def read_shipped(name: str) -> dict[str, Any]:
    """The JSON file of a shipped policy: how it was trained and how well it plays."""
    content: dict[str, Any] = read_json(FOLDER / f"{name}.json", "policy's")
    return content


def describe_policy(name: str) -> str:
    """The part on one policy: its file, the runs that led to it, and its matches."""
    content = read_shipped(name)
    config = make_config(content["runs"][-1]["config"])
    places = dict.fromkeys(say_place(config.make_rules(lineup)) for lineup in config.lineups)
    file = {
        "bytes": f"{content['bytes']:,}",
        "SHA-256": f"`{content['sha256']}`",
        "trained on": ", ".join(places),
        "decisions, from random weights": f"{sum(run['decisions'] for run in content['runs']):,}",
        "seed of the matches": str(content["measured"]["seed"]),
        **tell_exploiters(name),
    }
    spec = find_game_of(name)
    matches = (
        (say_opponents(match["against"], spec), str(match["seats"]), f"{match['games']:,}", *say_estimates(match))
        for match in content["matches"]
    )
    return join(
        table((f"[{name}.json](../agents/policies/{name}.json)", "is"), file.items(), words=2),
        "\n".join(map(describe_run, content["runs"], list_commands(content))),
        f"![Learning curve](policies/{name}.svg)",
        table(("against", "seats", "games", "win rate", INTERVAL, "1/n", "VP margin", INTERVAL), matches),
    )


def tell_exploiters(name: str) -> dict[str, str]:
    """How often policies win that were trained against this one alone, by what they began with."""
    told = {}
    for ending, began in EXPLOITERS.items():
        path = PICTURES / f"{name}-{ending}.json"
        if path.exists():
            results = read_json(path, "result")["results"]
            rate, interval = say_rate(results["agents"][0]["win_rate"])
            told[f"an [exploiter](training.md#population) from {began} wins"] = (
                f"{rate} of {results['games']:,} games ({interval})"
            )
    return told


def list_commands(content: dict[str, Any]) -> list[str]:
    """The command of each run that led to a policy.

    One that began with the shipped policy, by its name, began with that of the run before, which was shipped then.
    """
    commands, before = [], None
    for run in content["runs"]:
        config = make_config(run["config"])
        if config.start == content["name"]:
            config = replace(config, start=f"runs/{before}/{POLICY}")
        commands.append(config.command())
        before = run["folder"]
    return commands


def describe_run(run: dict[str, Any], command: str) -> str:
    """One run as an item of a list: its command, decisions, duration and commit."""
    minutes = f"{run['seconds'] / 60:.0f} minutes"
    told = f"- `{command}`: {run['decisions']:,} decisions in {minutes}, commit {say_commit(run['software'])}"
    if "again" not in run:
        return told
    again = run["again"]
    return f"{told}; begun again from {say_commit(again)}, {again['iterations']} iterations came to the same"


def say_place(rules: Any) -> str:
    """What a game by these rules is played on: its map and, where there is one, its deck."""
    deck = getattr(rules, "contracts", None)
    return f"map `{rules.map}`" + (f" with deck `{deck}`" if deck else "")


def say_opponents(text: str, spec: GameSpec) -> str:
    """Who sits on the other seats, each with the habit after its name, and on which map if the table names one."""
    names, _, world = text.partition(ON)
    told = ", ".join(split_names(names, spec))
    return f"{told}, on `{world}`" if world else told


def say_estimates(match: dict[str, Any]) -> tuple[str, ...]:
    """Win rate, 1/n and margin, with intervals."""
    rate, margin = (vars(Estimate(*match[name])) for name in ("win_rate", "margin"))
    return *say_rate(rate), say_percent(match["chance"]), *say_margin(margin)
