"""The shipped games: a module for each, which names what it brings as its ``SPEC``.

``python -m steam_env.games`` prints it.
"""

DEFAULT = "steam_power"  # where no game is named
