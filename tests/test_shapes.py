"""Shapes on the hex plane: distances, outlines, growth, ways; and when two maps are the same, or nearly."""

import itertools

import pytest

from steam_env.core.hexes import NUM_EDGES, neighbours
from steam_env.data.generate import Stream
from steam_env.data.shapes import (
    NUM_SYMMETRIES,
    can_spare,
    count_runs,
    draw_outline,
    find_canonical,
    find_way,
    flood,
    grow,
    list_images,
    list_ring,
    measure_distance,
    measure_steps,
    walk,
)
from steam_env.data.steam_power.maps import load_map, terrain_by_cell
from steam_env.evaluation.likeness import Pair, find_nearest

CENTRE = (7, 7)
DISC = frozenset(flood(CENTRE, {cell for steps in range(4) for cell in list_ring(CENTRE, steps)}))
HOOK = {(1, 1): 0, (1, 3): 1, (1, 5): 2, (2, 6): 3}  # no symmetry takes it to itself


# --- geometry ---------------------------------------------------------------------------------------------
def test_list_ring__has_six_cells_for_each_step_of_distance() -> None:
    assert list_ring(CENTRE, 0) == (CENTRE,)
    assert set(list_ring(CENTRE, 1)) == set(neighbours(CENTRE))
    for steps in (2, 3, 5):
        ring = list_ring(CENTRE, steps)
        assert len(ring) == 6 * steps
        assert {measure_distance(CENTRE, cell) for cell in ring} == {steps}


def test_measure_distance__is_that_of_steps_over_the_plane() -> None:
    steps = measure_steps([CENTRE], DISC)
    assert steps == {cell: measure_distance(CENTRE, cell) for cell in DISC}
    assert measure_steps([(7, 1)], {(7, 1), (7, 5)}) == {(7, 1): 0}


@pytest.mark.parametrize(
    ("edges", "runs"),
    [((), 0), (range(6), 0), ((0,), 1), ((5, 0, 1), 1), ((0, 2), 2), ((0, 2, 4), 3), ((0, 1, 3, 4), 2)],
)
def test_count_runs__goes_round_a_cell_once(edges: tuple[int, ...], runs: int) -> None:
    cells = {neighbours(CENTRE)[edge] for edge in edges}
    assert count_runs(CENTRE, cells) == runs
    assert can_spare(CENTRE, cells) == (runs <= 1)


# --- shapes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("size", "ragged"), [(60, 0), (60, 40), (256, 10), (256, 40)])
def test_draw_outline__is_a_land_of_this_size_in_one_piece_at_the_corner(size: int, ragged: int) -> None:
    for seed in range(10):
        land = draw_outline(Stream(seed), size, ragged)
        assert len(land) == size
        assert flood(min(land), land) == land
        assert all((column + row) % 2 == 0 for column, row in land)
        assert min(column for column, _ in land) == 1
        assert min(row for _, row in land) in (1, 2)


def test_grow__takes_cells_round_a_shape_that_hang_together() -> None:
    taken = grow(Stream(1), [CENTRE], 12, DISC)
    assert len(taken) == len(set(taken)) == 12
    assert CENTRE not in taken
    assert flood(CENTRE, {CENTRE, *taken}) == {CENTRE, *taken}
    assert sorted([CENTRE, *grow(Stream(1), [CENTRE], 999, DISC)]) == sorted(DISC)
    scattered = {cell for seed in range(9) for cell in grow(Stream(seed), [CENTRE], 1, DISC, scatter=100)}
    assert max(measure_distance(CENTRE, cell) for cell in scattered) > 1


def test_walk__steps_from_cell_to_cell_until_it_leaves_them() -> None:
    for seed in range(20):
        line = walk(Stream(seed), CENTRE, 6, DISC)
        assert 4 <= len(line) <= 6  # four cells from the centre on
        assert all(other in neighbours(cell) for cell, other in itertools.pairwise(line))
        assert set(line) <= DISC


def test_find_way__leads_to_the_first_end_or_nowhere() -> None:
    ends = set(list_ring(CENTRE, 3))
    ways = [find_way(Stream(seed), CENTRE, ends, DISC - ends, 5) for seed in range(20)]
    for way in ways:
        assert way[0] == CENTRE
        assert [cell in ends for cell in way] == [False] * (len(way) - 1) + [True]
        assert all(other in neighbours(cell) for cell, other in itertools.pairwise(way))
    assert len({way[-1] for way in ways}) > 3
    assert find_way(Stream(0), CENTRE, {(1, 1)}, DISC, 5) == []


# --- symmetries ---------------------------------------------------------------------------------------------
def turn(cells: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The cells after a turn by 60 degrees round (0, 0), found by walking."""
    return {
        (
            sum(steps[edge - NUM_EDGES + 1][0] * count for edge, count in enumerate(find_steps(cell))),
            sum(steps[edge - NUM_EDGES + 1][1] * count for edge, count in enumerate(find_steps(cell))),
        ): code
        for steps in [neighbours((0, 0))]
        for cell, code in cells.items()
    }


def find_steps(cell: tuple[int, int]) -> list[int]:
    """How often each edge is crossed on a way from (0, 0): south (3) for rows, south-east (2) for columns."""
    column, row = cell
    return [0, 0, column, (row - column) // 2, 0, 0]


def reflect(cells: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    return {(-column, row): code for (column, row), code in cells.items()}


def test_find_canonical__is_the_same_for_the_twelve_symmetries_and_moves_alone() -> None:
    one, images = HOOK, []
    for _ in range(NUM_EDGES):
        images += [one, reflect(one)]
        one = turn(one)
    assert {frozenset(one.items())} == {frozenset(HOOK.items())}  # six turns are none
    assert len({find_canonical(image) for image in images}) == 1
    assert find_canonical({(column + 4, row - 2): code for (column, row), code in HOOK.items()}) == find_canonical(HOOK)
    assert len({frozenset(image.items()) for image in list_images(HOOK)}) == NUM_SYMMETRIES == len(list_images(HOOK))
    assert find_canonical({**HOOK, (1, 1): 4}) != find_canonical(HOOK)
    assert find_canonical({**HOOK, (3, 7): 0}) != find_canonical(HOOK)


def test_find_nearest__finds_a_map_again_however_it_is_turned_and_counts_what_was_changed() -> None:
    maps = [terrain_by_cell(load_map(name)) for name in ("midwest", "mini", "alps")]
    changed = turn(reflect(maps[1]))
    for cell in sorted(changed)[:7]:
        changed[cell] = 9
    done: list[int] = []
    assert find_nearest(maps, [maps[0], changed], done.append) == Pair(0, 0, 208, 208)
    assert done == [1, 1]
    assert find_nearest(maps, [changed]) == Pair(1, 0, 63, 70)
    assert find_nearest(maps, [changed]).share == 0.9


def test_find_nearest__moves_a_map_to_where_it_fits_best() -> None:
    line = {(1, row): row // 2 % 3 for row in range(1, 21, 2)}
    shifted = {(column, row + 2): code for (column, row), code in line.items()} | {(1, 1): 7}
    assert find_nearest([line], [shifted]) == Pair(0, 0, 10, 11)
