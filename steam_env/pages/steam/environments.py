"""The pages ``docs/environments/`` of Steam's environments."""

from functools import partial
from pathlib import Path

from steam_env.agents.thrifty import ThriftyAgent
from steam_env.encoding.steam import ENCODINGS
from steam_env.envs.aec import GameAEC
from steam_env.envs.single import LearnerEnv
from steam_env.games.steam import SPEC
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.environments import (
    describe_actions,
    describe_encodings,
    describe_options,
    describe_rules,
    describe_single_specs,
    describe_specs,
    list_own_pages,
)

PARTS: Makers = {
    "specs": partial(describe_specs, SPEC),
    "single_specs": partial(describe_single_specs, SPEC, "Steam-v0", opponents=ThriftyAgent),
    "encodings": partial(describe_encodings, SPEC),
    "layout": ENCODINGS["flat"].describe,
    "grid_layout": ENCODINGS["grid"].describe,
    "graph_layout": ENCODINGS["graph"].describe,
    "advised_layout": SPEC.sight.encodings["advised"].describe,
    "actions": partial(describe_actions, SPEC),
    "options": partial(describe_options, GameAEC),
    "single_options": partial(describe_options, LearnerEnv),
    "rules": partial(describe_rules, SPEC),
}


def make_files() -> dict[Path, str]:
    """The texts of the pages by path."""
    return {page: renew_file(page, PARTS) for page in list_own_pages(SPEC)}
