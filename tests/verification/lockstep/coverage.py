"""What random games have met: a run that never came to the corners of the rules shows little."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.hexes import shape_of
from steam_env.core.steam_power.events import CRITERIA, OBSTACLES
from steam_env.core.steam_power.state import COLOR_NAMES, HILLS, MOUNTAINS, PREVIEW, TILE_CURVED, TILE_PLAIN, TILE_TIGHT

Events = Sequence[Mapping[str, Any]]

SHAPES = ("straight", "curve", "tight")  # by the core's number
WITH_CRITERIA = ("choose_source", "target", "path", "choose_city")
WITH_OBSTACLES = ("no_track", "not_laid", "no_city", "compensation")
STOCKS = {TILE_PLAIN: "plain", TILE_TIGHT: "tight", TILE_CURVED: "curved"}

# In every 10,000 decisions each of these must have been met at least so often: about a quarter of what is usual.
LEAST_MET: dict[str, float] = {
    **{"phase action": 1000, "phase head": 200, "phase track": 500, "phase source": 100, "phase hop": 20},
    **{"phase pay": 2, "phase bonus": 50, "phase amount": 5, "phase take_from": 15},
    **{"tile tight": 150, "tile curve": 300, "tile straight": 150, "tile on hills": 80, "tile on mountains": 30},
    **{"crossing straight x straight": 20, "crossing curve x straight": 60, "crossing curve x curve": 60},
    **{"crossing over own track": 80, "remove": 250, "remove the only tile": 40, "remove from a crossing": 100},
    **{"replace": 200, "replace completes": 10, "replace on a crossing": 15, "parallel link": 5},
    **{"link within a group": 20, "start after a completed link": 60, "continued without a train": 0.5},
    **{"no train left": 5, "stock of plain tiles empty": 0.5, "stock of tight tiles empty": 300},
    **{"stock of curved tiles empty": 100, "resource out of stock": 50, "factory short of stock": 3},
    **{"amount one fewer": 1, "amount one more": 1, "bonus declined": 15, "bonus track": 15, "bonus factory": 5},
    **{"bonus contracts": 15, "forced purchase": 80, "foreign source": 60, "hop with several owners": 2},
    **{"several hops": 5, "flip": 25, "take from a hand": 60, "reshuffle": 20, "automa turn": 400},
    **{"coins cleared": 2, "coins cleared with link": 2, "coins cleared by an Automa": 0.5, "event path": 25},
    **{"event not_laid": 4, "event choose_hop": 3, "event unreachable": 0.2, "event compensation": 60},
    **{"solo bag refilled": 5, "solo contract set aside": 3, "solo company without a link": 40},
    **{"end by contracts": 5, "end by round limit": 8, "end of solo": 1, "shared win": 0.2},
    **{"routing cheapest": 1000, "preview": 10, "no money": 250, "empty deck": 1500},
}


@dataclass
class _Before:
    """What is remembered of the position before a step."""

    seat: int
    phase: str
    trains: list[int]
    links: int
    in_bonus: bool


class Coverage:
    """Counts what is met, step by step."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()
        self._before: _Before | None = None
        self._hops = 0  # of the resource under way

    def note_opening(self, events: Events) -> None:
        """What happened before the first decision: an Automa to move plays at once."""
        self.met["automa moves on loading"] += bool(events)
        self._note_automas(events)

    def note_decision(self, game: Game) -> None:
        """A decision that is about to be made."""
        record, met = game.record, self.met
        met["decisions"] += 1
        met[f"phase {game.phase}"] += 1
        met[f"routing {game.rules.routing}"] += 1
        met[f"seats {game.seats}" if game.rules.mode == "multiplayer" else "solo"] += 1
        met[f"automas {game.rules.automas}"] += 1
        met["preview"] += record["edition"] == PREVIEW
        seat = game.seat
        met["no money"] += record["money"][0 if game.rules.mode == "solo" else seat] == 0
        met["empty deck"] += record["deck_size"] == 0
        for kind, left in enumerate(record["tiles"].tolist()):
            met[f"stock of {STOCKS[kind]} tiles empty"] += left <= 0
            met["stock of tiles overdrawn"] += left < 0
        met["resource out of stock"] += 0 in record["stock"].tolist()
        met["no train left"] += bool(record["trains"][seat] == 0)
        self._before = _Before(seat, game.phase, game.trains, int(record["num_links"]), bool(record["in_bonus"]))

    def note_step(self, game: Game, text: str, events: Events) -> None:
        """The text that was played in that decision, and what happened."""
        before = self._before
        assert before is not None, "note_decision comes first"
        self._note_text(text, before)
        for event in events:
            self.met[f"event {event['kind']}"] += 1
        self._note_own(game, before, [event for event in events if event["actor"] == before.seat], text)
        self._note_automas(events)
        self._note_bases(game, events)
        self._note_end(game, events)

    def _note_text(self, text: str, before: _Before) -> None:
        word = text.split()[0]
        self.met[f"text {word}"] += 1
        if before.phase == "bonus" and word != "done":
            name = {"start": "track", "head": "track", "remove": "track", "replace": "track", "build": "factory"}
            self.met[f"bonus {name.get(word, word)}"] += 1
        if before.phase == "track" and word == "start":
            self.met["start after a completed link"] += 1

    def _note_own(self, game: Game, before: _Before, events: Events, text: str) -> None:
        met, record = self.met, game.record
        kinds = [event["kind"] for event in events]
        for event in events:
            kind = event["kind"]
            if kind in ("place", "replace"):
                self._note_tile(game, event)
            elif kind == "remove":
                met["remove"] += 1
                met["remove the only tile"] += before.links > record["num_links"]
                met["remove from a crossing"] += record["track"][event["hex"], 0] != NONE
            elif kind == "complete":
                self._note_link(game, event, "replace" in kinds)
            elif kind == "build":
                self._note_factory(game, event, text)
            elif kind == "source":
                self._hops = 0
                met["foreign source"] += event["paid_to"] not in (NONE, before.seat)
            elif kind == "hop":
                self._hops += 1
                met["several hops"] += self._hops == 2
                met["hop with several owners"] += before.phase == "pay"
        met["continued without a train"] += (
            "place" in kinds and "start" not in kinds and before.trains[before.seat] == 0
        )
        met["forced purchase"] += "purchase" in kinds
        met["flip"] += "flip" in kinds
        met["bonus declined"] += "decline" in kinds
        met["take from a hand"] += "take" in kinds
        if game.rules.mode == "solo":
            met["solo company without a link"] += int(record["network"][before.seat]) == 0

    def _note_tile(self, game: Game, event: Mapping[str, Any]) -> None:
        met, track = self.met, game.record["track"][event["hex"]].tolist()
        owners = [
            int(game.record["link_owner"][link]) for link in game.record["track_link"][event["hex"]] if link != NONE
        ]
        shared = NONE not in track
        if event["kind"] == "replace":
            met["replace"] += 1
            met["replace on a crossing"] += shared
        shapes = sorted(SHAPES[shape_of(pair)] for pair in track if pair != NONE)
        if shared:
            met[f"crossing {' x '.join(shapes)}"] += 1
            met["crossing over own track"] += len(set(owners)) == 1
        else:
            met[f"tile {shapes[0]}"] += 1
            terrain = game.setting.boards[0]["terrain"][event["hex"]]
            met["tile on hills"] += terrain == HILLS
            met["tile on mountains"] += terrain == MOUNTAINS

    def _note_link(self, game: Game, event: Mapping[str, Any], replaced: bool) -> None:
        record, board = game.record, game.setting.boards[0]
        ends = {event["from_city"], event["to_city"]}
        count = range(int(record["num_links"]))
        same = [link for link in count if {int(record["link_start"][link]), int(record["link_end"][link])} == ends]
        self.met["parallel link"] += len(same) > 1
        self.met["link within a group"] += len({int(board["group"][city]) for city in ends}) == 1
        self.met["replace completes"] += replaced

    def _note_factory(self, game: Game, event: Mapping[str, Any], text: str) -> None:
        usual = 4 if game.seats == 2 and game.record["edition"] != PREVIEW else 5
        resources = event["resources"]
        if text.startswith("amount"):
            self.met["amount one fewer"] += resources == usual - 1
            self.met["amount one more"] += resources == usual + 1
        else:
            self.met["factory short of stock"] += resources < usual

    def _note_automas(self, events: Events) -> None:
        met = self.met
        for event in events:
            kind = event["kind"]
            if kind in WITH_CRITERIA:
                met[f"{kind}: {CRITERIA[event['why']]}"] += 1
            elif kind in WITH_OBSTACLES:
                met[f"{kind}: {OBSTACLES[event['why']]}"] += 1
            elif kind == "automa":
                met["automa turn"] += 1
            elif kind == "reshuffle":
                met["reshuffle"] += 1
            elif kind == "no_target":
                met[f"no target: {COLOR_NAMES[event['color']]}"] += 1
        mover_is_automa = False
        for event, following in zip(events, [*events[1:], {"kind": ""}], strict=False):
            mover_is_automa = mover_is_automa or event["kind"] == "automa"
            if event["kind"] == "clear_coins":
                met["coins cleared"] += 1
                met["coins cleared by an Automa"] += mover_is_automa
                met["coins cleared with link"] += following["kind"] == "remove"

    def _note_bases(self, game: Game, events: Events) -> None:
        """First cities of which others of the group may not be left, and bonuses lost with a link under way."""
        board = game.setting.boards[0]
        groups = board["group"][: board["num_cities"]].tolist()
        tails = game.record["tail_link"].tolist()
        for event, following in pairwise(events):
            if event["kind"] == "base":
                self.met["base with others in its group"] += groups.count(groups[event["city"]]) > 1
            elif event["kind"] == "no_track" and following["kind"] == "compensation":
                lacks_train = OBSTACLES[event["why"]] == "train"
                self.met["track bonus without a train"] += lacks_train and tails[event["actor"]] != NONE

    def _note_end(self, game: Game, events: Events) -> None:
        met = self.met
        kinds = Counter(event["kind"] for event in events)
        met["solo bag refilled"] += kinds["bag"] > 0
        met["solo contract set aside"] += kinds["aside"] > 0
        if not game.done:
            return
        solo = game.rules.mode == "solo"
        met["end by round limit" if game.truncated else "end of solo" if solo else "end by contracts"] += 1
        met["shared win"] += not solo and len(game.winners()) > 1
