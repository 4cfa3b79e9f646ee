"""Random players of different tastes, who play in a way that meets many different decisions."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES

COMPANIES = 5
TRACK_WORDS = ("head", "replace", "start")
UNWANTED = 0.001  # a weight of track that is laid only if nothing else can be done


@dataclass(frozen=True)
class Taste:
    """What a random player likes: how often each kind of action is chosen where it is legal."""

    weights: Mapping[str, float]  # by an action's first word; 1 where it is not named
    city: float = 4  # more for a far edge that leads into a city
    tight: float = 0.3  # more for a tight curve
    crossing: float = 1  # more for a hex with track


_USUAL = {"start": 8, "head": 12, "build": 6, "fulfil": 8, "money": 1, "contracts": 0.7, "done": 0.4, "remove": 0.4}
TASTES = {
    "usual": Taste(_USUAL),
    "builder": Taste({**_USUAL, "start": 30, "head": 40, "contracts": 0.3, "money": 0.3, "remove": 0.2}, city=8),
    "knotter": Taste({**_USUAL, "start": 20, "head": 25, "remove": 0.5}, crossing=20),
    "winder": Taste({**_USUAL, "start": 20, "head": 25, "replace": 3}, city=2, tight=12),
    "paver": Taste({"start": 30, "head": 99, "money": 0.1, "remove": 0.2}, city=0.1, tight=0.02, crossing=UNWANTED),
    "fickle": Taste({**_USUAL, "remove": 4, "replace": 5}, city=2),
    "trader": Taste({**_USUAL, "fulfil": 40, "build": 12, "contracts": 4}),
    "taker": Taste({**_USUAL, "contracts": 12, "money": 0.2}),
    "lazy": Taste({"money": 20}),
    "uniform": Taste({}, city=1, tight=1),
}


def choose(rng: random.Random, texts: Sequence[str], taste: Taste = TASTES["usual"]) -> str:
    """A random legal text: first its kind by the taste, then evenly among those of the kind."""
    words = sorted({text.split()[0] for text in texts})
    word = rng.choices(words, weights=[taste.weights.get(word, 1) for word in words])[0]
    return rng.choice([text for text in texts if text.split()[0] == word])


class Players:
    """Random players, each seat with a taste of its own; they look at the map to lay track that leads somewhere."""

    def __init__(self, rng: random.Random, seats: int = COMPANIES, tastes: Sequence[str] | None = None) -> None:
        self._rng = rng
        names = [rng.choice(sorted(TASTES)) for _ in range(seats)] if tastes is None else tastes
        self._tastes = [TASTES[name] for name in names]

    def choose(self, game: Game) -> str:
        """The text that the seat to move plays."""
        taste = self._tastes[game.seat % len(self._tastes)]
        text = choose(self._rng, game.legal_text(), taste)
        word = text.split()[0]
        if word not in TRACK_WORDS:
            return text
        texts = [other for other in game.legal_text() if other.split()[0] == word]
        weights = [_weigh_track(game, other, taste) for other in texts]
        others = [other for other in game.legal_text() if other.split()[0] != word]
        if max(weights) <= UNWANTED and others:
            return choose(self._rng, others, taste)
        return self._rng.choices(texts, weights=weights)[0]


def _weigh_track(game: Game, text: str, taste: Taste) -> float:
    """How much the taste is for this start, head or replacement."""
    record, board = game.record, game.setting.boards[0]
    word, *_, edge_name = text.split()
    edge = EDGE_NAMES.index(edge_name)
    if word == "start":
        city = game.setting.map.cities.index(text.removeprefix("start ").removesuffix(f" {edge_name}"))
        target = board.neighbour[board.city_hex[city], edge]
        return taste.crossing if record.track[target, 0] != NONE else 1
    here, entry = find_placement(game, word)
    beyond = board.neighbour[here, edge]
    if taste.crossing == UNWANTED and record.track[here, 0] != NONE and word == "head":
        return UNWANTED
    weight = taste.city if board.hex_city[beyond] != NONE else 1
    weight *= taste.crossing if record.track[beyond, 0] != NONE else 1
    return weight * (taste.tight if (edge - entry) % 6 in (1, 5) else 1)


def find_placement(game: Game, word: str) -> tuple[int, int]:
    """The hex on which ``head`` or ``replace`` lays a tile now, and the edge by which it is entered."""
    record, board, seat = game.record, game.setting.boards[0], game.seat
    if word == "replace":
        return int(record.tail_hex[seat]), int(record.tail_entry[seat])
    if record.start_city != NONE:
        before, edge = int(board.city_hex[record.start_city]), int(record.start_edge)
    else:
        before, edge = int(record.tail_hex[seat]), int(record.tail_exit[seat])
    return int(board.neighbour[before, edge]), (edge + 3) % 6
