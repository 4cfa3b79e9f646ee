"""What holds at every decision of games that go on to late turns."""

from collections import Counter
from itertools import chain
from typing import Any

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.steam.actions import BLOCKS
from steam_env.core.steam.links import begin_tracing, trace_links
from steam_env.core.steam.state import BAG, COLOR_LETTERS, GAME, new_work
from steam_env.kit.errors import SaveError
from steam_env.spec import Block
from steam_env.steam import Game, Rules
from steam_env.words.steam.possible import check_position
from tests.rules_steam.players import KINDS, walk


def name_block(name: str) -> Block:
    return next(block for block in BLOCKS if block.name == name)


each_kind = pytest.mark.parametrize("number", range(len(KINDS)))
OFTEN = 11  # every so many decisions something slow is looked at


def is_same(first: Any, second: Any) -> bool:
    return all(first[name].tobytes() == second[name].tobytes() for name in GAME.names or ())


@each_kind
def test_rule_3_7__links_follow_from_the_track_alone(number: int) -> None:
    for game in walk(number):
        records, work = game.records.copy(), new_work()[0]
        begin_tracing(records[0], work, NONE, 0, False)
        trace_links(records[0], game.setting.boards[0], work, NONE)
        assert is_same(records[0], game.record)


@each_kind
def test_what_the_mask_offers_is_what_no_rule_forbids(number: int) -> None:
    """Of placements both are found in different ways (rule 8)."""
    tracks = (name_block("build"), name_block("tile"))
    for step, game in enumerate(walk(number, share=0.3)):
        if game.phase in ("build", "tile") and step % OFTEN < 3:
            for block in tracks:
                actions = range(block.start, block.start + block.length)
                free = [action for action in actions if game.explain(action) is None]
                assert free == [action for action in actions if game.mask[action]], (step, block.name)


@each_kind
def test_rule_3_4__links_are_as_links_are(number: int) -> None:
    for game in walk(number):
        for link in game.links():
            ends = {link["path"][0], link["path"][-1]} & set(game.setting.map.stops)
            assert len(ends) == (1 if "open" in link else 2)
            assert not ("extended" in link and (link["owner"] != game.seat or game.state()["round"]))


@each_kind
def test_stocks_add_up(number: int) -> None:
    """Rules 2.5, 4.2 and 9.7: tiles and cubes are on the map, in the supply, in the bag, or in the stock."""
    for game in walk(number):
        state = game.state()
        cubes = Counter(chain(*state["cubes"].values(), *state["supply"]))
        assert [cubes[letter] + state["bag"][letter] for letter in COLOR_LETTERS] == list(BAG)
        laid = Counter(int(game.setting.boards[0].kind[pattern]) for pattern in game.record.pattern if pattern != NONE)
        for kind, tiles in enumerate(game.setting.tiles):
            assert game.rules.tiles == "unlimited" or state["stock"][tiles.kind] + laid[kind] == tiles.number
        assert len(state["new_cities"]) + sum(state["new_left"].values()) == 8
        assert len(state["grown"]) + state["markers_left"] == 10
        assert all(-10 <= income <= game.rules.highest_income for income in state["income"])
        assert min(*state["vp"], *state["money"]) >= 0


@each_kind
def test_scenarios__lead_to_the_same_record(number: int) -> None:
    seen = 0
    for game in walk(number):
        if game.num_steps % OFTEN == 0 and game.phase in ("take", "build", "goods"):
            assert is_same(Game.from_scenario(game.to_scenario(), 0).record, game.record)
            seen += 1
    assert seen > 5


@each_kind
def test_saves__of_positions_without_a_past(number: int) -> None:
    """A redeal has none: its record is checked by building it up again."""
    for game in walk(number):
        if game.num_steps % OFTEN == 0 or game.phase in ("over", "space", "score"):
            check_position(game.records, game.setting)
    assert is_same(Game.load(game.redeal(0, 1).save()).record, game.record)


BROKEN = {
    "money": -1,
    "pattern": 107,
    "num_links": 3,
    "link_to": 0,
    "income": 99,
    "city_color": NONE,
    "order": 0,
    "stock": 1,
    "served": 1,
}


@pytest.mark.parametrize("name", BROKEN)
def test_saves__of_positions_that_cannot_be(name: str) -> None:
    game = next(game for game in walk(0) if game.round == 3 and game.phase == "build")
    other = game.redeal(0, 1)
    other._start[name] = other.records[name] = BROKEN[name]
    with pytest.raises(SaveError):
        Game.load(other.save())


@each_kind
def test_batch__plays_what_single_games_play(number: int) -> None:
    from steam_env.steam import GameBatch

    rules = Rules(**KINDS[number])  # type: ignore[arg-type]
    batch, rng = GameBatch(rules, 3, seed=number), np.random.default_rng(number)
    games = [Game(rules, number + place) for place in range(3)]
    for _ in range(60):
        actions = batch.sample_legal(rng)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.done:
                game.step(int(action))
    assert all(is_same(record, game.record) for record, game in zip(batch.records, games, strict=True))
