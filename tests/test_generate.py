"""Maps and decks from seeds: the same on every machine, as the knobs say, playable; their names; small changes."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from statistics import mean

import numpy as np
import pytest

from steam_env import Game, Rules
from steam_env.core.rng import draw_below, seed_stream
from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    HILLS,
    ICON_NAMES,
    MOUNTAINS,
    NUM_RESOURCES,
    WATER,
)
from steam_env.data.generate import CHANGED, Stream, find_worlds, generate_deck, generate_map, is_world_name, mutate_map
from steam_env.data.steam_power import landscape, sets
from steam_env.data.steam_power.decks import Deck, load_deck
from steam_env.data.steam_power.drawn_decks import FOUR, USUAL_TILES, measure_links
from steam_env.data.steam_power.knobs import BOUNDS, MapSpec
from steam_env.data.steam_power.map_stats import measure_map
from steam_env.data.steam_power.maps import (
    Map,
    MapError,
    check_map,
    find_groups,
    load_map,
    map_to_dict,
    parse_map,
    shipped_maps,
    terrain_by_cell,
)
from steam_env.data.steam_power.sets import GEN_V1, LIKE_OURS, UNLIKE_OURS, find_deck, find_map
from steam_env.data.steam_power.setting import load_setting
from steam_env.evaluation.provenance import hash_content
from tests.uncompiled import run_uncompiled

SOME = ("train:0", "train:9999", "test:17", "ood:99")
HASH_OF_SOME = "54b8b06ddbccfe69f4b5038bf7bf6b187b8112bfbde704886afa1efbc7af7fb7"
MILLISECONDS = 20  # allowed for a map, and for a deck
SPECS = {"usual": MapSpec(), "train": LIKE_OURS, "ood": UNLIKE_OURS}
SEEDS = range(20)


def hash_some() -> str:
    """A hash of maps and decks of each set."""
    names = [f"gen-v1:{name}" for name in SOME]
    return hash_content({name: load_setting(Rules(map=name, contracts=name)).contents for name in names})


def make_maps(spec: MapSpec) -> list[Map]:
    return [generate_map(seed, spec) for seed in SEEDS]


def measure_mean(spec: MapSpec, measure: Callable[[Map], float]) -> float:
    return mean(map(measure, make_maps(spec)))


# --- the same everywhere --------------------------------------------------------------------------------
def test_generator__makes_the_same_maps_and_decks_for_ever() -> None:
    assert hash_some() == HASH_OF_SOME


def test_generator__does_the_same_without_compiled_code_and_with_other_hashes_of_texts() -> None:
    code = "from tests.test_generate import hash_some; print(hash_some())"
    assert run_uncompiled(code, PYTHONHASHSEED="7") == HASH_OF_SOME


def test_stream__draws_what_games_would_draw() -> None:
    stream, state = Stream(17, 3), np.zeros(4, np.uint32)
    seed_stream(state, 17, 3)
    assert [stream.below(1000) for _ in range(9)] == [draw_below(state, 1000) for _ in range(9)]
    assert Stream(17, 4).below(2**31) != Stream(17, 3).below(2**31)
    assert sorted(Stream(1).shuffle(range(50))) == list(range(50)) != Stream(1).shuffle(range(50))
    assert {Stream(seed).between(3, 5) for seed in range(40)} == {3, 4, 5}
    assert [Stream(1).hits(percent) for percent in (0, 100)] == [False, True]


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_generator__is_fast(spec: MapSpec) -> None:
    generate_deck(10**6, spec)  # compiles, and fills tables
    seconds = []
    for first in (10**7, 2 * 10**7, 3 * 10**7):  # the best of three: what else runs only adds to it
        begun = time.process_time()
        for seed in SEEDS:
            generate_deck(first + seed, spec)  # makes the map, too
        seconds.append((time.process_time() - begun) / len(SEEDS))
    assert min(seconds) < MILLISECONDS / 1000


# --- maps -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_generated_map__can_be_played_and_read_back(spec: MapSpec) -> None:
    for board in make_maps(spec):
        check_map(board)
        assert parse_map(map_to_dict(board)) == board
        stats = measure_map(board)
        assert stats.components == 1
        assert stats.one_tile_groups <= 3


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_generated_map__has_numbers_within_the_knobs(spec: MapSpec) -> None:
    ranges = spec.list_ranges()
    for board in make_maps(spec):
        stats = measure_map(board)
        assert ranges["hexes"][0] <= stats.hexes <= ranges["hexes"][1]
        assert ranges["cities"][0] <= stats.cities <= ranges["cities"][1]
        for terrain, knob in ((HILLS, "hills"), (MOUNTAINS, "mountains")):
            share = 100 * stats.terrain[terrain] / stats.land
            assert ranges[knob][0] - 1 < share <= ranges[knob][1]
        joined = 100 * (stats.cities - stats.groups) / stats.cities
        assert ranges["groups"][0] - 100 / stats.cities < joined <= ranges["groups"][1]
        assert max(map(len, find_groups(board))) <= landscape.GROUP_SIZE
        assert min(column for column, _, _ in board.hexes) == 1
        assert min(row for _, row, _ in board.hexes) in (1, 2)


EFFECTS: dict[str, Callable[[Map], float]] = {
    "hexes": lambda board: len(board.hexes),
    "spacing": lambda board: -len(board.cities),
    "cities": lambda board: len(board.cities),
    "groups": lambda board: len(board.cities) - len(find_groups(board)),
    "hills": lambda board: measure_map(board).terrain[HILLS],
    "mountains": lambda board: measure_map(board).terrain[MOUNTAINS],
    "lakes": lambda board: measure_map(board).terrain[WATER],
    "rivers": lambda board: measure_map(board).terrain[WATER],
    "passages": lambda board: measure_map(board).passages,
    "ragged": lambda board: count_box(board) - len(board.hexes),
    "purple": lambda board: board.tiles.count("P"),
    "colours": lambda board: max(Counter(board.tiles.replace("P", "")).values()),
}


def count_box(board: Map) -> int:
    """Hexes of the rectangle round a map."""
    columns = max(column for column, _, _ in board.hexes)
    return columns * (max(row for _, row, _ in board.hexes) + 1) // 2


@pytest.mark.parametrize("knob", EFFECTS)
def test_knob__does_what_it_says(knob: str) -> None:
    low, high = BOUNDS[knob]
    others = {"cities": (10, 33)} if knob in ("hexes", "spacing") else {}
    least, most = (MapSpec(**{"hexes": 200, **others, knob: value}) for value in (low, high))
    assert measure_mean(least, EFFECTS[knob]) < measure_mean(most, EFFECTS[knob])


def test_knobs__allow_what_the_shipped_maps_and_decks_have() -> None:
    assert list(BOUNDS) == list(MapSpec().list_ranges()) == [*EFFECTS, "contracts", "needs"]
    for name in shipped_maps():
        board = load_map(name)
        stats = measure_map(board)
        found = {
            "hexes": stats.hexes,
            "spacing": 10 * stats.hexes / stats.cities,
            "cities": stats.cities,
            "groups": 100 * (stats.cities - stats.groups) / stats.cities,
            "hills": 100 * stats.terrain[HILLS] / stats.land,
            "mountains": 100 * stats.terrain[MOUNTAINS] / stats.land,
            "lakes": 100 * stats.terrain[WATER] / stats.hexes,
            "passages": 100 * stats.passages / stats.hexes,
            "purple": 100 * board.tiles.count("P") / len(board.tiles),
        }
        for knob, value in found.items():
            assert BOUNDS[knob][0] <= value <= BOUNDS[knob][1], (name, knob, value)


def test_usual_map__has_the_statistics_of_the_big_shipped_ones() -> None:
    stats = [measure_map(board) for board in make_maps(MapSpec())]
    assert 1.9 <= mean(one.mean_tiles for one in stats) <= 2.2
    assert 12 <= mean(one.passages for one in stats) <= 25
    assert mean(one.share_within(4) for one in stats) >= 0.95
    assert 0.4 <= mean(one.paying_share for one in stats) <= 0.6


def test_city_names__differ_in_their_begin_and_fit_into_texts_of_actions() -> None:
    for number in (3, 4):
        name = f"gen-v1:ood:{number}"
        game = Game(Rules(map=name, contracts=name), seed=1)
        cities = game.setting.map.cities
        assert len({city[:3] for city in cities}) == len({city.casefold() for city in cities}) == len(cities)
        for action in game.legal():
            assert game.parse(game.text(action)) == action


def test_bag__has_two_tiles_more_than_cities_of_even_colours() -> None:
    for board in make_maps(replace(MapSpec(), colours=0, purple=15)):
        counts = Counter(board.tiles)
        assert len(board.tiles) == len(board.cities) + landscape.SPARE_TILES
        assert counts["P"] == 15 * len(board.tiles) // 100
        colored = [counts[letter] for letter in COLOR_LETTERS[:NUM_RESOURCES]]
        assert max(colored) - min(colored) <= 1


# --- decks ------------------------------------------------------------------------------------------------
def make_decks(spec: MapSpec) -> list[Deck]:
    return [generate_deck(seed, spec) for seed in SEEDS]


def test_generated_deck__turns_each_contract_through_the_colours() -> None:
    for deck in make_decks(MapSpec(contracts=(36, 48))):
        fours = [deck.contracts[first : first + FOUR] for first in range(0, len(deck.contracts), FOUR)]
        assert 36 <= len(deck.contracts) == FOUR * len(fours) <= 48
        for first, *others in fours:
            for turn, other in enumerate(others, 1):
                turned = [COLOR_LETTERS[(COLOR_LETTERS.index(need) + turn) % NUM_RESOURCES] for need in first.needs]
                assert other.needs == "".join(turned)
                assert (other.money, other.vp, other.bonus) == (first.money, first.vp, first.bonus)
            assert len(set(first.needs)) > 1
            assert first.vp >= 1
            assert first.bonus not in ICON_NAMES or {card.automa for card in (first, *others)} == {first.bonus}
        assert len({four[0].needs for four in fours if len(four[0].needs) > 2}) == sum(
            len(four[0].needs) > 2 for four in fours
        )


def test_generated_deck__has_the_statistics_of_the_shipped_one() -> None:
    standard = load_deck("standard").contracts
    made = [card for deck in make_decks(MapSpec()) for card in deck.contracts]
    for measure, allowed in (
        (lambda card: len(card.needs), 0.1),
        (lambda card: card.vp, 0.4),
        (lambda card: card.money, 0.4),
        (lambda card: card.bonus != "none", 0.01),
        (lambda card: card.automa == "track", 0.05),
    ):
        assert mean(map(measure, made)) == pytest.approx(mean(map(measure, standard)), abs=allowed)


def test_generated_deck__pays_more_where_cities_are_far_from_each_other() -> None:
    near, far = MapSpec(spacing=55), MapSpec(spacing=150, cities=(10, 33))
    assert measure_mean(near, measure_links) < measure_mean(far, measure_links) - 50

    def worth(spec: MapSpec) -> float:
        return mean(5 * card.vp + card.money for deck in make_decks(spec) for card in deck.contracts)

    assert worth(far) > 1.15 * worth(near)


def test_measure_links__of_the_shipped_maps_is_about_the_usual() -> None:
    assert all(abs(measure_links(load_map(name)) - USUAL_TILES) <= 15 for name in shipped_maps())
    tiny = parse_map({"name": "tiny", "cities": ["Ames", "Boone", "Elgin"], "rows": "@\n\n.\n\n@\n\n.\n\n.\n\n@"})
    assert measure_links(tiny) == 150  # one tile, and two


def test_generated_deck__of_a_small_map_ends_the_game_sooner() -> None:
    small, large = MapSpec(hexes=70, cities=12), MapSpec(hexes=200)
    assert {deck.contracts_to_end for deck in make_decks(small)} == {2 + 12 // 3}
    assert {deck.contracts_to_end for deck in make_decks(large)} == {None}


# --- names ------------------------------------------------------------------------------------------------
def test_rules__name_maps_of_sets_and_saves_scenarios_and_pickles_need_no_file() -> None:
    rules = Rules(map="gen-v1:train:17", contracts="gen-v1:train:17")
    game = Game(rules, seed=3)
    assert game.setting.map == generate_map(17, LIKE_OURS, name="gen-v1:train:17")
    assert game.setting.deck == generate_deck(17, LIKE_OURS, name="gen-v1:train:17")
    scenario = game.to_scenario()
    assert (scenario["map"], scenario["contracts"]) == (rules.map, rules.contracts)
    for again in (Game.load(game.save()), Game.from_scenario(scenario)):
        assert again.rules == rules
        assert again.record == game.record
        assert again.setting.map == game.setting.map


def test_scenario__with_a_map_of_its_own_under_such_a_name_is_written_out() -> None:
    for name in ("a:b:c", "gen-v1:train:17"):
        table = {
            **Game(Rules(map="mini"), seed=1).to_scenario(),
            "map": {**map_to_dict(load_map("mini")), "name": name},
        }
        game = Game.from_scenario(table)
        assert game.to_scenario()["map"] == table["map"]


def test_sets__are_drawn_from_seeds_apart_and_end_with_the_shipped_maps() -> None:
    drawn = {kind: GEN_V1[kind] for kind in ("train", "test", "ood")}
    ranges = [range(one.first, one.first + one.count) for one in drawn.values()]
    assert all(not set(one) & set(other) for one in ranges for other in ranges if one is not other)
    assert [one.count for one in (*drawn.values(), GEN_V1["hand"])] == [10_000, 200, 100, len(shipped_maps())]
    hand = [find_map(f"gen-v1:hand:{number}") for number in range(GEN_V1["hand"].count)]
    assert sorted(board.name for board in hand) == list(shipped_maps())
    assert find_deck("gen-v1:hand:0") == load_deck("standard")


@pytest.mark.parametrize("name", ["midwest", "my.toml", "a:b", "a:b:c:d", "C:\\a:b:c", "maps/a:b:c", 3])
def test_is_world_name__is_of_three_parts_and_no_path(name: object) -> None:
    assert not is_world_name(name)
    assert is_world_name("gen-v1:train:1")


# --- small changes ----------------------------------------------------------------------------------------
def test_mutate_map__changes_one_thing_and_leaves_a_map_to_play() -> None:
    stream, board = Stream(5), load_map("midwest")
    kinds = set()
    for _ in range(60):
        changed = mutate_map(board, stream)
        check_map(changed)
        before, after = terrain_by_cell(board), terrain_by_cell(changed)
        differing = [cell for cell in before if before[cell] != after[cell]]
        moved = [city for city in board.cities if place_of(city, board) != place_of(city, changed)]
        kinds.add((len(differing), len(moved)))
        assert sorted(changed.cities) == sorted(board.cities)
        assert (changed.name, changed.tiles) == ("midwest" + CHANGED, board.tiles)
        board = changed
    assert {(1, 0), (2, 1)} <= kinds
    assert len({hash_content(map_to_dict(mutate_map(load_map("mini"), Stream(7)))) for _ in range(2)}) == 1


def place_of(city: str, board: Map) -> tuple[int, int]:
    cells = [(column, row) for column, row, _ in board.hexes if terrain_by_cell(board)[column, row] == landscape.CITY]
    return cells[board.cities.index(city)]


def test_mutate_map__refuses_a_map_in_which_nothing_can_change() -> None:
    stuck = parse_map({"name": "stuck", "cities": ["Ames"], "tiles": "W", "hexes": {"A1": "city"}})
    with pytest.raises(MapError, match=r"^stuck: no change in 20 tries leaves a map that can be played"):
        mutate_map(stuck, Stream(1))


# --- bad input --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"hexes": 300}, r"hexes=300: 60 to 256 are allowed"),
        ({"hexes": (200, 100)}, r"hexes=\(200, 100\): 60 to 256 are allowed, a range as \(low, high\)"),
        ({"lakes": -1}, r"lakes=-1: 0 to 30 are allowed"),
        ({"rivers": 1.5}, r"rivers must be an integer, not 1\.5 of type float"),
        ({"hills": (1, 2, 3)}, r"hills=\(1, 2, 3\) \(tuple\): a number, or a range of two, is allowed"),
        ({"hexes": (60, 200), "cities": 13}, r"cities=\(13, 13\): hexes=\(60, 200\) has room for 12"),
    ],
)
def test_map_spec__names_the_knob_that_is_wrong(knobs: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MapSpec(**knobs)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gen-v9:train:1", "'gen-v9:train': family 'gen-v9': allowed are gen-v1"),
        ("gen-v1:tain:1", "'gen-v1:tain': set 'tain': allowed are train, test, ood, hand"),
        ("gen-v1:test:200", "'gen-v1:test:200': number '200': 0 to 199 are allowed"),
        ("gen-v1:test:-1", "number '-1': 0 to 199 are allowed"),
        ("gen-v1:test:01", "number '01': 0 to 199 are allowed"),
        ("gen-v1:test:٣", "number '٣': 0 to 199 are allowed"),
        ("gen-v1:test:", "number '': 0 to 199 are allowed"),
    ],
)
def test_names_of_worlds__tell_what_is_wrong_of_which_entry(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^map: .*" + message):
        Game(Rules(map=name))
    with pytest.raises(ValueError, match=r"^contracts: .*" + message):
        Game(Rules(contracts=name))


def test_generate_map__tells_of_knobs_with_which_no_map_hangs_together() -> None:
    crowded = MapSpec(hexes=60, cities=12, spacing=50, lakes=30, rivers=6, passages=15, groups=0)
    with pytest.raises(ValueError, match=r"^seed=1: no map that hangs together in 20 tries with MapSpec\(hexes=\(60,"):
        generate_map(1, crowded)


def test_generate_map__refuses_what_is_no_seed_and_games_that_make_no_maps() -> None:
    with pytest.raises(ValueError, match=r"seed=-1: 0 to 2\*\*63 - 1 are allowed"):
        generate_map(-1)
    with pytest.raises(ValueError, match=r"makes no maps from seeds"):
        find_worlds("tests.toy:SPEC")
    assert find_worlds() is sets.WORLDS


# --- parts of sets ----------------------------------------------------------------------------------------
def test_parts__share_out_the_training_maps_and_rank_them_by_their_knobs() -> None:
    parts = {name: list(GEN_V1[name].list_numbers()) for name in ("learn", "valid", "easy", "medium", "hard")}  # type: ignore[attr-defined]
    assert all(len(numbers) == GEN_V1[name].count for name, numbers in parts.items())
    assert sorted(parts["learn"] + parts["valid"]) == list(range(GEN_V1["train"].count))
    ranked = parts["easy"] + parts["medium"] + parts["hard"]
    assert sorted(ranked) == parts["learn"]
    hardness = [LIKE_OURS.measure_hardness(GEN_V1["train"].tell_knobs(number)) for number in ranked]
    assert hardness == sorted(hardness)
    assert hardness[len(parts["easy"])] > 1.1 * mean(hardness[: len(parts["easy"])])


def test_parts__have_the_maps_of_the_whole_under_their_names() -> None:
    number = GEN_V1["hard"].list_numbers()[17]  # type: ignore[attr-defined]
    there = f"gen-v1:train:{number}"
    assert find_map("gen-v1:hard:17") == find_map(there)
    assert find_deck("gen-v1:hard:17") == find_deck(there)
    assert find_map("gen-v1:hard:17").name == there
    assert GEN_V1["hard"].tell_knobs(17) == GEN_V1["train"].tell_knobs(number)
    assert list(find_worlds().list_frozen("gen-v1")) == ["train", "test", "ood", "hand"]


def test_knobs__tell_what_the_maps_are_like() -> None:
    for number in range(10):
        told = GEN_V1["ood"].tell_knobs(number)
        assert told["hexes"] == len(find_map(f"gen-v1:ood:{number}").hexes)
        assert told["contracts"] // FOUR * FOUR == len(find_deck(f"gen-v1:ood:{number}").contracts)
    assert GEN_V1["hand"].tell_knobs(0) == {}
