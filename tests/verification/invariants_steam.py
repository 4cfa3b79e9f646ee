"""Random games of Steam, with what must hold at every decision.

``python -m tests.verification.invariants_steam --games 1000 --seed 1`` plays for as long as it is told.
"""

import random
import sys
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.rules_steam.engines import ENGINES, Engine
from tests.verification.ledger_steam import Chart, check_state, check_step, require
from tests.verification.maps_steam import draw_map
from tests.verification.reference_steam import Rules

TINY = tomllib.loads((Path(__file__).parents[1] / "rules_steam" / "tiny.toml").read_text(encoding="utf-8"))
SCENARIO_PHASES = ("TAKE", "BUILD", "GOODS")
SCENARIO_INTERVAL = 4  # decisions between two positions that are written and read back, on average
REFUSAL_INTERVAL = 4  # likewise between two illegal actions that are tried
NUM_ACTIONS, SPACES = 660, range(509, 521)
THRIFT = -4  # income below which a thrifty seat stops building
TRIES = 5  # patterns that a thrifty seat looks at


def draw_rules(rng: random.Random, board: Mapping[str, Any]) -> Rules:
    """Every option; late turns are reached where bankruptcy is forgiven."""
    return Rules(
        num_players=rng.choice(board["seats"]),
        tiles=rng.choice(("box", "box", "unlimited")),
        income_max=rng.choice((10, 10, 10, 3, "none")),
        towns_twice=rng.random() < 0.2,
        first_player=rng.choice(("random", "random", 1)),
        start=rng.choice(("random", "random", "auction")),
        turns=rng.choice((None, 1, 2, 3)),
        bankruptcy=rng.choice(("out", "forgiven")),
    )


# --- players --------------------------------------------------------------------------------------
def choose(game: Engine, state: Mapping[str, Any], legal: list[str], rng: random.Random) -> str:
    """What a thrifty seat plays: it moves goods where it can, builds links, and stops building when it is poor."""
    seat = state["mover"]
    if state["phase"] == "BID":
        return rng.choice(legal)
    if state["phase"] == "BUILD" and state["income"][seat] < THRIFT and "pass" in legal:
        return "pass"
    if state["phase"] == "GOODS":
        moves = [text for text in legal if text.startswith("from")]
        return rng.choice(moves or [text for text in legal if text != "pass"] or legal)
    if state["phase"] == "TILE":
        return max(rng.sample(legal, min(TRIES, len(legal))), key=lambda text: links_after(game, text, seat))
    return rng.choice([text for text in legal if text != "pass"] or legal)


def links_after(game: Engine, text: str, seat: int) -> int:
    twin = game.copy()
    twin.apply(text)
    return int(twin.state()["complete_links"][seat])


# --- following games ------------------------------------------------------------------------------
def check_legal(game: Engine, state: Mapping[str, Any], numbers: list[int], texts: list[str]) -> None:
    """Numbers and texts of what is legal; rule 14.1."""
    require(bool(numbers) != state["done"], "nothing is legal", state["phase"])
    require(numbers == sorted(set(numbers)), "numbers out of order", numbers)
    require([game.text_of(number) for number in numbers] == texts, "texts and numbers", texts)
    require([game.number_of(text) for text in texts] == numbers, "numbers and texts", numbers)
    asked = state["phase"] not in ("BUILD", "GOODS") or texts != ["pass"]
    require(asked, "a seat is asked that can only pass (rule 14.1)", state["mover"])


def check_refusal(game: Engine, state: Mapping[str, Any], number: int) -> None:
    """What is not legal changes nothing; an equal group may be named (rule 8.20)."""
    if state["phase"] == "SPACE" and number in SPACES:
        return
    try:
        game.apply(number)
    except ValueError:
        require(game.state() == state, "a refused action changes the game", number)
    else:
        require(False, "an illegal action is played", number)


def watch_game(engine: type[Engine], seed: int) -> Counter[str]:
    """One game from its deal to its end; how often each word was played.

    Raises:
        InvariantError: naming what does not hold.
    """
    rng = random.Random(f"watch {seed}")
    board = TINY if seed % 2 else draw_map(rng)
    rules, met = draw_rules(rng, board), Counter[str]()
    game, chart, told = engine.from_chance(rules, board, rng), Chart(board), vars(rules)
    thrifty = [rng.random() < 0.6 for _ in range(rules.num_players)]
    state = game.state()
    while True:
        numbers, texts = game.legal_actions(), game.legal()
        check_state(chart, state)
        check_legal(game, state, numbers, texts)
        if state["done"]:
            return met + Counter({f"turn {state['turn']}": 1})
        if state["phase"] in SCENARIO_PHASES and rng.randrange(SCENARIO_INTERVAL) == 0:
            again = engine.from_scenario(game.to_scenario(board))
            require(again.state() == state, "another position from its scenario", state)
        if rng.randrange(REFUSAL_INTERVAL) == 0:
            check_refusal(game, state, rng.choice(sorted(set(range(NUM_ACTIONS)) - set(numbers))))
        text = choose(game, state, texts, rng) if thrifty[state["mover"]] else rng.choice(texts)
        game.apply(text)
        before, state = state, game.state()
        check_step(chart, told, before, text, state)
        met[text.split()[0]] += 1
        met["placed" if text.startswith("tile") else "other"] += 1


def main(arguments: list[str]) -> None:
    """Watch many games."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="number of the first game; all that is random follows")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="reference")
    options = parser.parse_args(arguments)
    met: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.games):
        try:
            met += watch_game(ENGINES[options.engine], seed)
        except Exception as error:
            error.add_note(f"in game {seed}")
            raise
    print(f"{met['placed'] + met['other']} decisions in {options.games} games: every invariant holds")
    print(dict(sorted(met.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
