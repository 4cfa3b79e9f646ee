"""The learning curve of a run, or of several that differ in the seed, as a picture.

    python -m steam_env.training.plot runs/standard-* --picture curve.svg

Of several runs the mean is drawn, with a band from the lowest to the highest.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from steam_env.kit.files import write_whole
from steam_env.kit.program import BAD_INPUT, fail, make_program

PROGRAM = "plot"
History = Sequence[dict[str, Any]]
"""The entries of a run, or of several that went on from each other; decisions are counted from the first one's."""


def draw_curve(history: History, path: str | os.PathLike[str]) -> None:
    """Draw win rates and imitation against decisions, as SVG; nothing if nothing was evaluated.

    Raises:
        OSError: if the picture cannot be written.
    """
    draw_curves([history], path)


def draw_curves(histories: Sequence[History], path: str | os.PathLike[str]) -> None:
    """Draw the mean of runs of one configuration, with a band from the lowest to the highest; see ``draw_curve``."""
    import matplotlib
    from matplotlib.figure import Figure

    told = list_evaluations(histories)
    if not told:
        return
    with matplotlib.rc_context({"svg.hashsalt": "steam_env", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.subplots()
        for name, points in told.items():
            decisions, rates = np.array([*points]) / 1e6, [*points.values()]
            (line,) = axes.plot(decisions, [np.mean(some) for some in rates], marker="o", markersize=3, label=name)
            if len(histories) > 1:
                band = [min(some) for some in rates], [max(some) for some in rates]
                axes.fill_between(decisions, *band, color=line.get_color(), alpha=0.2, linewidth=0)
        imitated = [entry["decisions"] / 1e6 for entry in histories[0] if entry["stage"] == "imitation"]
        if imitated:
            axes.axvspan(0.0, imitated[-1], color="0.92", label="imitation")
        axes.set(xlabel="million decisions", ylabel="win rate", ylim=(0.0, 1.0))
        axes.grid(alpha=0.3)
        axes.legend(loc="lower right")
        picture = BytesIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    write_whole(path, picture.getvalue())


def list_evaluations(histories: Sequence[History]) -> dict[str, dict[int, list[float]]]:
    """By opponent and decisions, the win rates of all runs that were evaluated there."""
    told: dict[str, dict[int, list[float]]] = {}
    for history in histories:
        for entry in history:
            for name, result in entry.get("evaluation", {}).items():
                told.setdefault(name, {}).setdefault(entry["decisions"], []).append(result["win_rate"])
    return told


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the curves of runs in one picture; returns the exit code."""
    from steam_env.training.run import read_history

    parser = argparse.ArgumentParser(
        prog="python -m steam_env.training.plot",
        description="Draw the mean learning curve of runs that differ in the seed, with the lowest and the highest.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="FOLDER", help="a run's folder")
    parser.add_argument("--picture", type=Path, default=Path("curve.svg"), help="the SVG file that is written")
    options = parser.parse_args(arguments)
    try:
        histories = [read_history(folder) for folder in options.runs]
        for folder, history in zip(options.runs, histories, strict=True):
            if not history:
                raise ValueError(f"{folder}: no history of a run lies there")
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    draw_curves(histories, options.picture)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
