"""What a game is played with: its rules, and the map and the deck that they name, as records."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.board import make_board, make_deck
from steam_env.core.steam_power.setup import blank_game
from steam_env.core.steam_power.state import COLOR_LETTERS, HAND_DEALT
from steam_env.data.steam_power.automa import load_target_rules
from steam_env.data.steam_power.decks import Deck, deck_to_dict, parse_deck, shipped_decks
from steam_env.data.steam_power.maps import Map, map_to_dict, parse_map, shipped_maps
from steam_env.data.steam_power.rules import AUTOMA_LEVELS, Rules
from steam_env.data.steam_power.sets import find_deck, find_map
from steam_env.kit.arrays import KeepsReadOnly
from steam_env.kit.show import say_count, show


@dataclass(frozen=True)
class Setting(KeepsReadOnly):
    """Rules with their map and deck loaded.

    Attributes:
        rules: the configuration.
        map: the map's names and hexes.
        deck: the printed contracts.
        boards: (1,) ``BOARD``, read-only.
        decks: (1,) ``DECK``, read-only.
    """

    rules: Rules
    map: Map
    deck: Deck
    boards: np.ndarray
    decks: np.ndarray

    @cached_property
    def statics(self) -> tuple[np.ndarray, np.ndarray]:
        """Boards and decks, which kernels take as arguments after the games."""
        return self.boards, self.decks

    @property
    def title(self) -> str:
        """What messages call it: the map's name."""
        return self.map.name

    @cached_property
    def num_seats(self) -> int:
        """Number of seats that are scored, Automa seats included; in solo 1."""
        return self.rules.seats

    @cached_property
    def num_players(self) -> int:
        """Number of seats that players hold, the first ones."""
        return self.rules.players

    @cached_property
    def num_companies(self) -> int:
        """Number of seats with track and factories; in solo five (rule 9.1)."""
        return self.rules.companies

    @property
    def is_solo(self) -> bool:
        """Whether one player acts for all companies (rule 9)."""
        return self.rules.mode == "solo"

    @property
    def settled(self) -> dict[str, Any]:
        """The end trigger that holds: where the rules leave it open, the deck's or that of rule 3.2."""
        return {"contracts_to_end": self.contracts_to_end}

    @property
    def contents(self) -> dict[str, Any]:
        """Map and deck as plain data."""
        return {"map": map_to_dict(self.map), "deck": deck_to_dict(self.deck)}

    @property
    def names(self) -> dict[str, Any]:
        """What map and deck are called."""
        return {"map": self.map.name, "deck": self.deck.name}

    @property
    def contracts_to_end(self) -> int:
        """Number of fulfilled contracts that triggers the end: by the rules, else the deck file, else rule 3.2."""
        if self.rules.contracts_to_end is None and self.deck.contracts_to_end is not None:
            return self.deck.contracts_to_end
        return self.rules.end_trigger

    @cached_property
    def bag(self) -> np.ndarray:
        """The City tiles' colours, (tiles,) int64, read-only (rule 2.1)."""
        bag = np.array([COLOR_LETTERS.index(letter) for letter in self.map.tiles], np.int64)
        bag.setflags(write=False)
        return bag

    @property
    def fixed_first_player(self) -> int:
        """The first player's seat, or NONE if it is drawn (rule 2.3)."""
        return NONE if self.rules.first_player == "random" else 0

    @cached_property
    def blank(self) -> np.ndarray:
        """(1,) ``GAME``, read-only: an empty table, to be copied and dealt."""
        rules = self.rules
        records = blank_game(
            rules.companies,
            rules.edition,
            rules.mode,
            rules.routing,
            self.contracts_to_end,
            rules.max_rounds,
            rules.automas,
            AUTOMA_LEVELS.index(rules.automa_level) if rules.automas else 0,
        )
        records.setflags(write=False)
        return records

    def check_deal(self) -> None:
        """Refuse a deck or a bag of City tiles that is too small to deal a game from (rules 2.1, 2.2).

        Raises:
            ValueError: if the deck or the bag of City tiles is too small.
        """
        needed = HAND_DEALT * self.rules.players
        if len(self.deck.contracts) < needed:
            seats = say_count(self.rules.players, "player seat needs", "player seats need")
            raise ValueError(
                f"contracts={self.rules.contracts!r} has {say_count(len(self.deck.contracts), 'contract')}: "
                f"{seats} at least {needed} (rule 2.2)"
            )
        if len(self.map.tiles) < len(self.map.cities):
            raise ValueError(
                f"map={self.rules.map!r} has {say_count(len(self.map.tiles), 'City tile')} in its bag: "
                f"its {say_count(len(self.map.cities), 'city needs', 'cities need')} one each (rule 2.1)"
            )


def make_setting(rules: Rules, map: Map, deck: Deck) -> Setting:  # noqa: A002 - the game's own word
    """A setting from a map and a deck at hand."""
    boards = make_board(map.hexes)
    cards = [(card.needs, card.money, card.vp, card.bonus, card.automa) for card in deck.contracts]
    decks = make_deck(cards, load_target_rules())
    boards.setflags(write=False)
    decks.setflags(write=False)
    return Setting(rules, map, deck, boards, decks)


def load_setting(rules: Rules, *, map: Map | None = None, deck: Deck | None = None) -> Setting:  # noqa: A002
    """The setting with the map and the deck that the rules name.

    Args:
        rules: the configuration.
        map: stands in for the map that the rules name, such as an inline map of a scenario.
        deck: likewise for the contracts.

    Raises:
        ValueError: for an unknown name or a broken file.
        TypeError: for what are no rules.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules={show(rules)}: an object of steam_env.Rules is allowed")
    return make_setting(
        rules,
        find_map(rules.map) if map is None else map,
        find_deck(rules.contracts) if deck is None else deck,
    )


def read_contents(content: Mapping[str, Any]) -> dict[str, Any]:
    """Map and deck for ``load_setting``, from the plain data of ``Setting.contents``."""
    return {"map": parse_map(content["map"]), "deck": parse_deck(content["deck"])}


def name_cities(setting: Setting) -> tuple[str, ...]:
    """The cities' names in map order."""
    return setting.map.cities


def list_shipped() -> dict[str, tuple[str, ...]]:
    """Names of the shipped maps and decks."""
    return {"maps": shipped_maps(), "contracts": shipped_decks()}
