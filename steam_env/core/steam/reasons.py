"""Why an action is illegal: one code for each reason, with the rule and a sentence.

The same predicates that build the masks return these codes (``OK`` = legal), so a mask and its explanation cannot
disagree. Those of a placement stand in the order in which they are looked for. Sentences may name {player}, {cost},
{money} and so on; ``steam_env.words.steam.reasons`` fills them in.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """A reason: the number of the rule that forbids, and the sentence that says so."""

    rule: str
    text: str


_REASONS = {
    "OK": Reason("", "legal"),
    "GAME_OVER": Reason("11.2", "the game is over; no action is possible any more"),
    "OTHER_DECISION": Reason("5", "the decision now is {phase_text}"),
    "RESERVED_ACTION": Reason("16", "this id is kept for the standard game"),
    "NO_SUCH_HEX": Reason("1.2", "the map has only {num_hexes} land and city hexes"),
    "NO_SUCH_STOP": Reason("1.2", "the map has only {num_stops} cities and towns"),
    "NO_SUCH_SEAT": Reason("9.10", "there are only {num_seats} seats"),
    # 6 action tiles
    "TILE_TAKEN": Reason("6.1", "another seat has that action tile"),
    "NOTHING_TO_GROW": Reason("6.3", "City Growth needs a group with cubes, a city without marker, and a marker"),
    "NO_TOWN_LEFT": Reason("6.4", "Urbanization needs a town and a New City tile"),
    # 8 track
    "NO_PLACEMENT_LEFT": Reason("8.1", "no placement is left in this track turn"),
    "ON_CITY": Reason("8.2", "{place} is a city; tiles lie on land"),
    "NOT_FOR_TOWNS": Reason("2.3", "on the hex of a town only town patterns lie"),
    "ONLY_FOR_TOWNS": Reason("2.3", "town patterns lie only on the hex of a town"),
    "SAME_PATTERN": Reason("8.2", "that is how the tile lies already"),
    "NO_CHANGE_LIKE_THAT": Reason(
        "8.2", "a placement keeps all track on {place} and adds to it, or redirects one last segment"
    ),
    "TOWN_NOT_REDIRECTED": Reason("8.2", "a town tile carries a link for each spur and cannot be redirected"),
    "NOT_LAST": Reason("8.2", "what would change is not the last segment of an incomplete link, behind its inner edge"),
    "NOT_OWN": Reason("8.2", "the segment that would change belongs to a link of another seat"),
    "EDGE_CLOSED": Reason("8.3 a", "track would lead over a closed edge"),
    "FOREIGN_TRACK": Reason("8.3 b", "track of another seat would be extended or met"),
    "LOOP": Reason("8.3 c", "the link would lead from a stop back to the same stop"),
    "NOT_SUPPORTED": Reason(
        "8.4", "new track extends an own link, or starts at a city or at a town where {player} has a complete link"
    ),
    "NO_TILE": Reason("2.5", "no tile of the kind is left"),
    "TOO_MANY_LINKS": Reason("2.7", "there are {max_links} links on the map, which is the most"),
    "CANNOT_PAY": Reason("7.4", "it costs ${cost}; {player} has ${money} and can raise ${more}"),
    "MUST_CARRY_OUT": Reason("8.14", "{tile} was paid and must be carried out first"),
    "NOTHING_TO_DO": Reason("8.14", "{player} has no {needed} to carry out"),
    "NO_GROUP": Reason("8.15", "no space has cubes left"),
    "NOT_A_CITY": Reason("8.15", "{stop} is a town; cities grow"),
    "HAS_MARKER": Reason("8.15", "{stop} has a growth marker"),
    "NO_MARKER": Reason("8.15", "no growth marker is left"),
    "NOT_A_TOWN": Reason("8.16", "{stop} is a city"),
    "NO_NEW_CITY": Reason("8.16", "no New City tile of the colour is left"),
    "EMPTY_SPACE": Reason("8.20", "the space has no cubes"),
    "EQUAL_SPACE": Reason("8.20", "an earlier space has the same cubes; it is offered for both"),
    # 9 goods
    "FULL_LEVEL": Reason("9.2", "the locomotive of {player} has level 6"),
    "IMPROVED_ALREADY": Reason("9.2", "{player} has improved the locomotive in this turn"),
    "NO_CUBES": Reason("9.3", "{stop} has no cubes"),
    "NO_ROUTE": Reason("9.3", "no cube of {stop} has a route to a city of its colour"),
    "NO_SUCH_CUBE": Reason("9.3", "there is no cube of this colour"),
    "NO_ROUTE_FOR_COLOR": Reason("9.3", "no cube of this colour has a route"),
    "NO_LINK": Reason("9.3", "no complete link leads there"),
    "ENTERED_TWICE": Reason("9.4", "the cube was there before"),
    "DEAD_END": Reason("9.6", "no legal route goes that way"),
    "NOT_ITS_LINK": Reason("9.10", "{other} has no complete link on this hop"),
    "INCOME_FULL": Reason("9.9", "income is as high as it can be"),
    # 15.2 auction
    "BID_TOO_HIGH": Reason("15.2", "a bid must be payable: ${cost}, and {player} has ${money} and can raise ${more}"),
}

REASONS: tuple[Reason, ...] = tuple(_REASONS.values())
(
    OK,
    GAME_OVER,
    OTHER_DECISION,
    RESERVED_ACTION,
    NO_SUCH_HEX,
    NO_SUCH_STOP,
    NO_SUCH_SEAT,
    TILE_TAKEN,
    NOTHING_TO_GROW,
    NO_TOWN_LEFT,
    NO_PLACEMENT_LEFT,
    ON_CITY,
    NOT_FOR_TOWNS,
    ONLY_FOR_TOWNS,
    SAME_PATTERN,
    NO_CHANGE_LIKE_THAT,
    TOWN_NOT_REDIRECTED,
    NOT_LAST,
    NOT_OWN,
    EDGE_CLOSED,
    FOREIGN_TRACK,
    LOOP,
    NOT_SUPPORTED,
    NO_TILE,
    TOO_MANY_LINKS,
    CANNOT_PAY,
    MUST_CARRY_OUT,
    NOTHING_TO_DO,
    NO_GROUP,
    NOT_A_CITY,
    HAS_MARKER,
    NO_MARKER,
    NOT_A_TOWN,
    NO_NEW_CITY,
    EMPTY_SPACE,
    EQUAL_SPACE,
    FULL_LEVEL,
    IMPROVED_ALREADY,
    NO_CUBES,
    NO_ROUTE,
    NO_SUCH_CUBE,
    NO_ROUTE_FOR_COLOR,
    NO_LINK,
    ENTERED_TWICE,
    DEAD_END,
    NOT_ITS_LINK,
    INCOME_FULL,
    BID_TOO_HIGH,
) = range(len(_REASONS))
