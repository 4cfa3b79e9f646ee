"""A board as text, for terminals and logs."""

from steam_env.render.steam.scene import Cell, Scene, SeatSheet, Stop
from steam_env.words.seats import name_seat

CELL_WIDTH = 5  # characters of a hex in the map


def draw_text(scene: Scene) -> str:
    """The scene as a text: the turn, the map, stops, links, seats and supply."""
    return "\n".join(
        [
            f"{scene.title}, turn {scene.round} of {scene.last_round}: {scene.decision.text}",
            "",
            *_draw_map(scene),
            "",
            *map(_tell_stop, scene.stops),
            "",
            *(_tell_link(link) for link in scene.links),
            *([""] if scene.links else []),
            *(_tell_seat(scene, seat) for seat in (scene.order or range(len(scene.seats)))),
            "",
            "supply " + "  ".join(f"{space} {cubes}" for space, cubes in enumerate(scene.supply, 1) if cubes),
            f"New Cities {scene.new_cities or 'none'}, growth markers {scene.markers}",
        ]
    )


def _draw_map(scene: Scene) -> list[str]:
    """Hexes by name where there is nothing else: cities show their cubes, tiles the owners of their track."""
    stops = {stop.hex: stop for stop in scene.stops}
    rows = max(cell.row for cell in scene.cells)
    lines = [""] * rows
    for cell in scene.cells:
        before = (cell.col - 1) * CELL_WIDTH
        lines[cell.row - 1] = lines[cell.row - 1].ljust(before) + _draw_cell(cell, stops.get(cell.name))
    return [line.rstrip() for line in lines]


def _draw_cell(cell: Cell, stop: Stop | None) -> str:
    if not cell.name:
        return "~~"
    if stop is not None and stop.color:
        return f"{stop.color[0].upper()}:{stop.name[:3]}"
    owners = "".join("-" if owner < 0 else str(owner) for owner in cell.owners)
    ground = {"h": "^", "O": "^"}.get(cell.terrain, "") + ("=" if cell.river else "")
    sign = "o" if stop is not None else ""
    return f"{sign}{ground}{owners}" if owners else f"{sign}{ground}{cell.name if stop is None else stop.name[:3]}"


def _tell_stop(stop: Stop) -> str:
    kind = "town" if not stop.color else f"{'New City, ' if stop.new else ''}{stop.color}"
    marker = ", grown" if stop.marker and not stop.new else ""
    cubes = f": {stop.cubes}" if stop.cubes else ""
    return f"{stop.name} ({stop.hex}, {kind}{marker}){cubes}"


def _tell_link(link: dict[str, object]) -> str:
    owner = link["owner"]
    who = "nobody" if not isinstance(owner, int) or owner < 0 else name_seat(owner)
    path = link["path"]
    end = f" >{link['open']}" if "open" in link else ""
    return f"{who}: {' '.join(path) if isinstance(path, list) else ''}{end}{' *' if 'extended' in link else ''}"


def _tell_seat(scene: Scene, seat: int) -> str:
    sheet: SeatSheet = scene.seats[seat]
    if sheet.bankrupt:
        return f"{name_seat(seat)}: bankrupt in turn {sheet.bankrupt}"
    tile = (
        f", {sheet.tile}{' (passed)' if sheet.passed else ''}{' (to do)' if sheet.to_do else ''}" if sheet.tile else ""
    )
    return (
        f"{name_seat(seat)}: ${sheet.money}, income {sheet.income}, {sheet.vp} VP, level {sheet.level}, "
        f"{sheet.links} complete links{tile}"
    )
