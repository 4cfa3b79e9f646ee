"""Goldens of the files in ``files/``: what they hold, and what is written when their games are written again."""

from __future__ import annotations

import hashlib
import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from steam_env import Game
from tests.verification.goldens.digest import Fields, drop_game_id
from tests.verification.goldens.kinds import SEED
from tests.verification.goldens.positions import describe_game

FOLDER = Path(__file__).parent / "files"
SAVE, GAME_FILE, SCENARIO = ".save", ".json", ".toml"
BY_HAND = "written-"  # scenarios that leave entries out
FILES = tuple(sorted(path.name for path in FOLDER.iterdir() if path.suffix in (SAVE, GAME_FILE, SCENARIO)))


def hash_file(name: str, fields: Fields) -> dict[str, Any]:
    """A file's game, and whether writing it again gives what the file holds, but for the game's id."""
    path = FOLDER / name
    describe = {SAVE: _describe_save, GAME_FILE: _describe_game_file, SCENARIO: _describe_scenario}[path.suffix]
    return {"file": hashlib.sha256(path.read_bytes()).hexdigest(), **drop_game_id(describe(path, fields))}


def _describe_save(path: Path, fields: Fields) -> dict[str, Any]:
    game = Game.load(path.read_bytes())
    described = describe_game(game, fields)
    again = describe_game(Game.load(game.save()), fields)
    return {**described, "again": _say_same(described, again)}


def _describe_game_file(path: Path, fields: Fields) -> dict[str, Any]:
    game = Game.from_file(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    policy = [step.get("policy") for step in content["steps"]]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        game.to_file(copy, players=content.get("players"), policy=policy if any(policy) else None)
        again = json.loads(copy.read_text(encoding="utf-8"))
        described = describe_game(game, fields)
        read_again = describe_game(Game.from_file(copy), fields)
    return {**described, "again": _say_same(content, again), "read again": _say_same(described, read_again)}


def _describe_scenario(path: Path, fields: Fields) -> dict[str, Any]:
    game = Game.from_scenario(path, seed=SEED)
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        written = game.to_scenario(copy)
        again = tomllib.loads(copy.read_text(encoding="utf-8"))
        described = describe_game(game, fields)
        read_again = describe_game(Game.from_scenario(copy, seed=SEED), fields)
    told = {"scenario": written} if path.name.startswith(BY_HAND) else {"again": _say_same(content, again)}
    return {**described, **told, "copy": _say_same(written, again), "read again": _say_same(described, read_again)}


def _say_same(one: Any, other: Any) -> str:
    """Whether two contents are the same but for the game's id; if not, the entries that differ."""
    one, other = drop_game_id(one), drop_game_id(other)
    if one == other:
        return "the same"
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return f"differs in {', '.join(names)}"
