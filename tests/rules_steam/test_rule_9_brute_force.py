"""Rules 9.3 to 9.6 and 9.10: the routes of random games, found again by walking over all links as the rules say it."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from steam_env.core.steam.state import COLOR_NAMES
from steam_env.steam import Game
from tests.rules_steam.games import play
from tests.rules_steam.players import KINDS, walk

COLORS = {name[0].upper(): name for name in COLOR_NAMES}
EVERY = 2  # goods decisions
MOST_ROUTES = 20  # of a cube that are walked one by one

Route = tuple[tuple[str, int], ...]  # the stops after the first, each with the owner of the link to it


class Board:
    """A position in plain Python."""

    def __init__(self, game: Game) -> None:
        state = game.state()
        printed = {city.name: COLOR_NAMES[city.color] for city in game.setting.map.cities}
        self.colors: dict[str, str] = {**printed, **state["new_cities"]}
        self.cubes: dict[str, str] = state["cubes"]
        complete = [(number, link["path"]) for number, link in enumerate(state["links"]) if "open" not in link]
        self.links = [(number, path[0], path[-1]) for number, path in complete]
        self.owners = [link["owner"] for link in state["links"]]
        self.level, self.seat = state["level"][game.seat], game.seat
        self.towns_twice = game.rules.towns_twice

    def routes(self, origin: str, letter: str) -> set[Route]:
        """All legal routes of a cube: parallel links of one owner are the same (rule 9.10)."""
        return {self.describe(way) for way in self.walk(origin, COLORS[letter], [(origin, -1)]) if self.allows(way)}

    def walk(self, here: str, color: str, way: list[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
        """Ways that end in the first city of the colour (rules 9.3, 9.4)."""
        if len(way) > self.level:
            return
        for number, first, second in self.links:
            if here not in (first, second):
                continue
            there = second if here == first else first
            entered = there in [stop for stop, _ in way]
            used = number in [link for _, link in way]
            if entered and (not self.towns_twice or there in self.colors or used):
                continue
            longer = [*way, (there, number)]
            if self.colors.get(there) == color:
                yield longer
            else:
                yield from self.walk(there, color, longer)

    def allows(self, way: list[tuple[str, int]]) -> bool:
        """Own links: one at least, and as many as of any one other seat (rule 9.6)."""
        counts = Counter(self.owners[link] for _, link in way[1:])
        own = counts.pop(self.seat, 0)
        counts.pop(-1, None)
        return own >= max(1, *counts.values(), 1)

    def describe(self, way: list[tuple[str, int]]) -> Route:
        return tuple((stop, self.owners[link]) for stop, link in way[1:])


def list_by_actions(game: Game) -> set[Route]:
    """The routes of the cube under way that the masks allow."""
    if game.phase == "score":
        begun = max(number for number, event in enumerate(game.events) if event.kind == "move")
        stops = game.setting.map.stops
        carried = [event for event in game.events[begun:] if event.kind == "carry"]
        return {tuple((stops[event.values["stop"]], event.values["owner"]) for event in carried)}
    return {route for text in game.legal_text() for route in list_by_actions(play(game.clone(), text))}


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_rule_9_3__routes_are_those_of_the_rules(number: int) -> None:
    seen = looked_at = 0
    for game in walk(number):
        if game.phase != "goods":
            continue
        looked_at += 1
        if looked_at % EVERY:
            continue
        board = Board(game)
        legal = game.legal_text()
        for city, cubes in board.cubes.items():
            routes: dict[str, Any] = {letter: board.routes(city, letter) for letter in sorted(set(cubes))}
            assert (f"from {city}" in legal) == any(routes.values()), (game.num_steps, city)
            if f"from {city}" not in legal:
                continue
            chosen = play(game.clone(), f"from {city}")
            allowed = [f"colour {COLORS[letter]}" for letter in "RYPBG" if routes.get(letter)]
            assert chosen.legal_text() == allowed
            for letter, expected in routes.items():
                if 0 < len(expected) <= MOST_ROUTES:
                    assert list_by_actions(play(chosen.clone(), f"colour {COLORS[letter]}")) == expected
                    seen += len(expected)
    assert seen > 10
