"""Where a policy was trained, as its file tells: on which map, with how many seats; and where it is asked now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from steam_env.agents.policy_files import SUFFIX
from steam_env.kit.errors import UnfitError
from steam_env.kit.show import show
from steam_env.spec import GameSpec, Setting, find_spec

if TYPE_CHECKING:
    from steam_env.agents.trained import TrainedAgent

MAP = "map"
ON = "@"  # in the text of a table of a run, before a map of its own
LEAGUE = "league"  # who plays by the policy itself, in the tables of a run


class Ground(NamedTuple):
    """Where a policy was trained.

    Attributes:
        map: the name of the map; ``None``: many maps, or its file does not tell.
        seats: the numbers of seats, ascending; empty: its file does not tell.
    """

    map: str | None
    seats: tuple[int, ...]


EVERYWHERE = Ground(None, ())


def find_ground(policy: TrainedAgent) -> Ground:
    """Where a policy was trained; a net that is made for all maps and numbers of seats is at home everywhere."""
    if getattr(policy.network, "fits_everywhere", False):
        return EVERYWHERE
    about = policy.about
    spec = find_spec(about.get("game"))
    tables = (about.get("config") or {}).get("tables", ())
    seats = tuple(sorted({count_seats(table, spec) for table in tables}))
    is_one = not any(ON in table for table in tables)
    return Ground((about.get(MAP) or {}).get("name") if is_one else None, seats)


def count_seats(table: str, spec: GameSpec) -> int:
    """How many seats a table of a training run has, such as ``league+greedy+rush@rhineland=2``.

    They are the learner's and one for each opponent, who may have a habit after the name; a table that is too small is
    filled up.
    """
    known = (LEAGUE, *spec.players.agents, *spec.players.policies, *spec.players.scripted)
    first, *others = table.partition("=")[0].partition(ON)[0].split("+")
    opponents = [first, *(name for name in others if name in known or name.endswith(SUFFIX))]
    return max(spec.facts.seat_counts[0], 1 + len(opponents))


def check_ground(name: str, ground: Ground, setting: Setting) -> None:
    """Refuse games on other maps, or with other numbers of seats, than those on which a policy was trained.

    Raises:
        UnfitError: naming the policy, where it was trained, and where it is asked.
    """
    if ground == EVERYWHERE:
        return
    here = (setting.contents.get(MAP) or {}).get("name")
    if ground.map not in (None, here) or setting.num_seats not in (ground.seats or (setting.num_seats,)):
        counts = " or ".join(map(str, ground.seats)) or "any number of"
        trained = f"on {'many maps' if ground.map is None else f'map {show(ground.map)}'} with {counts} seats"
        asked = f"on map {show(here)} with {setting.num_seats}"
        raise UnfitError(f"{name} was trained {trained}, and is asked {asked}; {name}:anywhere may be asked there, too")
