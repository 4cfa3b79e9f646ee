"""The README: its board and results are what the commands print, its examples run."""

import re
from pathlib import Path

import pytest

from steam_env.pages.steam_power.readme import renew

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_readme__board_and_results_are_what_the_command_prints() -> None:
    assert renew(README, ROOT) == README


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_readme__examples_run(example: str) -> None:
    exec(compile(example, "README.md", "exec"), {})


def test_readme__first_screen_has_board_results_and_both_commands() -> None:
    first_screen = README[: README.index("## In Python")]
    for part in ("docs/board.svg", "| --- |", "evaluate.py greedy", "-m tests"):
        assert part in first_screen


def test_readme__begins_with_a_picture_and_a_replay() -> None:
    top = README[: README.index("```")]
    for link in (r"!\[[^\]]+\]\((docs/board\.svg)\)", r"[^!]\[[^\]]+\]\((docs/replay\.html)\)"):
        (path,) = re.findall(link, top)
        assert (ROOT / path).is_file()
