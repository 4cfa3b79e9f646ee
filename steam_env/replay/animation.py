"""A whole game as an animated picture."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from steam_env.kit.files import write_whole
from steam_env.render import draw_svg
from steam_env.render.pixels import rasterise
from steam_env.render.theme import LIGHT, check_theme
from steam_env.spec import find_spec

if TYPE_CHECKING:
    from PIL.Image import Image

    from steam_env.table.game import Game

EVERY = ("turn", "action")
SUFFIX = ".gif"
COLORS = 256
LAST_SECONDS = 4.0  # the final position stands longer
MILLISECONDS = 1000


def animate(
    game: Game,
    path: str | os.PathLike[str],
    *,
    seat: int | None = None,
    theme: str = LIGHT,
    width: int = 800,
    seconds: float = 0.7,
    every: str = "turn",
) -> int:
    """Write an animated GIF of the game so far, from its start to its present position.

    Args:
        game: a game, finished or not; it is not changed.
        path: of the file, ending in ``.gif``.
        seat: whose hand is shown; None shows all.
        theme: ``"light"`` or ``"dark"``.
        width: of the picture in pixels.
        seconds: how long each position stands.
        every: a picture after each ``"turn"``, or after each ``"action"`` with all sub-decisions.

    Returns:
        the number of pictures.

    Raises:
        ValueError: for a bad value, naming it and what is allowed.
        ImportError: without the packages of the extra ``render``.
    """
    check_theme(theme)
    if every not in EVERY:
        raise ValueError(f"every={every!r}: allowed are {', '.join(map(repr, EVERY))}")
    if Path(path).suffix.lower() != SUFFIX:
        raise ValueError(f"path={str(path)!r}: must end in {SUFFIX!r}")

    sight = find_spec(game.rules.game).sight

    def picture(position: Game) -> Image:
        return rasterise(draw_svg(position.scene(seat), sight, theme), width)

    positions = list(_choose_positions(game, every))
    palette = _find_palette([picture(positions[at]) for at in (0, len(positions) // 2, -1)])
    from PIL.Image import Dither  # the first picture has told if it is missing

    frames = (picture(position).quantize(palette=palette, dither=Dither.NONE) for position in positions)
    durations = [round(seconds * MILLISECONDS)] * (len(positions) - 1) + [round(LAST_SECONDS * MILLISECONDS)]
    film = BytesIO()
    next(frames).save(film, "GIF", save_all=True, append_images=frames, duration=durations, loop=0, optimize=False)
    write_whole(path, film.getvalue())
    return len(positions)


def _find_palette(samples: Sequence[Image]) -> Image:
    """The colours that all pictures of the animation are drawn with, taken from some of them."""
    from PIL import Image as Images

    width, height = samples[0].size
    together = Images.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        together.paste(sample, (0, number * height))
    return together.quantize(COLORS, Images.Quantize.FASTOCTREE)  # which keeps colours of thin lines, too


def _choose_positions(game: Game, every: str) -> Iterator[Game]:
    """All positions, or those at which another seat is to move than before; the last one in any case."""
    positions = list(game.positions())
    for position, following in pairwise(positions):
        if every == "action" or _turn_of(position) != _turn_of(following):
            yield position
    yield positions[-1]


def _turn_of(position: Game) -> tuple[int, int]:
    return position.round, position.seat
