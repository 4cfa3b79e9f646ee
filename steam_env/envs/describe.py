"""Tables of the PettingZoo environment for its page: ``python -m steam_env.envs.describe`` prints them."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from steam_env.core.actions import BLOCKS, Block
from steam_env.envs.aec import SteamPowerAEC
from steam_env.rewards import VP_SCALE
from steam_env.rules import Rules

ENTRY = re.compile(r" {4}(\w+): (.*)")


def describe_specs() -> str:
    """A Markdown table of what the environment is, as it stands without options."""
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
        ("state of a game for two", f"`{env.state_space.shape}` {env.state_space.dtype}"),
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
    """A Markdown table of the environment's options."""
    meanings = read_entries(SteamPowerAEC, "Args")
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(SteamPowerAEC).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    return "\n".join(_draw_defaults(("option", "default", "meaning"), defaults, meanings))


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


if __name__ == "__main__":
    print(describe_specs(), describe_actions(), describe_options(), describe_rules(), sep="\n\n")
