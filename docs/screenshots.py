"""Pictures of the pages that `tellapart serve` shows and of a published board, for docs/serve.md and docs/leaderboards.md. Needs Debian's Chromium (make browser)."""

import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PLAN = "/plan?accuracy=0.7&effect=0.02&power=0.8"
AUDIT = "/audit?a=0.706&b=0.714&items=1000"
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


def board(path: Path, systems: int) -> Path:
    """Right or wrong on 1,319 questions, of systems that solve from a fifth to nine tenths of them."""
    rng = np.random.default_rng(systems)
    hard = rng.normal(size=1_319)
    skills = np.sort(rng.normal(0.3, 0.7, systems))
    right = (skills[:, None] + 0.9 * rng.normal(size=(systems, 1_319)) > hard).astype(int).T.tolist()
    rows = [",".join(["item", *(f"model-{n:03d}" for n in range(systems, 0, -1))])]
    path.write_text("\n".join([*rows, *(f"q{i},{','.join(map(str, row))}" for i, row in enumerate(right))]) + "\n")
    return path


def picture(browser: Any, name: str, address: str, file: Path | None = None, **settings: Any) -> None:
    """What one sees of a page; where files are dropped, of its answer."""
    page = browser.new_context(**settings).new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    if file is not None:
        page.set_input_files("#files", str(file))
        page.locator("#answer:not(.busy) #headline").wait_for()
    elif "audit" in name:
        page.locator("#headline").evaluate("one => window.scrollTo(0, one.getBoundingClientRect().top - 40)")
    page.wait_for_timeout(1_500)
    page.screenshot(path=str(IMAGES / f"{name}.png"))


def main() -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only where there is a browser)

    with tempfile.TemporaryDirectory() as name, serving() as address, sync_playwright() as playwright:
        folder = Path(name)
        boards = {systems: board(folder / f"board{systems}.csv", systems) for systems in (44, 200)}
        site = [sys.executable, "-m", "tellapart", "rank", str(boards[44]), "--site", str(folder / "site"), "--title", "44 models"]  # fmt: skip
        subprocess.run(site, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--hide-scrollbars"]
        )
        picture(browser, "serve-home", address, viewport=DESK)
        picture(browser, "serve-plan", address + PLAN, viewport=DESK)
        picture(browser, "serve-phone", address + PLAN, viewport=PHONE)
        picture(browser, "serve-compare", address + "/compare", ROOT / "examples" / "retrieval.csv", viewport=DESK)
        picture(browser, "serve-rank", address + "/rank", boards[44], viewport=DESK)
        report = folder / "board.html"
        made = [sys.executable, "-m", "tellapart", "rank", str(boards[200]), "--output", str(report)]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own)
        picture(browser, "board-200", report.as_uri(), viewport=DESK, color_scheme="dark")
        picture(browser, "serve-audit", address + AUDIT, viewport=DESK)
        picture(browser, "site", (folder / "site" / "index.html").as_uri(), viewport=DESK)
        browser.close()


if __name__ == "__main__":
    main()
