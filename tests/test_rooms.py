"""The rooms of the package: which file may know a game, how long files are, how many parameters a function has."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steam_env.spec import find_spec, list_games

ROOT = Path(__file__).parents[1]
MOST_LINES, MOST_PARAMETERS = 500, 8
NAMES_GAMES = {"steam_env/__init__.py", "steam_env/games/__init__.py"}  # the default game, and its exports
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("steam_env", "agents", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "/agents/" not in path.as_posix().removeprefix((ROOT / "agents").as_posix())
)


def find_name(game: str) -> re.Pattern[str]:
    """How a game may be named in sources; of one that is called like the project, as words of their own."""
    title = find_spec(game).facts.title
    if "steam_env".startswith(game):
        others = "".join(f"(?!{find_spec(other).facts.title.removeprefix(title)})" for other in list_games()[:1])
        return re.compile(rf"(?<![\w./-])(?:{game}|{title}{others}|{game}_v\d+)(?![\w/-])")
    spellings = (game, title, title.replace(" ", ""), title.lower().replace(" ", "-"))
    return re.compile("|".join(map(re.escape, spellings)))


def test_shared_rooms_name_no_game() -> None:
    for game in list_games():
        pattern = find_name(game)
        for path in (ROOT / "steam_env").rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            own = f"/{game}/" in name or Path(name).stem.startswith(game) or name.startswith("steam_env/agents")
            if path.suffix in (".py", ".html", ".css", ".js") and not own and name not in NAMES_GAMES:
                found = pattern.search(path.read_text(encoding="utf-8"))
                assert found is None, f"{name} names {found}"


@pytest.mark.parametrize("name", SOURCES)
def test_files_are_short(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").count("\n")
    assert lines <= MOST_LINES, f"{name} has {lines} lines"


def test_functions_have_few_parameters_but_kernels() -> None:
    for name in SOURCES:
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                kinds = {ast.unparse(decorator) for decorator in node.decorator_list}
                own = [one for one in (*node.args.args, *node.args.kwonlyargs) if one.arg not in ("self", "cls")]
                fine = len(own) <= MOST_PARAMETERS or kinds & {"kernel", "numba.njit"}
                assert fine, f"{name}: {node.name} has {len(own)} parameters"


def test_the_games_are_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "steam_env.games"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "steam_power\n  title                Steam Power" in done.stdout
    assert "372: money, contracts" in done.stdout
