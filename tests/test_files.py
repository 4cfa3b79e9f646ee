"""Saves and game files: a game is read back as it was, and what is wrong with a file is named with its line."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, Rules, SaveError
from steam_env.core.steam_power.state import GAME
from steam_env.replay import write_replay
from steam_env.table.files import SCHEMA
from tests.games import MINI, advance, mini
from tests.test_game import no_deck

ROOT = Path(__file__).resolve().parents[1]


def write(game: Game, folder: Path, **notes: Any) -> Path:
    game.to_file(folder / "game.json", **notes)
    return folder / "game.json"


def change(path: Path, **entries: Any) -> Path:
    """The file with other entries, each step on several lines."""
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **entries}, indent=1), encoding="utf-8")
    return path


# --- saves -------------------------------------------------------------------------------------------


def test_save__is_bytes_with_a_magic_word() -> None:
    data = mini(1).save()
    assert isinstance(data, bytes)
    assert data[:8] == b"STEAMENV"
    assert mini(1).save() == data


def test_save__damage_is_noticed() -> None:
    data = advance(mini(1), 10).save()
    places = [*range(40), *range(40, len(data), 97), *range(len(data) - 20, len(data))]
    flipped = [data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :] for place in places]
    cut = [data[:size] for size in (0, 1, 7, 13, 100, -1, -16, -17)]
    for damaged in (*flipped, *cut, data + b"x", b"hello", None, "text", 5, b"STEAMENV" + bytes(100)):
        with pytest.raises(SaveError):
            Game.load(damaged)  # type: ignore[arg-type]


def test_save__holds_map_and_deck(tmp_path: Path) -> None:
    shutil.copy(ROOT / "steam_env/data/steam_power/maps/mini.toml", tmp_path / "map.toml")
    shutil.copy(ROOT / "steam_env/data/steam_power/decks/mini.toml", tmp_path / "deck.toml")
    game = mini(1, map=str(tmp_path / "map.toml"), contracts=str(tmp_path / "deck.toml"))
    data = advance(game, 10).save()
    for file in tmp_path.iterdir():
        file.unlink()
    loaded = Game.load(data)
    assert (loaded.records.tobytes(), loaded.setting.contents) == (game.records.tobytes(), game.setting.contents)
    assert advance(loaded, 60).save() == advance(game, 60).save()


# --- game files --------------------------------------------------------------------------------------


def test_file__holds_what_the_interface_says(tmp_path: Path) -> None:
    game = advance(mini(3, num_players=3, max_rounds=4))
    content = json.loads(write(game, tmp_path).read_text(encoding="utf-8"))
    assert Rules.from_dict(content["rules"]) == game.rules
    assert (content["seed"], content["winners"], content["schema"]) == (game.seed, game.winners(), SCHEMA)
    assert [step["id"] for step in content["steps"]] == game.actions
    events = [event for step in content["steps"] for event in step["events"]]
    assert events == [event.to_dict() for event in game.events[1:]]
    assert not {"players", "policy"} & {*content, *content["steps"][0]}


@pytest.mark.parametrize(
    "start",
    [lambda: advance(mini(1, num_players=3), seed=2), lambda: advance(no_deck(3), 60, seed=2)],
    ids=["deal", "scenario"],
)
def test_file__replays_although_the_random_numbers_are_others(start: Callable[[], Game], tmp_path: Path) -> None:
    game = start()
    assert any(event.kind == "take" for event in game.events)
    path = write(game, tmp_path)
    scenario = json.loads(path.read_text(encoding="utf-8"))["scenario"]
    (scenario or {}).pop("random", None)
    again = Game.from_file(change(path, scenario=scenario, seed=12345))
    assert (again.log, again.scores(), again.actions) == (game.log, game.scores(), game.actions)


def test_file__of_a_game_under_way_begins_with_the_deal_after_a_load_too(tmp_path: Path) -> None:
    game = advance(Game.load(advance(mini(2), 20).save()), 13, seed=1)
    again = Game.from_file(write(game, tmp_path))
    assert (again.log, again.seat, again.phase, again.legal()) == (game.log, game.seat, game.phase, game.legal())
    for name in set(GAME.names or ()) - {"rng"}:
        assert np.array_equal(again.record[name], game.record[name]), name


def test_file__needs_a_beginning(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="deal or a scenario"):
        mini(1).redeal(0, 1).to_file(tmp_path / "game.json")
    assert not (tmp_path / "game.json").exists()


# --- what is wrong with a game file ------------------------------------------------------------------


def read_fault(path: Path) -> str:
    """What is said about a file, of which no page is made either."""
    with pytest.raises(SaveError) as caught:
        write_replay(path, path.with_suffix(".html"))
    assert not path.with_suffix(".html").exists()
    assert str(path) in str(caught.value)
    return str(caught.value)


def play_money(steps: int = 12) -> Game:
    game = Game(Rules(**MINI, max_rounds=3, first_player="player_0"), seed=1)
    for _ in range(steps):
        game.step("money")
    return game


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"format": "chess"}, "format", "this is no game file"),
    ({"schema": 999}, "schema", f"the file has version 999.*: {SCHEMA} is read"),
    ({"rules": {"num_players": 9}}, "start", "num_players"),
    ({"rules": None}, "start", "broken"),
    ({"steps": 5}, "start", "broken"),
    ({"deal": {}}, "start", "deal"),
    ({"deck": {}}, "start", "name"),
    ({"scenario": "first-track.toml"}, "start", "scenario: must be a table"),  # not followed
    ({"over": False}, "over", "is True in the final position, the file has False"),
    ({"truncated": 2}, "truncated", "is True"),
    ({"winners": [7]}, "winners", "is "),
    ({"scores": []}, "scores", "is "),
]


@pytest.mark.parametrize(("entries", "entry", "words"), FAULTS, ids=str)
def test_fault__an_entry_is_named_with_its_line(
    entries: dict[str, Any], entry: str, words: str, tmp_path: Path
) -> None:
    path = change(write(play_money(), tmp_path), **entries)
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next((f", line {number}" for number, line in enumerate(lines, 1) if line.startswith(f' "{entry}"')), "")
    assert re.search(rf"\.json{number}: {entry}: .*{words}", read_fault(path))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seat": 1}, "player_0 decides action, the file has 'money' of player_1"),
        ({"text": "contracts"}, "action 0 is 'money', the file has 'contracts'"),
        ({"id": 2, "text": "done"}, r"'done' of player_0 does not replay: done: .* \(rule"),
        ({"id": 999}, "action 999 is out of range"),
        ({"events": []}, "event 0 is {'kind': 'money'.*, the file has missing"),
        ({"events": [{"kind": "money", "actor": 0, "amount": 4}]}, "'amount': 3}, the file has .*'amount': 4}"),
        ({"events": [{"kind": "take", "contract": 3}]}, "outcome"),
        ({"events": None}, "broken"),
    ],
    ids=str,
)
def test_fault__the_first_step_that_differs_is_named(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = write(play_money(), tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith('  {"seat"')) + 5
    lines[at] = "  " + json.dumps({**json.loads(lines[at].rstrip(",")), **changed}) + ","
    path.write_text("\n".join(lines), encoding="utf-8")
    assert re.search(rf"line {at + 1}: steps\[5\]: .*{message}", read_fault(path))


def test_fault__a_step_after_the_end_is_named(tmp_path: Path) -> None:
    path = write(play_money(), tmp_path)
    steps = json.loads(path.read_bytes())["steps"]
    assert f"steps[{len(steps)}]: the game is over" in read_fault(change(path, steps=[*steps, steps[0]]))


def test_fault__a_cut_file_says_where(tmp_path: Path) -> None:
    path = write(play_money(), tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.startswith('  {"seat"'))
    for step, part in ((0, 0.5), (3, 0.1), (7, 0.9)):
        row = lines[first - 1 + step]
        path.write_text("\n".join([*lines[: first - 1 + step], row[: int(len(row) * part)]]), encoding="utf-8")
        fault = read_fault(path)
        assert f"line {first + step}, in steps[{step}]: no game file can be read" in fault
        assert "was the file cut?" in fault
