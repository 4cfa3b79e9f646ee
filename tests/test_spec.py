"""What a game brings: the conformance kit passes for Steam Power and for a toy, and finds what is broken."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from steam_env import Game, Rules
from steam_env.kit.errors import SaveError
from steam_env.spec import GameSpec, find_known, find_spec, list_games
from steam_env.table.engine import find_engine
from steam_env.table.game import Game as SharedGame
from steam_env.testing import ConformanceError, check_game
from tests import toy

SHORT = {"map": "mini", "contracts": "standard", "max_rounds": 2}
MODES = (
    Rules(num_players=3, automas=2, automa_level="hard", **SHORT),
    Rules(mode="solo", **{**SHORT, "max_rounds": 1}),
    Rules(edition="preview", routing="cheapest", **SHORT),
)


def short(spec: GameSpec) -> GameSpec:
    """The game with short matches."""
    make = spec.make_match_rules
    players = replace(
        spec.players, make_match_rules=lambda seats, names, fields: make(seats, names, {**SHORT, **fields})
    )
    return replace(spec, players=players)


def test_check_game__steam_power_at_every_seat_count_and_in_every_mode() -> None:
    assert check_game(short(find_spec("steam_power")), MODES) > 100


def test_check_game__a_toy_game_of_another_record() -> None:
    assert check_game(find_spec("tests.toy:SPEC"), games=3) > 30


def swap_first(record: np.record, action: int) -> int:
    """The first two actions the other way round: so each is offered in place of the other."""
    return 1 - action if action < 2 else action


def score_wrongly(records: np.ndarray, scores: np.ndarray, winners: np.ndarray) -> None:
    toy.score(records, scores, winners)
    scores[:, :, 0] += 1


BROKEN = {
    "the mask and the reason": {"find_problem": lambda records, work, action: int(action == 0)},
    "redeal": {"blank": lambda records, seats: None},
    "add up": {"score": score_wrongly},
}


@pytest.fixture
def fresh_engines() -> Iterator[None]:
    """An engine keeps the kernels of its game."""
    find_engine.cache_clear()
    yield
    find_engine.cache_clear()


@pytest.mark.usefixtures("fresh_engines")
def test_check_game__a_board_that_does_not_tell_what_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(toy.SPEC, sight=replace(toy.SPEC.sight, draw_text=lambda scene: str(scene.title)))
    monkeypatch.setitem(find_spec.__globals__["_found"], "tests.toy:SPEC", broken)
    with pytest.raises(ConformanceError, match="is not told"):
        check_game(broken)


@pytest.mark.usefixtures("fresh_engines")
def test_check_game__a_mask_that_offers_a_choice_in_place_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(toy.SPEC, words=replace(toy.SPEC.words, find_offered=swap_first))
    monkeypatch.setitem(find_spec.__globals__["_found"], "tests.toy:SPEC", broken)
    with pytest.raises(ConformanceError, match="offers a choice twice"):
        check_game(broken)


@pytest.mark.usefixtures("fresh_engines")
@pytest.mark.parametrize("message", BROKEN)
def test_check_game__tells_which_promise_is_broken(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(toy.SPEC, kernels=replace(toy.SPEC.kernels, **BROKEN[message]))
    monkeypatch.setitem(find_spec.__globals__["_found"], "tests.toy:SPEC", broken)
    with pytest.raises(ConformanceError, match=message):
        check_game(broken, games=5)


def test_find_spec__names_what_there_is() -> None:
    assert list_games()[0] == find_spec().game == "steam_power"
    for name in ("chess", "tests.toy:NOTHING", "no.such.module:SPEC", "tests.toy:Rules", 7):
        with pytest.raises(ValueError, match=r"allowed|imported|GameSpec"):
            find_spec(name)  # type: ignore[arg-type]


def test_find_known__a_file_does_not_choose_what_is_imported() -> None:
    with pytest.raises(ValueError, match="known are 'steam_power'"):
        find_known("os:path")


def test_files__of_another_game_are_refused() -> None:
    other = SharedGame(toy.Rules(), 1)
    with pytest.raises(SaveError, match=r"a game of 'tests.toy:SPEC', not of 'steam_power'"):
        Game.load(other.save())
    assert np.array_equal(SharedGame.load(other.save()).records, other.records)
