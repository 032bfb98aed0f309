"""Pictures of the page that `tellapart serve` shows, for docs/serve.md: by day, by night and on a phone. Needs Debian's Chromium (make browser)."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PLAN = "/plan?kind=gaussian&sd=0.12&correlation=0.8&effect=0.01&power=0.8"
DESIGNS = (
    "/plan?kind=paired_binary&accuracy=0.7&discordance=0.1%2C+0.2%2C+0.3&effect=0.03&items=300%2C+600%2C+1000%2C+2000"
)
DESK, PHONE = {"width": 1180, "height": 780}, {"width": 390, "height": 760}


@contextmanager
def serving() -> Iterator[str]:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    command = [sys.executable, "-m", "tellapart", "serve", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603  (our own)
    assert process.stderr is not None
    assert "listening" in process.stderr.readline()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate()


def picture(browser: Any, name: str, address: str, **settings: Any) -> None:
    """What one sees of a page, from its answer down; of the board, from its files."""
    page = browser.new_context(**settings).new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    if address.endswith("/rank"):
        page.set_input_files("#files", str(ROOT / "examples" / "answers.csv"))
    page.locator("#headline").wait_for()
    page.locator("#answer:not(.busy)").wait_for()
    if name != "serve-plan":
        page.locator("#headline").evaluate("one => window.scrollTo(0, one.getBoundingClientRect().top - 40)")
    page.screenshot(path=str(IMAGES / f"{name}.png"))


def main() -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only where there is a browser)

    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--hide-scrollbars"]
        )
        picture(browser, "serve-plan", address + PLAN, viewport=DESK)
        picture(browser, "serve-designs", address + DESIGNS, viewport=DESK, color_scheme="dark")
        picture(browser, "serve-rank", address + "/rank", viewport=DESK)
        picture(browser, "serve-phone", address + PLAN, viewport=PHONE)
        browser.close()


if __name__ == "__main__":
    main()
