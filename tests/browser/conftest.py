"""Reports opened as files, without a network."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Opened:
    """A page, and whatever it asked for or complained of."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path.as_uri())


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """What opens a text as a file, off line, by day unless told otherwise."""
    contexts = []

    def opening(text: str, *, scheme: str = "light", width: int = 1000) -> Opened:
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        viewport = {"width": width, "height": 900}
        contexts.append(browser.new_context(offline=True, color_scheme=scheme, viewport=viewport))
        return Opened(contexts[-1].new_page(), path)

    yield opening
    for context in contexts:
        context.close()
