"""The parts that goldens are taken of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.verification.goldens import agents, environments, games, programs, saved, texts, vectors
from tests.verification.goldens.digest import Fields
from tests.verification.goldens.kinds import KINDS


@dataclass(frozen=True)
class Part:
    """Goldens of one sort.

    Attributes:
        kinds: what they are taken of.
        take: makes the golden of a kind, plain data, given the fields of records that count.
        is_long: whether it takes minutes.
    """

    kinds: Iterable[str]
    take: Callable[[str, Fields], dict[str, Any]]
    is_long: bool = False


PARTS = {
    "play": Part(KINDS, games.hash_play),
    "sights": Part(KINDS, games.hash_sights),
    "aec": Part(environments.AEC_KINDS, environments.hash_aec),
    "gymnasium": Part(environments.GYMNASIUM_KINDS, environments.hash_gymnasium),
    "vectors": Part(vectors.VECTOR_KINDS, vectors.hash_vector),
    "files": Part(saved.FILES, saved.hash_file),
    "texts": Part(texts.TOLD, texts.hash_texts),
    "agents": Part(agents.MATCHES, agents.hash_match),
    "matches": Part(programs.MATCHES, programs.hash_match),
    "training": Part(programs.TRAINING, programs.hash_training),
    "protocols": Part(programs.PROTOCOLS, programs.hash_protocol, is_long=True),
}
