"""Random players of Steam, of different tastes, who play in a way that meets many different decisions."""

import random
from collections.abc import Mapping

import numpy as np

from steam_env.agents.thrifty import ThriftyAgent
from steam_env.core.steam.links import count_complete
from steam_env.steam import Game
from tests.verification.lockstep.players import Taste, choose

TRIES = 4  # patterns that a seat looks at before it lays one
ERRORS = 0.1  # share of decisions that a sensible seat makes at random
_USUAL: Mapping[str, float] = {"build": 6, "from": 8, "pass": 0.4, "urbanize": 3, "grow": 3}
TASTES = {
    "usual": Taste(_USUAL),
    "builder": Taste({**_USUAL, "build": 30, "pass": 0.1, "locomotive": 0.3}),
    "mover": Taste({**_USUAL, "from": 30, "locomotive": 4, "pass": 1}),
    "mayor": Taste({**_USUAL, "urbanize": 30, "grow": 30}),
    "idler": Taste({"pass": 6}),
    "uniform": Taste({}),
}
SENSIBLE = "sensible"


class Players:
    """Random players, each seat with a taste of its own; the sensible ones deliver goods."""

    def __init__(self, rng: random.Random, seats: int) -> None:
        self._rng = rng
        self._tastes = [rng.choice([*sorted(TASTES), SENSIBLE, SENSIBLE]) for _ in range(seats)]
        self._thrifty = ThriftyAgent()
        self._thrifty.reset(rng.getrandbits(31))

    def choose(self, game: Game) -> str:
        """The text that the mover plays."""
        taste = self._tastes[game.seat]
        if taste == SENSIBLE and self._rng.random() >= ERRORS:
            return game.text(int(self._thrifty.act(None, game.mask[np.newaxis], game.view(game.seat))[0]))
        texts = game.legal_text()
        if game.phase == "take":  # what is paid and to be carried out later, twice as often
            texts += [text for text in texts if text in ("take 5", "take 7")]
        if game.phase == "tile":
            texts = self._rng.sample(texts, min(TRIES, len(texts)))
            return max(texts, key=lambda text: count_links(game, text))
        if game.phase == "space":
            return f"space {1 + self._rng.choice(list_spaces(game))}"
        return choose(self._rng, texts, TASTES.get(taste, TASTES["usual"]))


def count_links(game: Game, text: str) -> int:
    """Complete links of the mover after it has laid this."""
    after = game.clone()
    after.step(text)
    return int(count_complete(after.record, game.seat))


def list_spaces(game: Game) -> list[int]:
    """The spaces that have cubes, those too that the mask leaves out for their equals (rule 8.20)."""
    return [int(space) for space in np.flatnonzero(game.record["supply"].sum(1))]
