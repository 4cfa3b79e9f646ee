"""``Game``: its public face (deal, actions, errors, copies, files, events), whatever the rules say."""

import copy
import json
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steam_env
from steam_env import Event, Game, GameBatch, IllegalActionError, Rules, SaveError, ScenarioError
from steam_env.core.steam_power.events import EVENT_FIELDS
from steam_env.core.steam_power.state import GAME, PHASE_NAMES

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


def same_future(games: Iterable[Game], steps: int = 60, seed: int = 5) -> bool:
    """Whether the games stay equal, byte for byte, when the same actions are played in all."""
    first, *others = games
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if any(
            other.records.tobytes() != first.records.tobytes() or other.mask.tobytes() != first.mask.tobytes()
            for other in others
        ):
            return False
        if first.done:
            break
        action = choose(first, rng)
        for game in (first, *others):
            game.step(action)
    return True


# --- a new game --------------------------------------------------------------------------------------


def test_new__defaults_are_two_seats_on_midwest() -> None:
    game = Game(seed=1)
    assert game.rules == Rules()
    assert (game.seats, game.round, game.actions_left, game.phase) == (2, 1, 2, "action")
    assert not game.done
    assert not game.truncated
    assert game.links() == []
    assert (game.money, game.trains, game.factories_left) == ([5, 5], [21, 21], [15, 15])
    assert game.deck_size == 48 - 10
    assert game.seat in (0, 1)


def test_new__the_seed_fixes_the_game_and_another_gives_another() -> None:
    assert mini(3).records.tobytes() == mini(3).records.tobytes()
    assert mini(3).records.tobytes() != mini(4).records.tobytes()
    assert same_future([mini(3), mini(3)])


def test_new__without_a_seed_games_differ_and_tell_their_seed() -> None:
    games = [mini(None) for _ in range(3)]  # type: ignore[arg-type]
    assert len({game.records.tobytes() for game in games}) == 3
    for game in games:
        assert game.seed is not None
        assert mini(game.seed).records.tobytes() == game.records.tobytes()


@pytest.mark.parametrize("seed", [0, 2**31, 2**63 - 1, np.int64(7), np.uint8(7)])
def test_new__seeds_may_be_any_integer_from_0_to_2_63(seed: int) -> None:
    assert mini(seed).records.tobytes() == mini(int(seed)).records.tobytes()


@pytest.mark.parametrize("seed", [-1, 2**63, True, 1.0, "1", np.float64(2)])
def test_new__bad_seeds(seed: object) -> None:
    with pytest.raises(ValueError, match="seed"):
        mini(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"map": "atlantis"}, ["map", "atlantis", "midwest"]),
        ({"contracts": "pile"}, ["contracts", "pile", "standard"]),
        ({"map": "no/such/map.toml"}, ["map", "no/such/map.toml"]),
        ({"contracts": "mini", "num_players": 4}, ["contracts", "mini", "16", "20"]),
        ({"contracts": "mini", "num_players": 5}, ["contracts", "mini", "16", "25"]),
    ],
)
def test_new__unknown_maps_and_decks_and_decks_that_are_too_small(rules: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        Game(Rules(**rules), seed=1)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("seats", [1, 6, 0, -2])
def test_new__seat_counts_that_are_not_allowed(seats: int) -> None:
    with pytest.raises(ValueError, match=rf"num_players={seats}: 2 to 5"):
        Game(Rules(num_players=seats))


def test_new__the_global_random_states_are_left_alone() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - it is the old global state that is watched
    before = random.getstate(), repr(np.random.get_state())  # noqa: NPY002
    game = finish(mini(None, max_rounds=5))  # type: ignore[arg-type]
    game.redeal(0, 1)
    Game.load(game.save())
    Game.from_scenario(NO_DECK)
    batch = GameBatch(Rules(**MINI), 4)
    batch.step(batch.sample_legal(np.random.default_rng(0)))
    batch.reset()
    assert (random.getstate(), repr(np.random.get_state())) == before  # noqa: NPY002


# --- what it tells -----------------------------------------------------------------------------------


def test_tells__phases_have_names() -> None:
    seen = set()
    for seed in range(24):
        game = Game(Rules(num_players=3, map="mini", max_rounds=40), seed=seed)
        rng = np.random.default_rng(seed)
        while not game.done:
            seen.add(game.phase)
            game.step(choose(game, rng))
        assert game.phase == "over"
    assert seen <= set(PHASE_NAMES) - {"over"}
    assert {"action", "head", "track", "source", "hop", "bonus", "amount"} <= seen


def test_tells__legal_ids_texts_and_mask_agree() -> None:
    game = mini(2)
    for step in range(80):
        ids = game.legal()
        assert ids == sorted(set(ids))
        assert ids == np.flatnonzero(game.mask).tolist()
        assert all(type(action) is int for action in ids)
        assert game.legal_text() == [game.text(action) for action in ids]
        assert [game.parse(text) for text in game.legal_text()] == ids
        advance(game, 1, seed=step)


def test_tells__at_the_end_nothing_is_legal(finished: list[Game]) -> None:
    for game in finished:
        assert game.done
        assert (game.seat, game.phase) == (-1, "over")
        assert game.legal() == game.legal_text() == []


def test_tells__truncated_only_if_the_round_limit_alone_ended_it() -> None:
    short = finish(mini(1, max_rounds=1))
    assert (short.done, short.truncated) == (True, True)
    scenario = copy.deepcopy(NO_DECK)
    scenario["rules"] |= {"contracts_to_end": 1, "max_rounds": 1}
    game = Game.from_scenario(scenario)
    for action in ("fulfil 0", "source Ames", "done", "money", "money", "money"):
        game.step(action)
    assert (game.done, game.truncated) == (True, False)


def test_tells__cities() -> None:
    game = Game.from_scenario(NO_DECK)
    assert game.city("Ames") == {
        "color": "white",
        "owner": 0,
        "resources": 2,
        "flipped": False,
        "group": ["Ames"],
        "connected": [0],
    }
    assert game.city("Clinton") == {
        "color": "purple",
        "owner": None,
        "resources": 0,
        "flipped": False,
        "group": ["Clinton"],
        "connected": [],
    }


def test_tells__links_in_the_order_in_which_they_were_begun() -> None:
    game = Game.from_scenario(NO_DECK)
    game.step("start Boone S")
    assert len(game.links()) == 1  # nothing happens before the head
    assert game.money == [20, 20]
    game.step("head S")
    game.step("money") if game.phase == "action" else game.step("done")
    assert game.links() == [
        {"owner": 0, "path": ["Ames", "A3", "Boone"], "complete": True, "open": None},
        {"owner": 0, "path": ["Boone", "A7", "Clinton"], "complete": True, "open": None},
    ]


def test_tells__an_incomplete_link_has_an_open_edge() -> None:
    scenario = copy.deepcopy(NO_DECK)
    scenario["map"]["hexes"] |= {"A7": "plains", "B8": "plains"}
    game = Game.from_scenario(scenario)
    game.step("start Boone S")
    game.step("head SE")
    assert game.links()[1] == {"owner": 0, "path": ["Boone", "A7"], "complete": False, "open": "SE"}


def test_tells__scores_are_sums_of_their_parts(finished: list[Game]) -> None:
    for game in finished:
        for score in game.scores():
            assert list(score) == ["total", "contracts", "factories", "cities", "money"]
            assert score["total"] == sum(score.values()) - score["total"]
        assert len(game.scores()) == game.seats
        assert set(game.winners()) <= set(range(game.seats))


def test_tells__hands_and_fulfilled_are_plain_lists() -> None:
    game = Game.from_scenario(NO_DECK)
    assert (game.hand(0), game.hand(1), game.fulfilled(0)) == ([0], [1, 2, 3, 4], [])
    game.hand(0).append(9)
    assert game.hand(0) == [0]
    assert game.hand(np.int64(1)) == [1, 2, 3, 4]  # type: ignore[arg-type]
    assert game.off_map == {"white": 1, "black": 0, "orange": 0, "gray": 0, "purple": 1}


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.hand(2),
        lambda game: game.hand(-1),
        lambda game: game.hand(True),
        lambda game: game.hand(None),
        lambda game: game.fulfilled(5),
        lambda game: game.city("Atlantis"),
        lambda game: game.observe(2),
        lambda game: game.observe(0, encoding="braille"),
        lambda game: game.view(-1),
        lambda game: game.log_for(7),
        lambda game: game.redeal(2, 0),
        lambda game: game.redeal(0, -1),
        lambda game: game.render("pdf"),
        lambda game: game.render("svg", seat=2),
        lambda game: game.render("svg", theme="pink"),
        lambda game: game.text(372),
        lambda game: game.text(-1),
        lambda game: game.parse("fly Ames"),
        lambda game: game.explain("head UP"),
    ],
)
def test_tells__bad_questions_raise_value_errors(ask: Callable[[Game], object]) -> None:
    game = mini(1)
    before = game.records.copy()
    with pytest.raises(ValueError, match=r"\w+.*\w+"):
        ask(game)
    assert game.records.tobytes() == before.tobytes()


def test_tells__the_record_is_one_record_of_at_most_4_kib() -> None:
    game = mini(1)
    assert GAME.itemsize <= 4096
    assert game.record.dtype == GAME
    assert int(game.record.money[0]) == 5
    assert game.records.shape == (1,)


def test_tells__observations_are_fresh_arrays() -> None:
    game = mini(1)
    one, other = game.observe(0), game.observe(0)
    assert one is not other
    assert one.dtype == np.float32
    assert np.array_equal(one, other)
    one[:] = 9
    assert np.array_equal(game.observe(0), other)


def test_tells__looking_changes_nothing() -> None:
    game = advance(mini(3), 30)
    before, mask = game.records.tobytes(), game.mask.tobytes()
    _ = game.legal_text(), game.links(), game.scores(), game.winners(), game.events, game.log, repr(game), game.save()
    for seat in range(2):
        _ = game.observe(seat), game.view(seat), game.hand(seat), game.log_for(seat), game.redeal(seat, 3)
    for action in range(372):
        game.explain(action)
        game.text(action)
    game.render("ansi")
    game.clone().step(game.legal()[0])
    assert (game.records.tobytes(), game.mask.tobytes()) == (before, mask)


def test_tells__render_and_repr_are_text() -> None:
    game = mini(1)
    picture = game.render("ansi")
    assert isinstance(picture, str)
    assert "Chicago"[:3] in picture
    assert "round 1" in repr(game)


# --- actions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [int, np.int64, np.int8, np.uint16, np.int32])
def test_step__takes_integers_of_python_and_numpy(kind: Callable[[int], int]) -> None:
    game = mini(1)
    game.step(kind(game.parse("money")))
    assert sum(game.money) == 13
    assert game.explain(kind(0)) is None


NO_ACTIONS = [-1, 372, 10**9, -(10**30), True, False, np.bool_(True), 0.0, 1.5, np.float32(1), None, [0], b"money"]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_step__refuses_what_is_no_action(action: object) -> None:
    game = mini(1)
    before, steps = game.records.tobytes(), game.num_steps
    for use in (game.step, game.explain, game.text):
        with pytest.raises(IllegalActionError):
            use(action)  # type: ignore[arg-type]
    assert (game.records.tobytes(), game.num_steps) == (before, steps)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "fly", "money please", "done 1", "start Ames", "start Nowhere N", "start Chicago X", "head"),
        *("head N N", "build", "amount", "amount 9", "amount x", "fulfil 48", "fulfil -1", "fulfil 1.0", "hop"),
        *("pay player_9", "pay 1", "take_from", "take_from player_7"),
    ],
)
def test_step__refuses_texts_that_are_no_action(text: str) -> None:
    game = mini(1)
    before = game.records.tobytes()
    for use in (game.step, game.parse, game.explain):
        with pytest.raises(IllegalActionError, match="no action"):
            use(text)
    assert game.records.tobytes() == before


def test_step__an_illegal_action_changes_nothing_and_names_rule_and_examples() -> None:
    game = mini(1)
    before, mask = game.records.tobytes(), game.mask.tobytes()
    with pytest.raises(IllegalActionError, match=r"\(rule 3\.1\)|\(rule 4\.2\)") as error:
        game.step("head N")
    assert "money" in str(error.value)
    assert str(game.explain("head N")) in str(error.value)
    assert (game.records.tobytes(), game.mask.tobytes(), game.num_steps) == (before, mask, 0)
    assert same_future([game, mini(1)])


def test_step__every_illegal_action_raises_and_changes_nothing() -> None:
    game = advance(mini(4), 25)
    before, mask, log = game.records.tobytes(), game.mask.tobytes(), game.log
    for action in set(range(372)) - set(game.legal()):
        with pytest.raises(IllegalActionError, match=r"\(rule "):
            game.step(action)
    assert (game.records.tobytes(), game.mask.tobytes(), game.log) == (before, mask, log)


def test_step__nothing_can_be_played_after_the_end(finished: list[Game]) -> None:
    game = finished[0].clone()
    before = game.records.tobytes()
    for action in (0, "money", "done", 371):
        with pytest.raises(IllegalActionError, match=r"over.*\(rule 3\.2\)"):
            game.step(action)
    assert game.records.tobytes() == before


def test_step__illegal_action_error_is_a_value_error() -> None:
    assert issubclass(IllegalActionError, ValueError)
    assert issubclass(ScenarioError, ValueError)
    assert issubclass(SaveError, ValueError)


@pytest.mark.parametrize(
    "rules",
    [
        {"num_players": 2},
        {"num_players": 3, "routing": "cheapest"},
        {"num_players": 3, "edition": "preview"},
        {"num_players": 5, "contracts": "standard", "max_rounds": 8},
    ],
    ids=str,
)
def test_explain__agrees_with_the_mask_for_every_id_at_every_decision(rules: dict[str, Any]) -> None:
    game = Game(Rules(**{**MINI, "max_rounds": 14, **rules}), seed=9)
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
    for outcomes in ([1, 2], [4, 3], [2, 4]):
        for seed in range(3):
            game = Game.from_scenario(NO_DECK, seed=seed)
            game.step("contracts", outcomes)
            assert set(game.hand(0)) == {0, *outcomes}
            assert [event.values["contract"] for event in game.events] == outcomes


def test_outcomes__may_be_given_for_the_first_take_alone() -> None:
    game = Game.from_scenario(NO_DECK, seed=1)
    game.step("contracts", [3])
    assert {0, 3} < set(game.hand(0))


@pytest.mark.parametrize(
    ("action", "outcomes"),
    [
        ("contracts", [0]),  # the taker's own
        ("contracts", [1, 1]),
        ("contracts", [47]),
        ("contracts", [48]),
        ("contracts", [-1]),
        ("contracts", [1, 2, 3]),
        ("contracts", [1] * 100),
        ("contracts", [True]),
        ("contracts", [1.0]),
        ("contracts", ["1"]),
        ("money", [1]),
    ],
)
def test_outcomes__impossible_or_superfluous_ones_change_nothing(action: str, outcomes: list[Any]) -> None:
    game = Game.from_scenario(NO_DECK, seed=1)
    before, mask = game.records.tobytes(), game.mask.tobytes()
    with pytest.raises(ValueError, match="outcome"):
        game.step(action, outcomes)
    assert (game.records.tobytes(), game.mask.tobytes()) == (before, mask)
    assert (game.events, game.num_steps) == ([], 0)
    game.step("contracts")  # and no outcome is left over for the next action
    twin = Game.from_scenario(NO_DECK, seed=1)
    twin.step("contracts")
    assert game.records.tobytes() == twin.records.tobytes()


def test_outcomes__a_deal_can_be_given() -> None:
    game = mini(5, num_players=3)
    again = Game(game.rules, seed=77, deal=game.events[0].values)
    for name in ("color", "place", "deck_order", "first_player", "off_map", "seat"):
        assert np.array_equal(again.record[name], game.record[name])
    assert again.events[0] == game.events[0]


@pytest.mark.parametrize(
    "change",
    [
        {"first_player": 3},
        {"hands": [[0], [1], [2]]},
        {"cities": "W"},
        {"off_map": "WWWW"},
        {"deck": [0, 0]},
        {"deck": None},
    ],
    ids=str,
)
def test_outcomes__an_impossible_deal_is_refused(change: dict[str, Any]) -> None:
    game = mini(5, num_players=3)
    with pytest.raises(ValueError, match="deal"):
        Game(game.rules, seed=1, deal={**game.events[0].values, **change})


# --- copies ------------------------------------------------------------------------------------------


COPIES: dict[str, Callable[[Game], Game]] = {
    "clone": lambda game: game.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "save": lambda game: Game.load(game.save()),
}


@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 17, 58, 59, 60, 61])
def test_copies__have_the_same_past_and_future(kind: str, steps: int) -> None:
    game = advance(mini(6, num_players=3), steps)
    twin = COPIES[kind](game)
    assert (twin.log, twin.actions, twin.seed, twin.rules) == (game.log, game.actions, game.seed, game.rules)
    assert [event.to_dict() for event in twin.events] == [event.to_dict() for event in game.events]
    assert same_future([game, twin], steps=150)
    assert twin.log == game.log


@pytest.mark.parametrize("kind", COPIES)
def test_copies__boards_stay_read_only(kind: str) -> None:
    setting = COPIES[kind](mini(6)).setting
    assert not setting.boards.flags.writeable
    assert not setting.decks.flags.writeable


@pytest.mark.parametrize("kind", COPIES)
def test_copies__are_independent(kind: str) -> None:
    game = advance(mini(6), 20)
    before, log = game.records.tobytes(), game.log
    twin = COPIES[kind](game)
    finish(twin)
    assert (game.records.tobytes(), game.log) == (before, log)
    assert game.mask.tobytes() == COPIES[kind](game).mask.tobytes()
    other = COPIES[kind](game)
    finish(game, seed=9)
    assert other.records.tobytes() == before


@pytest.mark.parametrize("kind", COPIES)
def test_copies__of_scenarios_and_finished_games(kind: str, finished: list[Game]) -> None:
    game = Game.from_scenario(NO_DECK, seed=4)
    game.step("fulfil 0")
    assert same_future([game, COPIES[kind](game)], steps=100)
    over = COPIES[kind](finished[0])
    assert (over.done, over.scores(), over.log) == (True, finished[0].scores(), finished[0].log)


@pytest.mark.parametrize("kind", COPIES)
def test_copies__of_redeals(kind: str) -> None:
    game = advance(mini(6), 20).redeal(0, 3)
    assert same_future([game, COPIES[kind](game)])


# --- saves -------------------------------------------------------------------------------------------


def test_save__is_bytes_with_a_magic_word() -> None:
    data = mini(1).save()
    assert isinstance(data, bytes)
    assert data[:8] == b"STEAMENV"
    assert mini(1).save() == data


def test_save__every_damaged_byte_is_noticed() -> None:
    data = advance(mini(1), 10).save()
    for position in [*range(0, 40), *range(40, len(data), 97), *range(len(data) - 20, len(data))]:
        damaged = bytearray(data)
        damaged[position] ^= 1
        with pytest.raises(SaveError):
            Game.load(bytes(damaged))


@pytest.mark.parametrize("cut", [0, 1, 7, 13, 100, -1, -16, -17])
def test_save__cut_short(cut: int) -> None:
    with pytest.raises(SaveError):
        Game.load(mini(1).save()[:cut])


@pytest.mark.parametrize("data", [b"", b"hello", None, "text", 5, b"STEAMENV" + bytes(100)])
def test_save__is_none(data: object) -> None:
    with pytest.raises(SaveError):
        Game.load(data)  # type: ignore[arg-type]


def test_save__more_bytes_than_there_should_be() -> None:
    with pytest.raises(SaveError):
        Game.load(mini(1).save() + b"x")


def test_save__holds_map_and_deck(tmp_path: Path) -> None:
    shutil.copy(ROOT / "steam_env/data/steam_power/maps/mini.toml", tmp_path / "map.toml")
    shutil.copy(ROOT / "steam_env/data/steam_power/decks/mini.toml", tmp_path / "deck.toml")
    game = Game(Rules(map=str(tmp_path / "map.toml"), contracts=str(tmp_path / "deck.toml")), seed=1)
    advance(game, 10)
    data = game.save()
    for file in tmp_path.iterdir():
        file.unlink()
    assert same_future([game, Game.load(data)])


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
    assert content["seed"] == game.seed
    assert content["scores"] == game.scores()
    assert content["winners"] == game.winners()
    assert isinstance(content["schema"], int)
    assert [step["id"] for step in content["steps"]] == game.actions
    events = [event for step in content["steps"] for event in step["events"]]
    assert events == [event.to_dict() for event in game.events[1:]]
    assert any(event["kind"] == "take" for event in events)


def test_file__replays(finished: list[Game], tmp_path: Path) -> None:
    for game in finished:
        again = Game.from_file(write(game, tmp_path))
        assert (again.log, again.scores(), again.actions) == (game.log, game.scores(), game.actions)
        assert again.record.place.tolist() == game.record.place.tolist()


def test_file__replays_although_the_random_numbers_are_others(finished: list[Game], tmp_path: Path) -> None:
    game = next(game for game in finished if any(event.kind == "take" for event in game.events))
    again = Game.from_file(change(write(game, tmp_path), seed=12345))
    assert (again.log, again.scores()) == (game.log, game.scores())


def test_file__of_a_scenario_replays_although_the_random_numbers_are_others(tmp_path: Path) -> None:
    game = finish(Game.from_scenario({**NO_DECK, "rules": {"num_players": 2, "max_rounds": 6}}, seed=3), seed=2)
    assert any(event.kind == "take" for event in game.events)
    path = write(game, tmp_path)
    scenario = json.loads(path.read_text(encoding="utf-8"))["scenario"]
    del scenario["random"]
    again = Game.from_file(change(path, scenario=scenario, seed=99))
    assert (again.log, again.scores()) == (game.log, game.scores())


def test_file__of_a_game_under_way(tmp_path: Path) -> None:
    game = advance(mini(2), 33)
    again = Game.from_file(write(game, tmp_path))
    assert (again.log, again.seat, again.phase) == (game.log, game.seat, game.phase)
    assert again.legal() == game.legal()
    for name in set(GAME.names or ()) - {"rng"}:
        assert np.array_equal(again.record[name], game.record[name]), name


def test_file__after_a_load_still_begins_with_the_deal(tmp_path: Path) -> None:
    game = advance(Game.load(advance(mini(2), 20).save()), 20, seed=1)
    assert Game.from_file(write(game, tmp_path)).log == game.log


def test_file__needs_a_beginning(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="deal or a scenario"):
        mini(1).redeal(0, 1).to_file(tmp_path / "game.json")
    assert not (tmp_path / "game.json").exists()


@pytest.mark.parametrize(
    "entries",
    [
        {"format": "chess"},
        {"schema": 999},
        {"rules": {"num_players": 9}},
        {"rules": None},
        {"steps": [{"seat": 0, "id": 371, "text": "take_from player_1", "events": []}]},
        {"steps": 5},
        {"scores": []},
        {"over": False},
        {"deal": {}},
        {"deck": {}},
    ],
    ids=str,
)
def test_file__damage_is_noticed(entries: dict[str, Any], finished: list[Game], tmp_path: Path) -> None:
    path = change(write(finished[0], tmp_path), **entries)
    with pytest.raises(SaveError, match=r"game\.json"):
        Game.from_file(path)


def test_file__a_changed_action_is_noticed(finished: list[Game], tmp_path: Path) -> None:
    path = write(finished[0], tmp_path)
    steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
    steps[3]["text"] = "money please"
    with pytest.raises(SaveError, match=r"steps\[3\]"):
        Game.from_file(change(path, steps=steps))


@pytest.mark.parametrize("text", ["", "no json", "[]", "5", '"steam_env game"'])
def test_file__that_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(text, encoding="utf-8")
    with pytest.raises(SaveError):
        Game.from_file(tmp_path / "game.json")
    with pytest.raises(SaveError):
        Game.from_file(tmp_path / "missing.json")


# --- scenarios ---------------------------------------------------------------------------------------


def test_scenario__refused_inside_an_action_and_after_the_end(finished: list[Game]) -> None:
    game = Game.from_scenario(NO_DECK)
    for actions in (["start Boone S"], ["fulfil 0"], ["fulfil 0", "source Ames"]):
        inside = game.clone()
        for action in actions:
            inside.step(action)
        assert inside.phase != "action"
        with pytest.raises(ValueError, match="inside an action"):
            inside.to_scenario()
    with pytest.raises(ValueError, match="over"):
        finished[0].to_scenario()


def test_scenario__written_as_toml(tmp_path: Path) -> None:
    game = Game.from_scenario(NO_DECK, seed=3)
    path = tmp_path / "position.toml"
    scenario = game.to_scenario(path=path)
    assert tomllib.loads(path.read_text(encoding="utf-8")) == scenario
    for again in (
        Game.from_scenario(path),
        Game.from_scenario(str(path), seed=8),
        Game.from_scenario(scenario, seed=9),
    ):
        assert again.records.tobytes() == game.records.tobytes()
        assert same_future([again, game.clone()], steps=40)


def test_scenario__an_impossible_one_names_the_entry() -> None:
    with pytest.raises(ScenarioError, match=r"^seats\.hands\[1\]"):
        Game.from_scenario({**NO_DECK, "seats": {"hands": [[0], [0, 1]]}})


# --- events and log ----------------------------------------------------------------------------------


def test_events__are_typed_and_complete_in_their_fields(finished: list[Game]) -> None:
    for game in finished:
        for event in game.events:
            assert isinstance(event, Event)
            assert -1 <= event.actor < game.seats
            if event.kind != "deal":
                assert set(event.values) == set(EVENT_FIELDS[event.kind])
                assert all(type(value) is int for value in event.values.values())


def test_events__are_kept_by_step() -> None:
    game = advance(mini(1), 30)
    assert game.events[0].kind == "deal"
    count = len(game.events)
    steps = game.num_steps
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


@pytest.mark.parametrize("kind", ["copy", "deepcopy", "pickle"])
def test_events_for__copies_are_lists(kind: str) -> None:
    events = advance(mini(1), 30).events_for(0)
    twin = COPIES[kind](events)  # type: ignore[arg-type]
    assert type(twin) is list
    assert twin == events
    assert (twin[0] is events[0]) is (kind == "copy")


def test_events__every_kind_happens_and_has_a_line(finished: list[Game], finished_others: list[Game]) -> None:
    lines: dict[str, str] = {}
    for game in (*finished, *finished_others):
        assert len(game.log) == len(game.events)
        for event, line in zip(game.events, game.log, strict=True):
            lines[event.kind] = line
            assert line
            assert "\n" not in line
            assert "-1" not in line
            assert event.actor == -1 or line.startswith(f"player_{event.actor} ")
    assert {"deal", "take", "flip", "decline", "end", "automa", "target", "reshuffle", "bag", "aside"} <= set(lines)
    assert set(lines) <= {"deal", *EVENT_FIELDS}
    assert len(set(lines.values())) == len(lines)


def follow_money(game: Game) -> list[int]:
    """Each seat's money as the events tell it."""
    money = [5] * game.seats
    for event in game.events:
        values = event.values
        if event.kind == "money":
            money[event.actor] += values["amount"]
        if event.kind == "reward":
            money[event.actor] += values["money"]
        if event.kind in ("place", "purchase", "source", "hop"):
            money[event.actor] -= values["cost"]
        if values.get("paid_to", -1) >= 0:
            money[values["paid_to"]] += values["cost"]
    return money


def follow_contracts(game: Game) -> tuple[list[list[int]], list[list[int]], list[int]]:
    """Hands, fulfilled contracts and the deck as the events tell them."""
    hands: list[set[int]] = []
    fulfilled: list[set[int]] = [set() for _ in range(game.seats)]
    deck: list[int] = []
    for event in game.events:
        values = event.values
        if event.kind == "deal":
            hands, deck = [set(hand) for hand in values["hands"]], list(values["deck"])
        if event.kind == "draw":
            assert deck.pop(0) == values["contract"]
            hands[event.actor].add(values["contract"])
        if event.kind == "take":
            hands[values["from_seat"]].remove(values["contract"])
            hands[event.actor].add(values["contract"])
        if event.kind == "reward":
            hands[event.actor].remove(values["contract"])
            fulfilled[event.actor].add(values["contract"])
    return [sorted(hand) for hand in hands], [sorted(pile) for pile in fulfilled], deck


def follow_cities(game: Game) -> dict[int, tuple[int, int]]:
    """Owner and resources of each city with a factory as the events tell them."""
    factories: dict[int, tuple[int, int]] = {}
    for event in game.events:
        city = event.values.get("city", -1)
        if event.kind == "build":
            factories[city] = (event.actor, event.values["resources"])
        if event.kind == "source":
            factories[city] = (factories[city][0], factories[city][1] - 1)
        if event.kind == "flip":
            assert factories[city][1] == 0
    return factories


def test_events__tell_the_whole_game(finished: list[Game]) -> None:
    for game in finished:
        seats = range(game.seats)
        assert follow_money(game) == game.money
        hands, fulfilled, deck = follow_contracts(game)
        assert hands == [game.hand(seat) for seat in seats]
        assert fulfilled == [game.fulfilled(seat) for seat in seats]
        assert len(deck) == game.deck_size
        names = game.setting.map.cities
        stated = {index: game.city(name) for index, name in enumerate(names) if game.city(name)["owner"] is not None}
        assert follow_cities(game) == {city: (state["owner"], state["resources"]) for city, state in stated.items()}
        kinds = Counter(event.kind for event in game.events)
        assert kinds["complete"] == sum(link["complete"] for link in game.links())
        assert kinds["flip"] == sum(state["flipped"] for state in stated.values())
        assert kinds["round"] == game.round - 1
        assert kinds["end"] == kinds["deal"] == 1
        assert game.events[-1] == Event("end", game.events[-1].actor, {"truncated": int(game.truncated)})
        segments = sum(len(link["path"]) - 1 - link["complete"] for link in game.links())
        assert kinds["place"] - kinds["remove"] == segments


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


def test_package__exports() -> None:
    for name in steam_env.__all__:
        assert hasattr(steam_env, name)
    assert {"Game", "GameBatch", "Rules", "IllegalActionError", "steam_power_v0"} <= set(steam_env.__all__)
