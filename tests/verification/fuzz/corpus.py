"""What the fuzzer starts from: shipped files, the transcripts' positions, games of every kind in every phase."""

import json
import random
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import tomli_w

from steam_env import Game, Rules
from steam_env.data.steam_power.decks import deck_to_dict, load_deck, shipped_decks
from steam_env.data.steam_power.maps import load_map, map_to_dict, shipped_maps
from steam_env.table.files import CHECKSUM_BYTES

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
KINDS = (
    Rules(map="mini", contracts="mini", num_players=3),
    Rules(map="mini", contracts="mini", num_players=2, automas=1, routing="cheapest"),
    Rules(map="mini", contracts="mini", num_players=4, automas=2, automa_level="hard"),
    Rules(map="mini", contracts="mini", mode="solo"),
    Rules(map="mini", contracts="mini", edition="preview", first_player="player_0", contracts_to_end=2),
    Rules(map="alps", num_players=5, max_rounds=30),
)
STARTS = 3  # of each kind


def shipped_texts(folder: str, game: str = "steam_power") -> list[bytes]:
    """The files in a folder of a game's data."""
    entries = resources.files("steam_env.data").joinpath(game, folder).iterdir()
    return [entry.read_bytes() for entry in sorted(entries, key=lambda entry: entry.name)]


@cache
def scenarios() -> tuple[dict[str, Any], ...]:
    """Positions as tables: of the transcripts, and of games between actions."""
    given = [json.loads(path.read_bytes())["scenario"] for path in sorted(TRANSCRIPTS.glob("*.json"))]
    return (*given, *(game.to_scenario() for game in games() if game.phase == "action"))


@cache
def games() -> tuple[Game, ...]:
    """Games of each kind: dealt and played on, in the different phases, to the end, from a position, a redeal."""
    found = []
    for number, rules in enumerate(KINDS):
        for start in range(STARTS):
            found.extend(phases_of(Game(rules, seed=number + start), random.Random(start)))
    middle = [game for game in found if game.phase != "over"]
    found.extend(Game.from_scenario(game.to_scenario()) for game in middle if game.phase == "action")
    found.extend(game.redeal(0, 1) for game in middle)
    return tuple(found)


def _choose(game: Game, rng: random.Random) -> int:
    legal = game.legal()
    return rng.choice([action for action in legal if action > 1 or rng.random() < 0.3] or legal)


def phases_of(
    game: Game, rng: random.Random, choose: Callable[[Game, random.Random], int | str] = _choose
) -> list[Game]:
    """The game as it was when it came into each phase for the last time."""
    last = {game.phase: game.clone()}
    while not game.done:
        game.step(choose(game, rng))
        last[game.phase] = game.clone()
    return list(last.values())


@cache
def maps() -> list[bytes]:
    """Map files in both forms."""
    tables = [{**map_to_dict(load_map(name))} for name in shipped_maps()]
    return [*shipped_texts("maps"), *(tomli_w.dumps(table).encode() for table in tables)]


@cache
def decks() -> list[bytes]:
    """Deck files, with contracts in braces and under headers."""
    return [
        *shipped_texts("decks"),
        *(tomli_w.dumps(deck_to_dict(load_deck(name))).encode() for name in shipped_decks()),
    ]


@cache
def scenario_files() -> list[bytes]:
    """Scenario files."""
    return [*shipped_texts("scenarios"), *(tomli_w.dumps(table).encode() for table in scenarios())]


@cache
def saves() -> list[bytes]:
    return write_saves(games()[::5])


def write_saves(chosen: Iterable[Game]) -> list[bytes]:
    """Saves without their checksums."""
    return [game.save()[:-CHECKSUM_BYTES] for game in chosen]


@cache
def game_files() -> list[bytes]:
    return write_game_files(games()[::4])


def write_game_files(chosen: Iterable[Game]) -> list[bytes]:
    """Game files, of those games that began with a deal or a scenario."""
    with tempfile.TemporaryDirectory() as folder:
        path, files = Path(folder) / "game.json", []
        for game in chosen:
            if (game.events and game.events[0].kind == "deal") or game._scenario is not None:
                game.to_file(path)
                files.append(path.read_bytes())
    return files


@cache
def action_texts() -> list[bytes]:
    return write_action_texts(games()[::5])


def write_action_texts(chosen: Iterable[Game]) -> list[bytes]:
    """Legal actions as text, after the two bytes that choose a game."""
    return [
        bytes([number % 3, 7 * number % 256]) + "\n".join(game.legal_text()[:20]).encode()
        for number, game in enumerate(chosen)
    ]


STEAM_POWER_SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "map": maps,
    "deck": decks,
    "scenario": scenario_files,
    "save": saves,
    "game_file": game_files,
    "rules": lambda: [rules.to_json().encode() for rules in KINDS],
    "actions": action_texts,
}
