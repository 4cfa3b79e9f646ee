"""What is golden of one game: where it stands, how it came there, and how it goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env import Game
from tests.verification.goldens.digest import Fields, Trail, digest, digest_records
from tests.verification.goldens.kinds import SEED

STEPS_ON = 40  # actions by chance that are played on from a position
ACTIONS = 372
LEGAL_SHOWN = 3
IMAGE_MODES = ("ansi", "svg")
THEMES = ("light", "dark", "auto")


def describe_game(game: Game, fields: Fields) -> dict[str, Any]:
    """A game's position, past and future, as plain data."""
    legal = game.legal_text()
    return {
        "rules": game.rules.to_dict(),
        "seed": game.seed,
        "position": [game.seat, game.phase, game.round, game.actions_left, game.done, game.truncated],
        "record": digest_records(game.records, fields),
        "mask": digest(game.mask),
        "legal": [len(legal), *legal[:LEGAL_SHOWN], digest(legal)],
        "scores": game.scores(),
        "winners": game.winners(),
        "actions": [game.num_steps, digest(game.actions)],
        "events": digest(game.events),
        "log": [len(game.log), *game.log[-LEGAL_SHOWN:], digest(game.log)],
        "future": hash_future(game, fields),
    }


def hash_future(game: Game, fields: Fields) -> dict[str, Any]:
    """How a copy of the game goes on when chance chooses."""
    twin, rng, trail = game.clone(), np.random.default_rng(SEED), Trail()
    for _ in range(STEPS_ON):
        if twin.done:
            break
        twin.step(int(rng.choice(twin.legal())))
        trail.add_records(twin.records, fields)
        trail.feed(twin.mask)
    return {**trail.close(), "log": digest(twin.log)}


def describe_texts(game: Game) -> dict[str, Any]:
    """All that is said and drawn of a position."""
    seats = range(len(game.trains))
    return {
        "legal": digest(game.legal_text()),
        "texts": digest([game.text(action) for action in range(ACTIONS)]),
        "parsed": digest([game.parse(text) for text in game.legal_text()]),
        "reasons": digest([game.explain(action) for action in range(ACTIONS)]),
        "refusal": refuse(game, int(np.flatnonzero(~game.mask)[0])),
        "log": digest(game.log),
        "seen logs": digest([game.log_for(seat) for seat in seats]),
        "seen events": digest([game.events_for(seat) for seat in seats]),
        "links": digest(game.links()),
        "cities": digest([game.city(name) for name in game.setting.map.cities]),
        "contracts": digest([[game.hand(seat), game.fulfilled(seat)] for seat in seats]),
        "stocks": digest([game.money, game.trains, game.factories_left, game.deck_size, game.off_map]),
        "repr": repr(game),
        **draw(game),
    }


def refuse(game: Game, illegal: int) -> str:
    """What is said when an illegal action is tried."""
    try:
        game.step(illegal)
    except ValueError as error:
        return f"{type(error).__name__}: {error}"
    return "nothing is wrong"


def draw(game: Game) -> dict[str, str]:
    """Hashes of the pictures: with all hands, and as a seat sees it."""
    pictures = {f"{mode} {theme}": digest(game.render(mode, theme=theme)) for mode in IMAGE_MODES for theme in THEMES}
    pictures |= {f"{mode} of a seat": digest(game.render(mode, seat=max(game.seat, 0))) for mode in IMAGE_MODES}
    return {**pictures, "notebook": digest(game._repr_svg_())}
