"""The frozen protocol, and the page of reference results that plays it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steam_env.commands.evaluate import main
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation import frozen, protocol
from steam_env.evaluation.protocol import Protocol, Row, compare_frozen, describe_parts, hash_parts
from steam_env.evaluation.steam.protocols import STEAM_V1
from steam_env.evaluation.steam_power import protocols
from steam_env.evaluation.steam_power.protocols import V1
from steam_env.pages.steam_power import benchmark
from steam_env.spec import find_spec

SHORT = {"map": "mini", "contracts_to_end": 1, "max_rounds": 4}


def count_players(opponents: tuple[str, ...]) -> int:
    return 1 + sum(name not in AUTOMA_NAMES for name in opponents)


def shorten(protocol: Protocol) -> Protocol:
    """A protocol on a small map, of a few short games of each kind."""
    kinds = [("random",), ("greedy",), ("automa:very_hard",), ("greedy", "greedy"), ("greedy", "automa:normal")]
    rows = tuple(Row(names, 2 * count_players(names)) for names in kinds)
    rules = tuple({**dict(protocol.rules), **SHORT}.items())
    return replace(protocol, rows=rows, rules=rules, games_hashed=3)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Protocol:
    """Protocol v1 made short, and frozen to what is here."""
    short = shorten(V1)
    for module in (protocols, benchmark):
        monkeypatch.setattr(module, "V1", short)
    monkeypatch.setitem(frozen.FROZEN, "v1", hash_parts(short))
    return short


def test_v1__is_what_is_frozen_and_has_every_opponent_and_number_of_seats() -> None:
    matches = V1.matches("random")
    assert {match.num_seats for match in matches} == {2, 3, 4, 5}
    assert len(set(V1.labels)) == len(matches)
    assert {match.num_games for match in matches if match.num_seats == 2} == {600, 1000}
    assert all(match.num_games == row.games for match, row in zip(matches, V1.rows, strict=True))
    named = {name for row in V1.rows for name in row.opponents}
    assert set(AUTOMA_NAMES) <= named
    assert not named & set(find_spec().players.policies)
    assert matches[0].command() == "python evaluate.py random --against random --seats 2 --deals 500 --seed 1830"
    renew = "renew: python -m steam_env.evaluation.protocol --freeze (and see docs/benchmark.md on v2)"
    assert protocol.write_frozen() == Path(frozen.__file__).read_text(), renew


def test_steam_v1__is_frozen_with_the_other_and_has_every_number_of_seats() -> None:
    matches = STEAM_V1.matches("random")
    assert {match.num_seats for match in matches} == {3, 4, 5}
    assert {name for row in STEAM_V1.rows for name in row.opponents} == {"random", "thrifty", "greedy"}
    assert all(match.num_games == 600 for match in matches)
    assert list(protocol.list_protocols()) == ["v1", "steam-v1"]
    assert list(describe_parts(STEAM_V1)) == list(frozen.FROZEN["steam-v1"])  # nobody is scripted there
    outcome = protocol.ProtocolResult(STEAM_V1, "random", (), {})
    assert outcome.command == "python evaluate.py random --game steam --protocol steam-v1"


def test_row__has_a_name_that_tells_who_plays_and_what_differs() -> None:
    mixed = Row(("greedy", "greedy", "automa:normal"), 600)
    assert mixed.label == "greedy x 2, automa:normal"
    assert replace(mixed, rules=(("map", "alps"),)).label == "alps: greedy x 2, automa:normal"


@pytest.mark.parametrize("differing", [None, "agent greedy"])
def test_protocol__prints_matches_and_openings_writes_one_file_and_reports_what_is_not_as_frozen(
    differing: str | None,
    small: Protocol,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, page, code = tmp_path / "v1.json", tmp_path / "v1.md", 0
    title, complaint = "Protocol v1: random", ""
    if differing is not None:
        monkeypatch.setitem(frozen.FROZEN["v1"], differing, "0" * 64)
        title, code = f"NOT PROTOCOL v1: {differing.upper()}", 3
        complaint = f"evaluate: this is NOT protocol v1: {differing} differs from what it is frozen to\n"
    words = ["--json", str(file), "--markdown", str(page), "--batch-size", "64", "--quiet"]
    assert main(["random", "--protocol", "v1", *words]) == code
    printed, content = capsys.readouterr(), json.loads(file.read_text())
    assert printed.err == complaint
    assert printed.out.count("win rate") == 1
    assert printed.out.count(title) == 2  # in the heading and over the table
    assert printed.out.count("Openings: first city") == 1
    assert title in page.read_text()
    assert (content["protocol"], content["agent"], content["is_frozen"]) == ("v1", "random", differing is None)
    assert (content["schema"], content["track"]) == (2, "policy")
    assert [part for part, check in content["frozen"].items() if not check["matches"]] == [differing] * bool(differing)
    assert content["command"] == "python evaluate.py random --protocol v1"
    assert [match["opponent"] for match in content["matches"]] == list(small.labels)
    assert [match["games"] for match in content["matches"]] == [match.num_games for match in small.matches("random")]
    hard = next(match for match in content["matches"] if match["opponent"] == "automa:very_hard")
    assert hard["automas"] == {"count": 1, "level": "very_hard"}
    for match in content["matches"]:
        agent = match["results"]["agents"][0]
        assert f"{100 * agent['win_rate']['mean']:.1f} %" in printed.out
        assert sum(agent["openings"]["counts"].values()) == agent["openings"]["games"] <= match["games"]


def test_protocol__each_part_is_compared(small: Protocol, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = hash_parts(small)
    assert list(describe_parts(small)) == list(parts)
    monkeypatch.setattr(protocol, "hash_parts", lambda protocol: parts)  # each time the same: not played again
    for differing in parts:
        with monkeypatch.context() as patch:
            patch.setitem(frozen.FROZEN["v1"], differing, "0" * 64)
            assert [part for part, check in compare_frozen(small).items() if not check.matches] == [differing]


def test_freeze__writes_what_is_here_even_what_was_never_frozen(
    small: Protocol, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "frozen.py"
    monkeypatch.setattr(protocol, "FROZEN_FILE", file)
    assert protocol.main([]) == 0
    monkeypatch.setitem(frozen.FROZEN["v1"], "agent greedy", "0" * 64)
    assert protocol.main([]) == 3
    assert "DIFFERS, frozen is 000" in capsys.readouterr().out
    monkeypatch.delitem(frozen.FROZEN, "v1")
    assert not any(check.matches for check in compare_frozen(small).values())
    assert protocol.main(["--freeze"]) == 0
    assert capsys.readouterr().out == file.read_text()
    written: dict[str, Any] = {}
    exec(file.read_text(), written)
    assert written["FROZEN"]["v1"] == hash_parts(small)


def test_freeze__a_protocol_that_is_added_changes_nothing_of_v1(
    small: Protocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = replace(small, name="search", track="search", rows=(Row(("random",), 4), *small.rows[1:2]), seed=7)
    both = {"v1": small, "search": later}
    before = hash_parts(small)
    monkeypatch.setattr(protocol, "find_protocols", lambda spec: both)
    written: dict[str, Any] = {}
    exec(protocol.write_frozen(), written)
    assert written["FROZEN"]["v1"] == before
    assert written["FROZEN"]["search"]["deals"] != before["deals"]
    assert written["FROZEN"]["search"].keys() <= before.keys()


def test_hashes__notice_another_seed_opponent_or_map(small: Protocol) -> None:
    parts, rows = hash_parts(small), small.rows
    for part, other in {
        "deals": replace(small, seed=7),
        "games": replace(small, rows=(replace(rows[0], opponents=("greedy",)), *rows[1:])),
        "scripted": replace(small, rows=tuple(row for row in rows if row.opponents != ("automa:very_hard",))),
    }.items():
        assert hash_parts(other)[part] != parts[part]


# --- the page of reference results ------------------------------------------------------------------
def test_benchmark__writes_the_page_from_its_files(
    small: Protocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert benchmark.main(["--deals", "2", "--out", str(tmp_path), "--quiet"]) == 0
    page, files = tmp_path / "benchmark.md", sorted(path.stem for path in (tmp_path / "benchmark").iterdir())
    assert files == ["balance", "levels", "mixed", "v1-greedy", "v1-random"]
    text = page.read_text()
    contents = benchmark.read_contents(benchmark.Options(out=tmp_path))
    assert benchmark.tabulate_protocol([contents["v1-greedy"], contents["v1-random"]]) in text
    assert text.count("SHA-256") >= 4


def test_benchmark__bad_input_is_one_line_and_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--deals", "0"], ["--deals", "many"], ["--out", f"{tmp_path}\0"]):
        assert benchmark.main(words) == 2
        assert capsys.readouterr().err.count("\n") == 1
