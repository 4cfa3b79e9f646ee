"""Tables of the environments for their page: ``python -m steam_env.envs.describe`` prints them."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import gymnasium

from steam_env.core.actions import BLOCKS, Block
from steam_env.core.scoring import SCORE_PARTS
from steam_env.envs import ENTRY_POINTS
from steam_env.envs.aec import SteamPowerAEC
from steam_env.envs.options import list_options
from steam_env.envs.single import SteamPowerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.rewards import VP_SCALE
from steam_env.rules import Rules

ENTRY = re.compile(r" {4}(\w+): (.*)")


def describe_specs() -> str:
    """A Markdown table of what the PettingZoo environment is, as it stands without options."""
    env = SteamPowerAEC()
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
    return "\n".join(_draw_table(("what", "value"), rows))


def describe_actions() -> str:
    """A Markdown table of the action space: the blocks of ids."""
    rows = [(_name_ids(block), f"{block.length}", f"`{block.name}`", block.meaning) for block in BLOCKS]
    return "\n".join(_draw_table(("ids", "size", "text begins with", "meaning"), rows))


def _name_ids(block: Block) -> str:
    last = block.start + block.length - 1
    return f"{block.start}" if last == block.start else f"{block.start} to {last}"


def describe_options() -> str:
    """A Markdown table of the PettingZoo environment's options."""
    return _draw_options(SteamPowerAEC, list_options(SteamPowerAEC))


def describe_single_specs() -> str:
    """A Markdown table of what the Gymnasium environments are, as they stand without options: a column for each."""
    return "\n".join(_draw_table(("what", *(f"`{name}`" for name in ENTRY_POINTS)), _list_single_specs()))


def _list_single_specs() -> list[tuple[str, ...]]:
    columns = []
    for name in ENTRY_POINTS:
        env: Any = gymnasium.make(name).unwrapped
        seen, rules = env.observation_space, env.rules
        others = f"`automas={rules.automas}`" if rules.automas else "none"
        columns.append(
            {
                "seats": f"{rules.seats}",
                "others": others,
                "actions": f"`{env.action_space}`",
                "observation": f"`{seen.shape}` {seen.dtype}, {seen.low.min():g} to {seen.high.max():g}",
                "reward": f'`"{env.reward}"`',
                "reward timing": env.metadata["reward_timing"],
                'parts of `info["scores"]`': ", ".join(f"`{part}`" for part in SCORE_PARTS),
                "render modes": ", ".join(f'`"{mode}"`' for mode in env.metadata["render_modes"]),
            }
        )
    return [(what, *(column[what] for column in columns)) for what in columns[0]]


def describe_single_options() -> str:
    """A Markdown table of the options that the Gymnasium environments alone have."""
    known = list_options(SteamPowerAEC)
    own = {name: default for name, default in list_options(SteamPowerEnv).items() if name not in known}
    return _draw_options(SteamPowerEnv, own)


def describe_vector_options() -> str:
    """A Markdown table of the options that the vector environments alone have."""
    known = list_options(SteamPowerEnv)
    own = {name: default for name, default in list_options(SteamVectorEnv).items() if name not in known}
    return _draw_options(SteamVectorEnv, own)


def _draw_options(environment: type, defaults: Mapping[str, object]) -> str:
    return "\n".join(_draw_defaults(("option", "default", "meaning"), defaults, read_entries(environment, "Args")))


def describe_rules() -> str:
    """A Markdown table of the fields of ``Rules``."""
    meanings = read_entries(Rules, "Attributes")
    defaults = {field.name: field.default for field in fields(Rules)}
    return "\n".join(_draw_defaults(("rule", "default", "meaning"), defaults, meanings))


def read_entries(described: type, heading: str) -> dict[str, str]:
    """The entries under a heading of a class's docstring, by name, each as one line.

    Raises:
        ValueError: if the docstring has no such heading.
    """
    text = inspect.getdoc(described) or ""
    _, found, rest = text.partition(f"{heading}:\n")
    if not found:
        raise ValueError(f"the docstring of {described.__name__} has no heading {heading!r}")
    entries: dict[str, str] = {}
    for line in rest.partition("\n\n")[0].splitlines():
        entry = ENTRY.fullmatch(line)
        if entry:
            entries[entry[1]] = entry[2]
        else:
            entries[list(entries)[-1]] += f" {line.strip()}"
    return {name: meaning.replace("``", "`") for name, meaning in entries.items()}


def _draw_defaults(head: tuple[str, ...], defaults: Mapping[str, object], meanings: Mapping[str, str]) -> Iterator[str]:
    rows = [
        (f"`{name}`", f"`{_quote(default)}`", meanings[name].replace("|", r"\|")) for name, default in defaults.items()
    ]
    return _draw_table(head, rows)


def _quote(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _draw_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"


def list_tables() -> Iterator[str]:
    """Every table, in the order of the page."""
    yield from (describe_specs(), describe_actions(), describe_options())
    yield from (describe_single_specs(), describe_single_options(), describe_vector_options(), describe_rules())


if __name__ == "__main__":
    print(*list_tables(), sep="\n\n")
