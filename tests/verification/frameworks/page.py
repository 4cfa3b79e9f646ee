"""``python -m tests.verification.frameworks.page``: renew the table of docs/frameworks.md from its results."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "frameworks.md"
RESULTS = ROOT / "docs" / "frameworks"
BLOCK = re.compile(r"(<!-- frameworks results -->\n).*?(<!-- end -->\n)", re.DOTALL)
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
COMMIT_LENGTH = 10
HEAD = [
    "| framework | with | what ran | decisions | illegal | updates | seconds | commit |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |",
]


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
    return "\n".join([*HEAD, *map(_tell_result, results)]) + "\n"


def _tell_result(result: dict[str, Any]) -> str:
    software = result["software"]
    cells = [
        _list_versions(software, result["framework"]),
        _list_versions(software, BESIDE),
        result["ran"],
        f"{result['decisions']:,}",
        f"{result['illegal']:,}",
        f"{result['updates']:,}",
        f"{result['seconds']:.0f}",
        f"`{_name_commit(software['git'])}`",
    ]
    return f"| {' | '.join(cells)} |"


def _list_versions(software: dict[str, Any], packages: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"{TITLES[name]} {software[name]}" for name in packages)


def _name_commit(git: dict[str, Any] | None) -> str:
    if git is None:
        return "none"
    return git["commit"][:COMMIT_LENGTH] + (" and changes" if git["dirty"] else "")


def renew(page: str) -> str:
    """The page with the table told anew."""
    return BLOCK.sub(lambda block: block[1] + tabulate() + block[2], page)


if __name__ == "__main__":
    PAGE.write_text(renew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
