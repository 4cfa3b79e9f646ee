"""A person's session: what is typed, undone, saved and shown; ``test_play_terminal`` has the program around it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game
from steam_env.agents import AGENTS
from steam_env.commands.play import main
from steam_env.core.steam_power.state import PLACE_UNKNOWN
from steam_env.data.steam_power.rules import Rules
from steam_env.playing.played_game import PlayedGame
from steam_env.playing.screen import Screen
from steam_env.playing.session import Session

ENOUGH = 15  # rows in which something of everything is shown
COLUMNS = 80
COLOR = re.compile(r"\x1b\[[0-9;]*(3|4)[0-9][;m]")
SIZES = ((80, 24), (120, 40), (100, 30), (60, 20), (200, 60), (40, 12), (20, 4))


def begin(*others: str, **rules: Any) -> Session:
    """A session on the small map: a person on seat 0, who begins."""
    fields = {"map": "mini", "contracts": "mini", "first_player": "player_0", **rules}
    session = Session(PlayedGame.deal(Rules(**fields), ("human", *others), 3))
    session.handle("")
    return session


def type_lines(session: Session, *lines: str) -> Session:
    for line in lines:
        session.handle(line)
    return session


def play_on(session: Session, steps: int, seed: int = 1) -> Iterator[Session]:
    """Let people play so many random actions; after each, and each change of the keyboard, the session."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if session.played.game.done:
            return
        if session.is_waiting:
            yield session
            session.handle("")
        session.handle(str(rng.integers(len(session.played.game.legal())) + 1))
        yield session


# --- actions -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["start Milwaukee N", "start milwaukee n", "START  MIL  N", "start mil n", "23"])
def test_actions__by_text_in_any_case_by_code_and_by_number(text: str) -> None:
    game = type_lines(begin("automa:normal"), text).played.game
    assert game.actions == [game.parse("start Milwaukee N")]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("0", "0 is no number of a legal action: 1 to 49 are"),
        ("50", "1 to 49 are"),
        ("99999999999999999999", "1 to 49 are"),
        ("build Chicago", "illegal: build Chicago: "),
        ("fly", "'fly' is no action: the first word must be one of money"),
        ("start Paris N", "the city must be one of Wausau"),
        ("why", "why ACTION"),
        ("why 1", "money is legal"),
        ("why fly", "'fly' is no action"),
        ("undo", "no decision of yours"),
        ("export x.json", "a game file shows all that is hidden"),
        ("load", "which file?"),
        ("\x00", "is no action"),
        ("load \x00", "not loaded"),
        ("save \x00", "not saved"),
        ("load ~nobody/x", "not loaded"),
    ],
)
def test_replies__say_what_is_wrong_and_change_nothing(line: str, reply: str) -> None:
    session = begin("automa:normal")
    before = session.played.game.records.tobytes()
    session.handle(line)
    assert reply in session.reply
    assert session.played.game.records.tobytes() == before


def test_completion__goes_word_by_word() -> None:
    session = begin("automa:normal")
    assert session.completions("sta") == ["start "]
    assert "start Green Bay " in session.completions("start ")
    assert session.completions("start gr") == ["start Green Bay ", "start Grand Rapids "]
    assert session.completions("start Milwaukee ") == [f"start Milwaukee {edge}" for edge in ("N", "SW", "NW")]
    assert session.completions("why build Gre") == ["why build Green Bay"]
    assert set(session.completions("actions ")) == {"actions money", "actions contracts", "actions start"}
    assert {"money", "undo", "help"} <= set(session.completions(""))
    assert session.completions("nothing") == []


def test_hint__is_what_greedy_does() -> None:
    session = type_lines(begin("random"), "hint")
    action = re.fullmatch(r"greedy would play: (.+) \[(\d+)\]", session.reply)
    assert action
    game = session.played.game
    agent = AGENTS["greedy"]()
    chosen = int(agent.act(None, game.mask[np.newaxis], game.view(0))[0])
    assert (action[1], session.read_action(action[2])) == (game.text(chosen), chosen)


# --- undo ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("others", [("random",), ("greedy", "random"), ("random", "automa:hard")])
def test_undo__goes_back_to_the_own_decision_down_to_the_deal_and_luck_stays(others: tuple[str, ...]) -> None:
    session = begin(*others)
    start = session.played.game.records.tobytes()
    decisions = sum(1 for _ in play_on(session, 8))
    before, steps = session.played.game.records.tobytes(), session.played.game.num_steps
    type_lines(session, "1", "1", "1")
    after, actions = session.played.game.records.tobytes(), session.played.game.actions
    assert len(actions) > steps + 3  # others have replied
    for _ in range(3):
        session.handle("undo")
        assert session.played.game.seat == 0
    assert session.played.game.records.tobytes() == before
    type_lines(session, "1", "1", "1")
    assert (session.played.game.records.tobytes(), session.played.game.actions) == (after, actions)
    for _ in range(decisions + 3):
        session.handle("undo")
        assert "taken back" in session.reply
    assert session.played.game.records.tobytes() == start


def test_undo__at_a_shared_keyboard_takes_back_the_others_replies_of_whoever_sits_there() -> None:
    session = type_lines(begin("human"), "money", "money", "undo")  # before the other one has sat down
    assert session.reply.startswith("1 action is taken back")
    assert (session.person, session.is_waiting, session.played.game.num_steps) == (0, False, 1)
    type_lines(session, "money", "", "undo")
    assert session.reply == "there is no decision of yours to take back"
    type_lines(session, "money", "money", "", "undo")
    assert session.reply.startswith("3 actions are taken back")
    assert (session.person, session.is_waiting, session.played.game.num_steps) == (0, False, 1)


def test_undo__waits_until_somebody_sits_at_the_keyboard(tmp_path: Path) -> None:
    type_lines(begin("human"), "money", f"save {tmp_path / 'game.save'}")
    session = type_lines(Session(PlayedGame.load(tmp_path / "game.save")), "undo")
    assert (session.is_waiting, session.played.game.num_steps) == (True, 1)
    assert "1 action is taken back" in type_lines(session, "", "undo").reply


# --- files ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("others", [("greedy",), ("random", "human", "automa:easy")])
def test_save_and_load__same_position_and_same_future(others: tuple[str, ...], tmp_path: Path) -> None:
    session = begin(*others)
    list(play_on(session, 12))
    session.played.save(tmp_path / "game.save")
    loaded = Session(PlayedGame.load(tmp_path / "game.save"))
    for one in (session, loaded):
        list(play_on(one, 12, seed=5))
    assert loaded.played.names == ("human", *others)
    assert loaded.played.game.save() == session.played.game.save()


def test_save__replaces_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    session = type_lines(begin("random"), "money", "save letter.txt")
    assert "there is such a file already" in session.reply
    assert (tmp_path / "letter.txt").read_text(encoding="utf-8") == "dear"
    session.handle("save")
    assert "saved to steam-play-1.save" in session.reply
    assert "saved to steam-play-1.save" in type_lines(session, "money", "save steam-play-1.save").reply
    assert "saved to letter.txt" in type_lines(session, "save! letter.txt").reply
    assert "not saved" in type_lines(session, "save no/such/folder").reply


def test_load__keeps_the_game_that_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = type_lines(begin("random"), "money", "save a.save", "money", "load a.save")
    assert session.played.game.num_steps == 1
    assert "of the game before: the game is saved; go on with" in session.reply
    assert PlayedGame.load(tmp_path / "steam-play-1.save").game.num_steps > 1
    assert "not loaded: b.save: cannot be read" in type_lines(session, "load b.save").reply
    assert session.played.game.num_steps == 1


def test_quit__asks_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = type_lines(begin("random"), "money", "quit")
    assert "Save to steam-play-1.save? y saves" in session.reply
    assert not type_lines(session, "no idea").ended
    assert type_lines(session, "quit", "y").ended
    assert PlayedGame.load(tmp_path / "steam-play-1.save").game.num_steps == 1
    assert type_lines(begin("random"), "quit").ended  # nothing was played
    session = type_lines(begin("random"), "money", "quit", "n")
    assert session.ended
    assert session.keep() == ""


def test_keep__finds_another_folder_where_this_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    session = type_lines(begin("random"), "money")
    session.path = Path("/no/such/folder/x.save")
    (tmp_path / "steam-play-1.save").write_text("of another game", encoding="utf-8")
    assert str(tmp_path / "steam-play-2.save") in session.keep()
    assert PlayedGame.load(tmp_path / "steam-play-2.save").game.num_steps == 1


BREAKS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "format": lambda content: {**content, "format": "another"},
    "schema version 2": lambda content: {**content, "schema": 2},
    "a list of names": lambda content: {**content, "seats": 3},
    "1 name for 2 seats": lambda content: {**content, "seats": ["human"]},
    "nobody is human": lambda content: {**content, "seats": ["random", "random"]},
    "opponent 'wolf'": lambda content: {**content, "seats": ["human", "wolf"]},
    "automa:easy on seat 1": lambda content: {**content, "seats": ["human", "automa:easy"]},
    "base 64": lambda content: {**content, "game": None},
    "checksum": lambda content: {**content, "game": content["game"][:-8] + "AAAAAAA="},
    "no saved game": lambda content: {**content, "game": "?"},
    "is no saved game": lambda content: [content],
}
NO_JSON = (b"", b"{", b"\xff\xfe", b"[" * 100_000, b"STEAMENV" * 9)


@pytest.mark.parametrize(("complaint", "broken"), [*BREAKS.items(), *(("game.save: ", data) for data in NO_JSON)])
def test_load__broken_files_are_named(
    complaint: str, broken: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.save"
    begin("random").played.save(path)
    path.write_bytes(broken if isinstance(broken, bytes) else json.dumps(broken(json.loads(path.read_text()))).encode())
    assert main(["--load", str(path)]) == 2
    message = capsys.readouterr().err
    assert complaint in message
    assert str(path) in message


def test_export__writes_a_game_file_when_the_game_is_over(tmp_path: Path) -> None:
    session = begin("random", max_rounds=1)
    path = tmp_path / "game.json"
    type_lines(session, "money", "money", f"export {path}")
    assert session.reply == f"written to {path}"
    assert Game.from_file(path).actions == session.played.game.actions
    assert "does not exist yet" in type_lines(session, f"export {path}").reply


# --- what is shown -------------------------------------------------------------------------------------
TABLES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "five": (("human", "random", "human", "automa:normal"), {}),
    "two": (("random",), {"map": "alps", "contracts": "standard"}),
    "big": (("automa:easy",) * 4, {"map": "midwest", "contracts": "standard"}),
    "solo": ((), {"mode": "solo"}),
}


@pytest.mark.parametrize("name", TABLES)
def test_screen__fits_at_all_times_and_shows_no_hidden_hand(name: str) -> None:
    others, rules = TABLES[name]
    session = begin(*others, **{"contracts_to_end": 3, "contracts": "standard", **rules})
    for number, _ in enumerate(play_on(session, 80 if name == "five" else 30)):
        width, height = SIZES[number % len(SIZES)]
        drawn = Screen(session, color=False).draw(width, height - 1)
        lines = drawn.splitlines()
        assert len(lines) <= height - 1
        assert max(map(len, lines)) <= width
        shown = [drawn]
        if not session.is_waiting:
            game = session.played.game
            if not game.done:
                assert f"decides {game.phase}"[:width] in drawn or height < ENOUGH
                assert "[1]" in drawn or height < ENOUGH
            if number % 5 == 0:
                shown += pages_of(session)
        else:
            assert "vp" not in drawn
        assert_hides(session, "\n".join(shown))


def pages_of(session: Session) -> Iterator[str]:
    for command in ("map", "hand", "cards", "scores", "news", "log", "actions", "hint", "help"):
        session.handle(command)
        yield Screen(session, color=False).draw(200)
    session.handle("")


def assert_hides(session: Session, text: str) -> None:
    game = session.played.game
    if session.is_waiting:
        hidden = range(len(game.setting.deck.contracts))
    else:
        hidden = np.flatnonzero(game.view(session.seat).record.place == PLACE_UNKNOWN).tolist()
    for number in hidden:
        contract = game.setting.deck.contracts[number]
        found = re.search(rf"contract {number}\b|\b{number} {contract.needs} \$", text)
        assert not found, f"{game!r} shows {found and found[0]}:\n{text}"


def test_screen__every_kind_of_action_is_there_and_long_lists_name_the_command() -> None:
    session = begin("automa:normal", map="midwest", contracts="standard")
    assert COLOR.search(Screen(session, color=True).draw(80, 23))
    text = Screen(session, color=False).draw(80, 23)
    assert "\x1b" not in text
    assert "money [1]  contracts [2]" in text
    assert "... actions start" in text
    everything = Screen(session, color=False).draw(80)
    assert all(f"[{number}]" in everything for number in range(1, len(session.played.game.legal()) + 1))


def test_screen__a_page_is_leafed_through() -> None:
    session = type_lines(begin("random"), "help")
    screen = Screen(session, color=False)
    first = screen.draw(80, 12)
    assert screen.leaf()
    second = screen.draw(80, 12)
    lines = session.help_lines()
    assert first.splitlines()[1] == lines[0] != second.splitlines()[1]
    while screen.leaf():
        last = screen.draw(80, 12)
    assert lines[-1] in last
    assert max(map(len, lines)) < COLUMNS


def test_news__tell_what_the_others_did_since_the_last_decision() -> None:
    session = begin("random")
    type_lines(session, "money", "money")
    lines, known = session.news()
    new = lines[known:]
    assert new[0] == "player_0 takes $3"
    assert any(line.startswith("player_1 ") for line in new)
    assert "player_0 takes $3" in lines[:known]


def test_hot_seat__commands_wait_for_the_keyboard() -> None:
    session = type_lines(begin("human"), "money", "money")
    assert session.is_waiting
    before = session.played.game.num_steps
    for line in ("money", "hand", "map", "1", "hint", "log"):
        session.handle(line)
        assert "player_1 takes the keyboard" in session.reply
        assert session.page is None
    assert session.completions("mon") == []
    assert session.played.game.num_steps == before
    session.handle("")
    assert (session.person, session.is_waiting) == (1, False)
