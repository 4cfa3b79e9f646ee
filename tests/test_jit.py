"""How kernels are compiled: whose folder an edit opens, machine code by types, versions of Numba, notices."""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from steam_env.core import cache, jit

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")


def run_python(code: str, cache_folder: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter with an own cache folder; its errors fail the test."""
    places = os.pathsep.join(map(str, (*paths, ROOT)))
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(cache_folder), "PYTHONPATH": places}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


# --- whose folder an edit opens -----------------------------------------------------------------------------

TREE = {
    "core/jit.py": "import numba",
    "core/bits.py": "from steam_env.core.jit import kernel",
    "core/rail/state.py": "MOST = 4",
    "core/rail/step.py": "from steam_env.core.bits import (\n    has,  # )\n)\nfrom ..rail.state import MOST",
    "core/river/step.py": "from steam_env.core import bits",
    "encoding/__init__.py": "def make():\n    from steam_env.encoding.rail import flat",
    "encoding/layout.py": "",
    "encoding/rail/flat.py": "from ...core.rail import step\nfrom ..layout import Layout\nimport steam_env.encoding",
    "encoding/river/flat.py": "from steam_env.core.river.step import step",
    "agents/greedy.py": "from steam_env.agents.greedy_plan import plan\nfrom steam_env.table.view import View",
    "agents/greedy_plan.py": "import steam_env.core.rail.step as step, sys",
    "agents/random.py": "from steam_env.core.rail.step import step",
    "view.py": "from steam_env.core.river.step import step",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of two games with the folders of this one."""
    folder = tmp_path / "steam_env"
    for name, text in TREE.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        for parent in (file.parent, file.parent.parent):
            if parent != tmp_path and not (parent / "__init__.py").exists():
                (parent / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(cache, "PACKAGE_FOLDER", folder)
    return folder


@pytest.mark.parametrize(
    ("edited", "compiled_anew"),
    [
        ("core/bits.py", {"rail step", "river step", "rail flat", "river flat", "greedy", "random"}),
        ("core/rail/state.py", {"rail step", "rail flat", "greedy", "random"}),
        ("core/river/step.py", {"river step", "river flat"}),
        ("encoding/layout.py", {"rail flat"}),
        ("encoding/river/flat.py", {"river flat"}),
        ("agents/greedy_plan.py", {"greedy"}),
        ("agents/random.py", {"random"}),
        ("view.py", set()),
    ],
)
def test_folders__an_edit_opens_those_that_it_can_change(package: Path, edited: str, compiled_anew: set[str]) -> None:
    modules = {
        "rail step": "core/rail/step.py",
        "river step": "core/river/step.py",
        "rail flat": "encoding/rail/flat.py",
        "river flat": "encoding/river/flat.py",
        "greedy": "agents/greedy.py",
        "random": "agents/random.py",
    }
    before = {name: cache.hash_sources(package / file) for name, file in modules.items()}
    with (package / edited).open("a", encoding="utf-8") as file:
        file.write("\n# edited\n")
    after = {name: cache.hash_sources(package / file) for name, file in modules.items()}
    assert {name for name in modules if before[name] != after[name]} == compiled_anew


def test_folders__a_users_kernels_count_their_own_modules_and_the_package(package: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "agent.py"
    mine.parent.mkdir()
    mine.write_text("import numpy\nimport helpers\nfrom steam_env.core.bits import has\n", encoding="utf-8")
    helpers = mine.with_name("helpers.py")
    helpers.write_text("", encoding="utf-8")
    sources = {source.relative_to(tmp_path).as_posix() for source in cache.list_sources(mine) if source != cache.INSIDE}
    core = {"steam_env/core/bits.py", "steam_env/core/jit.py"}
    assert sources == {"mine/agent.py", "mine/helpers.py", *core}


def test_folders__every_kernel_of_the_package_counts_how_it_is_compiled() -> None:
    for room in cache.KERNEL_ROOMS:
        for file in (cache.PACKAGE_FOLDER / room).rglob("*.py"):
            if "@kernel" in file.read_text(encoding="utf-8"):
                names = {source.name for source in cache.list_sources(file)}
                assert {"jit.py", "cache.py", "numba_inside.py"} <= names, file


def test_folders__kernels_import_kernels_at_the_top_of_their_module() -> None:
    """What an import is taken from stands in the text: so the names of compiled functions that a kernel calls do."""
    step = cache.PACKAGE_FOLDER / "core" / "steam_power" / "step.py"
    found = {source.resolve() for source in cache.list_sources(step)}
    for source in found:
        module = importlib.import_module(".".join(source.relative_to(ROOT).with_suffix("").parts))
        for value in vars(module).values():
            function = getattr(value, "py_func", None)
            if function is not None:
                assert Path(function.__code__.co_filename).resolve() in found, (module, function)


# --- machine code by types ----------------------------------------------------------------------------------

SMALL = np.dtype((np.record, [("seat", "<i8"), ("money", "<i8")]))
LARGE = np.dtype((np.record, [("name", "S8"), ("money", "<i8", (3,)), ("seat", "<i8")]))


def tell_seat(games: np.ndarray) -> int:
    return int(games[0].seat)


@pytest.mark.parametrize("order", [(SMALL, LARGE), (LARGE, SMALL)], ids=["small first", "large first"])
def test_machine_code__is_that_of_the_record_type(order: tuple[np.dtype, np.dtype]) -> None:
    function: Callable[..., int] = jit.kernel(tell_seat)
    batches = []
    for number, dtype in enumerate(order):
        games = np.zeros(1, dtype)
        games["seat"] = number + 7
        batches.append(games)
        assert function(games) == number + 7
    for number, games in enumerate(batches):
        code = jit.find_machine_code(function, games)
        assert code is not function
        assert code(games) == number + 7


def test_machine_code__is_the_kernel_itself_for_types_that_were_never_compiled() -> None:
    function = jit.kernel(tell_seat)
    assert jit.find_machine_code(function, np.zeros(1, SMALL)) is function


# --- entries and translations ---------------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="module")
def forget_kernels() -> None:
    """Kernels of this file that an earlier run of the tests kept would be loaded, not compiled."""
    shutil.rmtree(cache.find_folder(Path(__file__)), ignore_errors=True)


@jit.kernel
def halve(number: int, parts: int = 2) -> int:
    return number // parts


@jit.kernel
def halve_each(numbers: np.ndarray) -> int:
    return halve(numbers[0]) + halve(3, int(numbers[0])) + halve(numbers.shape[0])


@jit.kernel
def halve_all(numbers: np.ndarray) -> int:
    return halve_each(numbers) - halve(numbers[0], 2)


def test_kernels__that_a_kernel_calls_are_translated_once_for_all_integers() -> None:
    assert halve_each(np.array([8], np.int8)) == 4
    (translated,) = halve.overloads.values()  # type: ignore[attr-defined]
    assert not translated.library._finalized
    assert jit.find_machine_code(halve, 8, 2) is halve
    assert halve(8, 2) == 4
    assert jit.find_machine_code(halve, 8, 2) is not halve
    assert halve_each(np.array([8], np.int16)) == 4


def test_kernels__are_called_by_functions_that_numba_compiles_by_itself() -> None:
    def quarter(number: int) -> int:
        return halve(halve(number))

    first = numba.njit(quarter)
    assert first(8) == 2
    assert halve(8, 2) == 4
    second = numba.njit(quarter)
    assert (first(12), second(12)) == (3, 3)


def test_kernels__that_are_compiled_together_are_one_piece_of_machine_code() -> None:
    numbers = np.array([8], np.int32)
    jit.call_kernels([(halve_all, (numbers,)), (halve_each, (numbers,))])
    libraries = {compiled.library for kernel in (halve_all, halve_each) for compiled in [_find_entry(kernel, numbers)]}
    assert len(libraries) == 1
    assert (halve_all(numbers), halve_each(numbers)) == (0, 4)


@jit.kernel
def add_up(numbers: np.ndarray, first: int) -> int:
    rest = numbers[first:]
    total = 0
    for number in rest:
        total += number
    return total


@jit.kernel
def take_rest(numbers: np.ndarray) -> np.ndarray:
    return numbers[1:]


@jit.kernel
def add_pieces(numbers: np.ndarray) -> int:
    room = np.ones(4, np.int64)
    return add_up(numbers, 1) + add_up(take_rest(numbers), 1) + add_up(room, 1)


@pytest.fixture
def allocations() -> Iterator[Callable[[], tuple[int, int]]]:
    """How many pieces of memory kernels have taken and given back, told at each call."""
    _nrt_python.memsys_enable_stats()
    yield lambda: (rtsys.get_allocation_stats().alloc, rtsys.get_allocation_stats().free)
    _nrt_python.memsys_disable_stats()


def test_kernels__count_who_holds_an_array_only_where_they_make_or_return_some(
    allocations: Callable[[], tuple[int, int]],
) -> None:
    numbers = np.arange(5)
    add_pieces(numbers)
    held, (taken, given) = sys.getrefcount(numbers), allocations()
    for _ in range(10):
        assert add_pieces(numbers) == 10 + 9 + 3
        assert add_up(numbers, 1) == 10
        assert take_rest(numbers).tolist() == [1, 2, 3, 4]
    taken_now, given_now = allocations()
    assert sys.getrefcount(numbers) == held
    assert taken_now - taken == given_now - given
    if jit.USES_INSIDE:
        counting = {kernel: "NRT_incref" in _translate(kernel) for kernel in (add_up, take_rest)}
        assert counting == {add_up: False, take_rest: True}


def _translate(kernel: Any) -> str:
    """What a kernel was translated to."""
    return str(next(iter(kernel.overloads.values())).library._final_module)


@pytest.mark.skipif(not jit.USES_INSIDE, reason="Numba counts as it does by itself")
def test_kernels__called_by_functions_that_numba_compiles_give_back_what_these_hold(
    allocations: Callable[[], tuple[int, int]],
) -> None:
    @numba.njit
    def use(size: int) -> int:
        part = take_rest(np.arange(size))
        return add_up(part, 0) + part[0]

    assert use(5) == 11
    taken, given = allocations()
    assert [use(5) for _ in range(5)] == [11] * 5
    taken_now, given_now = allocations()
    assert taken_now - taken == given_now - given > 0


@jit.kernel
def count_down(number: int) -> int:
    if number <= 0:
        return 0
    return 1 + count_down(number - 2)


@jit.kernel
def mix(number: int, unused: int) -> int:
    total = 0
    for part in range(number):
        total += halve(part, part + unused % 3 + 1) if part != 5 else count_down(part)
    return total


@jit.kernel
def mix_twice(numbers: np.ndarray) -> int:
    return mix(int(numbers[0]), 7) + mix(int(numbers[1]), 7)


def test_kernels__that_another_entry_holds_a_copy_of_are_entered_by_their_own() -> None:
    """LLVM may drop arguments of the copy, which nobody else calls."""
    expected = [mix.py_func(number, 7) for number in (40, 50)]  # type: ignore[attr-defined]
    assert mix_twice(np.array([40, 50])) == sum(expected)
    assert [mix(40, 7), mix(50, 7)] == expected
    assert [count_down(5), mix_twice(np.array([40, 50]))] == [3, sum(expected)]


def _find_entry(kernel: Any, *arguments: object) -> Any:
    return kernel.overloads[tuple(map(numba.typeof, arguments))]


INNER_AND_OUTER = """
from steam_env.core.jit import kernel

@kernel
def inner(number):
    return number // (number - 1)

@kernel
def outer(number):
    return inner(number) + 1

@kernel
def other(number):
    return inner(number) + 2
"""
RAISING = """
from mine import inner, other, outer
from steam_env.core.jit import call_kernels
call_kernels([(outer, (3,)), (other, (3,))])
for function in (outer, other):
    try:
        function(1)
    except ZeroDivisionError as error:
        print(error, sum(function.stats.cache_hits.values()), len(inner.overloads))
"""


def test_kernels__loaded_from_the_cache_need_nothing_that_they_call_and_raise_as_before(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(INNER_AND_OUTER, encoding="utf-8")
    kept = tmp_path / "kept"
    first, second = (run_python(RAISING, kept, tmp_path).stdout.splitlines() for _ in range(2))
    assert first == ["integer division by zero 0 1"] * 2
    assert second == ["integer division by zero 1 0"] * 2
    assert {file.name.split("-")[0] for file in kept.rglob("*.nbc")} == {"mine.outer", "mine.other"}


# --- versions of Numba --------------------------------------------------------------------------------------

KERNEL_MODULE = """
from steam_env.core.jit import kernel

@kernel
def double(number):
    return 2 * number
"""
UNTESTED = """
import sys
import numba
numba.__version__ = "{version}"
sys.modules["steam_env.core.numba_inside"] = None  # importing it fails
from numba.core.caching import FunctionCache
from steam_env.core import jit
from mine import double
assert double(4) == 8
assert type(double._cache) is FunctionCache
assert jit.find_machine_code(double, 4) is double
jit.call_kernels([(double, (4,))])
print(sum(double.stats.cache_hits.values()))
"""


@pytest.mark.parametrize(
    ("version", "tested"),
    [("0.60.0", False), ("0.61.0", True), ("0.68.9", True), ("0.68.0dev0+12", True), ("0.69.0", False), ("1.0", False)],
)
def test_numba__a_version_is_tested_or_not(version: str, tested: bool) -> None:
    assert jit.is_tested(version) is tested


@pytest.mark.parametrize("version", ["0.60.2", "0.99.0"])
def test_numba__an_untested_version_caches_and_calls_by_itself(tmp_path: Path, version: str) -> None:
    (tmp_path / "mine.py").write_text(KERNEL_MODULE, encoding="utf-8")
    kept = tmp_path / "kept"
    hits = [run_python(UNTESTED.format(version=version), kept, tmp_path).stdout.strip() for _ in range(2)]
    assert hits == ["0", "1"]
    assert list(kept.rglob("*.nbi"))


# --- notices ------------------------------------------------------------------------------------------------

ANNOUNCED = """
from steam_env.core.jit import announce_compilation, kernel

@kernel
def double(number):
    return 2 * number

with announce_compilation("doubling"):
    assert double(4) == 8
"""


def test_notice__what_is_compiled_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ANNOUNCED, encoding="utf-8")
    first, second = (run_python("import mine", tmp_path / "kept", tmp_path) for _ in range(2))
    assert "steam_env: compiling the doubling, once for this version" in first.stderr
    assert second.stderr == ""


def test_notice__says_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ANNOUNCED, encoding="utf-8")
    done = run_python("import mine", tmp_path / "mine.py" / "below", tmp_path)
    assert "for this process alone, as nothing can be kept" in done.stderr
    assert "set NUMBA_CACHE_DIR to a folder for it" in done.stderr
