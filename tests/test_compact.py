"""Compact observations: digits of every encoding give its float32 back, bit for bit."""

from typing import Any

import numpy as np
import pytest

from steam_env import GameBatch, Rules
from steam_env.encoding import Encoding, pick
from steam_env.encoding.compact import Expansion, expand
from steam_env.encoding.digits import lay_out
from steam_env.encoding.layout import TWO_BYTES, Axis, Code, Layout
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import LAYOUT
from steam_env.kit.forms import FORMS
from steam_env.spec import find_spec
from tests.encoding_checks import arrays_of
from tests.seen import each_kind, positions, seats_of
from tests.toy import Rules as ToyRules

SIGHT = find_spec().sight
SHORT = Rules(num_players=3, map="mini", contracts="mini", max_rounds=4)
each_encoding = pytest.mark.parametrize("name", ENCODINGS)
each_form = pytest.mark.parametrize("form", FORMS)


def look(encoding: Encoding, batch: GameBatch, seat: int) -> Any:
    """What a seat sees of all games, in arrays that were not empty before."""
    out = encoding.allocate(len(batch))
    for array in arrays_of(out):
        array += 9
    encoding.encode(batch.records, *batch.setting.statics, np.full(len(batch), seat), out)
    return out


def assert_same(one: Any, other: Any) -> None:
    for mine, theirs in zip(arrays_of(one), arrays_of(other), strict=True):
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        assert mine.tobytes() == theirs.tobytes() or np.array_equal(mine, theirs)


@each_kind
@each_form
@each_encoding
def test_digits__give_the_float32_back(name: str, form: str, kind: str) -> None:
    batch = positions(kind, 31)
    digits = SIGHT.find_encoding(f"{name}:{form}", setting=batch.setting)
    for seat in seats_of(batch):
        packed = look(digits, batch, seat)
        assert all(array.dtype == np.uint8 for array in arrays_of(packed))
        assert_same(expand(digits.expansions, packed), look(ENCODINGS[name], batch, seat))


@each_encoding
def test_tight__has_room_for_what_games_of_the_setting_can_fill_alone(name: str) -> None:
    setting = GameBatch(SHORT, 1, seed=1).setting
    compact, tight = (SIGHT.find_encoding(f"{name}:{form}", setting=setting) for form in FORMS)
    sizes = [sum(array[0].size for array in arrays_of(one.allocate(1))) for one in (compact, tight)]
    assert sizes[1] < 0.7 * sizes[0]
    larger = GameBatch(Rules(), 2, seed=1)
    with pytest.raises(ValueError, match="tight encoding have room for games of its setting"):
        tight.encode(larger.records, *larger.setting.statics, np.zeros(2, np.int64), tight.allocate(2))


def test_flat__is_a_quarter_of_its_bytes_and_tight_on_midwest_a_fifth() -> None:
    setting = GameBatch(Rules(), 1, seed=1).setting
    flat, compact, tight = (
        SIGHT.find_encoding(name, setting=setting).allocate(1).nbytes for name in ("flat", "flat:compact", "flat:tight")
    )
    assert compact < flat / 3
    assert tight < flat / 5


@each_form
def test_observe__takes_forms_of_a_batch_and_of_a_game(form: str) -> None:
    batch = GameBatch(SHORT, 3, seed=1)
    name = f"flat:{form}"
    seen = batch.observe(name)
    assert seen.dtype == np.uint8
    game = batch.game(1)
    assert np.array_equal(game.observe(game.seat, name), seen[1])
    encoding = SIGHT.find_encoding(name, setting=batch.setting)
    assert np.array_equal(expand(encoding.expansions, seen), batch.observe("flat"))
    with pytest.raises(ValueError, match="out must be a writable array"):
        batch.observe(name, out=ENCODINGS["flat"].allocate(3))


def test_observe__of_finished_games_and_nobody_is_zero() -> None:
    batch = GameBatch(SHORT, 2, seed=1)
    assert not batch.observe("flat:tight", seats=np.full(2, -1)).any()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("flat:small", "'flat:small': allowed are 'flat', 'flat:compact', 'flat:tight'"),
        ("flut:compact", "'flut:compact': allowed are 'flat', 'grid', 'graph'"),
        (7, "7: allowed are"),
    ],
)
def test_names__that_are_none_are_refused(name: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        GameBatch(SHORT, 1, seed=1).observe(name)


def test_names__a_tight_form_without_a_setting_is_refused() -> None:
    with pytest.raises(ValueError, match="a tight form is that of a setting"):
        SIGHT.find_encoding("flat:tight")


def test_names__a_game_without_digits_has_no_forms() -> None:
    with pytest.raises(ValueError, match="no digits of 'plain'"):
        GameBatch(ToyRules(), 1, seed=1).observe("plain:compact")


# --- codes ------------------------------------------------------------------------------------------------


def test_codes__the_number_0_is_the_value_0() -> None:
    for part in LAYOUT:
        assert not part.code.table or part.code.table[0] == 0


def test_codes__are_told_in_the_table_of_the_layout() -> None:
    told = ENCODINGS["flat"].describe()
    for words in ("| uint8 |", "uint8 / 30 |", "uint8 x 1, 256 / 1000", "uint8, table of", "`last_round`", "(n + 8)"):
        assert words in told


def test_digits__of_every_kind_are_expanded_alike_by_numpy_and_by_the_kernel() -> None:
    layout, things = Layout(), (Axis("rows", 3), Axis("columns", 4))
    layout.add("plain", things, "")
    layout.add("absent", (Axis("none", 2),), "")
    layout.add("divided", 2, "", code=Code(7, TWO_BYTES))
    layout.add("listed", 3, "", low=-1, code=Code(table=tuple(np.linspace(0, -1, 256))))
    layout.add("wide", things, "", code=Code(9, TWO_BYTES))
    layout.add("saturating", 2, "", code=Code(5, TWO_BYTES, saturates=True))
    layout.add("by", 1, "")
    layout.add("ratio", 3, "", code=Code(over="by"))
    digits, starts = lay_out(layout.parts, sizes={"none": 0})
    rows = np.random.default_rng(0).integers(0, 256, (50, digits.size), dtype=np.uint8)
    values = digits.expand(rows)
    spec = ENCODINGS["flat"].spec._replace(shape=(layout.size,))  # type: ignore[union-attr]
    out = np.full((50, layout.size), 9, np.float32)
    Expansion(spec, digits, np.zeros(1, np.int64), 1, (digits.size,)).expand_into(rows, out)
    assert np.array_equal(values, out)
    parts = {part.name: values[:, part.start : part.start + part.length] for part in layout.parts}
    assert not parts["absent"].any()
    by = np.maximum(rows[:, starts["by"]], 1).astype(np.float32)
    assert np.array_equal(parts["ratio"][:, 0], rows[:, starts["ratio"]] / by)
    number = rows[:, starts["divided"]].astype(np.float64) + 256 * rows[:, starts["divided"] + 2].astype(np.float64)
    assert np.array_equal(parts["divided"][:, 0], (number / 7).astype(np.float32))
    assert np.array_equal(parts["plain"][:, 1], rows[:, starts["plain"] + 3].astype(np.float32))


def test_pick__takes_rows_of_digits() -> None:
    batch = GameBatch(SHORT, 4, seed=1)
    seen = batch.observe("graph:tight")
    assert {name: array.shape[0] for name, array in pick(seen, slice(2)).items()} == dict.fromkeys(seen, 2)
