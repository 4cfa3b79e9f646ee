"""The tables of ``docs/steam_maps.md``: the knobs of Steam's generated maps, the frozen sets, what was checked of them.

The results are written by ``python -m steam_env.evaluation.map_sets FAMILY --game steam``.
"""

from functools import partial
from pathlib import Path

from steam_env.data.steam.knobs import BOUNDS, MapSpec
from steam_env.data.steam.sets import LIKE_OURS, WORLDS
from steam_env.evaluation.map_sets import RESULTS
from steam_env.pages.blocks import renew_file
from steam_env.pages.map_sets import tabulate_knobs, tabulate_sets, tell_checks

PAGE = Path("docs") / "steam_maps.md"
FAMILY = "gen-steam-v1"
RESULT = Path("docs") / "map_sets" / f"{FAMILY}.json"


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    ranges = {"allowed": BOUNDS, "usual": MapSpec().list_ranges(), "sets": LIKE_OURS.list_ranges()}
    blocks = {
        "knobs": partial(tabulate_knobs, MapSpec, ranges),
        "sets": partial(tabulate_sets, FAMILY, WORLDS.families[FAMILY]),
        "checks": partial(tell_checks, RESULTS.read(RESULT), "came to its end"),
    }
    return {PAGE: renew_file(PAGE, blocks)}
