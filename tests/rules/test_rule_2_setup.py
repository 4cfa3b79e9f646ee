"""Section 2 of the rules: what a game begins with."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from steam_env.data.steam_power.rules import Rules
from steam_env.kit.errors import ScenarioError
from steam_env.table.game import Game
from tests.rules.boards import CITY_OF, can, cannot, cities_to_start, links, play, position, quilt

COLORS = ("white", "black", "orange", "gray", "purple")
STOCKED = COLORS[:4]
ROWS = """\
@ @ @ @ @
 . . . .
. . . . .
 @ @ @ @
. . . . .
 . . . .
. . . . ."""
CITIES = sorted(CITY_OF.values())[:9]

Deal = Callable[..., Game]


@pytest.fixture
def deal(tmp_path: Path) -> Deal:
    """Deals a game on a small map of nine cities, with a deck of so many contracts."""

    def deal_game(
        seed: int = 0, seats: int = 2, contracts: int = 48, tiles: str | None = None, deck_end: int = 0, **rules: int
    ) -> Game:
        board, deck = tmp_path / "board.toml", tmp_path / "deck.toml"
        bag = "" if tiles is None else f'tiles = "{tiles}"\n'
        board.write_text(f'name = "nine"\ntitle = "Nine"\ncities = {CITIES}\n{bag}rows = """\n{ROWS}"""\n')
        end = f"contracts_to_end = {deck_end}\n" if deck_end else ""
        card = '{ needs = "W", money = 0, vp = 1, bonus = "none", automa = "track" },\n'
        deck.write_text(f'name = "cards"\n{end}contracts = [\n{card * contracts}]\n')
        return Game(Rules(num_players=seats, map=str(board), contracts=str(deck), **rules), seed=seed)

    return deal_game


def colors(game: Game) -> list[str]:
    return [game.city(name)["color"] for name in game.setting.map.cities]


# --- 2.1 ----------------------------------------------------------------------------------------------
def test_rule_2_1__seven_tiles_each_and_five_purple_lie_on_the_map_or_beside_it(deal: Deal) -> None:
    for seed in range(10):
        game = deal(seed)
        assert len(colors(game)) == 9
        all_tiles = Counter(colors(game)) + Counter(game.off_map)
        assert all_tiles == Counter({"white": 7, "black": 7, "orange": 7, "gray": 7, "purple": 5})


def test_rule_2_1__one_random_tile_on_each_city_hex(deal: Deal) -> None:
    deals = [colors(deal(seed)) for seed in range(165)]
    for city in range(9):
        shares = Counter(dealt[city] for dealt in deals)
        for color in COLORS:  # 35 expected of 165, purple 25; five standard deviations are 26
            expected = 25 if color == "purple" else 35
            assert abs(shares[color] - expected) < 27, f"{CITIES[city]} is {color} {shares[color]} times"


def test_rule_2_1__a_map_may_name_another_bag_of_tiles(deal: Deal) -> None:
    for seed in range(10):
        game = deal(seed, tiles="WWWWBBBBPPP")
        assert Counter(colors(game)) + Counter(game.off_map) == Counter({"white": 4, "black": 4, "purple": 3})
        assert sum(game.off_map.values()) == 2


def test_rule_2_1__with_as_many_tiles_as_cities_none_lies_beside_the_map(deal: Deal) -> None:
    game = deal(tiles="WWWBBBOGP")
    assert Counter(colors(game)) == Counter({"white": 3, "black": 3, "orange": 1, "gray": 1, "purple": 1})
    assert set(game.off_map.values()) == {0}


def test_rule_2_1__no_tile_is_flipped_and_no_city_has_a_factory(deal: Deal) -> None:
    game = deal()
    for name in CITIES:
        city = game.city(name)
        assert (city["owner"], city["resources"], city["flipped"]) == (None, 0, False)


def test_rule_2_1__the_board_begins_empty_and_every_city_can_be_started_from(deal: Deal) -> None:
    game = deal()
    assert game.links() == []
    assert cities_to_start(game) == set(CITIES)


# --- 2.2 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_2__five_contracts_five_dollars_trains_and_factories(deal: Deal, seats: int) -> None:
    game = deal(seats=seats)
    assert game.seats == seats
    assert [len(game.hand(seat)) for seat in range(seats)] == [5] * seats
    assert [game.fulfilled(seat) for seat in range(seats)] == [[]] * seats
    assert game.deck_size == 48 - 5 * seats
    assert len({contract for seat in range(seats) for contract in game.hand(seat)}) == 5 * seats
    assert game.money == [5] * seats
    assert game.trains == [21] * seats
    assert game.factories_left == [15] * seats


def test_rule_2_2__the_contracts_are_shuffled(deal: Deal) -> None:
    hands = Counter(contract for seed in range(150) for contract in deal(seed, contracts=20).hand(1))
    assert set(hands) == set(range(20))
    assert all(10 < count < 65 for count in hands.values())  # 37 expected, five standard deviations are 27


def test_rule_2_2__the_deck_is_shuffled_too(deal: Deal) -> None:
    first_drawn = set()
    for seed in range(24):
        game = deal(seed)
        mover = game.seat
        before = game.hand(mover)
        play(game, "contracts")
        first_drawn.add(tuple(set(game.hand(mover)) - set(before)))
    assert len(first_drawn) > 20


def test_rule_2_2__the_same_seed_deals_the_same(deal: Deal) -> None:
    assert deal(5).record.tobytes() == deal(5).record.tobytes()
    assert deal(5).record.tobytes() != deal(6).record.tobytes()


GRAND = """
    A B C D E
     F G H I .
    . . . . .
     . . . .
"""


def test_rule_2_2__thirty_resources_of_each_colour() -> None:
    cities = ["Ames", "Boone", "Clinton", "Dyson", "Elgin", "Fargo", "Galena"]
    link = "1: Ames A3 Fargo"
    full = [f"1: {name} 5" for name in cities[:6]]
    all_out = position(GRAND, link, seats=3, factories=full)
    cannot(all_out, "build Galena", "5.2")
    one_left = position(GRAND, link, seats=3, factories=[*full[:5], "1: Fargo 4"])
    play(one_left, "build Galena")
    assert one_left.city("Galena")["resources"] == 1
    other_color = position(GRAND, link, seats=3, factories=full, colors={"Galena": "B"})
    play(other_color, "build Galena")
    assert other_color.city("Galena")["resources"] == 5
    with pytest.raises(ScenarioError, match="factories"):
        position(GRAND, link, seats=3, factories=[*full, "1: Galena 1"])


def test_rule_2_2__every_seat_has_twenty_one_trains_and_no_more() -> None:
    board, paths = quilt(owner=0)
    game = position(board, *paths[:20])
    assert game.trains == [1, 21]
    play(game, paths_to_actions(paths[20]))
    assert game.trains == [0, 21]
    cannot(game, paths_to_actions(paths[21]).split(", ")[0], "4.3")
    with pytest.raises(ScenarioError, match="links"):
        position(board, *paths[:22])


def test_rule_2_2__every_seat_has_fifteen_factories_and_no_more() -> None:
    board, paths = quilt(owner=0)
    tops = [path.split()[1] for path in paths[:16]]
    colors = {name: "WBOG"[index % 4] for index, name in enumerate(tops)}
    game = position(board, *paths[:16], colors=colors, factories=[f"0: {name} 1" for name in tops[:14]])
    assert game.factories_left == [1, 15]
    play(game, f"build {tops[14]}")
    assert game.factories_left == [0, 15]
    cannot(game, f"build {tops[15]}", "5.1")
    play(game, "money")
    can(game, f"build {tops[15]}")  # seat 1 has factories


def paths_to_actions(path: str) -> str:
    """A link of one straight tile to the south as actions."""
    return f"start {path.split()[1]} S, head S"


def test_rule_2_2__a_deck_needs_five_contracts_for_each_seat(deal: Deal) -> None:
    for seats in (2, 3, 4, 5):
        game = deal(seats=seats, contracts=5 * seats)
        assert [len(game.hand(seat)) for seat in range(seats)] == [5] * seats
        assert game.deck_size == 0
        with pytest.raises(ValueError, match="contracts"):
            deal(seats=seats, contracts=5 * seats - 1)


def test_rule_2_2__a_position_that_deals_no_hands_may_have_fewer() -> None:
    assert position("A . B", contracts=1).deck_size == 1


def test_rule_2_2__a_deck_may_name_the_number_that_ends_the_game(deal: Deal) -> None:
    assert end_of(deal(deck_end=3)) == 3
    assert end_of(deal()) == 14
    assert end_of(deal(deck_end=3, contracts_to_end=2)) == 2  # the configuration has the last word


def end_of(game: Game) -> int:
    """The smallest number of fulfilled contracts of a seat that ends the game."""
    scenario = game.to_scenario()
    deck = scenario["deck"]["order"]
    for count in range(1, 20):
        scenario["seats"] |= {"fulfilled": [deck[:count], []]}
        scenario["deck"] = {"order": deck[count:]}
        scenario["turn"] = {"seat": 1, "actions_left": 1, "first_player": 0, "round": 1}
        at_the_end = Game.from_scenario(scenario)
        at_the_end.step("money")
        if at_the_end.done:
            return count
    raise AssertionError("it never ends")


# --- 2.3 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_3__the_first_player_is_random(deal: Deal, seats: int) -> None:
    games = 25 * seats
    firsts = Counter(deal(seed, seats=seats, contracts=25).seat for seed in range(games))
    assert set(firsts) == set(range(seats))
    assert all(5 < count < 50 for count in firsts.values())  # 25 expected, four standard deviations are 20


def test_rule_2_3__every_first_player_may_be_asked_for(deal: Deal) -> None:
    assert {deal(seed, seats=3, first_player="player_0").seat for seed in range(12)} == {0}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rule_2_3__turns_go_round_in_seat_order_from_the_first_player(deal: Deal, seats: int) -> None:
    for seed in range(5):
        game = deal(seed, seats=seats)
        first = game.seat
        for turn in range(3 * seats):
            assert game.seat == (first + turn) % seats
            assert game.round == 1 + turn // seats
            play(game, "money, money")


def test_rule_2_3__the_first_player_goes_first_in_every_round() -> None:
    game = position("A . B", seats=4, turn={"seat": 2, "first_player": 2})
    order = []
    while game.round < 3:
        order.append(game.seat)
        play(game, "money, money")
    assert order == [2, 3, 0, 1] * 2
    assert links(game) == []
