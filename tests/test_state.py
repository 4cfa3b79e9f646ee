"""The records: their size, their layout."""

import numpy as np

from steam_env.core.steam_power.state import BOARD, DECK, GAME, SCRATCH
from steam_env.core.work import CONTROL_FIELDS

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
    for number, field in enumerate(CONTROL_FIELDS, start=1):
        SCRATCH.work[field.name] = number
    assert SCRATCH.control.tolist() == list(range(1, len(CONTROL_FIELDS) + 1))
    work = SCRATCH.open(tracing=True)[0]
    assert [int(work[field.name]) for field in CONTROL_FIELDS] == [1, 0, 0, 0, 0]
