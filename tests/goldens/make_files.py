"""The maker of ``files/``: saves, game files and scenarios as the version writes them that goldens were taken of.

    python -m tests.goldens.make_files

It has been run once, before the modules moved, and refuses to run again: files of a later version would prove nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from steam_env import Game, GameBatch, Rules
from steam_env.agents import make_agent
from tests.goldens.kinds import SEED

FOLDER = Path(__file__).parent / "files"
ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "steam_env" / "data" / "scenarios"
MINI = {"map": "mini", "contracts": "mini"}
LONG = 10_000  # actions, more than any game has
LOOK = 0.25  # the share of actions that chance chooses, not greedy


def play_on(game: Game, actions: int, until: Callable[[Game], bool] = lambda game: False) -> Game:
    """The game some actions later, most of them greedy's, or at the first position that is looked for."""
    agent, rng = make_agent("greedy"), np.random.default_rng(SEED)
    agent.reset(SEED)
    for _ in range(actions):
        if game.done or until(game):
            break
        if rng.random() < LOOK:
            game.step(int(rng.choice(game.legal())))
        else:
            game.step(int(agent.act(None, game.mask[None], game.view(game.seat))[0]))
    return game


def play_from_deal(actions: int, until: Callable[[Game], bool] = lambda game: False, **rules: Any) -> Game:
    """A game that has been played for some actions."""
    return play_on(Game(Rules(**rules), seed=SEED), actions, until)


def is_between(game: Game) -> bool:
    """Whether the game is between two actions, some rounds after its start."""
    return game.phase == "action" and game.round > 5


def take_given_contracts() -> Game:
    """A game that chance outcomes were given to: contracts that are taken from other hands."""
    game = Game.from_scenario(SHIPPED / "last-rounds.toml", seed=SEED)
    twin = game.clone()
    twin.step("contracts")
    taken = [event.values["contract"] for event in twin.events if event.kind == "take"]
    game.step("contracts", taken)
    return play_on(game, 4)


def deal_as_given() -> Game:
    """A game whose deal was given, not drawn: that of another seed."""
    other = Game(Rules(num_players=3, **MINI), seed=SEED + 1)
    return play_on(Game(other.rules, seed=SEED, deal=other.events[0].values), 25)


def make_saves() -> dict[str, Game]:
    """Games by the name of the save that is to hold them."""
    own = play_from_deal(400, is_between, num_players=3, **MINI)
    return {
        "between-actions": play_from_deal(300, is_between, num_players=2),
        "inside-source": play_from_deal(600, lambda game: game.phase == "source", num_players=4, map="alps"),
        "inside-bonus": play_from_deal(600, lambda game: game.phase == "bonus", num_players=2, **MINI),
        "inside-take-from": play_from_deal(LONG, lambda game: game.phase == "take_from", num_players=3, **MINI),
        "finished": play_from_deal(LONG, num_players=2, contracts_to_end=3, **MINI),
        "solo": play_from_deal(60, mode="solo", map="mini"),
        "automas": play_from_deal(40, num_players=4, automas=3, automa_level="hard", map="mini"),
        "preview-cheapest": play_from_deal(90, num_players=3, edition="preview", routing="cheapest", map="mini"),
        "round-limit": play_from_deal(LONG, num_players=2, max_rounds=3, **MINI),
        "from-scenario": play_on(Game.from_scenario(own.to_scenario()), 15),
        "inline-map": play_on(Game.from_scenario(SHIPPED / "first-track.toml", seed=SEED), 12),
        "given-contracts": take_given_contracts(),
        "given-deal": deal_as_given(),
        "of-a-batch": play_on(GameBatch(Rules(num_players=2, **MINI), 3, seed=SEED).game(2), 10),
    }


def write_game_files() -> None:
    """Write whole and cut games as game files."""
    games = {
        "two-finished": play_from_deal(LONG, num_players=2, contracts_to_end=2, **MINI),
        "automas": play_from_deal(30, num_players=3, automas=2, **MINI),
        "solo": play_from_deal(LONG, mode="solo", map="mini", max_rounds=4),
        "preview": play_from_deal(50, num_players=4, edition="preview", map="mini"),
        "inline-map": play_on(Game.from_scenario(SHIPPED / "last-rounds.toml"), LONG),
        "given-deal": deal_as_given(),
        "given-contracts": take_given_contracts(),
    }
    for name, game in games.items():
        game.to_file(FOLDER / f"{name}.json")
    noted = play_from_deal(20, num_players=2, **MINI)
    chosen = [noted.text(action) for action in noted.actions]
    steps = enumerate(zip(chosen, noted.positions(), strict=False))
    policy = [
        {"probabilities": {text: 0.75}, "value": number / 16} if number % 3 and text in game.legal_text() else None
        for number, (text, game) in steps
    ]
    noted.to_file(FOLDER / "noted.json", players=["Ann", "Bob"], policy=policy)


def write_scenarios() -> None:
    """Write positions as scenarios: those of games, and copies of the shipped ones, which leave things to chance."""
    games = {
        "two": play_from_deal(400, is_between, num_players=2),
        "automas": play_from_deal(400, is_between, num_players=3, automas=2, **MINI),
        "solo": play_from_deal(400, is_between, mode="solo", map="mini", max_rounds=7),
        "preview": play_from_deal(400, is_between, num_players=5, edition="preview", map="alps"),
    }
    for name, game in games.items():
        game.to_scenario(FOLDER / f"{name}.toml")
    for name in ("first-track", "last-rounds"):
        (FOLDER / f"written-{name}.toml").write_bytes((SHIPPED / f"{name}.toml").read_bytes())


def main() -> int:
    """Write all files, unless there are some; the exit code."""
    if any(FOLDER.glob("*")):
        print(f"{FOLDER} has files: they stay as they are")
        return 1
    FOLDER.mkdir(exist_ok=True)
    for name, game in make_saves().items():
        (FOLDER / f"{name}.save").write_bytes(game.save())
        print(f"{name}.save: {game!r}, {game.num_steps} actions")
    write_game_files()
    write_scenarios()
    return 0


if __name__ == "__main__":
    sys.exit(main())
