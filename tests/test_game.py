"""``Game``: its public face (deal, actions, errors, copies, files, events), whatever the rules say."""

import copy
import itertools
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Event, Game, GameBatch, IllegalActionError, Rules
from steam_env.core.steam_power.events import EVENT_FIELDS
from steam_env.words.steam_power.events import hide_event
from tests.games import MINI, advance, mini
from tests.rules.boards import draw, play
from tests.rules.positions import position
from tests.verification.invariants import RandomStates, copies_of

ROOT = Path(__file__).resolve().parents[1]

LINE = "A\n\n.\n\nB\n\nh\n\nC"


def no_deck(seed: int = 1, board: str = LINE) -> Game:
    """Two seats with full purses; the deck is empty, so contracts are taken from hands."""
    return position(
        board=draw(board),
        colors="Ames W, Boone B",
        links="0 Ames A3 Boone",
        factories="0 Ames 2",
        contracts="W $2 vp=3 bonus=contracts / B vp=2 / WB $1 vp=4 bonus=track / O $5 bonus=factory / GG vp=6",
        seats=2,
        hands=[[0], [1, 2, 3, 4]],
        deck=[],
        money=[20, 20],
        off_map="WP",
        seed=seed,
    )


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
        advance(mini(None, max_rounds=5)).redeal(0, 1)  # type: ignore[arg-type]
        batch = GameBatch(Rules(**MINI), 4)
        batch.step(batch.sample_legal(np.random.default_rng(0)))
        batch.reset()


# --- what it tells -----------------------------------------------------------------------------------


def test_tells__cities() -> None:
    game = no_deck()
    ames = {"color": "white", "owner": 0, "resources": 2, "flipped": False, "group": ["Ames"], "connected": [0]}
    assert game.city("Ames") == ames
    nothing = {"owner": None, "resources": 0, "flipped": False, "connected": []}
    assert game.city("Clinton") == {"color": "purple", "group": ["Clinton"], **nothing}


def test_tells__links_in_the_order_in_which_they_were_begun_and_open_edges() -> None:
    game = no_deck(board="A\n\n.\n\nB\n\n.\n .\nC")
    game.step("start Boone S")
    assert (len(game.links()), game.money) == (1, [20, 20])  # nothing happens before the head
    game.step("head SE")
    assert game.links() == [
        {"owner": 0, "path": ["Ames", "A3", "Boone"], "complete": True, "open": None},
        {"owner": 0, "path": ["Boone", "A7"], "complete": False, "open": "SE"},
    ]


def test_tells__hands_and_fulfilled_are_plain_lists() -> None:
    game = no_deck()
    assert (game.hand(0), game.hand(1), game.fulfilled(0)) == ([0], [1, 2, 3, 4], [])
    game.hand(0).append(9)
    assert game.hand(0) == [0]
    assert game.hand(np.int64(1)) == [1, 2, 3, 4]  # type: ignore[arg-type]
    assert game.off_map == {"white": 1, "black": 0, "orange": 0, "gray": 0, "purple": 1}


@pytest.mark.parametrize(
    ("ask", "arguments"),
    [
        *[("hand", (seat,)) for seat in (2, -1, True, None)],
        *[("observe", given) for given in ((2,), (0, "braille"))],
        *[("fulfilled", (5,)), ("city", ("Atlantis",)), ("view", (-1,)), ("log_for", (7,)), ("render", ("pdf",))],
        *[("redeal", given) for given in ((2, 0), (0, -1))],
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


def test_step__a_refusal_is_the_explanation_with_examples() -> None:
    game = mini(1)
    with pytest.raises(IllegalActionError, match=r"\(rule 3\.1\)|\(rule 4\.2\)") as error:
        game.step("head N")
    assert "money" in str(error.value)
    assert str(game.explain("head N")) in str(error.value)


def test_step__nothing_can_be_played_after_the_end() -> None:
    game = advance(mini(1, max_rounds=1))
    before = game.records.tobytes()
    for action in (0, "money", "done", 371):
        with pytest.raises(IllegalActionError, match=r"over.*\(rule 3\.2\)"):
            game.step(action)
    assert game.records.tobytes() == before


@pytest.mark.parametrize("steps", [0, 30, 31, 60, 10_000])
def test_explain__names_the_action_and_ends_with_the_rule(steps: int) -> None:
    game = advance(mini(9, num_players=3, max_rounds=14), steps)
    for action in np.flatnonzero(~game.mask | game.done):
        assert re.fullmatch(rf"{re.escape(game.text(action))}.*\(rule \d+(\.\d+)?\)", str(game.explain(action)))
        assert not game.done or "(rule 3.2)" in str(game.explain(action))


# --- chance outcomes that are given ------------------------------------------------------------------


def test_outcomes__drive_takes() -> None:
    for seed, outcomes in itertools.product(range(3), ([1, 2], [4, 3], [2, 4])):
        game, twin = (no_deck(seed) for _ in range(2))
        game.step("contracts", outcomes)
        twin.step("contracts", np.array(outcomes))  # type: ignore[arg-type]
        assert game.save() == twin.save()
        assert set(game.hand(0)) == {0, *outcomes}
        assert [event.values["contract"] for event in game.events] == outcomes
    game = no_deck()
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
    game, twin = (no_deck() for _ in range(2))
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


STARTS: dict[str, Callable[[], Game]] = {
    "dealt": lambda: advance(mini(6, num_players=3), 60),
    "redealt": lambda: advance(mini(6), 20).redeal(0, 3),
    "inside a contract": lambda: play(no_deck(), "fulfil 0"),
    "over": lambda: advance(mini(6, max_rounds=1)),
}


@pytest.mark.parametrize("start", STARTS)
def test_copies__are_independent_and_have_the_same_past(start: str) -> None:
    def tell(game: Game) -> tuple[Any, ...]:
        return game.records.tobytes(), game.log, game.actions, game.scores(), game.seed, game.rules

    game = STARTS[start]()
    before, others = tell(game), copies_of(game)
    for road, twin in copies_of(game).items():
        assert tell(twin) == before, road
        assert not twin.setting.boards.flags.writeable
        assert not twin.setting.decks.flags.writeable
        advance(twin, 30)
        assert tell(game) == before, road
    advance(game)
    assert {road: tell(other) for road, other in others.items()} == dict.fromkeys(others, before)


def test_positions__are_the_game_from_its_start() -> None:
    game = advance(mini(3, num_players=3, automas=1, max_rounds=4))
    positions = list(game.positions())
    assert [position.num_steps for position in positions] == list(range(game.num_steps + 1))
    assert positions[0].records.tobytes() == Game(game.rules, seed=3).records.tobytes()
    assert (positions[-1].records.tobytes(), positions[-1].log) == (game.records.tobytes(), game.log)


# --- events and log ----------------------------------------------------------------------------------


def test_events_for__is_what_a_list_of_them_would_be_and_its_copies_are_lists() -> None:
    game = advance(mini(1), 30)
    for step, happened in ((None, game.events), (7, game.events_since(7))):
        events = game.events_for(1, step)
        plain = [hide_event(event, 1, False) for event in happened]
        assert events == plain
        assert plain == events
        assert events == game.events_for(1, step)
        assert events != plain[1:]
        assert (len(events), list(events), events[2], events[-3:]) == (len(plain), plain, plain[2], plain[-3:])
        assert (plain[0] in events, repr(events)) == (True, repr(plain))
        assert (events + plain, plain + events) == (plain + plain, plain + plain)
        for twin in (copy.copy(events), copy.deepcopy(events), pickle.loads(pickle.dumps(events))):
            assert (type(twin), twin) == (list, plain)
        assert copy.copy(events)[0] is events[0] is not copy.deepcopy(events)[0]


def test_events__every_kind_happens_with_its_fields_and_a_line() -> None:
    lines: dict[str, str] = {}
    with_automas = {"num_players": 4, "automas": 3, "contracts": "standard", "contracts_to_end": 40}
    for rules in (with_automas, {"num_players": 2, "automas": 1}, {"num_players": 3}, {"mode": "solo"}):
        game = advance(mini(2, **rules))
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
    assert set(EVENT_FIELDS) - set(lines) <= {"unreachable"}  # which is too seldom
    assert len(set(lines.values())) == len(lines)


def test_log__names_cities_seats_contracts_and_money() -> None:
    game = no_deck()
    for action in ("fulfil 0", "source Ames", "done", "start Boone S", "head S"):
        game.step(action)
    text = "\n".join(game.log)
    for word in ("player_0", "Ames", "Boone", "Clinton", "contract 0", "$2", "A7"):
        assert word in text
