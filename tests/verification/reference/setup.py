"""Rules 2, 8.1 and 9.1: the table at the start of a game, or as a scenario describes it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from steam_env import Rules
from steam_env.data.steam_power.decks import Deck, load_deck, parse_deck
from steam_env.data.steam_power.maps import Map, load_map, parse_map
from tests.verification.reference import edition
from tests.verification.reference.geometry import (
    COLOR_WORDS,
    EDGE_NAMES,
    RESOURCES,
    TERRAIN,
    TILES_OF_KIND,
    Board,
    beside,
    tile_kind,
)
from tests.verification.reference.state import Link, Table

LETTERS = {word: letter for letter, word in COLOR_WORDS.items()}


# --- an empty table -------------------------------------------------------------------------------
def empty_table(rules: Rules, drawn: Map, deck: Deck, colors: str, off_map: str) -> Table:
    """City tiles on the map, everything else in stock or in front of its owner."""
    terrain = {(column, row): TERRAIN[code] for column, row, code in drawn.hexes}
    board = Board(terrain, drawn.cities, deck.contracts)
    numbers = edition.numbers_of(rules, deck.contracts_to_end)
    cities = range(len(colors))
    # In every corner of the map lies a resource out of the 30 (rule 8.1).
    in_stock = edition.RESOURCES_OF_COLOR - (1 if rules.automas else 0)
    return Table(
        board=board,
        rules=rules,
        numbers=numbers,
        colors=colors,
        off_map=Counter(off_map),
        links=[],
        owner=[None for _ in cities],
        resources=[0 for _ in cities],
        money=[edition.MONEY_AT_START] * numbers.purses,
        trains=[numbers.trains] * numbers.companies,
        factories=[edition.FACTORIES] * numbers.companies,
        stock=dict.fromkeys(RESOURCES, in_stock),
        tiles=dict(TILES_OF_KIND),
        hands=[set() for _ in range(numbers.purses)],
        fulfilled=[set() for _ in range(numbers.purses)],
        known=[set() for _ in range(numbers.purses)],
        deck=[],
        generation=[0] * len(deck.contracts),
        discards=set(),
        set_aside=set(),
        bag=[],
        corners="",
        marker={},
        coins={},
    )


# --- a deal ---------------------------------------------------------------------------------------
def table_of_deal(rules: Rules, deal: Mapping[str, Any]) -> Table:
    """Set-up with these outcomes of chance, as a ``deal`` event tells them."""
    table = empty_table(rules, load_map(rules.map), load_deck(rules.contracts), deal["cities"], deal["off_map"])
    for hand, dealt in zip(table.hands, deal["hands"], strict=False):  # Automas have none
        hand.update(dealt)
    table.deck = list(deal["deck"])
    table.seat = table.first_player = deal["first_player"]
    place_automas(table, deal)
    if table.solo:
        table.seat, *table.bag = deal["trains"]
        table.actions_left = 1
    return table


def place_automas(table: Table, entries: Mapping[str, Any]) -> None:
    """Rule 8.1: the corners' resources; the markers begin beside white."""
    seats = table.automa_seats
    if not seats:
        return
    table.corners = "".join(LETTERS[word] for word in entries["corners"])
    markers = entries.get("marker", [table.corners.index("W")] * len(seats))
    paths = entries.get("coins", [[] for _ in seats])
    table.marker = dict(zip(seats, markers, strict=True))
    table.coins = {seat: [table.board.place_at[name] for name in path] for seat, path in zip(seats, paths, strict=True)}
    table.discards = set(entries.get("discards", ()))


# --- a scenario -----------------------------------------------------------------------------------
def table_of_scenario(scenario: Mapping[str, Any]) -> Table:
    """The position; what chance would decide must be given."""
    source, cards = scenario.get("map", "midwest"), scenario.get("contracts", "standard")
    drawn = load_map(source) if isinstance(source, str) else parse_map(source)
    deck = load_deck(cards) if isinstance(cards, str) else parse_deck(cards)
    rules = Rules(**scenario.get("rules", {}))
    colors = scenario["cities"]
    left = Counter(drawn.tiles) - Counter(colors)
    table = empty_table(rules, drawn, deck, colors, scenario.get("off_map", "".join(left.elements())))
    for entry in scenario.get("links", ()):
        put_link(table, entry)
    for segments in table.tracks.values():
        table.tiles[tile_kind(*segments)] -= 1
    for entry in scenario.get("factories", ()):
        put_factory(table, entry)
    place_contracts(table, scenario)
    place_automas(table, scenario.get("automa", {}))
    set_turn(table, scenario)
    return table


def put_link(table: Table, entry: Mapping[str, Any]) -> None:
    places = [table.board.place_at[name] for name in entry["path"]]
    complete = places[-1] in table.board.city_at
    if not complete:
        places.append(beside(places[-1], EDGE_NAMES.index(entry["open"])))
    link = Link(entry["owner"], table.board.city_at[places[0]], table.board.tiles_along(places))
    link.end = table.board.city_at[places[-1]] if complete else None
    table.links.append(link)
    table.trains[link.owner] -= 1
    table.links_changed()


def put_factory(table: Table, entry: Mapping[str, Any]) -> None:
    city = table.board.names.index(entry["city"])
    table.owner[city] = entry["owner"]
    table.resources[city] = entry["resources"]
    table.stock[table.colors[city]] -= entry["resources"]
    table.factories[entry["owner"]] -= 1


def place_contracts(table: Table, scenario: Mapping[str, Any]) -> None:
    """Money, hands, piles and the deck; in solo what is nowhere else has been set aside."""
    seats, deck = scenario.get("seats", {}), scenario.get("deck", {})
    table.money = list(seats.get("money", table.money))
    table.hands = as_sets(seats.get("hands", table.hands))
    table.fulfilled = as_sets(seats.get("fulfilled", table.fulfilled))
    table.known = as_sets(seats.get("known", table.known))
    table.deck = list(deck["order"])
    table.generation = list(deck.get("generation", table.generation))
    discards = scenario.get("automa", {}).get("discards", ())
    placed = set(table.deck).union(discards, *table.hands, *table.fulfilled)
    table.set_aside = set(range(len(table.board.contracts))) - placed
    assert len(table.set_aside) == scenario.get("solo", {}).get("set_aside", 0)


def as_sets(piles: Iterable[Iterable[int]]) -> list[set[int]]:
    return [set(pile) for pile in piles]


def set_turn(table: Table, scenario: Mapping[str, Any]) -> None:
    turn = scenario.get("turn", {})
    table.bag = list(scenario.get("solo", {}).get("trains", ()))
    table.seat = turn["seat"] if "seat" in turn else table.bag.pop(0) if table.solo else 0
    table.actions_left = turn.get("actions_left", 1 if table.solo else 2)
    table.first_player = turn.get("first_player", 0)
    table.round = turn.get("round", 1)
