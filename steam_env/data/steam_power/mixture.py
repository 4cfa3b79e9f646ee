"""Settings of several games as one, so that a batch can hold games of different maps, decks and numbers of seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from steam_env.core.steam_power.setup import deal_games
from steam_env.core.steam_power.state import BOARD, DECK, GAME
from steam_env.data.generate import SEPARATOR, Stream, find_set, find_world, is_set_name
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.sets import WORLDS
from steam_env.data.steam_power.setting import Setting, load_setting
from steam_env.kit.checks import look_up
from steam_env.kit.json_text import parse_json
from steam_env.kit.show import say_count, show

MAX_PARTS = 2**15  # a record numbers its board in 16 bits
KEPT, KEPT_SETS = 256, 8  # parts of a set that are at hand as a whole, and sets
SET_STREAM = 1 << 18  # of a game's seed, far from the streams of games and generators


@dataclass(frozen=True)
class MixedSetting(Setting):
    """Several settings: a ``steam_env.table.mixture.Mixture``. Rules, map and deck are the first one's.

    Attributes:
        parts: the settings; ``boards`` and ``decks`` (k,) are theirs.
    """

    part_fields: ClassVar[tuple[str, ...]] = ("board_index", "deck_index")

    parts: tuple[Setting, ...] = ()

    @property
    def title(self) -> str:
        """What messages call it."""
        return say_count(len({part.map.name for part in self.parts}), "map")

    @cached_property
    def num_seats(self) -> int:
        """The most seats that are scored."""
        return max(part.num_seats for part in self.parts)

    @cached_property
    def num_players(self) -> int:
        """The most seats that players hold."""
        return max(part.num_players for part in self.parts)

    @cached_property
    def num_companies(self) -> int:
        """The most seats with track and factories."""
        return max(part.num_companies for part in self.parts)

    @cached_property
    def players(self) -> np.ndarray:
        """(k,) int64, the number of players of each part."""
        return np.array([part.num_players for part in self.parts], np.int64)

    @cached_property
    def has_scripted(self) -> bool:
        """Whether Automas sit in games of some part."""
        return any(part.num_players < part.num_seats for part in self.parts)

    @property
    def contents(self) -> dict[str, Any]:
        """Map and deck of every part as plain data."""
        numbered = enumerate(self.parts)
        return {f"{what} {number}": one for number, part in numbered for what, one in part.contents.items()}

    @cached_property
    def has_same_seats(self) -> bool:
        """Whether all parts have the same number of seats."""
        return len({part.num_seats for part in self.parts}) == 1

    @cached_property
    def names(self) -> dict[str, Any]:
        """The names of maps and decks, (k,) texts each."""
        return {what: np.array([part.names[what] for part in self.parts], object) for what in super().names}

    def draw_parts(self, seeds: np.ndarray) -> np.ndarray | None:
        """``None``: a game is dealt anew on the map that it has."""
        return None

    def find_named(self, name: str) -> int:
        """The number of the first part with the map of this name.

        Raises:
            ValueError: if there is none, naming it and what there is.
        """
        maps = [part.rules.map for part in self.parts]
        return look_up({one: maps.index(one) for one in maps}, "map", name)

    def lay_tables(self, numbers: np.ndarray) -> np.ndarray:
        """(n,) ``GAME``, an empty table of each of these parts."""
        records: np.ndarray = self._blanks[numbers].view(GAME)[:, 0]
        return records

    @cached_property
    def _blanks(self) -> np.ndarray:
        """(k, bytes) uint8, an empty table of each part: NumPy copies bytes ten times as fast as records."""
        records = np.concatenate([part.blank for part in self.parts])
        for name in self.part_fields:
            records[name] = np.arange(len(self.parts))
        return records.view(np.uint8).reshape(len(records), GAME.itemsize)

    def find_bag(self, number: int) -> np.ndarray:
        """The City tiles' colours of a part."""
        return self.parts[number].bag

    def find_first_player(self, number: int) -> int:
        """The first player's seat in games of a part, or NONE if it is drawn."""
        return self.parts[number].fixed_first_player

    def check_deal(self) -> None:
        """Refuse a part from which no game can be dealt.

        Raises:
            ValueError: if a deck or a bag of City tiles is too small.
        """
        for part in self.parts:
            part.check_deal()


def mix_settings(settings: Sequence[Setting]) -> MixedSetting:
    """The mixture of settings.

    Raises:
        ValueError: for solo beside multiplayer, a mixture among them, or too many.
    """
    for part in settings:
        if isinstance(part, MixedSetting):
            raise ValueError(f"map={part.rules.map!r} is not one map but many: it cannot be one of several rules")
    if len(settings) > MAX_PARTS:
        raise ValueError(f"{len(settings)} different rules: at most {MAX_PARTS} fit into one batch")
    modes = sorted({part.rules.mode for part in settings})
    if len(modes) > 1:
        raise ValueError(f"mode={modes[0]!r} and mode={modes[1]!r}: games of one batch must have the same mode")
    boards, decks = (np.concatenate(records) for records in zip(*(part.statics for part in settings), strict=True))
    boards.setflags(write=False)
    decks.setflags(write=False)
    first = settings[0]
    return MixedSetting(first.rules, first.map, first.deck, boards, decks, tuple(settings))


# --- sets ----------------------------------------------------------------------------------------------
class _LazyParts(Sequence[Setting]):
    """The settings of a set by number, each loaded when it is asked for.

    What games need is written down then, and stays as it is: batches and their copies share it.

    Attributes:
        boards, decks: (k,) ``BOARD`` and ``DECK``; those of parts that were not asked for are zero.
        to_end: (k,) int64, fulfilled contracts that trigger the end.
        bags: by number, the City tiles' colours.
        names: of maps and decks, (k,) texts each, None where nothing was asked for.
    """

    def __init__(self, rules: Rules, count: int) -> None:
        self.boards, self.decks = np.zeros(count, BOARD), np.zeros(count, DECK)
        self.to_end = np.zeros(count, np.int64)
        self.bags: dict[int, np.ndarray] = {}
        self.names = {what: np.full(count, None, object) for what in ("map", "deck")}
        self._rules = rules
        self._load = lru_cache(KEPT)(self._load_anew)

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, number: Any) -> Any:
        return self._load(number)

    def note(self, numbers: np.ndarray) -> None:
        """Write down what games of these parts need."""
        for number in np.unique(numbers).tolist():
            if number not in self.bags:
                self._load(number)

    def _load_anew(self, number: int) -> Setting:
        named = {name: f"{value}{SEPARATOR}{number}" for name, value in list_sets(self._rules).items()}
        part = load_setting(Rules(**{**self._rules.to_dict(), **named}))
        part.check_deal()
        if number not in self.bags:
            self.boards[number], self.decks[number] = part.boards[0], part.decks[0]
            self.to_end[number] = part.contracts_to_end
            for what, name in part.names.items():
                self.names[what][number] = name
            self.bags[number] = part.bag
        return part


@dataclass(frozen=True)
class SetSetting(MixedSetting):
    """The setting of games whose maps, or decks, are drawn from a set: the seed of a game says which it has."""

    parts: Any = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are the setting of the same rules, which a process has once."""
        return open_set, (self.rules,)

    @property
    def title(self) -> str:
        """What messages call it: the set."""
        return next(iter(list_sets(self.rules).values()))

    @cached_property
    def has_scripted(self) -> bool:
        """Whether Automas sit in games of every part."""
        return self.rules.automas > 0

    @property
    def contents(self) -> dict[str, Any]:
        """The set by its name, and what its manifest holds of it, if it is frozen by itself."""
        family, _, kind = self.title.partition(SEPARATOR)
        manifest = parse_json(WORLDS.find_manifest(family).read_text(encoding="utf-8"))
        return {"set": {"name": self.title, "title": self.title, "worlds": manifest["sets"].get(kind)}}

    @cached_property
    def num_seats(self) -> int:
        """Number of seats that are scored, of every part."""
        return self.rules.seats

    @cached_property
    def num_players(self) -> int:
        """Number of seats that players hold, of every part."""
        return self.rules.players

    @cached_property
    def num_companies(self) -> int:
        """Number of seats with track and factories, of every part."""
        return self.rules.companies

    @cached_property
    def has_same_seats(self) -> bool:
        """All parts have the seats of the rules."""
        return True

    @cached_property
    def players(self) -> np.ndarray:
        """(k,) int64, the number of players of each part."""
        return np.full(len(self.parts), self.rules.players, np.int64)

    @property
    def names(self) -> dict[str, Any]:
        """The names of maps and decks, (k,) texts each."""
        names: dict[str, Any] = self.parts.names
        return names

    def check_deal(self) -> None:
        """Do nothing: each part is checked when it is loaded."""

    def draw_parts(self, seeds: np.ndarray) -> np.ndarray:
        """(n,) int64, the number in the set of each game with these seeds (n,)."""
        return np.array([Stream(seed, SET_STREAM).below(len(self.parts)) for seed in seeds.tolist()], np.int64)

    def find_named(self, name: str) -> int:
        """The number of the world of this name, which is one of the set, as in ``gen-v1:train:17``.

        Raises:
            ValueError: if it is none.
        """
        place, _, number = str(name).rpartition(SEPARATOR)
        if place != self.title:
            raise ValueError(f"map={show(name)}: {self.title}{SEPARATOR}0 to {len(self.parts) - 1} are allowed")
        return find_world(f"{self.title}{SEPARATOR}{number}", WORLDS.families, "map")[1]

    def lay_tables(self, numbers: np.ndarray) -> np.ndarray:
        """(n,) ``GAME``, an empty table of each of these parts."""
        self.parts.note(numbers)
        records = np.repeat(self.blank, len(numbers))
        records["contracts_to_end"] = self.parts.to_end[numbers]
        for name in self.part_fields:
            records[name] = numbers
        return records

    def find_bag(self, number: int) -> np.ndarray:
        """The City tiles' colours of a part."""
        bag: np.ndarray = self.parts.bags[number]
        return bag

    def find_first_player(self, number: int) -> int:
        """The first player's seat in games of every part, or NONE if it is drawn."""
        return self.fixed_first_player


def list_sets(rules: Rules) -> dict[str, str]:
    """The fields of the rules that name a set, as in ``gen-v1:train``, with its name."""
    return {name: getattr(rules, name) for name in WORLDS.fields if is_set_name(getattr(rules, name))}


@lru_cache(KEPT_SETS)
def open_set(rules: Rules) -> SetSetting:
    """The setting of rules that name a set.

    Raises:
        ValueError: for an unknown set, or one of maps beside another of decks.
    """
    named = list_sets(rules)
    counts = {find_set(value, WORLDS.families, name).count for name, value in named.items()}
    if len(set(named.values())) > 1:
        raise ValueError(f"contracts={rules.contracts!r}: with map={rules.map!r} the same set or one deck is allowed")
    parts = _LazyParts(rules, counts.pop())
    first = parts[0]
    boards, decks = parts.boards.view(), parts.decks.view()
    boards.setflags(write=False)
    decks.setflags(write=False)
    return SetSetting(rules, first.map, first.deck, boards, decks, parts)


def load_rules(rules: Rules, **contents: Any) -> Setting:
    """The setting of rules, which may name a set; arguments and errors are those of ``load_setting``."""
    if isinstance(rules, Rules) and not contents and list_sets(rules):
        return open_set(rules)
    return load_setting(rules, **contents)


# --- dealing -------------------------------------------------------------------------------------------
def deal_records(records: np.ndarray, setting: Setting, seeds: np.ndarray, where: np.ndarray) -> None:
    """Deal the blank games (n,) ``GAME`` flagged in ``where`` (n,) bool, each by its seed, on its map (rule 2)."""
    if not isinstance(setting, MixedSetting):
        deal_games(records, *setting.statics, setting.bag, setting.fixed_first_player, seeds, where)
        return
    numbers = records[setting.part_fields[0]]
    for number in np.unique(numbers[where]).tolist():
        bag, first_player = setting.find_bag(number), setting.find_first_player(number)
        deal_games(records, *setting.statics, bag, first_player, seeds, where & (numbers == number))
