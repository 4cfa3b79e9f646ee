"""Steam to be looked at: scenes hold all that lies on the table, pictures and texts show it, and nothing overlaps."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest

from steam_env import steam_v0
from steam_env.agents.thrifty import ThriftyAgent
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam.actions import LAY
from steam_env.core.steam.tiles import FIRST_TOWN, NUM_PATTERNS, name_pattern
from steam_env.render import draw_pixels, draw_svg
from steam_env.render.pen import LINE_WIDTH
from steam_env.render.sheet import PANEL_BOX
from steam_env.render.steam import Scene, draw_text, make_scene
from steam_env.render.steam.svg import PANEL_LAYERS, draw_canvas
from steam_env.render.steam.theme import LOOKS
from steam_env.render.steam.things import NOBODY, Choice
from steam_env.render.theme import PALETTE
from steam_env.replay import draw_replay
from steam_env.spec import find_spec
from steam_env.steam import Game, Rules
from tests.rules_steam.games import play, position
from tests.rules_steam.players import KINDS, walk

SVG = "{http://www.w3.org/2000/svg}"
EVERY = 9  # decisions of a game: those that are looked at


@cache
def samples() -> tuple[Game, ...]:
    """Positions of every kind of game, from the first decision to the end."""
    return tuple(list_samples())


def list_samples() -> Iterator[Game]:
    for number in range(len(KINDS)):
        for game in walk(number):
            if game.num_steps % EVERY == 0 or game.done:
                yield game.clone()


def find(phase: str) -> Game:
    return next(game for game in samples() if game.phase == phase)


def draw(scene: Scene) -> str:
    return draw_svg(scene, find_spec("steam").sight)


def titles_of(scene: Scene) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(draw(scene)).iter(f"{SVG}title")][1:]


# --- scenes ---------------------------------------------------------------------------------------------


def test_scene__has_the_links_cubes_and_seats_of_the_state() -> None:
    for game in samples():
        scene, state = game.scene(), game.state()
        for line, told in zip(scene.links, state["links"], strict=True):
            path = [scene.stops[line.start].name, *(scene.hexes[here].name for here in line.hexes)]
            path += [] if line.end is None else [scene.stops[line.end].name]
            assert (line.owner, path) == (told["owner"], told["path"])
            assert line.open_edge == (EDGE_NAMES.index(told["open"]) if "open" in told else None)
            assert line.mark == told.get("extended", False)
        assert {tile.name: tile.tile for tile in scene.hexes if tile.tile} == state["tiles"]
        assert {stop.name: stop.cubes for stop in scene.stops if stop.color} == state["cubes"]
        assert {stop.name: stop.color for stop in scene.stops if stop.new} == state["new_cities"]
        assert list(scene.supply.spaces) == state["supply"]
        assert [seat.score for seat in scene.seats] == state["scores"]
        for name in ("money", "income", "vp", "level", "tile", "passed", "to_do", "bankrupt"):
            assert [getattr(seat, name) for seat in scene.seats] == state[name]
        assert [seat.seat for seat in scene.seats if seat.wins] == (state["winners"] or [])
        assert [seat.seat for seat in scene.in_order if seat.place is not None] == state["order"]


def test_scene__segments_belong_to_links_and_those_that_cross_lie_on_a_bridge() -> None:
    bridges = 0
    for game in samples():
        scene = game.scene()
        for segment in scene.segments:
            assert scene.links[segment.link].owner == segment.owner
        by_hex: dict[int, list[Any]] = {}
        for segment in scene.segments:
            by_hex.setdefault(segment.hex, []).append(segment)
        for parts in by_hex.values():
            inner = [sum(parts[0].edges[0] < edge < parts[0].edges[1] for edge in part.edges) for part in parts[1:]
                     if part.edges[1] is not None]  # fmt: skip
            assert [part.over for part in parts[1:] if part.edges[1] is not None] == [count == 1 for count in inner]
            bridges += sum(part.over for part in parts)
    assert bridges > 0


def test_scene__choices_are_the_legal_actions_and_say_what_they_are_about() -> None:
    kinds = set()
    for game in samples():
        scene = game.scene()
        assert [choice.action for choice in scene.choices] == ([] if game.done else game.legal())
        for choice in scene.choices:
            kinds.add(choice.kind)
            check_choice(choice, scene)
        others = [seat for seat in range(game.seats) if seat != game.seat]
        assert all(game.scene(seat).choices == () for seat in others)
        assert make_scene(game.setting, game.records).choices == ()
    assert kinds >= {"take", "build", "tile", "pass", "from", "colour", "hop", "income", "vp", "space", "bid", "grow"}


def check_choice(choice: Choice, scene: Scene) -> None:
    what = choice.text.removeprefix(choice.kind).strip()
    if choice.stop is not None:
        assert what == scene.stops[choice.stop].name
        assert choice.hex == scene.stops[choice.stop].hex
    elif choice.kind == "build":
        assert what == scene.hexes[choice.hex].name
    elif choice.kind == "tile":
        assert (what, choice.hex) == (choice.pattern, scene.decision.hex)
    elif choice.kind == "take":
        assert what.split()[0] == str(choice.action_tile)
    elif choice.kind == "space":
        assert choice.space is not None
        assert what == str(choice.space + 1)
    elif choice.kind == "colour":
        assert what == choice.color
    elif choice.kind == "over":
        assert what == ("nobody" if choice.seat == NOBODY else f"player_{choice.seat}")


def test_scene__a_cube_on_its_way_and_whose_link_it_goes_over() -> None:
    links = ("0: Birch G5 Elm", "1: Birch F4 F6 Elm", "1: Cedar E5 E3 F2 Birch")
    game = position(*links, phase="goods", seat=1, level=2, cubes="Cedar G")
    play(game, "from Cedar", "colour gray", "hop Birch", "hop Elm")
    scene = game.scene()
    assert scene.decision.phase == "over"
    assert [scene.stops[stop].name for stop in scene.decision.route] == ["Cedar", "Birch"]
    assert scene.decision.cube == "gray"
    assert sorted(choice.seat for choice in scene.choices if choice.seat is not None) == [0, 1]
    assert "the cube under way" in titles_of(scene)


# --- pictures -------------------------------------------------------------------------------------------


def test_picture__shows_each_city_town_open_end_and_choice() -> None:
    for game in samples()[::4]:
        scene = game.scene()
        titles = titles_of(scene)
        for stop in scene.stops:
            assert sum(title.startswith(f"{stop.name}: ") for title in titles) == 1
        ends = [
            f"open end of {'nobody' if link.owner == NOBODY else f'player_{link.owner}'}"
            for link in scene.links
            if link.open_edge is not None
        ]
        assert sorted(title for title in titles if title.startswith("open end")) == sorted(ends)
        beside = {"pass", "colour", "income", "vp", "locomotive", "over", "bid"}
        assert {choice.text for choice in scene.choices if choice.kind not in beside} <= set(titles)


def test_picture__has_a_disc_on_every_owned_link_apart_from_each_other() -> None:
    for game in samples()[::4]:
        scene = game.scene()
        group = ElementTree.fromstring(draw(scene)).find(f"{SVG}g[@class='discs']")
        assert group is not None
        discs = [(box.get("x"), box.get("y")) for box in group.findall(f"{SVG}rect")]
        assert len(discs) == sum(link.owner != NOBODY for link in scene.links)
        assert len(set(discs)) == len(discs)


@pytest.mark.parametrize("count", [1, 7, 30, NUM_PATTERNS - FIRST_TOWN])
def test_picture__any_number_of_tiles_fits_into_the_panel(count: int) -> None:
    scene = find("tile").scene()
    here = scene.decision.hex
    assert here is not None
    patterns = range(FIRST_TOWN, FIRST_TOWN + count)
    choices = [
        Choice(LAY + one, f"tile {name_pattern(one)}", "tile", here, pattern=name_pattern(one)) for one in patterns
    ]
    five = replace(scene, choices=tuple(choices), seats=(scene.seats * 2)[:5])
    x, y, width, height = PANEL_BOX
    for element in draw_canvas(five).layers()["stock"]:
        for found in re.findall(r'(?: d="M|x=")(-?[\d.]+)(?:[ ,]|" y=")(-?[\d.]+)', element):
            assert x - 1 <= float(found[0]) <= x + width + 1, element
            assert y <= float(found[1]) <= y + height + 1, element


def test_picture__layers_are_the_same_in_every_position() -> None:
    layers = {tuple(draw_canvas(game.scene()).layers()) for game in samples()[::5]}
    assert layers == {
        ("header", "land", "axes", "track", "cities", "discs", "rings", "names", "choices", *PANEL_LAYERS)
    }


def test_picture__colours_differ_by_shape_and_letter() -> None:
    assert len({look.shape for look in LOOKS.values()}) == len({look.letter for look in LOOKS.values()}) == len(LOOKS)
    assert all(look.color in PALETTE for look in LOOKS.values())


def test_picture__as_pixels_has_one_size() -> None:
    pixels = find("hop").render("rgb_array")
    assert isinstance(pixels, np.ndarray)
    assert pixels.shape == draw_pixels(draw(find("take").scene())).shape == (800, 1200, 3)


def test_environments__draw_pixels() -> None:
    single = gymnasium.make("Steam-v0", opponents=ThriftyAgent, map="mini", render_mode="rgb_array")
    single.reset(seed=1)
    table: Any = steam_v0.env(map="mini", render_mode="rgb_array")
    table.reset(seed=1)
    assert single.render().shape == table.render().shape == (800, 1200, 3)  # type: ignore[union-attr]


def test_replay__calls_rounds_and_points_as_the_game_does() -> None:
    game = Game(Rules(map="mini"), seed=1)
    game.step("take 4")
    page = draw_replay(game, players=["one", "two", "three"])
    for words in ("<h2>Points</h2>", '"round":"turn"', '"names":["land",', "3 seats · 10 turns", "takes 4 First Build"):
        assert words in page


def test_spots__what_may_be_done_is_where_it_lies() -> None:
    """Each place that is marked means something, and all actions but those that lie nowhere are meant by one."""
    spec, told = find_spec("steam"), set()
    for game in samples():
        scene = game.scene()
        places, spots = draw_canvas(scene).places, spec.sight.spots(scene)
        assert places.keys() <= spots.keys()
        meant = {action for name in places for action in spots[name].actions}
        told |= {game.text(action).partition(" ")[0] for action in set(game.legal()) - meant}
        assert all(spots[f"seat:{seat.seat}"].text for seat in scene.seats)
        assert all(spots[f"tile:{number}"].text for number in range(1, 8))
    assert told <= {"pass", "locomotive", "income", "vp", "colour", "bid"}


# --- text -----------------------------------------------------------------------------------------------


def test_text__tells_the_position_in_80_columns() -> None:
    for game in samples()[::3]:
        scene = game.scene()
        text = draw_text(scene, color=False)
        assert max(map(len, text.splitlines())) <= LINE_WIDTH
        assert "\x1b" not in text
        assert all(stop.name in text for stop in scene.stops)
        assert text.count("player_") >= len(scene.seats) + sum(link.owner != NOBODY for link in scene.links)
        words = text.replace("\n  ", " ")
        assert all(choice.text.partition(" ")[2] in words for choice in scene.choices)
    assert "\x1b[" in draw_text(find("build").scene(), color=True)
