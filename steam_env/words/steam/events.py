"""Events of a game for people and programs: what happened, who did it, with names instead of numbers."""

from typing import Any

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam.state import COLOR_NAMES, TILE_NAMES
from steam_env.core.steam.tiles import PLACEMENT_NAMES, name_pattern
from steam_env.data.steam.setting import Setting
from steam_env.kit.show import say_count
from steam_env.words.events import TABLE, Event
from steam_env.words.seats import name_seat

_VERBS = dict(zip(PLACEMENT_NAMES, ("lays", "improves the tile to", "redirects the track to"), strict=True))


def _own(values: dict[str, Any]) -> str:
    return "an unowned" if values["owner"] == NONE else f"{name_seat(values['owner'])}'s"


class Narrator:
    """A function from an event to a line of text, with the map's names."""

    def __init__(self, setting: Setting) -> None:
        self._stops = setting.map.stops
        self._hexes = setting.hex_names

    def __call__(self, event: Event) -> str:
        """The event in words."""
        sentence = str(getattr(self, f"_say_{event.kind}")(event.values))
        return sentence if event.actor == TABLE else f"{name_seat(event.actor)} {sentence}"

    def _say_deal(self, values: dict[str, Any]) -> str:
        cities, supply = " ".join(text or "-" for text in values["cities"]), " ".join(values["supply"])
        return f"cubes {cities}; supply {supply}; first is {name_seat(values['first'])}"

    def _say_turn(self, values: dict[str, Any]) -> str:
        return f"turn {values['number']}"

    def _say_bid(self, values: dict[str, Any]) -> str:
        return f"bids ${values['amount']}"

    def _say_withdraw(self, values: dict[str, Any]) -> str:
        return "bids no more for this place"

    def _say_place(self, values: dict[str, Any]) -> str:
        return f"takes place {values['number']} of the order track for ${values['price']}"

    def _say_take(self, values: dict[str, Any]) -> str:
        passing = ", and passes" if values["passed"] else ""
        cost = f" for ${values['cost']}" if values["cost"] else ""
        return f"takes {values['tile']} {TILE_NAMES[values['tile']]}{cost}{passing}"

    def _say_raise(self, values: dict[str, Any]) -> str:
        dollars = say_count(values["steps"], "time")
        return f"raises $5 {dollars}: income {values['income']}, {values['vp']} VP"

    def _say_engine(self, values: dict[str, Any]) -> str:
        return f"has a locomotive of level {values['level']}"

    def _say_lay(self, values: dict[str, Any]) -> str:
        verb = _VERBS[PLACEMENT_NAMES[values["what"]]]
        where = self._hexes[values["hex"]]
        return f"{verb} {name_pattern(values['pattern'])} on {where} for ${values['cost']}"

    def _say_link(self, values: dict[str, Any]) -> str:
        return f"completes a link between {self._stops[values['from_stop']]} and {self._stops[values['to_stop']]}"

    def _say_lapse(self, values: dict[str, Any]) -> str:
        where = f"{self._hexes[values['hex']]} {EDGE_NAMES[values['edge']]}"
        return f"loses the link from {self._stops[values['stop']]} to {where}: it was not extended"

    def _say_grow(self, values: dict[str, Any]) -> str:
        return f"grows {self._stops[values['stop']]} with the cubes of space {values['space'] + 1}"

    def _say_no_growth(self, values: dict[str, Any]) -> str:
        return "cannot carry out City Growth any more: the $2 are gone"

    def _say_urbanize(self, values: dict[str, Any]) -> str:
        space = values["space"]
        cubes = "without cubes" if space == NONE else f"with the cubes of space {space + 1}"
        return f"makes {self._stops[values['stop']]} a {COLOR_NAMES[values['color']]} city {cubes}"

    def _say_remove_link(self, values: dict[str, Any]) -> str:
        leads = "nowhere" if values["other"] == NONE else f"to {self._stops[values['other']]}"
        return f"removes with the tile of {self._stops[values['stop']]} {_own(values)} spur that led {leads}"

    def _say_claim(self, values: dict[str, Any]) -> str:
        stops = f"{self._stops[values['from_stop']]} and {self._stops[values['to_stop']]}"
        return f"gets the unowned link between {stops}, which the New City completes"

    def _say_done(self, values: dict[str, Any]) -> str:
        return "is done with track"

    def _say_improve(self, values: dict[str, Any]) -> str:
        return f"improves the locomotive to level {values['level']}"

    def _say_move(self, values: dict[str, Any]) -> str:
        return f"moves a {COLOR_NAMES[values['color']]} cube from {self._stops[values['stop']]}"

    def _say_carry(self, values: dict[str, Any]) -> str:
        return f"carries it to {self._stops[values['stop']]} over {_own(values)} link"

    def _say_deliver(self, values: dict[str, Any]) -> str:
        return f"delivers the {COLOR_NAMES[values['color']]} cube in {self._stops[values['stop']]}"

    def _say_income(self, values: dict[str, Any]) -> str:
        return f"puts {say_count(values['points'], 'point')} on income, now {values['income']}"

    def _say_vp(self, values: dict[str, Any]) -> str:
        return f"puts {say_count(values['points'], 'point')} on VP, now {values['vp']}"

    def _say_skip(self, values: dict[str, Any]) -> str:
        return "does nothing in the goods round"

    def _say_collect(self, values: dict[str, Any]) -> str:
        return f"collects ${values['amount']} of income"

    def _say_owe(self, values: dict[str, Any]) -> str:
        dropped = "" if values["paid"] >= values["amount"] else "; the rest is dropped"
        return f"owes ${values['amount']} and pays ${values['paid']}{dropped}"

    def _say_bankrupt(self, values: dict[str, Any]) -> str:
        return "cannot pay and is bankrupt"

    def _say_end(self, values: dict[str, Any]) -> str:
        return "the game ends"
