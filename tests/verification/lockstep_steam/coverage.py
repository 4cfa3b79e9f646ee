"""What random games of Steam have met: a run that never came to the corners of the rules shows little."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from steam_env.steam import Game

LEAST_MET: dict[str, float] = {}
LAID = ("new", "improvement", "redirection")  # by what an event ``lay`` tells


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
        met["several goods in hand"] += game.phase == "cube" and len(game.legal()) > 1

    def note_step(self, state: Mapping[str, Any], text: str, events: Sequence[Mapping[str, Any]]) -> None:
        """The text that was played in that decision, the position before it, and what happened."""
        self.met[f"text {text.split()[0]}"] += 1
        for event in events:
            kind = event["kind"]
            self.met[f"event {kind}"] += 1
            if kind == "lay":
                self.met[f"lay {LAID[event['what']]}"] += 1
