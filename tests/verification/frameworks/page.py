"""The page on frameworks: its code, which the tests run, and its table, from the results in docs/frameworks/."""

import json
import re
from pathlib import Path
from typing import Any

from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import say_commit, table

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "frameworks.md"
RESULTS = ROOT / "docs" / "frameworks"
SNIPPET = re.compile(r"<!-- snippet (\w+) -->\n```python\n(.*?)```", re.DOTALL)
TITLES = {
    "sb3_contrib": "sb3-contrib",
    "stable_baselines3": "Stable-Baselines3",
    "ray": "Ray RLlib",
    "torchrl": "TorchRL",
    "tensordict": "TensorDict",
    "gymnasium": "Gymnasium",
    "pettingzoo": "PettingZoo",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "python": "Python",
}
BESIDE = ("gymnasium", "pettingzoo", "numpy", "torch", "python")
COLUMNS = ("framework", "with", "what ran", "commit", "decisions", "illegal", "updates", "seconds")


def read_snippets() -> dict[str, str]:
    """The page's code, by framework."""
    return dict(SNIPPET.findall(PAGE.read_text(encoding="utf-8")))


def read_snippet(name: str) -> str:
    """The page's code of a framework.

    Raises:
        KeyError: if there is none.
    """
    return read_snippets()[name]


def tabulate() -> str:
    """A line for each result file."""
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    return table(COLUMNS, map(_tell_result, results), words=4)


def _tell_result(result: dict[str, Any]) -> tuple[str, ...]:
    software = result["software"]
    return (
        _list_versions(software, result["framework"]),
        _list_versions(software, BESIDE),
        result["ran"],
        say_commit(software),
        *(f"{result[count]:,}" for count in ("decisions", "illegal", "updates")),
        f"{result['seconds']:.0f}",
    )


def _list_versions(software: dict[str, Any], packages: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"{TITLES[name]} {software[name]}" for name in packages)


def make_files() -> dict[Path, str]:
    """The page."""
    return {PAGE: renew_file(PAGE, {"results": tabulate})}
