"""Events of a game for people and programs: what happened, who did it, with names instead of numbers."""

from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam_power.events import CRITERIA, OBSTACLES
from steam_env.core.steam_power.players import num_players
from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    COLOR_NAMES,
    CORNER_NAMES,
    ICON_NAMES,
    PLACE_HAND,
    SOLO,
    TARGET_NAMES,
)
from steam_env.data.hexes import hex_name
from steam_env.data.steam_power.setting import Setting
from steam_env.kit.show import say_count
from steam_env.words.events import HIDDEN, TABLE, Event
from steam_env.words.seats import name_seat

CHANCE_EVENTS = {"take": "contract", "stack": "contract", "bag": "company"}  # kind -> its outcome
REVEALS = ("draw", "take", "reveal", "bag")
PRIVATE = ("draw", "take")  # seen by those who took part
FACE_DOWN = ("stack", "bag", "aside")  # chance to come: seen by nobody


def deal_event(record: np.record, setting: Setting) -> Event:
    """The outcome of the deal: a game can be set up from it again without any random numbers."""
    hands = [
        [int(contract) for contract in np.flatnonzero(record.place == PLACE_HAND + seat)]
        for seat in range(num_players(record))
    ]
    more: dict[str, Any] = {}
    if record.num_automas:
        more["corners"] = [COLOR_NAMES[color] for color in record.corners]
    if record.mode == SOLO:
        more["trains"] = [int(record.seat), *(int(company) for company in record.bag[: record.bag_size][::-1])]
    return Event(
        "deal",
        TABLE,
        {
            "cities": "".join(COLOR_LETTERS[color] for color in record.color[: len(setting.map.cities)]),
            "off_map": "".join(
                letter * int(count) for letter, count in zip(COLOR_LETTERS, record.off_map, strict=True)
            ),
            "first_player": int(record.first_player),
            "hands": hands,
            "deck": [int(contract) for contract in record.deck_order[: record.deck_size][::-1]],
            **more,
        },
    )


def hide_event(event: Event, seat: int, is_solo: bool) -> Event:
    """The event as the seat may see it (rule 11); in solo every seat is the one player's."""
    if event.kind == "deal":
        return _hide_deal(event, seat, is_solo)
    if event.kind in FACE_DOWN:
        return Event(event.kind, event.actor, dict.fromkeys(event.values, HIDDEN))
    if event.kind not in PRIVATE or is_solo or seat in (event.actor, event.values.get("from_seat")):
        return event
    return Event(event.kind, event.actor, {**event.values, "contract": HIDDEN})


def _hide_deal(event: Event, seat: int, is_solo: bool) -> Event:
    values = {**event.values, "deck": HIDDEN}
    values["hands"] = [
        list(hand) if is_solo or owner == seat else HIDDEN for owner, hand in enumerate(event.values["hands"])
    ]
    if "trains" in values:
        values["trains"] = values["trains"][:1]  # the first is drawn
    return Event(event.kind, event.actor, values)


# An Automa's reasons in words (rules 8.6 to 8.14).
_ICON_VERBS = ("lay track", "build a factory")
_SOURCE_WHY = {
    "only": "the only one in its extended network",
    "cheapest": "the cheapest of {candidates}",
    "own": "of the cheapest of {candidates} the one of its own",
    "fewest_left": "of its own cheapest of {candidates} the one with fewest left",
    "most_left": "of the cheapest of {candidates} the one with most left",
    "marker": "first by the marker of {candidates}, the others being no better",
}
TARGET_RULES = {
    "least_present": "a city without factory of a least present colour",
    "purple": "a purple city",
    "unconnected": "a city of a group without complete links",
    "opponent": "a city of an opponent's network",
}
_TARGET_WHY = {
    "only": "the only one",
    "only_in_reach": "the only one in reach of {candidates}",
    "nearest": "the nearest of {candidates}",
    "marker": "first by the marker of the nearest of {candidates}",
}
_PATH_WHY = {
    "only": "no other is as short",
    "lowest_cost": "the cheapest of the shortest",
    "most_stops": "the one with most stops of the cheapest of the shortest",
    "marker": "first by the marker of equal ones",
}
_TRACK_OBSTACLES = {
    "train": "it has no train in reserve",
    "start": "no city has the colour of its corner",
    "colors": "its contract has no further colour",
    "target": "it finds no target",
}
_FACTORY_WHY = {
    "only": "the only one possible",
    "least_present": "its colour is the least present, {present} in the extended network",
    "nearest": "of the least present colours, {present} in the extended network, the nearest at distance {distance}",
    "marker": "first by the marker of equal ones, {present} of the colour in the extended network, distance {distance}",
}
_COMPENSATION_WHY = {
    "contracts": "an Automa takes no contracts",
    "bonus_track": "it could not lay track",
    "bonus_factory": "it could not build a factory",
}


def _name_payee(seat: int) -> str:
    return "the bank" if seat == NONE else name_seat(seat)


class Narrator:
    """A function from an event to a line of text, with the map's names."""

    def __init__(self, setting: Setting) -> None:
        self._cities = setting.map.cities
        self._contracts = setting.deck.contracts
        self._hexes = [hex_name(col, row) for col, row, _ in setting.map.hexes]
        board = setting.boards[0]
        here = [int(city) for city in board.hex_city[: len(self._hexes)]]
        self._places = [
            name if city == NONE else self._cities[city] for name, city in zip(self._hexes, here, strict=True)
        ]
        self._groups: dict[int, list[str]] = {}
        for city, name in enumerate(self._cities):
            self._groups.setdefault(int(board.group[city]), []).append(name)

    def __call__(self, event: Event) -> str:
        """The event in words."""
        sentence = getattr(self, f"_say_{event.kind}")(event.values)
        return sentence if event.actor == TABLE else f"{name_seat(event.actor)} {sentence}"

    def _contract(self, number: int | str) -> str:
        if not isinstance(number, int):
            return "a contract"
        contract = self._contracts[number]
        bonus = "" if contract.bonus == "none" else f", {contract.bonus}"
        return f"contract {number} ({contract.needs}: ${contract.money}, {contract.vp} VP{bonus})"

    def _say_deal(self, values: dict[str, Any]) -> str:
        first = name_seat(values["first_player"])
        return f"cities {values['cities']}, off the map {values['off_map'] or 'none'}; first is {first}"

    def _say_money(self, values: dict[str, Any]) -> str:
        return f"takes ${values['amount']}"

    def _say_start(self, values: dict[str, Any]) -> str:
        return f"starts a link from {self._cities[values['city']]} {EDGE_NAMES[values['edge']]}"

    def _say_place(self, values: dict[str, Any]) -> str:
        what = "a crossing" if values["crossing"] else "track"
        return f"lays {what} on {self._hexes[values['hex']]}, {self._way(values)}, for ${values['cost']}"

    def _way(self, values: dict[str, Any]) -> str:
        return f"{EDGE_NAMES[values['entry']]} to {EDGE_NAMES[values['exit']]}"

    def _say_remove(self, values: dict[str, Any]) -> str:
        return f"takes back the track on {self._hexes[values['hex']]}"

    def _say_replace(self, values: dict[str, Any]) -> str:
        return f"turns the track on {self._hexes[values['hex']]}: now {self._way(values)}"

    def _say_complete(self, values: dict[str, Any]) -> str:
        return f"completes a link from {self._cities[values['from_city']]} to {self._cities[values['to_city']]}"

    def _say_build(self, values: dict[str, Any]) -> str:
        return f"builds a factory in {self._cities[values['city']]} with {values['resources']} resources"

    def _say_fulfil(self, values: dict[str, Any]) -> str:
        return f"begins {self._contract(values['contract'])}"

    def _say_source(self, values: dict[str, Any]) -> str:
        fee = f", ${values['cost']} to {_name_payee(values['paid_to'])}" if values["cost"] else ""
        return f"takes a resource from {self._cities[values['city']]}{fee}"

    def _say_purchase(self, values: dict[str, Any]) -> str:
        color = COLOR_NAMES[values["color"]]
        return f"buys a {color} resource from the bank for ${values['cost']}: none can reach its network"

    def _say_hop(self, values: dict[str, Any]) -> str:
        where = f"from {self._group(values['from_group'])} to {self._group(values['to_group'])}"
        return f"carries it {where}, ${values['cost']} to {_name_payee(values['paid_to'])}"

    def _say_flip(self, values: dict[str, Any]) -> str:
        return f"takes the last resource of {self._cities[values['city']]}: the tile is flipped"

    def _say_reward(self, values: dict[str, Any]) -> str:
        return f"fulfils {self._contract(values['contract'])} and gains ${values['money']}"

    def _say_draw(self, values: dict[str, Any]) -> str:
        return f"draws {self._contract(values['contract'])}"

    def _say_take(self, values: dict[str, Any]) -> str:
        return f"takes {self._contract(values['contract'])} from {name_seat(values['from_seat'])}"

    def _say_decline(self, values: dict[str, Any]) -> str:
        return f"declines the bonus of {self._contract(values['contract'])}"

    def _say_round(self, values: dict[str, Any]) -> str:
        return f"round {values['number']}"

    def _say_reshuffle(self, values: dict[str, Any]) -> str:
        return f"the {values['contracts']} discards of the Automas are shuffled into a new deck"

    def _say_stack(self, values: dict[str, Any]) -> str:
        return f"the new deck: {self._contract(values['contract'])}"

    def _say_automa(self, values: dict[str, Any]) -> str:
        corner = f"{CORNER_NAMES[values['corner']]} corner"
        return f"moves its marker to the {corner}, where the {COLOR_NAMES[values['color']]} resource is"

    def _say_reveal(self, values: dict[str, Any]) -> str:
        return f"draws {self._contract(values['contract'])} for its turn"

    def _say_no_contract(self, values: dict[str, Any]) -> str:
        return "finds no contract to draw: deck and discards are empty"

    def _say_assess(self, values: dict[str, Any]) -> str:
        contract, cost, money = values["contract"], values["least_cost"], values["money"]
        if cost == NONE:
            return f"cannot fulfil contract {contract}: it has no complete link"
        can, where = ("cannot", "only ") if cost > money else ("can", "")
        return f"{can} fulfil contract {contract}: that costs at least ${cost} and it has {where}${money}"

    def _say_choose_source(self, values: dict[str, Any]) -> str:
        city, cost = self._cities[values["city"]], values["cost"]
        what = f"chooses {city} for {COLOR_NAMES[values['color']]}, ${cost} with its links"
        return f"{what}: {_SOURCE_WHY[CRITERIA[values['why']]].format(candidates=values['candidates'])}"

    def _say_choose_hop(self, values: dict[str, Any]) -> str:
        group, ways, owners = self._group(values["to_group"]), values["ways"], values["owners"]
        parts = []
        if ways > 1:
            parts.append(f"goes by {group}: first by the marker of {ways} ways of equal cost")
        if owners > 1:
            payee = name_seat(values["paid_to"])
            parts.append(f"pays {payee} on the way to {group}: next in seat order of {owners} owners")
        return ", and ".join(parts)

    def _say_act(self, values: dict[str, Any]) -> str:
        return f"uses contract {values['contract']} as an action: its icon is {ICON_NAMES[values['icon']]}"

    def _say_instead(self, values: dict[str, Any]) -> str:
        failed = _ICON_VERBS[values["failed"]]
        if values["then"] == NONE:
            return f"cannot {failed} either: it takes $3 instead"
        return f"cannot {failed}: it tries to {_ICON_VERBS[values['then']]} instead"

    def _say_discard(self, values: dict[str, Any]) -> str:
        return f"discards contract {values['contract']}"

    def _say_base(self, values: dict[str, Any]) -> str:
        count = values["candidates"]
        why = "the only city" if count == 1 else f"first by the marker of {count} cities"
        return f"has no track and starts at {self._cities[values['city']]}: {why} of its corner's colour"

    def _say_present(self, values: dict[str, Any]) -> str:
        counts = ", ".join(f"{count} {color}" for color, count in values.items())
        return f"counts the resources in its extended network: {counts}"

    def _say_no_target(self, values: dict[str, Any]) -> str:
        rule, count = self._rule(values), values["candidates"]
        if count == 0:
            return f"finds no target {rule}: there is no such city outside its network"
        return f"finds no target {rule}: no path leads to any of {say_count(count, 'such city', 'such cities')}"

    def _say_unreachable(self, values: dict[str, Any]) -> str:
        city, tiles = self._cities[values["city"]], values["tiles"]
        return f"passes over {city}: no path of {say_count(tiles, 'tile')} there uses each hex once only"

    def _say_target(self, values: dict[str, Any]) -> str:
        why = _TARGET_WHY[CRITERIA[values["why"]]].format(candidates=values["candidates"])
        return f"heads for {self._group_of(values['city'])} {self._rule(values)}: {why}"

    def _rule(self, values: dict[str, Any]) -> str:
        return f"by {COLOR_NAMES[values['color']]} ({TARGET_RULES[TARGET_NAMES[values['rule']]]})"

    def _say_path(self, values: dict[str, Any]) -> str:
        tiles, stops = say_count(values["tiles"], "tile"), say_count(values["stops"], "stop")
        why = _PATH_WHY[CRITERIA[values["why"]]]
        return f"chooses a path of {tiles} for ${values['cost']} with {stops} on the way: {why}"

    def _say_path_hex(self, values: dict[str, Any]) -> str:
        cost = "" if values["cost"] == NONE else f" for ${values['cost']}"
        return f"has on its path {self._places[values['hex']]}{cost}"

    def _say_no_track(self, values: dict[str, Any]) -> str:
        return f"lays no track: {_TRACK_OBSTACLES[OBSTACLES[values['why']]]}"

    def _say_not_laid(self, values: dict[str, Any]) -> str:
        where = f"does not lay the track on {self._places[values['hex']]}"
        why = {
            "money": f"it cannot pay ${values['cost']}",
            "train": "it has no train",
            "illegal": "that tile is not legal any more",
        }
        return f"{where}: {why[OBSTACLES[values['why']]]}"

    def _say_coins(self, values: dict[str, Any]) -> str:
        return f"has coins for {say_count(values['tiles'], 'tile')} still to be laid"

    def _say_clear_coins(self, values: dict[str, Any]) -> str:
        coins, mover = say_count(values["tiles"], "coin"), name_seat(values["mover"])
        why = f"after {mover}'s placement a tile of it is illegal"
        return f"can no longer follow its path of {coins}, which is removed: {why}"

    def _say_choose_city(self, values: dict[str, Any]) -> str:
        where = "its extended network" if values["in_aen"] else "an opponent's network, as there is none in its own"
        why = _FACTORY_WHY[CRITERIA[values["why"]]].format(**values)
        return f"chooses {self._cities[values['city']]} in {where} for a factory: {why}"

    def _say_no_city(self, values: dict[str, Any]) -> str:
        if OBSTACLES[values["why"]] == "factory":
            return "builds no factory: there is none in its reserve"
        return "builds no factory: no city of its extended network or of an opponent's allows one"

    def _say_compensation(self, values: dict[str, Any]) -> str:
        why = _COMPENSATION_WHY[OBSTACLES[values["why"]]]
        return f"gains ${values['amount']} as compensation for the bonus: {why}"

    def _group(self, group: int) -> str:
        """The group's cities; it is named by its first one."""
        return "-".join(self._groups[group])

    def _group_of(self, city: int) -> str:
        """The city, with the others of its group if there are any."""
        name = self._cities[city]
        others = [other for cities in self._groups.values() if name in cities for other in cities if other != name]
        return f"{name} (one group with {', '.join(others)})" if others else name

    def _say_train(self, values: dict[str, Any]) -> str:
        return "is drawn: its action"

    def _say_bag(self, values: dict[str, Any]) -> str:
        return "a train goes into the bag"

    def _say_aside(self, values: dict[str, Any]) -> str:
        return f"{self._contract(values['contract'])} is set aside"

    def _say_end(self, values: dict[str, Any]) -> str:
        return "the game ends by the round limit" if values["truncated"] else "the game ends"
