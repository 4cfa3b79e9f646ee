"""The boards on which track is laid, replaced and removed."""

from steam_env import Game
from tests.rules.boards import flower

# Ames D4, Boone H4, Clinton D8, Dyson H8: every hex between them is plains.
FIELD = """
    . . . . .
     . . . .
    . . . . .
     . A . B
    . . . . .
     . . . .
    . . . . .
     . C . D
    . . . . .
     . . . .
"""
ALL = {"Ames", "Boone", "Clinton", "Dyson"}
AMES_CLINTON = "Ames D6 Clinton"
AMES_BOONE = "Ames E5 F4 G5 Boone"
BOONE_DYSON = "Boone H6 Dyson"
# Seat 1's straight track on D6 from N to S, and seat 0 about to come into D6 by NE, or there already.
OTHER, BEFORE_D6, ON_D6 = f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 > SW", "0: Boone G5 F4 E5 D6 > SW"

# Ames C3 alone in open country, with Boone far away.
OPEN = """
    . . . . .
     . . . .
    . A . . .
     . . . .
    . . . . .
     . . . .
    . . . . .
     . . . .
    . . . . .
     . . . .
    . . B . .
"""
LOOP = "0: Ames C5 C7 D6 C5 > SW"  # crosses itself on C5

COAST = {cell: what for cell, what in flower(petals={"N": "A", "NE": "~", "SE": "~"}).items() if cell != (4, 6)}
COAST |= {(4, 8): ".", (1, 1): "."}  # D6, to the south of D4, is a void within the map


def where(game: Game) -> tuple[str, int]:
    """What is decided now, and the actions left, this one included."""
    return game.phase, game.actions_left
