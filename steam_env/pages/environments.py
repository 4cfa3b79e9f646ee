"""The tables of ``docs/environments/`` that every game has: spaces, encodings, actions, options, rules, from code."""

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import gymnasium

from steam_env.envs.aec import GameAEC
from steam_env.envs.options import GameOptions, list_options
from steam_env.kit.command_line import read_entries
from steam_env.pages.markdown import table
from steam_env.spec import Block, GameSpec
from steam_env.table.engine import load_setting

FOLDER = Path("docs") / "environments"


def list_own_pages(spec: GameSpec) -> list[Path]:
    """The pages of a game's environments: one for PettingZoo's, one for each id of Gymnasium."""
    return sorted(FOLDER / f"{name}.md" for name in (f"{spec.game}_v{spec.version}", *spec.environments))


def describe_specs(spec: GameSpec) -> str:
    """A table of the PettingZoo environment's facts, such as its spaces, with default options."""
    env = GameAEC(game=spec.game)
    first = env.possible_agents[0]
    space: Any = env.observation_space(first)
    seen, mask = space["observation"], space["action_mask"]
    seats = ("two", "three", "four", "five")[spec.facts.seat_counts[0] - 2]
    rows = [
        ("name", f"`{env.metadata['name']}`"),
        ("agents", f"`{first}`, ... one for each player seat"),
        ("actions", f"`{env.action_space(first)}`"),
        ("observation", f"`{seen.shape}` {seen.dtype}, {seen.low.min():g} to {seen.high.max():g}"),
        ("action mask", f"`{mask.shape}` {mask.dtype}, 0 or 1"),
        (f"state of a game for {seats} players", f"`{env.state_space.shape}` {env.state_space.dtype}"),
        ("reward timing", env.metadata["reward_timing"]),
        ("reward scale", _tell_scale(spec)),
        ("parallelizable", "yes" if env.metadata["is_parallelizable"] else "no: the seats move one after the other"),
        ("render modes", ", ".join(f'`"{mode}"`' for mode in env.metadata["render_modes"])),
    ]
    return table(("what", "value"), rows, words=2)


def describe_single_specs(spec: GameSpec, name: str, **options: Any) -> str:
    """A table of a Gymnasium environment's facts, such as its spaces, with default options but for those given."""
    env: Any = gymnasium.make(name, **options).unwrapped
    seen, setting = env.observation_space, load_setting(env.rules)
    scripted = spec.players.describe_scripted(env.rules)
    others = (f"`{word}={entry['count']}`" for word, entry in scripted.items() if entry["count"])
    rows = [
        ("seats", f"{setting.num_seats}"),
        ("others", ", ".join(others) or "none"),
        ("actions", f"`{env.action_space}`"),
        ("observation", f"`{seen.shape}` {seen.dtype}, {seen.low.min():g} to {seen.high.max():g}"),
        ("reward", f'`"{env.reward}"`'),
        ("reward timing", env.metadata["reward_timing"]),
        ("reward scale", _tell_scale(spec)),
        ('parts of `info["scores"]`', ", ".join(f"`{part}`" for part in spec.facts.score_parts)),
        ("render modes", ", ".join(f'`"{mode}"`' for mode in env.metadata["render_modes"])),
    ]
    return table(("what", "value"), rows, words=2)


def _tell_scale(spec: GameSpec) -> str:
    return f'`"margin"` and `"score"`: {spec.facts.reward_scale:g} {spec.facts.score_word} are 1'


def describe_encodings(spec: GameSpec) -> str:
    """A table of the encodings and their spaces."""
    rows = []
    for name, encoding in spec.sight.encodings.items():
        specs = encoding.spec if isinstance(encoding.spec, dict) else {"": encoding.spec}
        arrays = ", ".join(f"{part} `{spec.shape}` {spec.dtype}".strip() for part, spec in specs.items())
        size = sum(math.prod(spec.shape) * spec.dtype.itemsize for spec in specs.values())
        rows.append(
            (f"`{name}`", "`Dict`" if isinstance(encoding.spec, dict) else "`Box`", arrays, f"{size / 1024:.0f}")
        )
    return table(("encoding", "space", "arrays", "KiB"), rows, words=3)


def describe_actions(spec: GameSpec) -> str:
    """A table of the action space: the blocks of ids."""
    rows = [(_name_ids(block), f"{block.length}", f"`{block.name}`", block.meaning) for block in spec.facts.blocks]
    return table(("ids", "size", "text begins with", "meaning"), rows, words=4)


def _name_ids(block: Block) -> str:
    last = block.start + block.length - 1
    return f"{block.start}" if last == block.start else f"{block.start} to {last}"


def describe_options(environment: type, *left_out: str) -> str:
    """A table of an environment's options; each page is of one game."""
    meanings = read_entries(environment, "Args") | read_entries(GameOptions, "Attributes")
    options = list_options(environment).items()
    shown = {name: default for name, default in options if name not in ("game", *left_out)}
    return _draw_defaults("option", shown, meanings)


def describe_rules(spec: GameSpec) -> str:
    """A table of the fields of the game's ``Rules``."""
    rules = spec.facts.rules
    meanings = read_entries(rules, "Attributes")
    return _draw_defaults("rule", {field.name: field.default for field in fields(rules)}, meanings)


def _draw_defaults(what: str, defaults: Mapping[str, object], meanings: Mapping[str, str]) -> str:
    rows = ((f"`{name}`", f"`{_quote(default)}`", meanings[name]) for name, default in defaults.items())
    return table((what, "default", "meaning"), rows, words=3)


def _quote(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
