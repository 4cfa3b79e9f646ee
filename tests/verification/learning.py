"""``python -m tests.verification.learning``: `quick`, from random weights, must beat random in 95 of 100 games.

It takes as long as the preset, about two minutes on two cores, and so is no part of ``python -m tests``.
"""

import sys
import tempfile
from pathlib import Path

from steam_env.commands.train import main as train
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.summary import summarise
from steam_env.training.run import POLICY

DEALS, WANTED = 100, 0.95


def main() -> int:
    """Train, play, tell; the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "quick"
        if train(["--preset", "quick", "--folder", str(run)]) != 0:
            return 2
        result = play_match(MatchConfig(str(run / POLICY), ("random",), deals=DEALS, seed=7))
    rate = summarise(result).agents[0].win_rate.mean
    print(f"quick against random: {rate:.1%} of {2 * DEALS} games, wanted {WANTED:.0%}")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
