"""Goldens: what the package does today, as hashes, to prove that moving its modules changes nothing.

    python -m tests.verification.goldens           # checks; exit code 1 if anything differs
    python -m tests.verification.goldens --all     # checks the frozen protocols, too, which takes minutes
    python -m tests.verification.goldens --write   # takes what is here as golden

Records are hashed field by field, by the names and dtypes in ``goldens.json``, so their layout may change. ``files/``
holds saves, game files and scenarios as the version wrote them that goldens were first taken of: they stay as they
are, for files of a later version would prove nothing.
"""
