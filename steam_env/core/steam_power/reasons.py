"""Why an action is illegal: one code for each reason, with the rule and a sentence.

The same predicates that build the masks return these codes (``OK`` = legal), so a mask and its
explanation cannot disagree. Sentences may name {action}, {seat}, {money}, {cost}, {phase} and so on;
``steam_env.words.steam_power.reasons`` fills them in.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """A reason: the number of the rule that forbids, and the sentence that says so."""

    rule: str
    text: str


_REASONS = {
    "OK": Reason("", "legal"),
    "GAME_OVER": Reason("3.2", "the game is over; no action is possible any more"),
    "OTHER_DECISION": Reason("3.1", "the decision now is {phase_text}"),
    "NO_SUCH_CITY": Reason("2.1", "the map has only {num_cities} cities"),
    "NO_SUCH_CONTRACT": Reason("2.2", "the deck has only {num_contracts} contracts"),
    "NO_SUCH_SEAT": Reason("2.2", "there are only {num_seats} seats"),
    # 4 lay track
    "MUST_CONTINUE": Reason("4.2", "{player} has an incomplete link, which must be continued or taken back first"),
    "NOTHING_TO_CONTINUE": Reason("4.2", "{player} has no incomplete link; a new one begins with a start"),
    "NO_TRAIN": Reason("4.3", "{player} has no train left to start a link"),
    "NOT_IN_NETWORK": Reason("4.3", "{city} is not in {player}'s network, where a new link must start"),
    "SITE_OFF_MAP": Reason("4.1", "there is no hex on the map where the tile would lie"),
    "SITE_CITY": Reason("4.1", "the hex where the tile would lie is a city"),
    "SITE_WATER": Reason("4.1", "the hex where the tile would lie is water"),
    "SITE_FULL": Reason("4.1", "the hex where the tile would lie already holds two segments"),
    "SITE_EDGE_USED": Reason("4.2", "the edge by which the tile would be entered is used by other track"),
    "SITE_MONEY": Reason("4.10", "the tile costs ${cost} and {player} has ${money}"),
    "SAME_EDGE": Reason("1.3", "a segment joins two different edges"),
    "NO_CROSSING": Reason("1.4", "the new segment would not cross the one that is there"),
    "NO_TILE": Reason("1.5", "no track tile of the needed kind is left"),
    "FAR_OFF_MAP": Reason("4.4", "the far edge would lead off the map"),
    "FAR_WATER": Reason("4.4", "the far edge would lead into water"),
    "FAR_ORIGIN": Reason("4.4", "the far edge would lead back into the city that the link started from"),
    "FAR_JOINS": Reason("4.4", "the far edge would lead into track that uses the shared edge"),
    "NO_HEADING": Reason("4.4", "a tile there has no far edge that is allowed"),
    "NO_TAIL": Reason("4.1", "{player} has no incomplete link whose last tile could be taken back or replaced"),
    "SAME_TILE": Reason("4.7", "that is how the tile lies already"),
    "NOT_OPTIONAL": Reason("3.1", "no action may be skipped; taking $3 is always possible"),
    # 5 build factory
    "NO_FACTORY": Reason("5.1", "{player} has no factory left"),
    "PURPLE_CITY": Reason("5.1", "{city} is purple, and no factory is built on purple cities"),
    "HAD_FACTORY": Reason("5.1", "{city} has or had a factory"),
    "NO_LINK_HERE": Reason("5.1", "no complete link touches {city} or its group"),
    "NO_RESOURCES": Reason("5.2", "no {color} resource is left in stock"),
    "STOCK_TOO_SMALL": Reason("5.2", "the stock has fewer {color} resources than that"),
    # 6 fulfil contract
    "NO_NETWORK": Reason("6.1", "{player} has no complete link"),
    "NOT_IN_HAND": Reason("6.1", "contract {contract} is not in {player}'s hand"),
    "CANNOT_PAY": Reason("6.4", "the resources would cost at least ${cost} and {player} has ${money}"),
    "SOURCE_NO_FACTORY": Reason("6.2", "{city} has no factory with resources"),
    "SOURCE_COLOR": Reason("6.2", "the next resource of the contract is {color}, and {city} produces none"),
    "SOURCE_OUT_OF_REACH": Reason("6.2", "no complete links lead from {city} to {player}'s network"),
    "SOURCE_TOO_DEAR": Reason("6.4", "taking it from {city} would leave too little money for the rest"),
    "HOP_NO_LINK": Reason("6.2", "no complete link leads there from where the resource is"),
    "HOP_VISITED": Reason("6.5", "the resource has passed that group already"),
    "HOP_DEAD_END": Reason("6.4", "no way leads on from there to {player}'s network"),
    "HOP_TOO_DEAR": Reason("6.4", "no way on from there can be paid with the rest of the contract"),
    "HOP_NOT_CHEAPEST": Reason("6.5", "with routing 'cheapest' only a cheapest route may be taken"),
    "PAY_NO_LINK": Reason("6.2", "{other} has no link on this hop"),
    # bonus, 7 take contracts
    "OTHER_BONUS": Reason("6.7", "the bonus of contract {contract} is {bonus}"),
    "NOTHING_TO_TAKE": Reason(
        "7.2", "no contract would be gained: the deck is empty and no other hand can be taken from"
    ),
    "DECK_EMPTY": Reason("10", "in the preview edition a bonus draws from the deck only, and that is empty"),
    "NOT_TIED": Reason("7.1", "{other} is not among the seats with the most contracts"),
}

REASONS: tuple[Reason, ...] = tuple(_REASONS.values())
(
    OK,
    GAME_OVER,
    OTHER_DECISION,
    NO_SUCH_CITY,
    NO_SUCH_CONTRACT,
    NO_SUCH_SEAT,
    MUST_CONTINUE,
    NOTHING_TO_CONTINUE,
    NO_TRAIN,
    NOT_IN_NETWORK,
    SITE_OFF_MAP,
    SITE_CITY,
    SITE_WATER,
    SITE_FULL,
    SITE_EDGE_USED,
    SITE_MONEY,
    SAME_EDGE,
    NO_CROSSING,
    NO_TILE,
    FAR_OFF_MAP,
    FAR_WATER,
    FAR_ORIGIN,
    FAR_JOINS,
    NO_HEADING,
    NO_TAIL,
    SAME_TILE,
    NOT_OPTIONAL,
    NO_FACTORY,
    PURPLE_CITY,
    HAD_FACTORY,
    NO_LINK_HERE,
    NO_RESOURCES,
    STOCK_TOO_SMALL,
    NO_NETWORK,
    NOT_IN_HAND,
    CANNOT_PAY,
    SOURCE_NO_FACTORY,
    SOURCE_COLOR,
    SOURCE_OUT_OF_REACH,
    SOURCE_TOO_DEAR,
    HOP_NO_LINK,
    HOP_VISITED,
    HOP_DEAD_END,
    HOP_TOO_DEAR,
    HOP_NOT_CHEAPEST,
    PAY_NO_LINK,
    OTHER_BONUS,
    NOTHING_TO_TAKE,
    DECK_EMPTY,
    NOT_TIED,
) = range(len(_REASONS))
