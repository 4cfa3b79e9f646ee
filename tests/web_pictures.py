"""The pictures of docs/web.md: ``python -m tests.web_pictures`` plays a little in a browser, and takes them anew."""

import tempfile
from pathlib import Path

from tests.browser import PHONE, open_browser
from tests.test_web_browser import Player
from tests.web_server import serve

FOLDER = Path(__file__).parents[1] / "docs" / "web"
LARGE = (1280, 800)
TURNS = 6
ADVISER = "search:greedy@8"  # whose line is drawn


def take_pictures() -> None:
    """Play some turns by the adviser's hints, and take a picture on a wide screen in light, on a small one in dark."""
    FOLDER.mkdir(exist_ok=True)
    with serve() as address, tempfile.TemporaryDirectory() as profile, open_browser(Path(profile)) as browser:
        player = Player(browser)
        player.resize(LARGE)
        player.open(address.url)
        player.wait_until(lambda: player.find_all("#seats select"))
        player.begin("here", "automa:normal", max_rounds=100)
        player.choose("walk", "none")
        for _ in range(TURNS):
            steps, *_ = player.wait_for_turn()
            player.click("hint")
            player.wait_until(lambda: player.find("#policy").is_displayed())
            player.find("#bars .played button").click()
            player.wait_for_step(steps)
        player.wait_for_turn()
        player.choose("agents", ADVISER)
        player.click("hint")
        player.wait_until(lambda: player.find_all("#line li"))
        browser.save_screenshot(str(FOLDER / "wide.png"))
        player.resize(PHONE, "dark")
        browser.execute_script("scrollTo(0, 0)")
        browser.save_screenshot(str(FOLDER / "small.png"))


if __name__ == "__main__":
    take_pictures()
