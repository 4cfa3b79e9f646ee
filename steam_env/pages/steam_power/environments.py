"""The pages ``docs/environments/`` of Steam Power's environments, and the one of vector environments."""

from functools import partial
from pathlib import Path

from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.aec import GameAEC
from steam_env.envs.options import list_options
from steam_env.envs.single import LearnerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.games.steam_power import SPEC
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.environments import (
    FOLDER,
    describe_actions,
    describe_encodings,
    describe_options,
    describe_rules,
    describe_single_specs,
    describe_specs,
    list_own_pages,
)

LEARNER_ONLY = ("opponents", "seat")  # options without a meaning in solo

PARTS: Makers = {
    "specs": partial(describe_specs, SPEC),
    "single_specs": partial(describe_single_specs, SPEC, "SteamPower-v0"),
    "solo_specs": partial(describe_single_specs, SPEC, "SteamPowerSolo-v0"),
    "encodings": partial(describe_encodings, SPEC),
    "layout": ENCODINGS["flat"].describe,
    "grid_layout": ENCODINGS["grid"].describe,
    "graph_layout": ENCODINGS["graph"].describe,
    "advised_layout": SPEC.sight.encodings["advised"].describe,
    "charted_layout": SPEC.sight.encodings["charted"].describe,
    "actions": partial(describe_actions, SPEC),
    "options": partial(describe_options, GameAEC),
    "single_options": partial(describe_options, LearnerEnv),
    "solo_options": partial(describe_options, LearnerEnv, *LEARNER_ONLY),
    "vector_options": partial(describe_options, SteamVectorEnv, *list_options(LearnerEnv)),
    "rules": partial(describe_rules, SPEC),
}


def make_files() -> dict[Path, str]:
    """The texts of the pages by path."""
    return {page: renew_file(page, PARTS) for page in (*list_own_pages(SPEC), FOLDER / "vector.md")}
