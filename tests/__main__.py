"""Everything that CI checks, in order: ``python -m tests``; ``--quick`` runs the rules alone.

Other arguments are handed on to pytest.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
CHECKS = {
    "ruff check": ("-m", "ruff", "check", "."),
    "ruff format": ("-m", "ruff", "format", "--check", "."),
    "mypy": ("-m", "mypy"),
    "lint-imports": ("-c", LINT_IMPORTS),
    "pytest": ("-m", "pytest", "-n", "2"),
}
QUICK = "--quick"
QUICK_CHECKS = ("ruff check", "ruff format", "pytest")
QUICK_TESTS = ("tests/rules", "tests/rules_steam", "tests/test_maps.py", "tests/test_decks.py", "tests/test_actions.py")


def main() -> int:
    """Run each check in this interpreter's environment; the first failure ends the run."""
    more = [argument for argument in sys.argv[1:] if argument != QUICK]
    quick = QUICK in sys.argv[1:]
    for name, command in CHECKS.items():
        if quick and name not in QUICK_CHECKS:
            continue
        arguments = [*command, *(QUICK_TESTS if quick else ()), *more] if name == "pytest" else command
        print(f"--- {name}", flush=True)
        status = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
