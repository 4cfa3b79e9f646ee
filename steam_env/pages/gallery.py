"""The pictures of docs/, and the page that shows those of all games.

Each is a position of a game that agents play from a seed, so that the pictures are the same on every machine; a test
compares them with the files. A game has them as ``GALLERY`` in the module ``gallery`` of its own folder.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steam_env.evaluation.agent_names import make_any_agent
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import join
from steam_env.spec import find_spec, list_games
from steam_env.table.asking import ask_mover
from steam_env.table.engine import load_setting
from steam_env.table.game import Game, game_class_of

DOCS = Path("docs")
FOLDER, PAGE = DOCS / "gallery", DOCS / "gallery.md"


@dataclass(frozen=True)
class Picture:
    """A picture: of the first decision of this phase from this round on (of the end if there is none).

    Attributes:
        game: its id.
        file: of the picture.
        caption: what is to be seen on it.
        rules: fields of the game's ``Rules``.
        agent: who plays on all seats.
        seed: of the game and of the agents.
        seat: the observer; None shows all hands.
    """

    game: str
    file: Path
    caption: str
    rules: Mapping[str, Any] = field(hash=False)
    agent: str
    seed: int
    round: int
    phase: str
    theme: str = "light"
    seat: int | None = None

    def play(self) -> Game:
        """The game at that position."""
        rules = find_spec(self.game).facts.rules(**self.rules)
        game = game_class_of(load_setting(rules))(rules, self.seed)
        agent = make_any_agent(self.agent, self.game)
        agent.reset(self.seed)
        while not game.done and (game.round < self.round or game.phase != self.phase):
            game.step(ask_mover(agent, game))
        return game

    def draw(self) -> str:
        """The SVG."""
        return str(self.play().render("svg", seat=self.seat, theme=self.theme))


@dataclass(frozen=True)
class Gallery:
    """What a game shows.

    Attributes:
        pictures: in the order of the page.
        others: captions of other pictures, by file.
        make_others: the texts of those, and of whatever else is made with them, by path.
    """

    pictures: tuple[Picture, ...]
    others: Mapping[Path, str] = field(default_factory=dict)
    make_others: Callable[[], dict[Path, str]] = dict


def find_gallery(game: str) -> Gallery:
    """The gallery of a shipped game."""
    gallery: Gallery = importlib.import_module(f"steam_env.pages.{game}.gallery").GALLERY
    return gallery


def show_pictures(game: str) -> str:
    """All pictures of a game with their captions."""
    gallery = find_gallery(game)
    shown = {picture.file: picture.caption for picture in gallery.pictures} | dict(gallery.others)
    return join(*(f"![{file.stem}]({file.relative_to(DOCS)})\n\n{caption}" for file, caption in shown.items()))


def make_files() -> dict[Path, str]:
    """The texts of the page, the pictures and what else galleries have, by path."""
    files = {PAGE: renew_file(PAGE, {"pictures": show_pictures})}
    for gallery in map(find_gallery, list_games()):
        files |= {picture.file: picture.draw() for picture in gallery.pictures} | gallery.make_others()
    return files
