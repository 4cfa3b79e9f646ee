"""Games that were written down decision by decision: the product replays each exactly."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch

FOLDER = Path(__file__).parent / "transcripts"
NAMES = ("two-seats", "multi-any", "multi-cheapest", "preview", "automa", "two-automas")

Transcript = dict[str, Any]
each_transcript = pytest.mark.parametrize(
    "transcript", [json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in NAMES], ids=NAMES
)


def begin(transcript: Transcript) -> Game:
    return Game.from_scenario(transcript["scenario"], seed=0)


def decisions(transcript: Transcript) -> Iterator[tuple[Game, dict[str, Any]]]:
    """The game at each decision of the transcript, which is then played."""
    game = begin(transcript)
    for step in transcript["steps"]:
        yield game, step
        game.step(step["action"])


def play_all(transcript: Transcript) -> Game:
    game = begin(transcript)
    for step in transcript["steps"]:
        game.step(step["action"])
    return game


def end_of(game: Game) -> dict[str, Any]:
    """What a transcript says about the end."""
    seats = range(game.seats)
    return {
        "scores": game.scores(),
        "winners": game.winners(),
        "links": game.links(),
        "cities": {name: game.city(name) for name in game.setting.map.cities},
        "trains": game.trains,
        "fulfilled": [game.fulfilled(seat) for seat in seats],
        "deck_size": game.deck_size,
    }


@each_transcript
def test_transcripts__every_decision_is_as_written(transcript: Transcript) -> None:
    for game, step in decisions(transcript):
        assert game.seat == step["seat"]
        assert game.money == step["money"]
        assert set(game.legal_text()) == set(step["legal"])
        assert len(game.legal()) == len(step["legal"])


@each_transcript
def test_transcripts__the_end_is_as_written(transcript: Transcript) -> None:
    game = play_all(transcript)
    assert game.done
    assert game.seat == -1
    assert end_of(game) == transcript["end"]


@each_transcript
def test_transcripts__what_is_not_legal_is_explained(transcript: Transcript) -> None:
    for game, step in decisions(transcript):
        legal = {game.parse(text) for text in step["legal"]}
        for action in range(372):
            reason = game.explain(action)
            assert (reason is None) == (action in legal)
            assert reason is None or "(rule " in reason


@each_transcript
def test_transcripts__a_batch_plays_them_too(transcript: Transcript) -> None:
    start = begin(transcript)
    setting = start.setting
    batch = GameBatch.from_records(start.records, start.rules, map=setting.map, deck=setting.deck).tile(3)
    for game, step in decisions(transcript):
        legal = np.zeros(372, np.bool_)
        legal[[game.parse(text) for text in step["legal"]]] = True
        assert (batch.mask == legal).all()
        assert (batch.seats == step["seat"]).all()
        assert (batch.records["money"][:, : game.seats] == step["money"]).all()
        assert not batch.done.any()
        batch.step(np.full(3, game.parse(step["action"])))
    assert batch.done.all()
    scores, winners = batch.scores()
    end = transcript["end"]
    assert scores[1].tolist() == [[score[part] for part in ("total", "contracts", "factories", "cities", "money")]
                                  for score in end["scores"]]  # fmt: skip
    assert np.flatnonzero(winners[2]).tolist() == end["winners"]
    assert batch.game(1).records.tobytes() == play_all(transcript).records.tobytes()


@each_transcript
def test_transcripts__saved_and_loaded_at_every_decision(transcript: Transcript) -> None:
    game = begin(transcript)
    for step in transcript["steps"]:
        game = Game.load(game.save())
        assert set(game.legal_text()) == set(step["legal"])
        game.step(step["action"])
    game = Game.load(game.save())
    assert end_of(game) == transcript["end"]
    assert game.num_steps == len(transcript["steps"])
    assert game.log == play_all(transcript).log


@each_transcript
def test_transcripts__written_as_scenario_between_actions(transcript: Transcript) -> None:
    game = begin(transcript)
    for step in transcript["steps"]:
        if game.phase == "action":
            again = Game.from_scenario(game.to_scenario())
            assert again.records.tobytes() == game.records.tobytes()
            game = again
        else:
            with pytest.raises(ValueError, match="inside an action"):
                game.to_scenario()
        assert game.money == step["money"]
        game.step(step["action"])
    assert end_of(game) == transcript["end"]


@each_transcript
def test_transcripts__written_as_game_file_and_replayed(transcript: Transcript, tmp_path: Path) -> None:
    game = play_all(transcript)
    game.to_file(tmp_path / "game.json")
    again = Game.from_file(tmp_path / "game.json")
    assert again.records.tobytes() == game.records.tobytes()
    assert end_of(again) == transcript["end"]
    assert again.events == game.events
    content = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert [step["text"] for step in content["steps"]] == [step["action"] for step in transcript["steps"]]
    assert [step["seat"] for step in content["steps"]] == [step["seat"] for step in transcript["steps"]]
    assert content["scores"] == transcript["end"]["scores"]


@each_transcript
def test_transcripts__the_scenario_says_where_every_contract_is(transcript: Transcript) -> None:
    """The deck order is given, so the seed that draws what is left out does not matter."""
    games = [Game.from_scenario(transcript["scenario"], seed=seed) for seed in (1, 2)]
    for step in transcript["steps"]:
        for game in games:
            assert game.money == step["money"]
            game.step(step["action"])
    assert [end_of(game) for game in games] == [transcript["end"]] * 2
