"""Positions of the basic solo game, and what the tests ask of them."""

from typing import Any

import numpy as np

from steam_env import Game, Rules
from steam_env.core.steam_power.state import PLACE_ASIDE
from tests.rules.boards import LADDER, PLAIN_CARD, RUNGS, Cells, draw, fill_in, table

COMPANIES = range(5)
EACH_TWICE = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
ORDER = (3, 1, 1, 4, 0, 2, 2, 0, 4, 3)  # of the trains in a bag
MINI = Rules(mode="solo", map="mini", contracts="mini")

SLOPES = LADDER.replace(". . . . .", "h m . . .", 1)  # hills below Ames, mountains below Boone

# Four cities one below the other; between Boone and Clinton there is room for a second link.
CHAIN = """
    A

    .

    B
     .
    .
     .
    C

    .

    D
"""
CHAIN_LINKS = ("0 Ames A3 Boone", "1 Boone A7 Clinton", "2 Boone B6 B8 Clinton", "3 Clinton A11 Dyson")


def card(needs: str = "B", money: int = 0, vp: int = 1, bonus: str = "none") -> dict[str, Any]:
    """A contract, for black if nothing is said: it is bought for $5."""
    return {**PLAIN_CARD, "needs": needs, "money": money, "vp": vp, "bonus": bonus}


USUAL_ENTRIES: dict[str, Any] = {
    "active": 0,
    "trains": (1, 2, 3, 4),
    "set_aside": 0,
    "money": 5,
    "factories": (),
    "hand": (),
    "fulfilled": (),
    "deck": None,
    "round_number": 1,
    "rules": None,
}


def scenario(board: str | Cells = LADDER, *paths: str, **entries: Any) -> dict[str, Any]:
    """A solo scenario: company ``active`` has its action, then the companies of ``trains``; cities are white."""
    its, more = fill_in(USUAL_ENTRIES, entries)
    return table(
        draw(board) if isinstance(board, str) else board,
        paths,
        its.factories,
        rules={"mode": "solo", **(its.rules or {})},
        seats={"money": [its.money], "hands": [list(its.hand)], "fulfilled": [list(its.fulfilled)]},
        turn={"seat": its.active, "round": its.round_number},
        deck={} if its.deck is None else {"order": list(its.deck)},
        solo={"trains": list(its.trains), "set_aside": its.set_aside},
        **more,
    )


def solo(*arguments: Any, **entries: Any) -> Game:
    return Game.from_scenario(scenario(*arguments, **entries), seed=0)


def ladder(active: int = 0, bonus: str = "none", **entries: Any) -> Game:
    """Each company has its link of the ladder; contract 0, in hand, needs what is not on the map."""
    return solo(LADDER, *RUNGS, active=active, **{"contracts": [card(bonus=bonus)] * 9, "hand": [0], **entries})


def chain(active: int, money: int = 5, **entries: Any) -> Game:
    """A factory of company 1 in Clinton; company 4 has no track."""
    values: dict[str, Any] = {"factories": ["1: Clinton 3"], "contracts": [card("W")] * 9, "hand": [0, 1]}
    return solo(CHAIN, *CHAIN_LINKS, active=active, trains=[4, 2], money=money, **{**values, **entries})


def dealt(seed: int = 1) -> Game:
    return Game(MINI, seed=seed)


def play_round(game: Game) -> list[int]:
    """Take money to the end of the round; the companies that acted."""
    number, acted = game.round, []
    while not game.done and game.round == number:
        acted.append(game.seat)
        game.step("money")
    return acted


def bag(game: Game) -> list[int]:
    """The trains in the bag, next draw first."""
    return [int(company) for company in game.record.bag[: game.record.bag_size][::-1]]


def trains_of(game: Game) -> list[int]:
    """The trains of the round that are to act, the active company's first."""
    return [game.seat, *bag(game)]


def aside(game: Game) -> list[int]:
    """The contracts set aside."""
    return [int(contract) for contract in np.flatnonzero(game.record.place == PLACE_ASIDE)]


def state_of(game: Game) -> tuple[bool, bool, int]:
    return game.done, game.truncated, game.round
