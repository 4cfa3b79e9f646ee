"""Frozen sets of maps: what the manifest promises holds, no two maps are equal, and each can be played to its end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.data.generate import Worlds, find_worlds
from steam_env.evaluation import map_sets
from steam_env.evaluation.map_sets import (
    BLOCK,
    DIGITS,
    Made,
    find_changed,
    find_equal,
    list_faults,
    main,
    make_set,
    name_world,
    play_worlds,
    read_manifest,
    write_manifest,
)
from steam_env.table.batch import GameBatch

FAMILY = "gen-v1"
RESULT = Path(__file__).parents[1] / "docs" / "map_sets" / f"{FAMILY}.json"
IN_CI = 100  # maps of each set
WORLDS = find_worlds()
TINY: Mapping[tuple[int, int], int] = {(1, 1): 0, (1, 3): 1, (2, 4): 2}


def make(count: int, kind: str = "test") -> Made:
    return make_set(WORLDS, FAMILY, kind, count)


# --- what is frozen ---------------------------------------------------------------------------------------
def test_first_maps_of_each_set__are_as_frozen_and_no_two_are_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([FAMILY, "--sample", str(IN_CI), "--unplayed", "--quiet", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert f"{IN_CI} train, {IN_CI} test, {IN_CI} ood, 3 hand; all is as it is frozen" in printed
    found = json.loads((tmp_path / f"{FAMILY}.json").read_text("utf-8"))
    assert [one["set"] for one in found["nearest"]] == ["test", "ood", "hand"]
    assert all(0.2 < one["equal"] / one["larger"] < 0.8 for one in found["nearest"])


def test_stored_result__is_of_the_manifest_and_without_faults() -> None:
    result, manifest = json.loads(RESULT.read_text("utf-8")), read_manifest(WORLDS, FAMILY)
    sets = WORLDS.list_frozen(FAMILY)
    assert list_faults(result) == []
    assert result["worlds"] == {kind: one.count for kind, one in sets.items()}
    assert {kind: entry["count"] for kind, entry in manifest["sets"].items()} == result["worlds"]
    for kind, one in sets.items():
        for seats in (2, 5):
            games = [entry["games"] for entry in result["played"] if (entry["set"], entry["seats"]) == (kind, seats)]
            assert sum(games) == one.count


def test_manifest__has_a_hash_for_each_map_of_small_sets_and_for_each_block_of_large_ones() -> None:
    manifest = read_manifest(WORLDS, FAMILY)
    train, test = manifest["sets"]["train"], manifest["sets"]["test"]
    assert (train["count"], len(train["sha256"])) == (10_000, 10_000 // BLOCK)
    assert (test["count"], len(test["sha256"])) == (200, 200)
    assert {len(one) for one in test["sha256"]} == {DIGITS}
    assert json.loads(write_manifest(FAMILY, {"test": make(3)}))["sets"]["test"]["sha256"] == test["sha256"][:3]


# --- what is found ----------------------------------------------------------------------------------------
def test_find_changed__names_the_first_map_that_is_not_as_frozen() -> None:
    made = make(6)
    manifest = json.loads(write_manifest(FAMILY, {"test": made}))
    assert find_changed(manifest, {"test": made}) == []
    assert find_changed(manifest, {"test": Made(made.hashes[:3], made.maps[:3])}) == []
    other = Made([*made.hashes[:4], "0" * 64, made.hashes[5]], made.maps)
    assert find_changed(manifest, {"test": other})[0].startswith("test:4,")
    longer = Made([*made.hashes, "0" * 64], made.maps)
    assert find_changed(manifest, {"test": longer})[0].startswith("test:6,")
    assert find_changed(manifest, {"ood": made})[0].startswith("ood:0,")


def test_find_changed__looks_at_whole_blocks_of_large_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_sets, "LARGE", 6)
    monkeypatch.setattr(map_sets, "BLOCK", 2)
    made = make(6)
    manifest = json.loads(write_manifest(FAMILY, {"test": made}))
    assert len(manifest["sets"]["test"]["sha256"]) == 3
    other = Made([*made.hashes[:5], "0" * 64], made.maps)
    assert find_changed(manifest, {"test": other})[0].startswith("test:4,")
    assert find_changed(manifest, {"test": Made(other.hashes[:5], made.maps[:5])}) == []


def test_find_equal__names_maps_that_a_symmetry_makes_equal() -> None:
    mirrored = {(-column, row): code for (column, row), code in TINY.items()}
    other = {**TINY, (1, 1): 3}
    made = {"train": Made([], [TINY, other]), "test": Made([], [other | {(9, 9): 0}, mirrored])}
    assert find_equal(made) == [("train:0", "test:1")]


def test_play_worlds__plays_a_game_on_each_to_the_end() -> None:
    names = [name_world(FAMILY, kind, number) for kind in ("train", "ood") for number in (0, 1)]
    ended: list[int] = []
    (batch,) = play_worlds(WORLDS, names, 5, ended.append)
    assert batch.done.all()
    assert not batch.truncated.any()
    assert sum(ended) == len(names)
    assert [part.rules.map for part in batch.setting.parts] == names


def test_list_faults__tells_of_all_that_is_wrong() -> None:
    played = [{"unfinished": ["gen-v1:train:3"], "seats": 5}, {"unfinished": [], "seats": 2}]
    content = {"changed": ["test:1 is not"], "equal": [("a:1", "b:2")], "played": played}
    assert list_faults(content) == ["test:1 is not", "a:1 and b:2 are equal", "gen-v1:train:3 at 5 seats did not end"]


# --- the program ------------------------------------------------------------------------------------------
def test_program__goes_on_where_it_was_and_tells_of_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [FAMILY, "--sample", "2", "--quiet", "--out", str(tmp_path)]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "ended by the rules" in printed
    first = json.loads((tmp_path / f"{FAMILY}.json").read_text("utf-8"))
    assert len(first["played"]) == 8  # sets and numbers of seats
    first["played"][3]["unfinished"] = ["gen-v1:hand:1"]
    del first["played"][0]
    (tmp_path / f"{FAMILY}.json").write_text(json.dumps(first), "utf-8")
    calls: list[str] = []

    def note(worlds: Worlds, names: Sequence[str], *more: Any) -> list[GameBatch]:
        calls.append(names[0])
        return play_worlds(worlds, names, *more)

    monkeypatch.setattr(map_sets, "play_worlds", note)
    assert main(command) == 3
    assert calls == ["gen-v1:train:0"]
    assert "gen-v1:hand:1 at 2 seats did not end" in capsys.readouterr().out
    assert main([*command, "--anew", "--unplayed"]) == 0


def test_freeze__writes_a_manifest_of_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sets = WORLDS.list_frozen(FAMILY)
    few = {kind: replace(sets[kind], count=count) for kind, count in (("train", 3), ("test", 2))}
    worlds, shipped = replace(WORLDS, families={FAMILY: few}), read_manifest(WORLDS, FAMILY)
    monkeypatch.setattr(type(worlds), "find_manifest", lambda self, family: tmp_path / "manifests" / f"{family}.json")
    monkeypatch.setattr(map_sets, "find_worlds", lambda game: worlds)
    command = [FAMILY, "--quiet", "--unplayed", "--out", str(tmp_path)]
    assert main(command) == 2  # nothing is frozen yet
    assert main([*command, "--freeze"]) == 0
    manifest = read_manifest(worlds, FAMILY)
    assert [entry["count"] for entry in manifest["sets"].values()] == [3, 2]
    assert manifest["sets"]["test"]["sha256"] == shipped["sets"]["test"]["sha256"][:2]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["gen-v9"], "family='gen-v9': allowed are 'gen-v1'"),
        ([FAMILY, "--sample", "-1"], "sample=-1: 0 or more is allowed"),
        ([FAMILY, "--sample", "5", "--freeze"], "sample=5: a manifest is of all maps"),
        ([FAMILY, "--game", "tests.toy:SPEC"], "makes no maps from seeds"),
    ],
)
def test_program__bad_input_is_a_message(
    words: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--out", str(tmp_path)]) == 2
    assert part in capsys.readouterr().err


def test_program__refuses_a_file_of_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, command = tmp_path / f"{FAMILY}.json", [FAMILY, "--sample", "1", "--out", str(tmp_path)]
    file.write_text("{}", "utf-8")
    assert main(command) == 2
    assert f"no result of {map_sets.COMMAND}, of format 'steam_env map set checks'" in capsys.readouterr().err
    kind = map_sets.RESULTS
    other = {"format": kind.format, "schema": kind.schema, "fixed": {"family": FAMILY, "sample": 5}}
    file.write_text(json.dumps({**other, "nearest": [], "played": []}), "utf-8")
    assert main(command) == 2
    assert "is another check of maps, sample differ: name another --out, or say --anew" in capsys.readouterr().err


def test_rounds__are_counted_by_number() -> None:
    (batch,) = play_worlds(WORLDS, [name_world(FAMILY, "hand", 2)] * 3, 2)
    counted = map_sets._count([batch], ["a", "b", "c"])
    assert sum(times for _, times in counted["rounds"]) == counted["games"] == 3
    assert counted["unfinished"] == []
    assert {number for number, _ in counted["rounds"]} == set(np.unique(batch.records["round_number"]).tolist())
