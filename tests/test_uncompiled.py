"""Encodings and agents give the same as plain Python as they do when they are compiled."""

import hashlib
from pathlib import Path

import numpy as np

from steam_env import Rules
from steam_env.core.steam_power.state import GAME, NUM_PHASES
from steam_env.data.steam_power.setting import load_setting
from steam_env.encoding.steam_power import ENCODINGS
from tests.encoding_checks import encode, join
from tests.seen import KINDS, positions
from tests.test_agents import play
from tests.uncompiled import run_uncompiled

CHOSEN = ("two", "one and four automas", "solo")
PLAIN = """
import sys
from pathlib import Path
from steam_env.core.jit import JIT_DISABLED
from tests.test_uncompiled import look
assert JIT_DISABLED
print(look(Path(sys.argv[1])))
"""


def look(folder: Path) -> list[str]:
    """What agents play, and hashes of what the encodings make of the positions in the folder's files."""
    told = [str(play(Rules(map="mini", contracts="mini"), 1, 4, ["greedy", "random"], 30).chosen)]
    for kind in CHOSEN:
        records = np.frombuffer((folder / kind).read_bytes(), GAME)
        rows = (join(encode(name, load_setting(KINDS[kind]), records, 1)) for name in ENCODINGS)
        told += [hashlib.sha256(values).hexdigest() for values in rows]
    return told


def test_kernels__give_the_same_as_plain_python(tmp_path: Path) -> None:
    for kind in CHOSEN:
        records = positions(kind).records
        of_phases = [records[records["phase"] == phase][-1:] for phase in range(NUM_PHASES)]
        (tmp_path / kind).write_bytes(np.concatenate(of_phases).tobytes())
    assert run_uncompiled(PLAIN, str(tmp_path)) == str(look(tmp_path))
