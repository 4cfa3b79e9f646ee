"""Rule 8: scenarios with Automas that are refused, and what the refusal says."""

from typing import Any

import pytest

from steam_env import Game, ScenarioError
from tests.rules.automa_boards import automa_scenario, card, columns

BOARD = columns("A.B..C.D", "", "E")
TRACK = ("1: Ames A3 Boone", "1: Boone A7 > S")


def scenario(**automa: Any) -> dict[str, Any]:
    """A position with an Automa's incomplete link; entries of its [automa] table are replaced."""
    table = automa_scenario(BOARD, *TRACK, cards=[card("W")] * 2, coins="A9 Clinton", order=[0, 1])
    return {**table, "automa": {**table["automa"], **automa}}


def test_rule_8_input__the_scenario_these_tests_spoil_is_good() -> None:
    assert Game.from_scenario(scenario()).record.num_coins[0] == 2


@pytest.mark.parametrize(
    ("automa", "message"),
    [
        ({"coins": [[]]}, r"automa\.coins\[0\]: empty; an Automa with an incomplete link has a coin path"),
        ({"coins": [["A13", "Dyson"]]}, r"automa\.coins\[0\]\[0\]: .* across the open edge"),
        ({"coins": [["A9"]]}, r"automa\.coins\[0\]: must end in the route's last city"),
        ({"coins": [["A9", "Dyson"]]}, r"automa\.coins\[0\]\[1\]: .*beside"),
        ({"coins": [["A9", "Nowhere"]]}, r"automa\.coins\[0\]\[1\]"),
        ({"coins": [["A9", "Clinton", "A13", "Clinton"]]}, r"automa\.coins\[0\]"),
        ({"coins": [["A9", "Clinton"], []]}, r"automa\.coins: .*has 2 entries; must have 1"),
        ({"coins": "A9"}, r"automa\.coins: must be a list"),
        ({"coins": [["A9", "Clinton", "Elgin"]]}, r"automa\.coins\[0\]\[2\]: two cities in a row"),
        ({"marker": [4]}, r"automa\.marker\[0\]: 4; must be a whole number from 0 to 3"),
        ({"marker": [0, 0]}, r"automa\.marker: .*has 2 entries; must have 1"),
        ({"corners": ["white", "white", "black", "gray"]}, r"automa\.corners: .*each of white, black, orange, gray"),
        ({"corners": ["white", "purple", "black", "gray"]}, r"automa\.corners\[1\]: 'purple'; must be one of"),
        ({"discards": [5]}, r"automa\.discards\[0\]: 5; must be a whole number from 0 to 1"),
        ({"discards": [0]}, r"contract 0|\[0\]"),
        ({"level": "hard"}, r"automa\.level: unknown key; allowed are corners, marker, coins, discards"),
    ],
)
def test_rule_8_input__a_bad_automa_table_names_the_entry(automa: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        Game.from_scenario(scenario(**automa))


CURVE = {**BOARD, (2, 8): "Fargo", (2, 10): "Galena"}  # a tight curve on A9 cannot be crossed


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            automa_scenario(CURVE, *TRACK, "0: Fargo A9 Galena", cards=[card("W")], coins="A9 Clinton"),
            r"automa\.coins\[0\]\[0\]: no tile may lie here",
        ),
        (
            automa_scenario(BOARD, TRACK[0], cards=[card("W")], coins="Dyson A13 Clinton"),
            r"automa\.coins\[0\]\[0\]: must be a city of the network of player_1",
        ),
        (
            automa_scenario(BOARD, cards=[card("W")] * 2, hands=[[], [0]]),
            r"seats\.hands\[1\]: player_1 is an Automa; its hand must be empty",
        ),
        (
            {**automa_scenario(BOARD, cards=[card("W")]), "rules": {"num_players": 2}},
            r"automa: there are no Automa seats; rules\.automas must be 1 to 4",
        ),
        *(
            ({**automa_scenario(BOARD, cards=[card("W")]), "rules": rules}, r"rules\.(automas|num_players)=")
            for rules in ({"num_players": 2, "automas": 2}, {"num_players": 6, "automas": 1})
        ),
    ],
)
def test_rule_8_input__a_position_that_no_automa_can_have_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        Game.from_scenario(table)
