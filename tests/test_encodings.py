"""What every encoding keeps, whatever its arrays are; what it may tell of a position is in test_hidden_information."""

import copy
import re
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from steam_env import GameBatch, Rules
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_GENERATION, MAX_HEXES
from steam_env.encoding import pick
from steam_env.encoding.cells import NUM_CELLS
from steam_env.encoding.layout import HIGH, Part
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import FLAT_HIGH, FLAT_SIZE, LAYOUT
from steam_env.encoding.steam_power.graph import ARRAYS, FEATURES
from steam_env.encoding.steam_power.grid import GRID_HIGH, GRID_SHAPE, NUM_MAP_PLANES, NUM_PLANES, PLANES
from steam_env.envs.observed import make_observation_space
from tests.encoding_checks import arrays_of, encode, join
from tests.seen import each_kind, play_largest, positions, rotate_seats, seats_of

ROOT = Path(__file__).parent.parent
SHEETS = tuple(part for part in LAYOUT if not part.name.startswith("track_"))
PARTS: dict[str, dict[str, tuple[Part, ...]]] = {"flat": {"": LAYOUT}, "grid": {"": PLANES}, "graph": FEATURES}
SHORT = Rules(num_players=3, map="mini", contracts="mini", max_rounds=4)
each_encoding = pytest.mark.parametrize("name", ENCODINGS)


def features_of(name: str, observations: Any) -> dict[str, np.ndarray]:
    """The arrays to which ``PARTS`` belong, with the features along the last axis."""
    if name == "grid":
        planes = observations.reshape(len(observations), NUM_PLANES, NUM_CELLS)[:, :NUM_MAP_PLANES]
        return {"": planes.swapaxes(1, 2)}
    return observations if name == "graph" else {"": observations}


# --- layout -----------------------------------------------------------------------------------------------


@each_encoding
def test_layout__parts_are_contiguous_and_fill_their_array(name: str) -> None:
    arrays = features_of(name, ENCODINGS[name].allocate(1))
    for array, parts in PARTS[name].items():
        ends = [part.start + part.length for part in parts]
        assert [part.start for part in parts] == [0, *ends[:-1]]
        assert ends[-1] == arrays[array].shape[-1]
        assert all(part.length > 0 for part in parts)
    names = [part.name for parts in PARTS[name].values() for part in parts]
    assert len(set(names)) == len(names)


@each_encoding
def test_layout__is_printed_by_the_module_with_a_row_for_every_part(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(ROOT / f"steam_env/encoding/steam_power/{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert printed.strip() == ENCODINGS[name].describe()
    parts = [part for parts in PARTS[name].values() for part in parts] + list(SHEETS if name == "grid" else ())
    rows = re.findall(r"^\| (\d+) \| (\d+) \| `(\w+)` \|", printed, re.MULTILINE)
    assert rows == [(str(part.start), str(part.length), part.name) for part in parts]


@each_encoding
def test_registry__describes_the_arrays(name: str) -> None:
    encoding = ENCODINGS[name]
    specs = encoding.spec if isinstance(encoding.spec, dict) else {"": encoding.spec}
    for array, spec in zip(arrays_of(encoding.allocate(3)), specs.values(), strict=True):
        assert (array.shape, array.dtype) == ((3, *spec.shape), spec.dtype)
    integers = {key for key, spec in specs.items() if np.issubdtype(spec.dtype, np.integer)}
    assert integers == ({"senders", "receivers"} if name == "graph" else set())
    assert all(spec.dtype == np.float32 for key, spec in specs.items() if key not in integers)
    if name != "graph":
        shape, high, more = {"flat": ((FLAT_SIZE,), FLAT_HIGH, ()), "grid": (GRID_SHAPE, GRID_HIGH, PLANES)}[name]
        assert encoding.spec == (shape, min(part.low for part in (*LAYOUT, *more)), high, np.float32)


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "array"), [("flat", "FLAT_SIZE"), ("grid", "GRID_SHAPE"), *(("graph", array) for array in ARRAYS)]
)
def test_encode__refuses_arrays_of_another_shape(name: str, array: str) -> None:
    batch, encoding = positions("two"), ENCODINGS[name]
    good: Any = encoding.allocate(2)
    one = good[array] if name == "graph" else good
    for shape in ((1, *one.shape[1:]), (*one.shape[:-1], one.shape[-1] - 1)):
        bad = np.zeros(shape, one.dtype)
        with pytest.raises(ValueError, match=array):
            encoding.encode(
                batch.records[:2],
                batch.setting.boards,
                batch.setting.decks,
                np.zeros(2, np.int64),
                {**good, array: bad} if name == "graph" else bad,
            )


@each_encoding
@pytest.mark.parametrize("seat", [-2, 2])
def test_encode__refuses_an_observer_who_is_not_at_the_table(name: str, seat: int) -> None:
    batch = positions("two")
    with pytest.raises(ValueError, match="observer"):
        encode(name, batch.setting, batch.records[:1], seat)


# --- of a batch -------------------------------------------------------------------------------------------


@each_encoding
def test_observe__of_a_batch_is_that_of_each_game(name: str) -> None:
    batch, rng, out = GameBatch(SHORT, 3, seed=1), np.random.default_rng(25), ENCODINGS[name].allocate(3)
    for _ in range(25):
        batch.step(batch.sample_legal(rng))
    for array in arrays_of(out):
        array += 9
    assert batch.observe(name, out) is out
    others = batch.observe(name, seats=np.full(3, 2))
    for index, game in enumerate(map(batch.game, range(3))):
        assert data_equivalence(pick(out, index), game.observe(game.seat, name), exact=True)
        assert data_equivalence(pick(others, index), game.observe(2, name), exact=True)
        assert data_equivalence(pick(pick(pick(out, index), np.newaxis), 0), pick(out, index), exact=True)
    while not batch.done.all():
        batch.step(batch.sample_legal(rng))
    assert not any(array.any() for array in arrays_of(batch.observe(name, out)))


@pytest.mark.parametrize("name", ["grid", "graph"])
def test_observe__refuses_another_out(name: str) -> None:
    batch, good = GameBatch(SHORT, 3, seed=1), ENCODINGS[name].allocate(3)
    frozen = copy.deepcopy(good)
    arrays_of(frozen)[0].flags.writeable = False
    bad: list[Any] = [ENCODINGS[name].allocate(4), ENCODINGS["flat"].allocate(3), {}, frozen]
    if isinstance(good, dict):
        bad += [{**good, "more": good["nodes"]}, {**good, "nodes": good["nodes"].astype(np.float64)}]
    for out in bad:
        with pytest.raises(ValueError, match=r"^out.* must be a"):
            batch.observe(name, out)


# --- values -----------------------------------------------------------------------------------------------


@each_encoding
@each_kind
def test_values__are_finite_within_the_bounds_of_their_part_and_in_the_space(name: str, kind: str) -> None:
    batch, space = positions(kind, 7), make_observation_space(ENCODINGS[name])
    for seat in seats_of(batch):
        observations = encode(name, batch.setting, batch.records, seat)
        assert np.isfinite(join(observations)).all()
        assert all(space.contains(pick(observations, index)) for index in range(seat, len(batch), 9))
        features = features_of(name, observations)
        for array, parts in PARTS[name].items():
            for part in parts:
                values = features[array][..., part.start : part.start + part.length]
                assert part.low <= values.min(), part
                assert values.max() <= HIGH, part


LARGEST: dict[str, dict[str, Any]] = {
    "preview": {"num_players": 5, "edition": "preview"},
    "automas": {"num_players": 5, "automas": 4, "automa_level": "very_hard"},
    "solo": {"mode": "solo"},
}


@pytest.mark.parametrize("rules", LARGEST.values(), ids=LARGEST)
def test_values__stay_in_the_space_on_the_largest_map_with_extreme_numbers(rules: dict[str, Any]) -> None:
    batch = play_largest(**rules)
    setting, games, automas = batch.setting, batch.records, batch.rules.automas
    sizes = (setting.boards["num_hexes"][0], setting.boards["num_cities"][0], setting.decks["num_contracts"][0])
    assert sizes == (MAX_HEXES, MAX_CITIES, MAX_CONTRACTS)
    games["money"] = np.iinfo(np.int32).max
    games["tiles"] = -9
    games["off_map"] = np.iinfo(np.int16).max
    games["generation"] = MAX_GENERATION
    games["num_coins"][:, :automas] = MAX_HEXES
    games["coins"][:, :automas] = np.arange(MAX_HEXES)
    for name in ENCODINGS:
        observations = encode(name, setting, games, 4)
        space = make_observation_space(ENCODINGS[name])
        assert all(space.contains(pick(observations, index)) for index in range(len(games)))
        floats = join({str(key): array for key, array in enumerate(arrays_of(observations)) if array.dtype.kind == "f"})
        assert floats.min() < 0  # some bound is reached
        assert floats.max() == HIGH


@each_encoding
def test_values__are_zeros_for_no_observer(name: str) -> None:
    batch = positions("two")
    rows = join(encode(name, batch.setting, batch.records[:2], np.array([NONE, 0])))
    assert not rows[0].any()
    assert np.array_equal(rows[1:], join(encode(name, batch.setting, batch.records[1:2], 0)))


@each_encoding
def test_values__are_the_same_alone_and_beside_games_of_other_maps_and_decks(name: str) -> None:
    batches = [positions(kind) for kind in ("two", "three", "five")]
    settings = [batch.setting for batch in batches]
    boards, decks = (np.concatenate([getattr(one, key) for one in settings]) for key in ("boards", "decks"))
    for array in (boards, decks):
        array.setflags(write=False)  # as those of every setting
    parts = [batch.records[20 * number :: 60].copy() for number, batch in enumerate(batches)]
    for number, part in enumerate(parts):
        part["board_index"], part["deck_index"] = number, number
    records = np.concatenate(parts)[np.random.default_rng(0).permutation(sum(map(len, parts)))]
    mixed = replace(settings[0], boards=boards, decks=decks)
    before = records.tobytes()
    rows = join(encode(name, mixed, records, 1))
    assert records.tobytes() == before
    for record, row in zip(records, rows, strict=True):
        alone = settings[record["board_index"]]
        one = np.array([record])
        one["board_index"] = one["deck_index"] = 0
        assert np.array_equal(join(encode(name, alone, one, 1))[0], row)


@each_encoding
@pytest.mark.parametrize("kind", ["two", "three", "four", "five", "solo"])
def test_own_seat__comes_first_wherever_it_sits(name: str, kind: str) -> None:
    batch = positions(kind, 17)
    for seat in seats_of(batch):
        rows = join(encode(name, batch.setting, batch.records, seat))
        for shift in range(1, len(seats_of(batch))):
            moved = (seat + shift) % len(seats_of(batch))
            assert np.array_equal(join(encode(name, batch.setting, rotate_seats(batch.records, shift), moved)), rows)
