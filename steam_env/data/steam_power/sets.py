"""Maps and decks by what rules call them: a shipped name, a path, or a number in a set such as ``gen-v1:train:17``.

The sets of a family are frozen: ``manifests/gen-v1.json`` holds hashes of all that is in them. What the generator makes
of a seed may change only under the name of another family.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from steam_env.data.generate import (
    DrawnSet,
    PartSet,
    Worlds,
    WorldSet,
    find_named,
    tells_everywhere,
)
from steam_env.data.steam_power.decks import Deck, load_deck, shipped_decks
from steam_env.data.steam_power.knobs import MapSpec
from steam_env.data.steam_power.maps import Map, load_map, shipped_maps, terrain_by_cell
from steam_env.data.steam_power.mutation import change_map
from steam_env.data.steam_power.rules import Rules


@dataclass(frozen=True)
class HandMadeSet:
    """The shipped maps by number, all with one shipped deck: a ``WorldSet``."""

    meaning: str
    maps: tuple[str, ...]
    deck: str

    @property
    def count(self) -> int:
        """How many maps there are."""
        return len(self.maps)

    def make_map(self, number: int, name: str) -> Map:
        """The map with this number, under its own name."""
        return load_map(self.maps[number])

    def make_deck(self, number: int, name: str) -> Deck:
        """The deck, under its own name."""
        return load_deck(self.deck)

    def tell_knobs(self, number: int) -> dict[str, int]:
        """Nothing: no knob was turned."""
        return {}


# Every knob is named here, whatever the usual ones become.
LIKE_OURS = MapSpec(
    hexes=(60, 225),
    spacing=(52, 74),
    cities=(10, 33),
    groups=(10, 30),
    hills=(15, 38),
    mountains=(4, 16),
    lakes=(3, 9),
    rivers=(0, 3),
    passages=(0, 12),
    ragged=(4, 20),
    purple=(10, 20),
    colours=(0, 2),
    contracts=(40, 48),
    needs=(28, 33),
)
UNLIKE_OURS = MapSpec(
    hexes=(226, 256),
    spacing=(85, 120),
    cities=(18, 30),
    groups=(0, 40),
    hills=(10, 40),
    mountains=(4, 20),
    lakes=(12, 20),
    rivers=(2, 5),
    passages=(6, 15),
    ragged=(5, 25),
    purple=(0, 30),
    colours=(3, 6),
    contracts=(36, 43),
    needs=(34, 40),
)
TRAIN = DrawnSet("for training: from small maps to large ones like ours", LIKE_OURS, 0, 10_000)
LEARN, END = 9_800, 3_000  # maps of `train` that are learnt from; of these the easiest, and the hardest


@cache
def rank_by_hardness() -> tuple[int, ...]:
    """Numbers in `train` of the maps that are learnt from, the easiest first, by the knobs that a seed draws first."""

    def measure(number: int) -> tuple[int, int]:
        return LIKE_OURS.measure_hardness(TRAIN.tell_knobs(number)), number

    return tuple(sorted(range(LEARN), key=measure))


def _take_part(meaning: str, count: int, list_numbers: Callable[[], Sequence[int]]) -> PartSet:
    return PartSet(meaning, "gen-v1:train", TRAIN, count, list_numbers)


GEN_V1: dict[str, WorldSet] = {
    "train": TRAIN,
    "test": DrawnSet("drawn as those for training", LIKE_OURS, 1_000_000, 200),
    "ood": DrawnSet("out of distribution: larger, sparser, wetter, longer contracts", UNLIKE_OURS, 2_000_000, 100),
    "hand": HandMadeSet("made by hand: the shipped maps", ("midwest", "alps", "mini"), "standard"),
    "learn": _take_part("of `train`: all but the last", LEARN, lambda: range(LEARN)),
    "valid": _take_part(
        "of `train`: the last, to choose policies by", TRAIN.count - LEARN, lambda: range(LEARN, TRAIN.count)
    ),
    "easy": _take_part("of `learn`: the easiest", END, lambda: rank_by_hardness()[:END]),
    "medium": _take_part("of `learn`: between them", LEARN - 2 * END, lambda: rank_by_hardness()[END:-END]),
    "hard": _take_part("of `learn`: the hardest", END, lambda: rank_by_hardness()[-END:]),
}
WORLDS = Worlds(
    game=Rules.game,
    usual=MapSpec(),
    change=change_map,
    families={"gen-v1": GEN_V1},
    package=__package__,
    fields=("map", "contracts"),
    terrain=lambda setting: terrain_by_cell(setting.map),
    player="greedy:v0",
)


def find_map(name_or_path: str | os.PathLike[str]) -> Map:
    """The map that rules call so.

    Raises:
        ValueError: for an unknown name, set or number, naming it and what there is; ``MapError`` for a file that is
            wrong.
    """
    board: Map = find_named(name_or_path, WORLDS.families, "map", lambda one, *which: one.make_map(*which), load_map)
    return board


def find_deck(name_or_path: str | os.PathLike[str]) -> Deck:
    """The deck that rules call so.

    Raises:
        ValueError: for an unknown name, set or number, naming it and what there is; ``DeckError`` for a file that is
            wrong.
    """
    deck: Deck = find_named(
        name_or_path, WORLDS.families, "contracts", lambda one, *which: one.make_deck(*which), load_deck
    )
    return deck


def tells_map(name: str, board: Map) -> bool:
    """Whether a name tells this map on every machine."""
    return tells_everywhere(name, board, shipped_maps(), find_map)


def tells_deck(name: str, deck: Deck) -> bool:
    """Whether a name tells this deck on every machine."""
    return tells_everywhere(name, deck, shipped_decks(), find_deck)
