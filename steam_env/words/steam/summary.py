"""The rules in short, for who knows nothing of the game. All of them: STEAM_RULES.md."""

from __future__ import annotations

from steam_env.core.steam.state import MAX_LEVEL
from steam_env.data.steam.setting import Setting

AIM = """\
Railway companies lay track between cities and towns, and move coloured cubes over it to cities of the same colour.
Whoever has most points after the last of {turns} turns wins; a tie goes to the higher income."""
TURN = """\
A turn, by the order track:
1. Each seat takes an action tile, which gives a privilege, and by its number the place in the next turn's order.
2. Each seat lays up to 3 tiles (4 with Engineer): new ones, ones that add to what lies there, or the end of an
   incomplete link turned. A tile costs $1 for each edge with track, $1 more at a town, $1 for a river and $2 for hills
   if nothing lay there. Links begin in cities, or in towns of your network. What is not complete and was not extended
   in this turn is nobody's afterwards. City Growth and Urbanization are carried out now.
3. Twice, each seat moves a cube, improves its locomotive by one level (once a turn, to {level}), or passes. A cube goes
   over at most as many complete links as the level says, at least one of them yours, and nobody may have more of them;
   it ends in the first city of its colour. Each link on its way is a point for the owner, who puts all points of a move
   on income or on victory points (VP).
4. Each seat gets its income, or pays it if it is negative.
5. The next turn's order is by the numbers of the action tiles, lowest first."""
TILES = """\
The action tiles: 1 Turn Order, nothing but its number; 2 First Move, first in both goods rounds; 3 Engineer, 4 tiles of
track; 4 First Build, lays track first; 5 City Growth ($2), a group of cubes of the supply comes to a city without
growth marker; 6 Locomotive ($4 + the new level), one level more at once; 7 Urbanization ($6), a town becomes a New City
with a group of cubes. 5 and 7 may be taken without paying and doing them."""
MONEY = """\
Who has too little raises $5 at a time, each for one step of income (from -10 on for 2 VP). Who cannot pay a negative
income {bankrupt}."""
OUT, FORGIVEN = "is bankrupt and out", "pays what it can, and the rest is forgiven"
SCORE = """\
Points: VP; half of a positive income, or twice a negative one; 1 for each complete link. Money counts nothing."""
AUCTION = "The order of the first turn is auctioned, place by place, by bids of one dollar more each."


def summarise_rules(setting: Setting) -> str:
    """The rules of the setting in a few paragraphs."""
    rules = setting.rules
    parts = [
        AIM.format(turns=rules.num_turns),
        TURN.format(level=MAX_LEVEL),
        TILES,
        MONEY.format(bankrupt=OUT if rules.bankruptcy == "out" else FORGIVEN),
        SCORE,
        *([AUCTION] if rules.start == "auction" else []),
    ]
    return "\n\n".join(parts)
