"""Random games in the core and in the reference engine, compared at every decision.

python -m tests.verification.lockstep --minutes 10 --seed 1
"""

from tests.verification.lockstep.coverage import LEAST_MET
from tests.verification.lockstep.minimise import minimise
from tests.verification.lockstep.play import play_game
from tests.verification.lockstep.run import run_command
from tests.verification.lockstep.shrinking import report_differences


def main() -> int:
    """Run as the command line says; 1 if the engines differ."""
    total = run_command(play_game, LEAST_MET, __doc__)
    report_differences(total, minimise)
    return int(bool(total.found))


if __name__ == "__main__":
    raise SystemExit(main())
