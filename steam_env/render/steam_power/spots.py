"""What a click on the picture means: the actions of each place that it marks, and what there is to know of it."""

from __future__ import annotations

from collections.abc import Iterator

from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import BUILD, FULFIL, HEAD_TO, HOP_TO, REPLACE, SOURCE_FROM, START
from steam_env.kit.show import say_count
from steam_env.render.spots import Spot, name_spot
from steam_env.render.steam_power.things import Card, CityTile, Scene, Seat
from steam_env.words.seats import name_seat

BUILDING_PHASES = ("action", "track", "bonus")  # in which a city may be built in, or begun from


def list_spots(scene: Scene) -> dict[str, Spot]:
    """What a click means, by the names with which the picture marks its places."""
    return dict(_list_spots(scene))


def _list_spots(scene: Scene) -> Iterator[tuple[str, Spot]]:
    for number, city in enumerate(scene.cities):
        actions = tuple(_list_city_actions(scene, number, city))
        yield name_spot("city", city.hex), Spot(city.name, tell_city(scene, city), actions)
    yield from _list_edges(scene)
    for choice in scene.choices:
        if choice.kind == "start" and choice.edge is not None:
            yield name_spot("edge", choice.hex, choice.edge), Spot(choice.text, "", (choice.action,))
        elif choice.kind == "remove":
            yield name_spot("tail", choice.hex), Spot(choice.text, "take back the last tile", (choice.action,))
    for owner in scene.owners:
        for card in owner.hand:
            spot = Spot(f"contract {card.number}", tell_card_in_full(card), (FULFIL + card.number,))
            yield name_spot("contract", card.number), spot
    for seat in scene.seats:
        actions = tuple(choice.action for choice in scene.choices if choice.seat == seat.seat)
        yield name_spot("seat", seat.seat), Spot(seat.name, tell_seat(seat), actions)


def _list_city_actions(scene: Scene, number: int, city: CityTile) -> Iterator[int]:
    phase = scene.decision.phase
    if phase in BUILDING_PHASES:
        yield BUILD + number
        yield from range(START + number * NUM_EDGES, START + (number + 1) * NUM_EDGES)
    elif phase == "source":
        yield SOURCE_FROM + number
    elif phase == "hop":
        yield HOP_TO + city.group


def _list_edges(scene: Scene) -> Iterator[tuple[str, Spot]]:
    """The six edges of each hex of which a far edge is chosen."""
    blocks = {"head": HEAD_TO, "replace": REPLACE}
    chosen = {(choice.hex, choice.kind) for choice in scene.choices if choice.kind in blocks}
    for here, kind in sorted(chosen):
        for edge in range(NUM_EDGES):
            spot = Spot(f"{kind} on {scene.hexes[here].name}", "", (blocks[kind] + edge,))
            yield name_spot("edge", here, edge), spot


def tell_city(scene: Scene, city: CityTile) -> str:
    """A city's tile, factory and group."""
    if city.owner is None:
        words = [f"{city.color}, no factory"]
    else:
        left = "flipped" if city.flipped else f"{say_count(city.resources, 'resource')} left"
        words = [f"{city.color}, factory of {name_seat(city.owner)}, {left}"]
    words.append(f"{city.vp} VP when flipped")
    others = [other.name for other in scene.cities if other.group == city.group and other is not city]
    if others:
        words.append(f"one group with {', '.join(others)}")
    return "; ".join(words)


def tell_card_in_full(card: Card) -> str:
    """A contract in words."""
    bonus = "no bonus" if card.bonus == "none" else f"bonus {card.bonus}"
    return f"contract {card.number}: {' '.join(card.needs)} for ${card.money} and {card.vp} VP, {bonus}"


def tell_seat(seat: Seat) -> str:
    """What a seat has fulfilled, contract by contract."""
    if not seat.fulfilled:
        return "no contract fulfilled"
    return "fulfilled: " + "; ".join(f"{card.number} ({' '.join(card.needs)}, {card.vp} VP)" for card in seat.fulfilled)
