"""The Automa's tables, kept as data because the pictures that show them are not public."""

from functools import cache
from importlib import resources

from steam_env.core.steam_power.state import COLOR_NAMES, NUM_RESOURCES, TARGET_NAMES
from steam_env.kit.show import describe
from steam_env.kit.text_files import decode
from steam_env.kit.toml_file import parse_toml

RESOURCE_NAMES = COLOR_NAMES[:NUM_RESOURCES]
SOURCE = "automa.toml"


class AutomaTableError(ValueError):
    """A table that is wrong; the message begins with the entry at fault."""


@cache
def load_target_rules() -> tuple[str, ...]:
    """The kind of target of each colour, white, black, orange, gray: names of ``TARGET_NAMES`` (rule 8.10)."""
    data = (resources.files("steam_env.data.steam_power") / SOURCE).read_bytes()
    return parse_target_rules(parse_toml(decode(data, SOURCE, AutomaTableError), SOURCE, AutomaTableError))


def parse_target_rules(table: dict[str, object]) -> tuple[str, ...]:
    """The target rules of a table in the form of the file.

    Raises:
        AutomaTableError: naming the entry, the value and what is allowed.
    """
    targets = table.get("targets")
    if not isinstance(targets, dict) or set(targets) != set(RESOURCE_NAMES):
        raise AutomaTableError(f"targets: must be a table of {', '.join(RESOURCE_NAMES)}, not {describe(targets)}")
    for color, rule in targets.items():
        if rule not in TARGET_NAMES:
            raise AutomaTableError(f"targets.{color}: must be one of {', '.join(TARGET_NAMES)}, not {describe(rule)}")
    return tuple(str(targets[color]) for color in RESOURCE_NAMES)
