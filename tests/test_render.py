"""Pictures and text that are drawn of a scene: all of it is there, and they are well made."""

import re
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from steam_env import Game, Rules
from steam_env.core.steam_power.state import PLACE_HAND
from steam_env.data.steam_power.maps import load_map, map_to_dict, shipped_maps
from steam_env.render import draw_pixels
from steam_env.render.canvas import HEIGHT, WIDTH, measure, wrap
from steam_env.render.steam_power import draw_text, make_scene
from steam_env.render.steam_power.theme import SHAPES
from steam_env.render.steam_power.things import OFF_THE_MAP
from steam_env.render.theme import ON_SEAT, PALETTE, PATTERNS
from steam_env.replay import animate
from tests.games import find_busy, mini, samples
from tests.test_render_scene import SVG, draw, texts_in

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
TERMINAL_COLUMNS, TERMINAL_ROWS = 80, 24


# --- the SVG --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_svg__is_well_formed_and_self_contained(theme: str) -> None:
    for game in (table[index] for table in samples().values() for index in (0, len(table) // 2, -1)):
        svg = str(game.render("svg", theme=theme))
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert svg.count("http") == svg.count("xmlns=") == 1
        assert not re.search(r"url\(|href|@import|<script|<image|nan|inf\b", svg)


def test_svg__has_a_sign_for_each_thing_on_the_map() -> None:
    busy = find_busy()
    for game in [busy, samples()["five"][-1], samples()["preview"][-2]]:
        scene = game.scene()
        titles = [element.text or "" for element in ElementTree.fromstring(draw(scene)).iter(f"{SVG}title")][1:]
        for city in scene.cities:
            (told,) = (title for title in titles if title.startswith(f"{city.name}: "))
            assert told.startswith(f"{city.name}: {city.color}")
            assert ("flipped" in told, f"player_{city.owner}" in told) == (city.flipped, city.owner is not None)
        open_ends = [f"open end of player_{link.owner}" for link in scene.links if link.open_edge is not None]
        assert sorted(title for title in titles if title.startswith("open end")) == sorted(open_ends)
        on_map = {choice.text for choice in scene.choices if choice.hex != OFF_THE_MAP}
        assert on_map <= set(titles)
        land = {city.hex for city in scene.cities}
        coins = [path.seat for path in scene.coins for here in path.hexes if here not in land]
        assert sorted(title for title in titles if title.startswith("coin")) == [f"coin of player_{s}" for s in coins]
        assert len(texts_in(draw(scene), "trains")) == len(scene.links)
        in_cities = [text.text for text in texts_in(draw(scene), "cities")]
        factories = [city for city in scene.cities if city.owner is not None]
        left = [f"{city.vp}vp" if city.flipped else f"{city.resources}" for city in factories]
        letters = [city.color[0].upper() for city in scene.cities if city.owner is None]
        assert sorted(in_cities) == sorted(left + letters + [str(city.owner) for city in factories])
        in_seats = " ".join(text.text or "" for text in texts_in(draw(scene), "seats"))
        for seat in scene.seats:
            if seat.fulfilled:
                assert f"fulfilled {' '.join(str(card.number) for card in seat.fulfilled)}" in in_seats


def test_svg__themes_differ_in_colours_only_and_keep_to_their_picture() -> None:
    busy = find_busy()
    light, dark, auto = (str(busy.render("svg", theme=theme)) for theme in ("light", "dark", "auto"))
    bodies = {re.sub(r"<style>.*?</style>|steam-power-\w+", "", svg) for svg in (light, dark, auto)}
    assert len(bodies) == 1
    assert PALETTE["paper"][0] in light
    assert PALETTE["paper"][0] not in dark
    assert PALETTE["paper"][1] in dark
    assert "prefers-color-scheme" not in light + dark
    assert all(color in auto for color in PALETTE["paper"])
    assert "prefers-color-scheme:dark" in auto
    assert busy._repr_svg_() == auto
    for theme, svg in (("light", light), ("dark", dark)):
        (style,) = re.findall(r"<style>(.*?)</style>", svg)
        assert all(rule.startswith(f".steam-power-{theme} ") for rule in style.split("}") if rule)


def test_svg__shrinks_in_a_narrow_page() -> None:
    busy = find_busy()
    svg = str(busy.render("svg"))
    assert ElementTree.fromstring(svg).get("style") == "max-width:100%;height:auto"
    unstyled = svg.replace(' style="max-width:100%;height:auto"', "")
    assert len(unstyled) < len(svg)
    assert np.array_equal(draw_pixels(svg), draw_pixels(unstyled))
    assert draw_pixels(svg, width=300).shape == (200, 300, 3)


def titled(title: str, edition: str = "final") -> str:
    """The picture of a game on a map of this title."""
    scenario = mini(1).to_scenario()
    scenario["map"] = {**map_to_dict(load_map("mini")), "title": title}
    scenario["rules"]["edition"] = edition
    return str(Game.from_scenario(scenario).render("svg"))


@pytest.mark.parametrize("edition", ["final", "preview"])
@pytest.mark.parametrize("title", ["M", "The Midwest", "Wide Mountains And Many More Words Than Fit"])
def test_svg__title_and_details_keep_apart(title: str, edition: str) -> None:
    heading, details = texts_in(titled(title, edition), "header")
    assert "e" in str(details.get("class")).split()  # ends at its x
    left, right = (float(text.get("x", "")) for text in (heading, details))
    widths = [
        measure(text.text or "", float(text.get("font-size", "")), bold=text is heading) for text in (heading, details)
    ]
    assert left + widths[0] + 20 < right - widths[1]


def test_measure__bold_is_wider_as_it_is_in_the_font() -> None:
    from font_source_sans_pro import font_files_ttf
    from PIL import ImageFont

    for style, bold in (("SourceSansPro", False), ("SourceSansProBold", True)):
        font = ImageFont.truetype(str(font_files_ttf[style]), 100)
        for text in ("The Midwest", "player_0 decides", "Round Lake Michigan", "money · contracts", "13 of 14 done"):
            assert 1 <= measure(text, 100, bold) / font.getlength(text) < 1.25, (text, bold)


def test_svg__names_are_escaped() -> None:
    root = ElementTree.fromstring(titled('Rivers & <Lakes> "north"'))
    assert 'Rivers & <Lakes> "north"' in [element.text for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", shipped_maps())
def test_svg__names_of_cities_do_not_overlap(name: str) -> None:
    boxes = []
    for text in texts_in(str(Game(Rules(map=name), seed=1).render("svg")), "names"):
        size, x, y = (float(text.get(key, "")) for key in ("font-size", "x", "y"))
        half = measure(text.text or "", size) / 2
        boxes.append((x - half, x + half, y - size, y))
    assert len(boxes) > 10
    for index, (left, right, top, bottom) in enumerate(boxes):
        assert 0 < left < right < WIDTH
        for left2, right2, top2, bottom2 in boxes[index + 1 :]:
            assert right < left2 or right2 < left or bottom < top2 or bottom2 < top


def test_svg__all_stays_inside_however_many_cards_there_are() -> None:
    game = Game(Rules(map="mini", num_players=5), seed=1)
    records = game.records.copy()
    records[0].place[:] = [PLACE_HAND + contract % 5 for contract in range(48)]
    records[0].hand_size[:] = [(records[0].place == PLACE_HAND + seat).sum() for seat in range(5)]
    root = ElementTree.fromstring(draw(make_scene(game.setting, records, game.mask)))
    tops = {name: heights_of(root, name) for name in ("decision", "seats", "hands", "supply")}
    ends = [end for name in tops for end in tops[name]]
    assert ends == sorted(ends), tops
    assert ends[0] > 0
    assert ends[-1] < HEIGHT


def heights_of(root: ElementTree.Element, layer: str) -> tuple[float, float]:
    """The top of the highest box of the layer, the bottom of the lowest."""
    boxes = root.findall(f"{SVG}g[@class='{layer}']/{SVG}rect")
    tops = [float(box.get("y", "")) for box in boxes]
    return min(tops), max(top + float(box.get("height", "")) for top, box in zip(tops, boxes, strict=True))


def test_svg__seats_and_resources_differ_by_more_than_colour() -> None:
    colors = {PALETTE[f"seat{seat}"] for seat in range(5)}
    assert len(set(PATTERNS)) == len(ON_SEAT) == len(set(SHAPES.values())) == len(SHAPES) == len(colors) == 5


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"mode": "svg", "theme": "pink"}, "theme='pink': allowed are 'light', 'dark', 'auto'"),
        ({"mode": "svg", "seat": 3}, "seat=3: 0 to 2 are allowed"),
        ({"mode": "pdf"}, "mode='pdf': allowed are 'ansi', 'svg', 'rgb_array', 'human'"),
        ({"path": "game.mp4"}, "path='game.mp4': must end in '.gif'"),
        ({"path": "game.gif", "every": "year"}, "every='year': allowed are 'turn', 'action'"),
        ({"path": "game.gif", "theme": "pink"}, "theme='pink': allowed are"),
        ({"path": "game.gif", "seat": 3}, "seat=3: 0 to 2 are allowed"),
    ],
)
def test_render_and_animate__refuse_what_they_do_not_know(options: dict[str, Any], named: str) -> None:
    busy = find_busy()
    with pytest.raises(ValueError, match=named):
        animate(busy, **options) if "path" in options else busy.render(**options)


def test_wrap__keeps_words_and_widths() -> None:
    lines = wrap("one two three four five", 10, 60)
    assert " ".join(lines) == "one two three four five"
    assert len(lines) > 1
    assert all(measure(line, 10) <= 60 for line in lines)


# --- text -----------------------------------------------------------------------------------------------


def test_text__colour_adds_colour_only() -> None:
    for game in (table[-1] for table in samples().values()):
        plain, colored = draw_text(game.scene(), color=False), draw_text(game.scene(), color=True)
        assert "\x1b" not in plain
        assert "\x1b[" in colored
        assert ESCAPES.sub("", colored).split() == plain.split()


def test_text__colour_on_a_terminal_unless_it_is_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = find_busy()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in str(busy.render("ansi"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "\x1b" in str(busy.render("ansi"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in str(busy.render("ansi"))


def test_text__fits_a_terminal() -> None:
    for game in (game for table in samples().values() for game in table):
        lines = draw_text(game.scene(), color=False).splitlines()
        assert max(map(len, lines)) <= TERMINAL_COLUMNS
    for game in samples()["two"]:
        assert len(draw_text(game.scene(), color=False, details=False).splitlines()) <= TERMINAL_ROWS


def test_text__shows_coins_markers_open_ends_and_crossings() -> None:
    busy = find_busy()
    text, scene = draw_text(busy.scene(), color=False), busy.scene()
    assert "$2" in text
    assert "<2" in text
    assert any(arrow in text.split("legal")[0] for arrow in "↑↗↘↓↙↖")
    (under, over) = sorted((one for one in scene.segments if one.crossing), key=lambda one: (one.hex, one.over))[:2]
    assert re.search(rf"{under.owner}[|/\\ct].?{over.owner}[|/\\ct]", text)
    assert "coins of player_2" in text
    assert all(city.name in text for city in scene.cities)
