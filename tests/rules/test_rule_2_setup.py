"""Section 2 of the rules: what a game begins with."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from steam_env import Game, GameBatch
from steam_env.data.steam_power.rules import Rules
from tests.rules.boards import CITY_OF, cities_to_start, links, play, position

COLORS = ("white", "black", "orange", "gray", "purple")
ROWS = """\
@ @ @ @ @
 . . . .
. . . . .
 @ @ @ @
. . . . .
 . . . .
. . . . ."""
CITIES = sorted(CITY_OF.values())[:9]

Deal = Callable[..., list[Game]]


@pytest.fixture
def deal(tmp_path: Path) -> Deal:
    """Deals games on a small map of nine cities, with a deck of so many contracts."""

    def deal_games(
        count: int = 1, seats: int = 2, contracts: int = 48, tiles: str | None = None, deck_end: int = 0, **rules: int
    ) -> list[Game]:
        board, deck = tmp_path / "board.toml", tmp_path / "deck.toml"
        bag = "" if tiles is None else f'tiles = "{tiles}"\n'
        board.write_text(f'name = "nine"\ntitle = "Nine"\ncities = {CITIES}\n{bag}rows = """\n{ROWS}"""\n')
        end = f"contracts_to_end = {deck_end}\n" if deck_end else ""
        card = '{ needs = "W", money = 0, vp = 1, bonus = "none", automa = "track" },\n'
        deck.write_text(f'name = "cards"\n{end}contracts = [\n{card * contracts}]\n')
        batch = GameBatch(Rules(num_players=seats, map=str(board), contracts=str(deck), **rules), count, seed=0)
        return [batch.game(number) for number in range(count)]

    return deal_games


def colors(game: Game) -> list[str]:
    return [game.city(name)["color"] for name in game.setting.map.cities]


# --- 2.1 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("bag", "tiles"),
    [
        (None, {"white": 7, "black": 7, "orange": 7, "gray": 7, "purple": 5}),
        ("WWWWBBBBPPP", {"white": 4, "black": 4, "purple": 3}),  # a map may name another bag of tiles
        ("WWWBBBOGP", {"white": 3, "black": 3, "orange": 1, "gray": 1, "purple": 1}),  # as many tiles as cities
    ],
)
def test_rule_2_1__each_tile_of_the_bag_lies_on_the_map_or_beside_it(
    deal: Deal, bag: str | None, tiles: dict[str, int]
) -> None:
    for game in deal(10, tiles=bag):
        assert len(colors(game)) == 9
        assert Counter(colors(game)) + Counter(game.off_map) == tiles
        assert sum(game.off_map.values()) == sum(tiles.values()) - 9


def test_rule_2_1__one_random_tile_on_each_city_hex(deal: Deal) -> None:
    deals = [colors(game) for game in deal(165)]
    for city in range(9):
        shares = Counter(dealt[city] for dealt in deals)
        for color in COLORS:  # 35 expected of 165, purple 25; five standard deviations are 26
            expected = 25 if color == "purple" else 35
            assert abs(shares[color] - expected) < 27, f"{CITIES[city]} is {color} {shares[color]} times"


def test_rule_2_1__the_board_begins_empty_and_every_city_can_be_started_from(deal: Deal) -> None:
    (game,) = deal()
    assert (links(game), cities_to_start(game)) == ([], set(CITIES))
    for city in map(game.city, CITIES):
        assert (city["owner"], city["resources"], city["flipped"]) == (None, 0, False)


# --- 2.2 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_2__five_contracts_five_dollars_trains_factories_and_resources(deal: Deal, seats: int) -> None:
    (game,) = deal(seats=seats)
    assert (game.seats, game.deck_size) == (seats, 48 - 5 * seats)
    assert [len(game.hand(seat)) for seat in range(seats)] == [5] * seats
    assert [game.fulfilled(seat) for seat in range(seats)] == [[]] * seats
    assert len({contract for seat in range(seats) for contract in game.hand(seat)}) == 5 * seats
    assert (game.money, game.trains, game.factories_left) == ([5] * seats, [21] * seats, [15] * seats)
    assert game.record.stock.tolist() == [30] * 4


def test_rule_2_2__the_contracts_are_shuffled_those_of_the_deck_too(deal: Deal) -> None:
    hands = Counter(contract for game in deal(150, contracts=20) for contract in game.hand(1))
    assert set(hands) == set(range(20))
    assert all(10 < count < 65 for count in hands.values())  # 37 expected, five standard deviations are 27
    first_drawn = set()
    for game in deal(24):
        mover, before = game.seat, set(game.hand(game.seat))
        first_drawn.add(tuple(set(play(game, "contracts").hand(mover)) - before))
    assert len(first_drawn) > 20


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_2__a_deck_needs_five_contracts_for_each_seat_that_it_is_dealt_to(deal: Deal, seats: int) -> None:
    (game,) = deal(seats=seats, contracts=5 * seats)
    assert ([len(game.hand(seat)) for seat in range(seats)], game.deck_size) == ([5] * seats, 0)
    with pytest.raises(ValueError, match="contracts"):
        deal(seats=seats, contracts=5 * seats - 1)
    assert position("A . B", contracts=1, seats=seats).deck_size == 1  # no hands are dealt


@pytest.mark.parametrize(
    ("entries", "end"),
    [({"deck_end": 3}, 3), ({}, 14), ({"deck_end": 3, "contracts_to_end": 2}, 2)],  # the configuration comes first
)
def test_rule_2_2__a_deck_may_name_the_number_that_ends_the_game(deal: Deal, entries: dict[str, int], end: int) -> None:
    scenario = deal(**entries)[0].to_scenario()
    deck = scenario["deck"]["order"]
    for count in (end - 1, end):
        scenario["seats"] |= {"fulfilled": [deck[:count], []]}
        scenario["deck"] = {"order": deck[count:]}
        scenario["turn"] = {"seat": 1, "actions_left": 1, "first_player": 0, "round": 1}
        assert play(Game.from_scenario(scenario), "money").done == (count == end)


# --- 2.3 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_3__the_first_player_is_random(deal: Deal, seats: int) -> None:
    firsts = Counter(game.seat for game in deal(25 * seats, seats=seats, contracts=25))
    assert set(firsts) == set(range(seats))
    assert all(5 < count < 50 for count in firsts.values())  # 25 expected, four standard deviations are 20


def test_rule_2_3__every_first_player_may_be_asked_for(deal: Deal) -> None:
    assert {game.seat for game in deal(12, seats=3, first_player="player_0")} == {0}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_3__turns_go_round_in_seat_order_from_the_first_player_in_every_round(deal: Deal, seats: int) -> None:
    given = position("A . B", seats=seats, turn={"seat": 1, "first_player": 1})
    for game in (given, *deal(5, seats=seats)):
        first = game.seat
        for turn in range(3 * seats):
            assert (game.seat, game.round) == ((first + turn) % seats, 1 + turn // seats)
            play(game, "money, money")
