"""Steam at the terminal: a person's session, its screen, the program's options. What is shared: ``test_play``."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from steam_env.commands.play import main
from steam_env.commands.steam import play as steam_play
from steam_env.playing import program
from steam_env.playing.played_game import PlayedGame
from steam_env.playing.screen import Screen
from steam_env.playing.session import Session
from steam_env.steam import Game, Rules

SIZES = ((80, 24), (120, 40), (60, 20), (40, 12), (20, 4))
PAGES = ("map", "tiles", "supply", "links", "scores", "news", "log", "actions", "help", "hint")


def begin(*others: str) -> Session:
    """A session on the small map: a person on seat 0, who begins."""
    rules = Rules(map="mini", first_player=0, turns=2)
    session = Session(PlayedGame.deal(rules, ("human", *(others or ("thrifty", "thrifty"))), 3))
    session.handle("")
    return session


def test_session__a_whole_game_fits_the_screen_at_every_decision() -> None:
    session = begin("human", "random")
    rng, number = np.random.default_rng(1), 0
    while not session.played.game.done:
        if session.is_waiting:
            session.handle("")
        game, (width, height) = session.played.game, SIZES[number % len(SIZES)]
        lines = Screen(session, color=False).draw(width, height - 1).splitlines()
        assert len(lines) <= height - 1
        assert max(map(len, lines)) <= width
        if number % 20 == 0:
            for command in PAGES:
                session.handle(command)
                assert session.page is not None or command == "hint"
                assert max(map(len, Screen(session, color=False).draw(80).splitlines())) <= 80
            session.handle("")
        session.handle(str(rng.integers(len(game.legal())) + 1))
        number += 1
    assert "wins" in Screen(session, color=False).draw(120)


def test_session__places_may_be_typed_as_on_the_map_and_refusals_name_the_rule() -> None:
    session = begin()
    session.handle("take 4")
    assert session.played.game.phase == "build"
    assert session.read_action("grow mil") == session.played.game.parse("grow Milan")
    session.handle("why grow mil")
    assert "grow Milan: " in session.reply
    assert "(rule " in session.reply
    assert "urbanize Alessandria" in session.completions("why urbanize Al")[0]
    session.handle("undo")
    assert "taken back" in session.reply
    assert session.played.game.phase == "take"


def test_session__save_goes_on_without_naming_the_game(tmp_path: Path) -> None:
    session = begin()
    session.handle("take 4")
    session.handle(f"save {tmp_path / 'game.save'}")
    loaded = PlayedGame.load(tmp_path / "game.save")
    assert isinstance(loaded.game, Game)
    assert loaded.game.state() == session.played.game.state()
    content = json.loads((tmp_path / "game.save").read_text(encoding="utf-8"))
    (tmp_path / "game.save").write_text(json.dumps({**content, "seats": ["human", "greedy:v0", "automa:easy"]}))
    assert main(["--load", str(tmp_path / "game.save")]) == 2


def test_program__plays_lines_from_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "end_when_closed", lambda: None)
    monkeypatch.setattr("sys.stdin", io.StringIO("take 4\nhint\n"))
    assert main(["--game", "steam", "--map", "mini", "--first-player", "0", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    for words in ("Po Valley  turn 1 of 10", "4 First Build: player_0", "greedy would play: ", "the game is saved"):
        assert words in told
    monkeypatch.setattr("sys.stdin", io.StringIO("links\n"))
    assert main(["--load", "steam-play-1.save"]) == 0
    assert "decides build" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--against", "greedy:v0"), "opponent 'greedy:v0': allowed are human, "),
        (("--seats", "6"), "num_players=6"),
        (("--seat", "3"), "seat=3: 0 to 2 are allowed"),
        (("--first-player", "nobody"), "first_player"),
        (("--turns", "11"), "turns"),
        (("--map", "nowhere"), "nowhere"),
        (("--solo",), "solo"),
    ],
)
def test_options__bad_ones_are_named(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("--game", "steam", *arguments)) == 2
    assert complaint in capsys.readouterr().err


def test_options__five_seats_play_on_the_map_that_is_made_for_them() -> None:
    assert steam_play.Options(seats=5).rules == Rules(num_players=5, map="rhineland")


def test_help__teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--game", "steam", "--help"])
    told = capsys.readouterr().out
    for word in ("greedy", "great_lakes", "--load", "undo", "auction", "Left out"):
        assert word in told
