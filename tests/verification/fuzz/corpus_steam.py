"""What the fuzzer starts from for Steam: shipped maps, games of every kind in every phase."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import tomli_w

from steam_env.data.steam.maps import load_map, map_to_dict, shipped_maps
from steam_env.steam import Game, Rules
from tests.verification.fuzz import corpus
from tests.verification.lockstep_steam.players import Players

KINDS = (
    Rules(map="mini", num_players=3),
    Rules(map="mini", num_players=4, tiles="unlimited", towns_twice=True, bankruptcy="forgiven"),
    Rules(map="mini", num_players=3, start="auction", income_max="none", turns=3),
    Rules(map="rhineland", num_players=5, first_player=1, turns=2),
)
STARTS = 2  # of each kind
SCENARIO_PHASES = ("take", "build", "goods")


@cache
def games() -> tuple[Game, ...]:
    """Games of each kind: dealt and played on, in the different phases, to the end, and from a position."""
    found = [game for number in range(len(KINDS)) for start in range(STARTS) for game in _phases_of(number, start)]
    return (*found, *(Game.from_scenario(table) for table in _write_scenarios(found)))


def _phases_of(number: int, start: int) -> list[Game]:
    rng = random.Random(start)
    players = Players(rng, KINDS[number].num_players)
    return corpus.phases_of(Game(KINDS[number], seed=number + start), rng, lambda game, _: players.choose(game))


def _write_scenarios(chosen: list[Game]) -> list[dict[str, Any]]:
    return [game.to_scenario() for game in chosen if game.phase in SCENARIO_PHASES]


@cache
def scenarios() -> tuple[dict[str, Any], ...]:
    """Positions as tables."""
    return tuple(_write_scenarios(list(games())))


def maps() -> list[bytes]:
    """Map files in both forms."""
    tables = [map_to_dict(load_map(name)) for name in shipped_maps()]
    return [*corpus.shipped_texts("maps", "steam"), *(tomli_w.dumps(table).encode() for table in tables)]


SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "map": cache(maps),
    "scenario": cache(lambda: [tomli_w.dumps(table).encode() for table in scenarios()]),
    "save": cache(lambda: corpus.write_saves(games()[::3])),
    "game_file": cache(lambda: corpus.write_game_files(games()[::3])),
    "rules": lambda: [rules.to_json().encode() for rules in KINDS],
    "actions": cache(lambda: corpus.write_action_texts(games()[::3])),
}
