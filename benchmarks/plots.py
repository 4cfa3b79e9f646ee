"""The plots of docs/performance.md, from the numbers of the result files. Needs matplotlib, the extra ``bench``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, NullFormatter

Rows = Sequence[Mapping[str, Any]]

STYLE: Any = {
    "svg.hashsalt": "steam_env",  # the same picture is the same file
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
SIZE = (7.0, 3.6)  # inches
ROOM = 1.2  # above the highest bar, for a legend
OURS, OTHERS, LINE = "#0072b2", "#999999", "#d55e00"  # told apart by the colour-blind too
KINDS = {  # by kind: how it is named and drawn
    "bare": ("bare", "#0072b2", "o"),
    "observed": ("with observation", "#d55e00", "s"),
    "automas": ("against Automas", "#009e73", "^"),
}


def _rate(row: Mapping[str, Any]) -> float:
    return float(row["decisions"]["median"])


def _scale_rates(axes: Axes) -> None:
    """Rates of all magnitudes upwards."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(EngFormatter(sep=" "))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("decisions/s")


def plot_sizes(axes: Axes, rows: Rows) -> None:
    """Plot decisions per second against batch size."""
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        name, color, marker = KINDS[kind]
        axes.plot([row["size"] for row in own], [_rate(row) for row in own], marker=marker, color=color, label=name)
    axes.set_xscale("log")
    sizes = sorted({row["size"] for row in rows})
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel("games in the batch")
    _scale_rates(axes)
    axes.legend(frameon=False)


def plot_seats(axes: Axes, rows: Rows) -> None:
    """Plot decisions per second against seats."""
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        name, color, marker = KINDS[kind]
        axes.plot([row["seats"] for row in own], [_rate(row) for row in own], marker=marker, color=color, label=name)
    axes.set_xticks(sorted({row["seats"] for row in rows}))
    axes.set_xlabel("seats")
    _scale_rates(axes)
    axes.legend(frameon=False)


def plot_maps(axes: Axes, rows: Rows) -> None:
    """Plot nanoseconds of a decision by map."""
    names = [f"{row['map']}\n{row['hexes']} hexes" for row in rows]
    axes.bar(names, [1e9 / _rate(row) for row in rows], color=OURS, width=0.6)
    axes.set_ylabel("ns per decision")


def plot_stages(axes: Axes, rows: Rows) -> None:
    """Plot nanoseconds of a decision by stage of the game, and of all stages together."""
    stages = [row for row in rows if row["rounds"] != "all"]
    axes.bar([row["rounds"] for row in stages], [1e9 / _rate(row) for row in stages], color=OURS, width=0.7)
    for row in rows:
        if row["rounds"] == "all":
            axes.axhline(1e9 / _rate(row), color=LINE, linestyle="--", label="all stages together")
    axes.set_ylim(top=ROOM * max(1e9 / _rate(row) for row in rows))
    axes.set_xlabel("rounds")
    axes.set_ylabel("ns per decision")
    axes.legend(frameon=False, loc="upper left")


def plot_peers(axes: Axes, rows: Rows) -> None:
    """Plot decisions per second of each environment."""
    played = sorted((row for row in rows if "decisions" in row), key=_rate)
    colors = [OURS if row["own"] else OTHERS for row in played]
    axes.barh([row["what"] for row in played], [_rate(row) for row in played], color=colors, height=0.7)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(EngFormatter(sep=" "))
    axes.set_xlabel("decisions/s")
    axes.grid(visible=False, axis="y")


PLOTS: dict[str, tuple[Callable[[Axes, Rows], None], float]] = {  # by name: what draws it, its height
    "sizes": (plot_sizes, 1.0),
    "seats": (plot_seats, 1.0),
    "maps": (plot_maps, 1.0),
    "stages": (plot_stages, 1.0),
    "peers": (plot_peers, 1.4),
}


def draw_plot(name: str, rows: Rows, path: Path) -> None:
    """Draw one plot into an SVG file."""
    draw, height = PLOTS[name]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(SIZE[0], SIZE[1] * height), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot(), rows)
        figure.savefig(path, metadata={"Date": None})
