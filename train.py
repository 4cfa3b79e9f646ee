"""Train a policy by self-play: ``python train.py --help``."""

from steam_env.commands.train import main

if __name__ == "__main__":
    raise SystemExit(main())
