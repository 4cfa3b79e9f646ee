"""The shipped games: a module for each, whose ``SPEC`` names all that the game brings.

``python -m steam_env.games`` prints it.
"""

DEFAULT = "steam_power"  # where no game is named
