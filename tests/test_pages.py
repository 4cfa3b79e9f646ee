"""The pages: what is written from code and results is as it is written now, links lead somewhere, examples run."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from steam_env import steam_power_v0, steam_v0
from steam_env.envs.registration import list_environments
from steam_env.pages import __main__ as pages
from steam_env.pages import gallery
from steam_env.pages.blocks import list_blocks, renew, renew_file
from steam_env.pages.steam import environments as steam_environments
from steam_env.pages.steam_power import environments
from tests.test_package import PINNED
from tests.verification.frameworks.__main__ import FRAMEWORKS
from tests.verification.frameworks.page import RESULTS, read_snippets

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
ENVIRONMENTS = sorted((ROOT / "docs" / "environments").glob("*.md"))
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEMPLATE = "Usage, Description, Rules in short, Observation, Action, Reward, Termination, Options, Version history"
TRAINING = ("policies", "readme", "training")  # pages that need the extra `train`


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def stand_in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


# --- all pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "module"), [*pages.list_pages()])
def test_page__is_as_it_is_written_now(name: str, module: str) -> None:
    if name in TRAINING:
        pytest.importorskip("sb3_contrib")
    files = pages.make_files(module)
    assert [path for path, text in files.items() if not pages.is_current(path, text)] == [], (
        f"python -m steam_env.pages {name}"
    )


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.stem)
def test_page__links_lead_to_headings(page: Path) -> None:
    """That their files are there is a matter of ``test_docs``."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", read(page), flags=re.DOTALL)
    for file, heading in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", prose):
        headings = re.findall(r"^#+ (.*)", read(page.parent / file if file else page), re.MULTILINE)
        assert heading in [text.lower().replace(" ", "-") for text in headings], heading


def test_blocks__are_renewed_and_all_else_stays() -> None:
    makers = {"sum": lambda *words: str(sum(map(int, words)))}
    page = "a\n<!-- sum 1 2 -->\nstale\n<!-- end -->\n<!-- a remark -->\nb\n"
    assert renew(page, makers) == "a\n<!-- sum 1 2 -->\n3\n<!-- end -->\n<!-- a remark -->\nb\n"
    assert list_blocks(page) == [("sum", "1 2")]
    with pytest.raises(ValueError, match=r"block 'sun': there are sum"):
        renew(page.replace("sum", "sun"), makers)
    with pytest.raises(ValueError, match=r"block 'sum' has no <!-- end -->"):
        renew("<!-- sum 1 -->\n<!-- sum 2 -->\n<!-- end -->\n", makers)


def test_blocks__of_a_page_that_is_not_there_or_has_none(tmp_path: Path) -> None:
    makers = {"one": lambda: "1", "many": lambda number: number}
    assert renew_file(tmp_path / "page.md", makers) == "# Page\n\n<!-- one -->\n1\n<!-- end -->\n"
    (tmp_path / "page.md").write_text("by hand\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"page\.md: there is no block"):
        renew_file(tmp_path / "page.md", makers)


def test_command__lists_checks_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pages.main([]) == 0
    assert capsys.readouterr().out.split() == [name for name, _ in pages.list_pages()]
    assert pages.main(["record", "--check"]) == 0
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/record.md").write_text("<!-- record DECK -->\n<!-- end -->\n", encoding="utf-8")
    assert pages.main(["record", "--check"]) == 1
    assert pages.main(["record"]) == 0
    assert "| field |" in read(Path("docs/record.md"))
    assert capsys.readouterr().out.splitlines() == ["differs: docs/record.md", "written: docs/record.md"]
    with pytest.raises(SystemExit):
        pages.main(["recrod"])
    assert "page 'recrod': there are agents_as_programs" in capsys.readouterr().err


def test_gallery__has_no_other_pictures() -> None:
    files = gallery.make_files()
    assert {*gallery.FOLDER.iterdir()} == {path for path in files if path.parent == gallery.FOLDER}


# --- the environments ---------------------------------------------------------------------------------


def test_environments__each_has_a_page_that_is_linked_and_every_table_is_used() -> None:
    assert {page.stem for page in ENVIRONMENTS} == {
        *(steam_power_v0.env().metadata["name"], steam_v0.env().metadata["name"], *list_environments(), "vector")
    }
    assert all(f"environments/{page.name}" in read(ROOT / "docs" / "environment.md") for page in ENVIRONMENTS)
    for pages_of_a_game in (environments, steam_environments):
        files = pages_of_a_game.make_files()
        assert {name for text in files.values() for name, _ in list_blocks(text)} == set(pages_of_a_game.PARTS)


@pytest.mark.parametrize("page", ENVIRONMENTS, ids=lambda page: page.stem)
def test_environments__pages_follow_the_template(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    assert ", ".join(re.findall(r"^## (.*)", prose, re.MULTILINE)) == TEMPLATE
    assert len(re.findall(r"^# ", prose, re.MULTILINE)) == 1


# --- the README ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_readme__examples_run(example: str) -> None:
    exec(compile(example, "README.md", "exec"), {})


def test_readme__first_screen_has_board_replay_results_and_both_commands() -> None:
    first_screen, top = README[: README.index("## In Python")], README[: README.index("```")]
    assert all(part in first_screen for part in ("| --- |", "evaluate.py greedy", "-m tests"))
    assert "](docs/board.svg)" in top
    assert "](docs/replay.html)" in top


# --- training and frameworks --------------------------------------------------------------------------


def test_training__standard_is_the_preset_with_several_seeds() -> None:
    pytest.importorskip("sb3_contrib")
    from steam_env.pages.steam_power.training import list_runs
    from steam_env.training.run import read_config, read_history, weigh_share
    from steam_env.training.steam_power.presets import PRESETS

    seeds, self_play = set(), []
    for run in list_runs():
        history, config = read_history(run), read_config(run)
        assert config == replace(PRESETS["standard"], seed=config.seed)
        seeds.add(config.seed)
        assert history[-1]["decisions"] >= PRESETS["standard"].decisions
        self_play += [entry for entry in history if entry["stage"] == "self-play"]
        content = json.loads(read(run / "protocol.json"))
        assert content["protocol"] == "v1"
        assert content["is_frozen"]
        rates = {match["opponent"]: match["results"]["agents"][0]["win_rate"] for match in content["matches"]}
        assert rates["automa:normal"]["low"] > 0.70
    assert len(seeds) == len(list_runs()) > 1
    assert weigh_share(self_play, "environment") < 0.05  # of all, as the page tells it: by the clock


def test_frameworks__page_has_code_and_a_result_for_each() -> None:
    assert read_snippets().keys() == FRAMEWORKS.keys()
    assert {path.stem for path in RESULTS.glob("*.json")} == FRAMEWORKS.keys()
    assert "\n".join(read_snippets().values()).count("```") == 0


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_frameworks__each_is_named_tested_and_installable(name: str) -> None:
    framework = FRAMEWORKS[name]
    ast.parse(read_snippets()[name])
    for line in read(ROOT / framework.constraints).splitlines():
        assert line.startswith("#") or PINNED.fullmatch(line), line
    tests = read(ROOT / "tests" / "verification" / "frameworks" / framework.tests)
    assert f'run("{name}")' in tests
    assert f"pip install -e '.[{framework.extra}]'" in tests
    assert f"\n{framework.extra} = [" in read(ROOT / "pyproject.toml")
