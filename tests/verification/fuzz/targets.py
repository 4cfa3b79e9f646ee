"""What is done with bytes from anywhere: each target gets a named error, or a result that holds in play.

Anything else that a target raises is a finding. Hypothesis calls the same targets as the fuzzer.
"""

import hashlib
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from steam_env import Game, IllegalActionError, Rules, SaveError, ScenarioError
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.data.map_text import MapError
from steam_env.data.steam_power.decks import DeckError, deck_to_dict, load_deck, parse_deck
from steam_env.data.steam_power.maps import load_map, map_to_dict, parse_map
from steam_env.table.files import CHECKSUM_BYTES
from steam_env.words.steam_power.possible import check_position
from tests.verification import invariants

STEPS_PLAYED = 20


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="steam_env_fuzz_"))


def write_file(data: bytes, ending: str) -> Path:
    path = _folder() / f"input{ending}"
    path.write_bytes(data)
    return path


# --- what must hold ---------------------------------------------------------------------------------------


def check_message(error: Exception, word: str = "") -> None:
    """An error says something, with this word, in characters that can be written."""
    text = str(error)
    assert text.strip(), repr(error)
    assert word in text
    text.encode("utf-8")


def play_on(game: Game | None, seed: int = 0, steps: int = STEPS_PLAYED) -> None:
    """A game that was read, if it was, holds in play, and is the same after a save."""
    if game is None:
        return
    rng = random.Random(seed)
    check_position(game.records.copy(), game.setting)
    invariants.check_position(game)
    for _ in range(steps):
        if game.done:
            break
        assert game.legal(), game
        refuse(game, rng.randrange(NUM_ACTIONS))
        game.step(rng.choice(game.legal()))
    check_position(game.records.copy(), game.setting)
    invariants.check_position(game)
    again = Game.load(game.save())
    assert again.records.tobytes() == game.records.tobytes()
    assert again.mask.tobytes() == game.mask.tobytes()
    if game.phase == "action":
        assert Game.from_scenario(game.to_scenario()).records.tobytes() == game.records.tobytes()
    for seat in range(game.seats):
        assert np.isfinite(game.observe(seat)).all()
        assert len(game.log_for(seat)) == len(game.log)
    assert len(game.scores()) == game.rules.seats
    assert len(game.links()) == int(game.record.num_links)
    assert game.render()


def refuse(game: Game, action: object) -> None:
    """An illegal action is refused with a reason and changes nothing; a legal one is left alone."""
    if isinstance(action, int | np.integer) and not isinstance(action, bool) and action in game.legal():
        assert game.explain(int(action)) is None
        return
    before = game.records.tobytes() + game.mask.tobytes(), game.num_steps, len(game.events)
    try:
        game.step(action)  # type: ignore[arg-type]
    except IllegalActionError as error:
        check_message(error)
        assert (game.records.tobytes() + game.mask.tobytes(), game.num_steps, len(game.events)) == before
        return
    assert isinstance(action, str), action  # a text may happen to be legal


# --- targets ----------------------------------------------------------------------------------------------


def read(reader: Callable[..., Any], source: Any, error: type[Exception], word: str = "", **options: Any) -> Any:
    """What the reader makes of it; None if it is refused by the error, whose message has the word."""
    try:
        return reader(source, **options)
    except error as refusal:
        check_message(refusal, word)
        return None


def read_map(data: bytes) -> None:
    path = write_file(data, ".toml")
    if (board := read(load_map, path, MapError)) is not None:
        assert parse_map(map_to_dict(board)) == board
        play_on(Game(Rules(map=str(path), contracts="mini"), seed=1))


def read_deck(data: bytes) -> None:
    path = write_file(data, ".toml")
    if (deck := read(load_deck, path, DeckError)) is not None:
        assert parse_deck(deck_to_dict(deck)) == deck
        rules = Rules(map="mini", contracts=str(path))
        play_on(read(Game, rules, ValueError, "rule 2.2", seed=1))  # fewer contracts than are dealt


def read_scenario(data: bytes) -> None:
    play_on(read(Game.from_scenario, write_file(data, ".toml"), ScenarioError, seed=1))


def read_save(data: bytes) -> None:
    """A save without its checksum, which is made right here: a checksum is no proof."""
    play_on(read(Game.load, data + hashlib.sha256(data).digest()[:CHECKSUM_BYTES], SaveError))


def read_game_file(data: bytes) -> None:
    play_on(read(Game.from_file, write_file(data, ".json"), SaveError))


def read_rules(data: bytes) -> None:
    rules = read(Rules.from_json, data.decode("utf-8", "surrogateescape"), ValueError)
    if rules is not None:
        again = Rules.from_json(rules.to_json())
        assert (again, hash(again)) == (rules, hash(rules))


GAMES = (
    Rules(map="mini", contracts="mini", num_players=3),
    Rules(map="mini", contracts="mini", num_players=2, automas=1),
    Rules(mode="solo", map="mini", contracts="mini"),
)


def play_texts(data: bytes) -> None:
    """Lines of text as actions; the first byte chooses the game, the second how far it has been played."""
    if len(data) < 2:
        return
    rng = random.Random(data[1])
    game = _played(data[0] % len(GAMES), data[1] % 64).clone()
    for line in data[2:].decode("utf-8", "replace").split("\n"):
        if game.done:
            break
        refuse(game, line)
        refuse(game, int(line) if line.isascii() and line.isdigit() and len(line) < 40 else rng.randrange(NUM_ACTIONS))
    check_position(game.records.copy(), game.setting)


@cache
def _played(number: int, steps: int) -> Game:
    rng = random.Random(steps)
    game = Game(GAMES[number], seed=number)
    for _ in range(steps):
        if not game.done:
            game.step(rng.choice(game.legal()))
    return game


TARGETS: dict[str, Callable[[bytes], None]] = {
    "map": read_map,
    "deck": read_deck,
    "scenario": read_scenario,
    "save": read_save,
    "game_file": read_game_file,
    "rules": read_rules,
    "actions": play_texts,
}
