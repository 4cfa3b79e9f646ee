"""Rule 6.4 in random positions: what may be chosen is exactly what the contract can be completed from."""

import random
from itertools import pairwise
from typing import Any

import pytest

from steam_env import Game
from tests.rules.boards import cell_of, choices, legal, read_link
from tests.rules.positions import grid, position
from tests.verification.lockstep.compare import Twins

CARRYING = ("source", "hop", "pay")
WAYS = (
    *("Ames A3 A5 Boone", "Boone A7 A9 Clinton", "Fargo G3 G5 Galena", "Galena G7 G9 Hibbing", "Galena E7 E9 Hibbing"),
    *("Ames C3 C5 Boone", "Boone C7 C9 Clinton", "Dyson C5 C7 Elgin", "Dyson E5 E7 Elgin", "Fargo E3 E5 Galena"),
    *("Ames C1 D2 E1 Fargo", "Clinton C11 D10 E11 Hibbing", "Ames Boone", "Boone Clinton", "Dyson Elgin"),
    *("Fargo Galena", "Galena Hibbing", "Ames Dyson", "Boone Dyson", "Boone Elgin", "Clinton Elgin", "Fargo Dyson"),
    *("Galena Dyson", "Galena Elgin", "Hibbing Elgin"),
)
BOARDS: tuple[dict[str, str], ...] = ({}, {"B8": "Beloit"}, {"D6": "Decatur"}, {"E3": "Eldon", "C9": "Carroll"})


def draw_position(rng: random.Random) -> dict[str, Any]:
    """Random links, factories and contracts for three seats; seat 0 has a link."""
    board = grid(**rng.choice(BOARDS))
    laid: list[str] = []
    used: set[str] = set()
    networks: list[set[str]] = [set(), set(), set()]
    for way in rng.sample(WAYS, 16):
        seat = rng.choice((0, 1, 1, 2, 2))
        path = read_link(f"{seat} {way}", board)["path"]
        if path[0] not in networks[seat]:
            path.reverse()
        if (networks[seat] and path[0] not in networks[seat]) or used & {*path[1:-1]}:
            continue
        if all(board[cell_of(tile)] == "." for tile in path[1:-1]):
            laid.append(f"{seat} {' '.join(path)}")
            used.update(path[1:-1])
            networks[seat].update((path[0], path[-1]))
    if not networks[0]:
        return draw_position(rng)
    colors = {city: rng.choice("WWWBBP") for city in sorted(set().union(*networks))}
    built = [city for city in colors if colors[city] != "P" and rng.random() < 0.8]
    return {
        "board": board,
        "colors": ", ".join(f"{city} {color}" for city, color in colors.items()),
        "links": " / ".join(laid),
        "factories": ", ".join(f"{rng.choice((0, 1, 1, 2))} {city} {rng.choice((0, 1, 1, 2, 4))}" for city in built),
        "contracts": " / ".join("".join(rng.choices("WWBBO", k=rng.randint(1, 3))) for _ in range(3)),
    }


def cost_of(game: Game, action: str, known: dict[bytes, int]) -> int:
    """What the contract costs at least from this action on, found by trying everything."""
    after = game.clone()
    after.step(action)
    key = after.record.tobytes()
    if key not in known:
        on = after.legal_text() if after.phase in CARRYING else []
        known[key] = min((cost_of(after, text, known) for text in on), default=0)
    return game.money[0] - after.money[0] + known[key]


@pytest.mark.parametrize("routing", ["any", "cheapest"])
def test_rule_6_4__choices_are_exactly_those_from_which_the_contract_can_be_completed(routing: str) -> None:
    rng, met = random.Random(routing), set()
    for _ in range(40):
        entries, money = draw_position(rng), rng.choice((1, 2, 3, 4, 5, 6, 8, 12))
        rich, start = (position(**entries, money=[has, 5, 5], routing=routing) for has in (99, money))
        twins = Twins({"scenario": start.to_scenario()})  # beside the reference engine
        poor, options = twins.game, {f"fulfil {number}" for number in choices(rich, "fulfil")}
        known: dict[bytes, int] = {}
        while options:
            payable = {text for text in options if cost_of(rich, text, known) <= poor.money[0]}
            assert {text for text in legal(poor) if text.split()[0] in ("fulfil", *CARRYING)} == payable
            assert twins.difference is None
            if not payable:
                break
            met.add((poor.phase, len(payable) > 1))
            action = rng.choice(sorted(payable))
            rich.step(action)
            twins.step(action)
            options = legal(rich) if rich.phase in CARRYING else set()
        kinds = [event.kind for event in poor.events]
        met |= {*kinds, *pairwise(kinds)}
    assert {("source", True), ("hop", "hop"), "purchase"} <= met
    assert routing == "cheapest" or {("hop", True), ("pay", True)} <= met
