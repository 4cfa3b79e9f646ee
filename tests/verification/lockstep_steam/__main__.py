"""Random games of Steam in the kernels and in the reference engine, compared at every decision.

python -m tests.verification.lockstep_steam --decisions 1000000 --output docs/trust/steam-lockstep.json
"""

from tests.verification.lockstep.run import run_command
from tests.verification.lockstep.shrinking import report_differences
from tests.verification.lockstep_steam.coverage import LEAST_MET
from tests.verification.lockstep_steam.minimise import FOUND_STEAM, minimise
from tests.verification.lockstep_steam.play import play_game


def main() -> int:
    """Run as the command line says; 1 if the engines differ."""
    total = run_command(play_game, LEAST_MET, __doc__)
    report_differences(total, minimise, FOUND_STEAM)
    return int(bool(total.found))


if __name__ == "__main__":
    raise SystemExit(main())
