"""Programs that keep their results: each is in the file at once, the next run goes on, other files are refused."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from steam_env.evaluation.kept import Content, Progress, ResultKind, Results, run_kept
from steam_env.kit.errors import AgentError
from steam_env.kit.locks import hold
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT, INTERRUPTED, NOT_WRITTEN

KIND = ResultKind("steam_env sums", 1, "python -m sums", "sum", ("sums",))
HEAD = {"fixed": {"seed": 1, "rules": {"map": "mini"}}}


@dataclass(frozen=True)
class Options:
    json: Path
    seed: int = 1
    anew: bool = False


class Adder:
    """A program that adds numbers, and may fail at one of them."""

    def __init__(self, path: Path, fault: type[BaseException] | None = None, at: int = -1) -> None:
        self.options, self.fault, self.at = Options(path), fault, at
        self.made: list[int] = []
        self.reported = 0

    def run(self, seed: int = 1, anew: bool = False) -> int:
        options = Options(self.options.json, seed, anew)
        return run_kept("sums", lambda: options, self.begin, self.work, lambda options, results: 0)

    def begin(self, options: Options) -> Results:
        return KIND.begin(options.json, {"fixed": {**HEAD["fixed"], "seed": options.seed}}, anew=options.anew)

    def work(self, options: Options, results: Results) -> None:
        for number in range(3):
            results.find_or_make("sums", {"number": number}, 1, lambda report, one=number: self.add(one), self.report)

    def add(self, number: int) -> Content:
        if number == self.at and self.fault is not None:
            raise self.fault("at 1")
        self.made.append(number)
        return {"sum": number + number}

    def report(self, done: int) -> None:
        self.reported += done


def read(path: Path) -> Content:
    content: Content = json.loads(path.read_text("utf-8"))
    return content


@pytest.mark.parametrize(
    ("fault", "code", "told"),
    [
        (KeyboardInterrupt, INTERRUPTED, "sums: interrupted; {path} holds what was played, the same command goes on"),
        (AgentError, AGENT_FAILED, "sums: at 1; {path} holds what was played, the same command goes on"),
        (OSError, NOT_WRITTEN, "sums: {path}: not written: at 1"),
    ],
)
def test_run__that_is_cut_short_keeps_what_is_done_and_the_next_one_goes_on(
    fault: type[BaseException], code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sums.json"
    assert Adder(path, fault, at=1).run() == code
    assert capsys.readouterr().err == told.format(path=path) + "\n"
    assert read(path)["sums"] == [{"number": 0, "sum": 0}]
    again = Adder(path)
    assert again.run() == 0
    assert (again.made, again.reported) == ([1, 2], 1)
    assert read(path)["sums"] == [{"number": number, "sum": 2 * number} for number in range(3)]


def test_run__names_what_differs_from_the_file_and_replaces_it_only_if_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sums.json"
    adder = Adder(path)
    assert adder.run() == 0
    before = path.read_bytes()
    assert adder.run(seed=2) == BAD_INPUT
    wanted = "is another sum, seed differ: name another --out, or say --anew to replace it"
    assert wanted in capsys.readouterr().err
    assert path.read_bytes() == before
    assert adder.run(seed=2, anew=True) == 0
    assert adder.made == [0, 1, 2, 0, 1, 2]
    assert read(path)["fixed"]["seed"] == 2


def test_run__refuses_a_file_that_another_process_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sums.json"
    with hold(path):
        assert Adder(path).run() == BAD_INPUT
    assert "is in use by" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({}, "no result of python -m sums, of format 'steam_env sums', schema 1"),
        ([], "no result of python -m sums"),
        ({"format": KIND.format, "schema": 2}, "no result of python -m sums"),
        ({"format": KIND.format, "schema": 1, "sums": []}, "fixed is missing, or no table: was the file changed"),
        ({"format": KIND.format, "schema": 1, "fixed": 3, "sums": []}, "fixed is missing, or no table"),
        ({"format": KIND.format, "schema": 1, **HEAD}, "sums is missing, or no list: was the file changed"),
        ({"format": KIND.format, "schema": 1, **HEAD, "sums": {}}, "sums is missing, or no list"),
    ],
)
def test_read__refuses_what_is_no_result_whether_anew_or_not(content: object, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "sums.json"
    path.write_text(json.dumps(content), "utf-8")
    readers: tuple[Callable[[], object], ...] = (
        lambda: KIND.read(path),
        lambda: KIND.read_all(tmp_path),
        lambda: KIND.begin(path, HEAD, anew=True),
    )
    for attempt in readers:
        with pytest.raises(ValueError, match=complaint):
            attempt()


def test_find_or_make__makes_again_what_has_another_state_in_place_of_the_older_one(tmp_path: Path) -> None:
    results, made = KIND.begin(tmp_path / "sums.json", HEAD, anew=False), []

    def find(number: int, state: int) -> Content:
        def make(report: Progress) -> Content:
            made.append((number, state))
            return {"sum": 2 * number}

        return results.find_or_make("sums", {"number": number}, 1, make, lambda done: None, {"of": state})

    find(1, 0)
    find(2, 0)
    assert find(1, 0) == {"number": 1, "of": 0, "sum": 2}
    assert find(1, 5) == {"number": 1, "of": 5, "sum": 2}
    assert made == [(1, 0), (2, 0), (1, 5)]
    assert sorted((one["number"], one["of"]) for one in read(results.path)["sums"]) == [(1, 5), (2, 0)]
