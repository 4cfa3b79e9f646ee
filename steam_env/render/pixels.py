"""The picture as pixels: the SVG rasterised with a font that comes with a package, the same on every machine."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from steam_env.render.canvas import HEIGHT, WIDTH

if TYPE_CHECKING:
    from PIL.Image import Image

NEEDED = "pictures of pixels need: pip install 'steam-env[render]'"
FONT_STYLES = ("SourceSansPro", "SourceSansProBold")


def rasterise(svg: str, width: int = WIDTH) -> Image:
    """The picture as an RGB image, ``width`` pixels wide.

    Raises:
        ImportError: without the packages of the extra ``render``.
    """
    try:
        import font_source_sans_pro
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError(f"{error}; {NEEDED}") from error
    fonts = [font_source_sans_pro.font_files_ttf[style] for style in FONT_STYLES]
    height = round(width * HEIGHT / WIDTH)
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True, font_files=fonts)
    return Image.open(io.BytesIO(bytes(png))).convert("RGB")


def draw_pixels(svg: str, width: int = WIDTH) -> np.ndarray:
    """The picture as (height, width, 3) uint8, a fresh array."""
    return np.array(rasterise(svg, width))
