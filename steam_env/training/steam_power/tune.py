"""Tune the greedy player's weights by simultaneous perturbation (SPSA).

    python -m steam_env.training.steam_power.tune --steps 400 --out runs/weights.json

In each step all weights are changed a little at random, both ways. The two players meet on the same deals, at 2, 3 and
4 seats in turn, or both play a very hard Automa or the first greedy; then all weights move towards the one that did
better. What is kept is an average over the last steps. The file holds all that the next step needs: the same command
goes on where it was stopped, and comes to the same weights.

Source: J. C. Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient approximation,
IEEE Transactions on Automatic Control 37, 1992; with the step sizes of Adam (Kingma and Ba, 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from steam_env.agents import Agent, make_agent
from steam_env.agents.greedy import GreedyAgent
from steam_env.agents.greedy_plan import WEIGHTS, Weights
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.kit.arrays import FloatArray
from steam_env.kit.checks import as_integer
from steam_env.kit.command_line import parse_options, show_progress, show_value_as
from steam_env.kit.files import write_whole
from steam_env.kit.json_text import dump_json, read_json
from steam_env.kit.program import BAD_INPUT, fail, make_program
from steam_env.kit.show import show
from steam_env.table.rewards import TOTAL

PROGRAM = "tune"
UP, DOWN = "up", "down"  # the two players of a step
AUTOMA, FIRST = "automa:very_hard", "greedy:v0"
TASKS = (2, AUTOMA, FIRST, AUTOMA, 3, AUTOMA, 2, AUTOMA, 4)  # of the steps: seats where both meet, or whom both play
GAMES = 64  # a step's games at one table, about
CHANGE = 0.12  # of the logarithm of each weight, both ways
PACE = 0.04  # of the logarithm of each weight in a step, at the beginning
CALM, CALMING = 100, 0.6  # later on it is divided by (1 + step / CALM) ** CALMING
MEMORY, SPREAD_MEMORY, AVERAGE_MEMORY = 0.9, 0.95, 0.99  # parts of a step's averages that the next one keeps
LEAST_SPREAD = 1e-3
POINTS = 10.0  # VP of margin that count for most of a win
WHOLE_STEPS = 10  # steps after which the file is written


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        out: The file of weights: it is begun, or gone on with.
        steps: Steps in all.
        seed: Everything random follows from it.
        map: Maps to play on, drawn in turn; repeat it for several. Left out: midwest and alps.
        contracts: The deck.
        keep: Weights that stay as they are.
    """

    out: Annotated[Path, show_value_as("FILE")] = Path("weights.json")
    steps: int = 400
    seed: int = 0
    map: tuple[str, ...] = ("midwest", "alps")
    contracts: str = "standard"
    keep: tuple[str, ...] = ()


@dataclass
class Search:
    """The state of the search, as its file holds it; arrays are by weight, in the order of ``Weights``.

    Attributes:
        step: steps that were made.
        logs: (weights,) float64, logarithms of the weights now.
        mean: (weights,) float64, their average over the last steps.
        drift: (weights,) float64, the average of what the steps found.
        spread: the average of its square.
    """

    step: int
    logs: FloatArray
    mean: FloatArray
    drift: FloatArray
    spread: float


def make_weights(logs: FloatArray, keep: Sequence[str]) -> Weights:
    """Weights by their logarithms; those that stay are as they are, and so are those that are 0."""
    stay = {name: value for name, value in WEIGHTS._asdict().items() if name in keep or value == 0.0}
    return Weights(*np.exp(logs).tolist())._replace(**stay)


def begin_search() -> Search:
    """A search that begins with greedy's weights."""
    values = np.array(WEIGHTS, np.float64)
    logs = np.log(np.where(values == 0.0, 1.0, values))
    return Search(0, logs, logs.copy(), np.zeros_like(logs), 0.0)


def make_step(search: Search, options: Options) -> None:
    """Try a change both ways, and move towards the better one."""
    rng = np.random.default_rng([options.seed, search.step])
    sign = rng.choice((-1.0, 1.0), len(search.logs))
    board, deals = options.map[int(rng.integers(len(options.map)))], int(rng.integers(2**32))
    pair = {name: make_weights(search.logs + way * sign, options.keep) for name, way in ((UP, CHANGE), (DOWN, -CHANGE))}
    rules = {"map": board, "contracts": options.contracts, "seed": deals}
    found = compare_players(pair, TASKS[search.step % len(TASKS)], rules)
    search.step += 1
    search.drift = MEMORY * search.drift + (1 - MEMORY) * found * sign
    search.spread = SPREAD_MEMORY * search.spread + (1 - SPREAD_MEMORY) * found**2
    size = np.sqrt(search.spread / (1 - SPREAD_MEMORY**search.step)) + LEAST_SPREAD
    pace = PACE / (1 + search.step / CALM) ** CALMING
    search.logs = search.logs + pace * search.drift / size
    search.mean = AVERAGE_MEMORY * search.mean + (1 - AVERAGE_MEMORY) * search.logs


def compare_players(pair: dict[str, Weights], task: int | str, rules: dict[str, Any]) -> float:
    """How much better the one player does than the other, from -1 to 1."""
    if isinstance(task, str):
        return measure_margin(pair, UP, (task,), 2, rules) - measure_margin(pair, DOWN, (task,), 2, rules)
    found = measure_margin(pair, UP, (DOWN,) * (task - 1), task, rules)
    return found if task == 2 else (found - measure_margin(pair, DOWN, (UP,) * (task - 1), task, rules)) / 2


def measure_margin(
    pair: dict[str, Weights], player: str, against: tuple[str, ...], seats: int, rules: dict[str, Any]
) -> float:
    """A player's mean margin over the others, their mean and their best alike, squeezed between -1 and 1."""
    config = MatchConfig(player, against=against, seats=seats, deals=GAMES // seats, **rules)

    def make(name: str) -> Agent:
        return GreedyAgent(pair[name]) if name in pair else make_agent(name)

    totals = play_match(config, make_agent=make).games.scores[:, :, :, TOTAL]
    others = totals[:, :, 1:]
    margins = totals[:, :, 0] - (others.mean(axis=2) + others.max(axis=2)) / 2
    return float(np.tanh(margins / POINTS).mean())


# --- the file ----------------------------------------------------------------------------------------


def write_search(path: Path, search: Search, options: Options) -> None:
    """Write the weights and all that the next step needs."""
    weights = make_weights(search.mean, options.keep)._asdict()
    state = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in asdict(search).items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, dump_json({"weights": weights, "search": state}, indent=1) + "\n")


def read_search(path: Path) -> Search:
    """The search that a file holds.

    Raises:
        ValueError: if it holds none.
    """
    try:
        state = read_json(path, "weights")["search"]
        arrays = {name: np.array(state[name], np.float64) for name in ("logs", "mean", "drift")}
        search = Search(step=as_integer(state["step"], "step"), spread=float(state["spread"]), **arrays)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: holds no search for weights: {show(str(error))}") from error
    if search.logs.shape != (len(Weights._fields),):
        raise ValueError(f"{path}: {search.logs.size} weights, greedy has {len(Weights._fields)}")
    return search


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Tune the weights and write them; returns the exit code."""
    try:
        options = parse_options(Options, arguments, "Tune the greedy player's weights by simultaneous perturbation.")
        unknown = set(options.keep) - set(Weights._fields)
        if unknown:
            raise ValueError(f"keep={sorted(unknown)[0]!r}: allowed are {', '.join(Weights._fields)}")
        search = read_search(options.out) if options.out.exists() else begin_search()
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    with show_progress(max(0, options.steps - search.step), what="steps") as report:
        while search.step < options.steps:
            make_step(search, options)
            report(1)
            if search.step % WHOLE_STEPS == 0 or search.step == options.steps:
                write_search(options.out, search, options)
    for name, value in make_weights(search.mean, options.keep)._asdict().items():
        print(f"    {name}: float = {value:.3g}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
