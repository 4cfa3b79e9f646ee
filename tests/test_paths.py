"""Paths: every argument that takes one takes an object of ``os.PathLike``, too."""

import os
import pickle
from importlib.resources import files
from pathlib import Path

import pytest

from steam_env import Game, GameBatch, Rules, steam_power_v0
from steam_env.evaluation.match import MatchConfig

DATA = files("steam_env.data.steam_power")


class Place:
    """A path of another library."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for kind in ("maps", "decks"):
        text = (DATA / kind / "mini.toml").read_text(encoding="utf-8").replace('"mini"', '"own"')
        (tmp_path / f"{kind}.toml").write_text(text, encoding="utf-8")
        (tmp_path / kind[:-1]).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("kind", [Path, lambda name: Place(Path(name)), lambda name: Path(name).resolve()])
def test_rules_keep_the_text_of_a_path(kind: type[Path]) -> None:
    rules = Rules(map=kind("maps.toml"), contracts=kind("decks.toml"))  # type: ignore[arg-type]
    same = Rules(map=os.fspath(kind("maps.toml")), contracts=os.fspath(kind("decks.toml")))
    assert rules == same
    assert hash(rules) == hash(same)
    assert Rules.from_json(rules.to_json()) == rules == pickle.loads(pickle.dumps(rules))
    assert Game(rules, seed=1).setting.map.name == "own"
    assert GameBatch(rules, 2, seed=1).setting.deck.name == "own"


def test_a_path_never_means_a_shipped_file() -> None:
    assert Game(Rules(map=Path("map"), contracts=Path("deck")), seed=1).setting.map.name == "own"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"mini: a map file cannot be read there: No such file"):
        Game(Rules(map=Path("mini")))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'map' is not shipped; .*'\./map' names the file here"):
        Game(Rules(map="map"))


def test_games_environments_and_matches_take_paths(folder: Path) -> None:
    game = Game(Rules(map=Path("maps.toml"), contracts=Path("decks.toml")), seed=1)  # type: ignore[arg-type]
    game.to_file(Place(folder / "game.json"))
    assert Game.from_file(Place(folder / "game.json")).setting.map.name == "own"
    game.to_scenario(Place(folder / "scenario.toml"))
    assert Game.from_scenario(Place(folder / "scenario.toml"), seed=1).seat == game.seat
    table = {**game.to_scenario(), "map": Path("maps.toml"), "contracts": Path("decks.toml")}
    assert Game.from_scenario(table, seed=1).rules.map == "maps.toml"
    assert steam_power_v0.env(map=Path("maps.toml"), contracts=Path("decks.toml")) is not None
    match = MatchConfig(Path("a") / "one.safetensors", Path("other.safetensors"), map=Path("maps.toml"))
    assert match.names == (os.path.join("a", "one.safetensors"), "other.safetensors")
    assert "--map maps.toml" in match.command()
