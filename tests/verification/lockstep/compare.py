"""The core's game and the reference's, side by side: what is compared at every decision, and where they differ."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from steam_env import Game, Rules
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    COLOR_NAMES,
    HOP,
    NUM_RESOURCES,
    PAY,
    PLACE_ASIDE,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    SOURCE,
)
from steam_env.spec import find_spec
from steam_env.words.events import outcomes_of
from steam_env.words.scenario_file import read_scenario
from steam_env.words.steam_power.links import describe_link, name_place, trace_links
from steam_env.words.steam_power.scenario_writing import write_scenario
from tests.verification.lockstep.differences import Difference, as_difference, find_differences, play_through
from tests.verification.reference import Reference

TILE_KINDS = ("plain", "tight", "curved")
CARRYING = (SOURCE, HOP, PAY)


# --- the core's state in plain Python -------------------------------------------------------------------------
TRACK_FIELDS = ("track", "link_owner", "link_start", "link_edge", "link_end", "tail_hex", "tail_exit", "num_links")
PLACE_FIELDS = ("neighbour", "hex_city", "city_hex", "col", "row")


class Describer:
    """Describes one game again and again; links are followed anew only when track has changed."""

    def __init__(self) -> None:
        self._track = b""
        self._links: list[dict[str, Any]] = []
        self._board: Any = None

    def __call__(self, game: Game) -> dict[str, Any]:
        record = game.record
        purses, names = game.rules.seats, game.setting.map.cities
        place = record["place"].tolist()
        return {
            "money": game.money,
            "trains": game.trains,
            "factories_left": game.factories_left,
            "hands": [_list_at(place, PLACE_HAND + seat) for seat in range(purses)],
            "fulfilled": [_list_at(place, PLACE_FULFILLED + seat) for seat in range(purses)],
            "deck": record["deck_order"][: game.deck_size][::-1].tolist(),
            "discards": _list_at(place, PLACE_DISCARDED),
            "set_aside": _list_at(place, PLACE_ASIDE),
            "generation": record["generation"][: len(game.setting.deck.contracts)].tolist(),
            "known": _list_known(record["known"].tolist(), purses),
            "off_map": game.off_map,
            "cities": _describe_cities(game, names),
            "links": self._describe_links(game),
            "resource_stock": dict(zip(COLOR_LETTERS[:NUM_RESOURCES], record["stock"].tolist(), strict=True)),
            "tile_stock": dict(zip(TILE_KINDS, record["tiles"].tolist(), strict=True)),
            **_describe_automas(game),
            "bag": record["bag"][: record["bag_size"]][::-1].tolist(),
            "carrying": _describe_carriage(game),
        }

    def _describe_links(self, game: Game) -> list[dict[str, Any]]:
        """What ``Game.links()`` gives, from fields taken out of the record once: it is asked for at every decision."""
        record = _take_out(game.record, TRACK_FIELDS)
        track = b"".join(field.tobytes() for field in vars(record).values())
        if track != self._track:
            if self._board is None:
                self._board = _take_out(game.setting.boards[0], PLACE_FIELDS)
            found = trace_links(record, self._board)
            self._links = [describe_link(link, self._board, game.setting.map) for link in found]
            self._track = track
        return self._links


def _take_out(record: np.record, names: Sequence[str]) -> Any:
    """These fields of a record; asking a record itself for a field takes much longer."""
    return SimpleNamespace(**{name: record[name] for name in names})


def describe(game: Game) -> dict[str, Any]:
    """All that is to be compared of a position; lists are sorted where order means nothing."""
    return Describer()(game)


def _list_at(place: Sequence[int], wanted: int) -> list[int]:
    return [contract for contract, where in enumerate(place) if where == wanted]


def _list_known(known: Sequence[int], purses: int) -> list[list[int]]:
    """By seat the contracts in other hands that it knows (rule 11.2)."""
    return [[contract for contract, seats in enumerate(known) if has(seats, seat)] for seat in range(purses)]


def _describe_cities(game: Game, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    record = game.record
    seats = range(game.seats)
    networks = [int(groups) for groups in record["network"]]
    rows = zip(
        names,
        game.setting.boards[0]["group"].tolist(),
        record["color"].tolist(),
        record["owner"].tolist(),
        record["resources"].tolist(),
        strict=False,
    )
    return {
        name: {
            "color": COLOR_NAMES[color],
            "owner": None if owner == NONE else owner,
            "resources": resources,
            "flipped": owner != NONE and resources == 0,
            "connected": [seat for seat in seats if has(networks[seat], group)],
        }
        for name, group, color, owner, resources in rows
    }


def _describe_automas(game: Game) -> dict[str, Any]:
    record, automas = game.record, game.rules.automas
    board, board_map = game.setting.boards[0], game.setting.map
    if not automas:
        return {"corners": [], "marker": [], "coins": []}
    paths = [record["coins"][number, : record["num_coins"][number]].tolist() for number in range(automas)]
    return {
        "corners": [COLOR_NAMES[color] for color in record["corners"]],
        "marker": record["marker"][:automas].tolist(),
        "coins": [[name_place(board, board_map, here) for here in path] for path in paths],
    }


def _describe_carriage(game: Game) -> dict[str, Any] | None:
    """The contract being fulfilled, resources done, and the groups where the resource is and goes to."""
    record = game.record
    if record["phase"] not in CARRYING:
        return None
    places = {"at": int(record["cargo_group"]), "to": int(record["hop_group"])}
    return {
        "contract": int(record["contract"]),
        "done": int(record["need"]),
        **{name: None if group == NONE else group for name, group in places.items()},
    }


# --- both engines ---------------------------------------------------------------------------------------------
Start = Mapping[str, Any]  # {"scenario": ...}, or {"rules": ..., "seed": ...} of a deal
Begin = Callable[[Start, Game], Any]  # makes the reference


def begin_game(start: Start) -> Game:
    """The core's game at the start."""
    if "scenario" in start:
        return Game.from_scenario(start["scenario"], seed=0)
    return Game(Rules.from_dict(start["rules"]), seed=start["seed"])


def begin_reference(start: Start, game: Game, engine: type[Reference] = Reference) -> Reference:
    """The reference engine at the start; ``game`` tells what chance decided until the first decision."""
    if "scenario" in start:
        complete = write_scenario(read_scenario(start["scenario"], 0)[1])
        return engine.from_scenario(complete, outcomes_of(game.events, find_spec().facts))
    return engine.from_deal(game.rules, game.events[0].to_dict())


class Twins:
    """One game in both engines. After each step ``difference`` tells the first thing they do not agree on."""

    def __init__(self, start: Start, begin: Begin = begin_reference) -> None:
        self.game = game = begin_game(start)
        self.difference: Difference | None = None
        self.events: list[dict[str, Any]] = [event.to_dict() for event in game.events if event.kind != "deal"]
        self._past = len(game.events)
        self._describe = Describer()
        try:
            self.reference = begin(start, game)
            told = self.reference.opening_events
        except Exception as error:
            self.difference = as_difference(error)
        else:
            self._compare(told)

    def step(self, text: str) -> None:
        """Play a text that is legal in the core; the reference gets the core's chance outcomes."""
        before = self.game.num_steps
        self.game.step(text)
        events = self.game.events_since(before)[self._past if before == 0 else 0 :]
        self.events = [event.to_dict() for event in events]
        try:
            told = self.reference.step(text, outcomes_of(events, find_spec().facts))
        except Exception as error:
            self.difference = as_difference(error)
        else:
            self._compare(told)

    def _compare(self, told: list[dict[str, Any]]) -> None:
        core = {"events": self.events, **look_at_game(self.game, self._describe)}
        try:
            other = {"events": told, **look_at_reference(self.reference)}
        except Exception as error:
            self.difference = as_difference(error)
            return
        self.difference = next(find_differences(core, other), None)


TURN = ("done", "truncated", "seat", "round", "actions_left")


def look_at_game(game: Game, describer: Callable[[Game], dict[str, Any]]) -> dict[str, Any]:
    """What is compared of the core's game."""
    table = {"legal": set(game.legal_text()), "state": describer(game)}
    return {**{name: getattr(game, name) for name in TURN}, **table, **_look_at_scores(game)}


def look_at_reference(reference: Any) -> dict[str, Any]:
    """The same of the reference."""
    table = {"legal": reference.legal(), "state": reference.state()}
    return {**{name: getattr(reference, name) for name in TURN}, **table, **_look_at_scores(reference)}


def _look_at_scores(engine: Any) -> dict[str, Any]:
    return {"scores": engine.scores(), "winners": engine.winners()}


def replay(start: Start, moves: Sequence[str], begin: Begin = begin_reference) -> Twins:
    """Play the moves in both engines, up to the first difference.

    Raises:
        IllegalActionError: if the core does not allow a move.
    """
    return play_through(Twins(start, begin), moves)
