"""The package as users get it: one version, a wheel that is complete, nothing of a developer's machine."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import steam_env

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"([A-Za-z0-9_.-]+)==[0-9][A-Za-z0-9.]*")
NAME = re.compile(r"[A-Za-z0-9_.-]+")
NOT_OURS = (  # written so that this file does not match
    re.compile(r"(?<![\w.])/(?:work|farm|root|home|Users)/"),
    re.compile(r"index[-_]url|find[-_]links|trusted[-_]host|file[:]//", re.IGNORECASE),
)


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the tree, so that nothing is left in the tree itself."""
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder in ("steam_env", "agents"):
        shutil.copytree(ROOT / folder, tree / folder, symlinks=True, ignore=ignored)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tree / file)
    out = tmp_path_factory.mktemp("wheel")
    run_python("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", out, tree)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, beside nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run_python(*arguments: str | Path, folder: Path | None = None) -> str:
    """What Python prints when it runs with these arguments in this folder; its errors fail the test."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def run_installed(installed: Path, code: str) -> str:
    """What `code` prints in an empty folder, with the wheel's contents first on the path."""
    empty = installed.parent / "empty"
    empty.mkdir(exist_ok=True)
    return run_python("-c", f"import sys; sys.path.insert(0, {str(installed)!r}); {code}", folder=empty)


def names_in(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def tracked_files() -> list[Path]:
    """The files under version control; a test is skipped where there is none."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listing.split("\0") if name and (path := ROOT / name).is_file()]


def pins() -> dict[str, str]:
    """The lines of constraints.txt by name of the package."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {line.partition("==")[0].lower().replace("_", "-"): line for line in lines if line and line[0] != "#"}


# --- versions ---------------------------------------------------------------------------------------
def test_version__is_one_and_the_same(project: dict[str, Any]) -> None:
    citation = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert citation
    assert steam_env.__version__ == project["project"]["version"] == citation[1]


def test_constraints__pin_exact_versions_and_nothing_else() -> None:
    for line in pins().values():
        assert PINNED.fullmatch(line), line


def test_constraints__pin_all_that_the_tests_install(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"]
    for requirement in [*project["project"]["dependencies"], *extras["tools"], *extras["test"]]:
        name = NAME.match(requirement)
        assert name
        assert name[0].lower() in pins()


def test_ci__runs_the_test_command_of_the_readme() -> None:
    command = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert command.endswith("python -m tests")
    assert command in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()


# --- the wheel --------------------------------------------------------------------------------------
def test_packages__every_folder_of_modules_is_listed(project: dict[str, Any]) -> None:
    inside = {path.parent.relative_to(ROOT) for path in (ROOT / "steam_env").rglob("*.py")}
    agents = {Path("steam_env") / path.parent.relative_to(ROOT) for path in (ROOT / "agents").rglob("*.py")}
    assert {".".join(path.parts) for path in inside | agents} == set(project["tool"]["setuptools"]["packages"])


def test_wheel__holds_every_module_and_data_file(wheel: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for pattern in ("*.py", "*.toml", "*.html", "*.css", "*.js", "py.typed")
        for path in (ROOT / "steam_env").rglob(pattern)
    }
    wanted |= {f"steam_env/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "agents").rglob("*.py")}
    assert {
        "steam_env/py.typed",
        "steam_env/data/steam_power/decks/standard.toml",
        "steam_env/agents/__init__.py",
    } <= wanted
    assert wanted <= names_in(wheel)


def test_wheel__has_one_top_level_package(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names_in(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"steam_env"}


def test_wheel__declares_the_programs(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        declared = archive.read(name).decode()
        assert "steam-evaluate = steam_env.commands.evaluate:main" in declared
        assert "steam-play = steam_env.commands.play:main" in declared


def test_wheel__agents_come_from_the_wheel(installed: Path) -> None:
    found = run_installed(installed, "import steam_env.agents; print(steam_env.agents.__file__)")
    assert Path(found) == installed / "steam_env" / "agents" / "__init__.py"


def test_wheel__has_its_data(installed: Path) -> None:
    code = "from steam_env.data.steam_power import decks, maps; [decks.load_deck(d) for d in decks.shipped_decks()]; "
    code += "[maps.load_map(m) for m in maps.shipped_maps()]; print(*decks.shipped_decks(), decks.__file__)"
    assert (
        run_installed(installed, code)
        == f"mini standard {installed / 'steam_env' / 'data' / 'steam_power' / 'decks.py'}"
    )


# --- the checkout -----------------------------------------------------------------------------------
def test_checkout__agents_are_importable_without_installing() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import steam_env.agents as a; print(a.__file__)"
    assert Path(run_python("-c", code)).resolve() == ROOT / "agents" / "__init__.py"


def test_checkout__no_paths_of_a_machine_and_no_index_settings() -> None:
    for path in tracked_files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        for pattern in NOT_OURS:
            found = pattern.search(text)
            assert not found, f"{path.relative_to(ROOT)}: {found and found[0]!r}"
