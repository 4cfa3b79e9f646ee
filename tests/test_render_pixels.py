"""Pixels, the window, animations and videos."""

import re
import sys
import types
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from pettingzoo.utils.wrappers.record_video import RecordVideo as RecordVideoAEC
from PIL import Image

from steam_env import Game, Rules, steam_power_v0
from steam_env.render import close_window, draw_pixels, show_pixels
from steam_env.render.canvas import HEIGHT, WIDTH
from steam_env.render.pixels import rasterise
from steam_env.replay import animate
from tests.games import MINI, find, find_busy, mini

# --- pixels -------------------------------------------------------------------


def test_pixels__have_one_size_and_show_the_text() -> None:
    busy = find_busy()
    pixels = busy.render("rgb_array")
    assert isinstance(pixels, np.ndarray)
    assert (pixels.shape, pixels.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    assert pixels.flags.writeable
    assert np.array_equal(pixels, busy.render("rgb_array"))
    other = Game(Rules(map="midwest"), seed=1).render("rgb_array", theme="dark")
    assert isinstance(other, np.ndarray)
    assert other.shape == pixels.shape
    assert other.mean() < 100 < pixels.mean()
    wordless = draw_pixels(re.sub("<text.*?</text>", "", str(busy.render("svg"))))
    assert not np.array_equal(pixels, wordless)  # the font was found


@pytest.mark.parametrize("missing", ["resvg_py", "font_source_sans_pro"])
def test_pixels__say_what_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = find_busy()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"pip install 'steam-env\[render\]'"):
        busy.render("rgb_array")
    assert busy.render("svg")


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return pytest.importorskip("pygame")


def test_window__shows_and_closes(pygame: Any) -> None:
    pixels = np.zeros((20, 30, 3), np.uint8)
    pixels[3, 4] = (10, 20, 30)
    show_pixels(pixels, fps=1000)
    surface = pygame.display.get_surface()
    assert surface.get_size() == (30, 20)
    assert tuple(surface.get_at((4, 3)))[:3] == (10, 20, 30)
    close_window()
    assert pygame.display.get_surface() is None
    close_window()  # a second time is nothing


def press_close_button(pygame: Any) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))


def test_window__its_close_button_closes_it_and_the_program_goes_on(pygame: Any) -> None:
    pixels = np.zeros((20, 30, 3), np.uint8)
    assert show_pixels(pixels)
    press_close_button(pygame)
    with pytest.warns(UserWarning, match=r"the window was closed: .*close_window\(\)"):
        assert not show_pixels(pixels)
    assert not pygame.display.get_init()
    assert not show_pixels(pixels)  # without a second warning, which would be an error
    assert not pygame.display.get_init()
    close_window()
    assert show_pixels(pixels)
    assert pygame.display.get_surface() is not None
    close_window()


def make_env(interface: str, **options: Any) -> Any:
    """A short game on the small map, where the mover is the learner."""
    options = {"map": "mini", "max_rounds": 1, **options}
    return gymnasium.make("SteamPower-v0", **options) if interface == "gymnasium" else steam_power_v0.env(**options)


each_interface = pytest.mark.parametrize("interface", ["gymnasium", "pettingzoo"])


@each_interface
def test_window__closed_by_its_button_does_not_end_a_loop(interface: str, pygame: Any) -> None:
    env = make_env(interface, render_mode="human")
    env.reset(seed=1)
    assert pygame.display.get_surface().get_size() == (WIDTH, HEIGHT)
    press_close_button(pygame)
    with pytest.warns(UserWarning, match="the window was closed"):
        env.step(0)
    env.step(0)
    assert not pygame.display.get_init()
    env.reset(seed=2)
    assert not pygame.display.get_init()
    env.close()
    env.reset(seed=3)
    assert pygame.display.get_init()
    env.close()


@pytest.mark.parametrize("driver", ["no such driver", None])
def test_window__without_a_display_says_what_to_do(driver: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    close_window()
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    if driver is not None:
        monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    elif sys.platform != "linux":
        pytest.skip("other systems have a display")
    with pytest.raises(RuntimeError, match=r"no window can be opened here .*'rgb_array', 'svg' or 'ansi'"):
        show_pixels(np.zeros((20, 30, 3), np.uint8))


def test_animate__writes_a_picture_for_each_turn(tmp_path: Path) -> None:
    game = mini(1)
    for _ in range(4):
        game.step("money")
    turns = animate(game, tmp_path / "turns.gif", width=240, seconds=0.2)
    actions = animate(game, tmp_path / "actions.gif", width=240, every="action", theme="dark")
    assert (turns, actions) == (3, 5)
    for name, frames in (("turns.gif", turns), ("actions.gif", actions)):
        with Image.open(tmp_path / name) as picture:
            assert (picture.n_frames, picture.size) == (frames, (240, 160))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_animate__keeps_the_colours_of_thin_lines(theme: str, tmp_path: Path) -> None:
    game = find({"map": "mini", "num_players": 4}, lambda game: len({link["owner"] for link in game.links()}) == 4)
    animate(game, tmp_path / "game.gif", theme=theme)
    wanted = rasterise(str(game.render("svg", theme=theme)), 800)
    with Image.open(tmp_path / "game.gif") as picture:
        picture.seek(picture.n_frames - 1)
        gaps = np.abs(np.asarray(wanted, int) - np.asarray(picture.convert("RGB"), int)).max(axis=2)
    assert (gaps > 32).mean() < 5e-4


@pytest.fixture
def videos(monkeypatch: pytest.MonkeyPatch) -> list[list[np.ndarray]]:
    """The frames of the videos that a wrapper writes: MoviePy, which is heavy, is stood in for."""
    written: list[list[np.ndarray]] = []

    def make_clip(frames: list[np.ndarray], fps: float) -> types.SimpleNamespace:
        assert fps == steam_power_v0.raw_env(**MINI).metadata["render_fps"]
        return types.SimpleNamespace(write_videofile=lambda *_, **__: written.append(list(frames)))

    name = "moviepy.video.io.ImageSequenceClip"
    for part in ("moviepy", "moviepy.video", "moviepy.video.io", name):
        monkeypatch.setitem(sys.modules, part, types.ModuleType(part))
    monkeypatch.setattr(sys.modules[name], "ImageSequenceClip", make_clip, raising=False)
    return written


@each_interface
def test_video__holds_a_frame_for_each_step(interface: str, tmp_path: Path, videos: list[list[np.ndarray]]) -> None:
    record = RecordVideo if interface == "gymnasium" else RecordVideoAEC
    env = record(make_env(interface, render_mode="rgb_array"), str(tmp_path / "videos"), episode_trigger=lambda _: True)
    env.reset(seed=1)
    for _ in range(2):  # the learner's one turn, or one each
        env.step(0)
    env.close()
    (frames,) = videos
    assert len(frames) == 3
    assert {frame.shape for frame in frames} == {(HEIGHT, WIDTH, 3)}
    assert not np.array_equal(frames[0], frames[-1])
