"""The greedy player as it first was, frozen under the name ``greedy:v0``: a yardstick to measure its successors with.

It judges a first link by the two groups that it joins alone, not by the country round them, and so opens at the same
city in nearly every deal of a map. A weight that came later stands at the value that leaves its term out.
"""

from steam_env.agents.greedy import GreedyAgent
from steam_env.agents.greedy_plan import Weights

WEIGHTS_V0 = Weights(
    vp=5.0,
    cash=2.0,
    rich=34.5,
    slot=0.64,
    lack=6.8,
    pace=0.20,
    effort=0.55,
    future=0.56,
    per_contract=0.86,
    sold=0.48,
    sold_far=0.55,
    flip=1.1,
    sale=0.30,
    draw=17.5,
    draw_decay=0.91,
    site=0.52,
    tempo=10.0,
    purple=0.97,
    haste=0.04,
    deny=1.4,
    beyond=0.5,
    toll=5.3,
    first_link=29.5,
    ends=0.0,
    at_once=1.0,
    laying=0.0,
    paying=0.0,
    country=0.0,
    apart=0.0,
    bonus_part=0.96,
    foreign=1.1,
    rival=0.81,
    second=1.7,
    placement=4.0,
    settled=9.3,
    soon=4.2,
    good=2.8,
    poor=0.87,
    ending=12.5,
    last_turn=2.3,
    last_vp=4.4,
)


class FirstGreedyAgent(GreedyAgent):
    """The rule-based player with the weights of its first version."""

    def __init__(self) -> None:
        super().__init__(WEIGHTS_V0)
