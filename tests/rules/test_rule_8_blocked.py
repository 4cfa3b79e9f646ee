"""Rule 8.13: what blocks an Automa's path of coins, and what becomes of the path; the rulebook's examples C and D."""

from typing import Any

import pytest

from steam_env import Game
from steam_env.core.steam_power.state import TILE_PLAIN, TILE_TIGHT
from tests.rules.automa_boards import automa_game, card, coins, columns, laid, take_turn, told
from tests.rules.boards import links, play, use_up

# The Automa's coins lead down column C from Boone to Clinton; the player has a network at Dyson - Elgin.
BLOCK = columns("~    D.F", "    ..", "A.B.....C", "    ..", "      E")
AUTOMA_TRACK = ("1: Ames C3 Boone", "1: Boone C7 > S")
AUTOMA_COINS = "C9 C11 C13 C15 Clinton"
PLAYER_TRACK = "0: Dyson A13 Fargo"


def blocked(actions: str, more: tuple[str, ...] = ()) -> Game:
    """The player acts while the Automa's coin path lies across column C."""
    options: dict[str, Any] = {"coins": AUTOMA_COINS, "money": [9, 0], "turn": {"actions_left": 2}}
    return play(automa_game(BLOCK, *AUTOMA_TRACK, PLAYER_TRACK, *more, cards=[card("GG")], **options), actions)


def cleared(game: Game) -> list[tuple[int, int]]:
    """The Automas that lost their coin path, and by whose placement."""
    return [(event.actor, event.values["mover"]) for event in game.events if event.kind == "clear_coins"]


@pytest.mark.parametrize(
    ("actions", "more", "is_cleared"),
    [
        pytest.param("start Dyson NE, head SE, head SE", (), False, id="example C: it can be crossed, though not paid"),
        pytest.param("start Dyson NE, head SE, head N", (), True, id="example D: the edge that the coins need"),
        pytest.param("replace N", ("0: Dyson B10 C11 > SE",), True, id="by a replacement"),
        pytest.param("replace NE", ("0: Dyson B10 C11 > SE",), False, id="a replacement that can be crossed"),
    ],
)
def test_rule_8_13__a_placement_that_blocks_a_tile_removes_path_and_incomplete_link(
    actions: str, more: tuple[str, ...], is_cleared: bool
) -> None:
    """Train and tiles return, money does not; of what else lies there only a tight curve on C11 is not plain."""
    game = blocked(actions, more=more)
    assert cleared(game) == ([(1, 0)] if is_cleared else [])
    assert coins(game) == ([] if is_cleared else AUTOMA_COINS.split())
    assert links(game, 1) == list(AUTOMA_TRACK[:1] if is_cleared else AUTOMA_TRACK)
    assert (game.trains[1], game.money[1]) == (20 if is_cleared else 19, 0)
    if not more and is_cleared:
        assert game.record.tiles.tolist() == [77, 9, 10]


def test_rule_8_13__it_happens_at_once_before_the_second_placement() -> None:
    game = blocked("start Dyson NE, head SE")
    assert cleared(game) == []
    play(game, "head N")
    assert (cleared(game), game.seat) == ([(1, 0)], 0)


def test_rule_8_13__by_a_removal() -> None:
    """A crossing goes, and what stays on its hex takes the last straight tile, which the coins need."""
    board = columns("~", "", "A.B..C", "", "", " I", "G.H", ".")
    paths = ["4: Ames C3 Boone", "4: Boone C7 > S", "2: Galena G3 Hibbing", "1: Ironton G3 > NE"]
    paths += use_up(board, "simple", 77, 3)
    game = automa_game(
        board, *paths, cards=[card("GG")], seats=5, coins="C9 Clinton", turn={"seat": 1, "actions_left": 2}
    )
    assert game.record.tiles[TILE_PLAIN] == 1
    play(game, "remove")
    assert cleared(game) == [(4, 1)]
    assert game.record.tiles[TILE_PLAIN] == 1  # none after the removal; C7 has come back


def test_rule_8_13__in_want_of_a_straight_tile_the_stock_stands_below_zero() -> None:
    """The Automa's only tile, a crossing, goes; the track under it takes a straight one: none is left."""
    board = columns("~", "  D", "A.B..C", "   E.", "    .")
    paths = ["0: Dyson C7 Elgin", "4: Ames C3 Boone", "4: Boone C7 > S", *use_up(board, "simple", 79, 3)]
    game = automa_game(board, *paths, cards=[card("GG")], seats=5, coins="C9 Clinton", turn={"actions_left": 2})
    assert game.record.tiles.tolist() == [0, 9, 10]
    play(game, "start Elgin S, head NE")
    assert cleared(game) == [(4, 0)]
    assert links(game, 4) == ["4: Ames C3 Boone"]
    assert game.record.tiles.tolist() == [-1, 9, 10]
    play(game, "done")
    assert Game.from_scenario(game.to_scenario()).record.tobytes() == game.record.tobytes()


@pytest.mark.parametrize("first_blocked", [3, 4])
def test_rule_8_13__several_automas_are_checked_in_seat_order(first_blocked: int) -> None:
    """The player's tight curve, the last one, blocks one path on E9; another path needs a tight curve on I9.

    The tight curve on C7 comes back with the first path. If that Automa comes first, the other keeps its path.
    """
    one, other = first_blocked, 7 - first_blocked
    board = columns("~", "     F", "A.B. .", "  . D", "   ...C", "", "", "", "G.H..", "   .", "    I")
    paths = ["0: Dyson C11 Fargo", f"{one}: Ames C3 Boone", f"{one}: Boone C7 > NE"]
    paths += [f"{other}: Galena I3 Hibbing", f"{other}: Hibbing I7 > S", *use_up(board, "tight", 8, 2)]
    coin_paths = {one: "D6 E7 E9 E11 Clinton", other: "I9 J8 Ironton"}
    options: dict[str, Any] = {"seats": 5, "automas": 2, "coins": [coin_paths[3], coin_paths[4]]}
    game = automa_game(board, *paths, cards=[card("GG")], turn={"actions_left": 2}, **options)
    assert game.record.tiles[TILE_TIGHT] == 1
    play(game, "start Dyson NE, head S")
    assert cleared(game) == ([(3, 0)] if first_blocked == 3 else [(3, 0), (4, 0)])
    assert coins(game, 1) == (["I9", "J8", "Ironton"] if first_blocked == 3 else [])


def test_rule_8_13__by_another_automas_placement() -> None:
    """Player_2 lays C11 from north-west to south, where player_1 has to go from north to south."""
    cells = {**BLOCK, (4, 14): "."}
    game = automa_game(
        cells,
        *AUTOMA_TRACK,
        *("2: Dyson A13 Fargo", "2: Dyson B10 > SE"),
        cards=[card("GGG")] * 4,
        seats=3,
        automas=2,
        coins=["C9 C11 C13 C15 Clinton", "C11 C13 D14 Elgin"],
        turn={"seat": 2, "actions_left": 2},
        order=[0, 1, 2, 3],
    )
    assert "2: Dyson B10 C11 C13 D14 Elgin" in links(game, 2)
    assert coins(game, 0) == []
    assert links(game, 1) == ["1: Ames C3 Boone"]
    assert game.trains[1] == 20


def last_tight_tile(coin_path: str, **turn: int) -> Game:
    """The Automa, seat 4, is to lay a tight curve on C9, of which one is left."""
    cells = columns("~  ..F.G", "    .", "A.B..", "  ...", "  C  D")
    paths = ["4: Ames C3 Boone", "4: Boone C7 > S", "0: Fargo A13 Galena", *use_up(cells, "tight", 9, 3)]
    return automa_game(cells, *paths, cards=[card("GG")], seats=5, coins=coin_path, turn=turn)


def test_rule_8_13__a_stock_that_others_used_up_blocks_a_path() -> None:
    """The coins need a tight curve: the player takes the last one."""
    game = play(last_tight_tile("C9 D8 D6 Clinton", actions_left=2), "start Fargo N, head SE")
    assert game.record.tiles[TILE_TIGHT] == 0
    assert cleared(game) == [(4, 0)]


def test_rule_8_13__a_path_whose_tile_it_used_up_itself_stays_until_another_places() -> None:
    """C9 and D8 both need a tight curve: each was legal alone."""
    game = last_tight_tile("C9 D8 D10 Dyson", seat=3, actions_left=1)
    turn = take_turn(game)
    assert laid(turn) == ["C9"]
    assert game.record.tiles[TILE_TIGHT] == 0
    assert told(turn, "not_laid", "hex", "why") == [("D8", "illegal")]
    assert coins(game) == ["D8", "D10", "Dyson"]
    play(game, "start Fargo N, head N")
    assert (cleared(game), coins(game)) == ([(4, 0)], [])
    assert game.record.tiles[TILE_TIGHT] == 1
