"""Maps and decks from seeds: an integer generator, and sets of seeds by name, as in ``gen-v1:train:17``.

What a map is made of is the game's: ``GameSpec.worlds`` names its ``Worlds``, with the knobs that its maps have. Here
is what games share. All is drawn with whole numbers: one seed gives one map, to the byte, on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeVar

import numpy as np

from steam_env.core.rng import draw_below, seed_stream
from steam_env.data.map_text import MapError
from steam_env.kit.checks import as_integer, check_seed, look_up
from steam_env.kit.show import describe, show
from steam_env.spec import find_spec, load_named

T = TypeVar("T")
Range = tuple[int, int]  # of a knob, both ends included

MAP_STREAM, DECK_STREAM = 1 << 16, 1 << 17  # numbers of streams, far from those of a game
TRIES = 20  # of a map, each from a stream of its own; of a change
CHANGED = "+"  # ends the name of a map that was changed
KEPT = 256  # maps that are kept at hand: a deck is made for the map of its seed
MANIFESTS = "manifests"  # folder of the hashes of families
SEPARATOR = ":"  # in the name of a world: family, set, number
EXAMPLE = "17"  # the number of a world that stands for any
PATH_SIGNS = "/\\"  # which names of worlds have not, on any system


class Stream:
    """Whole random numbers that follow from a seed alone: sfc32, as games have it in ``core.rng``.

    Args:
        seed: 0 to 2**63 - 1.
        number: of the stream, 0 to 2**32 - 1: those with different numbers tell nothing of each other.

    Raises:
        ValueError: for a seed out of range.

    Example:
        >>> stream = Stream(17)
        >>> [stream.below(6) for _ in range(5)]
        [3, 3, 0, 4, 4]
    """

    def __init__(self, seed: int, number: int = 0) -> None:
        self._state = np.zeros(4, np.uint32)
        seed_stream(self._state, check_seed(seed), number)

    def below(self, bound: int) -> int:
        """A uniform number from 0 to ``bound`` - 1."""
        return int(draw_below(self._state, bound))

    def between(self, low: int, high: int) -> int:
        """A uniform number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def hits(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) < percent

    def choose(self, values: Sequence[T]) -> T:
        """One of the values, each as likely as another."""
        return values[self.below(len(values))]

    def shuffle(self, values: Collection[T]) -> list[T]:
        """The values in a random order, as a new list."""
        mixed = list(values)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


class Spec(Protocol):
    """The knobs of a game's maps and decks: a frozen dataclass, validated, hashable."""

    def __hash__(self) -> int: ...

    def tell(self, of_map: Stream, of_deck: Stream) -> Mapping[str, int]:
        """The numbers that the streams of a map and of its deck draw for the knobs of each."""
        ...

    def draw_map(self, stream: Stream, name: str) -> Any | None:
        """A map, or ``None`` where what was drawn does not hang together."""
        ...

    def draw_deck(self, stream: Stream, board: Any, name: str) -> Any:
        """A deck whose payoffs follow the distances of the map ``board``."""
        ...


def read_range(name: str, value: object, bounds: Range) -> Range:
    """The range that a knob is given, a number as a range of one.

    Raises:
        ValueError: naming the knob, its value and what is allowed.
    """
    low, high = bounds
    several = value if isinstance(value, tuple | list) else (value, value)
    if len(several) != 2:
        raise ValueError(f"{name}={describe(value)}: a number, or a range of two, is allowed")
    given = as_integer(several[0], name), as_integer(several[1], name)
    if not low <= given[0] <= given[1] <= high:
        raise ValueError(f"{name}={value!r}: {low} to {high} are allowed, a range as (low, high)")
    return given


class WorldSet(Protocol):
    """Maps and decks by number, from 0 on.

    Attributes:
        count: how many there are.
        meaning: what they are, in words.
    """

    @property
    def count(self) -> int: ...  # noqa: D102 - see the attributes
    @property
    def meaning(self) -> str: ...  # noqa: D102

    def make_map(self, number: int, name: str) -> Any:
        """The map with this number, by this name where it has none of its own."""
        ...

    def make_deck(self, number: int, name: str) -> Any:
        """The deck with this number, likewise."""
        ...

    def tell_knobs(self, number: int) -> Mapping[str, int]:
        """What was drawn for each knob of the map with this number; nothing of one that was not drawn."""
        ...


@dataclass(frozen=True)
class DrawnSet:
    """A set of which number i is what the seed ``first`` + i gives: a ``WorldSet``."""

    meaning: str
    spec: Spec
    first: int
    count: int

    def make_map(self, number: int, name: str) -> Any:
        """The map with this number."""
        return generate_map(self.first + number, self.spec, name=name)

    def make_deck(self, number: int, name: str) -> Any:
        """The deck with this number."""
        return generate_deck(self.first + number, self.spec, name=name)

    def tell_knobs(self, number: int) -> Mapping[str, int]:
        """What the seed draws first for each knob; a map that had to be drawn again has others."""
        seed = self.first + number
        return self.spec.tell(Stream(seed, MAP_STREAM), Stream(seed, DECK_STREAM))


@dataclass(frozen=True)
class PartSet:
    """Some worlds of another set, in an order of their own, each under its name there: a ``WorldSet``.

    Attributes:
        meaning: what they are, in words.
        whole: the name of the other set, such as ``gen-v1:train``.
        of: that set.
        count: how many worlds there are.
        list_numbers: gives their numbers in the other set; asked for when the first one is made.
    """

    meaning: str
    whole: str
    of: WorldSet
    count: int
    list_numbers: Callable[[], Sequence[int]]

    def make_map(self, number: int, name: str) -> Any:
        """The map with this number."""
        return self.of.make_map(*self._find(number))

    def make_deck(self, number: int, name: str) -> Any:
        """The deck with this number."""
        return self.of.make_deck(*self._find(number))

    def tell_knobs(self, number: int) -> Mapping[str, int]:
        """What was drawn for each knob of the map with this number."""
        return self.of.tell_knobs(self.list_numbers()[number])

    def _find(self, number: int) -> tuple[int, str]:
        """The world's number and name in the other set."""
        found = self.list_numbers()[number]
        return found, f"{self.whole}{SEPARATOR}{found}"


@dataclass(frozen=True)
class Worlds:
    """How a game makes maps and decks.

    Attributes:
        game: the id of the game.
        usual: the knobs where nothing is said of them.
        change: ``(board, stream)``: a map that differs a little and can be played, or ``None`` if the draw gave none.
        families: by name of a family, its sets by name.
        package: of the game's data; its folder ``MANIFESTS`` has a file of hashes for each family.
        fields: of the game's rules that name a map, a deck.
        terrain: ``(setting)``: the map's terrain codes by (column, row).
        player: an agent that stays as it is, by which sets are played.
    """

    game: str
    usual: Spec
    change: Callable[[Any, Stream], Any]
    families: Mapping[str, Mapping[str, WorldSet]]
    package: str
    fields: tuple[str, ...]
    terrain: Callable[[Any], Mapping[tuple[int, int], int]]
    player: str

    @property
    def example(self) -> str:
        """The name of one map of the first set."""
        family, sets = next(iter(self.families.items()))
        return SEPARATOR.join((family, next(iter(sets)), EXAMPLE))

    def name_fields(self, name: str) -> dict[str, str]:
        """Fields of the rules with which games have the map and the deck of this name, or draw from the set."""
        return dict.fromkeys(self.fields, name)

    def list_frozen(self, family: str) -> dict[str, WorldSet]:
        """The sets of a family by name that have worlds of their own: those of parts are frozen with the whole.

        Raises:
            ValueError: for an unknown family.
        """
        sets = look_up(self.families, "family", family)
        return {kind: one for kind, one in sets.items() if not isinstance(one, PartSet)}

    def find_manifest(self, family: str) -> Traversable:
        """The file of hashes of a family."""
        return resources.files(self.package) / MANIFESTS / f"{family}.json"


def find_worlds(game: str | None = None) -> Worlds:
    """How a game makes maps; without an id the default game.

    Raises:
        ValueError: for a game that makes none.
    """
    spec = find_spec(game)
    if not spec.worlds:
        raise ValueError(f"game {spec.game!r} makes no maps from seeds")
    worlds: Worlds = load_named(spec.worlds)
    return worlds


def list_world_fields(game: str) -> tuple[str, ...]:
    """The fields of a game's rules that name a world, the map first; none where a game makes no maps."""
    return find_worlds(game).fields if find_spec(game).worlds else ()


def move_to_world(rules: T, named: Mapping[str, str]) -> T:
    """The same rules on another map.

    Args:
        rules: of any game that makes maps.
        named: by field of ``list_world_fields`` what is named. Where only the map is, and it is a world or a set, all
            else is that of the same name: its deck.

    Raises:
        ValueError: for what rules refuse.
    """
    given: Any = rules
    worlds = find_worlds(given.game)
    name = named.get(worlds.fields[0])
    whole = worlds.name_fields(str(name)) if is_world_name(name) or is_set_name(name) else {}
    moved: T = type(given)(**{**given.to_dict(), **whole, **named})
    return moved


# --- maps and decks ------------------------------------------------------------------------------------
def generate_map(seed: int, spec: Spec | None = None, *, name: str | None = None, game: str | None = None) -> Any:
    """The map that a seed and knobs give, the same on every machine.

    Args:
        seed: 0 to 2**63 - 1.
        spec: the knobs, such as the game's ``MapSpec``; ``None``: the usual ones.
        name: of the map; ``None``: it tells the seed.
        game: id of the game whose usual knobs are meant; ``None``: the default game.

    Raises:
        ValueError: for a seed out of range, or knobs with which no map hangs together.
    """
    return _draw_map(check_seed(seed), find_worlds(game).usual if spec is None else spec, _name(seed, name))


def generate_deck(seed: int, spec: Spec | None = None, *, name: str | None = None, game: str | None = None) -> Any:
    """The deck for the map that ``generate_map`` makes of the same seed and knobs; arguments and errors likewise."""
    chosen = find_worlds(game).usual if spec is None else spec
    board = _draw_map(check_seed(seed), chosen, _name(seed, name))
    return chosen.draw_deck(Stream(seed, DECK_STREAM), board, _name(seed, name))


def mutate_map(board: Any, rng: Stream, *, game: str | None = None) -> Any:
    """A map that differs from ``board`` in one small thing and can be played, for curricula that grow hard by steps.

    Raises:
        MapError: where none was found, as in a map without land that could change.
    """
    worlds = find_worlds(game)
    for _ in range(TRIES):
        changed = worlds.change(board, rng)
        if changed is not None:
            return changed if board.name.endswith(CHANGED) else replace(changed, name=board.name + CHANGED)
    raise MapError(f"{board.name}: no change in {TRIES} tries leaves a map that can be played")


def _name(seed: int, name: str | None) -> str:
    return f"seed {seed}" if name is None else name


@lru_cache(KEPT)
def _draw_map(seed: int, spec: Spec, name: str) -> Any:
    for attempt in range(TRIES):
        board = spec.draw_map(Stream(seed, MAP_STREAM + attempt), name)
        if board is not None:
            return board
    raise ValueError(
        f"seed={seed}: no map that hangs together in {TRIES} tries with {spec}: less water, or fewer cities, may help"
    )


# --- names ---------------------------------------------------------------------------------------------
def is_world_name(name: object) -> bool:
    """Whether it has the form ``family:set:number``, and is no path."""
    return isinstance(name, str) and name.count(SEPARATOR) == 2 and not any(sign in name for sign in PATH_SIGNS)


def is_set_name(name: object) -> bool:
    """Whether it has the form ``family:set``, and is no path."""
    return isinstance(name, str) and name.count(SEPARATOR) == 1 and not any(sign in name for sign in PATH_SIGNS)


def find_world(name: str, families: Mapping[str, Mapping[str, WorldSet]], entry: str) -> tuple[WorldSet, int]:
    """The set and the number that a name such as ``gen-v1:train:17`` means.

    Args:
        name: the name.
        families: those of the game.
        entry: what messages call it.

    Raises:
        ValueError: naming the part that is wrong, and what there is.
    """
    place, _, number = name.rpartition(SEPARATOR)
    worlds = find_set(place, families, entry)
    last = worlds.count - 1
    if not (number.isascii() and number.isdecimal() and str(int(number)) == number and int(number) <= last):
        raise ValueError(f"{entry}: {show(name)}: number {number!r}: 0 to {last} are allowed")
    return worlds, int(number)


def find_named(
    name: str | os.PathLike[str],
    families: Mapping[str, Mapping[str, WorldSet]],
    entry: str,
    make: Callable[[WorldSet, int, str], T],
    load: Callable[[str | os.PathLike[str]], T],
) -> T:
    """What a name means: what ``make`` makes of a world, else what ``load`` finds under a shipped name or a path.

    Other arguments and errors as of ``find_world``, and what ``load`` raises.
    """
    if isinstance(name, str) and is_world_name(name):
        worlds, number = find_world(name, families, entry)
        return make(worlds, number, name)
    return load(name)


def tells_everywhere(name: str, content: T, shipped: Collection[str], find: Callable[[str], T]) -> bool:
    """Whether a name tells this content on every machine: a path does not, nor does the name of an inline one."""
    with suppress(ValueError):
        return (name in shipped or is_world_name(name)) and find(name) == content
    return False


def find_set(name: str, families: Mapping[str, Mapping[str, WorldSet]], entry: str) -> WorldSet:
    """The set that a name such as ``gen-v1:train`` means; arguments and errors as of ``find_world``."""
    family, _, kind = name.partition(SEPARATOR)
    if family not in families:
        raise ValueError(f"{entry}: {show(name)}: family {family!r}: allowed are {', '.join(families)}")
    if kind not in families[family]:
        raise ValueError(f"{entry}: {show(name)}: set {kind!r}: allowed are {', '.join(families[family])}")
    return families[family][kind]
