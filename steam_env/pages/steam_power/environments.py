"""The tables of ``docs/environments/``: spaces, actions, options and rules, from code."""

import math
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium

from steam_env.core.steam_power.actions import BLOCKS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.data.steam_power.rules import Rules
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.aec import GameAEC
from steam_env.envs.options import GameOptions, list_options
from steam_env.envs.single import LearnerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.kit.command_line import read_entries
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import table
from steam_env.spec import Block, find_spec

FOLDER = Path("docs") / "environments"
VP_SCALE = find_spec().facts.reward_scale
LEARNER_ONLY = ("opponents", "seat")  # options without a meaning in solo


def describe_specs() -> str:
    """A table of the PettingZoo environment's facts, such as its spaces, with default options."""
    env = GameAEC()
    first = env.possible_agents[0]
    space: Any = env.observation_space(first)
    seen, mask = space["observation"], space["action_mask"]
    rows = [
        ("name", f"`{env.metadata['name']}`"),
        ("agents", f"`{first}`, ... one for each player seat"),
        ("actions", f"`{env.action_space(first)}`"),
        ("observation", f"`{seen.shape}` {seen.dtype}, {seen.low.min():g} to {seen.high.max():g}"),
        ("action mask", f"`{mask.shape}` {mask.dtype}, 0 or 1"),
        ("state of a game for two players", f"`{env.state_space.shape}` {env.state_space.dtype}"),
        ("reward timing", env.metadata["reward_timing"]),
        ("reward scale", f'`"margin"` and `"score"`: {VP_SCALE:g} victory points are 1'),
        ("parallelizable", "yes" if env.metadata["is_parallelizable"] else "no: the seats move one after the other"),
        ("render modes", ", ".join(f'`"{mode}"`' for mode in env.metadata["render_modes"])),
    ]
    return table(("what", "value"), rows, words=2)


def describe_encodings() -> str:
    """A table of the encodings and their spaces."""
    rows = []
    for name, encoding in ENCODINGS.items():
        specs = encoding.spec if isinstance(encoding.spec, dict) else {"": encoding.spec}
        arrays = ", ".join(f"{part} `{spec.shape}` {spec.dtype}".strip() for part, spec in specs.items())
        size = sum(math.prod(spec.shape) * spec.dtype.itemsize for spec in specs.values())
        rows.append(
            (f"`{name}`", "`Dict`" if isinstance(encoding.spec, dict) else "`Box`", arrays, f"{size / 1024:.0f}")
        )
    return table(("encoding", "space", "arrays", "KiB"), rows, words=3)


def describe_actions() -> str:
    """A table of the action space: the blocks of ids."""
    rows = [(_name_ids(block), f"{block.length}", f"`{block.name}`", block.meaning) for block in BLOCKS]
    return table(("ids", "size", "text begins with", "meaning"), rows, words=4)


def _name_ids(block: Block) -> str:
    last = block.start + block.length - 1
    return f"{block.start}" if last == block.start else f"{block.start} to {last}"


def describe_single_specs(name: str) -> str:
    """A table of a Gymnasium environment's facts, such as its spaces, with default options."""
    env: Any = gymnasium.make(name).unwrapped
    seen, rules = env.observation_space, env.rules
    rows = [
        ("seats", f"{rules.seats}"),
        ("others", f"`automas={rules.automas}`" if rules.automas else "none"),
        ("actions", f"`{env.action_space}`"),
        ("observation", f"`{seen.shape}` {seen.dtype}, {seen.low.min():g} to {seen.high.max():g}"),
        ("reward", f'`"{env.reward}"`'),
        ("reward timing", env.metadata["reward_timing"]),
        ("reward scale", f'`"margin"` and `"score"`: {VP_SCALE:g} victory points are 1'),
        ('parts of `info["scores"]`', ", ".join(f"`{part}`" for part in SCORE_PARTS)),
        ("render modes", ", ".join(f'`"{mode}"`' for mode in env.metadata["render_modes"])),
    ]
    return table(("what", "value"), rows, words=2)


def describe_options(environment: type, *left_out: str) -> str:
    """A table of an environment's options; each page is of one game."""
    meanings = read_entries(environment, "Args") | read_entries(GameOptions, "Attributes")
    options = list_options(environment).items()
    shown = {name: default for name, default in options if name not in ("game", *left_out)}
    return _draw_defaults("option", shown, meanings)


def describe_rules() -> str:
    """A table of the fields of ``Rules``."""
    meanings = read_entries(Rules, "Attributes")
    defaults = {field.name: field.default for field in fields(Rules)}
    return _draw_defaults("rule", defaults, meanings)


def _draw_defaults(what: str, defaults: Mapping[str, object], meanings: Mapping[str, str]) -> str:
    rows = ((f"`{name}`", f"`{_quote(default)}`", meanings[name]) for name, default in defaults.items())
    return table((what, "default", "meaning"), rows, words=3)


def _quote(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


PARTS: Makers = {
    "specs": describe_specs,
    "single_specs": partial(describe_single_specs, "SteamPower-v0"),
    "solo_specs": partial(describe_single_specs, "SteamPowerSolo-v0"),
    "encodings": describe_encodings,
    "layout": ENCODINGS["flat"].describe,
    "grid_layout": ENCODINGS["grid"].describe,
    "graph_layout": ENCODINGS["graph"].describe,
    "actions": describe_actions,
    "options": partial(describe_options, GameAEC),
    "single_options": partial(describe_options, LearnerEnv),
    "solo_options": partial(describe_options, LearnerEnv, *LEARNER_ONLY),
    "vector_options": partial(describe_options, SteamVectorEnv, *list_options(LearnerEnv)),
    "rules": describe_rules,
}


def make_files() -> dict[Path, str]:
    """The texts of the pages by path."""
    return {page: renew_file(page, PARTS) for page in sorted(FOLDER.glob("*.md"))}
