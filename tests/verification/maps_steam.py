"""Random maps for games of Steam: small, with all that a map may have."""

import random
from typing import Any

NAMES = (
    *("Ames", "Boone", "Clinton", "Dyson", "Elgin", "Fargo", "Galena", "Hibbing", "Ironton", "Joliet", "Keokuk"),
    *("Lamoni", "Moline", "Newton", "Ottumwa", "Peoria", "Quincy", "Racine", "Streator", "Tama", "Urbana", "Vinton"),
)
COLORS = ("red", "yellow", "purple", "blue", "gray")
EDGES = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
SIGNS = {".": 10, "h": 3, "~": 1, " ": 1}
MOST_STOPS = 64
MOST_DRAWN = 60  # cubes in cities, so that enough are left for the supply
RIVER, WALL = 0.2, 0.1  # shares of land hexes with one
GIVEN = 0.1  # share of maps whose supply is not drawn

Cell = tuple[int, int]


def draw_map(rng: random.Random, width: int | None = None, height: int | None = None) -> dict[str, Any]:
    """A map for 3 to 5 seats; not all of it need be within reach.

    Args:
        rng: all that is random follows from it.
        width: columns; drawn if it is left out.
        height: rows, of which a column has every other one; likewise.
    """
    width, height = width or rng.randint(4, 8), height or rng.randint(6, 11)
    signs = dict(SIGNS, h=rng.choice((1, 3, 8)))
    cells = {
        (column, row): rng.choices(list(signs), weights=list(signs.values()))[0]
        for column in range(1, width + 1)
        for row in range(1, height + 1)
        if (column + row) % 2 == 0
    }
    most = min(MOST_STOPS, len(cells) - 2, max(18, len(cells) // rng.choice((3, 4, 6, 10))))
    stops = rng.sample(sorted(cells), rng.randint(4, most))
    cities, towns = sorted(stops[: len(stops) // 2 + 1]), sorted(stops[len(stops) // 2 + 1 :])
    cells |= dict.fromkeys(cities, "@") | {at: rng.choice("ooO") for at in towns}
    names = draw_names(rng, len(stops))
    land = [at for at, sign in sorted(cells.items()) if sign in ".hoO"]
    given = {"supply": ["".join(rng.choices("RYPBG", k=rng.randrange(3))) for _ in range(12)]}
    return {
        "name": "drawn",
        "seats": [3, 4, 5],
        "fewer_cubes_with_three": rng.random() < 0.3,
        "cities": draw_cities(rng, [names.pop() for _ in cities]),
        "towns": [names.pop() for _ in towns],
        "rivers": [name_hex(at) for at in land if rng.random() < RIVER],
        "walls": draw_walls(rng, cells, land),
        "rows": "\n".join(
            "".join(cells.get((column, row), " ") for column in range(1, width + 1)) for row in range(1, height + 1)
        ),
        **(given if rng.random() < GIVEN else {}),
    }


def draw_names(rng: random.Random, count: int) -> list[str]:
    """Different ones, with numbers behind them when there are no others left."""
    numbered = [f"{name} {number}" if number else name for number in range(3) for name in NAMES]
    return rng.sample(numbered[: max(count, len(NAMES))], count)


def draw_cities(rng: random.Random, names: list[str]) -> list[dict[str, Any]]:
    """With cubes that are drawn, now and then with given ones."""
    cities, left = [], MOST_DRAWN
    for name in names:
        count = min(left, rng.choice((0, 1, 2, 2, 3)))
        left -= count
        given = "".join(rng.choices("RYPBG", k=count)) if rng.random() < GIVEN else count
        cities.append({"name": name, "color": rng.choice(COLORS), "cubes": given})
    return cities


def draw_walls(rng: random.Random, cells: dict[Cell, str], land: list[Cell]) -> list[str]:
    """Each between two hexes of the map, and named once."""
    found: dict[frozenset[Cell], str] = {}
    for at in land:
        edge = rng.randrange(len(EDGES))
        other = at[0] + STEPS[edge][0], at[1] + STEPS[edge][1]
        if rng.random() < WALL and cells.get(other, " ") not in "~ ":
            found.setdefault(frozenset((at, other)), f"{name_hex(at)} {EDGES[edge]}")
    return list(found.values())


def name_hex(at: Cell) -> str:
    return f"{chr(ord('A') + at[0] - 1)}{at[1]}"
