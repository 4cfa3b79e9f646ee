"""Bad input of every kind: a named error or a valid result, and nothing changed.

Files are changed as bytes and as tables; what is read all the same is played on. The fuzzer
(``tests/verification/fuzz``) calls the same targets for longer.
"""

import dataclasses
import hashlib
import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steam_env import Game, GameBatch, IllegalActionError, Rules, SaveError, ScenarioError, steam_power_v0
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import GAME, OVER, SOLO_ROUNDS, TRACK
from steam_env.data.steam_power.decks import DeckError, deck_to_dict, load_deck, parse_deck
from steam_env.data.steam_power.maps import MapError, load_map, map_to_dict, parse_map
from steam_env.envs.single import LearnerEnv
from steam_env.table.files import CHECKSUM_BYTES, HEADER, MAGIC, SCHEMA
from steam_env.words.steam_power.possible import check_position
from tests.verification.fuzz import corpus, targets
from tests.verification.fuzz.mutate import (
    FIELDS,
    join_save,
    mutate_bytes,
    mutate_save,
    mutate_table,
    odd_value,
    split_save,
)

MINI = Rules(map="mini", contracts="mini", num_players=3)
DIGITS = 10**5000  # more than Python turns into text

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


def deep(levels: int = 100_000) -> list[Any]:
    """Lists in lists."""
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


# --- files as bytes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in targets.TARGETS if kind != "actions"])
@examples(60)
@given(rng=randoms)
def test_bytes__cut_flipped_doubled_or_put_in(kind: str, rng: random.Random) -> None:
    data = rng.choice(corpus.SEEDS[kind]())
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


# --- tables --------------------------------------------------------------------------------------------


@examples(300)
@given(rng=randoms)
def test_map__a_table_with_changes_is_a_map_or_a_map_error(rng: random.Random) -> None:
    table = mutate_table(map_to_dict(load_map("mini")), rng, rng.randrange(1, 4))
    try:
        board = parse_map(table)
    except MapError as error:
        targets.check_message(error)
    else:
        assert parse_map(map_to_dict(board)) == board


@examples(300)
@given(rng=randoms)
def test_deck__a_table_with_changes_is_a_deck_or_a_deck_error(rng: random.Random) -> None:
    table = mutate_table(deck_to_dict(load_deck("mini")), rng, rng.randrange(1, 4))
    try:
        deck = parse_deck(table)
    except DeckError as error:
        targets.check_message(error)
    else:
        assert parse_deck(deck_to_dict(deck)) == deck


@examples(400)
@given(rng=randoms)
def test_scenario__a_table_with_changes_is_a_position_or_a_scenario_error(rng: random.Random) -> None:
    table = mutate_table(rng.choice(corpus.scenarios()), rng, rng.randrange(1, 3))
    try:
        game = Game.from_scenario(table, seed=1)
    except ScenarioError as error:
        targets.check_message(error)
    else:
        targets.play_on(game, seed=rng.randrange(100), steps=6)


@examples(150)
@given(rng=randoms, value=odd_values)
def test_tables__values_of_every_type(rng: random.Random, value: object) -> None:
    for table, read, fault in (
        (map_to_dict(load_map("mini")), parse_map, MapError),
        (deck_to_dict(load_deck("mini")), parse_deck, DeckError),
        (json.loads(json.dumps(rng.choice(corpus.scenarios()))), Game.from_scenario, ScenarioError),
    ):
        inner = table
        key = rng.choice(list(inner))
        while isinstance(inner[key], dict | list) and inner[key] and rng.random() < 0.7:
            inner = inner[key]
            key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        inner[key] = value
        try:
            read(table)  # type: ignore[operator]
        except fault as error:
            targets.check_message(error)


@pytest.mark.parametrize(
    "value", [deep(), DIGITS, [DIGITS], np.zeros(3), float("nan")], ids=["deep", "digits", "list", "array", "nan"]
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


@examples(200)
@given(rng=randoms)
def test_save__changed_within_and_with_a_new_checksum(rng: random.Random) -> None:
    data = rng.choice(corpus.saves())
    targets.read_save(mutate_save(data, rng))


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
    for game in starts():
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
    "rng",
    "money",
    "placements_left",
    "off_map",
    "first_player",
    "round_number",
    "actions_left",
    "generation",
    "known",
    "marker",
)
FREE += ("bag", "resources", "stock", "color", "corners", "takes_left", "need", "seat", "deck_order", "place", "coins")


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


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("end", ["lowest", "highest"])
def test_from_records__every_field_at_both_ends(name: str, end: str) -> None:
    batch = GameBatch(MINI, 2, seed=1)
    records = batch.records.copy()
    info = np.iinfo(records[name].dtype)
    records[name] = info.min if end == "lowest" else info.max
    if records.tobytes() == batch.records.tobytes() or name == "rng" or (name, end) == ("generation", "highest"):
        return
    with pytest.raises(ValueError, match=name):
        GameBatch.from_records(records, MINI)


# --- actions -------------------------------------------------------------------------------------------


@examples(300)
@given(value=odd_values, number=st.integers(0, 2), steps=st.integers(0, 40))
def test_actions__of_every_type(value: Any, number: int, steps: int) -> None:
    game = targets._played(number, steps).clone()
    if game.done:
        return
    targets.refuse(game, value)
    for ask in (game.explain, game.text, game.parse):
        try:
            ask(value)
        except IllegalActionError as error:
            targets.check_message(error)


@examples(300)
@given(rng=randoms)
def test_actions__texts_with_changes(rng: random.Random) -> None:
    data = rng.choice(corpus.action_texts())
    lines = data[2:].decode().split("\n")
    targets.play_texts(data[:2] + "\n".join(map(str, mutate_table(lines, rng, 3))).encode("utf-8", "replace"))


@pytest.mark.parametrize("text", ["money ", "\tmoney\n", "\u00a0money\u2003"])
def test_actions__blanks_round_words_do_not_matter(text: str) -> None:
    game = Game(MINI, seed=1)
    assert game.text(game.parse(text)) == "money"


@examples(200)
@given(values=st.one_of(odd_values, st.lists(odd_values, min_size=3, max_size=3)))
def test_batch__actions_of_every_type(values: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = batch.records.tobytes(), batch.mask.tobytes()
    try:
        batch.step(values)
    except IllegalActionError as error:
        targets.check_message(error)
        assert (batch.records.tobytes(), batch.mask.tobytes()) == before


@examples(200)
@given(value=odd_values)
def test_batch__other_arguments_of_every_type(value: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = batch.records.tobytes()
    for call in (
        lambda: batch.observe(seats=value),
        lambda: batch.observe(value),
        lambda: batch.views(value),
        lambda: batch.redeal([0, 1, 2], value),
        lambda: batch.redeal(value, [1, 2, 3]),
        lambda: batch.game(value),
        lambda: GameBatch.from_records(value, MINI),
        lambda: batch.views().sample(2, value),
    ):
        try:
            call()
        except (ValueError, TypeError) as error:
            targets.check_message(error)
    assert batch.records.tobytes() == before


@examples(100)
@given(value=odd_values)
def test_batch__counts_and_seeds_of_every_type(value: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    if not (isinstance(value, int | np.integer) and 100 < int(value) <= 2**24):  # those would be made
        for call in (lambda: batch.tile(value), lambda: GameBatch(MINI, value), lambda: batch.views().sample(value, 1)):
            try:
                call()
            except (ValueError, TypeError) as error:
                targets.check_message(error)
    for call in (
        lambda: GameBatch(MINI, 3, seed=value),
        lambda: batch.reset(where=value),
        lambda: batch.reset(seed=value),
        lambda: batch.clone(out=value),
        lambda: batch.observe(out=value),
        lambda: GameBatch(MINI, 3, reward=value),
    ):
        try:
            call()
        except (ValueError, TypeError) as error:
            targets.check_message(error)


@pytest.mark.parametrize("seed", [np.array([2**63, 1, 2], np.uint64), [2**64, 1, 2], [[1], [2, 3], []]], ids=str)
def test_batch__seeds_out_of_range_are_no_other_seeds(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        GameBatch(MINI, 3, seed=seed)
    with pytest.raises(ValueError, match="seeds"):
        GameBatch(MINI, 3, seed=1).redeal([0, 0, 0], seed)


@pytest.mark.parametrize("count", [0, -1, 2**24 + 1, 10**18, DIGITS], ids=["none", "fewer", "more", "many", "digits"])
def test_batch__too_many_or_too_few_games(count: int) -> None:
    with pytest.raises(ValueError, match=r"num_games.*allowed"):
        GameBatch(MINI, count)
    with pytest.raises(ValueError, match=r"k=.*allowed"):
        GameBatch(MINI, 2, seed=1).tile(count)


def test_batch__an_array_that_cannot_be_written() -> None:
    batch = GameBatch(MINI, 3, seed=1)
    out = batch.observe()
    out.setflags(write=False)
    with pytest.raises(ValueError, match="writable"):
        batch.observe(out=out)


@examples(150)
@given(value=odd_values)
def test_environments__actions_of_every_type(value: Any) -> None:
    aec = AEC
    aec.reset(seed=1)
    before = aec.game.records.tobytes()
    try:
        aec.step(value)
    except IllegalActionError as error:
        targets.check_message(error)
        assert aec.game.records.tobytes() == before
    SINGLE.reset(seed=1)
    before = SINGLE.game.records.tobytes()
    try:
        SINGLE.step(value)
    except IllegalActionError as error:
        targets.check_message(error)
        assert SINGLE.game.records.tobytes() == before


AEC = steam_power_v0.raw_env(map="mini", contracts="mini")
SINGLE = LearnerEnv(map="mini", contracts="mini", automas=0, num_players=2, opponents=lambda view, mask, rng: 0)


@examples(50)
@given(value=odd_values)
def test_environments__seeds_and_options_of_every_type(value: Any) -> None:
    for call in (
        lambda: AEC.reset(seed=value),
        lambda: AEC.reset(seed=1, options={"scenario": value}),
        lambda: SINGLE.reset(seed=value),
        lambda: SINGLE.reset(seed=1, options={"scenario": value}),
        lambda: steam_power_v0.raw_env(rules=value),
        lambda: steam_power_v0.raw_env(map="mini", encoding=value),
        lambda: steam_power_v0.raw_env(map="mini", illegal=value),
        lambda: steam_power_v0.raw_env(map="mini", gamma=value),
    ):
        try:
            call()
        except (ValueError, TypeError) as error:
            targets.check_message(error)


# --- outcomes, seeds, seats, rules ---------------------------------------------------------------------


@examples(200)
@given(value=st.one_of(odd_values, st.lists(odd_values, max_size=3)))
def test_outcomes__of_every_type(value: Any) -> None:
    game = Game(MINI, seed=1)
    before = game.records.tobytes()
    try:
        game.step("money", value)
    except ValueError as error:
        targets.check_message(error)
        assert game.records.tobytes() == before
        assert game.num_steps == 0
    Game.load(game.save())


def test_outcomes__of_numpy_can_be_saved() -> None:
    game = Game.from_scenario(EMPTY_DECK, seed=1)
    twin = game.clone()
    game.step("contracts", np.array([5, 6]))
    twin.step("contracts", [5, 6])
    assert game.save() == twin.save()
    assert Game.load(game.save()).hand(0) == twin.hand(0)


EMPTY_DECK = {
    "map": "mini",
    "contracts": "mini",
    "cities": "W" * len(load_map("mini").cities),
    "off_map": "",
    "seats": {
        "hands": [[0], [*range(1, len(load_deck("mini").contracts))]],
        "fulfilled": [[], []],
    },
    "deck": {"order": []},
}


@examples(150)
@given(value=odd_values)
def test_game__seeds_seats_names_of_every_type(value: Any) -> None:
    game = Game(MINI, seed=1)
    before = game.records.tobytes()
    for call in (
        lambda: Game(MINI, seed=value),
        lambda: Game(value),
        lambda: Game(MINI, seed=1, deal=value),
        lambda: game.redeal(0, value),
        lambda: game.redeal(value, 1),
        lambda: game.observe(value),
        lambda: game.observe(0, value),
        lambda: game.view(value),
        lambda: game.hand(value),
        lambda: game.fulfilled(value),
        lambda: game.log_for(value),
        lambda: game.city(value),
        lambda: game.render(value),
        lambda: Game.load(value),
    ):
        try:
            call()
        except (ValueError, TypeError) as error:
            targets.check_message(error)
    assert game.records.tobytes() == before


@examples(40)
@given(rng=randoms)
def test_deal__a_table_with_changes(rng: random.Random) -> None:
    game = rng.choice([game for game in corpus.games() if game.events and game.events[0].kind == "deal"])
    deal = mutate_table(game.events[0].values, rng)
    try:
        again = Game(game.rules, seed=1, deal=deal)
    except ValueError as error:
        targets.check_message(error, "deal")
    else:
        targets.play_on(again, steps=2)


def test_deal__another_first_player_than_the_rules_say() -> None:
    rules = dataclasses.replace(MINI, first_player="player_0")
    deal = {**Game(rules, seed=1).events[0].values, "first_player": 1}
    with pytest.raises(ValueError, match="first_player"):
        Game(rules, deal=deal)


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Rules)])
@examples(60)
@given(value=odd_values)
def test_rules__fields_of_every_type(field: str, value: Any) -> None:
    try:
        rules = Rules(**{field: value})
    except (ValueError, TypeError) as error:
        targets.check_message(error, field)
        return
    assert Rules.from_json(rules.to_json()) == rules
    assert hash(rules) == hash(Rules.from_dict(rules.to_dict()))
    if field in ("map", "contracts"):
        with pytest.raises(ValueError, match=r"(?s)."):
            Game(rules)


@examples(100)
@given(value=odd_values)
def test_rules__tables_and_texts_of_every_type(value: Any) -> None:
    for read in (Rules.from_dict, Rules.from_json):
        try:
            read(value)
        except ValueError as error:
            targets.check_message(error)


# --- regressions ---------------------------------------------------------------------------------------


def test_map__a_bag_too_large_to_count() -> None:
    table = {**map_to_dict(load_map("mini")), "tiles": "W" * 70_000}
    with pytest.raises(MapError, match="tiles"):
        parse_map(table)


def test_game_file__a_scenario_that_is_a_path_is_not_followed(tmp_path: Any) -> None:
    path = tmp_path / "game.json"
    Game.from_scenario(corpus.scenarios()[0]).to_file(path)
    content = json.loads(path.read_bytes())
    content["scenario"] = "first-track.toml"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(SaveError, match="scenario"):
        Game.from_file(path)


def test_game_file__every_line_of_the_end_is_compared(tmp_path: Any) -> None:
    path = tmp_path / "game.json"
    Game(MINI, seed=1).to_file(path)
    good = json.loads(path.read_bytes())
    for name, value in (("over", True), ("truncated", True), ("winners", [0]), ("scores", [])):
        path.write_text(json.dumps({**good, name: value}), encoding="utf-8")
        with pytest.raises(SaveError, match=name):
            Game.from_file(path)


def test_links__track_that_runs_in_a_circle_is_noticed() -> None:
    game = Game(MINI, seed=1)
    while game.record.num_links == 0 or game.phase != "action":
        legal = game.legal_text()
        game.step(next((text for text in legal if text.startswith(("start", "head"))), legal[0]))
    records = game.records.copy()
    assert records.dtype == GAME
    tail = int(np.flatnonzero(records["tail_link"][0] >= 0)[0])
    records["tail_exit"][0, tail] = (records["tail_exit"][0, tail] + 1) % 6
    with pytest.raises(ValueError, match=r"link|segment"):
        Game._at(game.setting, records).links()
