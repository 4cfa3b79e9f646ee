"""The rules in short, for who knows nothing of the game. All of them: RULES.md."""

from __future__ import annotations

from steam_env.core.steam_power.state import (
    ACTIONS_PER_TURN,
    CROSSING_COST,
    FEE,
    MONEY_PER_VP,
    PURCHASE_COST,
    SOLO_ROUNDS,
    TAKE_MONEY,
    TERRAIN_COST,
)
from steam_env.data.steam_power.setting import Setting
from steam_env.words.steam_power.actions import usual_resources

AIM = """\
Railway companies lay track between cities, build factories, and carry resources to fulfil contracts. Whoever has most
victory points (VP) in the end wins; a tie goes to more fulfilled contracts."""
TURN = """\
A turn is {actions} actions, each one of five, the same twice if wanted:
- money: take ${money}.
- lay track: one or two placements. A new link starts in a city of your network (the first one anywhere) and needs a
  train; a tile costs ${plains} on plains, ${hills} on hills, ${mountains} on mountains, ${crossing} where it crosses
  one other track; none lies on water. An incomplete link must be continued first, turned or taken back. A link that
  reaches a city is complete, and both cities are in your network.
- build: a factory in a white, black, orange or gray city without one that anybody's complete link touches. It brings
  {resources} resources of the city's colour.
- fulfil: a contract of your hand. Each resource it needs is taken from a factory's city and carried over complete links
  to your network: ${fee} to the factory's owner and ${fee} to the owner of each link, nothing for your own. What cannot
  reach you is bought for ${purchase}. Then you have its money, its VP, and may do its bonus.
- contracts: take two from the deck, or from the fullest hand if the deck is empty."""
SCORE = """\
Points: what fulfilled contracts say; 1 for ${per_vp}; for a city with your factory that is used up (flipped) 2, and 1
for each city tile of its colour beside the map; a purple city pays the seats linked to it 4 together, and 1 for each
purple tile beside the map."""
PREVIEW_SCORE = """\
Points: what fulfilled contracts say; 1 for ${per_vp}; 2 for a city with your factory that is used up (flipped); a
purple city pays the seats linked to its tile 4 together."""
SOLO = """\
You run five companies with one purse and one hand. In each of {rounds} rounds ten trains are drawn, each for one action
of its company. What another company earns is lost. A purple city pays 1 for each company linked to it."""
AUTOMAS = (
    "The last {count} seats are Automas, which the rules play; they draw their contracts as they go, and have no hand."
)
END = "The game ends after the round in which a seat has {contracts} fulfilled contracts, or after round {rounds}."


def summarise_rules(setting: Setting) -> str:
    """The rules of the setting in a few paragraphs."""
    rules = setting.rules
    plains, hills, mountains = TERRAIN_COST[:3]
    turn = TURN.format(
        actions=ACTIONS_PER_TURN,
        money=TAKE_MONEY,
        plains=plains,
        hills=hills,
        mountains=mountains,
        crossing=CROSSING_COST,
        resources=usual_resources(setting.blank[0]),
        fee=FEE,
        purchase=PURCHASE_COST,
    )
    score = (PREVIEW_SCORE if rules.edition == "preview" else SCORE).format(per_vp=MONEY_PER_VP)
    if rules.mode == "solo":
        return "\n\n".join((AIM, SOLO.format(rounds=SOLO_ROUNDS), turn, score))
    end = END.format(contracts=setting.contracts_to_end, rounds=rules.max_rounds)
    automas = [AUTOMAS.format(count=rules.automas)] if rules.automas else []
    return "\n\n".join((AIM, turn, end, score, *automas))
