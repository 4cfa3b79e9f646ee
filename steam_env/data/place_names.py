"""Names of cities and towns that are made up: a stem and an ending that fits what lies round the place."""

from collections.abc import Collection

from steam_env.core.hexes import neighbours
from steam_env.data.generate import Stream
from steam_env.data.shapes import Cell

# None of a map's names begins as another does.
STEMS = (
    *("Ald", "Ban", "Bel", "Bor", "Cal", "Cas", "Corn", "Dal", "Dor", "El", "Fal", "Fen", "Gar", "Glen", "Hal", "Hart"),
    *("Hol", "Im", "Jar", "Kel", "Kin", "Lan", "Lor", "Mar", "Mil", "Mor", "Nor", "Ol", "Pel", "Quin", "Ram", "Ros"),
    *("Sal", "Sel", "Tal", "Tor", "Ul", "Val", "Ver", "Wal", "Wen", "Yar"),
)
SHORE = ("haven", "mouth", "port", "sand", "wick")
HEIGHTS = ("berg", "crag", "stone", "mont", "ridge")
PLAIN = ("brook", "bury", "dale", "field", "ford", "ham", "ley", "ton", "wood", "worth")

MOST_NAMES = len(STEMS)  # of a map


def draw_names(
    stream: Stream,
    places: Collection[Cell],
    water: Collection[Cell],
    mountains: Collection[Cell],
    hills: Collection[Cell],
) -> list[str]:
    """A name for each of at most ``MOST_NAMES`` places, in map order; the others tell what lies round them."""
    stems = stream.shuffle(STEMS)
    return [
        stems[index] + stream.choose(_list_endings(place, water, mountains, hills))
        for index, place in enumerate(sorted(places))
    ]


def _list_endings(
    place: Cell, water: Collection[Cell], mountains: Collection[Cell], hills: Collection[Cell]
) -> tuple[str, ...]:
    around = neighbours(place)
    if any(cell in water for cell in around):
        return SHORE + PLAIN
    if any(cell in mountains for cell in around) or sum(cell in hills for cell in around) > 1:
        return HEIGHTS
    return PLAIN
