"""The position as a dict, and links as scenarios have them."""

from typing import Any

from tests.verification.reference_steam import score
from tests.verification.reference_steam.board import COLOR_WORDS
from tests.verification.reference_steam.geometry import EDGE_NAMES, Hex, name_hex
from tests.verification.reference_steam.links import Link, is_marked, list_links, owner_of
from tests.verification.reference_steam.state import (
    END,
    Auction,
    Growing,
    Laying,
    Moving,
    Scoring,
    Table,
    Urbanizing,
)
from tests.verification.reference_steam.tiles import name_pattern

PER_SEAT = ("money", "income", "vp", "level", "bankrupt", "tile", "passed", "to_do", "improved")


def describe(table: Table) -> dict[str, Any]:
    """Everything public, as plain values."""
    done = table.phase == END
    return {
        "turn": table.turn,
        "turns": table.rules.num_turns,
        "phase": table.phase,
        "mover": table.mover,
        "done": done,
        "order": describe_order(table),
        "round": table.round,
        "placements": table.placements,
        **{name: [getattr(seat, name) for seat in table.seats] for name in PER_SEAT},
        "complete_links": score.complete_links(table),
        **describe_goods(table),
        "tiles": {name_hex(at): name_pattern(pattern) for at, pattern in sorted(table.patterns.items())},
        "stock": {} if table.rules.tiles == "unlimited" else dict(table.stock),
        "links": [describe_link(table, link) for link in list_links(table)],
        "chain": describe_chain(table),
        "auction": describe_auction(table.auction, table.mover),
        "scores": score.scores(table),
        "winners": score.winners(table) if done else None,
        "places": score.places(table) if done else None,
    }


def describe_order(table: Table) -> list[int]:
    """Rule 13.1: bankrupt seats behind all others, in seat order; rule 15.2: no order track in an auction."""
    return [] if table.auction is not None else [*table.order, *table.bankrupt_seats]


def describe_goods(table: Table) -> dict[str, Any]:
    names = table.board.names
    return {
        "cubes": {names[at]: table.cubes.get(at, "") for at in sorted(table.cities)},
        "supply": list(table.supply),
        "bag": dict(table.bag),
        "grown": [names[at] for at in sorted(table.grown)],
        "markers_left": table.markers_left,
        "new_cities": {names[at]: COLOR_WORDS[color] for at, color in sorted(table.new_cities.items())},
        "new_left": {COLOR_WORDS[color]: left for color, left in table.new_cities_left.items()},
    }


def name_place(table: Table, at: Hex) -> str:
    return table.board.names.get(at, name_hex(at))


def describe_link(table: Table, link: Link) -> dict[str, Any]:
    """As in scenarios."""
    known: dict[Hex, str] = table.find_once(table.by_track, "places", dict)
    for at in link.path:
        if at not in known:
            known[at] = name_place(table, at)
    told: dict[str, Any] = {"owner": owner_of(table.track, link), "path": [known[at] for at in link.path]}
    if not link.complete:
        told["open"] = EDGE_NAMES[link.heads[0][1]]
        if is_marked(table, link):
            told["extended"] = True
    return told


def describe_chain(table: Table) -> dict[str, Any] | None:
    """What was chosen so far within an action."""
    chain, names = table.chain, table.board.names
    if isinstance(chain, Laying):
        return {"hex": name_hex(chain.at)}
    if isinstance(chain, Growing):
        return {"grow": names[chain.city]}
    if isinstance(chain, Urbanizing):
        return {"urbanize": names[chain.town]} | ({"colour": COLOR_WORDS[chain.color]} if chain.color else {})
    if isinstance(chain, Moving):
        told: dict[str, Any] = {"stops": [names[at] for at in chain.stops], "classes": list(chain.owners)}
        if chain.cube is not None:
            told["cube"] = chain.cube
        if chain.to is not None:
            told["to"] = names[chain.to]
        return told
    if isinstance(chain, Scoring):
        return {"points": list(chain.points), "of": chain.mover}
    return None


def describe_auction(auction: Auction | None, mover: int | None) -> dict[str, Any] | None:
    if auction is None:
        return None
    return {
        "circle": list(auction.circle),
        "places": list(auction.places),
        "bid": auction.bid,
        "bidder": auction.bidder,
        "in": list(auction.bidding),
        "next": mover,
        "next_bid": auction.next_bid,
    }
