"""``python -m steam_env.play``: through a real pseudo-terminal and line by line, its options and its help."""

import io
import re
import signal
from pathlib import Path

import pytest

from steam_env.agents import AGENTS
from steam_env.commands.play import main
from steam_env.playing import program
from steam_env.playing.played_game import PlayedGame
from tests.terminal import CTRL_C, CTRL_D, ESCAPE, PAGE_DOWN, TAB, UP, Terminal

ROWS, COLUMNS = 24, 80
PROGRAM = ("-m", "steam_env.play")
SMALL = ("--map", "mini", "--contracts", "mini", "--seed", "3", "--first-player", "player_0")
SHORT = (*SMALL, "--max-rounds", "1")
COLOR = re.compile(r"\x1b\[[0-9;]*(3|4)[0-9][;m]")
OVER = "The game is over by the round limit"


# --- through a terminal --------------------------------------------------------------------------------


def test_terminal__play_ask_undo_and_save_to_the_end(tmp_path: Path) -> None:
    with Terminal(*PROGRAM, *SHORT, "--against", "random", folder=tmp_path) as terminal:
        terminal.wait_for("decides action: 2 actions left", "your contracts", "money [1]", "WMIL!", "\n>")
        terminal.send("sta" + TAB)
        terminal.wait_for("> start", gone="> sta\n")
        terminal.send("mil" + TAB)
        terminal.wait_for("> start Milwaukee")
        terminal.answer("N", "decides head", "head N [1]")
        terminal.answer("head S", "illegal: head S: a segment joins two different edges (rule 1.3)")
        terminal.answer("undo", "1 action is taken back", "2 actions left")
        terminal.answer("why fulfil 3", "fulfil 3: player_0 has no complete link (rule 6.1)")
        terminal.answer(UP + UP, "there is no decision of yours to take back")  # back to `undo`, by the history
        terminal.answer("1", "1 action left", "p0 takes $3")
        terminal.answer("save first.save", "saved to first.save")
        terminal.answer("money", OVER, "wins")
        terminal.send(CTRL_D)
        assert terminal.wait_for_end() == 0
        terminal.wait_for("total", "player_0 you", "player_1 random", OVER)
    assert PlayedGame.load(tmp_path / "first.save").game.num_steps == 1


def test_terminal__pages_resizing_and_ctrl_c(tmp_path: Path) -> None:
    with Terminal(*PROGRAM, "--seed", "3", "--first-player", "player_0", folder=tmp_path) as terminal:
        terminal.wait_for("decides action", "start Aberdeen", "▼", "corners from top left")
        assert len(terminal.lines) == ROWS
        assert terminal.lines[0].startswith("The Midwest  round 1")
        assert terminal.lines[-1].startswith(">")
        terminal.send(PAGE_DOWN + PAGE_DOWN + PAGE_DOWN)
        terminal.wait_for("▲", gone="▼")
        terminal.send_line("log")
        terminal.wait_for("cities ", "first is player_0", "Enter goes on", gone="start Aberdeen")
        terminal.send(ESCAPE)
        terminal.wait_for("start Aberdeen")
        terminal.resize(40, 120)
        terminal.wait_until(lambda: terminal.lines[39].startswith(">"), "prompt in the last line")
        terminal.wait_for("WABE!", "GWIC!", gone="▲")
        assert any("your contracts" in line[COLUMNS - 15 :] for line in terminal.lines)
        terminal.resize(ROWS, COLUMNS)
        terminal.wait_until(lambda: terminal.lines[ROWS - 1].startswith(">"), "prompt in the last line")
        terminal.answer("money", "1 action left")
        assert COLOR.search(terminal.seen.decode())
        terminal.send(CTRL_C)
        assert terminal.wait_for_end() == 130
        terminal.wait_for("--load steam-play-1.save")
    assert PlayedGame.load(tmp_path / "steam-play-1.save").game.num_steps == 1


def test_terminal__questions_instead_of_options_then_the_window_is_closed(tmp_path: Path) -> None:
    with Terminal(*PROGRAM, folder=tmp_path, NO_COLOR="1") as terminal:
        terminal.wait_for("against others")
        terminal.answer("1", "Opponents", "automa:very_hard")
        terminal.answer("human random", "Map")
        terminal.answer("mini", "Contracts")
        terminal.answer("", "Edition")
        terminal.answer("preview", "pass the keyboard to player_")
        assert "vp" not in terminal.text
        terminal.answer("", "your contracts", "2 random", "2 actions left")
        terminal.answer("money", "1 action left")
        assert not COLOR.search(terminal.seen.decode())
        terminal.hang_up()
        assert terminal.wait_for_end() == 128 + signal.SIGHUP
    played = PlayedGame.load(tmp_path / "steam-play-1.save")
    assert played.names == ("human", "human", "random")
    assert played.game.num_steps >= 1  # the agent may have been first
    assert played.game.rules.edition == "preview"


def test_signals__to_end_do_what_a_closed_window_does(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    program.end_when_closed()
    assert set(handlers) == {signal.SIGHUP, signal.SIGTERM}
    for number, handler in handlers.items():
        with pytest.raises(SystemExit) as stop:
            handler(number, None)
        assert stop.value.code == 128 + number


# --- line by line --------------------------------------------------------------------------------------


def test_lines__from_a_pipe_save_at_their_end_and_go_on_to_that_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play_lines(*arguments: str, lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert main(arguments) == 0
        return capsys.readouterr().out.rstrip()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "end_when_closed", lambda: None)  # signals of pytest stay as they are
    text = play_lines(*SHORT, "--against", "greedy", lines="money\nwhy money\nlog\n")
    for words in ("1 action left", "money is legal", "first is player_0"):
        assert words in text
    assert text.endswith("the game is saved; go on with: python -m steam_env.play --load steam-play-1.save")
    before = Path("steam-play-1.save").read_bytes()
    assert PlayedGame.load(Path("steam-play-1.save")).game.num_steps == 1
    text = play_lines("--load", "steam-play-1.save", lines="fulfil 3\nhint\nmoney\nscores\nquit\n")
    assert "\x1b" not in text
    for words in ("illegal: fulfil 3: ", "greedy would play: ", OVER, "player_1 greedy"):
        assert words in text
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {tmp_path / "steam-play-1.save": before}


# --- options -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("--against", "nobody"),
            "opponent 'nobody': allowed are human, duel, greedy, greedy:v0, nomad, planner, random, table, automa",
        ),
        (("--against", "automa:mild"), "allowed Automas are automa:very_easy"),
        (("--against", "automa:easy", "--against", "greedy"), "automa:easy on seat 1: Automas hold the last seats"),
        (("--against", "automa:easy", "--against", "automa:hard"), "one level, not easy and hard"),
        (("--against", "greedy", "--edition", "preview", "--solo"), "mode='solo' needs edition='final'"),
        (("--solo", "--against", "greedy"), "--solo has no opponents"),
        (("--edition", "preview"), "needs edition='final': the preview edition has no Automa (rule 10)"),
        (("--seats", "6", "--against", "greedy"), "num_players=6: 2 to 5 are allowed"),
        (("--seat", "2"), "seat=2: 0 to 1 are allowed"),
        (("--seats", "4", "--against", "greedy", "--against", "random"), "2 opponents for 4 seats"),
        (("--map", "nowhere"), "nowhere"),
        (("--max-rounds", "x"), "max-rounds"),
        (("--load", "absent.save"), "absent.save: cannot be read: No such file"),
        (("--load", "absent.save", "--map", "mini"), "--map cannot be given together with --load"),
    ],
)
def test_options__bad_ones_are_named_in_one_line(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert message.startswith("steam-play: ")
    assert complaint in message
    assert message.count("\n") == 1


def test_help__teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    for word in (*AGENTS, "automa:very_hard", "human", "midwest", "standard", "--load", "undo", "NO_COLOR"):
        assert word in text
