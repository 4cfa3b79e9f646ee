"""The frozen protocol, and the page of reference results that plays it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steam_env.commands.evaluate import main
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.evaluation import frozen, protocol
from steam_env.evaluation.protocol import PARTS, Protocol, compare_frozen, hash_greedy, hash_parts
from steam_env.evaluation.steam_power import protocols
from steam_env.evaluation.steam_power.protocols import V0
from steam_env.pages.steam_power import benchmark


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Protocol:
    """Protocol v0 made short, on the small map, and frozen to what is here."""
    rules = tuple({**dict(V0.rules), "map": "mini", "contracts_to_end": 1, "max_rounds": 4}.items())
    short = replace(V0, rules=rules, games=4, games_hashed=2)
    for module in (protocols, benchmark):
        monkeypatch.setattr(module, "V0", short)
    monkeypatch.setitem(frozen.FROZEN, "v0", hash_parts(short))
    return short


def test_protocol__v0_is_1000_games_each_and_what_is_here_is_what_is_frozen() -> None:
    matches = V0.matches("random")
    assert {match.num_games for match in matches} == {1000}
    assert matches[0].command() == "python evaluate.py random --against random --seats 2 --deals 500 --seed 1829"
    renew = "renew: python -m steam_env.evaluation.protocol --freeze (and see docs/benchmark.md on v1)"
    assert protocol.write_frozen() == Path(frozen.__file__).read_text(), renew


@pytest.mark.parametrize("differing", [None, "greedy"])
def test_protocol__prints_one_table_writes_one_file_and_reports_what_is_not_as_frozen(
    differing: str | None,
    small: Protocol,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, page, code = tmp_path / "v0.json", tmp_path / "v0.md", 0
    title, complaint = "Protocol v0: random", ""
    if differing is not None:
        monkeypatch.setitem(frozen.FROZEN["v0"], differing, "0" * 64)
        title, code = f"NOT PROTOCOL v0: {differing.upper()}", 3
        complaint = f"evaluate: this is NOT protocol v0: {differing} differs from what it is frozen to\n"
    words = ["--json", str(file), "--markdown", str(page), "--batch-size", "64", "--quiet"]
    assert main(["random", "--protocol", "v0", *words]) == code
    printed, content = capsys.readouterr(), json.loads(file.read_text())
    assert printed.err == complaint
    assert printed.out.count("win rate") == 1
    assert printed.out.count(title) == 2  # in the heading and over the table
    assert title in page.read_text()
    assert (content["protocol"], content["agent"], content["is_frozen"]) == ("v0", "random", differing is None)
    assert [part for part in PARTS if content["frozen"][part]["matches"]] == [
        part for part in PARTS if part != differing
    ]
    assert content["command"] == "python evaluate.py random --protocol v0"
    assert [match["opponent"] for match in content["matches"]] == ["random", "greedy", *AUTOMA_NAMES]
    assert {match["games"] for match in content["matches"]} == {4}
    assert content["matches"][-1]["automas"] == {"count": 1, "level": "very_hard"}
    for match in content["matches"]:
        rate = match["results"]["agents"][0]["win_rate"]
        assert f"{100 * rate['mean']:.1f} %" in printed.out


def test_protocol__each_part_is_compared(small: Protocol, monkeypatch: pytest.MonkeyPatch) -> None:
    for differing in PARTS:
        with monkeypatch.context() as patch:
            patch.setitem(frozen.FROZEN["v0"], differing, "0" * 64)
            assert [part for part, check in compare_frozen(small).items() if not check.matches] == [differing]


def test_freeze__writes_what_is_here_even_what_was_never_frozen(
    small: Protocol, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "frozen.py"
    monkeypatch.setattr(protocol, "FROZEN_FILE", file)
    assert protocol.main([]) == 0
    monkeypatch.setitem(frozen.FROZEN["v0"], "greedy", "0" * 64)
    assert protocol.main([]) == 3
    assert "DIFFERS, frozen is 000" in capsys.readouterr().out
    monkeypatch.delitem(frozen.FROZEN, "v0")
    assert not any(check.matches for check in compare_frozen(small).values())
    assert protocol.main(["--freeze"]) == 0
    assert capsys.readouterr().out == file.read_text()
    written: dict[str, Any] = {}
    exec(file.read_text(), written)
    assert written["FROZEN"] == {"v0": hash_parts(small)}


def test_greedy_hash__is_over_all_files_of_greedy(tmp_path: Path) -> None:
    hashes = []
    for name in ("greedy.py", "random.py", "greedy_plan.py"):
        (tmp_path / name).write_text(f"{Path(name).stem} = 1\n")
        hashes.append(hash_greedy(tmp_path))
    assert hashes[0] == hashes[1] != hashes[2]


# --- the page of reference results ------------------------------------------------------------------
def test_benchmark__writes_the_page_from_its_files(
    small: Protocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert benchmark.main(["--deals", "2", "--out", str(tmp_path), "--quiet"]) == 0
    page, files = tmp_path / "benchmark.md", sorted(path.stem for path in (tmp_path / "benchmark").iterdir())
    assert files == ["balance", "levels", "mixed", "v0-greedy", "v0-random"]
    text = page.read_text()
    contents = benchmark.read_contents(benchmark.Options(out=tmp_path))
    assert benchmark.tabulate_protocol([contents["v0-greedy"], contents["v0-random"]]) in text
    assert text.count("SHA-256") >= 4


def test_benchmark__bad_input_is_one_line_and_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--deals", "0"], ["--deals", "many"], ["--out", f"{tmp_path}\0"]):
        assert benchmark.main(words) == 2
        assert capsys.readouterr().err.count("\n") == 1
