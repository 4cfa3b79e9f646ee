"""Scenarios, which are positions by hand: read and written."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tests.verification.reference_steam import setup
from tests.verification.reference_steam.board import LETTER_OF, SPACES, Board, read_board, require
from tests.verification.reference_steam.checks import find_problems, problems_of_tiles
from tests.verification.reference_steam.describe import PER_SEAT, describe, describe_order
from tests.verification.reference_steam.geometry import EDGE_NAMES, Hex
from tests.verification.reference_steam.links import Part, parts_of_path, trace
from tests.verification.reference_steam.phases import ROUNDS, sequence
from tests.verification.reference_steam.rules import Rules
from tests.verification.reference_steam.state import BUILD, GOODS, TAKE, Seat, Table, in_order
from tests.verification.reference_steam.tiles import BOX, read_tile_set
from tests.verification.reference_steam.track import max_placements

ENTRIES = {"rules", "supply", "grown", "map", "turn", "seats", "cubes", "new_cities", "links", "tiles"}
TURN_ENTRIES = {"number", "phase", "order", "seat", "placements", "round"}
LINK_ENTRIES = {"owner", "path", "open", "extended"}
PHASES = {"take": TAKE, "build": BUILD, "goods": GOODS}
IN_A_TURN = ("bankrupt", "tile", "passed", "to_do", "improved")


def read_scenario(scenario: Mapping[str, Any], rng: random.Random | None = None) -> Table:
    """The position, not settled yet; ``rng`` draws what is left out. A ValueError names what cannot be."""
    refuse_unknown("scenario", scenario, ENTRIES)
    rules, board = Rules.from_dict(scenario.get("rules", {})), read_board(scenario["map"])
    rules.check_map(board)
    seats = read_seats(rules, scenario.get("seats", {}))
    table = Table(board, rules, seats, read_tile_set(scenario.get("tiles", BOX)))
    table.grown = {find_stop(board, name) for name in scenario.get("grown", ())}
    for entry in scenario.get("new_cities", ()):
        table.new_cities[find_stop(board, entry["stop"])] = LETTER_OF[entry["color"]]
    put_links(table, scenario.get("links", ()))
    deal = put_cubes(table, scenario, rng)
    if "turn" in scenario:
        set_turn(table, scenario["turn"])
    else:
        told = sorted(set(IN_A_TURN) & set(scenario.get("seats", {})))
        require(not told and not table.marks, f"seats: {told} or extended links without a turn")
        setup.begin(table, deal.first)
    problems = find_problems(table)
    require(not problems, "; ".join(problems))
    return table


def refuse_unknown(what: str, table: Mapping[str, Any], known: set[str]) -> None:
    require(set(table) <= known, f"{what}: unknown entries {sorted(set(table) - known)}")


def read_seats(rules: Rules, table: Mapping[str, Any]) -> list[Seat]:
    refuse_unknown("seats", table, set(PER_SEAT))
    count = rules.num_players
    require(all(len(row) == count for row in table.values()), f"seats: {count} values each")
    return [Seat(**{name: row[number] for name, row in table.items()}) for number in range(count)]


def find_stop(board: Board, name: str) -> Hex:
    require(name in board.stop_of, f"{name!r} is no city or town of the map")
    return board.stop_of[name]


def put_links(table: Table, entries: Iterable[Mapping[str, Any]]) -> None:
    """Each path is one whole link."""
    told = [(entry, put_link(table, entry)) for entry in entries]
    problems = list(problems_of_tiles(table))
    require(not problems, "; ".join(problems))
    for entry, parts in told:
        link = trace(table.track, table.cities, parts[0])
        whole = set(link.parts) == set(parts) and link.complete != ("open" in entry)
        require(whole, f"links: {entry['path']} is not the whole of a link (rule 3.1)")


def put_link(table: Table, entry: Mapping[str, Any]) -> list[Part]:
    refuse_unknown("links", entry, LINK_ENTRIES)
    path = [table.board.place_of(name) for name in entry["path"]]
    head = EDGE_NAMES.index(entry["open"]) if "open" in entry else None
    parts = parts_of_path(table.board, path, table.cities, head)
    require(bool(parts), f"links: {entry['path']} has no track (rule 1.6)")
    for at, segment in parts:
        there = table.track.setdefault(at, {})
        require(segment not in there, f"links: {entry['path']} goes over track of another one")
        there[segment] = entry["owner"]
    table.forget_track()
    if entry.get("extended", False):
        require(head is not None, "links: only incomplete ones are extended")
        table.marks.update(parts)
    return parts


def put_cubes(table: Table, scenario: Mapping[str, Any], rng: random.Random | None) -> setup.Deal:
    """Cubes as the scenario gives them; what it leaves out is drawn, as the first seat is."""
    board, rules = table.board, table.rules
    cubes = {find_stop(board, name): letters for name, letters in scenario.get("cubes", {}).items()}
    require(set(cubes) <= set(table.cities), "cubes: only cities have them")
    table.cubes = {at: in_order(cubes.get(at, "")) for at in table.cities}
    given = board_with(board, cubes if "cubes" in scenario else None, scenario.get("supply"))
    elsewhere = "".join(table.cubes[at] for at in table.new_cities)
    deal = setup.draw(rules, given, rng or random.Random(0), elsewhere)
    table.cubes |= {board.stop_of[name]: letters for name, letters in deal.cities.items()}
    table.supply = list(deal.supply)
    return deal


def board_with(board: Board, cubes: Mapping[Hex, str] | None, supply: list[str] | None) -> Board:
    """The map as if it gave these cubes."""
    if cubes is not None:
        board = replace(board, cities={at: replace(city, cubes=cubes.get(at, "")) for at, city in board.cities.items()})
    if supply is not None:
        require(len(supply) == SPACES, f"supply: {SPACES} spaces")
        board = replace(board, supply=tuple(supply))
    return board


def set_turn(table: Table, entries: Mapping[str, Any]) -> None:
    refuse_unknown("turn", entries, TURN_ENTRIES)
    table.turn = entries.get("number", 1)
    set_order(table, entries)
    phase = entries.get("phase", "take")
    require(phase in PHASES, f"turn.phase: {phase!r} is none of {list(PHASES)}")
    table.phase = PHASES[phase]
    seats = sequence(table, table.phase)
    mover = entries.get("seat", seats[0] if seats else None)
    require(mover in seats, f"turn.seat: {mover} is none of {seats}")
    table.mover = mover
    require("placements" not in entries or table.phase == BUILD, "turn.placements: in build only")
    require("round" not in entries or table.phase == GOODS, "turn.round: in goods only")
    if table.phase == BUILD:
        table.placements = max_placements(table, mover) - entries.get("placements", 0)
    if table.phase == GOODS:
        table.round = entries.get("round", 1)
        require(1 <= table.round <= ROUNDS, f"turn.round: {table.round} is none of 1 to {ROUNDS} (rule 9.1)")


def set_order(table: Table, entries: Mapping[str, Any]) -> None:
    """All seats, bankrupt ones behind all others (rule 13.1)."""
    living = [number for number, seat in enumerate(table.seats) if not seat.bankrupt]
    listed = entries.get("order", [*living, *table.bankrupt_seats])
    table.order = listed[: len(living)]
    fine = sorted(table.order) == living and listed == describe_order(table)
    require(fine, f"turn.order: {listed}: {living} in any order, then {table.bankrupt_seats} (rule 13.1)")


def write_scenario(table: Table, board: Mapping[str, Any]) -> dict[str, Any]:
    """The position at a decision of TAKE, BUILD or GOODS; ``board``: the map as a table."""
    names = {phase: name for name, phase in PHASES.items()}
    require(table.phase in names, f"no scenario in {table.phase}")
    assert table.mover is not None
    told, turn_entries = describe(table), {"number": table.turn, "phase": names[table.phase]}
    turn_entries |= {"order": told["order"], "seat": table.mover}
    if table.phase == BUILD:
        turn_entries["placements"] = max_placements(table, table.mover) - table.placements
    if table.phase == GOODS:
        turn_entries["round"] = table.round
    rules = {name: value for name, value in vars(table.rules).items() if value is not None}
    other_tiles = {} if table.tile_set.rows == list(BOX) else {"tiles": table.tile_set.rows}
    return other_tiles | {
        "rules": rules,
        "map": dict(board),
        "turn": turn_entries,
        "seats": {name: told[name] for name in PER_SEAT},
        **{name: told[name] for name in ("supply", "grown", "cubes", "links")},
        "new_cities": [{"stop": name, "color": color} for name, color in told["new_cities"].items()],
    }
