"""``python -m tests.verification.frameworks``: each framework in a virtual environment of its own."""

import argparse
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.verification.frameworks.page import RESULTS, ROOT

FOLDER = ROOT / "build" / "frameworks"


@dataclass(frozen=True)
class Framework:
    """How a framework is installed and tested.

    Attributes:
        extra: the extra of this package that brings it.
        constraints: the file of versions that it is tested with.
        tests: the module of tests.
    """

    extra: str
    constraints: str
    tests: str


FRAMEWORKS = {
    "sb3": Framework("train", "constraints.txt", "test_sb3_vector.py"),
    "torchrl": Framework("torchrl", "constraints.txt", "test_torchrl.py"),
    "rllib": Framework("rllib", "tests/verification/frameworks/constraints-rllib.txt", "test_rllib.py"),
}


def run(*command: str | Path, **variables: str) -> None:
    """Run a command in the checkout; ends this program with its status if that is an error."""
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, check=False).returncode
    if status:
        sys.exit(status)


def check(name: str, torch: str) -> None:
    """Build a framework's virtual environment, or bring it up to date, and run its tests."""
    framework, folder = FRAMEWORKS[name], FOLDER / name
    print(f"--- {name} in {folder.relative_to(ROOT)}", flush=True)
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = (python, "-m", "pip", "install", "-q", "-c", framework.constraints)
    run(*install, torch)  # first and by itself: which build it is, is the user's choice
    run(*install, "-e", f".[{framework.extra}]", "pytest")
    run(python, "-m", "pytest", f"tests/verification/frameworks/{framework.tests}", STEAM_ENV_FRAMEWORKS=str(RESULTS))
    run(python, "-m", "steam_env.pages", "frameworks")


def main() -> None:
    """Check the frameworks that are named, by default all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FRAMEWORK", help=f"of {', '.join(FRAMEWORKS)}; by default all")
    parser.add_argument("--torch", default="torch", help="what to ask pip for, to choose a build of PyTorch")
    options = parser.parse_args()
    for name in options.names:
        if name not in FRAMEWORKS:
            parser.error(f"no framework {name!r}: there are {', '.join(FRAMEWORKS)}")
    for name in options.names or FRAMEWORKS:
        check(name, options.torch)


if __name__ == "__main__":
    main()
