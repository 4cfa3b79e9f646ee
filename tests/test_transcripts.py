"""Games that were written down: core and reference engine replay each exactly.

Saves, scenarios, batches and refusals along the way: ``test_invariants.py``.
"""

import json
from pathlib import Path

import pytest

from tests.verification.lockstep.compare import Twins, replay
from tests.verification.lockstep.shrinking import FOUND, read_found

FOLDER = Path(__file__).parent / "transcripts"


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.json")))
def test_transcripts__every_decision_and_the_end_are_as_written(name: str) -> None:
    transcript = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    twins = Twins({"scenario": transcript["scenario"]})
    game = twins.game
    for step in transcript["steps"]:
        assert twins.difference is None
        assert (game.seat, game.money) == (step["seat"], step["money"])
        assert sorted(game.legal_text()) == sorted(step["legal"])
        twins.step(step["action"])
    assert twins.difference is None
    if isinstance(transcript["end"], str):
        return  # chance decides from there
    assert (game.done, game.seat) == (True, -1)
    assert transcript["end"] == {
        "scores": game.scores(),
        "winners": game.winners(),
        "links": game.links(),
        "cities": {name: game.city(name) for name in game.setting.map.cities},
        "trains": game.trains,
        "fulfilled": [game.fulfilled(seat) for seat in range(game.seats)],
        "deck_size": game.deck_size,
    }


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.json")), ids=lambda path: path.stem)
def test_found__both_engines_agree_where_they_once_differed(path: Path) -> None:
    start, moves = read_found(path)
    difference = replay(start, moves).difference
    assert difference is None, f"{difference} after {moves} from the start in {path}"
