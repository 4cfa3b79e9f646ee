"""A small writer of SVG: elements whose colours are names of a theme, and the widths of texts."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from steam_env.render.shapes import number
from steam_env.render.theme import AUTO, DARK, PALETTE

WIDTH, HEIGHT = 1200, 800  # of every picture, so that the frames of a video have one size
FONTS = "'Source Sans Pro', 'Source Sans 3', 'Helvetica Neue', Arial, sans-serif"
NARROW, WIDE = "iljtfrI.,:;'|!()[] ", "mwMW%@"
NARROW_WIDTH, WIDE_WIDTH, UPPER_WIDTH, USUAL_WIDTH = 0.3, 0.85, 0.66, 0.53  # in parts of the font's size
BOLD_WIDTH = 1.08  # in parts of the width of the same text in regular weight
SHRINKING = "max-width:100%;height:auto"  # a page or notebook narrower than the picture shows all of it, smaller
LIGHT_INDEX, DARK_INDEX = 0, 1
GROUP, GROUP_END, CLOSE = '<g class="', '">', "</g>"
REGULAR, BOLD, HALOED = "regular", "bold", "haloed"  # weights of text; the last is bold with a rim around its letters
HALO = "halo"  # the rim's colour in the palette
ANCHORS = {"middle": "m", "end": "e"}  # class by text-anchor
TEXT_STYLES = (
    ".{name}-{theme} .m{{text-anchor:middle}}.{name}-{theme} .e{{text-anchor:end}}"
    ".{name}-{theme} .b{{font-weight:700}}.{name}-{theme} .h{{paint-order:stroke;stroke-linejoin:round}}"
)


def measure(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is in a usual sans-serif font, rather too wide than too narrow."""
    width = 0.0
    for letter in text:
        if letter in NARROW:
            width += NARROW_WIDTH
        elif letter in WIDE:
            width += WIDE_WIDTH
        else:
            width += UPPER_WIDTH if letter.isupper() else USUAL_WIDTH
    return width * size * (BOLD_WIDTH if bold else 1)


def wrap(text: str, size: float, width: float) -> list[str]:
    """The text in lines that are no wider than ``width``, as far as its words allow."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if measure(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class Canvas:
    """Collects elements and writes them out as one SVG document.

    ``fill`` and ``stroke`` are names of ``theme.PALETTE``. They become classes, so that one document can serve the
    light and the dark theme. No element has an id: many pictures may stand in one page.

    Args:
        width, height: of the picture.
        name: the class of the document, which its rules begin with.
    """

    def __init__(self, width: int, height: int, name: str = "picture") -> None:
        self.width, self.height, self.name = width, height, name
        self._parts: list[str] = []
        self._used: set[tuple[str, str]] = set()
        self.places: dict[str, tuple[str, str]] = {}  # by the name that ``mark`` got: layer, path round it
        self._layer = ""  # under way

    def mark(self, name: str, path: str) -> None:
        """Name the place inside a path, for pages on which it can be clicked; see ``Sight.spots``."""
        self.places[name] = (self._layer, path)

    def open(self, name: str) -> None:
        """Begin a group: a layer that scripts and style sheets can find by its class."""
        self._layer = name
        self._parts.append(f"{GROUP}{name}{GROUP_END}")

    def close(self) -> None:
        """End the group."""
        self._layer = ""
        self._parts.append(CLOSE)

    def layers(self) -> dict[str, list[str]]:
        """The groups in order, each with its elements: for a page of many pictures that holds each part once."""
        layers: dict[str, list[str]] = {}
        elements: list[str] = []  # of the group under way
        for part in self._parts:
            if part.startswith(GROUP):
                elements = layers.setdefault(part.removeprefix(GROUP).removesuffix(GROUP_END), [])
            elif part != CLOSE:
                elements.append(part)
        return layers

    def draw(
        self,
        path: str,
        fill: str | None = None,
        stroke: str | None = None,
        width: float = 1,
        title: str = "",
        more: str = "",
    ) -> None:
        """Draw a path; ``title`` is shown under the pointer, ``more`` are further attributes."""
        if not path:
            return
        pen = f' stroke-width="{number_2(width)}"' if stroke else ""
        tail = f"><title>{escape(title)}</title></path>" if title else "/>"
        self._parts.append(f"<path{self._paint(fill, stroke)}{pen}{_spaced(more)} d={quoteattr(path)}{tail}")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None = None,
        stroke: str | None = None,
        radius: float = 6,
        pen: float = 1,
    ) -> None:
        """Draw a rectangle with round corners."""
        place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        line = f' stroke-width="{number_2(pen)}"' if stroke else ""
        self._parts.append(f'<rect{self._paint(fill, stroke)}{line} {place} rx="{number(radius)}"/>')

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        fill: str = "ink",
        anchor: str = "start",
        weight: str = REGULAR,
        width: float | None = None,
    ) -> float:
        """Write a line of text, shrunk to ``width`` if it is wider; returns about how wide it is."""
        if not text:
            return 0.0
        needed = measure(text, size, weight != REGULAR)
        if width is not None and needed > width:
            size *= width / needed
            needed = width
        styles = [ANCHORS[anchor]] if anchor in ANCHORS else []
        styles += ["b"] if weight != REGULAR else []
        styles += ["h"] if weight == HALOED else []
        more = f' stroke-width="{number(size * 0.3)}"' if weight == HALOED else ""
        place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        self._parts.append(
            f"<text{self._paint(fill, HALO if weight == HALOED else None, styles)}{more} {place}>{escape(text)}</text>"
        )
        return needed

    def _paint(self, fill: str | None, stroke: str | None, styles: Sequence[str] = ()) -> str:
        classes = list(styles)
        for letter, name in (("f", fill), ("s", stroke)):
            if name:
                self._used.add((letter, name))
                classes.append(f"{letter}-{name}")
        plain = "" if fill else ' fill="none"'
        return f' class="{" ".join(classes)}"{plain}' if classes else plain

    def to_svg(self, theme: str, title: str) -> str:
        """The document."""
        root = f"{self.name} {self.name}-{theme}"
        style = self._style(theme, DARK_INDEX if theme == DARK else LIGHT_INDEX)
        if theme == AUTO:
            style += f"@media (prefers-color-scheme:dark){{{self._style(theme, DARK_INDEX)}}}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{root}" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" style="{SHRINKING}" font-family="{FONTS}" role="img">'
            f"<title>{escape(title)}</title><style>{TEXT_STYLES.format(name=self.name, theme=theme)}{style}</style>"
            f"{''.join(self._parts)}</svg>\n"
        )

    def _style(self, theme: str, index: int) -> str:
        """A rule for each colour used; those of one picture do not touch another's in the same page."""
        properties = {"f": "fill", "s": "stroke"}
        return "".join(
            f".{self.name}-{theme} .{letter}-{color}{{{properties[letter]}:{PALETTE[color][index]}}}"
            for letter, color in sorted(self._used)
        )


def number_2(value: float) -> str:
    """A size as text, to a hundredth, in as few characters as possible."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _spaced(more: str) -> str:
    return f" {more}" if more else ""
