"""Text files of people: a byte order mark is left out, and what is no UTF-8 is named, in all readers alike."""

import codecs
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from steam_env import Game, Rules
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.maps import load_map
from steam_env.playing.played_game import PlayedGame

MINI = Rules(map="mini", contracts="mini")
DATA = files("steam_env.data.steam_power")


def write_scenario(path: Path) -> None:
    Game(MINI, seed=1).to_scenario(path)


def write_game_file(path: Path) -> None:
    Game(MINI, seed=1).to_file(path)


def write_saved_game(path: Path) -> None:
    PlayedGame(Game(MINI, seed=1), ("human", "human")).save(path)


def copy_shipped(name: str) -> Callable[[Path], Any]:
    return lambda path: path.write_bytes((DATA / name).read_bytes())


KINDS: dict[str, tuple[Callable[[Path], Any], Callable[[Path], Any]]] = {
    "map.toml": (copy_shipped("maps/mini.toml"), load_map),
    "deck.toml": (copy_shipped("decks/mini.toml"), load_deck),
    "scenario.toml": (write_scenario, lambda path: Game.from_scenario(path, seed=2).record.tobytes()),
    "game.json": (write_game_file, lambda path: Game.from_file(path).record.tobytes()),
    "played.save": (write_saved_game, lambda path: PlayedGame.load(path).game.record.tobytes()),
}


@pytest.fixture(params=KINDS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Callable[[Path], Any]]:
    write, read = KINDS[request.param]
    write(tmp_path / request.param)
    return tmp_path / request.param, read


def test_a_byte_order_mark_and_other_line_ends_are_as_if_they_were_not_there(
    case: tuple[Path, Callable[[Path], Any]],
) -> None:
    path, read = case
    plain, data = read(path), path.read_bytes()
    path.write_bytes(codecs.BOM_UTF8 + data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert read(path) == plain


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_another_encoding_is_named(encoding: str, case: tuple[Path, Callable[[Path], Any]]) -> None:
    path, read = case
    mark = {"utf-16-be": codecs.BOM_UTF16_BE, "utf-32-be": codecs.BOM_UTF32_BE}.get(encoding, b"")
    path.write_bytes(mark + path.read_text(encoding="utf-8").encode(encoding))
    with pytest.raises(ValueError, match=f"{path.name}.*{encoding[:6].upper()}; UTF-8 is allowed"):
        read(path)


def test_positions_are_counted_without_the_mark(case: tuple[Path, Callable[[Path], Any]]) -> None:
    path, read = case
    path.write_bytes(codecs.BOM_UTF8 + b"{\n \xff")
    with pytest.raises(ValueError, match=rf"{path.name}:2:2: byte 0xff is not UTF-8"):
        read(path)
    path.write_bytes(codecs.BOM_UTF8 + b'\n  "a" b')
    with pytest.raises(ValueError, match=rf"{path.name}.*(:2:\d|line 2)"):
        read(path)


def test_what_cannot_be_read_is_named(case: tuple[Path, Callable[[Path], Any]]) -> None:
    path, read = case
    for other, words in ((path.parent, "Is a directory"), (path.parent / "no" / path.name, "No such file")):
        with pytest.raises(ValueError, match=words):
            read(other)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(ValueError, match=path.name):
        read(path)
