"""One target under Atheris: ``python -m tests.verification.fuzz.harness TARGET [options of libFuzzer]``."""

import json
import random
import sys
import tomllib
from pathlib import Path
from typing import Any

import atheris

PACKAGE = Path(__file__).parents[3] / "steam_env"
# Kernels are left alone: Numba compiles them from their bytecode.
KERNELS = [
    ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts)
    for folder in ("core", "encoding", "agents")
    for source in (PACKAGE / folder).glob("*.py")
]

with atheris.instrument_imports(include=["steam_env", "tomllib", "json"], exclude=KERNELS):
    import tomli_w

    from tests.verification.fuzz.mutate import mutate_save, mutate_table
    from tests.verification.fuzz.targets import TARGETS

STRUCTURED = 0.5  # share of the changes that keep the form


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """A change of the form's own kind, or any of libFuzzer's."""
    rng = random.Random(seed)
    if rng.random() < STRUCTURED:
        try:
            return _mutate_form(data, rng)[:max_size]
        except Exception:  # whatever is in the way of reading it: then it is bytes
            pass
    changed: bytes = atheris.Mutate(data, max_size)
    return changed


def _mutate_form(data: bytes, rng: random.Random) -> bytes:
    changes = rng.randrange(1, 4)
    kind = TARGET.removeprefix("steam_")
    if kind in ("map", "deck", "scenario"):
        return tomli_w.dumps(mutate_table(tomllib.loads(data.decode()), rng, changes)).encode()
    if kind in ("game_file", "rules"):
        return json.dumps(mutate_table(json.loads(data), rng, changes)).encode()
    if kind == "save":
        return mutate_save(data, rng)
    head, lines = data[:2], data[2:].decode().split("\n")
    changed: Any = mutate_table(lines, rng, changes)
    return head + "\n".join(map(str, changed)).encode()


if __name__ == "__main__":
    TARGET = sys.argv.pop(1)
    atheris.Setup(sys.argv, TARGETS[TARGET], custom_mutator=mutate)
    atheris.Fuzz()
