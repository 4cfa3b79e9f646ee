"""Everything that CI checks, in order: ``python -m tests``; arguments are handed on to pytest."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("importlinter.cli",),
    ("pytest", "-n", "2"),
)


def main() -> int:
    """Run each check in this interpreter's environment; the first failure ends the run."""
    for tool, *arguments in CHECKS:
        more = sys.argv[1:] if tool == "pytest" else []
        print(f"--- {tool} {' '.join((*arguments, *more))}", flush=True)
        status = subprocess.run([sys.executable, "-m", tool, *arguments, *more], cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
