"""The learning curve of a run as a picture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from steam_env.kit.files import write_whole


def draw_curve(history: Sequence[dict[str, Any]], path: str | os.PathLike[str]) -> None:
    """Draw win rates and imitation against decisions, as SVG; nothing if nothing was evaluated.

    Args:
        history: of a run, or of several that went on from each other, whose decisions are counted from the first one's.
        path: of the picture.

    Raises:
        OSError: if it cannot be written.
    """
    import matplotlib
    from matplotlib.figure import Figure

    told = [entry for entry in history if "evaluation" in entry]
    if not told:
        return
    with matplotlib.rc_context({"svg.hashsalt": "steam_env", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.subplots()
        for name in dict.fromkeys(name for entry in told for name in entry["evaluation"]):
            points = [
                (entry["decisions"] / 1e6, entry["evaluation"][name]["win_rate"])
                for entry in told
                if name in entry["evaluation"]
            ]
            axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
        imitated = [entry["decisions"] / 1e6 for entry in history if entry["stage"] == "imitation"]
        if imitated:
            axes.axvspan(0.0, imitated[-1], color="0.92", label="imitation")
        axes.set(xlabel="million decisions", ylabel="win rate", ylim=(0.0, 1.0))
        axes.grid(alpha=0.3)
        axes.legend(loc="lower right")
        picture = BytesIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    write_whole(path, picture.getvalue())
