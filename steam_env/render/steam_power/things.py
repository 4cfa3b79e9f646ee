"""What a scene consists of: all that is to be seen of a position, as data."""

from __future__ import annotations

from dataclasses import dataclass

from steam_env.render.choices import OFF_THE_MAP


@dataclass(frozen=True)
class HexTile:
    """A hex: its name ("B4"), column, row and terrain as a word."""

    name: str
    col: int
    row: int
    terrain: str


@dataclass(frozen=True)
class CityTile:
    """A city: where it is, the colour of its tile, and the factory on it.

    Attributes:
        hex: board index of its hex.
        group: index of its group's first city.
        owner: seat of the factory, or None.
        resources: left on the tile.
        flipped: whether the last one is gone.
        vp: points that the tile pays to its owner when it is flipped, a purple one to those linked to it together.
    """

    name: str
    hex: int
    color: str
    group: int
    owner: int | None
    resources: int
    flipped: bool
    vp: int


@dataclass(frozen=True)
class Segment:
    """A piece of track on a hex: two edges, whose it is, and how it lies where two cross.

    Attributes:
        link: index into ``Scene.links``.
        crossing: whether another segment lies on the hex.
        over: whether this one is drawn above the other: that of the link begun later.
    """

    hex: int
    edges: tuple[int, int]
    owner: int
    link: int
    crossing: bool
    over: bool


@dataclass(frozen=True)
class LinkLine:
    """A link with its train.

    Attributes:
        start, end: city indices; end is None while the link is incomplete.
        start_edge, end_edge: the edges of those cities that it passes; end_edge is None while it is incomplete.
        hexes: board indices of its tiles, in order.
        open_edge: of the last tile, while it is incomplete.
    """

    owner: int
    start: int
    start_edge: int
    hexes: tuple[int, ...]
    end: int | None
    end_edge: int | None
    open_edge: int | None


@dataclass(frozen=True)
class CoinPath:
    """The coins of an Automa seat: hexes to come, cities on the way included (rule 8.9)."""

    seat: int
    hexes: tuple[int, ...]


@dataclass(frozen=True)
class Corner:
    """A corner of the map: its name, its resource, and the seats whose direction marker is there (rule 8.1)."""

    name: str
    color: str
    markers: tuple[int, ...]


@dataclass(frozen=True)
class Card:
    """A contract: number, needed colours in printed order, reward, points, bonus and the Automa's icon as words."""

    number: int
    needs: tuple[str, ...]
    money: int
    vp: int
    bonus: str
    icon: str


@dataclass(frozen=True)
class Seat:
    """What lies before a seat. In solo a company has no purse, no hand and no points: see ``Scene.solo``.

    Attributes:
        kind: ``"player"``, ``"automa"``, ``"company"`` (of a solo game) or ``"solo"`` (its player).
        hand_size: contracts in hand, ``hand`` those of them that the viewer knows.
        decides: whether the decision is this seat's.
        first: whether it opens each round.
    """

    seat: int
    name: str
    kind: str
    money: int | None
    trains: int | None
    factories: int | None
    hand_size: int | None
    hand: tuple[Card, ...]
    fulfilled: tuple[Card, ...]
    vp: int | None
    decides: bool
    first: bool
    wins: bool


@dataclass(frozen=True)
class Supply:
    """What lies beside the map: counts by word.

    Attributes:
        deck, aside: contracts in the deck, and set aside in solo.
        discards: contracts that Automas used as actions.
        off_map: City tiles by colour.
        stock: resources by colour.
        tiles: track tiles by kind, an entry of ``TILE_KINDS`` each.
        bag: in solo, trains in the bag by company.
    """

    deck: int
    aside: int
    discards: tuple[Card, ...]
    off_map: tuple[int, ...]
    stock: tuple[int, ...]
    tiles: tuple[int, ...]
    bag: tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """The decision under way.

    Attributes:
        seat: whose it is; None when the game is over.
        phase: ``Game.phase``.
        text: what is decided, in words.
        contract: the contract that is being fulfilled or whose bonus is under way.
        need: which of its resources is being handled.
        in_bonus: whether its bonus is under way.
        start: city and edge of the link whose first tile is to come.
        cargo: board index of the hex where the resource under way is.
        visited: indices of the first cities of the groups that it has passed.
        target: first city of the group that it goes to, while it is decided who is paid.
        building: city of the bonus factory whose resources are decided.
    """

    seat: int | None
    phase: str
    text: str
    actions_left: int
    placements_left: int
    takes_left: int
    contract: Card | None
    need: int
    in_bonus: bool
    start: tuple[int, int] | None
    cargo: int | None
    visited: tuple[int, ...]
    target: int | None
    building: int | None


@dataclass(frozen=True)
class Choice:
    """A legal action, and where it is to be shown.

    Attributes:
        action: its id; ``text``: its text; ``kind``: the first word of that.
        hex: board index, or ``OFF_THE_MAP``; ``edge``: of that hex, or None.
        contract, seat: what it is about, or None.
    """

    action: int
    text: str
    kind: str
    hex: int = OFF_THE_MAP
    edge: int | None = None
    contract: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Scene:
    """All that is to be seen. ``viewer`` is the seat that looks, or None for all hands.

    ``choices`` are the legal actions: of the mover, if the viewer is the mover or sees all.
    """

    title: str
    viewer: int | None
    mode: str
    edition: str
    round: int
    max_rounds: int
    end_trigger: int
    truncated: bool
    automa_level: str | None
    hexes: tuple[HexTile, ...]
    cities: tuple[CityTile, ...]
    segments: tuple[Segment, ...]
    links: tuple[LinkLine, ...]
    coins: tuple[CoinPath, ...]
    corners: tuple[Corner, ...]
    seats: tuple[Seat, ...]
    solo: Seat | None
    supply: Supply
    decision: Decision
    choices: tuple[Choice, ...]

    @property
    def owners(self) -> tuple[Seat, ...]:
        """Those who have a hand: the seats, in solo the one player."""
        return self.seats if self.solo is None else (self.solo,)
