"""Play agents against each other and print who wins: ``python evaluate.py --help``."""

from steam_env.commands.evaluate import main

if __name__ == "__main__":
    raise SystemExit(main())
