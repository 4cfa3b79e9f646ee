"""Why an action is illegal, in a sentence with the rule's number."""

import numpy as np

from steam_env.core.steam.actions import (
    BUILD_ON,
    FROM,
    GROW,
    HOP_TO,
    LAY,
    URBANIZE,
    block_of,
)
from steam_env.core.steam.money import count_steps
from steam_env.core.steam.reasons import OK, REASONS
from steam_env.core.steam.state import (
    BID,
    BUILD,
    COLOUR,
    CUBE,
    GOODS,
    HOP,
    LOAN,
    MAX_LINKS,
    OVER,
    SCORE,
    SPACE,
    TAKE,
    TILE,
    TILE_NAMES,
)
from steam_env.data.steam.setting import Setting
from steam_env.words.seats import name_seat
from steam_env.words.steam.actions import texts_of

PHASE_TEXTS = {
    BID: "a place of the order track (bid, pass)",
    TAKE: "which action tile to take (take)",
    BUILD: "where to lay track (build), or to be done (pass)",
    TILE: "which tile to lay there (tile)",
    COLOUR: "the colour of the New City (colour)",
    SPACE: "whose cubes come (space)",
    GOODS: "what to do in the goods round (from, locomotive, pass)",
    CUBE: "which cube to move (colour)",
    HOP: "where the cube goes next (hop)",
    OVER: "over whose link it goes (over)",
    SCORE: "where to put the points of the move (income, vp)",
}
_OF_STOPS = (GROW, URBANIZE, FROM, HOP_TO)


def explain_reason(code: int, setting: Setting, record: np.record, work: np.record, action: int) -> str | None:
    """The sentence for a reason code of ``find_problem``; None if the action is legal."""
    if code == OK:
        return None
    reason = REASONS[code]
    text = texts_of(record, setting).text(action)
    seat = max(int(record.seat), 0)
    values = {
        "phase_text": PHASE_TEXTS.get(int(record.phase), ""),
        "num_hexes": len(setting.map.hexes),
        "num_stops": len(setting.map.stops),
        "num_seats": int(record.num_seats),
        "max_links": MAX_LINKS,
        "player": name_seat(seat),
        "money": int(record.money[seat]),
        "more": LOAN * int(count_steps(record, seat)),
        "cost": int(work.cost),
        "place": _name_place(setting, record, action),
        "stop": _name_stop(setting, record, action),
        "tile": TILE_NAMES[record.tile[seat]],
        "needed": "Urbanization" if action >= URBANIZE else "City Growth",
        "other": text.partition(" ")[2],
    }
    return f"{text}: {reason.text.format(**values)} (rule {reason.rule})"


def _name_place(setting: Setting, record: np.record, action: int) -> str:
    """The hex that a placement is about."""
    hexes = setting.hex_names
    index = action - BUILD_ON if action < LAY else int(record.hex)
    return hexes[index] if 0 <= index < len(hexes) else "the hex"


def _name_stop(setting: Setting, record: np.record, action: int) -> str:
    """The city or town that an action is about."""
    start = block_of(action).start
    stop = action - start if start in _OF_STOPS else int(record.route_stop[0])
    return setting.map.stops[stop] if 0 <= stop < len(setting.map.stops) else "the stop"


def tell_rules(setting: Setting) -> str:
    """What is played, in a few words."""
    stock = "the box's tiles" if setting.rules.tiles == "box" else "unlimited tiles"
    return f"map {setting.map.name}, {setting.rules.num_turns} turns, {stock}"
