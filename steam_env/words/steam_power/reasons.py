"""Why an action is illegal, in a sentence with the rule's number."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import START, block_of
from steam_env.core.steam_power.reasons import OK, REASONS, SITE_MONEY
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    BONUS,
    BONUS_NAMES,
    COLOR_NAMES,
    CROSSING_COST,
    HEAD,
    HOP,
    PAY,
    SOURCE,
    TAKE_FROM,
    TRACK,
)
from steam_env.data.steam_power.setting import Setting
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.actions import texts_of

PHASE_TEXTS = {
    ACTION: "which action to take",
    HEAD: "where the first tile of the new link leads (head)",
    TRACK: "the second placement of track, or done",
    SOURCE: "where to take the next resource (source)",
    HOP: "where to carry the resource next (hop)",
    PAY: "whose link to pay for (pay)",
    BONUS: "the bonus of the contract, or done",
    AMOUNT: "how many resources the bonus factory gets (amount)",
    TAKE_FROM: "whose hand to take a contract from (take_from)",
}


def explain_reason(code: int, setting: Setting, record: np.record, work: np.record, action: int) -> str | None:
    """The sentence for a reason code of ``find_problem``; None if the action is legal."""
    if code == OK:
        return None
    reason = REASONS[code]
    cities = setting.map.cities
    texts = texts_of(record, setting)
    seat = int(record.seat)
    values = {
        "phase_text": PHASE_TEXTS.get(int(record.phase), ""),
        "num_cities": len(cities),
        "num_contracts": len(setting.deck.contracts),
        "num_seats": int(record.num_seats),
        "player": name_seat(seat),
        "money": int(record.money[seat]),
        "cost": _tile_cost(setting.boards[0], record, action) if code == SITE_MONEY else int(work.cost),
        "city": _city_of(cities, action),
        "color": _color_of(setting, record, action),
        "contract": _contract_of(record, action),
        "bonus": _bonus_of(setting, record),
        "other": texts.text(action).partition(" ")[2],
    }
    return f"{texts.text(action)}: {reason.text.format(**values)} (rule {reason.rule})"


def _city_index(action: int) -> int:
    block = block_of(action)
    if block.name == "start":
        return (action - START) // NUM_EDGES
    return action - block.start if block.name in ("build", "source", "hop") else NONE


def _city_of(cities: tuple[str, ...], action: int) -> str:
    city = _city_index(action)
    return cities[city] if 0 <= city < len(cities) else "the city"


def _color_of(setting: Setting, record: np.record, action: int) -> str:
    """The colour that the refusal is about: of the next resource, or of the city to build in."""
    if record.phase == SOURCE:
        return COLOR_NAMES[setting.decks[0].needs[record.contract, record.need]]
    city = int(record.build_city) if record.phase == AMOUNT else _city_index(action)
    return COLOR_NAMES[record.color[city]] if 0 <= city < len(setting.map.cities) else ""


def _contract_of(record: np.record, action: int) -> int:
    block = block_of(action)
    return action - block.start if block.name == "fulfil" else int(record.contract)


def _bonus_of(setting: Setting, record: np.record) -> str:
    return BONUS_NAMES[setting.decks[0].bonus[record.contract]] if record.contract != NONE else ""


def _tile_cost(board: np.record, record: np.record, action: int) -> int:
    """Dollars of the tile that `start` or `head` would lay."""
    if block_of(action).name == "start":
        hex_index, edge = board.city_hex[(action - START) // NUM_EDGES], (action - START) % NUM_EDGES
    elif record.phase == HEAD:
        hex_index, edge = board.city_hex[record.start_city], record.start_edge
    else:
        hex_index, edge = record.tail_hex[record.seat], record.tail_exit[record.seat]
    site = board.neighbour[hex_index, edge]
    return CROSSING_COST if record.track[site, 0] != NONE else int(board.cost[site])


def tell_rules(setting: Setting) -> str:
    """What is played, in a few words."""
    return f"map {setting.map.name}, contracts {setting.deck.name}, {setting.rules.edition} edition"
