"""Everything that CI checks, in order: ``python -m tests``; arguments are handed on to pytest."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKS = (
    ("-m", "ruff", "check", "."),
    ("-m", "ruff", "format", "--check", "."),
    ("-m", "mypy"),
    ("-c", "from importlinter.cli import lint_imports_command as lint; lint()"),  # -m importlinter.cli does nothing
    ("-m", "pytest", "-n", "2"),
)


def main() -> int:
    """Run each check in this interpreter's environment; the first failure ends the run."""
    for check in CHECKS:
        command = [*check, *(sys.argv[1:] if "pytest" in check else [])]
        print(f"--- python {' '.join(command)}", flush=True)
        status = subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
