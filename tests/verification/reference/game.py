"""``Reference``: the whole game by the letter of the rules, to be compared with the product step by step."""

from collections.abc import Iterable, Mapping
from typing import Any

from steam_env import Rules
from tests.verification.reference import score, setup, turn
from tests.verification.reference.geometry import COLOR_WORDS, COLORS, EDGE_NAMES
from tests.verification.reference.state import Carriage, Link, Table

Events = list[dict[str, Any]]


class Reference:
    """A game, driven by texts of actions and by the outcomes of chance."""

    def __init__(self, table: Table, outcomes: Iterable[int] = ()) -> None:
        self.table = table
        self.opening_events = self._run(lambda: turn.play_automas(table), outcomes)

    @classmethod
    def from_scenario(cls, scenario: Mapping[str, Any], outcomes: Iterable[int] = ()) -> "Reference":
        """At a position; an Automa to move plays at once, by these outcomes."""
        return cls(setup.table_of_scenario(scenario), outcomes)

    @classmethod
    def from_deal(cls, rules: Rules, deal: Mapping[str, Any]) -> "Reference":
        """At the start of a game with the outcomes that a ``deal`` event tells."""
        return cls(setup.table_of_deal(rules, deal))

    # --- decisions ---
    seat = property(lambda self: self.table.seat)
    round = property(lambda self: self.table.round)
    actions_left = property(lambda self: self.table.actions_left)
    done = property(lambda self: self.table.done)
    truncated = property(lambda self: self.table.truncated)

    def legal(self) -> set[str]:
        return turn.legal(self.table)

    def step(self, text: str, outcomes: Iterable[int] = ()) -> Events:
        """Play a legal text; what happened up to the next decision.

        ``outcomes``: of chance, in order: contracts taken from hands, new decks, new bags.
        """
        return self._run(lambda: turn.play(self.table, text), outcomes)

    def _run(self, play: Any, outcomes: Iterable[int]) -> Events:
        self.table.events, self.table.chance = [], list(outcomes)
        play()
        assert not self.table.chance, f"outcomes left over: {self.table.chance}"
        return self.table.events

    # --- what there is to see ---
    def scores(self) -> list[dict[str, int]]:
        return score.scores(self.table)

    def winners(self) -> list[int]:
        return score.winners(self.table)

    def links(self) -> list[dict[str, Any]]:
        return [describe_link(self.table, link) for link in self.table.links]

    def cities(self) -> dict[str, dict[str, Any]]:
        table = self.table
        return {
            name: {
                "color": COLOR_WORDS[table.colors[city]],
                "owner": table.owner[city],
                "resources": table.resources[city],
                "flipped": table.owner[city] is not None and table.resources[city] == 0,
                "connected": [seat for seat in table.seats if table.board.group[city] in table.network(seat)],
            }
            for city, name in enumerate(table.board.names)
        }

    def state(self) -> dict[str, Any]:
        """All that can be compared, sorted where order means nothing."""
        table = self.table
        return {
            "money": list(table.money),
            "trains": list(table.trains),
            "factories_left": list(table.factories),
            "hands": [sorted(hand) for hand in table.hands],
            "fulfilled": [sorted(pile) for pile in table.fulfilled],
            "known": [sorted(known) for known in table.known],
            "deck": list(table.deck),
            "generation": list(table.generation),
            "discards": sorted(table.discards),
            "set_aside": sorted(table.set_aside),
            "off_map": {COLOR_WORDS[color]: table.off_map[color] for color in COLORS},
            "cities": self.cities(),
            "links": self.links(),
            "resource_stock": dict(table.stock),
            "tile_stock": dict(table.tiles),
            "corners": [COLOR_WORDS[color] for color in table.corners],
            "marker": [table.marker[seat] for seat in table.automa_seats],
            "coins": [[table.board.name_place(at) for at in table.coins[seat]] for seat in table.automa_seats],
            "bag": list(table.bag),
            "carrying": describe_carriage(table),
        }


def describe_link(table: Table, link: Link) -> dict[str, Any]:
    """As scenario files have it."""
    places = [table.board.cities[link.start], *(tile.at for tile in link.tiles)]
    if link.end is not None:
        places.append(table.board.cities[link.end])
    return {
        "owner": link.owner,
        "path": [table.board.name_place(at) for at in places],
        "complete": link.end is not None,
        "open": None if link.end is not None else EDGE_NAMES[link.tail.exit],
    }


def describe_carriage(table: Table) -> dict[str, Any] | None:
    """The contract being fulfilled, the resources done, the groups where the resource is and where it goes to."""
    carriage = table.decision
    if not isinstance(carriage, Carriage):
        return None
    return {"contract": carriage.contract, "done": carriage.done, "at": carriage.at, "to": carriage.to}
