"""What pages tell of maps that are made from seeds: the knobs, the sets of a family, what was checked of them."""

from collections.abc import Mapping, Sequence

from steam_env.data.generate import Range, WorldSet
from steam_env.evaluation.kept import Content
from steam_env.evaluation.map_sets import list_faults, tabulate_nearest, tabulate_played
from steam_env.evaluation.report import Grid, grid_to_markdown
from steam_env.kit.command_line import read_entries
from steam_env.pages.markdown import join, say_commit, table


def tabulate_knobs(spec: type, ranges: Mapping[str, Mapping[str, Range]]) -> str:
    """A table of the knobs: what each means, and by the heading of a column the ranges by knob."""
    meanings = read_entries(spec, "Attributes")
    first, *_ = ranges.values()
    rows = [(f"`{name}`", meanings[name], *(_say(of[name]) for of in ranges.values())) for name in first]
    return table(("knob", "what", *ranges), rows, words=2)


def _say(numbers: Range) -> str:
    low, high = numbers
    return str(low) if low == high else f"{low} to {high}"


def tabulate_sets(family: str, sets: Mapping[str, WorldSet]) -> str:
    """A table of the sets of a family."""
    rows = [(f"`{family}:{kind}`", one.meaning, f"{one.count:,}") for kind, one in sets.items()]
    return table(("set", "what", "maps"), rows, words=2)


def tell_checks(content: Content, ended: str) -> str:
    """What was found when all maps were made, compared and played; ``ended``: how every game does, if all is well."""
    grids: Sequence[Grid] = [tabulate_nearest(content), tabulate_played(content)]
    told = [f"**{grid.title}**\n\n{grid_to_markdown(Grid('', grid.columns, grid.rows))}" for grid in grids]
    faults = list_faults(content) or [f"No two maps are equal, and every game {ended}."]
    return join(*faults, *told, f"Ended on {content['finished_utc'][:10]}, commit {say_commit(content['software'])}.")
