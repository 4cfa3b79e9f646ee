"""Names of seats."""

SEAT_PREFIX = "player_"


def name_seat(seat: int) -> str:
    """``player_<seat>``, for every kind of seat."""
    return f"{SEAT_PREFIX}{seat}"
