"""The reference engine by itself: the transcripts, its independence, and a few games beside the core."""

import ast
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steam_env import Game, Rules
from steam_env.core.fields import NONE
from steam_env.data.steam_power.maps import load_map
from steam_env.spec import find_spec
from steam_env.words.events import outcomes_of
from tests.verification.lockstep.compare import describe
from tests.verification.reference import Reference

HERE = Path(__file__).parent
TRANSCRIPTS = HERE.parents[1] / "transcripts"
ALLOWED = {  # of the product
    "steam_env": {"Rules"},
    "steam_env.data.steam_power.maps": {"Map", "load_map", "parse_map"},
    "steam_env.data.steam_power.decks": {"Deck", "load_deck", "parse_deck"},
}
GAMES = {
    "two-seats": Rules(map="mini", contracts="mini", routing="cheapest"),
    "preview": Rules(num_players=4, map="alps", edition="preview", max_rounds=25),
    "solo": Rules(mode="solo"),
    "automas": Rules(num_players=4, automas=2, automa_level="hard", max_rounds=25),
    "round-limit": Rules(num_players=5, automas=4, max_rounds=3),
}

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


def list_imports(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of all that a source file imports; without a name the module as a whole."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((str(node.module), name.name) for name in node.names)


def test_reference__shares_nothing_with_the_core() -> None:
    """Of the product it imports the reading of files and ``Rules`` alone; all else is its own or Python's."""
    sources = [path for path in HERE.glob("*.py") if not path.name.startswith("test_")]
    assert len(sources) > 10
    for path in sources:
        for module, name in list_imports(path):
            own = (
                module.split(".")[:3] == ["tests", "verification", "reference"]
                or module.split(".")[0] in sys.stdlib_module_names
            )
            assert own or name in ALLOWED.get(module, ()), f"{path.name} imports {name} of {module}"


# --- beside the core ------------------------------------------------------------------------------
def told_by(game: Game, step: int) -> list[dict[str, Any]]:
    """What the core tells of a step; in solo it is the bank that is paid (rule 9.3)."""
    events = [event.to_dict() for event in game.events_since(step) if event.kind != "deal"]
    solo = game.rules.mode == "solo"
    return [{**event, "paid_to": NONE} if solo and "paid_to" in event else event for event in events]


def choose(rng: random.Random, game: Game) -> str:
    """A random legal action; each kind of action is as likely as any other."""
    texts = game.legal_text()
    word = rng.choice(sorted({text.split()[0] for text in texts}))
    return rng.choice([text for text in texts if text.split()[0] == word])


@pytest.mark.parametrize("name", GAMES)
def test_reference__plays_as_the_core_does(name: str) -> None:
    rng, game = random.Random(name), Game(GAMES[name], seed=5)
    reference = Reference.from_deal(game.rules, game.events[0].to_dict())
    while not game.done:
        assert (reference.seat, reference.round, reference.actions_left) == (game.seat, game.round, game.actions_left)
        assert reference.legal() == set(game.legal_text())
        text, step = choose(rng, game), game.num_steps
        game.step(text)
        events = [event for event in game.events_since(step) if event.kind != "deal"]
        assert reference.step(text, outcomes_of(events, find_spec().facts)) == told_by(game, step)
        assert reference.state() == describe(game)
        assert reference.scores() == game.scores()
        if game.phase == "action":
            assert Reference.from_scenario(game.to_scenario()).state() == reference.state()
    assert reference.done
    assert reference.truncated == game.truncated
    assert reference.winners() == game.winners()
    assert reference.legal() == set()


def test_reference__a_clone_goes_its_own_way() -> None:
    game = Game(GAMES["automas"], seed=5)
    reference = Reference.from_deal(game.rules, game.events[0].to_dict())
    before = reference.state()
    clone = reference.clone()
    for _ in range(12):
        clone.step(min(clone.legal() - {"money", "contracts"}, default="money"))
    assert clone.state() != before
    assert reference.state() == before


def test_reference__asks_for_the_right_outcomes() -> None:
    """Too few, too many, or a contract that is not in the hand."""
    scenario = {
        "rules": {"num_players": 2},
        "cities": "W" * len(load_map("mini").cities),
        "map": "mini",
        "seats": {"hands": [[], [3, 4]], "fulfilled": [[], [n for n in range(48) if n not in (3, 4)]]},
        "deck": {"order": []},
    }
    events = Reference.from_scenario(scenario).step("contracts", [4])
    assert events == [{"kind": "take", "actor": 0, "contract": 4, "from_seat": 1}]
    for outcomes in ([], [5], [4, 3]):
        with pytest.raises(AssertionError):
            Reference.from_scenario(scenario).step("contracts", outcomes)
