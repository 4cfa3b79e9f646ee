"""A fresh interpreter in which Numba compiles nothing: what it prints must be what compiled kernels come to."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run_uncompiled(code: str, *words: str, **variables: str) -> str:
    """What the code prints in plain Python, with these arguments and variables of the environment; warnings fail."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *words],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()
