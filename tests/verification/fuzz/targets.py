"""What is done with bytes from anywhere: each target gets a named error, or a result that holds in play.

Anything else that a target raises is a finding. Hypothesis calls the same targets as the fuzzer.
"""

import hashlib
import random
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from steam_env import Game, IllegalActionError, Rules, SaveError, ScenarioError, steam
from steam_env.data.map_text import MapError
from steam_env.data.steam.maps import load_map as load_steam_map
from steam_env.data.steam.maps import map_to_dict as steam_map_to_dict
from steam_env.data.steam.maps import parse_map as parse_steam_map
from steam_env.data.steam.tiles import load_tiles
from steam_env.data.steam_power.decks import DeckError, deck_to_dict, load_deck, parse_deck
from steam_env.data.steam_power.maps import load_map, map_to_dict, parse_map
from steam_env.spec import find_spec
from steam_env.table.files import CHECKSUM_BYTES
from steam_env.table.game import Game as AnyGame
from tests.verification import invariants, ledger_steam

STEPS_PLAYED = 20
SCENARIO_PHASES = {"steam_power": ("action",), "steam": ("take", "build", "goods")}
MOST_COLUMNS = 26  # that the ledger of Steam has names for


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


def check_game(game: AnyGame) -> None:
    """The record is a possible position, and what must hold of positions holds."""
    find_spec(game.rules.game).kernels.check_position(game.records.copy(), game.setting)
    if isinstance(game, steam.Game):
        board = steam_map_to_dict(game.setting.map)
        if max(map(len, board["rows"].split("\n"))) <= MOST_COLUMNS and game.setting.tiles == load_tiles():
            ledger_steam.check_state(ledger_steam.Chart(board), game.state())
    else:
        invariants.check_position(game)  # type: ignore[arg-type]


def play_on(game: AnyGame | None, seed: int = 0, steps: int = STEPS_PLAYED) -> None:
    """A game that was read, if it was, holds in play, and is the same after a save."""
    if game is None:
        return
    rng = random.Random(seed)
    check_game(game)
    for _ in range(steps):
        if game.done:
            break
        assert game.legal(), game
        refuse(game, rng.randrange(game.mask.size))
        game.step(rng.choice(game.legal()))
    check_game(game)
    again = type(game).load(game.save())
    assert again.records.tobytes() == game.records.tobytes()
    assert again.mask.tobytes() == game.mask.tobytes()
    if game.phase in SCENARIO_PHASES[game.rules.game]:
        assert type(game).from_scenario(game.to_scenario()).records.tobytes() == game.records.tobytes()
    for seat in range(game.seats):
        assert np.isfinite(game.observe(seat)).all()
        assert len(game.log_for(seat)) == len(game.log)
    assert len(game.scores()) == (1 if game.setting.is_solo else game.seats)
    assert len(game.links()) == int(game.record.num_links)  # type: ignore[attr-defined]
    assert game.render()


def is_playable(game: AnyGame, action: int) -> bool:
    """Whether an action may be played: it is offered, or the same choice as one that is."""
    return 0 <= action < game.mask.size and game._is_playable(action)


def refuse(game: AnyGame, action: object) -> None:
    """An illegal action is refused with a reason and changes nothing; a legal one is left alone."""
    if isinstance(action, int | np.integer) and not isinstance(action, bool) and is_playable(game, int(action)):
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


def read_steam_map(data: bytes) -> None:
    path = write_file(data, ".toml")
    if (board := read(load_steam_map, path, MapError)) is not None:
        assert parse_steam_map(steam_map_to_dict(board)) == board
        seats = board.seats[0]
        play_on(read(steam.Game, steam.Rules(map=str(path), num_players=seats), ValueError, seed=1))


def read_scenario(data: bytes, game: type[AnyGame] = Game) -> None:
    play_on(read(game.from_scenario, write_file(data, ".toml"), ScenarioError, seed=1))


def read_save(data: bytes, game: type[AnyGame] = Game) -> None:
    """A save without its checksum, which is made right here: a checksum is no proof."""
    play_on(read(game.load, data + hashlib.sha256(data).digest()[:CHECKSUM_BYTES], SaveError))


def read_game_file(data: bytes, game: type[AnyGame] = Game) -> None:
    play_on(read(game.from_file, write_file(data, ".json"), SaveError))


def read_rules(data: bytes, kind: Any = Rules) -> None:
    rules = read(kind.from_json, data.decode("utf-8", "surrogateescape"), ValueError)
    if rules is not None:
        again = kind.from_json(rules.to_json())
        assert (again, hash(again)) == (rules, hash(rules))


GAMES = (
    Rules(map="mini", contracts="mini", num_players=3),
    Rules(map="mini", contracts="mini", num_players=2, automas=1),
    Rules(mode="solo", map="mini", contracts="mini"),
)
STEAM_GAMES = (
    steam.Rules(map="mini", num_players=3),
    steam.Rules(map="mini", num_players=4, tiles="unlimited", towns_twice=True, bankruptcy="forgiven"),
    steam.Rules(map="mini", num_players=3, start="auction", income_max="none", turns=3),
)


def play_texts(data: bytes, games: Sequence[Any] = GAMES) -> None:
    """Lines of text as actions; the first byte chooses the game, the second how far it has been played."""
    if len(data) < 2:
        return
    rng = random.Random(data[1])
    game = _played(data[0] % len(games), data[1] % 64, games is STEAM_GAMES).clone()
    for line in data[2:].decode("utf-8", "replace").split("\n"):
        if game.done:
            break
        refuse(game, line)
        is_number = line.isascii() and line.isdigit() and len(line) < 40
        refuse(game, int(line) if is_number else rng.randrange(game.mask.size))
    check_game(game)


@cache
def _played(number: int, steps: int, of_steam: bool = False) -> AnyGame:
    rng = random.Random(steps)
    game = steam.Game(STEAM_GAMES[number], seed=number) if of_steam else Game(GAMES[number], seed=number)
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
    "steam_map": read_steam_map,
    "steam_scenario": partial(read_scenario, game=steam.Game),
    "steam_save": partial(read_save, game=steam.Game),
    "steam_game_file": partial(read_game_file, game=steam.Game),
    "steam_rules": partial(read_rules, kind=steam.Rules),
    "steam_actions": partial(play_texts, games=STEAM_GAMES),
}
