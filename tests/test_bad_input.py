"""Bad input of every kind: a named error or a valid result, and nothing changed.

Files are changed as bytes and as tables; what is read all the same is played on. The fuzzer
(``tests/verification/fuzz``) calls the same targets for longer.
"""

import dataclasses
import hashlib
import json
import random
from collections.abc import Callable
from functools import cache, partial, reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steam_env import Game, GameBatch, IllegalActionError, Rules, SaveError, ScenarioError, steam, steam_power_v0
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import OVER, SOLO_ROUNDS, TRACK
from steam_env.data.map_text import MapError
from steam_env.data.steam.maps import load_map as load_steam_map
from steam_env.data.steam.maps import map_to_dict as steam_map_to_dict
from steam_env.data.steam.maps import parse_map as parse_steam_map
from steam_env.data.steam_power.decks import DeckError, deck_to_dict, load_deck, parse_deck
from steam_env.data.steam_power.maps import load_map, map_to_dict, parse_map
from steam_env.envs.single import LearnerEnv
from steam_env.table.files import CHECKSUM_BYTES, HEADER, MAGIC, SCHEMA
from steam_env.words.steam_power.possible import check_position
from tests.rules.boards import LADDER, position
from tests.verification.fuzz import corpus, corpus_steam, targets
from tests.verification.fuzz.mutate import (
    FIELDS,
    join_save,
    mutate_bytes,
    mutate_save,
    mutate_table,
    odd_value,
    split_save,
)
from tests.verification.fuzz.seeds import SEEDS

MINI = Rules(map="mini", contracts="mini", num_players=3)
DIGITS = 10**5000  # more than Python turns into text
DEEP: list[Any] = reduce(lambda inner, _: [inner], range(100_000), [])

randoms = st.randoms(use_true_random=False)
odd_numbers = st.one_of(
    st.integers(),
    st.sampled_from([DIGITS, -DIGITS, 2**31, 2**63, 2**64, -(2**63)]),
    st.floats(),
    st.booleans(),
    st.complex_numbers(),
    st.sampled_from([np.int8(3), np.uint64(2**64 - 1), np.float32(1), np.bool_(True), np.str_("money")]),
)
odd_values = st.one_of(
    st.none(),
    odd_numbers,
    st.text(),
    st.text(st.characters(categories=["Cs", "Zs", "Cc", "Nd"]), max_size=8),
    st.binary(max_size=8),
    st.lists(st.integers(), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.sampled_from([np.zeros(3), np.array(2), np.zeros((2, 2), int), [[1], [1, 2]], (), {1}, object(), int, len]),
)


def examples(count: int) -> Callable[[Any], Any]:
    """Fixed examples, so many of them; the fuzzer goes on from there."""
    return settings(
        max_examples=count, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
    )


REFUSED = object()


def ask(call: Callable[[], Any], word: str = "", *, fault: Any = (ValueError, TypeError)) -> Any:
    """The answer; or REFUSED, if the error is such a fault and says something, with this word."""
    try:
        return call()
    except fault as error:
        targets.check_message(error, word)
        return REFUSED


# --- files as bytes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in targets.TARGETS if not kind.endswith("actions")])
@examples(25)
@given(rng=randoms)
def test_bytes__cut_flipped_doubled_or_put_in(kind: str, rng: random.Random) -> None:
    data = rng.choice(SEEDS[kind]())
    for _ in range(rng.randrange(1, 3)):
        data = mutate_bytes(data, rng)
    targets.TARGETS[kind](data)


@pytest.mark.parametrize("kind", targets.TARGETS)
def test_bytes__nothing_like_it(kind: str) -> None:
    for data in NOTHING:
        targets.TARGETS[kind](data)


NOTHING = (
    *(b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"null", b"[]", b'"\\ud800"', b"9" * 5000, b"a.b = 1\n" * 2),
    *(b"[" * 100_000, b"{" * 100_000, b"a = " + b"[" * 100_000, b'{"a":' * 50_000, b"a" + b".a" * 50_000 + b" = 1"),
    *(b"name = 'a'\nrows = '''\n" + b"@ " * 50_000, b"cities = " + b'"' * 3000, b"a = 0x" + b"f" * 50_000),
)


def test_save__json_lists_in_lists() -> None:
    data = Game(MINI, seed=1).save()[:-CHECKSUM_BYTES]
    content, records = split_save(data)
    text = json.dumps(content).replace('"actions": []', '"actions": ' + "[" * 50_000 + "]" * 50_000)
    targets.read_save(HEADER.pack(MAGIC, SCHEMA, len(text)) + text.encode() + records.tobytes())


OTHER_GAME = {"map", "scenario", "save", "game_file"}


@pytest.mark.parametrize("kind", sorted(OTHER_GAME))
@pytest.mark.parametrize("mine", ["", "steam_"])
def test_files__of_the_other_game_are_refused(mine: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "play_on", lambda game: pytest.fail("it was read") if game is not None else None)
    other = "" if mine else "steam_"
    for data in SEEDS[other + kind]()[:6]:
        targets.TARGETS[mine + kind](data)


# --- tables --------------------------------------------------------------------------------------------


def read_scenario(table: Any) -> Game:
    return Game.from_scenario(table, seed=1)


def read_steam_scenario(table: Any) -> steam.Game:
    return steam.Game.from_scenario(table, seed=1)


READERS: dict[str, tuple[Callable[[Any], Any], type[ValueError], Callable[[], list[Any]]]] = {
    "map": (parse_map, MapError, lambda: [map_to_dict(load_map("mini"))]),
    "deck": (parse_deck, DeckError, lambda: [deck_to_dict(load_deck("mini"))]),
    "scenario": (read_scenario, ScenarioError, corpus.scenarios),
    "steam_map": (parse_steam_map, MapError, lambda: [steam_map_to_dict(load_steam_map("mini"))]),
    "steam_scenario": (read_steam_scenario, ScenarioError, corpus_steam.scenarios),
}
WRITERS = {"map": map_to_dict, "deck": deck_to_dict, "steam_map": steam_map_to_dict}


@pytest.mark.parametrize("kind", READERS)
@examples(150)
@given(rng=randoms, value=odd_values)
def test_tables__with_changes_and_values_of_every_type_are_read_or_refused(
    kind: str, rng: random.Random, value: object
) -> None:
    read, fault, sources = READERS[kind]
    table = mutate_table(rng.choice(sources()), rng, rng.randrange(3))
    if rng.random() < 0.5:
        inner: Any = table
        key = rng.choice(list(inner))
        while isinstance(inner[key], dict | list) and inner[key] and rng.random() < 0.7:
            inner = inner[key]
            key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        inner[key] = value
    answer = ask(lambda: read(table), fault=fault)
    if kind in WRITERS and answer is not REFUSED:
        assert read(WRITERS[kind](answer)) == answer
    elif answer is not REFUSED:
        targets.play_on(answer, seed=rng.randrange(100), steps=6)


@pytest.mark.parametrize(
    "value", [DEEP, DIGITS, [DIGITS], np.zeros(3), float("nan")], ids=["deep", "digits", "list", "array", "nan"]
)
@pytest.mark.parametrize("key", ["rules", "cities", "off_map", "contracts", "map", "links", "seats", "turn", "random"])
def test_scenario__values_that_cannot_even_be_shown(key: str, value: object) -> None:
    table = {**corpus.scenarios()[0], key: value}
    with pytest.raises(ScenarioError, match=key):
        Game.from_scenario(table)


@pytest.mark.parametrize("source", [None, 5, 2.5, b"x.toml", [], {1}, np.zeros(3)], ids=repr)
def test_scenario__is_no_table_and_no_path(source: Any) -> None:
    with pytest.raises((ScenarioError, TypeError)):
        Game.from_scenario(source)


# --- saves with a right checksum -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["save", "steam_save"])
@examples(200)
@given(rng=randoms)
def test_save__changed_within_and_with_a_new_checksum(kind: str, rng: random.Random) -> None:
    data = rng.choice(SEEDS[kind]())
    targets.TARGETS[kind](mutate_save(data, rng))


@cache
def starts() -> list[Game]:
    """Games whose start is no deal and no scenario: in every phase of every kind of game."""
    found = {}
    for game in corpus.games():
        found[game.phase, game.rules.mode, game.rules.automas > 0] = Game._at(game.setting, game.records.copy())
    return list(found.values())


@pytest.mark.parametrize("name", FIELDS)
def test_save__each_field_of_the_record_is_proved(name: str) -> None:
    """A start in which one entry is another is refused; only random states may be any, and few words else."""
    rng = random.Random(name)
    for game in starts()[rng.randrange(3) :: 3]:
        data = game.save()[:-CHECKSUM_BYTES]
        content, records = split_save(data)
        changed = records.copy()
        flat = np.ascontiguousarray(changed[name]).reshape(2, -1)
        place = rng.randrange(flat.shape[1])
        flat[:, place] = odd_value(flat.dtype, int(flat[0, place]), rng)
        changed[name] = flat.reshape(changed[name].shape)
        forged = join_save(data, content, changed)
        if changed.tobytes() == records.tobytes() or name in FREE:
            targets.read_save(forged)
            continue
        with pytest.raises(SaveError):
            Game.load(forged + hashlib.sha256(forged).digest()[:CHECKSUM_BYTES])


# What may be another number in a game that is possible, as long as it is in its range.
FREE = (
    *("rng", "money", "placements_left", "off_map", "first_player", "round_number", "actions_left", "generation"),
    *("known", "marker", "bag", "resources", "stock", "color", "corners", "takes_left", "need", "seat", "deck_order"),
    *("place", "coins"),
)


FORGED: dict[str, tuple[str, dict[str, int]]] = {
    "over before anything has ended it": ("action", {"phase": OVER, "seat": NONE, "actions_left": 0}),
    "over for the other reason": ("over", {"truncated": -1}),
    "over with a mover": ("over", {"seat": 0}),
    "a heading over an edge that was not legal": ("head", {"start_edge": -1}),
    "a heading of a placement too many": ("head", {"placements_left": 3}),
    "a bonus of no contract": ("bonus", {"contract": NONE}),
    "a bonus that is none": ("bonus", {"in_bonus": 0}),
    "an amount without a bonus": ("amount", {"in_bonus": 0, "contract": NONE}),
    "an amount for a city where nothing can be built": ("amount", {"build_city": -1}),
    "a resource of no contract": ("source", {"contract": NONE}),
    "a resource that the contract does not need": ("source", {"need": 5}),
    "a resource on its way from where it never was": ("hop", {"visited": 0}),
    "a resource on its way from its own network": ("hop", {"cargo_group": -1}),
    "a payment for a hop that was not legal": ("pay", {"hop_group": -1}),
    "contracts taken from hands with nothing to take": ("take_from", {"takes_left": 0}),
    "a decision in the middle of nothing": ("action", {"phase": TRACK}),
    "a way passed outside a carriage": ("action", {"visited": 1}),
}


def is_last_turn(game: Game) -> bool:
    """Whether the game may be over after this turn, for all that the record tells."""
    if game.rules.mode == "solo":
        return game.round == SOLO_ROUNDS and game.record.bag_size == 0
    triggered = max(game.record.num_fulfilled) >= game.setting.contracts_to_end
    return bool(triggered) or game.round == game.rules.max_rounds


@pytest.mark.parametrize("name", FORGED)
def test_save__a_decision_that_cannot_be_is_refused(name: str) -> None:
    phase, changes = FORGED[name]
    for game in starts():
        if game.phase == phase and not (phase == "action" and is_last_turn(game)):
            records = game.records.copy()
            for field, value in changes.items():
                others = (records[field] + 1) % 2 if field == "truncated" else (records[field] + 1) % 6
                records[field] = others if value == -1 and field not in ("seat", "contract") else value
            with pytest.raises(ValueError, match=r"record|choose"):
                check_position(records, game.setting)
    assert any(game.phase == phase for game in starts())


JUST_BEYOND = {
    **{"num_seats": 4, "seat": 3, "phase": 99, "deck_size": 17, "place": 77},
    **{"owner": 5, "track": 15, "color": 5},
}


@pytest.mark.parametrize(
    ("name", "value"), [*JUST_BEYOND.items(), *((name, end) for name in FIELDS for end in ("min", "max"))]
)
def test_from_records__a_value_out_of_range_is_refused_with_its_field(name: str, value: Any) -> None:
    records = GameBatch(MINI, 2, seed=1).records
    before = records.tobytes()
    records[name][1] = getattr(np.iinfo(records[name].dtype), value) if isinstance(value, str) else value
    if records.tobytes() == before or name == "rng" or (name, value) == ("generation", "max"):
        return
    with pytest.raises(ValueError, match=name):
        GameBatch.from_records(records, MINI)


# --- actions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of_steam", [False, True])
@examples(90)
@given(value=odd_values, number=st.integers(0, 2), steps=st.integers(0, 40))
def test_actions__of_every_type(of_steam: bool, value: Any, number: int, steps: int) -> None:
    game = targets._played(number, steps, of_steam).clone()
    if not game.done:
        targets.refuse(game, value)
        for read in (game.explain, game.text, game.parse):
            ask(partial(read, value), fault=IllegalActionError)


@pytest.mark.parametrize("kind", ["actions", "steam_actions"])
@examples(90)
@given(rng=randoms)
def test_actions__texts_with_changes(kind: str, rng: random.Random) -> None:
    data = rng.choice(SEEDS[kind]())
    lines = data[2:].decode().split("\n")
    targets.TARGETS[kind](data[:2] + "\n".join(map(str, mutate_table(lines, rng, 3))).encode("utf-8", "replace"))


@pytest.mark.parametrize("text", ["money ", "\tmoney\n", "\u00a0money\u2003"])
def test_actions__blanks_round_words_do_not_matter(text: str) -> None:
    game = Game(MINI, seed=1)
    assert game.text(game.parse(text)) == "money"


@examples(60)
@given(values=st.one_of(odd_values, st.lists(odd_values, min_size=3, max_size=3)))
def test_batch__actions_of_every_type(values: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = batch.records.tobytes(), batch.mask.tobytes()
    if ask(lambda: batch.step(values), fault=IllegalActionError) is REFUSED:
        assert (batch.records.tobytes(), batch.mask.tobytes()) == before


@examples(60)
@given(value=odd_values)
def test_environments__actions_of_every_type(value: Any) -> None:
    for env in (AEC, SINGLE):
        env.reset(seed=1)
        before = env.game.records.tobytes()
        if ask(partial(env.step, value), fault=IllegalActionError) is REFUSED:
            assert env.game.records.tobytes() == before


AEC = steam_power_v0.raw_env(map="mini", contracts="mini")
SINGLE = LearnerEnv(map="mini", contracts="mini", automas=0, num_players=2, opponents=lambda view, mask, rng: 0)


# --- outcomes, seeds, seats, rules, other arguments ----------------------------------------------------


@examples(60)
@given(value=st.one_of(odd_values, st.lists(odd_values, max_size=3)))
def test_outcomes__of_every_type(value: Any) -> None:
    game = Game(MINI, seed=1)
    before = game.records.tobytes()
    if ask(lambda: game.step("money", value), fault=ValueError) is REFUSED:
        assert (game.records.tobytes(), game.num_steps) == (before, 0)
    Game.load(game.save())


@examples(60)
@given(value=odd_values)
def test_game__arguments_of_every_type(value: Any) -> None:
    game = Game(MINI, seed=1)
    before = game.records.tobytes()
    for call in (
        lambda: Game(MINI, seed=value),
        lambda: Game(value),
        lambda: Game(MINI, seed=1, deal=value),
        lambda: Game.load(value),
        lambda: game.redeal(0, value),
        lambda: game.redeal(value, 1),
        lambda: game.observe(0, value),
        *(partial(getattr(game, name), value) for name in ("observe", "view", "hand", "fulfilled", "log_for")),
        *(partial(getattr(game, name), value) for name in ("city", "render")),
    ):
        ask(call)
    assert game.records.tobytes() == before


@examples(60)
@given(value=odd_values)
def test_batch__arguments_of_every_type(value: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = batch.records.tobytes()
    calls: list[Callable[[], object]] = [
        lambda: batch.observe(seats=value),
        lambda: batch.observe(value),
        lambda: batch.observe(out=value),
        lambda: batch.views(value),
        lambda: batch.views().sample(2, value),
        lambda: batch.redeal([0, 1, 2], value),
        lambda: batch.redeal(value, [1, 2, 3]),
        lambda: batch.game(value),
        lambda: batch.clone(out=value),
        lambda: batch.clone().reset(where=value),
        lambda: batch.clone().reset(seed=value),
        lambda: GameBatch.from_records(value, MINI),
        lambda: GameBatch(MINI, 3, seed=value),
        lambda: GameBatch(MINI, 3, reward=value),
    ]
    if not (isinstance(value, int | np.integer) and 100 < int(value) <= 2**24):  # those would be made
        calls += [lambda: batch.tile(value), lambda: GameBatch(MINI, value), lambda: batch.views().sample(value, 1)]
    for call in calls:
        ask(call)
    assert batch.records.tobytes() == before


@examples(25)
@given(value=odd_values)
def test_environments__seeds_and_options_of_every_type(value: Any) -> None:
    for env in (AEC, SINGLE):
        ask(partial(env.reset, seed=value))
        ask(partial(env.reset, seed=1, options={"scenario": value}))
    ask(partial(steam_power_v0.raw_env, rules=value))
    for option in ("encoding", "illegal", "gamma"):
        ask(partial(steam_power_v0.raw_env, map="mini", **{option: value}))


@examples(15)
@given(rng=randoms)
def test_deal__a_table_with_changes(rng: random.Random) -> None:
    game = rng.choice([game for game in corpus.games() if game.events and game.events[0].kind == "deal"])
    deal = mutate_table(game.events[0].values, rng)
    again = ask(lambda: Game(game.rules, seed=1, deal=deal), "deal", fault=ValueError)
    if again is not REFUSED:
        targets.play_on(again, steps=2)


RULES: dict[str, Any] = {"steam_power": (Rules, Game), "steam": (steam.Rules, steam.Game)}
FIELDS_OF_RULES = [(of_game, field.name) for of_game, (kind, _) in RULES.items() for field in dataclasses.fields(kind)]


@pytest.mark.parametrize(("of_game", "field"), FIELDS_OF_RULES)
@examples(30)
@given(value=odd_values)
def test_rules__fields_of_every_type(of_game: str, field: str, value: Any) -> None:
    kind, game = RULES[of_game]
    rules = ask(lambda: kind(**{field: value}), field)
    if rules is REFUSED:
        return
    assert kind.from_json(rules.to_json()) == rules
    assert hash(rules) == hash(kind.from_dict(rules.to_dict()))
    if field in ("map", "contracts"):
        with pytest.raises(ValueError, match=r"(?s)."):
            game(rules)


@pytest.mark.parametrize("of_game", RULES)
@examples(50)
@given(value=odd_values)
def test_rules__tables_and_texts_of_every_type(of_game: str, value: Any) -> None:
    ask(lambda: RULES[of_game][0].from_dict(value), fault=ValueError)
    ask(lambda: RULES[of_game][0].from_json(value), fault=ValueError)


def test_links__track_that_runs_in_a_circle_is_noticed() -> None:
    game = position(LADDER, "0: Ames A3 > SE")
    records = game.records.copy()
    records["tail_exit"][0, 0] = (records["tail_exit"][0, 0] + 1) % 6
    with pytest.raises(ValueError, match=r"link|segment"):
        Game._at(game.setting, records).links()
