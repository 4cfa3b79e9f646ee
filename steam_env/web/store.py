"""The games that are played here, in a file of SQLite: each is written after every action, and read after a restart."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from steam_env.kit.json_text import dump_json, parse_json
from steam_env.web.played import PlayedGame

SCHEMA = 1  # of the file, kept in it as SQLite's user_version
CREATE = "CREATE TABLE IF NOT EXISTS games (name TEXT PRIMARY KEY, used REAL NOT NULL, content TEXT NOT NULL)"
MEMORY = ":memory:"
WAIT_SECONDS = 1.0  # for another program that has the file


class StoreError(ValueError):
    """A file that is no store of games, or of another version."""


class Store:
    """Keeps games.

    Args:
        path: of the file, which is made where there is none; ``None``: in memory, for the time of the program.

    Raises:
        StoreError: naming the file and what is wrong, such as that another server has it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        try:
            self._base = sqlite3.connect(
                MEMORY if path is None else path, WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")  # two servers would overwrite each other's games
            self._base.execute("PRAGMA journal_mode = WAL")  # a write does not wait for the disk to come to rest
            self._base.execute("PRAGMA synchronous = NORMAL")
            self._check_version()
            self._base.execute(CREATE)
        except sqlite3.Error as error:
            why = "another server has it" if getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY" else error
            raise StoreError(f"{path}: no games can be kept there: {why}") from None

    def _check_version(self) -> None:
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version != SCHEMA and (version or tables):
            raise StoreError(f"{self.path}: holds no games, or of version {version}: version {SCHEMA} is read")
        self._base.execute(f"PRAGMA user_version = {SCHEMA}")

    def write(self, played: PlayedGame, now: float) -> None:
        """Keep a game as it stands.

        Raises:
            StoreError: if it cannot be written, such as to a full disk.
        """
        row = (played.name, now, dump_json(played.to_dict()))
        try:
            self._base.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", row)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: not written: {error}") from None

    def read(self, name: str) -> PlayedGame | None:
        """The game of this name; ``None`` if there is none.

        Raises:
            ValueError: if what is there cannot be read.
        """
        row = self._base.execute("SELECT content FROM games WHERE name = ?", (name,)).fetchone()
        return None if row is None else PlayedGame.from_dict(name, parse_json(row[0]))

    def count(self) -> int:
        """How many games there are."""
        return int(self._base.execute("SELECT count(*) FROM games").fetchone()[0])

    def drop_unused(self, since: float) -> None:
        """Take out all games in which nothing has happened since then."""
        self._base.execute("DELETE FROM games WHERE used < ?", (since,))

    def close(self) -> None:
        """Close the file."""
        self._base.close()
