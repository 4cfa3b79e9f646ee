"""Rule 8: the Mautoma."""

from tests.reference.state import Table


def clear_coins(table: Table, actor: int) -> None:
    """Rule 8.13."""


def play_turn(table: Table, seat: int) -> None:
    """Rule 8.4."""
    raise NotImplementedError
