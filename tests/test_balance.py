"""What maps are asked for: demands, what is counted in games, the file of finished parts, the table."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from steam_env import GameBatch, Rules
from steam_env.core.steam_power.state import CROSSING_COST, TILE_PLAIN
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.maps import load_map
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.pages import balance
from steam_env.pages.balance import (
    PLACES,
    ROUNDS,
    Demand,
    keep_part,
    main,
    play_part,
    rate_places,
    read_parts,
    tabulate,
)
from steam_env.pages.steam_power.balance import BALANCE, DEMANDS, count_games, measure_setting, notice_shortage
from steam_env.spec import find_spec
from steam_env.table.engine import load_setting
from tests.toy import SPEC as TOY

SHORT = ["mini", "--contracts", "mini", "--agent", "random", "--deals", "3", "--quiet"]
FEW_ROUNDS = ["--max-rounds", "3"]
CONFIG = MatchConfig("random", "random", seats=3, deals=5, map="mini", contracts="mini", max_rounds=3)


def make_part(agent: str, seats: int, **played: float) -> dict[str, object]:
    return {"agent": agent, "seats": seats, "played": played, "board": {"land": 5.0}}


# --- demands ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("demand", "holds", "fails", "text"),
    [
        (Demand("x", "", low=0.03), [0.03, 1], [0.0299, math.nan], "3.0% or more"),
        (Demand("x", "", high=0.01), [0, 0.01], [0.011, math.nan], "1.0% or less"),
        (Demand("x", "", 10, 25, form="{:.0f}"), [10, 25], [9.9, 25.5, math.nan], "10 to 25"),
    ],
)
def test_demand__holds_up_to_its_bounds(demand: Demand, holds: list[float], fails: list[float], text: str) -> None:
    assert all(map(demand.holds, holds))
    assert not any(map(demand.holds, fails))
    assert demand.say_range() == text


def test_demands__are_of_what_is_measured() -> None:
    part = play_part(CONFIG, BALANCE)
    for demand in DEMANDS:
        assert demand.measure in part["played" if demand.seats else "board"]


# --- measuring ----------------------------------------------------------------------------------------
def test_measure_setting__tells_of_map_and_deck() -> None:
    found = measure_setting(load_setting(Rules(map="mini", contracts="mini")))
    assert found["land"] == pytest.approx(50 / 12)
    assert (found["link"], found["short"]) == (2.0, 2)
    assert (found["needs"], found["paid"], found["long"]) == (2.75, 0.5, 0)
    assert found["both"] == sum(c.money > 0 and c.bonus != "none" for c in load_deck("mini").contracts) / 16


def test_count_games__counts_tiles_dollars_and_flipped_factories() -> None:
    setting = load_setting(Rules(map="mini", num_players=2))
    records = GameBatch(setting.rules, 2, seed=0).records.copy()
    cost = setting.boards[0]["cost"]
    free, dear = (int(np.flatnonzero(cost == dollars)[0]) for dollars in (0, 2))
    records["track"][0, [free, dear], 0] = 2
    records["track"][0, dear, 1] = 11  # a crossing on hills
    records["owner"][0, :3] = 1
    records["resources"][0, :3] = [0, 2, 0]
    counted = count_games(records, np.array([False, True]), setting)
    assert {name: (part.tolist(), whole.tolist()) for name, (part, whole) in counted.items()} == {
        "out": ([0, 1], [1, 1]),
        "crossings": ([1, 0], [2, 0]),
        "dollars": ([2 + CROSSING_COST, 0], [1, 1]),
        "flips": ([2, 0], [3, 0]),
    }


def test_notice_shortage__is_of_straight_and_curved_tiles() -> None:
    records = GameBatch(Rules(map="mini"), 3, seed=0).records.copy()
    records["tiles"][:, TILE_PLAIN] = [1, 0, -1]
    records["tiles"][0, TILE_PLAIN + 1] = 0
    assert notice_shortage(records, records).tolist() == [False, True, True]


def test_play_part__is_the_same_match_in_one_rotation_and_any_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    part = play_part(CONFIG, BALANCE)
    result = play_match(CONFIG, rotations=1)
    assert part["places"] == rate_places(result)
    assert sum(part["places"]) == pytest.approx(1)
    assert part["played"][ROUNDS] == float(np.median(result.games.rounds)) == 3
    assert part["played"][PLACES] == max(abs(rate - 1 / 3) for rate in part["places"])


def test_watch__sees_every_step_of_every_table() -> None:
    seen: dict[int, list[int]] = {}
    play_match(CONFIG, rotations=1, watch=lambda batch: seen.setdefault(id(batch), []).append(int(batch.done.sum())))
    assert [counts[-1] for counts in seen.values()] == [5]
    assert all(counts == sorted(counts) for counts in seen.values())


# --- the table ----------------------------------------------------------------------------------------
def test_tabulate__has_a_line_for_each_number_of_seats_that_was_played() -> None:
    demands = (Demand("land", "land", 4, 6, form="{:.1f}"), Demand("out", "short", high=0.01, seats=(2, 3, 5)))
    parts = [make_part("a", 2, out=0.0), make_part("b", 2, out=0.5), make_part("a", 5, out=0.005)]
    assert tabulate(parts, demands).rows == (
        ("land", "", "4.0 to 6.0", "5.0", "", "yes"),
        ("short", "2", "1.0% or less", "0.0%", "50.0%", "**no**"),
        ("short", "5", "1.0% or less", "0.5%", "-", "yes"),
    )


def test_tabulate__what_could_not_be_measured_neither_holds_nor_fails() -> None:
    assert tabulate([make_part("a", 2)], [Demand("flips", "flips", 0.1, seats=(2,))]).rows[0][-2:] == ("-", "-")


# --- the command --------------------------------------------------------------------------------------
def test_balance__goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "folder" / "kept.jsonl"
    command = [*SHORT, *FEW_ROUNDS, "--keep", str(kept)]
    assert main([*command, "--seats", "2"]) == 0
    first = kept.read_text("utf-8")
    capsys.readouterr()
    kept.write_text(first + '{"cut', "utf-8")
    assert main([*command, "--seats", "2", "--seats", "3"]) == 0
    assert kept.read_text("utf-8").startswith(first)
    assert [part["seats"] for part in read_parts(kept)] == [2, 3]
    printed = capsys.readouterr().out
    assert "map mini, deck mini, 3 deals" in printed
    assert "factories that flip" in printed


def test_balance__plays_again_what_another_deck_changes(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    command = ["mini", "--agent", "random", "--deals", "3", "--quiet", *FEW_ROUNDS, "--keep", str(kept), "--seats", "2"]
    assert main([*command, "--contracts", "mini"]) == main([*command, "--contracts", "standard"]) == 0
    assert [part["names"]["deck"] for part in read_parts(kept)] == ["mini", "standard"]


def test_balance__forgets_what_an_agent_that_has_changed_came_to(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    command = [*SHORT, *FEW_ROUNDS, "--keep", str(kept), "--seats", "2", "--seats", "3"]
    assert main(command) == 0
    now = read_parts(kept)
    earlier = [{**part, "agent_hash": "of an earlier one", "places": []} for part in now]
    kept.write_text("".join(json.dumps(part) + "\n" for part in earlier), "utf-8")
    assert main(command) == 0
    assert read_parts(kept) == now


def test_keep_part__two_files_of_maps_with_one_name_are_two_worlds(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    part = play_part(CONFIG, BALANCE)
    copies = [{**part, "world": world, "hashes": {"map": world}} for world in ("a.toml", "b.toml")]
    for copy in copies:
        keep_part(kept, copy)
    assert read_parts(kept) == copies


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["atlantis"], "'atlantis' is not shipped"),
        (["mini", "--agent", "nobody"], "nobody"),
        (["mini", "--seats", "6"], "seats=6: 2 to 5 are allowed"),
        (["mini", "--game", "tests.toy:SPEC"], "names no balance"),
    ],
)
def test_balance__bad_input_is_a_message(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_spec("tests.toy:SPEC").balance == TOY.balance == ""
    assert main([*words, "--quiet"]) == 2
    assert part in capsys.readouterr().err


def test_read_parts__names_the_line_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(json.dumps({"agent": "a"}) + "\n" + json.dumps(make_part("a", 2)) + "\n", "utf-8")
    with pytest.raises(ValueError, match=r"kept\.jsonl:1: is no result"):
        read_parts(path)


def test_shipped_maps__are_those_that_are_measured() -> None:
    assert [load_map(name).name for name in BALANCE.shipped] == ["midwest", "alps"]
    assert balance.find_balance(find_spec()) is BALANCE
