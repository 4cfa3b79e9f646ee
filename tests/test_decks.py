"""Deck files: what the shipped decks promise, what a deck file may say, and what the messages are."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from steam_env.data.steam_power.decks import (
    Contract,
    Deck,
    DeckError,
    deck_to_dict,
    load_deck,
    parse_deck,
    shipped_decks,
)

COLORS = "WBOG"
DOLLARS_PER_VP = 5  # final scoring
DOLLARS_PER_BONUS = 5  # what a normal Automa gets for a bonus that it cannot do
DOLLARS_PER_EFFORT = 4
LESS_WORTH = {"standard": 1, "mini": 0}  # dollars
WORTH_TOLERANCE = 2
SIZES = {"standard": {2: 12, 3: 24, 4: 8, 5: 4}, "mini": {2: 8, 3: 4, 4: 4}}
PAYING = {"standard": 32, "mini": 8}
BONUSES = {
    "standard": {"none": 28, "track": 8, "factory": 4, "contracts": 8},
    "mini": {"none": 10, "track": 2, "factory": 2, "contracts": 2},
}

DECKS = [load_deck(name) for name in shipped_decks()]
each_shipped = pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)


def effort(contract: Contract) -> int:
    return len(contract.needs) + len(set(contract.needs))


def worth(contract: Contract) -> int:
    return DOLLARS_PER_VP * contract.vp + contract.money + DOLLARS_PER_BONUS * (contract.bonus != "none")


def mean_by(deck: Deck, key: Callable[[Contract], int], value: Callable[[Contract], int]) -> list[float]:
    found: dict[int, list[int]] = defaultdict(list)
    for contract in deck.contracts:
        found[key(contract)].append(value(contract))
    return [sum(found[step]) / len(found[step]) for step in sorted(found)]


def rises(values: list[float]) -> bool:
    return all(low < high for low, high in pairwise(values))


def all_equal(values: Iterable[float]) -> bool:
    return len({round(value, 9) for value in values}) == 1


# --- the shipped decks ------------------------------------------------------------------------------
def test_shipped_decks__are_mini_and_standard_of_which_mini_has_its_own_end() -> None:
    told = {deck.name: (len(deck.contracts), deck.contracts_to_end) for deck in DECKS}
    assert told == {"mini": (16, 6), "standard": (48, None)}


@each_shipped
def test_shipped__bears_its_file_name_and_says_that_it_is_ours(deck: Deck) -> None:
    text = (resources.files("steam_env.data.steam_power") / "decks" / f"{deck.name}.toml").read_text(encoding="utf-8")
    assert text.startswith("# This deck is OURS: the published contract cards are not public.")


@each_shipped
def test_shipped__contracts_differ_and_are_of_the_games_size_in_needs_points_money_and_bonuses(deck: Deck) -> None:
    assert len({contract.needs for contract in deck.contracts}) == len(deck.contracts)
    assert Counter(len(contract.needs) for contract in deck.contracts) == SIZES[deck.name]
    assert {contract.vp for contract in deck.contracts} <= set(range(1, 7))
    assert {contract.money for contract in deck.contracts} <= set(range(7))
    assert sum(contract.money > 0 for contract in deck.contracts) == PAYING[deck.name]
    assert Counter(contract.bonus for contract in deck.contracts) == BONUSES[deck.name]


def test_standard__is_near_to_what_reviewers_tell_of_the_published_deck() -> None:
    contracts = load_deck("standard").contracts
    bonuses = Counter(contract.bonus for contract in contracts)
    assert len(contracts) == 48
    assert 3.0 <= sum(len(contract.needs) for contract in contracts) / 48 <= 3.3
    assert sum(len(contract.needs) == 5 for contract in contracts) <= 4
    assert 0.65 <= sum(contract.money > 0 for contract in contracts) / 48 <= 0.75
    assert sum(contract.money > 0 and contract.bonus != "none" for contract in contracts) / 48 >= 0.25
    assert bonuses["track"] >= bonuses["contracts"] > bonuses["factory"] > 0


@each_shipped
def test_shipped__colours_are_needed_equally_often_at_each_place_and_worth_the_same(deck: Deck) -> None:
    for place in range(5):
        found = Counter(contract.needs[place] for contract in deck.contracts if place < len(contract.needs))
        assert all_equal(found[color] for color in COLORS)
    shares = dict.fromkeys(COLORS, 0.0)
    for contract in deck.contracts:
        for color in contract.needs:
            shares[color] += worth(contract) / len(contract.needs)
    assert all_equal(shares.values())


def test_standard__colours_give_the_same_points_money_and_bonuses() -> None:
    shares: dict[str, Counter[str]] = {color: Counter() for color in COLORS}
    for contract in load_deck("standard").contracts:
        part = 60 // len(contract.needs)
        for color in contract.needs:
            shares[color].update({"vp": part * contract.vp, "money": part * contract.money, contract.bonus: part})
    assert all(share == shares["W"] for share in shares.values())


def test_standard__every_two_colours_meet_equally_often() -> None:
    meetings: Counter[frozenset[str]] = Counter()
    for contract in load_deck("standard").contracts:
        colors = set(contract.needs)
        meetings.update({frozenset({one, other}) for one in colors for other in colors if one < other})
    assert len(meetings) == 6
    assert all_equal(meetings.values())


@each_shipped
def test_shipped__printed_orders_vary(deck: Deck) -> None:
    shuffled = sum(list(c.needs) != sorted(c.needs, key=COLORS.index) for c in deck.contracts)
    assert shuffled >= len(deck.contracts) / 2


@each_shipped
def test_shipped__points_rise_with_needs_and_effort_as_worth_does_so_that_less_points_are_made_good(deck: Deck) -> None:
    assert rises(mean_by(deck, lambda contract: len(contract.needs), lambda contract: contract.vp))
    assert rises(mean_by(deck, effort, lambda contract: contract.vp))
    assert rises(mean_by(deck, effort, worth))
    for contract in deck.contracts:
        usual = DOLLARS_PER_EFFORT * effort(contract) - LESS_WORTH[deck.name]
        assert abs(worth(contract) - usual) <= WORTH_TOLERANCE, contract


@each_shipped
def test_shipped__automa_icons_are_dealt_evenly_and_fit_the_bonus(deck: Deck) -> None:
    free = [contract for contract in deck.contracts if contract.bonus in ("none", "contracts")]
    pairs = Counter((contract.needs[0], contract.automa) for contract in free)
    assert len(pairs) == 2 * len(COLORS)
    assert max(pairs.values()) - min(pairs.values()) <= 1
    assert sum(contract.automa == "track" for contract in free) == len(free) / 2
    assert all(contract.bonus in ("none", "contracts", contract.automa) for contract in deck.contracts)


@each_shipped
def test_shipped__holds_the_two_contracts_of_the_rulebook(deck: Deck) -> None:
    by_needs = {contract.needs: contract for contract in deck.contracts}
    assert (by_needs["BGOO"].money, by_needs["BGOO"].vp, by_needs["BGOO"].bonus) == (3, 4, "contracts")
    assert "BGO" in by_needs
    if deck.name == "standard":
        assert (by_needs["BGO"].money, by_needs["BGO"].vp, by_needs["BGO"].bonus) == (0, 5, "none")


# --- loading ----------------------------------------------------------------------------------------
GOOD = {"needs": "WB", "money": 3, "vp": 2, "bonus": "none", "automa": "track"}

GOOD_FILE = """\
name = "own"  # [[contracts]]
title = "Own deck"
contracts_to_end = 1
contracts = [
  { needs = "WB", money = 3, vp = 2, bonus = "none", automa = "track" },
  { needs = "O", money = 0, vp = 1, bonus = "track", automa = "factory" },
]
"""
GOOD_HEADERS = """\
name = "own"

[[contracts]]
needs = "WB"
money = 3
vp = 2
bonus = "none"
automa = "track"

[[contracts]]  # the second one
needs = "O"
money = 0
vp = 1
bonus = "track"
automa = "factory"
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "own.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def change(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize("kind", [str, Path])
@pytest.mark.parametrize("text", [GOOD_FILE, GOOD_HEADERS], ids=["list", "headers"])
def test_load_deck__reads_a_path(tmp_path: Path, text: str, kind: Callable[[Path], str | Path]) -> None:
    contracts = (Contract("WB", 3, 2, "none", "track"), Contract("O", 0, 1, "track", "factory"))
    named = ("Own deck", contracts, 1) if text == GOOD_FILE else ("own", contracts, None)
    assert load_deck(kind(write(tmp_path, text))) == Deck("own", *named)


def test_load_deck__unknown_name_is_named_beside_the_shipped_ones() -> None:
    with pytest.raises(ValueError, match=r"'huge' is not shipped; must be one of mini, standard"):
        load_deck("huge")


@pytest.mark.parametrize("path", ["nowhere.toml", "no/where", "a\0b.toml"])
def test_load_deck__missing_file_is_named(path: str) -> None:
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(caught.value).startswith(f"{path}: a contracts file cannot be read there: ")


WRONG_FILES = [
    *[
        (change(GOOD_FILE, old, new), start)
        for old, new, start in (
            ('"O", money = 0', '"P", money = 0', "6:5: contracts[1].needs: "),
            ("money = 0", "money = true", "6:18: contracts[1].money: "),
            ('bonus = "none"', 'bonus = "tracks"', "5:38: contracts[0].bonus: "),
            (', automa = "factory"', "", "6:3: contracts[1].automa: "),
            ("vp = 1", "vp = 1, points = 3", "6:37: contracts[1].points: "),
            ("contracts_to_end = 1", "contracts_to_end = 3", "3:1: contracts_to_end: "),
            ('title = "Own deck"', 'title = ""', "2:1: title: "),
        )
    ],
    *[
        (change(GOOD_HEADERS, old, new), start)
        for old, new, start in (
            ('needs = "O"', 'needs = "OOOOOO"', "11:1: contracts[1].needs: "),
            ("money = 3", "money = -3", "5:1: contracts[0].money: "),
            ('automa = "factory"', "", "10:1: contracts[1].automa: "),
        )
    ],
    (f"{GOOD_FILE}[extra]\nvp = 1\n", "8:1: extra: unknown key; "),
    (change(GOOD_FILE, "money = 0", "money = 100").replace("\n", "\r\n"), "6:18: contracts[1].money: "),
    ('name = "own"\ntitle = \n', "2:9: not TOML: "),
    ('name = "own"\ncontracts = [', "2:14: not TOML: "),
    (b'name = "own"\ntitle = "\xff"\n', "2:10: byte 0xff is not UTF-8"),
]


@pytest.mark.parametrize(("text", "start"), WRONG_FILES)
def test_load_deck__wrong_files_name_line_column_and_entry(tmp_path: Path, text: str | bytes, start: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(caught.value).startswith(f"{path}:{start}")


# --- parsing ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("deck", [*DECKS, parse_deck([GOOD])])
def test_deck_to_dict__parses_back_to_the_same_deck(deck: Deck) -> None:
    assert parse_deck(deck_to_dict(deck)) == deck


def test_parse_deck__bare_list_is_called_inline() -> None:
    deck = parse_deck([GOOD, {**GOOD, "needs": "GGG"}])
    assert deck.name == "inline"
    assert [contract.needs for contract in deck.contracts] == ["WB", "GGG"]
    assert deck.contracts_to_end is None


NEEDS = "must be 1 to 5 letters of WBOG"
NUMBER = "must be a whole number from 0 to 99"
BONUS = "must be one of none, track, factory, contracts"
KEYS = "needs, money, vp, bonus, automa"
WRONG_DECKS = [
    *[
        ([GOOD, {**GOOD, **change}], f"contracts[1].{message}")
        for change, message in (
            ({"needs": ""}, f"needs: {NEEDS}, not '' (str)"),
            ({"needs": "W" * 1000}, f"needs: {NEEDS}, not '{'W' * 56}... (str)"),
            ({"needs": ["W"]}, f"needs: {NEEDS}, not ['W'] (list)"),
            ({"money": -1}, f"money: {NUMBER}, not -1 (int)"),
            ({"money": 1.0}, f"money: {NUMBER}, not 1.0 (float)"),
            ({"vp": True}, f"vp: {NUMBER}, not True (bool)"),
            ({"vp": 100}, f"vp: {NUMBER}, not 100 (int)"),
            ({"bonus": "money"}, f"bonus: {BONUS}, not 'money' (str)"),
            ({"bonus": []}, f"bonus: {BONUS}, not [] (list)"),
            ({"automa": "none"}, "automa: must be one of track, factory, not 'none' (str)"),
            ({"points": 1}, f"points: unknown key; allowed are {KEYS}"),
        )
    ],
    *[
        (
            [{name: value for name, value in GOOD.items() if name != key}],
            f"contracts[0].{key}: missing; needed are {KEYS}",
        )
        for key in GOOD
    ],
    ([], "contracts: 0 contracts; must be 1 to 48"),
    ([GOOD] * 49, "contracts: 49 contracts; must be 1 to 48"),
    ([3], f"contracts[0]: must be a table of {KEYS}, not 3 (int)"),
    ("standard", "contracts: must be a list of contract tables, not 'standard' (str)"),
    ({"contracts": [GOOD]}, "name: missing; a deck needs name and contracts"),
    ({"name": "own"}, "contracts: missing; a deck needs name and contracts"),
    *[
        ({"name": "own", "contracts": [GOOD], **change}, message)
        for change, message in (
            ({"name": 3}, "name: must be printable text in one line, not 3 (int)"),
            ({"name": "o\nn"}, "name: must be printable text in one line, not 'o\\nn' (str)"),
            ({"contracts_to_end": 2}, "contracts_to_end: must be a whole number from 1 to 1, not 2 (int)"),
            ({"contracts_to_end": True}, "contracts_to_end: must be a whole number from 1 to 1, not True (bool)"),
            ({"cards": 3}, "cards: unknown key; allowed are name, title, contracts_to_end, contracts"),
        )
    ],
]


@pytest.mark.parametrize(("deck", "message"), WRONG_DECKS)
def test_parse_deck__names_the_entry_its_value_and_what_is_allowed(deck: Any, message: str) -> None:
    with pytest.raises(DeckError) as caught:
        parse_deck(deck)
    assert str(caught.value) == message


def test_parse_deck__source_is_what_messages_call_the_list() -> None:
    with pytest.raises(DeckError, match=r"^scenario\.contracts\[0\]\.vp: "):
        parse_deck([{**GOOD, "vp": -1}], source="scenario.contracts")
