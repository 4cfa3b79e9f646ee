"""Rules 2.2, 3.2, 5.2, 9.1 and 10: the numbers in which editions, modes and seat counts differ."""

from dataclasses import dataclass

from steam_env import Rules

CONTRACTS_TO_END = {2: 14, 3: 11, 4: 9, 5: 8}  # rule 3.2
FACTORIES = 15
RESOURCES_OF_COLOR = 30
MONEY_AT_START = 5
SOLO_COMPANIES = 5
SOLO_ROUNDS = 8


@dataclass(frozen=True)
class Numbers:
    """What a game's rules say in numbers."""

    companies: int  # sets of trains and factories
    purses: int  # of money and of contracts: one in solo
    trains: int
    factory_resources: int
    contracts_to_end: int | None  # None: contracts never end it (rule 9.2)
    tiles_beside_the_map_score: bool
    purple_scores_by_tile: bool  # only a link to that very tile counts
    bonus_takes_from_hands: bool


def numbers_of(rules: Rules, deck_end: int | None) -> Numbers:
    """``deck_end``: the number of contracts that the deck's file names."""
    solo, preview = rules.mode == "solo", rules.edition == "preview"
    seats = SOLO_COMPANIES if solo else rules.num_players or 2
    return Numbers(
        companies=seats,
        purses=1 if solo else seats,
        trains=19 if solo else 18 if preview else 21,
        factory_resources=4 if seats == 2 and not preview else 5,
        contracts_to_end=None if solo else rules.contracts_to_end or deck_end or CONTRACTS_TO_END[seats],
        tiles_beside_the_map_score=not preview,
        purple_scores_by_tile=preview,
        bonus_takes_from_hands=not preview,
    )
