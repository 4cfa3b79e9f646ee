"""How agents open: which opening is noted, how its spread is measured, and where it is told."""

from typing import Any

import numpy as np
import pytest

from steam_env.core.steam_power.actions import HEAD_TO, MONEY, OPENING_OF, START
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.openings import NONE, OpeningBook, measure_openings
from steam_env.evaluation.report import report_match, result_to_dict, write_markdown
from steam_env.evaluation.summary import summarise
from steam_env.spec import find_spec

MINI = {"map": "mini", "contracts": "mini", "contracts_to_end": 2}


def play(*names: str, **options: Any) -> Any:
    return play_match(MatchConfig(names[0], names[1:], deals=4, **MINI, **options), make_agent=make_any_agent)


def test_spread__of_equally_frequent_openings_the_effective_number_is_how_many_there_are() -> None:
    names = ("Ames", "Boone", "Clinton")
    alike = measure_openings(np.array([[1, 1], [1, NONE]]), names)
    assert (alike.games, alike.distinct, alike.effective, alike.most, alike.share) == (3, 1, 1.0, "Boone", 1.0)
    even = measure_openings(np.array([2, 0, 0, 2]), names)
    assert (even.distinct, even.effective, even.share) == (2, pytest.approx(2.0), 0.5)
    skewed = measure_openings(np.array([2] * 9 + [0]), names)
    assert 1.0 < skewed.effective < 1.5
    assert skewed.counts == {"Clinton": 9, "Ames": 1}
    assert list(skewed.counts) == ["Clinton", "Ames"]
    nothing = measure_openings(np.array([NONE, NONE]), names)
    assert (nothing.games, nothing.distinct, nothing.effective, nothing.most) == (0, 0, 0.0, "")


def test_book__the_first_opening_counts_and_other_actions_are_none() -> None:
    book, rows = OpeningBook(find_spec().facts, 2, 2), np.array([0, 1])
    for actions in ([MONEY, START + 7], [START + 12, START + 30], [START, HEAD_TO]):
        book.note(rows, np.array([0, 1]), np.array(actions))
    assert book.played.tolist() == [[2, NONE], [NONE, 1]]
    assert set(OPENING_OF[HEAD_TO:].tolist()) == {NONE}
    assert not (OpeningBook(find_spec("tests.toy:SPEC").facts, 1, 1).played != NONE).any()


def test_match__tells_the_first_city_of_each_agent_and_nothing_of_automas() -> None:
    result = play("greedy+first:Gary", "greedy+first:Muskegon", "automa:easy")
    first, second, automa = summarise(result).agents
    assert (first.openings.most, first.openings.share, first.openings.games) == ("Gary", 1.0, 8)
    assert second.openings.counts == {"Muskegon": 8}
    assert automa.openings is None
    text = write_markdown(report_match(result))
    assert "**Openings: first city**" in text
    assert "| greedy+first:Gary | 8 | 1 | 1.0 | Gary | 100.0 % |" in text
    assert "| automa:easy | - | - | - | - | - |" in text
    assert result_to_dict(result, "")["results"]["agents"][0]["openings"]["counts"] == {"Gary": 8}


def test_match__of_a_game_without_openings_tells_none() -> None:
    result = play_match(MatchConfig("random", "random", deals=2, game="tests.toy:SPEC"), make_agent=_make_toy_agent)
    assert summarise(result).agents[0].openings is None
    assert "Openings" not in write_markdown(report_match(result))


def _make_toy_agent(name: str) -> Any:
    return make_any_agent(name, "tests.toy:SPEC")
