"""Names of cities that are made up: a stem and an ending that fits what lies round the city."""

from collections.abc import Mapping

from steam_env.core.hexes import neighbours
from steam_env.core.steam_power.state import CITY, HILLS, MOUNTAINS, WATER
from steam_env.data.generate import Stream

# More than a map has cities: none of a map's names begins as another does.
STEMS = (
    *("Ald", "Ban", "Bel", "Bor", "Cal", "Cas", "Corn", "Dal", "Dor", "El", "Fal", "Fen", "Gar", "Glen", "Hal", "Hart"),
    *("Hol", "Im", "Jar", "Kel", "Kin", "Lan", "Lor", "Mar", "Mil", "Mor", "Nor", "Ol", "Pel", "Quin", "Ram", "Ros"),
    *("Sal", "Sel", "Tal", "Tor", "Ul", "Val", "Ver", "Wal", "Wen", "Yar"),
)
SHORE = ("haven", "mouth", "port", "sand", "wick")
HEIGHTS = ("berg", "crag", "stone", "mont", "ridge")
PLAIN = ("brook", "bury", "dale", "field", "ford", "ham", "ley", "ton", "wood", "worth")


def draw_names(stream: Stream, terrain: Mapping[tuple[int, int], int]) -> list[str]:
    """A name for each city of a terrain by (column, row), in map order."""
    cities = sorted(cell for cell, code in terrain.items() if code == CITY)
    stems = stream.shuffle(STEMS)
    return [stems[index] + stream.choose(_list_endings(city, terrain)) for index, city in enumerate(cities)]


def _list_endings(city: tuple[int, int], terrain: Mapping[tuple[int, int], int]) -> tuple[str, ...]:
    around = [terrain.get(cell) for cell in neighbours(city)]
    if WATER in around:
        return SHORE + PLAIN
    if MOUNTAINS in around or around.count(HILLS) > 1:
        return HEIGHTS
    return PLAIN
