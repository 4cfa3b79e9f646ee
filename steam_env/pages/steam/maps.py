"""The tables of ``docs/steam_maps.md``: the knobs of Steam's generated maps, the frozen sets, what was checked of them.

The results are written by ``python -m steam_env.evaluation.map_sets FAMILY --game steam``.
"""

from functools import partial
from pathlib import Path

from steam_env.data.generate import Range
from steam_env.data.steam.knobs import BOUNDS, MapSpec
from steam_env.data.steam.sets import LIKE_OURS, WORLDS
from steam_env.evaluation.kept import Content
from steam_env.evaluation.map_sets import RESULTS, list_faults, tabulate_nearest, tabulate_played
from steam_env.evaluation.report import Grid, grid_to_markdown
from steam_env.kit.command_line import read_entries
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import join, say_commit, table

PAGE = Path("docs") / "steam_maps.md"
FAMILY = "gen-steam-v1"
RESULT = Path("docs") / "map_sets" / f"{FAMILY}.json"


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    checks = partial(tell_checks, RESULTS.read(RESULT))
    return {PAGE: renew_file(PAGE, {"knobs": tabulate_knobs, "sets": tabulate_sets, "checks": checks})}


def tabulate_knobs() -> str:
    """A table of the knobs: what each means, what is allowed, what is usual, and what the sets have."""
    meanings, usual, sets = read_entries(MapSpec, "Attributes"), MapSpec().list_ranges(), LIKE_OURS.list_ranges()
    rows = [(f"`{name}`", meanings[name], *map(_say, (BOUNDS[name], usual[name], sets[name]))) for name in BOUNDS]
    return table(("knob", "what", "allowed", "usual", "sets"), rows, words=2)


def _say(numbers: Range) -> str:
    low, high = numbers
    return str(low) if low == high else f"{low} to {high}"


def tabulate_sets() -> str:
    """A table of the sets of the family."""
    rows = [(f"`{FAMILY}:{kind}`", one.meaning, f"{one.count:,}") for kind, one in WORLDS.families[FAMILY].items()]
    return table(("set", "what", "maps"), rows, words=2)


def tell_checks(content: Content) -> str:
    """What was found when all maps were made, compared and played."""
    grids = [tabulate_nearest(content), tabulate_played(content)]
    told = [f"**{grid.title}**\n\n{grid_to_markdown(Grid('', grid.columns, grid.rows))}" for grid in grids]
    faults = list_faults(content) or ["No two maps are equal, and every game came to its end."]
    return join(*faults, *told, f"Ended on {content['finished_utc'][:10]}, commit {say_commit(content['software'])}.")
