"""What a scene consists of: all that is to be seen of a position, as data. In this game all of it is public.

Places are indices: a hex is one of ``Scene.hexes``, a stop one of ``Scene.stops``, a link one of ``Scene.links``; edges
are 0 to 5 from north, clockwise (rule 1.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from steam_env.render.choices import OFF_THE_MAP

NOBODY = -1  # the owner of an unowned link


@dataclass(frozen=True)
class HexTile:
    """A hex; water is drawn although the rules do not know it.

    Attributes:
        name: such as "B4".
        terrain: "plains", "hills", "water" or "city", which is the ground of printed cities.
        river: whether a river or canal is there.
        number: of the hex among those of the rules, land and cities; None for water.
        tile: the pattern that lies there as text, or empty.
    """

    name: str
    col: int
    row: int
    terrain: str
    river: bool
    number: int | None
    tile: str


@dataclass(frozen=True)
class Stop:
    """A city or town.

    Attributes:
        color: empty for a town.
        cubes: letters of its cubes.
        marker: whether it has a growth marker; ``new``: whether it is a New City, on which one is printed.
    """

    name: str
    hex: int
    color: str
    cubes: str
    marker: bool
    new: bool


@dataclass(frozen=True)
class Segment:
    """A piece of track on a hex.

    Attributes:
        edges: two of them, or one and None for a spur of a town.
        over: whether it crosses another one and is drawn above it.
    """

    hex: int
    edges: tuple[int, int | None]
    owner: int
    link: int
    over: bool


@dataclass(frozen=True)
class LinkLine:
    """A link (rule 3.1).

    Attributes:
        owner: its seat, or ``NOBODY``.
        start, end: stops; end is None while the link is incomplete.
        hexes: land hexes without the towns at its ends, in order.
        open_edge: of the last hex, while it is incomplete.
        mark: whether it was begun or extended in this track turn (rule 8.10): such a one does not lapse.
    """

    owner: int
    start: int
    end: int | None
    hexes: tuple[int, ...]
    open_edge: int | None
    mark: bool


@dataclass(frozen=True)
class Seat:
    """What a seat has.

    Attributes:
        tile: number of its action tile, 0 for none yet; ``passed``: taken with pass.
        to_do: whether a paid City Growth or Urbanization is still to be carried out.
        links: complete links that it owns.
        score: as it would be if the game ended now.
        place: on the order track, from 1; None during an auction.
        bankrupt: the turn of its bankruptcy, 0 for none.
        points: of the move under way, while it is decided where they go.
    """

    seat: int
    name: str
    money: int
    income: int
    vp: int
    level: int
    tile: int
    passed: bool
    to_do: bool
    links: int
    score: int
    place: int | None
    bankrupt: int
    points: int
    decides: bool
    wins: bool


@dataclass(frozen=True)
class Stock:
    """Tiles of one kind (rule 2.5).

    Attributes:
        faces: a pattern of each face, as text.
        count: tiles left; None if there is no limit.
    """

    faces: tuple[str, ...]
    count: int | None


@dataclass(frozen=True)
class Supply:
    """What lies beside the map.

    Attributes:
        spaces: letters of the cubes in each of the 12 spaces.
        new_cities: New City tiles left, by colour.
        markers: growth markers left.
        stock: kinds of track tiles.
    """

    spaces: tuple[str, ...]
    new_cities: tuple[int, ...]
    markers: int
    stock: tuple[Stock, ...]


@dataclass(frozen=True)
class Decision:
    """The decision under way.

    Attributes:
        seat: whose it is; None when the game is over.
        phase: ``Game.phase``.
        text: what is decided, in words.
        hex: where a tile is being laid, or None.
        stop: the stop that grows, or becomes a city, or None.
        route: stops on the way of the cube under way, the first where it was.
        cube: the colour of that cube, or None.
        placements: left in this track turn.
        goods_round: 1 or 2, 0 outside of that phase.
    """

    seat: int | None
    phase: str
    text: str
    hex: int | None
    stop: int | None
    route: tuple[int, ...]
    cube: str | None
    placements: int
    goods_round: int


@dataclass(frozen=True)
class Choice:
    """A legal action, and what it is about: where it is to be shown.

    Attributes:
        action: its id; ``text``: its text; ``kind``: the first word of that.
        hex: on the map, or ``OFF_THE_MAP``.
        stop: a city or town, or None.
        action_tile: a number from 1, or None.
        pattern: of a track tile as text, or empty.
        space: of the Goods Supply, from 0, or None.
        color: of a cube or New City, or empty.
        seat: whose link, ``NOBODY`` for an unowned one, or None.
    """

    action: int
    text: str
    kind: str
    hex: int = OFF_THE_MAP
    stop: int | None = None
    action_tile: int | None = None
    pattern: str = ""
    space: int | None = None
    color: str = ""
    seat: int | None = None


@dataclass(frozen=True)
class Scene:
    """All that is to be seen; ``choices`` are the mover's legal actions."""

    title: str
    round: int
    last_round: int
    decision: Decision
    hexes: tuple[HexTile, ...]
    walls: tuple[tuple[int, int], ...]  # hex and edge of thick edges, from one side
    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]
    links: tuple[LinkLine, ...]
    seats: tuple[Seat, ...]
    income_max: int | None  # None: there is no limit
    supply: Supply
    choices: tuple[Choice, ...]

    @property
    def in_order(self) -> tuple[Seat, ...]:
        """The seats as on the order track, bankrupt ones behind; before there is one by number."""
        return tuple(sorted(self.seats, key=lambda seat: (seat.place is None, seat.place or 0, seat.seat)))
