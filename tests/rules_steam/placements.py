"""The worked examples of placements: what lies there, who lays what, and what comes of it.

Seats are rich, and it is the track turn of the seat. Each illegal row breaks one rule only. ``check_row`` runs a row.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.rules_steam.boards import COVERED, RICH, as_told, is_refused, links, place, position, words
from tests.rules_steam.engines import Engine

NONE = "-"
TABLE = """
15 | - | 0 | B4 SE-NW | new | 3 | 0: Alder B4 >SE
16 | - | 0 | F4 NE-SW | new | 5 | 0: Birch F4 >SW
17 | - | 0 | E3 NE-SW | illegal 8.4 | - | -
18 | 0: Alder B2 >NE | 0 | C1 SE-SW | illegal 8.3 a | - | -
19 | 0: Alder B2 C3 >NE | 0 | D2 SW+NE | illegal 8.3 a | - | -
20 | 0: Alder B2 C3 >NE | 0 | D2 SW+NW | illegal 8.3 a | - | -
21 | 0: Alder B4 >SE | 0 | C5 NW | new | 2 | 0: Alder B4 Usk
22 | 0: Alder B4 >SE | 0 | C5 SE+NW | new | 3 | 0: Alder B4 Usk; 0: Usk Cedar
23 | 0: Alder B4 >SE | 0 | C5 N+NE+SW+NW | new | 5 | 0: Alder B4 Usk; 0: Usk >N; 0: Usk >NE; 0: Usk >SW
24 | 0: Alder B4 >SE | 1 | C5 NW | illegal 8.3 b | - | -
25 | 0: Alder B4 >SE | 1 | C5 SE | new | 2 | 0: Alder B4 >SE; 1: Usk Cedar
26 | 0: Alder B4 >SE; 1: Usk Cedar | 0 | C5 SE+NW | improvement | 3 | 0: Alder B4 Usk; 1: Usk Cedar
27 | 0: Alder B4 Usk | 1 | C5 N+NW | illegal 8.4 | - | -
28 | 0: Alder B4 Usk | 1 | C5 N+SE+NW | improvement | 4 | 0: Alder B4 Usk; 1: Usk Cedar; 1: Usk >N
29 | 0: Alder B4 Usk | 0 | C5 N+NW | improvement | 3 | 0: Alder B4 Usk; 0: Usk >N
30 | 0: Alder B4 >SE | 0 | C5 NW-SE | illegal 2.3 | - | -
31 | 0: Cedar D4 >SE | 0 | E5 SW-NW | illegal 8.3 c | - | -
32 | 0: Alder B4 Usk; 0: Usk C3 >SE | 0 | D4 SW-NW | illegal 8.3 c | - | -
33 | 0: Alder B4 Usk; 0: Usk C3 >SE | 0 | D4 S-NW | new | 2 | 0: Alder B4 Usk; 0: Usk C3 D4 Cedar
34 | 0: Alder B4 >SE | 0 | B4 NE-NW | redirection | 2 | 0: Alder B4 >NE
35 | 0: Alder B4 >SE | 0 | B4 NE-SE | illegal 8.2 | - | -
36 | 0: Alder B4 >SE | 1 | B4 NE-NW | illegal 8.2 | - | -
37 | 0: Birch G5 >SW | 0 | G5 N-S | redirection | 2 | 0: Birch G5 Elm
38 | -: Birch G5 >SW | 1 | G5 N-S | redirection | 2 | 1: Birch G5 Elm
39 | -: Birch G5 >SW | 1 | G5 N-NW | redirection | 2 | -: Birch G5 >NW
40 | -: Birch G5 >SW | 1 | F6 NE-SE | new | 2 | 1: Birch G5 F6 Elm
41 | -: Birch G5 >SW | 1 | F6 N-NE | new | 2 | 1: Birch G5 F6 >N
42 | 0: Alder B4 Usk; -: Usk >NE | 1 | D4 NE-SW | illegal 8.4 | - | -
43 | 0: Alder B4 Usk; -: Usk >NE | 1 | D4 S-SW | new | 2 | 0: Alder B4 Usk; 1: Usk D4 Cedar
44 | 0: Alder B4 Usk; -: Usk >NE | 0 | D4 NE-SW | new | 2 | 0: Alder B4 Usk; 0: Usk D4 >NE
45 | 0: Alder B4 Usk; 1: Dale B6 >N | 1 | B4 N-S+SE-NW | improvement | 4 | 0: Alder B4 Usk; 1: Dale B6 B4 >N
46 | 0: Alder B4 Usk; 1: Dale B6 >N | 2 | B4 N-S+SE-NW | illegal 8.3 b | - | -
47 | 0: Alder B4 Usk; 1: Dale B6 B4 >N | 1 | B4 NE-S+SE-NW | redirection | 4 | 0: Alder B4 Usk; 1: Dale B6 B4 >NE
48 | 0: Alder B4 Usk; 1: Dale B6 B4 >N | 0 | B4 N-S+NE-NW | illegal 8.2 | - | -
49 | 0: Cedar E5 >NE | 1 | F4 NE-S | new | 5 | 0: Cedar E5 >NE; 1: Birch F4 >S
50 | 0: Cedar E5 >NE | 1 | F4 NE-SW | illegal 8.3 b | - | -
51 | 0: Cedar E5 >NE; 1: Birch F4 >S | 0 | F4 N-SW+NE-S | improvement | 4 | 0: Cedar E5 F4 >N; 1: Birch F4 >S
52 | 0: Cedar E5 >NE; 1: Birch F4 >S | 0 | F4 NE-S+SE-SW | improvement | 4 | 0: Cedar E5 F4 >SE; 1: Birch F4 >S
53 | - | 0 | G5 N-SW+S-NW | new | 4 | 0: Birch G5 >SW; 0: Elm G5 >NW
54 | - | 0 | D4 NE-S+SE-SW | illegal 8.4 | - | -
55 | - | 0 | G5 N-NW+S-SW | illegal 2.2 | - | -
56 | 0: Birch G5 Elm; 1: Birch F4 >S | 1 | F6 N-SE | new | 2 | 0: Birch G5 Elm; 1: Birch F4 F6 Elm
57 | 0: Alder B2 C3 Toll; 0: Toll >S | 0 | D4 N-SW | new | 2 | 0: Alder B2 C3 Toll; 0: Toll D4 >SW
58 | 0: Alder B2 C3 Toll; 0: Toll D4 >SW | 0 | C5 NE | new | 2 | 0: Alder B2 C3 Toll; 0: Toll D4 Usk
59 | 0: Alder B4 Usk; 0: Usk >N | 0 | C5 NE+NW | illegal 8.2 | - | -
60 | 0: Cedar D4 >NE | 0 | E3 NE-SW | new | 4 | 0: Cedar D4 E3 >NE
61 | 0: Birch G5 Elm | 0 | G5 N-SW | illegal 8.2 | - | -
119 | 0: Alder B4 >SE | 0 | B4 N-S+NE-NW | illegal 8.2 | - | -
120 | 0: Alder B2 C3 Toll; -: Toll D4 >SW | 1 | C5 NE+SE | new | 3 | 0: Alder B2 C3 Toll; 1: Usk Cedar; 1: Usk D4 Toll
121 | 0: Alder B2 C3 Toll; -: Toll D4 >SW | 1 | C5 NE | illegal 8.4 | - | -
122 | 0: Birch F4 >S; -: Cedar E5 >NE | 0 | F4 NE-SW | redirection | 2 | 0: Cedar E5 F4 Birch
123 | 0: Birch F4 >S; 1: Cedar E5 >NE | 0 | F4 NE-SW | illegal 8.3 b | - | -
124 | 0: Alder B4 Usk; -: Usk >NE | 0 | C5 N+NE+NW | improvement | 4 | 0: Alder B4 Usk; -: Usk >NE; 0: Usk >N
125 | 0: Alder B2 C3 Toll | 0 | D2 SW+NW | illegal 8.3 a | - | -
"""


@dataclass(frozen=True)
class Row:
    """An example: links before, seat, placement, its kind or the rule that it breaks, its cost, and links after."""

    number: int
    before: tuple[str, ...]
    seat: int
    placement: str
    verdict: str
    cost: int
    after: tuple[str, ...]


def read_row(line: str) -> Row:
    number, before, seat, placement, verdict, cost, after = (part.strip() for part in line.split(" | "))
    told = [tuple(text.split("; ")) if text != NONE else () for text in (before, after)]
    return Row(int(number), told[0], int(seat), placement, verdict, int(cost) if cost != NONE else 0, told[1])


ROWS = {row.number: row for row in map(read_row, TABLE.strip().split("\n"))}


def rows(*numbers: int) -> Any:
    """A test of these rows, which it gets one by one as ``row``."""
    COVERED.update(numbers)
    return pytest.mark.parametrize("row", [ROWS[number] for number in numbers], ids=[f"example {n}" for n in numbers])


def check_row(engine: type[Engine], row: Row) -> None:
    """Legal: cost and links after. Illegal: it is neither offered nor played, for the rule that is told."""
    game = position(engine, *row.before, seat=row.seat)
    at, pattern = row.placement.split()
    if row.verdict.startswith("illegal"):
        rule = row.verdict.removeprefix("illegal ").replace(" ", "")
        assert game.explain_placement(at, pattern) == rule
        check_not_offered(game, at, pattern)
        return
    assert game.explain_placement(at, pattern) is None
    place(game, row.placement)
    assert links(game) == as_told(*row.after)
    assert game.state()["money"][row.seat] == RICH - row.cost
    assert game.state()["tiles"][at] == pattern


def check_not_offered(game: Engine, at: str, pattern: str) -> None:
    if f"build {at}" not in game.legal():
        assert is_refused(game, f"build {at}")
        return
    game.apply(f"build {at}")
    assert pattern not in words(game, "tile")
    assert is_refused(game, f"tile {pattern}")
