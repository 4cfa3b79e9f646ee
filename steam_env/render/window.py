"""A window that shows the picture: one for the whole process, opened by the first picture."""

from __future__ import annotations

import os
import warnings
from types import ModuleType
from typing import Any

import numpy as np

NEEDED = "a window needs: pip install 'steam-env[render]'"
INSTEAD = "use the mode 'rgb_array', 'svg' or 'ansi', or set SDL_VIDEODRIVER=dummy"
CAPTION = "steam_env"
DISMISSED = "dismissed"
CLOSED = (
    "the window was closed: the game goes on without pictures, until close() of the environment or "
    "steam_env.render.close_window() allows a new window"
)
UNSEEN = ("offscreen", "dummy")  # drivers of windows that nobody sees; SDL takes the first where there is no display


def show_pixels(pixels: np.ndarray, fps: float | None = None) -> bool:
    """Show a picture, (height, width, 3) uint8, in the window; with ``fps`` not sooner than its turn comes.

    Somebody who closes the window, by its button or a key of the system, wants no more pictures, and the program goes
    on without: a warning says so once, and nothing is shown or waited for until ``close_window`` is called.

    Returns:
        whether the picture is shown.

    Raises:
        ImportError: without the packages of the extra ``render``.
        RuntimeError: where no window can be opened.
    """
    if is_dismissed():
        return False
    pygame = _load_pygame()
    height, width, _ = pixels.shape
    screen = _open_screen(pygame, (width, height))
    if any(event.type == pygame.QUIT for event in pygame.event.get()):  # which also shows the system that we live
        _dismiss()
        return False
    screen.blit(pygame.surfarray.make_surface(pixels.swapaxes(0, 1)), (0, 0))
    pygame.display.flip()
    if fps is not None:
        _clock(pygame).tick(fps)
    return True


def close_window() -> None:
    """Close the window, if one is open; the next picture opens it again, even if somebody had closed it."""
    pygame = _state.pop("pygame", None)
    _state.clear()
    if pygame is not None:
        pygame.display.quit()


def is_dismissed() -> bool:
    """Whether somebody closed the window, and no new one is allowed yet."""
    return DISMISSED in _state


def _dismiss() -> None:
    """Close the window for good, as somebody wants it."""
    close_window()
    _state[DISMISSED] = True
    warnings.warn(CLOSED, stacklevel=1)


_state: dict[str, Any] = {}  # while a window is open: pygame and its clock; DISMISSED after somebody closed it


def _load_pygame() -> ModuleType:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some versions import what setuptools has deprecated
            import pygame
    except ImportError as error:
        raise ImportError(f"{error}; {NEEDED}") from error
    return pygame


def _open_screen(pygame: ModuleType, size: tuple[int, int]) -> Any:
    """The window's surface, of this size."""
    screen = pygame.display.get_surface()
    if screen is not None and screen.get_size() == size:
        return screen
    try:
        pygame.display.init()
        driver = pygame.display.get_driver()
        if driver in UNSEEN and driver != os.environ.get("SDL_VIDEODRIVER"):
            pygame.display.quit()
            raise pygame.error("there is no display")
        screen = pygame.display.set_mode(size)
    except pygame.error as error:
        raise RuntimeError(f"no window can be opened here ({error}): {INSTEAD}") from error
    pygame.display.set_caption(CAPTION)
    _state["pygame"] = pygame
    return screen


def _clock(pygame: ModuleType) -> Any:
    return _state.setdefault("clock", pygame.time.Clock())
