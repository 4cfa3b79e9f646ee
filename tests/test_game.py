"""``Game``: its public face (deal, actions, errors, copies, files, events), whatever the rules say."""

import copy
import itertools
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steam_env
from steam_env import Event, Game, GameBatch, IllegalActionError, Rules, SaveError, ScenarioError
from steam_env.core.steam_power.events import EVENT_FIELDS
from steam_env.core.steam_power.state import GAME
from tests.verification.invariants import RandomStates, copies_of

ROOT = Path(__file__).resolve().parents[1]
MINI = {"map": "mini", "contracts": "mini"}
HURRY = ("fulfil", "source", "hop", "head")  # words of actions that bring a random game on

# Two seats with full purses; the deck is empty, so contracts are taken from hands.
NO_DECK: dict[str, Any] = {
    "rules": {"num_players": 2},
    "map": {
        "name": "line",
        "cities": ["Ames", "Boone", "Clinton"],
        "hexes": {"A1": "city", "A3": "plains", "A5": "city", "A7": "hills", "A9": "city"},
    },
    "cities": "WBP",
    "off_map": "WP",
    "contracts": [
        {"needs": "W", "money": 2, "vp": 3, "bonus": "contracts", "automa": "track"},
        {"needs": "B", "money": 0, "vp": 2, "bonus": "none", "automa": "factory"},
        {"needs": "WB", "money": 1, "vp": 4, "bonus": "track", "automa": "track"},
        {"needs": "O", "money": 5, "vp": 1, "bonus": "factory", "automa": "factory"},
        {"needs": "GG", "money": 0, "vp": 6, "bonus": "none", "automa": "factory"},
    ],
    "links": [{"owner": 0, "path": ["Ames", "A3", "Boone"]}],
    "factories": [{"owner": 0, "city": "Ames", "resources": 2}],
    "seats": {"money": [20, 20], "hands": [[0], [1, 2, 3, 4]]},
    "deck": {"order": []},
}


def mini(seed: int = 0, **more: Any) -> Game:
    return Game(Rules(**MINI, **more), seed=seed)


def choose(game: Game, rng: np.random.Generator) -> int:
    """A random legal action, more often one that brings the game on."""
    legal = game.legal()
    eager = [action for action in legal if game.text(action).split()[0] in HURRY]
    return int(rng.choice(eager if eager and rng.random() < 0.9 else legal))


def advance(game: Game, steps: int, seed: int = 0) -> Game:
    """Play so many random actions."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if game.done:
            break
        game.step(choose(game, rng))
    return game


def finish(game: Game, seed: int = 0) -> Game:
    return advance(game, 10_000, seed)


@pytest.fixture(scope="module")
def finished() -> list[Game]:
    """Whole games of two and three seats, in both editions and with both routings."""
    return [
        finish(mini(seed, num_players=2 + seed % 2, edition=edition, routing=routing, max_rounds=40), seed)
        for seed, (edition, routing) in enumerate(
            [("final", "any"), ("final", "cheapest"), ("preview", "any"), ("final", "any"), ("preview", "cheapest")]
        )
    ]


@pytest.fixture(scope="module")
def finished_others() -> list[Game]:
    """Whole games with Automas, and one of solo."""
    with_automas = [
        finish(mini(seed, num_players=2 + seed % 3, automas=1 + seed % 3, contracts_to_end=40), seed)
        for seed in range(6)
    ]
    return [*with_automas, finish(mini(0, mode="solo"))]


def same_future(game: Game, other: Game, steps: int = 60) -> bool:
    """Whether the games stay equal, byte for byte, when the same actions are played in both."""
    rng = np.random.default_rng(5)
    for _ in range(steps):
        if other.records.tobytes() != game.records.tobytes() or other.mask.tobytes() != game.mask.tobytes():
            return False
        if game.done:
            break
        action = choose(game, rng)
        game.step(action)
        other.step(action)
    return True


# --- a new game --------------------------------------------------------------------------------------


def test_new__defaults_are_two_seats_on_midwest() -> None:
    game = Game(seed=1)
    assert game.rules == Rules()
    assert (game.seats, game.round, game.actions_left, game.phase, game.done) == (2, 1, 2, "action", False)
    assert (game.links(), game.money, game.trains, game.factories_left) == ([], [5, 5], [21, 21], [15, 15])
    assert game.deck_size == 48 - 10
    assert "round 1" in repr(game)


def test_new__without_a_seed_games_differ_and_tell_their_seed() -> None:
    games = [mini(None) for _ in range(3)]  # type: ignore[arg-type]
    assert len({game.records.tobytes() for game in games}) == 3
    for game in games:
        assert game.seed is not None
        assert mini(game.seed).records.tobytes() == game.records.tobytes()


@pytest.mark.parametrize("seed", [0, 2**31, 2**63 - 1, np.int64(7), np.uint8(7)])
def test_new__any_integer_from_0_to_2_63_fixes_a_game_of_its_own(seed: int) -> None:
    assert mini(seed).records.tobytes() == mini(int(seed)).records.tobytes() != mini(3).records.tobytes()


@pytest.mark.parametrize(
    ("seed", "rules", "words"),
    [
        *[(seed, {}, ["seed"]) for seed in (-1, 2**63, True, 1.0, "1", np.float64(2))],
        (1, {"map": "atlantis"}, ["map", "atlantis", "midwest"]),
        (1, {"contracts": "pile"}, ["contracts", "pile", "standard"]),
        (1, {"map": "no/such/map.toml"}, ["map", "no/such/map.toml"]),
        (1, {"contracts": "mini", "num_players": 4}, ["contracts", "mini", "16", "20"]),
        (1, {"contracts": "mini", "num_players": 5}, ["contracts", "mini", "16", "25"]),
    ],
)
def test_new__what_cannot_be_played_is_named(seed: Any, rules: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        Game(Rules(**rules), seed=seed)
    for word in words:
        assert word in str(error.value)


def test_new__the_global_random_states_are_left_alone() -> None:
    with RandomStates():
        finish(mini(None, max_rounds=5)).redeal(0, 1)  # type: ignore[arg-type]
        batch = GameBatch(Rules(**MINI), 4)
        batch.step(batch.sample_legal(np.random.default_rng(0)))
        batch.reset()


# --- what it tells -----------------------------------------------------------------------------------


def test_tells__cities() -> None:
    game = Game.from_scenario(NO_DECK)
    ames = {"color": "white", "owner": 0, "resources": 2, "flipped": False, "group": ["Ames"], "connected": [0]}
    assert game.city("Ames") == ames
    nothing = {"owner": None, "resources": 0, "flipped": False, "connected": []}
    assert game.city("Clinton") == {"color": "purple", "group": ["Clinton"], **nothing}


def test_tells__links_in_the_order_in_which_they_were_begun_and_open_edges() -> None:
    scenario = copy.deepcopy(NO_DECK)
    scenario["map"]["hexes"] |= {"A7": "plains", "B8": "plains"}
    game = Game.from_scenario(scenario)
    game.step("start Boone S")
    assert (len(game.links()), game.money) == (1, [20, 20])  # nothing happens before the head
    game.step("head SE")
    assert game.links() == [
        {"owner": 0, "path": ["Ames", "A3", "Boone"], "complete": True, "open": None},
        {"owner": 0, "path": ["Boone", "A7"], "complete": False, "open": "SE"},
    ]


def test_tells__hands_and_fulfilled_are_plain_lists() -> None:
    game = Game.from_scenario(NO_DECK)
    assert (game.hand(0), game.hand(1), game.fulfilled(0)) == ([0], [1, 2, 3, 4], [])
    game.hand(0).append(9)
    assert game.hand(0) == [0]
    assert game.hand(np.int64(1)) == [1, 2, 3, 4]  # type: ignore[arg-type]
    assert game.off_map == {"white": 1, "black": 0, "orange": 0, "gray": 0, "purple": 1}


@pytest.mark.parametrize(
    ("ask", "arguments"),
    [
        *[("hand", (seat,)) for seat in (2, -1, True, None)],
        *[
            ("fulfilled", (5,)),
            ("city", ("Atlantis",)),
            ("observe", (2,)),
            ("observe", (0, "braille")),
            ("view", (-1,)),
        ],
        *[("log_for", (7,)), ("redeal", (2, 0)), ("redeal", (0, -1)), ("render", ("pdf",))],
    ],
)
def test_tells__bad_questions_raise_value_errors(ask: str, arguments: tuple[Any, ...]) -> None:
    game = mini(1)
    before = game.records.tobytes()
    with pytest.raises(ValueError, match=r"\w+.*\w+"):
        getattr(game, ask)(*arguments)
    assert game.records.tobytes() == before


# --- actions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [int, np.int64, np.int8, np.uint16, np.int32])
def test_step__takes_integers_of_python_and_numpy(kind: Callable[[int], int]) -> None:
    game = mini(1)
    assert (game.text(kind(0)), game.explain(kind(0))) == ("money", None)
    game.step(kind(0))
    assert sum(game.money) == 13


NO_ACTIONS = (-1, 372, 10**9, -(10**30), True, False, np.bool_(True), 0.0, 1.5, np.float32(1), None, [0], b"money")
NO_TEXTS = (
    *("", " ", "fly", "money please", "done 1", "start Ames", "start Nowhere N", "start Chicago X", "head"),
    *("head N N", "head UP", "build", "amount", "amount 9", "amount x", "fulfil 48", "fulfil -1", "fulfil 1.0", "hop"),
    *("pay player_9", "pay 1", "take_from", "take_from player_7"),
)


@pytest.mark.parametrize("action", [*NO_ACTIONS, *NO_TEXTS], ids=repr)
def test_step__refuses_what_is_no_action(action: Any) -> None:
    game = mini(1)
    before, steps = game.records.tobytes(), game.num_steps
    is_text = isinstance(action, str)
    for use in (game.step, game.explain, game.parse if is_text else game.text):
        with pytest.raises(IllegalActionError, match="no action" if is_text else "^action"):
            use(action)
    assert (game.records.tobytes(), game.num_steps) == (before, steps)


def test_step__an_illegal_action_changes_nothing_and_names_rule_and_examples() -> None:
    game = mini(1)
    before, mask = game.records.tobytes(), game.mask.tobytes()
    with pytest.raises(IllegalActionError, match=r"\(rule 3\.1\)|\(rule 4\.2\)") as error:
        game.step("head N")
    assert "money" in str(error.value)
    assert str(game.explain("head N")) in str(error.value)
    assert (game.records.tobytes(), game.mask.tobytes(), game.num_steps) == (before, mask, 0)


def test_step__nothing_can_be_played_after_the_end(finished: list[Game]) -> None:
    game = finished[0].clone()
    before = game.records.tobytes()
    for action in (0, "money", "done", 371):
        with pytest.raises(IllegalActionError, match=r"over.*\(rule 3\.2\)"):
            game.step(action)
    assert game.records.tobytes() == before


def test_explain__names_the_action_and_ends_with_the_rule() -> None:
    game = mini(9, num_players=3, max_rounds=14)
    rng = np.random.default_rng(1)
    while not game.done:
        for action in range(372):
            reason = game.explain(action)
            assert (reason is None) == bool(game.mask[action])
            assert reason is None or re.search(r"\(rule \d+(\.\d+)?\)$", reason)
            assert reason is None or reason.startswith(game.text(action))
        game.step(choose(game, rng))
    assert all("(rule 3.2)" in str(game.explain(action)) for action in range(372))


# --- chance outcomes that are given ------------------------------------------------------------------


def test_outcomes__drive_takes() -> None:
    for seed, outcomes in itertools.product(range(3), ([1, 2], [4, 3], [2, 4])):
        game, twin = (Game.from_scenario(NO_DECK, seed=seed) for _ in range(2))
        game.step("contracts", outcomes)
        twin.step("contracts", np.array(outcomes))  # type: ignore[arg-type]
        assert game.save() == twin.save()
        assert set(game.hand(0)) == {0, *outcomes}
        assert [event.values["contract"] for event in game.events] == outcomes
    game = Game.from_scenario(NO_DECK, seed=1)
    game.step("contracts", [3])  # the first take alone
    assert {0, 3} < set(game.hand(0))


@pytest.mark.parametrize(
    ("action", "outcomes"),
    [
        ("contracts", [0]),  # the taker's own
        *[("contracts", outcomes) for outcomes in ([1, 1], [47], [48], [-1], [1, 2, 3], [1] * 100)],
        *[("contracts", [outcome]) for outcome in (True, 1.0, "1")],
        ("money", [1]),
    ],
)
def test_outcomes__impossible_or_superfluous_ones_change_nothing(action: str, outcomes: list[Any]) -> None:
    game, twin = (Game.from_scenario(NO_DECK, seed=1) for _ in range(2))
    with pytest.raises(ValueError, match="outcome"):
        game.step(action, outcomes)
    assert (game.records.tobytes(), game.mask.tobytes()) == (twin.records.tobytes(), twin.mask.tobytes())
    assert (game.events, game.num_steps) == ([], 0)
    for one in (game, twin):
        one.step("contracts")  # and no outcome is left over for the next action
    assert game.records.tobytes() == twin.records.tobytes()


def test_outcomes__a_deal_can_be_given() -> None:
    game = mini(5, num_players=3)
    again = Game(game.rules, seed=77, deal=game.events[0].values)
    for name in ("color", "place", "deck_order", "first_player", "off_map", "seat"):
        assert np.array_equal(again.record[name], game.record[name])
    assert again.events[0] == game.events[0]


@pytest.mark.parametrize(
    ("first_player", "change"),
    [
        ("random", {"first_player": 3}),
        ("player_0", {"first_player": 1}),
        ("random", {"hands": [[0], [1], [2]]}),
        ("random", {"cities": "W"}),
        ("random", {"off_map": "WWWW"}),
        ("random", {"deck": [0, 0]}),
        ("random", {"deck": None}),
    ],
    ids=str,
)
def test_outcomes__an_impossible_deal_is_refused(first_player: str, change: dict[str, Any]) -> None:
    game = mini(5, num_players=3, first_player=first_player)
    with pytest.raises(ValueError, match=rf"deal.*{next(iter(change))}"):
        Game(game.rules, seed=1, deal={**game.events[0].values, **change})


# --- copies ------------------------------------------------------------------------------------------


def inside_a_contract() -> Game:
    game = Game.from_scenario(NO_DECK, seed=4)
    game.step("fulfil 0")
    return game


STARTS: tuple[Callable[[], Game], ...] = (
    lambda: advance(mini(6, num_players=3), 60),
    lambda: advance(mini(6), 20).redeal(0, 3),
    inside_a_contract,
    lambda: finish(mini(6, max_rounds=1)),
)


@pytest.mark.parametrize("start", STARTS, ids=["dealt", "redealt", "inside a contract", "over"])
def test_copies__are_independent_and_have_the_same_past_and_future(start: Callable[[], Game]) -> None:
    game = start()
    before, log, others = game.records.tobytes(), game.log, copies_of(game)
    for road, twin in copies_of(game).items():
        assert (twin.log, twin.actions, twin.seed, twin.rules) == (log, game.actions, game.seed, game.rules), road
        assert not twin.setting.boards.flags.writeable
        assert not twin.setting.decks.flags.writeable
        finish(twin)
        assert (game.records.tobytes(), game.log) == (before, log), road
    finish(game, seed=9)
    for road, other in others.items():
        assert (other.records.tobytes(), other.scores(), other.log) == (before, start().scores(), log), road
        assert same_future(other, start(), steps=150), road


# --- saves -------------------------------------------------------------------------------------------


def test_save__is_bytes_with_a_magic_word() -> None:
    data = mini(1).save()
    assert isinstance(data, bytes)
    assert data[:8] == b"STEAMENV"
    assert mini(1).save() == data


def test_save__damage_is_noticed() -> None:
    data = advance(mini(1), 10).save()
    places = [*range(40), *range(40, len(data), 97), *range(len(data) - 20, len(data))]
    flipped = [data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :] for place in places]
    cut = [data[:size] for size in (0, 1, 7, 13, 100, -1, -16, -17)]
    for damaged in (*flipped, *cut, data + b"x", b"hello", None, "text", 5, b"STEAMENV" + bytes(100)):
        with pytest.raises(SaveError):
            Game.load(damaged)  # type: ignore[arg-type]


def test_save__holds_map_and_deck(tmp_path: Path) -> None:
    shutil.copy(ROOT / "steam_env/data/steam_power/maps/mini.toml", tmp_path / "map.toml")
    shutil.copy(ROOT / "steam_env/data/steam_power/decks/mini.toml", tmp_path / "deck.toml")
    game = Game(Rules(map=str(tmp_path / "map.toml"), contracts=str(tmp_path / "deck.toml")), seed=1)
    data = advance(game, 10).save()
    for file in tmp_path.iterdir():
        file.unlink()
    assert same_future(game, Game.load(data))


# --- game files --------------------------------------------------------------------------------------


def write(game: Game, folder: Path) -> Path:
    game.to_file(folder / "game.json")
    return folder / "game.json"


def change(path: Path, **entries: Any) -> Path:
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **entries}), encoding="utf-8")
    return path


def test_file__holds_what_the_interface_says(finished: list[Game], tmp_path: Path) -> None:
    game = finished[0]
    content = json.loads(write(game, tmp_path).read_text(encoding="utf-8"))
    assert Rules.from_dict(content["rules"]) == game.rules
    assert (content["seed"], content["winners"]) == (game.seed, game.winners())
    assert isinstance(content["schema"], int)
    assert [step["id"] for step in content["steps"]] == game.actions
    events = [event for step in content["steps"] for event in step["events"]]
    assert events == [event.to_dict() for event in game.events[1:]]


def test_file__replays_although_the_random_numbers_are_others(finished: list[Game], tmp_path: Path) -> None:
    for game in finished:
        again = Game.from_file(change(write(game, tmp_path), seed=12345))
        assert (again.log, again.scores(), again.actions) == (game.log, game.scores(), game.actions)
    assert any(event.kind == "take" for game in finished for event in game.events)


def test_file__of_a_scenario_replays_although_the_random_numbers_are_others(tmp_path: Path) -> None:
    game = finish(Game.from_scenario({**NO_DECK, "rules": {"num_players": 2, "max_rounds": 6}}, seed=3), seed=2)
    assert any(event.kind == "take" for event in game.events)
    path = write(game, tmp_path)
    scenario = json.loads(path.read_text(encoding="utf-8"))["scenario"]
    del scenario["random"]
    again = Game.from_file(change(path, scenario=scenario, seed=99))
    assert (again.log, again.scores()) == (game.log, game.scores())


def test_file__of_a_game_under_way_begins_with_the_deal_after_a_load_too(tmp_path: Path) -> None:
    game = advance(Game.load(advance(mini(2), 20).save()), 13, seed=1)
    again = Game.from_file(write(game, tmp_path))
    assert (again.log, again.seat, again.phase, again.legal()) == (game.log, game.seat, game.phase, game.legal())
    for name in set(GAME.names or ()) - {"rng"}:
        assert np.array_equal(again.record[name], game.record[name]), name


def test_file__needs_a_beginning(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="deal or a scenario"):
        mini(1).redeal(0, 1).to_file(tmp_path / "game.json")
    assert not (tmp_path / "game.json").exists()


def money_please(content: dict[str, Any]) -> dict[str, Any]:
    return {"steps": [*content["steps"][:3], {**content["steps"][3], "text": "money please"}]}


NOT_THIS_STEP = {"steps": [{"seat": 0, "id": 371, "text": "take_from player_1", "events": []}]}


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ({"format": "chess"}, "format"),
        ({"schema": 999}, "schema"),
        ({"rules": {"num_players": 9}}, "num_players"),
        ({"rules": None}, "broken"),
        (NOT_THIS_STEP, r"steps\[0\]"),
        ({"steps": 5}, "broken"),
        (money_please, r"steps\[3\]"),
        *[
            ({"over": False}, "over"),
            ({"truncated": 2}, "truncated"),
            ({"winners": [7]}, "winners"),
            ({"scores": []}, "scores"),
        ],
        ({"deal": {}}, "deal"),
        ({"deck": {}}, "name"),
        ({"scenario": "first-track.toml"}, "scenario: must be a table"),  # not followed
    ],
    ids=lambda value: getattr(value, "__name__", None) or str(value),
)
def test_file__damage_is_noticed(entries: Any, named: str, finished: list[Game], tmp_path: Path) -> None:
    path = write(finished[0], tmp_path)
    path = change(path, **(entries(json.loads(path.read_bytes())) if callable(entries) else entries))
    with pytest.raises(SaveError, match=rf"game\.json.*{named}"):
        Game.from_file(path)


def test_file__that_is_none(tmp_path: Path) -> None:
    for text in ("", "no json", "[]", "5", '"steam_env game"'):
        (tmp_path / "game.json").write_text(text, encoding="utf-8")
        with pytest.raises(SaveError):
            Game.from_file(tmp_path / "game.json")
    with pytest.raises(SaveError):
        Game.from_file(tmp_path / "missing.json")


# --- scenarios ---------------------------------------------------------------------------------------


# --- events and log ----------------------------------------------------------------------------------


def test_events__are_kept_by_step() -> None:
    game = advance(mini(1), 30)
    count, steps = len(game.events), game.num_steps
    advance(game, 1, seed=4)
    assert game.events_since(0) == game.events
    assert game.events_since(steps) == game.events[count:]


def test_events_for__is_what_a_list_of_them_would_be() -> None:
    game = advance(mini(1), 30)
    for step, happened in ((None, game.events), (7, game.events_since(7))):
        events = game.events_for(1, step)
        plain = [event.hide_from(1) for event in happened]
        assert events == plain
        assert plain == events
        assert events == game.events_for(1, step)
        assert events != plain[1:]
        assert (len(events), list(events), events[2], events[-3:]) == (len(plain), plain, plain[2], plain[-3:])
        assert (plain[0] in events, repr(events)) == (True, repr(plain))
        assert (events + plain, plain + events) == (plain + plain, plain + plain)


def test_events_for__copies_are_lists() -> None:
    events = advance(mini(1), 30).events_for(0)
    for twin in (copy.copy(events), copy.deepcopy(events), pickle.loads(pickle.dumps(events))):
        assert type(twin) is list
        assert twin == events
    assert copy.copy(events)[0] is events[0]
    assert copy.deepcopy(events)[0] is not events[0]


def test_events__every_kind_happens_with_its_fields_and_a_line(
    finished: list[Game], finished_others: list[Game]
) -> None:
    lines: dict[str, str] = {}
    for game in (*finished, *finished_others):
        assert [game.events[0].kind, game.events[-1].kind] == ["deal", "end"]
        for event, line in zip(game.events, game.log, strict=True):
            assert isinstance(event, Event)
            assert event.kind == "deal" or set(event.values) == set(EVENT_FIELDS[event.kind])
            assert event.kind == "deal" or all(type(value) is int for value in event.values.values())
            lines[event.kind] = line
            assert line
            assert "\n" not in line
            assert "-1" not in line
            assert event.actor == -1 or line.startswith(f"player_{event.actor} ")
    assert {"deal", "take", "flip", "decline", "end", "automa", "target", "reshuffle", "bag", "aside"} <= set(lines)
    assert len(set(lines.values())) == len(lines)


def test_log__names_cities_seats_contracts_and_money() -> None:
    game = Game.from_scenario(NO_DECK, seed=1)
    for action in ("fulfil 0", "source Ames", "done", "start Boone S", "head S"):
        game.step(action)
    text = "\n".join(game.log)
    for word in ("player_0", "Ames", "Boone", "Clinton", "contract 0", "$2", "A7"):
        assert word in text


# --- the package -------------------------------------------------------------------------------------


def run_python(code: str, **env: str) -> str:
    """What Python prints when it runs this code in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-P", "-c", code],  # -P: the working folder is not on the path
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()


PLAY = """
import hashlib, numpy as np
from steam_env import Game, Rules
digest = hashlib.sha256()
for seats, rules in ((2, dict()), (3, dict(edition="preview", routing="cheapest"))):
    game = Game(Rules(num_players=seats, map="mini", contracts="mini", max_rounds=12, **rules), seed=seats)
    rng = np.random.default_rng(seats)
    while not game.done:
        legal = game.legal()
        eager = [a for a in legal if game.text(a).split()[0] in ("fulfil", "source", "hop", "head")]
        game.step(int(rng.choice(eager if eager and rng.random() < 0.9 else legal)))
        for seat in range(seats):
            digest.update(game.redeal(seat, 1).records.tobytes())
            digest.update(game.observe(seat).tobytes())
        digest.update(game.records.tobytes() + game.mask.tobytes())
    digest.update(repr(game.log).encode())
print(digest.hexdigest(), game.num_steps)
"""


def test_package__plain_python_plays_the_same_games_as_compiled_code() -> None:
    assert run_python(PLAY, NUMBA_DISABLE_JIT="1") == run_python(PLAY, NUMBA_DISABLE_JIT="0")


def test_package__imports_four_packages_only() -> None:
    code = "import sys, steam_env; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    modules = set(run_python(code).split())
    assert {"numpy", "numba", "gymnasium", "pettingzoo"} <= modules
    extras = ("torch", "matplotlib", "tomli_w", "rich", "tyro", "stable_baselines3", "sb3_contrib", "PIL", "pygame")
    assert not modules & set(extras)


HELPER = """
import numpy as np
from steam_env.core.steam_power.board import make_board
from steam_env.core.steam_power.network import in_network
from steam_env.core.steam_power.state import GAME
from steam_env.data.steam_power.maps import load_map
board = make_board(load_map("mini").hexes)
game = np.zeros(1, GAME)
game["network"][0, 0] = 1 << int(board["group"][0, 5])
print(in_network(game[0], board[0], 0, 5), in_network(game[0], board[0], 0, 0))
"""


def test_package__an_edited_helper_is_noticed_despite_the_cache(tmp_path: Path) -> None:
    """The kernel that is called is not edited, only one that it calls from another module."""
    shutil.copytree(
        ROOT / "steam_env", tmp_path / "steam_env", symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "agents", tmp_path / "agents", ignore=shutil.ignore_patterns("__pycache__"))
    settings = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    assert run_python(HELPER, **settings) == "True False"
    cached = set((tmp_path / "cache").rglob("*.nbc"))
    assert cached
    assert run_python(HELPER, **settings) == "True False"
    assert set((tmp_path / "cache").rglob("*.nbc")) == cached  # the second process compiled nothing
    helper = tmp_path / "steam_env/core/bits.py"
    source = helper.read_text(encoding="utf-8")
    edited = source.replace("!= 0", "== 0")
    assert edited != source
    helper.write_text(edited, encoding="utf-8")
    assert run_python(HELPER, **settings) == "False True"


def test_package__exports_all_that_it_names_and_errors_that_are_value_errors() -> None:
    assert all(hasattr(steam_env, name) for name in steam_env.__all__)
    assert {"Game", "GameBatch", "Rules", "IllegalActionError", "steam_power_v0"} <= set(steam_env.__all__)
    assert all(issubclass(error, ValueError) for error in (IllegalActionError, ScenarioError, SaveError))
