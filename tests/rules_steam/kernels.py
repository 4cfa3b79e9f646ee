"""The kernels' game as an ``Engine``, so that every test of the rules is run with it."""

import random
import re
from collections.abc import Mapping
from typing import Any, Self

from steam_env.core.steam.actions import BUILD_ON, LAY
from steam_env.core.steam.state import TILE
from steam_env.data.steam.maps import parse_map
from steam_env.data.steam.rules import Rules as GameRules
from steam_env.data.steam.setting import Setting, load_setting
from steam_env.steam import Game
from steam_env.words.steam.actions import parse_pattern
from tests.verification.reference_steam import Deal, Rules

RULE = re.compile(r"\(rule ([\d.]+)(?: ([a-d]))?\)$")  # at the end of a reason
SEEDS = 2**31


class Kernels:
    """A ``steam_env.steam.Game`` in the words of the tests."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def from_scenario(cls, scenario: Mapping[str, Any], rng: random.Random | None = None) -> Self:
        seed = (rng or random.Random(0)).randrange(SEEDS)
        return cls(Game.from_scenario({"game": Game.kind, **scenario}, seed))

    @classmethod
    def from_deal(cls, rules: Rules, board: Mapping[str, Any], deal: Deal) -> Self:
        cities = [deal.cities[city["name"]] for city in board["cities"]]
        values = {"cities": cities, "supply": deal.supply, "first": deal.first}
        return cls(Game._dealt(read_setting(rules, board), 0, values))

    @classmethod
    def from_chance(cls, rules: Rules, board: Mapping[str, Any], rng: random.Random) -> Self:
        return cls(Game._dealt(read_setting(rules, board), rng.randrange(SEEDS)))

    def legal(self) -> list[str]:
        return self.game.legal_text()

    def legal_actions(self) -> list[int]:
        return self.game.legal()

    def number_of(self, text: str) -> int:
        return self.game.parse(text)

    def text_of(self, number: int) -> str:
        return self.game.text(number)

    def apply(self, action: int | str) -> None:
        self.game.step(action)

    def copy(self) -> Self:
        return type(self)(self.game.clone())

    def explain_placement(self, hex_name: str, pattern: str) -> str | None:
        """The reason at a copy that is asked for the tile, as if ``build`` were always legal."""
        try:
            action = LAY + parse_pattern(pattern)
        except ValueError as error:
            return find_rule(str(error))
        asked = self.game.clone()
        asked.records["hex"] = self.game.parse(f"build {hex_name}") - BUILD_ON
        asked.records["phase"] = TILE
        reason = asked.explain(action)
        return None if reason is None else find_rule(reason)

    def state(self) -> dict[str, Any]:
        return self.game.state()

    def to_scenario(self, board: Mapping[str, Any]) -> dict[str, Any]:
        told = {**self.game.to_scenario(), "map": dict(board)}
        del told["game"]  # of a file, where several games could be meant
        return told


def read_setting(rules: Rules, board: Mapping[str, Any]) -> Setting:
    """The map is given as a table: the rules know it by its name alone."""
    return load_setting(GameRules(**vars(rules), map=board["name"]), map=parse_map(board))


def find_rule(reason: str) -> str:
    """The number of the rule that a reason cites."""
    match = RULE.search(reason)
    assert match, reason
    return "".join(part for part in match.groups() if part)
