"""What looking costs: the program that measures it does so for this checkout beside another."""

from pathlib import Path

import pytest

from benchmarks import looks

HERE = Path(__file__).parents[1]
ENTRIES = (
    looks.Entry("base, flat", True, "flat"),
    looks.Entry("flat:tight", False, "flat:tight"),
    looks.Entry("flat:tight, 2 processes", False, "flat:tight", processes=2),
    looks.Entry("flat:tight, 2 threads", False, "flat:tight", threads=2),
    looks.Entry("no such encoding", False, "oblong"),
)


def test_looks__measures_each_checkout_and_leaves_out_what_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "ENTRIES", ENTRIES)
    content = looks.measure(looks.LookOptions(base=HERE, quick=True, runs=2, seconds=0.02, size=64))
    rates = {row["name"]: row["per CPU second"] for row in content["rows"]}
    assert list(rates) == [entry.name for entry in ENTRIES[:-1]]
    assert all(rate > 0 for rate in rates.values())
    assert content["missing"] == ["no such encoding"]
    assert [copies["games"] for copies in content["copies"]] == list(looks.COPIED_QUICKLY)
    assert all(copies["per CPU second"] > 0 for copies in content["copies"])
    compared = {(ratio["ours"], ratio["other"]): ratio for ratio in content["ratios"]}
    assert ("flat:tight", "base, flat") in compared
    assert compared["flat:tight, 2 threads", "flat:tight, 2 processes"]["unit"] == "per second"
    for ratio in compared.values():
        assert 0 < ratio["lowest"] <= ratio["ratio"] <= ratio["highest"]
        assert ratio["met"] == (ratio["ratio"] >= ratio["wanted"])


def test_looks__refuses_a_base_that_is_no_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert looks.main(["--base", str(tmp_path), "--quick"]) == looks.BAD_INPUT
    assert f"--base {tmp_path}" in capsys.readouterr().err
