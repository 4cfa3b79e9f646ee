"""The tables of the page on the Mautoma, and what Automas tell: it is complete and true."""

import re
from pathlib import Path

import pytest

from steam_env import Event
from steam_env.core.steam_power.events import CRITERIA, EVENT_FIELDS, OBSTACLES
from steam_env.core.steam_power.state import COMPENSATION
from steam_env.pages.steam_power.mautoma import describe_tables, main
from steam_env.words.steam_power.events import Narrator
from tests.rules.automa_boards import automa_game, card, columns, take_turn

ROOT = Path(__file__).parents[2]


def test_rule_8_page__the_command_prints_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "7", "--rounds", "2"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("player_1 (the Automa)") == 2
    assert "== round 2 ==" in printed
    assert "the game ends by the round limit" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--automas", "2"], "automas=2: 0 to 1 are allowed"), (["--map", "nowhere"], "nowhere")],
)
def test_rule_8_page__bad_arguments_are_explained(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err


def test_rule_8_page__the_tables_hold_every_colour_and_level() -> None:
    tables = describe_tables()
    assert re.findall(r"^\| (white|black|orange|gray) \|", tables, re.MULTILINE) == ["white", "black", "orange", "gray"]
    assert all(f"| ${amount} |" in tables for amount in COMPENSATION)


# --- what the log tells -----------------------------------------------------------------------------
# By what is told: the reasons that there may be.
CHOICES = {
    "choose_source": ("only", "cheapest", "own", "fewest_left", "most_left", "marker"),
    "target": ("only", "only_in_reach", "nearest", "marker"),
    "path": ("only", "lowest_cost", "most_stops", "marker"),
    "choose_city": ("only", "least_present", "nearest", "marker"),
}
FAILURES = {
    "no_track": ("train", "start", "colors", "target"),
    "not_laid": ("money", "train", "illegal"),
    "no_city": ("factory", "city"),
    "compensation": ("contracts", "bonus_track", "bonus_factory"),
}


def test_rule_8_page__every_kind_and_reason_has_words_of_its_own() -> None:
    """Each event that an Automa may cause, with each reason, is told in another sentence."""
    assert set().union(*CHOICES.values()) == set(CRITERIA)
    assert set().union(*FAILURES.values()) == set(OBSTACLES)
    events = []
    for kind in set(EVENT_FIELDS) - {"train", "bag", "aside"}:
        values = dict.fromkeys(EVENT_FIELDS[kind], 0) | ({"ways": 2, "owners": 2} if kind == "choose_hop" else {})
        numbers = [CRITERIA.index(why) for why in CHOICES.get(kind, ())]
        numbers += [OBSTACLES.index(why) for why in FAILURES.get(kind, ())]
        events += [Event(kind, 1, {**values, "why": why}) for why in numbers] or [Event(kind, 1, values)]
    lines = list(map(Narrator(automa_game(columns("A.B"), cards=[card("W")]).setting), events))
    assert len(set(lines)) == len(lines)


def test_rule_8_page__sentences_name_hexes_cities_seats_and_corners() -> None:
    game = automa_game(columns("A.B.hC"), "1: Ames A3 Boone", cards=[card("BG")], colors={"Clinton": "P"}, money=[0, 4])
    take_turn(game)
    text = "\n".join(game.log)
    for sentence in (
        "player_1 moves its marker to the top left corner, where the white resource is",
        "player_1 draws contract 0 (BG: $0, 1 VP) for its turn",
        "player_1 cannot fulfil contract 0: that costs at least $10 and it has only $4",
        "player_1 uses contract 0 as an action: its icon is track",
        "player_1 heads for Clinton by black (a purple city): the only one",
        "player_1 chooses a path of 2 tiles for $2 with 0 stops on the way: no other is as short",
        "player_1 has on its path A9 for $2",
        "player_1 has coins for 1 tile still to be laid",
    ):
        assert sentence in text
