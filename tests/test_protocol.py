"""The frozen protocol, and the page of reference results that plays it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.commands.evaluate import main
from steam_env.data.generate import find_worlds
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation import frozen, protocol
from steam_env.evaluation.deals import list_maps
from steam_env.evaluation.intervals import Estimate, find_t
from steam_env.evaluation.map_gaps import SetRates, estimate_gap, list_knobs
from steam_env.evaluation.map_sets import read_manifest
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.protocol import Protocol, Row, compare_frozen, describe_parts, hash_parts
from steam_env.evaluation.steam.protocols import STEAM_V1
from steam_env.evaluation.steam_power import protocols
from steam_env.evaluation.steam_power.protocols import GEN_V1, V1
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


def shorten_sets(protocol: Protocol) -> Protocol:
    """The protocol of sets of maps, of a few short games against random players."""
    rows = [Row(("random",), games, row.rules) for games, row in zip((16, 12, 8, 12), protocol.rows, strict=False)]
    rules = {**dict(protocol.rules), "contracts_to_end": 1, "max_rounds": 3}
    return replace(protocol, rows=tuple(rows), rules=tuple(rules.items()), games_hashed=2)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Protocol:
    """Protocol v1 made short, and frozen to what is here; no other is there."""
    short = shorten(V1)
    for module in (protocols, benchmark):
        monkeypatch.setattr(module, "V1", short)
    monkeypatch.setattr(protocols, "V1_SEARCH", replace(short, name="v1-search", track="search", rows=short.rows[:1]))
    monkeypatch.setitem(frozen.FROZEN, "v1-search", hash_parts(protocols.V1_SEARCH))
    monkeypatch.setattr(protocol, "find_protocols", lambda spec: {"v1": short, "v1-search": protocols.V1_SEARCH})
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
    assert list(protocol.list_protocols()) == ["v1", "v1-search", "gen-v1", "steam-v1"]
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


# --- on sets of maps --------------------------------------------------------------------------------
def test_gen_v1__plays_each_set_evenly_at_every_number_of_seats() -> None:
    matches = GEN_V1.matches("random")
    assert {match.num_seats for match in matches} == {2, 3, 4, 5}
    assert [match.deals for match in matches[:8]] == [200, 200, 100, 102] * 2
    assert all(match.num_games == row.games for match, row in zip(matches, GEN_V1.rows, strict=True))
    assert len(set(GEN_V1.labels)) == len(matches)
    train, test, _, hand = (list_maps(match.rules, match.deals) for match in matches[:4])
    assert train[:3] == ["gen-v1:train:0", "gen-v1:train:50", "gen-v1:train:100"]
    assert test == [f"gen-v1:test:{number}" for number in range(200)]
    assert {name: hand.count(name) for name in hand} == {f"gen-v1:hand:{number}": 34 for number in range(3)}
    assert "--each-map --map gen-v1:train" in matches[0].command()


def test_gen_v1__is_frozen_to_the_manifest_of_each_set(monkeypatch: pytest.MonkeyPatch) -> None:
    short = shorten_sets(GEN_V1)
    parts = hash_parts(short)
    sets = [f"set gen-v1:{kind}" for kind in ("train", "test", "ood", "hand")]
    assert [part for part in parts if part.startswith("set ")] == sets
    assert all(parts[name] == frozen.FROZEN["gen-v1"][name] for name in sets)
    content = protocol.load_setting(short.short_matches()[1].rules).contents["set"]
    assert content["worlds"] == read_manifest(find_worlds(), "gen-v1")["sets"]["test"]


def test_gen_v1__tells_gaps_and_knobs_over_maps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    short, file = shorten_sets(GEN_V1), tmp_path / "gen-v1.json"
    monkeypatch.setattr(protocols, "GEN_V1", short)
    monkeypatch.setitem(frozen.FROZEN, "gen-v1", hash_parts(short))
    assert main(["random", "--protocol", "gen-v1", "--json", str(file), "--quiet"]) == 0
    printed, content = capsys.readouterr().out, json.loads(file.read_text())
    assert "Protocol gen-v1: random, track any map" in printed
    assert "Gaps in percentage points, intervals over maps" in printed
    gaps = content["gaps"]
    assert [(gap["first"], gap["second"]) for gap in gaps] == [
        ("gen-v1:train", f"gen-v1:{kind}") for kind in ("test", "ood", "hand")
    ]
    assert [gap["maps"] for gap in gaps] == [[8, 6], [8, 4], [8, 3]]
    for gap in gaps:
        means = [rate["mean"] for rate in gap["rates"]]
        assert gap["gap"]["mean"] == pytest.approx(means[0] - means[1])
        assert gap["gap"]["low"] <= gap["gap"]["mean"] <= gap["gap"]["high"]
    assert list(content["knobs"]) == ["gen-v1:test", "gen-v1:ood"]
    hexes = content["knobs"]["gen-v1:test"][0]
    assert (hexes["first"], hexes["second"], sum(hexes["maps"])) == ("more hexes", "less hexes", 6)


def test_list_knobs__parts_maps_at_the_median_and_leaves_out_what_parts_too_few() -> None:
    rates = np.array([1.0, 0.5, 0.0, 0.5])
    one = SetRates("some", "greedy", rates, {"hexes": np.array([4, 3, 1, 2]), "lakes": np.array([9, 1, 1, 1])})
    (gap,) = list_knobs(one)
    assert (gap.first, gap.second, gap.maps) == ("more hexes", "less hexes", (2, 2))
    assert gap.gap.mean == 0.5


def test_estimate_gap__is_welchs() -> None:
    few, many = np.array([0.0, 1.0, 1.0, 0.5]), np.linspace(0, 1, 11)
    gap = estimate_gap(few, many)
    error = few.var(ddof=1) / 4 + many.var(ddof=1) / 11
    degrees = error**2 / ((few.var(ddof=1) / 4) ** 2 / 3 + (many.var(ddof=1) / 11) ** 2 / 10)
    assert (gap.low, gap.high) == pytest.approx(
        (gap.mean - find_t(int(degrees)) * error**0.5, gap.mean + find_t(int(degrees)) * error**0.5)
    )
    assert estimate_gap(np.ones(1), many).low is None
    assert estimate_gap(np.ones(3), np.ones(4)) == Estimate(0.0, 0.0, 0.0)


def test_each_map__needs_a_set_and_gives_each_deal_its_map() -> None:
    short = {"contracts_to_end": 1, "max_rounds": 2}
    names = {"map": "gen-v1:test", "contracts": "gen-v1:test"}
    match = MatchConfig("random", deals=5, each_map=True, batch_size=1, **names, **short)
    seen: list[str] = []
    play_match(match, watch=lambda batch: seen.extend(batch.names["map"].tolist()))
    assert set(seen) == {f"gen-v1:test:{number}" for number in (0, 40, 80, 120, 160)}
    with pytest.raises(ValueError, match="map='midwest': to play on each map of a set, name one"):
        MatchConfig("random", each_map=True)


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
