"""What Steam brings to the shared rooms: conformance, encodings, texts, programs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from steam_env import steam_v0, testing
from steam_env.agents import make_agent
from steam_env.agents.thrifty import ThriftyAgent
from steam_env.commands import evaluate
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam.actions import BLOCKS, LAY, NUM_ACTIONS
from steam_env.core.steam.state import MAX_HEXES, NO_INCOME_LIMIT
from steam_env.core.steam.tiles import NUM_PATTERNS, name_pattern
from steam_env.data.steam.map_checks import find_faults
from steam_env.data.steam.maps import load_map, read_map_file, shipped_maps
from steam_env.encoding.steam import ENCODINGS
from steam_env.encoding.steam.flat import FLAT_HIGH, FLAT_LOW, FLAT_SIZE, HEX_PATTERN, LAYOUT
from steam_env.encoding.steam.graph import LINK_COMPLETE, LINK_PRESENT
from steam_env.encoding.steam.hexes import NUM_FEATURES, PATTERN, PRESENT, STOP, STOP_PARTS, TABLE_SIZE
from steam_env.kit.errors import IllegalActionError, SaveError
from steam_env.spec import GameSpec, find_spec
from steam_env.steam import Game, GameBatch, Rules
from steam_env.testing import check_game
from steam_env.words.steam.actions import parse_pattern
from tests.rules_steam.games import play, position
from tests.rules_steam.players import KINDS, walk

SPEC = find_spec("steam")
AUCTION = Rules(map="mini", turns=1, start="auction", tiles="unlimited", towns_twice=True, bankruptcy="forgiven")


def short(spec: GameSpec) -> GameSpec:
    """The game with matches of one turn."""
    make = spec.make_match_rules
    players = replace(
        spec.players, make_match_rules=lambda seats, names, given: make(seats, names, {"turns": 1, **given})
    )
    return replace(spec, players=players)


def test_check_game__steam_at_every_seat_count() -> None:
    assert check_game(short(SPEC), (AUCTION,)) > 100


def test_spaces__with_equal_groups_are_explained_as_they_are_played() -> None:
    """Rule 8.20: the mask offers the first, and each may be named."""
    game = play(position(tile=[5, 1, 7], to_do={0: True}, supply="2 RG, 5 GR"), "grow Alder")
    testing._check_decision(SPEC, game, np.random.default_rng(1), "")
    assert game.legal_text() == ["space 2"]
    assert game.explain("space 5") is None
    assert "the space has no cubes" in str(game.explain("space 1"))
    game.step("space 5")
    assert game.state()["supply"][4] == ""


def test_actions__660_ids_in_blocks_without_gaps() -> None:
    assert NUM_ACTIONS == SPEC.facts.num_actions == 660
    starts = {block.name: (block.start, block.start + block.length - 1) for block in BLOCKS}
    assert starts["build"] == (13, 268)
    assert starts["tile"] == (269, 375)
    assert starts["from"] == (521, 584)
    assert starts["over"] == (649, 655)
    assert starts["bid"] == (656, 656)


def test_actions__patterns_are_read_in_any_order() -> None:
    for pattern in range(NUM_PATTERNS):
        text = name_pattern(pattern)
        parts = ["-".join(part.split("-")[::-1]) for part in text.split("+")[::-1]]
        assert parse_pattern("+".join(parts)) == parse_pattern(text) == pattern
    game = Game(Rules(map="mini"), 0)
    assert game.text(LAY) == "tile N-NE"
    with pytest.raises(IllegalActionError, match=f"edges of {', '.join(EDGE_NAMES)}"):
        game.parse("tile N-X")


@pytest.mark.parametrize("name", shipped_maps())
def test_maps__that_ship_keep_what_they_promise(name: str) -> None:
    board, text = read_map_file(name)
    assert list(find_faults(board, text)) == []


def test_maps__faults_of_one_that_may_not_ship() -> None:
    board = load_map("mini")
    gray = replace(board, cities=tuple(city._replace(color=4) for city in board.cities), towns=())
    told = " ".join(find_faults(gray, "name = 1"))
    for words in ("the first comment", "seats: not given", "one is gray", "none is red", "towns: there is none"):
        assert words in told


def test_maps__the_one_on_the_page_of_maps_can_be_played(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")
    path = tmp_path / "tiny.toml"
    path.write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    game = Game(Rules(map=str(path)), seed=1)
    assert game.state()["cubes"]["Dale"] == "RY"
    assert game.legal_text()[0] == "take 1"


# --- encodings ----------------------------------------------------------------------------------------------


def test_flat__parts_fill_the_vector() -> None:
    ends = [part.start + part.length for part in LAYOUT]
    assert [part.start for part in LAYOUT] == [0, *ends[:-1]]
    assert ends[-1] == FLAT_SIZE


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_flat__is_bounded_and_tells_positions_apart(number: int) -> None:
    seen: dict[bytes, bytes] = {}
    for game in walk(number):
        row = game.observe(0)
        assert row.min() >= FLAT_LOW
        assert row.max() <= FLAT_HIGH
        assert seen.setdefault(row.tobytes(), game.record.tobytes()) == game.record.tobytes()
    assert len(seen) > 50


def test_flat__every_part_is_written_in_some_game() -> None:
    links = ("0: Birch G5 Elm", "1: Birch F4 F6 Elm", "1: Cedar E5 E3 F2 Birch")
    parallel = position(*links, phase="goods", seat=1, level=2, cubes="Cedar G")
    play(parallel, "from Cedar", "colour gray", "hop Birch", "hop Elm")
    total = parallel.observe(0) != 0
    for number in range(len(KINDS)):
        for game in walk(number, share=0.4):
            total |= game.observe(0) != 0
    assert [part.name for part in LAYOUT if not total[part.start : part.start + part.length].any()] == []


def test_flat__seats_are_told_relative_to_the_observer() -> None:
    game = Game(Rules(map="mini", first_player=1), 0)
    start = next(part.start for part in LAYOUT if part.name == "seat_to_move")
    assert [game.observe(seat)[start : start + 3].tolist().index(1) for seat in range(3)] == [1, 0, 2]


def arrays_of(game: Game, seat: int, name: str) -> dict[str, np.ndarray]:
    seen = game.observe(seat, name)
    return seen if isinstance(seen, dict) else {"": seen}


@pytest.mark.parametrize("name", ["grid", "graph"])
@pytest.mark.parametrize("number", [0, 3])
def test_maps_in_arrays__are_bounded_and_tell_positions_apart(name: str, number: int) -> None:
    specs = ENCODINGS[name].spec
    seen: dict[bytes, bytes] = {}
    for game in walk(number):
        arrays = arrays_of(game, 0, name)
        for part, values in arrays.items():
            spec = specs[part] if isinstance(specs, dict) else specs
            assert (values.shape, values.dtype) == (spec.shape, spec.dtype)
            assert values.min() >= spec.low
            assert values.max() <= spec.high
        whole = b"".join(values.tobytes() for values in arrays.values())
        assert seen.setdefault(whole, game.record.tobytes()) == game.record.tobytes()
    assert len(seen) > 50


def test_grid__has_each_hex_in_a_cell_and_what_flat_tells_of_no_place_in_sheets() -> None:
    for game in walk(2):
        if game.num_steps % 40:
            continue
        planes, row = game.observe(1, "grid"), game.observe(1)
        cells = planes.reshape(len(planes), -1)
        assert cells[PRESENT].sum() == len(game.setting.map.hexes)
        assert cells[STOP].sum() == len(game.setting.map.stops)
        assert (cells[NUM_FEATURES:].ravel()[:TABLE_SIZE] == row[:TABLE_SIZE]).all()
        assert sorted(cells[PATTERN][cells[PATTERN] > 0]) == sorted(
            value for value in row[HEX_PATTERN : HEX_PATTERN + MAX_HEXES] if value
        )


def test_graph__has_the_same_features_and_the_links() -> None:
    for game in walk(1):
        if game.num_steps % 40:
            continue
        graph, planes = game.observe(1, "graph"), game.observe(1, "grid")
        nodes = {row.tobytes() for row in graph["nodes"] if row.any()}
        assert nodes == {row.tobytes() for row in planes[:NUM_FEATURES].reshape(NUM_FEATURES, -1).T if row.any()}
        names, board = game.setting.hex_names, game.setting.boards[0]
        stops = dict(zip(game.setting.map.stops, board.stop_hex.tolist(), strict=False))
        for told, values, ends in zip(game.links(), graph["links"], graph["link_ends"], strict=False):
            assert values[LINK_COMPLETE] == ("open" not in told)
            last = told["path"][-1]
            wanted = {int(stops[told["path"][0]]), int(stops[last]) if last in stops else names.index(last)}
            assert set(ends.tolist()) == wanted
        assert graph["links"][:, LINK_PRESENT].sum() == len(game.links())
        for here, row in enumerate(graph["neighbours"][: len(names)]):
            for edge, there in enumerate(row):
                assert there == -1 or graph["neighbours"][there, (edge + 3) % 6] == here


def test_hexes__every_value_of_flat_is_in_the_other_encodings() -> None:
    taken = [part.name for part in LAYOUT if part.start < TABLE_SIZE]
    taken += [part.name for part in LAYOUT if part.start in dict(STOP_PARTS)]
    assert [part.name for part in LAYOUT][: len(taken)] == taken
    assert [part.name for part in LAYOUT][len(taken) :] == ["hex_chosen", "hex_pattern", "hex_owner", "hex_open"]


# --- games, files, programs ---------------------------------------------------------------------------------


def test_game__nothing_is_hidden() -> None:
    game = Game(Rules(map="mini"), 3)
    assert game.redeal(0, 5).record.tobytes() == game.record.tobytes()
    assert game.redeal(0, 5).state() == game.state()


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_view__is_the_record_at_every_decision(number: int) -> None:
    for game in walk(number, share=0.1):
        assert not game.record.rng.any()
        for seat in range(game.seats):
            assert game.view(seat).records.tobytes() == game.records.tobytes()
            assert game.log_for(seat) == game.log


def test_game__a_deal_can_be_given() -> None:
    game = Game(Rules(map="mini", num_players=4), 3)
    deal = game.events[0].values
    assert Game(Rules(map="mini", num_players=4), 9, deal=deal).record.tobytes() == game.record.tobytes()
    with pytest.raises(ValueError, match=r"deal: supply\[0\]='R': 3 cubes are dealt there"):
        Game(Rules(map="mini", num_players=4), 9, deal={**deal, "supply": ["R", *deal["supply"][1:]]})


def test_game__an_auction_that_a_scenario_begins_is_saved() -> None:
    game = Game.from_scenario({"game": "steam", "map": "mini", "rules": {"start": "auction"}}, 4)
    game.step("bid")
    assert Game.load(game.save()).state() == game.state()


def test_game__saves_of_the_other_game_are_refused() -> None:
    from steam_env import Game as OtherGame

    with pytest.raises(SaveError, match="a game of 'steam', not of 'steam_power'"):
        OtherGame.load(Game(Rules(map="mini"), 0).save())


def test_log__tells_every_kind_of_event() -> None:
    kinds: set[str] = set()
    for number in range(len(KINDS)):
        *_, game = walk(number, share=0.3)
        kinds |= {event.kind for event in game.events}
        assert len(game.log) == len(game.events)
    assert kinds >= set(SPEC.facts.events) - {"bankrupt", "no_growth", "claim", "remove_link"}


def test_render__is_a_text_of_the_position() -> None:
    *_, game = walk(0)
    text = str(game.render())
    assert text.startswith("Po Valley, turn 10 of 10\nthe game is over: player_")
    assert all(
        name in text for name in ("MIL Milan (", "player_0   $", "Goods Supply: ", "New Cities: ", "track tiles: ")
    )


def test_rules__round_trips() -> None:
    rules = Rules(income_max="none", first_player=1, turns=3)
    assert Rules.from_json(rules.to_json()) == Rules.from_dict(rules.to_dict()) == rules
    assert (rules.highest_income, rules.num_turns) == (NO_INCOME_LIMIT, 3)
    assert SPEC.make_match_rules(5, (), {}).map == "rhineland"


def test_environments__play_to_the_end() -> None:
    env: Any = gymnasium.make("Steam-v0", opponents=ThriftyAgent, map="mini", turns=2)
    _, info = env.reset(seed=1)
    rng, over = np.random.default_rng(1), False
    while not over:
        _, _, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    assert len(info["scores"]) == 3
    table: Any = steam_v0.env(map="mini", turns=1)
    table.reset(seed=1)
    assert table.unwrapped.game.phase == "take"


def test_thrifty__beats_random_and_stays_solvent() -> None:
    batch, agent = GameBatch(Rules(map="mini"), 60, seed=5), make_agent("thrifty", "steam")
    agent.reset(5)
    while not batch.done.all():
        batch.step(agent.act(None, batch.mask, batch.views()))
    assert (batch.records["bankrupt"] > 0).mean() < 0.05
    assert batch.records["vp"][:, :3].mean() > 8


def test_evaluate__plays_matches(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "steam", "--against", "thrifty", "--deals", "2", "--map", "mini", "--quiet"]
    assert evaluate.main(["random", *options]) == 0
    assert "random against thrifty" in capsys.readouterr().out
