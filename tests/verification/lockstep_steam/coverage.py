"""What random games of Steam have met: a run that never came to the corners of the rules shows little."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from steam_env.core.steam.tiles import PLACEMENT_NAMES
from steam_env.steam import Game
from tests.verification.lockstep_steam.scenarios import MOST_LINKS

# In every 10,000 decisions each of these must have been met at least so often: about a quarter of what is usual.
LEAST_MET: dict[str, float] = {
    **{"phase bid": 20, "phase take": 300, "phase build": 500, "phase tile": 400, "phase colour": 30},
    **{"phase space": 50, "phase goods": 400, "phase cube": 100, "phase hop": 150, "phase over": 10},
    **{"phase score": 100, "seats 3": 600, "seats 4": 600, "seats 5": 600, "turn 1": 300, "turn 5": 250, "turn 9": 30},
    **{"tiles box": 1500, "tiles unlimited": 700, "towns_twice": 150, "income_max 10": 1200, "income_max 3": 300},
    **{"income_max none": 500, "bankruptcy forgiven": 1800, "bankruptcy out": 500, "no money": 600},
    **{"lowest income": 350, "a bankrupt seat": 70, "an empty stock": 850, "no cubes in the supply": 150},
    **{"a colour without New City": 1500, "an unowned link": 1900, "several cubes to choose from": 10},
    **{"new": 280, "improvement": 40, "redirection": 90, "lapse": 250, "link": 90, "claim": 5, "remove_link": 25},
    **{"grow": 30, "urbanize": 35, "deliver": 110, "over several owners": 10, "improve": 180, "engine": 20},
    **{"raise": 450, "owe": 350, "bankrupt": 5, "end": 20, "taken with pass": 45, "scenario that both refuse": 8},
    **{"256 links": 0.3, "no growth marker": 1, "a space with equal cubes": 4},
}
CORNERS = (  # events that are told of, others only counted
    *("lapse", "claim", "remove_link", "grow", "no_growth", "urbanize", "deliver", "improve", "engine", "raise"),
    *("owe", "bankrupt", "end", "bid", "withdraw", "link"),
)


class Coverage:
    """Counts what is met, step by step."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()

    def note_decision(self, game: Game, state: Mapping[str, Any]) -> None:
        """A decision that is about to be made."""
        met, rules, seat = self.met, game.rules, state["mover"]
        met["decisions"] += 1
        met[f"phase {game.phase}"] += 1
        met[f"seats {game.seats}"] += 1
        met[f"turn {state['turn']}"] += 1
        met[f"tiles {rules.tiles}"] += 1
        met[f"income_max {rules.income_max}"] += 1
        met[f"bankruptcy {rules.bankruptcy}"] += 1
        met["towns_twice"] += rules.towns_twice
        met["no money"] += state["money"][seat] == 0
        met["lowest income"] += state["income"][seat] == -10
        met["a bankrupt seat"] += any(state["bankrupt"])
        met["an empty stock"] += 0 in state["stock"].values()
        met["no cubes in the supply"] += not any(state["supply"])
        met["no growth marker"] += state["markers_left"] == 0
        met["a colour without New City"] += 0 in state["new_left"].values()
        met["an unowned link"] += any(link["owner"] < 0 for link in state["links"])
        met["256 links"] += len(state["links"]) == MOST_LINKS
        met["several cubes to choose from"] += game.phase == "cube" and len(game.legal()) > 1

    def note_step(self, text: str, legal: Sequence[str], events: Sequence[Mapping[str, Any]]) -> None:
        """The text that was played in that decision, what the mask had offered, and what happened."""
        self.met[f"text {text.split()[0]}"] += 1
        for event in events:
            kind = event["kind"]
            self.met[kind if kind in CORNERS else f"event {kind}"] += 1
            if kind == "lay":
                self.met[PLACEMENT_NAMES[event["what"]]] += 1
        self.met["a space with equal cubes"] += text.startswith("space") and text not in legal
        self.met["over several owners"] += text.startswith("over")
        self.met["taken with pass"] += text.endswith("pass") and text != "pass"
