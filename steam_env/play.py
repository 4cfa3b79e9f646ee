"""Play in the terminal, against agents, Automas and people: ``python -m steam_env.play --help``."""

from steam_env.commands.play import main

if __name__ == "__main__":
    raise SystemExit(main())
