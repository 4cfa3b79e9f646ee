"""What programs and language models are told: views as JSON, held to their schema, and a game as a page of text."""

import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from steam_env import GameBatch, Rules, steam
from steam_env.spec import find_spec
from steam_env.table.game import Game, game_class_of
from tests import games, toy
from tests.rules_steam.players import walk as walk_steam
from tests.seen import KINDS, disguise, positions

SCHEMAS = Path(__file__).parents[1] / "docs" / "protocol"
VIEW = Draft202012Validator(json.loads((SCHEMAS / "view-1.schema.json").read_text(encoding="utf-8")))
GAPS = re.compile(r"\n| {3,}")  # between two actions of a page
SHORT = {
    "steam_power": Rules(map="mini", contracts="mini", contracts_to_end=1, max_rounds=6),
    "steam": steam.Rules(map="mini", turns=1),
    "toy": toy.Rules(num_players=3),
}


def deal(rules: Any, seed: int = 1) -> Game:
    return game_class_of(find_spec(rules.game).load(rules))(rules, seed)


def read_actions(page: str) -> list[str]:
    """The actions that stand at the end of a page, for who sees nothing but the page."""
    return [text.strip() for text in GAPS.split(page.rpartition("# Legal actions\n\n")[2]) if text.strip()]


# --- a page of text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SHORT)
def test_describe__is_enough_to_play_a_whole_game(game: str) -> None:
    played, rng = deal(SHORT[game]), random.Random(3)
    while not played.done:
        actions = read_actions(played.describe(played.seat))
        assert actions == played.legal_text()
        played.step(rng.choice(actions))
    assert played.num_steps > 5
    assert played.describe(0).endswith("None: the game is over.\n")


def test_describe__tells_rules_position_and_whose_decision_it_is() -> None:
    game = deal(SHORT["steam_power"])
    other = 1 - game.seat
    page = game.describe(other)
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# The rules of Steam Power, in short",
        f"# The position, as player_{other} sees it",
        "# Legal actions",
    ]
    assert f"player_{other} holds: " in page
    assert f"player_{game.seat} holds: " not in page
    assert page.endswith(f"None now: player_{game.seat} decides.\n")
    assert "1 fulfilled contracts, or after round 6" in page


def test_describe__has_no_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    game = deal(SHORT["steam_power"])
    assert "\x1b" in game.render()
    assert "\x1b" not in game.describe(0)


def test_describe__refuses_a_seat_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="seat=2: 0 to 1 are allowed"):
        deal(SHORT["steam_power"]).describe(2)


# --- plain data -------------------------------------------------------------------------------------------


def walk_all() -> Iterator[Game]:
    """Positions of every kind of game of the house."""
    for rules in games.TABLES.values():
        yield from islice(games.walk(rules, 5), 0, None, 9)
    for number in range(6):
        yield from islice(walk_steam(number), 0, None, 7)


def test_view_to_dict__keeps_its_schema_in_every_kind_of_game() -> None:
    Draft202012Validator.check_schema(VIEW.schema)
    phases: dict[str, set[str]] = {}
    for game in walk_all():
        told = game.view(game.seats - 1).to_dict()
        VIEW.validate(told)
        phases.setdefault(told["game"], set()).add(told["phase"])
    assert len(phases["steam_power"]) >= 7
    assert len(phases["steam"]) >= 11


def test_view_to_dict__is_plain_data_and_its_json_is_the_same() -> None:
    view = deal(SHORT["steam"]).view(1)
    assert json.loads(view.to_json()) == view.to_dict()
    assert "\n" not in view.to_json()
    assert view.to_dict()["seat"] == 1


def test_view_to_dict__of_a_game_that_brings_no_words_has_every_field_but_chance() -> None:
    game = deal(SHORT["toy"])
    game.step("draw")
    told = game.view(1).to_dict()
    assert told["position"]["card"] == [toy.UNKNOWN, -1, -1, -1]
    assert "rng" not in told["position"]
    assert {"pile", "stones"} <= set(told["position"])


def test_view_to_dict__of_several_games_takes_one() -> None:
    batch = GameBatch([SHORT["steam_power"], Rules(map="alps")], 2, seed=[1, 2])
    view = batch.views()
    with pytest.raises(ValueError, match="a view of 2 games"):
        view.to_dict()
    maps = [len(view.take([number]).to_dict()["position"]["cities"]) for number in range(2)]
    assert maps == [len(part.map.cities) for part in batch.setting.parts]


def test_view_to_dict__tells_all_that_the_scene_shows() -> None:
    game = games.find_busy()
    told, scene = game.view(0).to_dict()["position"], game.scene(0)
    assert [city["owner"] for city in told["cities"]] == [city.owner for city in scene.cities]
    assert [city["flipped"] for city in told["cities"]] == [city.flipped for city in scene.cities]
    assert [len(path["path"]) for path in told["links"]] == [
        1 + len(link.hexes) + (link.end is not None) for link in scene.links
    ]
    assert [owner["hand"] for owner in told["owners"]] == [[card.number for card in seat.hand] for seat in scene.seats]
    assert told["discards"] == [card.number for card in scene.supply.discards]
    assert sum(group["places"].get("deck", 0) for group in told["unknown"]) == told["deck"] == scene.supply.deck
    assert [len(automa["coins"]) for automa in told["automas"] if automa["coins"]] == [
        len(path.hexes) for path in scene.coins
    ]


# --- nothing hidden ---------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(sorted(KINDS)), st.integers(0, 10**6), st.integers(0, 10**6))
def test_nothing_hidden_is_told(kind: str, place: int, seed: int) -> None:
    """What a seat may not know dealt anew changes neither its JSON nor its page; whose hand it is, sees it."""
    batch = positions(kind, 7)
    row, seat = place % len(batch), place % batch.rules.companies
    record = batch.records[row : row + 1]
    other = disguise(record, seat, np.random.default_rng(seed))
    first, second = (game_class_of(batch.setting)._at(batch.setting, records) for records in (record, other))
    assert first.view(seat).to_json() == second.view(seat).to_json()
    assert first.describe(seat) == second.describe(seat)
    for holder in range(batch.rules.players):
        if holder != seat and (first.hand(holder) != second.hand(holder)):
            assert first.view(holder).to_json() != second.view(holder).to_json()


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.sampled_from(sorted(SHORT)), st.integers(0, 30), st.integers(0, 10**6))
def test_redeals_are_told_alike(game: str, steps: int, seed: int) -> None:
    """The same for every game of the house, and one beside it."""
    played, rng = deal(SHORT[game], seed), random.Random(seed)
    for _ in range(steps):
        if played.done:
            break
        played.step(rng.choice(played.legal()))
    for seat in range(played.seats):
        other = played.redeal(seat, seed)
        assert played.view(seat).to_json() == other.view(seat).to_json()
        assert played.describe(seat) == other.describe(seat)
