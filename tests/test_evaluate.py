"""The command line of matches: what is played, printed and written, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from steam_env.commands.evaluate import main

ROOT = Path(__file__).resolve().parents[1]
SHORT = ["--map", "mini", "--contracts-to-end", "1", "--max-rounds", "4", "--deals", "3", "--quiet"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        *((["random", "--seats", str(seats)], f"{100 / seats:.1f} %") for seats in (2, 3, 4, 5)),
        (["greedy", "--against", "random", "--against", "greedy"], "greedy against random, greedy 2: 3 seats"),
    ],
)
def test_main__plays_two_to_five_seats(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, *SHORT]) == 0
    assert told in capsys.readouterr().out


def test_main__writes_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "result.json", tmp_path / "result.md"
    file.write_text("old")
    words = ["greedy", "--against", "random", "--against", "automa:easy", "--against", "automa:easy"]
    assert main([*words, *SHORT, "--json", str(file), "--markdown", str(page)]) == 0
    printed, content = capsys.readouterr(), json.loads(file.read_text())
    assert "greedy against random, automa:easy, automa:easy 2: 4 seats" in printed.out
    assert "3 deals in 2 rotations of 2 player seats = 6 games" in " ".join(printed.out.split())
    assert "25.0 %" in printed.out
    assert "games/s" not in printed.err
    assert (content["games"], content["automas"]["level"]) == (6, "easy")
    assert content["command"] in page.read_text()
    rate = f"{100 * content['results']['agents'][0]['win_rate']['mean']:.1f} %"
    assert rate in printed.out
    assert rate in page.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "result.md"]
    assert main([*content["command"].split()[2:], "--quiet"]) == 0
    assert f"{content['results']['agents'][0]['wins']:.1f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nobody", "agent 'nobody': allowed are"),
        ("random --against nobody", "agent 'nobody': allowed are"),
        (
            "random --against automa:brutal",
            "opponent 'automa:brutal': allowed Automas are automa:very_easy, automa:easy, automa:normal, automa:hard,",
        ),
        (
            "random --against automa:easy --against automa:hard",
            "against names Automas of levels easy, hard: all must have the same",
        ),
        ("random --against automa:easy --edition preview", "automas=1 needs edition='final'"),
        ("random --against automa:easy --mode solo", "--mode"),
        ("automa:easy --against random", "agent 'automa:easy': the first must be an agent, Automas can only be played"),
        ("random --protocol v9", "protocol='v9': allowed are 'v1', 'v1-search', 'gen-v1'"),
        ("nobody --protocol v1", "agent 'nobody': allowed are"),
        ("random --protocol v1 --against greedy", "--against cannot be given together with --protocol v1"),
        ("random --protocol v1 --map midwest --max-rounds=100", "--map, --max-rounds cannot be"),
        ("random --protocol v1 --contracts_to_end 14", "--contracts-to-end cannot be"),
        ("random --seats 1", "seats=1: 2 to 5 are allowed"),
        ("random --seats many", "--seats"),
        ("random --deals 0", "deals=0: 1 to"),
        ("random --seed -1", "seed=-1: 0 to"),
        ("random --map nowhere", "map: 'nowhere' is not shipped"),
        ("random --map no/such.toml", "no/such.toml"),
        ("random --contracts mini --seats 5", "5 player seats need at least 25"),
        ("random --game chess", "game='chess': allowed are 'steam_power', 'steam', or the import path of a spec"),
        ("random --no-such-option", "--no-such-option"),
        ("random --against random random", "random"),
        ("random --json /no/such/folder/a.json", "/no/such/folder/a.json: cannot be written: No such file"),
        ("random --json /", "/: cannot be written: Is a directory"),
        ("random --json a\0b", "cannot be written"),
        ("random --json a --markdown ./a", "same file"),
        ("", "AGENT"),
    ],
)
def test_main__bad_input_is_one_line_and_code_2(
    words: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steam_env.commands.evaluate.play_match", lambda *args, **kwargs: pytest.fail("it was played"))
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.startswith("evaluate: ")
    assert printed.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_main__a_file_that_fails_in_the_end_costs_no_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "a.json"
    file.write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    assert main(["random", *SHORT, "--json", str(file)]) == 1
    printed = capsys.readouterr()
    assert "win rate" in printed.out
    assert "a.json: not written: No space left on device" in printed.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert file.read_text() == "old"


def test_main__interrupted_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("steam_env.commands.evaluate.play_match", interrupt)
    assert main(["random", *SHORT]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_help__teaches_by_examples_and_tells_what_there_is() -> None:
    done = subprocess.run([sys.executable, ROOT / "evaluate.py", "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for text in (
        "python evaluate.py greedy --against random",
        "automa:very_hard",
        "--protocol v1",
        "95 % interval",
        "1/n",
        "--batch-size",
        "alps, midwest, mini",
        "agent greedy, agent planner, deals, games, scripted, set gen-v1:train",
        "--contracts-to-end INT",
        "--edition {final,preview}",
        "(default: flat)",
    ):
        assert text in done.stdout
