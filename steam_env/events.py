"""Events of a game for people and programs: what happened, who did it, with names instead of numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steam_env.core.events import EVENT_FIELDS, EVENT_KINDS
from steam_env.core.players import num_players
from steam_env.core.state import (
    COLOR_LETTERS,
    COLOR_NAMES,
    CORNER_NAMES,
    EDGE_NAMES,
    ICON_NAMES,
    NONE,
    PLACE_HAND,
    SOLO,
    TARGET_NAMES,
)
from steam_env.data.maps import hex_name
from steam_env.setting import Setting
from steam_env.text import name_seat

HIDDEN = "hidden"
CHANCE_KINDS = {"take": "contract", "stack": "contract", "bag": "company"}  # kind -> its outcome
PRIVATE = ("draw", "take")  # seen by those who took part
FACE_DOWN = ("stack", "bag", "aside")  # chance to come: seen by nobody
TABLE = -1  # the actor of what nobody does: the deal, rounds, the end


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: ``"deal"`` or a kind of ``steam_env.core.events.EVENT_FIELDS``.
        actor: the seat, or -1 for the table.
        values: numbers by name: cities, groups and contracts by index, hexes by index on the board,
            seats by index; -1 where there is none; ``"hidden"`` where a seat may not see it.
    """

    kind: str
    actor: int
    values: dict[str, Any] = field(default_factory=dict)

    def hide_from(self, seat: int, *, solo: bool = False) -> "Event":
        """The event as the seat may see it (rule 11); in solo every seat is the one player's."""
        if self.kind == "deal":
            return self._hide_deal(seat, solo)
        if self.kind in FACE_DOWN:
            return Event(self.kind, self.actor, dict.fromkeys(self.values, HIDDEN))
        if self.kind not in PRIVATE or solo or seat in (self.actor, self.values.get("from_seat")):
            return self
        return Event(self.kind, self.actor, {**self.values, "contract": HIDDEN})

    def _hide_deal(self, seat: int, solo: bool) -> "Event":
        values = {**self.values, "deck": HIDDEN}
        values["hands"] = [
            list(hand) if solo or owner == seat else HIDDEN for owner, hand in enumerate(self.values["hands"])
        ]
        if "trains" in values:
            values["trains"] = values["trains"][:1]  # the first is drawn
        return Event(self.kind, self.actor, values)

    def to_dict(self) -> dict[str, Any]:
        """The event as plain data, for JSON."""
        return {"kind": self.kind, "actor": self.actor, **self.values}


def deal_event(record: np.record, num_cities: int) -> Event:
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
            "cities": "".join(COLOR_LETTERS[color] for color in record.color[:num_cities]),
            "off_map": "".join(
                letter * int(count) for letter, count in zip(COLOR_LETTERS, record.off_map, strict=True)
            ),
            "first_player": int(record.first_player),
            "hands": hands,
            "deck": [int(contract) for contract in record.deck_order[: record.deck_size][::-1]],
            **more,
        },
    )


def read_trace(rows: np.ndarray) -> list[Event]:
    """Events from rows that the kernels wrote: kind, actor, values."""
    events = []
    for kind, actor, *values in rows.tolist():
        names = EVENT_FIELDS[EVENT_KINDS[kind]]
        events.append(Event(EVENT_KINDS[kind], actor, dict(zip(names, values, strict=False))))
    return events


def outcomes_of(events: Iterable[Event]) -> list[int]:
    """The chance outcomes among the events, in order: contracts taken, reshuffled decks, refilled bags."""
    return [event.values[CHANCE_KINDS[event.kind]] for event in events if event.kind in CHANCE_KINDS]


class Narrator:
    """Writes events as lines of text with the map's names."""

    def __init__(self, setting: Setting) -> None:
        self._cities = setting.map.cities
        self._contracts = setting.deck.contracts
        self._hexes = [hex_name(col, row) for col, row, _ in setting.map.hexes]

    def lines(self, events: Sequence[Event]) -> list[str]:
        """One line for each event."""
        return [self.line(event) for event in events]

    def line(self, event: Event) -> str:
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
        fee = "" if values["paid_to"] == NONE else f", ${values['cost']} to {name_seat(values['paid_to'])}"
        return f"takes a resource from {self._cities[values['city']]}{fee}"

    def _say_purchase(self, values: dict[str, Any]) -> str:
        return f"buys a {COLOR_NAMES[values['color']]} resource from the bank for ${values['cost']}"

    def _say_hop(self, values: dict[str, Any]) -> str:
        where = f"from {self._cities[values['from_group']]} to {self._cities[values['to_group']]}"
        return f"carries it {where}, ${values['cost']} to {name_seat(values['paid_to'])}"

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
        return f"moves its marker to the {CORNER_NAMES[values['corner']]} corner"

    def _say_reveal(self, values: dict[str, Any]) -> str:
        return f"draws {self._contract(values['contract'])}"

    def _say_act(self, values: dict[str, Any]) -> str:
        return f"cannot fulfil contract {values['contract']} and uses it as an action: {ICON_NAMES[values['icon']]}"

    def _say_discard(self, values: dict[str, Any]) -> str:
        return f"discards contract {values['contract']}"

    def _say_target(self, values: dict[str, Any]) -> str:
        rule = TARGET_NAMES[values["rule"]].replace("_", " ")
        return f"by {COLOR_NAMES[values['color']]} ({rule}) heads for {self._cities[values['city']]}"

    def _say_path(self, values: dict[str, Any]) -> str:
        return f"chooses a path of {values['tiles']} tiles for ${values['cost']} with {values['stops']} stops"

    def _say_choose_city(self, values: dict[str, Any]) -> str:
        return f"chooses {self._cities[values['city']]}: its network has {values['present']} resources of that colour"

    def _say_compensation(self, values: dict[str, Any]) -> str:
        return f"cannot do the bonus and gains ${values['amount']}"

    def _say_clear_coins(self, values: dict[str, Any]) -> str:
        return "can no longer follow its coin path, which is removed with its incomplete link"

    def _say_train(self, values: dict[str, Any]) -> str:
        return "is drawn: its action"

    def _say_bag(self, values: dict[str, Any]) -> str:
        return "a train goes into the bag"

    def _say_aside(self, values: dict[str, Any]) -> str:
        return f"{self._contract(values['contract'])} is set aside"

    def _say_end(self, values: dict[str, Any]) -> str:
        return "the game ends by the round limit" if values["truncated"] else "the game ends"


__all__ = ["HIDDEN", "TABLE", "Event", "Narrator", "deal_event", "outcomes_of", "read_trace"]
