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
MOST_CITIES, MOST_TOWNS = 10, 8
RIVER, WALL = 0.2, 0.1  # shares of land hexes with one


def draw_map(rng: random.Random) -> dict[str, Any]:
    """A map for 3 to 5 seats; not all of it need be within reach."""
    width, height = rng.randint(4, 8), rng.randint(6, 11)
    cells = {
        (column, row): rng.choices(list(SIGNS), weights=list(SIGNS.values()))[0]
        for column in range(1, width + 1)
        for row in range(1, height + 1)
        if (column + row) % 2 == 0
    }
    stops = rng.sample(sorted(cells), min(len(cells) - 2, rng.randint(4, MOST_CITIES + MOST_TOWNS)))
    cities, towns = sorted(stops[: len(stops) // 2 + 1]), sorted(stops[len(stops) // 2 + 1 :])
    cells |= dict.fromkeys(cities, "@") | {at: rng.choice("ooO") for at in towns}
    names = rng.sample(NAMES, len(stops))
    land = [at for at, sign in sorted(cells.items()) if sign in ".hoO"]
    return {
        "name": "drawn",
        "seats": [3, 4, 5],
        "fewer_cubes_with_three": rng.random() < 0.3,
        "cities": [
            {"name": names.pop(), "color": rng.choice(COLORS), "cubes": rng.choice((0, 1, 2, 2, 3))} for _ in cities
        ],
        "towns": [names.pop() for _ in towns],
        "rivers": [name_hex(at) for at in land if rng.random() < RIVER],
        "walls": draw_walls(rng, cells, land),
        "rows": "\n".join(
            "".join(cells.get((column, row), " ") for column in range(1, width + 1)) for row in range(1, height + 1)
        ),
    }


def draw_walls(rng: random.Random, cells: dict[tuple[int, int], str], land: list[tuple[int, int]]) -> list[str]:
    """Each between two hexes of the map, and named once."""
    found: dict[frozenset[tuple[int, int]], str] = {}
    for at in land:
        edge = rng.randrange(len(EDGES))
        other = at[0] + STEPS[edge][0], at[1] + STEPS[edge][1]
        if rng.random() < WALL and cells.get(other, " ") not in "~ ":
            found.setdefault(frozenset((at, other)), f"{name_hex(at)} {EDGES[edge]}")
    return list(found.values())


def name_hex(at: tuple[int, int]) -> str:
    return f"{chr(ord('A') + at[0] - 1)}{at[1]}"
