"""One protocol played by the policies of training runs that differ in the seed: what a run comes to, and how far off.

One run tells little: two runs of one configuration may end points apart. So runs are put together by ``rliable``, as
Agarwal et al. 2021 recommend: the interquartile mean, of the runs and matches in the middle half, with 95 % percentile
intervals of a bootstrap that draws runs anew within each match (stratified). Needs the extra ``seeds``.

    python -m steam_env.evaluation.seeds runs/*/protocol.json --json seeds.json
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steam_env.evaluation.protocol import FORMAT
from steam_env.evaluation.provenance import describe_software
from steam_env.kit.command_line import parse_options
from steam_env.kit.files import write_whole
from steam_env.kit.json_text import dump_json, read_json
from steam_env.kit.program import BAD_INPUT, fail, make_program

FloatArray = NDArray[np.float64]

PROGRAM = "seeds"
NEEDED = "rliable"
HOW_TO_INSTALL = "pip install -c constraints.txt -e '.[tools,seeds]'"
DESCRIPTION = (
    "Put the results of one protocol by several training runs together: means, interquartile means, intervals."
)
LEAST_RUNS = 2
RESAMPLES = 20_000
BOOTSTRAP_SEED = 1
METHOD = (
    "win rates of one agent a run; interquartile mean and mean by rliable, 95 % percentile intervals of a bootstrap "
    f"with {RESAMPLES:,} resamples, which draws runs anew within each match"
)


def put_together(rates: Mapping[str, FloatArray]) -> dict[str, dict[str, Any]]:
    """Interquartile mean and mean with their intervals.

    Args:
        rates: by name, win rates (runs, matches).

    Returns:
        By name ``iqm`` and ``mean``, each a table of ``mean``, ``low`` and ``high``.
    """
    from rliable import library, metrics

    def aggregate(values: FloatArray) -> FloatArray:
        return np.array([metrics.aggregate_iqm(values), metrics.aggregate_mean(values)])

    with _global_seed(BOOTSTRAP_SEED):
        points, intervals = library.get_interval_estimates(dict(rates), aggregate, reps=RESAMPLES)
    return {
        name: {
            what: {"mean": float(point), "low": float(low), "high": float(high)}
            for what, point, low, high in zip(("iqm", "mean"), points[name], *intervals[name], strict=True)
        }
        for name in rates
    }


@contextmanager
def _global_seed(seed: int) -> Iterator[None]:
    """Seed NumPy's global state, from which rliable draws whatever it is given, and put it back afterwards."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


def compare_runs(paths: Sequence[Path]) -> dict[str, Any]:
    """What the runs whose protocol results lie there come to, as it is written to JSON.

    Raises:
        ValueError: for too few runs, for a file of something else, or if they played other protocols or matches than
            the first, or were frozen to other things.
    """
    if len(paths) < LEAST_RUNS:
        raise ValueError(f"{len(paths)} results: at least {LEAST_RUNS} runs are needed")
    contents = [_read_result(path) for path in paths]
    first = contents[0]
    labels = _list_opponents(first)
    for path, content in zip(paths, contents, strict=True):
        for key in ("protocol", "frozen"):
            if content[key] != first[key]:
                raise ValueError(f"{path}: its {key} is not that of {paths[0]}")
        if _list_opponents(content) != labels:
            raise ValueError(f"{path}: its matches are not those of {paths[0]}")
    rates = np.array([[_find_rate(match) for match in content["matches"]] for content in contents])
    by_match = put_together({label: rates[:, [number]] for number, label in enumerate(labels)})
    return {
        "protocol": first["protocol"],
        "runs": [content["agent"] for content in contents],
        "all": put_together({"all": rates})["all"],
        "matches": [
            {"opponent": label, "win_rates": rates[:, number].tolist(), **by_match[label]}
            for number, label in enumerate(labels)
        ],
        "method": METHOD,
        "software": describe_software(),
    }


def _read_result(path: Path) -> dict[str, Any]:
    content = read_json(path, "result")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{path}: it is not the result of a protocol, which has the format {FORMAT!r}")
    return content


def _list_opponents(content: Mapping[str, Any]) -> list[str]:
    return [match["opponent"] for match in content["matches"]]


def _find_rate(match: Mapping[str, Any]) -> float:
    return float(match["results"]["agents"][0]["win_rate"]["mean"])


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        results: Result files of one protocol, one for each run.
        json: Write what comes out to this file.
    """

    results: tuple[Path, ...]
    json: Path = Path("seeds.json")


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Put results of runs together, write the JSON and say what came out; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        if importlib.util.find_spec(NEEDED) is None:
            raise ValueError(f"runs are put together by {NEEDED}: {HOW_TO_INSTALL}")
        content = compare_runs(options.results)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    write_whole(options.json, dump_json(content, indent=1) + "\n")
    for name, entry in (*((match["opponent"], match) for match in content["matches"]), ("all", content["all"])):
        iqm = entry["iqm"]
        print(f"{name}: {iqm['mean']:.1%} ({iqm['low']:.1%} to {iqm['high']:.1%})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
