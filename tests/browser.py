"""A page in Debian's chromium without a screen. Where there is none, tests that import this are skipped.

It needs Debian's packages chromium and chromium-driver and the extra `browser`; with STEAM_ENV_BROWSER, which
`make browser-test` sets, their lack is an error.
"""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
NEEDED = {"chromium": BROWSER, "chromedriver": DRIVER, "Python package selenium": importlib.util.find_spec("selenium")}
MISSING = [name for name, found in NEEDED.items() if not found]
if MISSING and not os.environ.get("STEAM_ENV_BROWSER"):
    pytest.skip(f"there is no {' and no '.join(MISSING)}: see `make browser-test`", allow_module_level=True)
if MISSING:
    raise RuntimeError(
        f"there is no {' and no '.join(MISSING)}: apt-get install chromium chromium-driver, extra browser"
    )

from selenium import webdriver  # noqa: E402 - after the skip
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

WIDE, PHONE, SMALL_PHONE = (1280, 800), (390, 844), (320, 568)
PATIENCE = 60  # seconds


@contextmanager
def open_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser that keeps its profile in this folder, and what its pages log."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


class Page:
    """A page, and somebody before it."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def open(self, page: str) -> None:
        self.browser.get("about:blank")
        self.browser.get(page)

    def resize(self, size: tuple[int, int], theme: str = "light") -> None:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", features)

    def find(self, selector: str) -> Any:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str) -> list[Any]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, name: str) -> None:
        self.find(f"#{name}").click()

    def press(self, *keys: str) -> None:
        ActionChains(self.browser).send_keys(*keys).perform()

    def read(self, selector: str) -> str:
        """The text of an element, hidden or not."""
        return str(self.find(selector).get_property("textContent"))

    def wait_until(self, wanted: Any) -> None:
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(lambda _: wanted())
