"""A replay in a real browser: a whole game is clicked through, and the page is looked at in every size and theme.

It needs Debian's packages chromium and chromium-driver and the extra `browser`; without them it is skipped, but
`make browser-test`, which sets STEAM_ENV_BROWSER, fails.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from steam_env import Game
from steam_env.render.steam_power.svg import draw_canvas
from steam_env.render.theme import PALETTE
from steam_env.replay import write_replay
from tests.games import play

from tests.browser import PHONE, SMALL_PHONE, WIDE, Page  # isort: skip - tests are skipped where no browser is

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

PANEL = ("decision", "seats", "hands", "supply")


@pytest.fixture(scope="module")
def game() -> Game:
    """A short game with an Automa, in which tracks are laid, contracts fulfilled and resources carried."""
    return play({"map": "mini", "num_players": 3, "automas": 1, "contracts_to_end": 2}, 6, greed=1)


@pytest.fixture(scope="module")
def policy(game: Game) -> list[dict[str, Any] | None]:
    """At every decision but the third all is even, and the value counts down."""
    entries: list[dict[str, Any] | None] = []
    for number, position in enumerate(game.positions()):
        texts = position.legal_text()
        entries.append({"probabilities": dict.fromkeys(texts, 1 / max(len(texts), 1)), "value": -number / 100})
    entries[2] = None
    return entries[:-1]


@pytest.fixture(scope="module")
def page(game: Game, policy: list[dict[str, Any] | None], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "game.html"
    write_replay(game, path, policy=policy, players=["greedy <1>", "greedy & 2", "Automa"])
    return path.as_uri()


@pytest.fixture
def reader(browser: webdriver.Chrome, page: str) -> Iterator["Reader"]:
    """The page, freshly opened on a wide screen; whatever is done with it, it logs no error and fetches nothing."""
    reader = Reader(browser)
    reader.resize(WIDE)
    reader.open(page)
    yield reader
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


class Reader(Page):
    """Somebody who reads a replay."""

    @property
    def step(self) -> int:
        return int(self.find("#scrub").get_property("value"))

    def read_lines(self, buttons: str) -> list[str]:
        """The words of lines of the log."""
        script = "return [...document.querySelectorAll(arguments[0])].map(line => line.lastChild.textContent)"
        return list(self.browser.execute_script(script, buttons))

    @property
    def current_lines(self) -> list[str]:
        return self.read_lines("#log .current button")


def words_of(parts: list[str]) -> str:
    """The text of SVG elements."""
    return unescape(re.sub(r"<[^>]*>", "", "".join(parts)))


def test_browser__a_whole_game_is_clicked_through(reader: Reader, game: Game) -> None:
    lines = 0
    positions = list(game.positions())
    for number, position in enumerate(positions):
        assert reader.step == number
        picture = draw_canvas(position.scene()).layers()
        assert reader.read("#panel") == "".join(words_of(picture[layer]) for layer in PANEL)
        assert reader.read("#map .trains") == words_of(picture["trains"])
        assert len(reader.find_all("#map .cities > *")) == len(picture["cities"])
        assert reader.current_lines == position.log[lines:]
        lines = len(position.log)
        status = reader.read("#status")
        assert status.startswith(f"Round {position.round} ")
        if not position.done:
            assert f"player_{position.seat} decides: " in status
            assert status.endswith(f" → {position.text(game.actions[number])}")
        points = [row.text.split()[-1] for row in reader.find_all("#points tbody tr")]
        assert points == [str(score["total"]) for score in position.scores()]
        assert reader.read("#count") == f"step {number} of {game.num_steps}"
        if number < game.num_steps:
            reader.click("step")
    assert reader.find("#step").get_property("disabled")
    assert "wins" in reader.read("#status")
    reader.click("back")
    assert reader.step == game.num_steps - 1
    reader.click("first")
    assert reader.step == 0
    assert reader.find("#back").get_property("disabled")


def test_browser__keys_move_too(reader: Reader, game: Game) -> None:
    reader.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert reader.step == 1
    reader.press(Keys.END)
    assert reader.step == game.num_steps
    reader.press(Keys.ARROW_RIGHT)
    assert reader.step == game.num_steps
    reader.press(Keys.HOME)
    assert reader.step == 0
    turns = [(position.round, position.seat) for position in game.positions()]
    starts = [number for number, (one, two) in enumerate(pairwise(turns), 1) if one != two]
    for start in starts[:4]:
        ActionChains(reader.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        assert reader.step == start
    reader.press(Keys.ARROW_RIGHT)
    reader.click("turn-back")
    assert reader.step == starts[3]
    reader.click("turn-back")
    assert reader.step == starts[2]


def test_browser__plays_to_the_end_and_pauses(reader: Reader, game: Game) -> None:
    Select(reader.find("#speed")).select_by_value("8")
    reader.click("play")
    assert reader.find("#play").get_attribute("aria-label") == "Pause"
    reader.wait_until(lambda: reader.step >= 3)
    reader.click("play")
    paused = reader.step
    reader.browser.execute_async_script("setTimeout(arguments[0], 400)")
    assert reader.step == paused
    assert reader.find("#play").get_attribute("aria-label") == "Play"
    reader.browser.execute_script("document.activeElement.blur()")
    reader.press(Keys.END, Keys.ARROW_LEFT, Keys.ARROW_LEFT, " ")
    reader.wait_until(lambda: reader.find("#play").get_attribute("aria-label") == "Play")
    assert reader.step == game.num_steps
    reader.press(" ")  # from the end it begins anew
    assert reader.step < game.num_steps
    reader.press(" ")


def test_browser__scrubs_by_slider_and_chart(reader: Reader, game: Game) -> None:
    slider = reader.find("#scrub")
    ActionChains(reader.browser).move_to_element(slider).click().perform()
    assert abs(reader.step - game.num_steps / 2) <= 1
    slider.send_keys(Keys.ARROW_RIGHT)
    middle = reader.step
    assert f"{middle} of {game.num_steps}" in slider.get_attribute("aria-valuetext")
    ActionChains(reader.browser).move_to_element_with_offset(reader.find("#chart"), 200, 0).click().perform()
    assert reader.step > middle
    assert reader.browser.execute_script("return location.hash") == f"#{reader.step}"


def test_browser__a_line_of_the_log_leads_to_its_step(reader: Reader, game: Game) -> None:
    reader.press(Keys.END)
    wanted = next(number for number, event in enumerate(game.events) if event.kind == "complete")
    line = reader.find_all("#log button")[wanted]
    line.click()
    assert game.log[wanted] in reader.current_lines
    assert line.get_attribute("aria-current") == "step"
    box, place = reader.find("#log").rect, line.rect
    assert box["y"] <= place["y"] <= box["y"] + box["height"] - place["height"] + 1


def test_browser__a_link_leads_to_a_step(reader: Reader, page: str) -> None:
    reader.open(f"{page}#7")
    assert reader.step == 7
    reader.browser.execute_script("location.hash = '#9999'")
    reader.wait_until(lambda: reader.find("#step").get_property("disabled"))


def test_browser__shows_the_policy(reader: Reader, game: Game, policy: list[dict[str, Any] | None]) -> None:
    for number, (position, entry) in enumerate(zip(list(game.positions())[:12], policy, strict=False)):
        rows = [row.text.split("\n") for row in reader.find_all("#bars li")]
        if entry is None:
            assert rows == [["not known here"]]
        else:
            share = round(100 / len(position.legal()))
            played = reader.find("#bars .played")
            assert played.text.split("\n") == [position.text(game.actions[number]), f"{share} %"]
            assert reader.read("#value") == f"value {'−' if number else '+'}{number / 100:.2f}"
            widths = reader.find("#bars .bar i").rect["width"] / reader.find("#bars .bar").rect["width"]
            assert widths == pytest.approx(1 / len(position.legal()), abs=0.02)
        reader.click("step")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_browser__a_picture_in_a_page_is_all_there(
    reader: Reader, game: Game, width: int, theme: str, tmp_path: Path
) -> None:
    page = tmp_path / "board.html"
    head = '<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    page.write_text(f"{head}<body>{game.render('svg', theme=theme)}", encoding="utf-8")
    reader.resize((width, 844))
    reader.open(page.as_uri())
    place = reader.browser.execute_script("return document.querySelector('svg').getBoundingClientRect().toJSON()")
    assert place["right"] <= width
    assert place["width"] == pytest.approx(1.5 * place["height"], rel=0.01)
    assert reader.browser.execute_script("return document.documentElement.scrollWidth") <= width
    title, details = reader.browser.execute_script(
        "return [...document.querySelectorAll('.header text')].map(text => text.getBoundingClientRect().toJSON())"
    )
    assert title["right"] < details["left"]  # in whatever font is here


def test_browser__marks_what_is_played_among_the_choices(reader: Reader, game: Game) -> None:
    marked = 0
    for number, position in enumerate(list(game.positions())[:20]):
        titles = [title.get_property("textContent") for title in reader.find_all("#map .chosen title")]
        text = position.text(game.actions[number])
        on_the_map = {choice.text for choice in position.scene().choices if choice.hex >= 0}
        assert set(titles) == {text} & on_the_map
        marked += bool(titles)
        reader.click("step")
    assert marked > 3
    reader.click("choices")
    assert not reader.find("#map .choices").is_displayed()
    assert reader.find("#choices").get_attribute("aria-pressed") == "false"
    reader.click("choices")
    assert reader.find("#map .choices").value_of_css_property("display") != "none"


@pytest.mark.parametrize("size", [WIDE, (1024, 768), (768, 1024), PHONE, SMALL_PHONE], ids=str)
def test_browser__fits_every_screen(reader: Reader, page: str, size: tuple[int, int], tmp_path: Path) -> None:
    reader.resize(size)
    reader.open(f"{page}#12")
    width, height = size
    wide, tall = reader.browser.execute_script(
        "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert wide <= width
    if size == WIDE:
        assert tall <= height  # all of it at once
    for name in ("first", "turn-back", "back", "play", "step", "turn-on", "last", "scrub", "speed"):
        place = reader.browser.execute_script(
            "return arguments[0].getBoundingClientRect().toJSON()", reader.find(f"#{name}")
        )
        assert 0 <= place["left"] < place["right"] <= width, name
        assert 0 <= place["top"] < place["bottom"] <= height, name
    assert reader.find("#map").rect["width"] > 0.4 * width
    reader.click("step")
    assert reader.step == 13
    reader.click("zoom")
    assert reader.find("#map").rect["width"] > 0.8 * width
    assert reader.browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_browser__light_and_dark(reader: Reader, page: str) -> None:
    def background() -> str:
        numbers = re.findall(r"\d+", reader.find("body").value_of_css_property("background-color"))[:3]
        return "#" + "".join(f"{int(number):02x}" for number in numbers)

    light, dark = PALETTE["paper"]
    assert background() == light
    reader.resize(WIDE, "dark")
    assert background() == dark
    reader.click("theme")
    assert reader.find("#theme").text == "Theme: light"
    assert background() == light
    reader.click("theme")
    reader.resize(WIDE, "light")
    assert background() == dark


def test_browser__can_be_used_by_keyboard_and_by_ear(reader: Reader, game: Game) -> None:
    names = []
    for _ in range(30):
        reader.press(Keys.TAB)
        focused = reader.browser.switch_to.active_element
        if focused.tag_name == "body":  # once round
            break
        assert focused.accessible_name, focused.get_attribute("id")
        assert focused.value_of_css_property("outline-style") == "solid"
        names.append(focused.accessible_name)
    assert {"Choices", "Position in the game", "Play", "One step on", "Speed"} <= set(names)
    assert len([name for name in names if name.startswith("player_")]) <= 1  # the log is one stop, not hundreds
    assert "Round Lake Michigan, round 1; player_" in reader.find("#map").accessible_name
    assert reader.find("#status").get_attribute("aria-live") == "polite"
    assert [row.accessible_name for row in reader.find_all("#points tbody th")] == [
        f"player_{seat}" for seat in range(game.seats)
    ]


def test_browser__page_for_one_seat(browser: webdriver.Chrome, game: Game, tmp_path: Path) -> None:
    write_replay(game, tmp_path / "seat.html", seat=1)
    reader = Reader(browser)
    reader.resize(WIDE)
    reader.open((tmp_path / "seat.html").as_uri())
    reader.press(Keys.END)
    assert reader.read_lines("#log button") == game.log_for(1)
    assert "as player_1 sees it" in reader.read(".heading")
    assert browser.get_log("browser") == []
