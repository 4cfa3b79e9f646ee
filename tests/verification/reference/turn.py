"""Rule 3: actions, turns, rounds, the end; and what a bonus interposes (rule 6.7)."""

from tests.verification.reference import automa, contract, factory, solo, take, track
from tests.verification.reference.geometry import EDGE_NAMES, Tile, beside, opposite
from tests.verification.reference.knowledge import forget
from tests.verification.reference.state import NOBODY, Building, Carriage, Laying, Offer, Table, Taking

MONEY_TAKEN = 3
ACTIONS = 2
PLACEMENTS = 2


# --- what is legal --------------------------------------------------------------------------------
def legal(table: Table) -> set[str]:
    """The texts of all that the mover may decide."""
    decision = table.decision
    if table.done:
        return set()
    if isinstance(decision, Laying):
        return laying_options(table, decision)
    if isinstance(decision, Building):
        return building_options(table, decision)
    if isinstance(decision, Carriage):
        return contract.carriage_options(table, decision)
    if isinstance(decision, Offer):
        return {"contracts", "done"}
    if isinstance(decision, Taking):
        return take.take_options(table)
    return action_options(table)


def action_options(table: Table) -> set[str]:
    """Rule 3.1."""
    seat = table.seat
    options = {"money"} | track.lay_options(table, seat) | contract.fulfil_options(table, seat)
    options |= {f"build {table.board.names[city]}" for city in factory.sites(table, seat)}
    return options | ({"contracts"} if take.can_take(table, seat) else set())


def laying_options(table: Table, laying: Laying) -> set[str]:
    """Rule 4.1; a link that is being started goes on with its heading."""
    if laying.start is not None:
        return track.headings(table, table.seat, *laying.start)
    return track.lay_options(table, table.seat) | {"done"}


def building_options(table: Table, building: Building) -> set[str]:
    if building.city is not None:
        return {f"amount {amount}" for amount in factory.bonus_amounts(table, building.city)}
    return {f"build {table.board.names[city]}" for city in factory.sites(table, table.seat)} | {"done"}


# --- what is done ---------------------------------------------------------------------------------
def play(table: Table, text: str) -> None:
    """One decision, and all that follows up to the next one."""
    word, _, rest = text.partition(" ")
    {
        "money": take_money,
        "contracts": take_contracts,
        "done": stop,
        "remove": place,
        "replace": place,
        "head": place,
        "start": start_link,
        "build": build,
        "amount": choose_amount,
        "fulfil": go_on_with_contract,
        "source": go_on_with_contract,
        "hop": go_on_with_contract,
        "pay": go_on_with_contract,
        "take_from": take_from,
    }[word](table, word, rest)


def take_money(table: Table, _word: str, _rest: str) -> None:
    table.money[table.purse(table.seat)] += MONEY_TAKEN
    table.tell("money", table.seat, amount=MONEY_TAKEN)
    end_action(table)


def stop(table: Table, _word: str, _rest: str) -> None:
    """One placement is enough; a bonus may be declined."""
    decision = table.decision
    assert isinstance(decision, Laying | Building | Offer)
    if decision.bonus_of is not None and not (isinstance(decision, Laying) and decision.placements):
        table.tell("decline", table.seat, contract=decision.bonus_of)
    end_action(table)


# --- track ----------------------------------------------------------------------------------------
def start_link(table: Table, _word: str, rest: str) -> None:
    """Nothing happens before the heading is chosen."""
    city, _, edge = rest.rpartition(" ")
    if table.decision is None:
        table.decision = Laying()
    assert isinstance(table.decision, Laying)
    table.decision.start = (table.board.names.index(city), EDGE_NAMES.index(edge))


def place(table: Table, word: str, rest: str) -> None:
    """One placement (rule 4.1)."""
    seat, link = table.seat, table.open_link(table.seat)
    laying = table.decision if isinstance(table.decision, Laying) else Laying()
    if word == "head":
        track.lay_tile(table, seat, *next_tile(table, laying, EDGE_NAMES.index(rest)))
    elif word == "replace":
        assert link is not None
        track.replace_tail(table, link, EDGE_NAMES.index(rest))
    else:
        assert link is not None
        track.remove_tail(table, link)
    automa.clear_coins(table, seat)
    laying.placements, laying.start = laying.placements + 1, None
    table.decision = laying
    if laying.placements == PLACEMENTS or not track.lay_options(table, seat):
        end_action(table)


def next_tile(table: Table, laying: Laying, far_edge: int) -> tuple[Tile, int | None]:
    """The tile of a heading; for the first tile of a link with the city that it starts from."""
    if laying.start is not None:
        city, way_out = laying.start
        return Tile(beside(table.board.cities[city], way_out), opposite(way_out), far_edge), city
    link = table.open_link(table.seat)
    assert link is not None
    return Tile(beside(link.tail.at, link.tail.exit), opposite(link.tail.exit), far_edge), None


# --- factories ------------------------------------------------------------------------------------
def build(table: Table, _word: str, rest: str) -> None:
    city = table.board.names.index(rest)
    if isinstance(table.decision, Building) and factory.bonus_amounts(table, city):
        table.decision.city = city
        return
    factory.build(table, table.seat, city, factory.usual_amount(table, city))
    end_action(table)


def choose_amount(table: Table, _word: str, rest: str) -> None:
    assert isinstance(table.decision, Building)
    assert table.decision.city is not None
    factory.build(table, table.seat, table.decision.city, int(rest))
    end_action(table)


# --- contracts ------------------------------------------------------------------------------------
def go_on_with_contract(table: Table, word: str, rest: str) -> None:
    if word == "fulfil":
        complete = contract.begin(table, int(rest))
    else:
        carriage = table.decision
        assert isinstance(carriage, Carriage)
        if word == "source":
            complete = contract.choose_source(table, carriage, table.board.names.index(rest))
        elif word == "hop":
            complete = contract.choose_hop(table, carriage, table.board.group[table.board.names.index(rest)])
        else:
            complete = contract.choose_payee(table, carriage, seat_named(rest))
    if complete:
        finish_contract(table)


def finish_contract(table: Table) -> None:
    """Rule 6.7: the reward; a bonus that cannot be done is passed over."""
    assert isinstance(table.decision, Carriage)
    number = table.decision.contract
    table.hands[table.purse(table.seat)].remove(number)
    forget(table, number)
    contract.gain_reward(table, table.seat, number)
    bonus = table.board.contracts[number].bonus
    if bonus == "track" and track.lay_options(table, table.seat):
        table.decision = Laying(bonus_of=number)
    elif bonus == "factory" and factory.sites(table, table.seat):
        table.decision = Building(number)
    elif bonus == "contracts" and can_take_as_bonus(table):
        table.decision = Offer(number)
    else:
        end_action(table)


def can_take_as_bonus(table: Table) -> bool:
    """In the preview edition from the deck only (rule 10)."""
    return take.can_take(table, table.seat) if table.numbers.bonus_takes_from_hands else bool(table.deck)


def take_contracts(table: Table, _word: str, _rest: str) -> None:
    as_bonus = isinstance(table.decision, Offer)
    if take.begin(table, from_hands=table.numbers.bonus_takes_from_hands or not as_bonus):
        end_action(table)


def take_from(table: Table, _word: str, rest: str) -> None:
    assert isinstance(table.decision, Taking)
    if take.choose_hand(table, table.decision, seat_named(rest)):
        end_action(table)


def seat_named(text: str) -> int:
    return int(text.removeprefix("player_"))


# --- turns and rounds (rules 3.1, 3.2, 9.2) -------------------------------------------------------
def end_action(table: Table) -> None:
    table.decision = None
    table.actions_left -= 1
    if table.actions_left == 0:
        end_turn(table)


def end_turn(table: Table) -> None:
    if table.solo:
        if table.bag or end_solo_round(table):
            solo.draw_train(table)
        return
    table.seat = (table.seat + 1) % len(table.seats)
    if table.seat == table.first_player and not end_round(table, triggered(table)):
        return
    table.actions_left = ACTIONS
    play_automas(table)


def play_automas(table: Table) -> None:
    """Automas' turns, up to a player's."""
    if not table.done and table.seat in table.automa_seats:
        automa.play_turn(table, table.seat)
        end_turn(table)


def triggered(table: Table) -> bool:
    """Rule 3.2."""
    number = table.numbers.contracts_to_end
    return number is not None and any(len(pile) >= number for pile in table.fulfilled)


def end_solo_round(table: Table) -> bool:
    """Whether another round begins."""
    goes_on = end_round(table, solo.finish_round(table))
    if goes_on:
        solo.refill_bag(table)
    return goes_on


def end_round(table: Table, is_last: bool) -> bool:
    """Whether another round begins."""
    if is_last or table.round >= table.rules.max_rounds:
        table.done, table.truncated = True, not is_last
        table.seat, table.actions_left = NOBODY, 0
        table.tell("end", NOBODY, truncated=int(table.truncated))
        return False
    table.round += 1
    table.tell("round", NOBODY, number=table.round)
    return True
