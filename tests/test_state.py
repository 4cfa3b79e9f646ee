"""The records: their size, their layout."""

import numpy as np
from steam_env.table.advance import CONTROL, open_work, scratch

from steam_env.core.steam_power.state import BOARD, DECK, GAME

KIBIBYTE = 1024


def test_game__is_at_most_four_kibibytes_without_padding() -> None:
    assert GAME.itemsize <= 4 * KIBIBYTE
    for record in (GAME, BOARD, DECK):
        assert record.names is not None
        assert record.itemsize == sum(record[name].itemsize for name in record.names)


def test_game__fields_read_the_same_as_attributes_and_items() -> None:
    """A field named like an attribute of NumPy scalars would be read in Python as something else."""
    for dtype in (GAME, BOARD, DECK):
        record = np.zeros(1, dtype)[0]
        for name in dtype.names or ():
            assert np.array_equal(getattr(record, name), record[name])


def test_work__what_a_step_begins_with_stands_in_a_row() -> None:
    for number, name in enumerate(CONTROL, start=1):
        scratch.work[name] = number
    assert scratch.control.tolist() == list(range(1, len(CONTROL) + 1))
    work = open_work(tracing=True)[0]
    assert [int(work[name]) for name in CONTROL] == [1, 0, 0, 0, 0]
