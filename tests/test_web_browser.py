"""The page of the web room in a real browser: whole games by clicks and by keys, every size and theme, accessibility.

It is skipped where there is no browser, see ``tests.browser``; `make browser-test` insists on one.
"""

import importlib.util
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.browser import PHONE, WIDE, Page  # isort: skip - tests are skipped where no browser is

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from steam_env.render.theme import PALETTE
from steam_env.web.server import Address
from tests.web_server import SHORT, Browser, serve

SIZES = ((360, 740), PHONE, (768, 1024), (1024, 768), WIDE, (1920, 1080))
AXE_PACKAGES = ("axe_playwright_python", "axe_core_python")  # hold axe-core; the first has a newer one, and wants more
AXE_OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with serve() as served:
        yield served


@pytest.fixture
def player(browser: webdriver.Chrome, address: Address) -> Iterator["Player"]:
    """The start page on a wide screen; whatever is done, it logs no error and fetches nothing from elsewhere."""
    player = Player(browser)
    player.resize(WIDE)
    player.open(address.url)
    player.wait_until(lambda: player.find_all("#seats select"))
    yield player
    assert browser.get_log("browser") == []
    script = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    assert all(name.startswith(address.url) for name in browser.execute_script(script))


class Player(Page):
    """Somebody who plays on the page."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        super().__init__(browser)
        self.rng = random.Random(5)

    def begin(self, *seats: str, rules: Mapping[str, Any] = SHORT, **fields: Any) -> None:
        """Choose the seats and the rules, and begin."""
        script = """
            document.querySelector("#lobby details").open = true;
            const set = (id, value) => {
                const input = document.getElementById(id);
                input.value = value;
                input.dispatchEvent(new Event("change"));
            };
            set("count-seats", String(arguments[0].length));
            arguments[0].forEach((name, seat) => set(`seat-${seat}`, name));
            set("first-pace", "0");
            for (const [name, value] of Object.entries(arguments[1])) set(`field-${name}`, value);
            set("seed", "3");
        """
        self.browser.execute_script(script, seats, {**rules, **fields})
        self.click("begin")
        self.wait_until(lambda: self.find("#game").is_displayed())

    def choose(self, name: str, value: str) -> None:
        """Choose from a list."""
        script = """
            const select = document.getElementById(arguments[0]);
            select.value = arguments[1];
            select.dispatchEvent(new Event("change"));
        """
        self.browser.execute_script(script, name, value)

    def state(self) -> tuple[int, bool, bool]:
        """How many actions were played, whether it is the person's turn, and whether the game is over."""
        script = """
            const words = document.getElementById("status").textContent;
            const steps = Number(document.getElementById("scrub").max);
            return [steps, words.includes("You decide"), words.includes("game is over")];
        """
        steps, mine, over = self.browser.execute_script(script)
        return int(steps), bool(mine), bool(over)

    def wait_for_turn(self) -> tuple[int, bool, bool]:
        self.wait_until(lambda: self.state()[1] or self.state()[2])
        return self.state()

    def wait_for_step(self, steps: int) -> None:
        self.wait_until(lambda: self.state()[0] > steps)

    def names_of(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map(node => node.dataset.spot)"
        return list(self.browser.execute_script(script, selector))

    def click_spot(self, name: str) -> None:
        """Click the middle of a place, as a pointer does: whatever lies above it gets the click."""
        script = """
            const node = document.querySelector(`[data-spot="${arguments[0]}"]`);
            node.scrollIntoView({ block: "center" });
            const box = node.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const hit = document.elementFromPoint(x, y);
            hit.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: x, clientY: y }));
            return hit.dataset.spot ?? "";
        """
        assert self.browser.execute_script(script, name) == name

    def check_accessibility(self) -> None:
        """Ask axe-core, where it is here, for what is wrong."""
        found = [spec for spec in map(importlib.util.find_spec, AXE_PACKAGES) if spec is not None and spec.origin]
        if not found:
            pytest.skip("there is no axe-core: extra browser")
        source = (Path(str(found[0].origin)).parent / "axe.min.js").read_text(encoding="utf-8")
        self.browser.execute_script(source)
        script = """
            const done = arguments[1];
            axe.run(document, arguments[0]).then((found) => done(found.violations), (error) => done(String(error)));
        """
        violations = self.browser.execute_async_script(script, AXE_OPTIONS)
        assert isinstance(violations, list), violations
        told = [(one["id"], one["help"], [node["html"][:120] for node in one["nodes"][:3]]) for one in violations]
        assert told == []


# --- whole games ----------------------------------------------------------------------------------------
def test_page__a_whole_game_by_clicks(player: Player) -> None:
    """What may be done on the map is done there, all else by buttons."""
    player.begin("here", "random", max_rounds=4)
    on_the_map = 0
    while True:
        steps, _, over = player.wait_for_turn()
        if over:
            break
        spots = player.names_of("#map .spot.legal") + player.names_of("#panel .spot.legal")
        if spots and player.rng.random() < 0.75:
            player.click_spot(player.rng.choice(spots))
            items = player.find_all("#menu button")
            if items:
                player.rng.choice(items).click()
            on_the_map += 1
        else:
            player.rng.choice(player.find_all("#legal button")[:2]).click()
        player.wait_for_step(steps)
    assert on_the_map > 4
    assert "win" in player.read("#status")
    assert player.find("#review").is_enabled()


def test_page__a_whole_game_by_keys(player: Player) -> None:
    """Nothing is clicked: on the map by arrow keys and Enter, in the list likewise, or typed."""
    player.begin("here", "random")
    ways = 0
    while True:
        steps, _, over = player.wait_for_turn()
        if over:
            break
        player.browser.execute_script("document.activeElement.blur()")
        way = ways % 3
        ways += 1
        if way == 0 and player.names_of("#map .spot.legal"):
            player.press("b", Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
            if player.find_all("#menu button"):
                player.press(Keys.ARROW_DOWN, Keys.ENTER)
        elif way == 1:
            player.press("a", Keys.ARROW_RIGHT, Keys.ENTER)
        else:
            text = player.find("#legal button").text
            player.press("/", text, Keys.ENTER)
        player.wait_for_step(steps)
    assert ways > 5
    assert "win" in player.read("#status")


@pytest.mark.parametrize("way", ["clicks", "keys"])
def test_page__a_turn_of_the_other_game(player: Player, way: str) -> None:
    """Action tiles, hexes, track tiles and cubes: on the picture where they lie, the rest in the list."""
    player.choose("which", "steam")
    player.begin("here", "thrifty", "random", rules={"map": "mini", "turns": 1})
    on_the_picture = 0
    while True:
        steps, _, over = player.wait_for_turn()
        if over:
            break
        spots = player.names_of("#panel .spot.legal") or player.names_of("#map .spot.legal")
        player.browser.execute_script("document.activeElement.blur()")
        if spots and way == "clicks":
            player.click_spot(spots[0])
        elif spots:
            player.browser.execute_script("document.querySelector('.spot.legal').focus()")
            player.press(Keys.ENTER)
        else:
            player.press("a", Keys.ENTER)
        on_the_picture += bool(spots)
        if player.find_all("#menu button"):
            player.press(Keys.ENTER)
        player.wait_for_step(steps)
    assert on_the_picture > 3
    assert "win" in player.read("#status")


# --- what the page tells --------------------------------------------------------------------------------
def test_page__an_illegal_click_says_why(player: Player) -> None:
    player.begin("here", "random")
    (card, *_) = [name for name in player.names_of("#panel .spot") if name.startswith("contract")]
    player.click_spot(card)
    player.wait_until(lambda: "rule" in player.read("#reason"))
    player.press("/", "build nowhere", Keys.ENTER)
    player.wait_until(lambda: "must be one of" in player.read("#reason"))
    assert player.state()[0] == 0


def test_page__takes_back_and_hints(player: Player) -> None:
    player.begin("here", "random")
    player.press("/", "start Chicago SW", Keys.ENTER)
    player.wait_for_step(0)
    player.click("undo")
    player.wait_until(lambda: player.state()[0] == 0)
    assert not player.find("#undo").is_enabled()
    player.click("hint")
    player.wait_until(lambda: player.find_all("#bars li"))
    assert "greedy would play" in player.read("#adviser")
    bar = player.find("#bars .played button").text
    player.find("#bars .played button").click()
    player.wait_for_step(0)
    assert bar


def test_page__draws_the_line_of_a_search_on_the_map(player: Player) -> None:
    """Its places are numbered in order and joined, with the track that would lie there; bars tell what was tried."""
    player.begin("here", "random", max_rounds=20)
    player.choose("agents", "search:greedy@8")
    player.click("hint")
    player.wait_until(lambda: player.find_all("#line li"))
    line = [item.text for item in player.find_all("#line li")]
    numbers = [number for sign in player.find_all("#map .plan text") for number in sign.text.split(", ")]
    assert len(line) > 2
    assert numbers == sorted(numbers)
    assert set(numbers) <= {str(place + 1) for place in range(len(line))}
    assert len(player.find_all("#map .plan .outline")) == len(numbers) > 1
    assert player.find_all("#map .plan .way")
    assert player.find_all("#map .ahead path")
    assert "tried" in player.read("#bars .played .tries")
    player.choose("pace", "3")  # another look at the same position
    player.wait_until(lambda: player.find("#pace").get_property("value") == "3")
    assert len(player.find_all("#map .plan .outline")) == len(numbers)
    player.find("#bars .played button").click()
    player.wait_for_step(0)
    assert not player.find_all(".plan *")
    assert not player.find_all(".ahead")


def test_page__shows_what_an_automa_does_thing_by_thing(player: Player) -> None:
    """By itself, by button and by key; what comes later is not told before, and nothing can be done meanwhile."""
    player.begin("here", "automa:normal", map="midwest", contracts="standard", max_rounds=20)
    for steps in range(2):
        player.press("/", "money", Keys.ENTER)
        player.wait_for_step(steps)
    player.wait_until(lambda: ", 1 of" in player.read("#count"))
    assert not player.find_all("#legal button")
    player.click("back")  # nothing moves by itself any more
    player.wait_until(lambda: player.read("#count") == "step 1 of 2")
    told, boards = [], []
    while True:
        before = player.read("#count")
        player.press(".")
        player.wait_until(lambda before=before: player.read("#count") != before)
        if "," not in player.read("#count"):
            break
        told.append(player.read("#status"))
        boards.append(player.read("#map"))
        assert player.find_all("#log .current")
    assert len(told) > 5
    assert any("draws contract" in words for words in told)
    assert any(": " in words.partition("·")[2] for words in told)  # a reason
    assert player.wait_for_turn()[1]
    player.click("back")
    player.wait_until(lambda: player.read("#status") == told[-1])
    player.press(",")
    player.wait_until(lambda: player.read("#status") == told[-2])
    player.press("l")
    assert player.wait_for_turn()[1]


def test_page__moves_on_by_itself_or_does_not_show_scripted_turns(player: Player) -> None:
    player.begin("here", "automa:normal")
    player.choose("walk", "none")
    for steps in range(2):
        player.press("/", "money", Keys.ENTER)
        player.wait_for_step(steps)
    assert player.wait_for_turn()[1]
    player.choose("walk", "auto")
    for steps in range(2, 4):
        player.press("/", "money", Keys.ENTER)
        player.wait_for_step(steps)
    seen: set[str] = set()
    player.wait_until(lambda: seen.add(player.read("#count")) or len([count for count in seen if "," in count]) > 2)
    player.click("newest")
    assert player.wait_for_turn()[1]


def test_page__the_past_and_back(player: Player) -> None:
    player.begin("here", "random")
    player.press("/", "money", Keys.ENTER)
    player.wait_for_step(0)
    player.click("back")
    player.wait_until(lambda: player.read("#count").startswith("step 0 "))
    assert not player.find_all("#legal button")
    player.click("newest")
    player.wait_until(lambda: player.find_all("#legal button"))


def test_page__people_who_share_the_screen_see_one_hand_each(player: Player) -> None:
    player.begin("here", "here")
    player.wait_until(lambda: player.find("#curtain").is_displayed())
    assert "player_0 takes the screen" in player.read("#curtain-text")
    assert not [name for name in player.names_of(".spot") if name.startswith("contract")]
    player.click("lift")
    player.wait_until(lambda: not player.find("#curtain").is_displayed())
    assert [name for name in player.names_of(".spot") if name.startswith("contract")]
    player.press("/", "money", Keys.ENTER)
    player.wait_for_step(0)
    player.press("/", "money", Keys.ENTER)
    player.wait_until(lambda: player.find("#curtain").is_displayed())


def test_page__a_link_leads_others_to_a_position(player: Player, address: Address) -> None:
    with Browser(address) as other:
        created = other.begin("here", "random")
        other.act("money")
        player.open(f"{address.url}#game={created['id']}&at=0")
        player.wait_until(lambda: player.find("#game").is_displayed() and player.read("#count").startswith("step 0 of"))
        assert not player.find_all("#legal button")


def test_page__offers_as_many_seats_as_a_game_has(player: Player) -> None:
    player.choose("which", "steam")
    assert len(player.find_all("#seats select")) == 3


# --- how it looks ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_page__fits_every_screen(player: Player, size: tuple[int, int]) -> None:
    width, _ = size
    player.resize(size)

    def check() -> None:
        assert player.browser.execute_script("return document.documentElement.scrollWidth") <= width

    check()
    player.begin("here", "random")
    check()
    assert player.find("#map").rect["width"] > 0.3 * width
    for name in ("undo", "hint", "words", "review", "fork", "export", "back", "newest"):
        place = player.find(f"#{name}").rect
        assert place["x"] >= 0, name
        assert place["x"] + place["width"] <= width, name
    player.click("zoom")
    check()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=str)
def test_page__has_no_violation_of_accessibility(player: Player, size: tuple[int, int], theme: str) -> None:
    player.resize(size, theme)
    player.check_accessibility()
    player.begin("here", "automa:normal")
    player.choose("agents", "search:greedy@8")
    player.click("hint")
    player.wait_until(lambda: player.find_all("#line li"))
    player.check_accessibility()
    player.choose("walk", "key")
    for steps in range(2):
        player.press("/", "money", Keys.ENTER)
        player.wait_for_step(steps)
    player.wait_until(lambda: ", 1 of" in player.read("#count"))
    player.press(".")
    player.check_accessibility()


def test_page__light_and_dark(player: Player) -> None:
    def background() -> str:
        numbers = player.find("body").value_of_css_property("background-color")
        return "#" + "".join(f"{int(number):02x}" for number in numbers.strip("rgba()").split(",")[:3])

    light, dark = PALETTE["paper"]
    assert background() == light
    player.resize(WIDE, "dark")
    assert background() == dark
