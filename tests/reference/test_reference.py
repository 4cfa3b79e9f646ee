"""The reference engine alone: it replays the transcripts, and imports nothing of the core."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests.reference import Reference

HERE = Path(__file__).parent
TRANSCRIPTS = HERE.parent / "transcripts"
ALLOWED = {"steam_env": {"Rules"}, "steam_env.data.maps": {"Map", "load_map", "parse_map"},
           "steam_env.data.decks": {"Deck", "load_deck", "parse_deck"}}  # fmt: skip

Transcript = dict[str, Any]
each_transcript = pytest.mark.parametrize(
    "transcript",
    [json.loads(path.read_text(encoding="utf-8")) for path in sorted(TRANSCRIPTS.glob("*.json"))],
    ids=[path.stem for path in sorted(TRANSCRIPTS.glob("*.json"))],
)


def end_of(game: Reference) -> dict[str, Any]:
    """What a transcript says about the end."""
    state = game.state()
    return {
        "scores": game.scores(),
        "winners": game.winners(),
        "links": state["links"],
        "cities": game.cities(),
        "trains": state["trains"],
        "fulfilled": state["fulfilled"],
        "deck_size": len(state["deck"]),
    }


@each_transcript
def test_reference__transcripts_are_replayed(transcript: Transcript) -> None:
    game = Reference.from_scenario(transcript["scenario"])
    steps = transcript["steps"]
    for number, step in enumerate(steps):
        assert game.seat == step["seat"]
        assert game.state()["money"] == step["money"]
        assert game.legal() == set(step["legal"])
        if number == len(steps) - 1 and isinstance(transcript["end"], str):
            return  # the transcript stops where chance decides what comes next
        game.step(step["action"])
    assert game.done
    assert game.seat == -1
    assert end_of(game) == transcript["end"]


def test_reference__is_independent_of_the_core() -> None:
    """Of the product the engine imports the reading of files and ``Rules`` alone."""
    for path in HERE.glob("*.py"):
        if path.name.startswith("test_"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(name.name.startswith("steam_env") for name in node.names), path.name
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("steam_env"):
                assert {name.name for name in node.names} <= ALLOWED.get(str(node.module), set()), path.name
