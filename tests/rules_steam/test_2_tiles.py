"""Rule 2: tiles, and how many links there may be."""

from itertools import combinations
from typing import Any

import pytest

from tests.rules_steam import games
from tests.rules_steam.boards import RICH, example, links, place, play, position, refused, words
from tests.rules_steam.engines import Engine
from tests.rules_steam.placements import Row, check_row, rows

EDGES = ("N", "NE", "SE", "S", "SW", "NW")
FLOWER: dict[str, Any] = {  # D4 in a ring of cities, so that all its track is complete
    "name": "flower",
    "cities": [{"name": name, "color": "red"} for name in ("Ash", "Bay", "Cob", "Dun", "Eel", "Fir")],
    "rows": "\n   @\n  @ @\n   .\n  @ @\n   @",
}
BEHIND = {"N": "Cob", "NE": "Eel", "SE": "Fir", "S": "Dun", "SW": "Bay", "NW": "Ash"}
TOWN_FLOWER: dict[str, Any] = {**FLOWER, "towns": ["Ern"], "rows": FLOWER["rows"].replace(".", "o")}


def tile_texts(game: Engine) -> list[str]:
    first = game.number_of("tile N-NE")
    return [game.text_of(first + place).removeprefix("tile ") for place in range(107)]


def is_sharp(segment: str) -> bool:
    one, other = (EDGES.index(edge) for edge in segment.split("-"))
    return abs(one - other) in (1, 5)


def kind_on_flower(engine: type[Engine], text: str) -> str:
    """The kind whose stock is one less where the pattern lies."""
    board = FLOWER if "-" in text else TOWN_FLOWER
    paths = []
    for part in text.split("+"):
        ends = [BEHIND[edge] for edge in part.split("-")]
        paths.append(f"0: {ends[0]} D4 {ends[1]}" if len(ends) == 2 else f"0: Ern {ends[0]}")
    full, laid = position(engine, map=board).state()["stock"], position(engine, *paths, map=board).state()
    assert laid["tiles"] == {"D4": text}
    (kind,) = (kind for kind in full if laid["stock"][kind] != full[kind])
    assert full[kind] - laid["stock"][kind] == 1
    return kind


# --- 2.1 to 2.4 -----------------------------------------------------------------------------------
def test_2_1_a_segment_joins_two_edges_or_an_edge_and_the_town(engine: type[Engine]) -> None:
    game = position(engine)
    play(game, "build B4", "tile SE-NW", "build C5", "tile NW")
    assert links(game) == {"0: Alder B4 Usk"}


def test_2_2_there_are_107_patterns(engine: type[Engine]) -> None:
    """All pairs; all that have two segments of four edges but with two sharp ones; one to four spurs."""
    pairs = [f"{one}-{other}" for one, other in combinations(EDGES, 2)]
    doubles = [
        f"{one}+{other}"
        for one, other in combinations(pairs, 2)
        if not set(one.split("-")) & set(other.split("-")) and not (is_sharp(one) and is_sharp(other))
    ]
    towns = ["+".join(edges) for spurs in range(1, 5) for edges in combinations(EDGES, spurs)]
    assert [len(pairs), len(doubles), len(towns)] == [15, 36, 56]
    assert tile_texts(position(engine)) == pairs + doubles + towns


@rows(52, 55)
def test_2_2_two_segments_side_by_side_but_not_two_sharp_ones(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


@rows(30)
def test_2_3_town_patterns_on_town_hexes_and_only_there(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)
    game = position(engine)
    assert game.explain_placement("B4", "NW") == "2.3"
    game.apply("build B4")
    assert all("-" in text for text in words(game, "tile"))


@pytest.mark.parametrize(
    ("placement", "exits", "more"),
    [("A5 N-S", 2, 0), ("G5 N-SW+S-NW", 4, 0), ("C5 SE", 1, 1), ("C5 SE+NW", 2, 1), ("C5 N+NE+SE+NW", 4, 1)],
)
def test_2_4_exits_are_the_edges_in_use(engine: type[Engine], placement: str, exits: int, more: int) -> None:
    game = place(position(engine), placement)
    assert game.state()["money"][0] == RICH - exits - more


# --- 2.5 ------------------------------------------------------------------------------------------
BOX = {"K1": 86, "K2": 10, "K3": 8, "K4": 4, "K5": 4, "K6": 4, "K7": 4, "K8": 4, "K9": 4, "K10": 2}
KIND_OF_SINGLE = {1: "K3", 2: "K1", 3: "K1"}  # by how far the edges are apart
KIND_OF_TOWN = {  # by the least of the turns of the gaps between the spurs, clockwise
    **{(6,): "K4", (1, 5): "K3", (2, 4): "K2", (3, 3): "K2"},
    **{(1, 1, 4): "K6", (1, 2, 3): "K9", (1, 3, 2): "K8", (2, 2, 2): "K5"},
    **{(1, 1, 1, 3): "K8", (1, 1, 2, 2): "K6", (1, 2, 1, 2): "K5"},
}
PATTERNS_OF = {"K1": 9, "K2": 9, "K3": 12, "K4": 9, "K5": 5, "K6": 12, "K7": 12, "K8": 12, "K9": 15, "K10": 12}


def kind_of(text: str) -> str:
    """As the table of the components has it, told by shapes."""
    parts = [sorted(EDGES.index(edge) for edge in part.split("-")) for part in text.split("+")]
    if "-" not in text:
        edges = [edge for part in parts for edge in part]
        gaps = [(after - edge - 1) % 6 + 1 for edge, after in zip(edges, edges[1:] + edges[:1], strict=True)]
        return KIND_OF_TOWN[min(tuple(gaps[turn:] + gaps[:turn]) for turn in range(len(gaps)))]
    apart = sorted(min(last - first, 6 - last + first) for first, last in parts)
    if len(parts) == 1:
        return KIND_OF_SINGLE[apart[0]]
    (first, last), other = parts
    crossing = sum(first < edge < last for edge in other) == 1
    if crossing:
        return "K4" if apart == [3, 3] else "K7"
    return "K10" if apart == [1, 2] else "K9"


@pytest.mark.parametrize("kind", BOX)
def test_2_5_kinds_of_the_box(engine: type[Engine], kind: str) -> None:
    """Every pattern is taken from its own kind."""
    texts = [text for text in tile_texts(position(engine)) if kind_of(text) == kind]
    assert len(texts) == PATTERNS_OF[kind]
    assert {kind_on_flower(engine, text) for text in texts} == {kind}


def test_2_5_the_stock_is_the_table_less_the_tiles_on_the_map(engine: type[Engine]) -> None:
    assert position(engine).state()["stock"] == BOX
    laid = position(engine, "0: Alder B4 Usk", "0: Usk Cedar", "1: Dale B6 >NW")
    assert laid.state()["stock"] == {**BOX, "K1": 86 - 1, "K2": 10 - 1, "K3": 8 - 1}


def without(kind: str) -> list[dict[str, Any]]:
    """The box with no tiles of the kind."""
    faces = {
        **{"K1": ["0-3", "0-2"], "K2": ["0,3", "0,2"], "K3": ["0-1", "0,1"], "K4": ["0-3+1-4", "0"]},
        **{"K5": ["0,1,3,4", "0,2,4"], "K6": ["0,1,2,4", "0,1,2"], "K7": ["0-2+1-4", "0-2+1-3"]},
        **{"K8": ["0,1,2,3", "0,1,4"], "K9": ["0,1,3", "0-1+2-5", "0-2+3-5"], "K10": ["0-1+2-4", "0-1+3-5"]},
    }
    return [{"kind": name, "count": 0 if name == kind else count, "faces": faces[name]} for name, count in BOX.items()]


@example(62)
def test_2_5_none_of_the_kind_left(engine: type[Engine]) -> None:
    game = position(engine, tiles=without("K3"))
    assert game.explain_placement("B4", "N-NW") == "2.5"
    assert game.explain_placement("B4", "NE-NW") is None
    game.apply("build B4")
    assert "N-NW" not in words(game, "tile")


@example(63)
def test_2_5_the_tile_that_is_replaced_is_back_first(engine: type[Engine]) -> None:
    one_sharp = [{**row, "count": 1} if row["kind"] == "K3" else row for row in without("K3")]
    game = position(engine, "0: Alder B4 >N", tiles=one_sharp)
    assert game.state()["stock"]["K3"] == 0
    place(game, "B4 SW-NW")
    assert game.state()["stock"]["K3"] == 0
    assert links(game) == {"0: Alder B4 >SW"}


def test_2_5_an_unlimited_stock(engine: type[Engine]) -> None:
    game = position(engine, tiles=without("K3"), rules={"tiles": "unlimited"})
    assert game.explain_placement("B4", "N-NW") is None
    assert game.state()["stock"] == {}


def test_2_5_an_unlimited_stock_is_not_counted() -> None:
    game = games.play(games.position(rules={"tiles": "unlimited"}), "build B4", "tile SE-NW")
    assert not game.record.stock.any()


def test_2_5_each_pattern_is_in_one_kind(engine: type[Engine]) -> None:
    for table in (without("K3")[1:], [*without("K3"), {"kind": "K11", "count": 1, "faces": ["0-3"]}]):
        with refused():
            position(engine, tiles=table)


# --- 2.6 and 2.7 ----------------------------------------------------------------------------------
TOWNS = 62
LAND, STOPS = ". . . . . . . .", " o   o   o   o "
FIELD: dict[str, Any] = {  # four columns of 16 stops with land between them; B4 and F4 are cities, B2 is above one
    "name": "field",
    "cities": [{"name": "Ash", "color": "red"}, {"name": "Bay", "color": "blue"}],
    "towns": [f"Ern-{number}" for number in range(TOWNS)],
    "rows": "\n".join(["", STOPS.replace("o", "."), LAND, STOPS.replace("o", "@", 2), *[LAND, STOPS] * 15, LAND]),
}


def test_2_6_money_and_discs_are_unlimited(engine: type[Engine]) -> None:
    """More than the box has of either: 68 tokens, and 24 discs a seat."""
    spurs = [f"0: Ern-{town} >{edge}" for town in range(4) for edge in ("NE", "SE", "SW", "NW")]
    others = [f"0: Ern-{town} >{edge}" for town in range(10, 18) for edge in ("NE", "SW")]
    game = position(engine, *spurs, *others, map=FIELD, money=10_000)
    assert [link["owner"] for link in game.state()["links"]] == [0] * (len(spurs) + len(others))
    assert game.state()["money"][0] == 10_000


def test_2_7_at_most_256_links(engine: type[Engine]) -> None:
    """Every town has four spurs, two cities have four tiles each: no further link, but two may still be joined."""
    spurs = [f"0: Ern-{town} >{edge}" for town in range(TOWNS) for edge in ("NE", "SE", "SW", "NW")]
    others = [f"0: Ash {at} >S" for at in ("A3", "A5", "C3", "C5")]
    others += [f"0: Bay {at} >S" for at in ("E3", "E5", "G3", "G5")]
    entries: dict[str, Any] = {"map": FIELD, "rules": {"tiles": "unlimited"}}
    almost, full = position(engine, *spurs, *others[1:], **entries), position(engine, *spurs, *others, **entries)
    assert almost.explain_placement("B2", "SE-S") is None
    assert len(full.state()["links"]) == 256
    assert full.explain_placement("B2", "SE-S") == "2.7"
    assert "build B2" not in full.legal()
    place(full, "A5 N-SE+NE-S")
    assert len(full.state()["links"]) == 255
