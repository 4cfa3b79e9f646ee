"""The tables of ``docs/maps.md``: the knobs of generated maps, the frozen sets, and what was checked of them.

The results are written by ``python -m steam_env.evaluation.map_sets FAMILY``.
"""

from functools import partial
from pathlib import Path
from typing import Any

from steam_env.data.generate import Range
from steam_env.data.steam_power.knobs import BOUNDS, MapSpec
from steam_env.data.steam_power.sets import LIKE_OURS, UNLIKE_OURS, WORLDS
from steam_env.evaluation.map_sets import RESULTS, list_faults, tabulate_nearest, tabulate_played
from steam_env.evaluation.report import Grid, grid_to_markdown
from steam_env.kit.command_line import read_entries
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import join, say_commit, table
from steam_env.pages.steam_power.any_map import tell_learning, tell_replay

PAGE = Path("docs") / "maps.md"
FAMILY = "gen-v1"
RESULT = Path("docs") / "map_sets" / f"{FAMILY}.json"


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    checks = partial(tell_checks, RESULTS.read(RESULT))
    learnt = {"replay": tell_replay, "nomad": tell_learning}
    return {PAGE: renew_file(PAGE, {"knobs": tabulate_knobs, "sets": tabulate_sets, "checks": checks, **learnt})}


def tabulate_knobs() -> str:
    """A table of the knobs: what each means, what is allowed, what is usual, and what the sets have."""
    meanings, usual = read_entries(MapSpec, "Attributes"), MapSpec().list_ranges()
    like, unlike = LIKE_OURS.list_ranges(), UNLIKE_OURS.list_ranges()
    rows = [
        (f"`{name}`", meanings[name], *map(_say, (BOUNDS[name], usual[name], like[name], unlike[name])))
        for name in BOUNDS
    ]
    return table(("knob", "what", "allowed", "usual", "`train`, `test`", "`ood`"), rows, words=2)


def _say(numbers: Range) -> str:
    low, high = numbers
    return str(low) if low == high else f"{low} to {high}"


def tabulate_sets() -> str:
    """A table of the sets of the family."""
    rows = [(f"`{FAMILY}:{kind}`", one.meaning, f"{one.count:,}") for kind, one in WORLDS.families[FAMILY].items()]
    return table(("set", "what", "maps"), rows, words=2)


def tell_checks(content: dict[str, Any]) -> str:
    """What was found when all maps were made, compared and played."""
    grids = [tabulate_nearest(content), tabulate_played(content)]
    told = [f"**{grid.title}**\n\n{grid_to_markdown(Grid('', grid.columns, grid.rows))}" for grid in grids]
    faults = list_faults(content) or ["No two maps are equal, and every game ended by contracts."]
    return join(*faults, *told, f"Ended on {content['finished_utc'][:10]}, commit {say_commit(content['software'])}.")
