"""The tables of ``docs/maps.md``: the knobs of generated maps, the frozen sets, and what was checked of them.

The results are written by ``python -m steam_env.evaluation.map_sets FAMILY``.
"""

from functools import partial
from pathlib import Path

from steam_env.data.steam_power.knobs import BOUNDS, MapSpec
from steam_env.data.steam_power.sets import LIKE_OURS, UNLIKE_OURS, WORLDS
from steam_env.evaluation.map_sets import RESULTS
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.map_sets import tabulate_knobs, tabulate_sets, tell_checks
from steam_env.pages.steam_power.any_map import tell_learning, tell_replay

PAGE = Path("docs") / "maps.md"
FAMILY = "gen-v1"
RESULT = Path("docs") / "map_sets" / f"{FAMILY}.json"


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    ranges = {
        "allowed": BOUNDS,
        "usual": MapSpec().list_ranges(),
        "`train`, `test`": LIKE_OURS.list_ranges(),
        "`ood`": UNLIKE_OURS.list_ranges(),
    }
    blocks: Makers = {
        "knobs": partial(tabulate_knobs, MapSpec, ranges),
        "sets": partial(tabulate_sets, FAMILY, WORLDS.families[FAMILY]),
        "checks": partial(tell_checks, RESULTS.read(RESULT), "ended by contracts"),
        "replay": tell_replay,
        "nomad": tell_learning,
    }
    return {PAGE: renew_file(PAGE, blocks)}
