"""Rule 7: taking contracts; rule 8.5: renewing the deck."""

from tests.verification.reference.knowledge import note_taking
from tests.verification.reference.state import NOBODY, Table, Taking

CONTRACTS_TAKEN = 2


# --- the deck -------------------------------------------------------------------------------------
def draw(table: Table) -> int | None:
    """The next contract of the deck, which Automas' discards renew when it is empty; None with none left."""
    if not table.deck and table.discards:
        reshuffle(table)
    return table.deck.pop(0) if table.deck else None


def reshuffle(table: Table) -> None:
    """Rule 8.5; chance says in which order the discards come."""
    table.tell("reshuffle", NOBODY, contracts=len(table.discards))
    reshuffles = max(table.generation) + 1
    while table.discards:
        number = table.next_outcome()
        assert number in table.discards, f"contract {number} is no discard"
        table.discards.remove(number)
        table.deck.append(number)
        table.generation[number] = reshuffles
        table.tell("stack", NOBODY, contract=number)


# --- hands ----------------------------------------------------------------------------------------
def fullest_hands(table: Table, taker: int) -> list[int]:
    """The other seats whose hands a contract may be taken from (rules 7.1, 7.2)."""
    if table.solo:
        return []
    most = max(len(hand) for hand in table.hands)
    return [seat for seat, hand in enumerate(table.hands) if len(hand) == most and most > 0 and seat != taker]


def is_tie(table: Table, taker: int) -> bool:
    """Whether the taker chooses: several have the most, be it the taker and one other (rule 7.2)."""
    others = fullest_hands(table, taker)
    return len(others) > 1 or (len(others) == 1 and len(table.hands[taker]) == len(table.hands[others[0]]))


def take_from_hand(table: Table, taker: int, loser: int) -> None:
    """At random (rule 7.1)."""
    number = table.next_outcome()
    assert number in table.hands[loser], f"contract {number} is not in the hand of seat {loser}"
    table.hands[loser].remove(number)
    table.hands[taker].add(number)
    note_taking(table, taker, number, loser)
    table.tell("take", taker, contract=number, from_seat=loser)


# --- the action -----------------------------------------------------------------------------------
def can_take(table: Table, seat: int) -> bool:
    """Rule 7.2: at least one contract would be gained."""
    return bool(table.deck or table.discards or fullest_hands(table, seat))


def begin(table: Table, from_hands: bool = True) -> bool:
    """Whether both contracts are there; else the mover has to choose a hand."""
    return take_on(table, CONTRACTS_TAKEN, from_hands)


def take_on(table: Table, left: int, from_hands: bool = True) -> bool:
    seat = table.seat
    while left:
        number = draw(table)
        if number is not None:
            table.hands[table.purse(seat)].add(number)
            table.tell("draw", seat, contract=number)
        elif from_hands and is_tie(table, seat):
            table.decision = Taking(left)
            return False
        elif from_hands and fullest_hands(table, seat):
            take_from_hand(table, seat, fullest_hands(table, seat)[0])
        left -= 1
    return True


def choose_hand(table: Table, taking: Taking, loser: int) -> bool:
    take_from_hand(table, table.seat, loser)
    return take_on(table, taking.left - 1)


def take_options(table: Table) -> set[str]:
    return {f"take_from player_{seat}" for seat in fullest_hands(table, table.seat)}
