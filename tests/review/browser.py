"""A real headless Chromium for the pages. CI must have one; elsewhere a test says what is missing."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium() -> str:
    """The browser, or the end of the test."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.environ.get("CI"):
        pytest.fail("CI has no Chromium; .ci/run installs it")
    if found is None:
        pytest.skip("no Chromium is installed; on Debian: apt-get install chromium")
    return found


@contextmanager
def opened(url: str | Path, *, width: int = 1000, dark: bool = False) -> Generator[tuple[Any, list[str]]]:
    """A page and what its console complains of, as it comes in."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme="dark" if dark else "light")
            complaints: list[str] = []
            page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(url.as_uri() if isinstance(url, Path) else url, wait_until="load")
            yield page, complaints
        finally:
            browser.close()


def overflow(page: Any) -> int:
    """Pixels by which the page is wider than the window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found
