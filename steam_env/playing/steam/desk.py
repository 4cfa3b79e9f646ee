"""Steam at the terminal: what can be typed, and the table of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from steam_env.core.steam.state import TILE_NAMES
from steam_env.data.steam.rules import Rules
from steam_env.data.steam.setting import Setting
from steam_env.playing.desk import AsideLine, Desk, SeatLine, Topic
from steam_env.render.pen import Pen, code_names
from steam_env.render.steam.text import LEGEND, list_links, list_stops, list_supply, tell_tile, write_map
from steam_env.render.steam.things import Scene

HELP = """\
Type an action in full (TAB completes it), or its number in brackets. Cities
and towns may be written as on the map: "from MIL" is "from Milan".

  take NUMBER [pass]  take an action tile (rule 6); 5 and 7 also with pass
  build HEX           lay track on the hex (8.2); then tile, as "tile N-SE"
  grow CITY           City Growth there (8.15); then space NUMBER
  urbanize TOWN       Urbanization there (8.16); then colour, space
  from CITY           move a cube (9.3); then colour, hop, over
  locomotive          improve it instead (9.2)
  income, vp          where the points of a move go (9.8)
  pass                be done with track, or do nothing in a goods round
  bid                 one dollar more, in an auction start (15.2)

  tiles               the action tiles, and who has them
  supply              cubes, New Cities and track tiles that are left
  links               all links, with their owners

Seats: inc income, lvl how many links the locomotive reaches, lnk complete
links, sum the score as it stands, tl the action tile. A tile such as N+SE has
spurs from a town to these edges, N-SE leads from one to the other."""


def tell_head(scene: Scene) -> tuple[str, str]:
    """Map; turn, phase of goods, placements, order of play."""
    parts = [f"turn {scene.round} of {scene.last_round}"]
    if scene.decision.goods_round:
        parts.append(f"goods round {scene.decision.goods_round}")
    if scene.decision.placements:
        parts.append(f"placements left {scene.decision.placements}")
    order = " ".join(str(seat.seat) for seat in scene.in_order if seat.place is not None and not seat.bankrupt)
    return scene.title, "  ".join([*parts, f"order {order or 'to be bid for'}"])


def list_seats(scene: Scene, person: int, names: Sequence[str]) -> Iterator[SeatLine]:
    """The seats by number."""
    for seat in scene.seats:
        who = "you" if seat.seat == person else names[seat.seat]
        note = " wins" if seat.wins else " bankrupt" if seat.bankrupt else ""
        cells = (seat.money, seat.income, seat.vp, seat.level, seat.links, seat.score, seat.tile or None)
        yield SeatLine(seat.seat, f"{seat.seat} {who}{note}", cells, seat.decides)


def list_tiles(scene: Scene, person: int) -> list[AsideLine]:
    """The action tiles, and who has them."""
    holders = {seat.tile: seat for seat in scene.seats if seat.tile}
    lines = [AsideLine("action tiles", False)]
    for number, name in enumerate(TILE_NAMES[1:], 1):
        holder = holders.get(number)
        told = f"{number} {name}" if holder is None else f"{tell_tile(holder)}: player_{holder.seat}"
        lines.append(AsideLine(told, holder is not None and holder.seat == person))
    return lines


def describe_map(scene: Scene, pen: Pen) -> Iterator[str]:
    """The map's signs, cities and towns, links and supply."""
    yield from (*LEGEND.splitlines(), "", *list_stops(scene))
    yield from ("", *list_links(scene, pen), "", *list_supply(scene))


def list_codes(setting: Setting) -> dict[str, str]:
    """The cities and towns as the map writes them."""
    return code_names(setting.map.stops)


def seat_people(rules: Rules, names: Sequence[str]) -> Rules:
    """The rules with a seat for each name."""
    return replace(rules, num_players=len(names))


DESK = Desk(
    program="steam_env.commands.steam.play:main",
    help=HELP,
    adviser="greedy",
    columns=("$", "inc", "VP", "lvl", "lnk", "sum", "tl"),
    list_seats=list_seats,
    tell_head=tell_head,
    write_map=write_map,
    describe_map=describe_map,
    codes=list_codes,
    list_aside=list_tiles,
    aside_command="tiles",
    topics={
        "tiles": Topic("action tiles", lambda scene, person: (line.text for line in list_tiles(scene, person)[1:])),
        "supply": Topic("supply", lambda scene, person: list_supply(scene)),
        "links": Topic("links", lambda scene, person: list_links(scene, Pen(True))),
    },
    quiet=("deal", "turn"),
    seat_names=seat_people,
)
