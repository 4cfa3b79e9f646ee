"""What the pages of the environments have from code: ``python -m steam_env.pages.steam_power.environments`` prints it.

``--update docs/environments/*.md`` writes it into pages, each part between ``<!-- table NAME -->`` and
``<!-- end -->``.
"""

import argparse
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium

from steam_env.core.steam_power.actions import BLOCKS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.core.steam_power.state import MAX_SEATS
from steam_env.data.steam_power.rules import MIN_SEATS, Rules
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.aec import GameAEC
from steam_env.envs.options import GameOptions, list_options
from steam_env.envs.single import LearnerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.kit.command_line import read_entries
from steam_env.spec import Block, find_spec

BLOCK = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
VP_SCALE = find_spec().facts.reward_scale
LEARNER_ONLY = ("opponents", "seat")  # options without a meaning in solo

RULES_IN_SHORT = """\
- A turn is two actions. Each is one of: lay track, build a factory, fulfil a contract, take two contracts, take $3.
- Track is laid tile by tile, one or two in an action, over plains, hills and mountains, and across other track. A link
  is complete when it reaches a second city; then both cities belong to its owner's network. Only complete links carry.
- A factory stands in a white, black, orange or gray city that some complete link touches, and holds a few resources of
  that colour. When the last one is taken, its tile is flipped and counts for the owner.
- A contract needs one to five resources. Each is carried from any factory over complete links into the own network;
  each foreign factory and each foreign link costs $1 to its owner. What cannot be reached is bought for $5. The
  contract pays money, victory points, and often a bonus action.
- When a seat has fulfilled enough contracts (TRIGGERS with 2, 3, 4, 5 seats), the round is finished, and that is the
  end. Victory points come from contracts, flipped tiles, purple cities in the network, and $5 a point.
- An Automa is a rule-driven opponent: each turn it draws two contracts, and fulfils them or lays track and builds by
  them.

[RULES.md](../../RULES.md) has every rule, with the number that refusals name."""
SOLO_RULES_IN_SHORT = """\
- One player has one purse and one hand, and five companies with track and factories of their own.
- In each of eight rounds ten trains are drawn from a bag; each is one action of its company: lay track, build a
  factory, fulfil a contract, take contracts, take $3. After a round one contract of the deck is set aside.
- The purse pays for everything. What another company would earn goes to the bank.
- Any company may fulfil any contract in hand, over its own network.
- Victory points come from contracts, flipped tiles, purple cities and money; fulfilled contracts do not end the game.

[RULES.md](../../RULES.md) has every rule (rule 9), with the number that refusals name."""
HISTORY = "- v0: first version."


def describe_rules_in_short() -> str:
    """The rules for 2 to 5 seats in a few sentences."""
    triggers = (f"{Rules(num_players=seats).end_trigger}" for seats in range(MIN_SEATS, MAX_SEATS + 1))
    return RULES_IN_SHORT.replace("TRIGGERS", ", ".join(triggers))


def describe_specs() -> str:
    """A Markdown table of what the PettingZoo environment is, as it stands without options."""
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
    return "\n".join(_draw_table(("what", "value"), rows))


def describe_encodings() -> str:
    """A Markdown table of the encodings and their spaces."""
    rows = []
    for name, encoding in ENCODINGS.items():
        specs = encoding.spec if isinstance(encoding.spec, dict) else {"": encoding.spec}
        arrays = ", ".join(f"{part} `{spec.shape}` {spec.dtype}".strip() for part, spec in specs.items())
        size = sum(math.prod(spec.shape) * spec.dtype.itemsize for spec in specs.values())
        rows.append(
            (f"`{name}`", "`Dict`" if isinstance(encoding.spec, dict) else "`Box`", arrays, f"{size / 1024:.0f}")
        )
    return "\n".join(_draw_table(("encoding", "space", "arrays", "KiB"), rows))


def describe_actions() -> str:
    """A Markdown table of the action space: the blocks of ids."""
    rows = [(_name_ids(block), f"{block.length}", f"`{block.name}`", block.meaning) for block in BLOCKS]
    return "\n".join(_draw_table(("ids", "size", "text begins with", "meaning"), rows))


def _name_ids(block: Block) -> str:
    last = block.start + block.length - 1
    return f"{block.start}" if last == block.start else f"{block.start} to {last}"


def describe_options() -> str:
    """A Markdown table of the PettingZoo environment's options."""
    return _draw_options(GameAEC, list_options(GameAEC))


def describe_single_specs(name: str) -> str:
    """A Markdown table of what a Gymnasium environment is, as it stands without options."""
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
    return "\n".join(_draw_table(("what", "value"), rows))


def describe_single_options() -> str:
    """A Markdown table of the options of ``SteamPower-v0``."""
    return _draw_options(LearnerEnv, list_options(LearnerEnv))


def describe_solo_options() -> str:
    """A Markdown table of the options of ``SteamPowerSolo-v0``."""
    options = list_options(LearnerEnv)
    return _draw_options(LearnerEnv, {name: value for name, value in options.items() if name not in LEARNER_ONLY})


def describe_vector_options() -> str:
    """A Markdown table of the options that the vector environments alone have."""
    known = list_options(LearnerEnv)
    own = {name: default for name, default in list_options(SteamVectorEnv).items() if name not in known}
    return _draw_options(SteamVectorEnv, own)


def _draw_options(environment: type, defaults: Mapping[str, object]) -> str:
    meanings = read_entries(environment, "Args") | read_entries(GameOptions, "Attributes")
    shown = {name: default for name, default in defaults.items() if name != "game"}  # each page is of one game
    return "\n".join(_draw_defaults(("option", "default", "meaning"), shown, meanings))


def describe_rules() -> str:
    """A Markdown table of the fields of ``Rules``."""
    meanings = read_entries(Rules, "Attributes")
    defaults = {field.name: field.default for field in fields(Rules)}
    return "\n".join(_draw_defaults(("rule", "default", "meaning"), defaults, meanings))


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


PARTS: dict[str, Callable[[], str]] = {
    "rules_in_short": describe_rules_in_short,
    "solo_rules_in_short": lambda: SOLO_RULES_IN_SHORT,
    "specs": describe_specs,
    "single_specs": partial(describe_single_specs, "SteamPower-v0"),
    "solo_specs": partial(describe_single_specs, "SteamPowerSolo-v0"),
    "encodings": describe_encodings,
    "layout": ENCODINGS["flat"].describe,
    "grid_layout": ENCODINGS["grid"].describe,
    "graph_layout": ENCODINGS["graph"].describe,
    "actions": describe_actions,
    "options": describe_options,
    "single_options": describe_single_options,
    "solo_options": describe_solo_options,
    "vector_options": describe_vector_options,
    "rules": describe_rules,
    "history": lambda: HISTORY,
}


def renew(page: str) -> str:
    """The page with every part printed anew.

    Raises:
        KeyError: for a part that there is not.
    """
    return BLOCK.sub(lambda block: f"{block[1]}{PARTS[block[2]]()}\n{block[3]}", page)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the parts, or write them into pages."""
    parser = argparse.ArgumentParser(description="What the pages of the environments have from code.")
    parser.add_argument(
        "--update", nargs="+", type=Path, metavar="PAGE", help="write the parts into these pages instead"
    )
    pages = parser.parse_args(arguments).update
    if pages is None:
        print(*(part() for part in PARTS.values()), sep="\n\n")
    else:
        for page in pages:
            page.write_text(renew(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
