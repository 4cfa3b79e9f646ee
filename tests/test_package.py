"""The package as users get it: one version, a wheel that is complete, nothing of a developer's machine."""

import hashlib
import os
import random
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
from steam_env import IllegalActionError, SaveError, ScenarioError
from tests.games import mini
from tests.verification.lockstep.scenarios import Players

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


def run_python(*arguments: str | Path, folder: Path | None = None, **variables: str) -> str:
    """What Python prints when it runs with these arguments in this folder; its errors fail the test."""
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def tracked_files() -> list[Path]:
    """The files under version control; a test is skipped where there is none."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listing.split("\0") if name and (path := ROOT / name).is_file()]


# --- versions ---------------------------------------------------------------------------------------
def test_version__is_one_and_the_same(project: dict[str, Any]) -> None:
    citation = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert citation
    assert steam_env.__version__ == project["project"]["version"] == citation[1]


def test_constraints__pin_exact_versions_of_all_that_the_tests_install(project: dict[str, Any]) -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and line[0] != "#"]
    assert [line for line in pins if not PINNED.fullmatch(line)] == []
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in pins}
    extras = project["project"]["optional-dependencies"]
    for requirement in [*project["project"]["dependencies"], *extras["tools"], *extras["test"]]:
        name = NAME.match(requirement)
        assert name
        assert name[0].lower() in pinned


def test_ci__runs_the_test_command_of_the_readme() -> None:
    command = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert command.endswith("python -m tests")
    assert command in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()


# --- the wheel --------------------------------------------------------------------------------------
def test_packages__every_folder_of_modules_is_listed(project: dict[str, Any]) -> None:
    inside = {path.parent.relative_to(ROOT) for path in (ROOT / "steam_env").rglob("*.py")}
    agents = {Path("steam_env") / path.parent.relative_to(ROOT) for path in (ROOT / "agents").rglob("*.py")}
    assert {".".join(path.parts) for path in inside | agents} == set(project["tool"]["setuptools"]["packages"])


def test_wheel__is_one_package_with_every_module_data_file_and_program(wheel: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for pattern in ("*.py", "*.toml", "*.html", "*.css", "*.js", "py.typed")
        for path in (ROOT / "steam_env").rglob(pattern)
    }
    wanted |= {f"steam_env/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "agents").rglob("*.py")}
    some = (
        "py.typed",
        "data/steam_power/decks/standard.toml",
        "agents/__init__.py",
        "agents/policies/duel.safetensors",
    )
    wanted |= {f"steam_env/{name}" for name in some}
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (programs,) = (archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
    assert wanted <= names
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"steam_env"}
    for program in ("evaluate", "play", "train"):
        assert f"steam-{program} = steam_env.commands.{program}:main" in programs


def test_wheel__has_its_agents_and_data(installed: Path) -> None:
    """What it prints in an empty folder, with the wheel's contents first on the path."""
    code = f"""import sys; sys.path.insert(0, {str(installed)!r})
import steam_env.agents
from steam_env.data.steam_power import decks, maps
print(*map(maps.load_map, maps.shipped_maps()), *map(decks.load_deck, decks.shipped_decks()), file=sys.stderr)
print(*decks.shipped_decks(), decks.__file__, steam_env.agents.__file__)"""
    empty = installed.parent / "empty"
    empty.mkdir()
    package = installed / "steam_env"
    files = f"{package / 'data' / 'steam_power' / 'decks.py'} {package / 'agents' / '__init__.py'}"
    assert run_python("-c", code, folder=empty) == f"mini standard {files}"


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


# --- what Python makes of it ------------------------------------------------------------------------
def hash_games() -> str:
    digest = hashlib.sha256()
    for seats, rules in ((2, {}), (3, {"edition": "preview", "routing": "cheapest"})):
        game = mini(seats, num_players=seats, max_rounds=8, **rules)
        players = Players(random.Random(seats))
        while not game.done:
            game.step(players.choose(game))
            for seat in range(seats):
                digest.update(game.redeal(seat, 1).records.tobytes() + game.observe(seat).tobytes())
            digest.update(game.records.tobytes() + game.mask.tobytes())
        digest.update(repr(game.log).encode())
    return digest.hexdigest()


def test_package__plain_python_plays_the_same_games_as_compiled_code() -> None:
    code = "from tests.test_package import hash_games; print(hash_games())"
    assert run_python("-P", "-c", code, NUMBA_DISABLE_JIT="1", PYTHONPATH=str(ROOT)) == hash_games()


def test_package__imports_four_packages_only() -> None:
    code = "import sys, steam_env; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    modules = set(run_python("-P", "-c", code, PYTHONPATH=str(ROOT)).split())
    assert {"numpy", "numba", "gymnasium", "pettingzoo"} <= modules
    extras = ("torch", "matplotlib", "tomli_w", "rich", "tyro", "stable_baselines3", "sb3_contrib", "PIL", "pygame")
    assert not modules & set(extras)


def test_package__an_edited_helper_is_noticed_despite_the_cache(tmp_path: Path) -> None:
    """The kernel that is called is not edited, only one that it calls from another module."""
    kernel = "from steam_env.core.jit import kernel\n\n@kernel\ndef {}:\n    return {}\n"
    helper = tmp_path / "helper.py"
    helper.write_text(kernel.format("double(number)", "2 * number"), encoding="utf-8")
    (tmp_path / "caller.py").write_text(
        "from helper import double\n" + kernel.format("call(number)", "double(number)"), encoding="utf-8"
    )
    settings = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    settings["NUMBA_DISABLE_JIT"] = "0"
    code = "from caller import call; print(call(4), sum(call.stats.cache_hits.values()))"
    assert [run_python("-P", "-c", code, **settings) for _ in range(2)] == ["8 0", "8 1"]
    helper.write_text(kernel.format("double(number)", "3 * number"), encoding="utf-8")
    assert run_python("-P", "-c", code, **settings) == "12 0"


def test_package__exports_all_that_it_names_and_errors_that_are_value_errors() -> None:
    assert all(hasattr(steam_env, name) for name in steam_env.__all__)
    assert {"Game", "GameBatch", "Rules", "IllegalActionError", "steam_power_v0"} <= set(steam_env.__all__)
    assert all(issubclass(error, ValueError) for error in (IllegalActionError, ScenarioError, SaveError))
