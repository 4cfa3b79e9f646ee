"""The environments' pages: one template, what comes from code is what the code prints, links lead somewhere."""

import re
from pathlib import Path

import pytest

from steam_env import steam_power_v0
from steam_env.envs.registration import list_environments
from steam_env.pages.steam_power.environments import BLOCK, PARTS, main, renew

ROOT = Path(__file__).parents[1]
INDEX = ROOT / "docs" / "environment.md"
PAGES = sorted((ROOT / "docs" / "environments").glob("*.md"))
TEMPLATE = [
    "Usage",
    "Description",
    "Rules in short",
    "Observation",
    "Action",
    "Reward",
    "Termination",
    "Options",
    "Version history",
]


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.fixture(params=PAGES, ids=lambda page: page.stem)
def page(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_pages__there_is_one_for_every_environment() -> None:
    named = {page.stem for page in PAGES}
    assert named == {steam_power_v0.env().metadata["name"], *list_environments(), "vector"}


def test_index__names_every_page_and_environment(page: Path) -> None:
    assert f"environments/{page.name}" in read(INDEX)


def test_page__follows_the_template(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    assert re.findall(r"^## (.*)", prose, re.MULTILINE) == TEMPLATE
    assert len(re.findall(r"^# ", prose, re.MULTILINE)) == 1


def test_page__holds_what_the_code_prints(page: Path) -> None:
    assert renew(read(page)) == read(page)


def test_pages__use_all_that_the_code_prints_once_or_more() -> None:
    used = {block[2] for page in PAGES for block in BLOCK.finditer(read(page))}
    assert used == set(PARTS)


def test_page__links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", read(page)):
        file, _, heading = link.partition("#")
        target = page if not file else (page.parent / file).resolve()
        assert target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.*)", read(target), re.MULTILINE)
            assert heading in [text.lower().replace(" ", "-") for text in headings], link


def test_update__writes_the_parts_into_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table history -->\nstale\n<!-- end -->\nafter\n", encoding="utf-8")
    main(["--update", str(page)])
    expected = f"before\n<!-- table history -->\n{PARTS['history']()}\n<!-- end -->\nafter\n"
    assert read(page) == expected
