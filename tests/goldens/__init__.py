"""Goldens: what the package does today, as hashes, to prove that moving its modules changes nothing.

    python -m tests.goldens           # checks; exit code 1 if anything differs
    python -m tests.goldens --all     # checks the frozen protocols, too, which takes minutes
    python -m tests.goldens --write   # takes what is here as golden

Nothing here knows where a module is: only names that users have (``steam_env``, ``steam_env.agents``, Gymnasium's ids,
``evaluate.py``, ``train.py``) are imported. Records are hashed field by field, by the names and dtypes in
``goldens.json``, so their layout may change. ``files/`` holds saves, game files and scenarios of the version that
wrote the goldens: they stay as they are, see ``tests.goldens.make_files``.
"""
