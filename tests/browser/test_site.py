"""A published board as a browser shows it, from disk and from a server of static files, with the network off."""

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from tests.browser.test_reports import HOSTILE
from tests.browser.test_reports import board as some_board
from tests.golden.cases import made

from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.published_page import Board, Since
from tellapart.render.site import site_files

LEVELS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "preload": False}
"""Without fetching the style sheet again, which the page's policy refuses."""


def board(systems: int, **more: Any) -> Leaderboard:
    return cast("Leaderboard", some_board(systems, **more))


Published = Callable[..., Any]


class Quiet(SimpleHTTPRequestHandler):
    """A server of a folder that adds the strictest policy a host may have."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (its name in the library)
        pass


@pytest.fixture
def published(browser: Any, tmp_path: Path) -> Iterator[Published]:
    contexts: list[Any] = []
    complaints: list[str] = []

    def publish(answer: Board, *, address: str = "", scheme: str = "light", **more: Any) -> Any:
        settings = {"viewport": {"width": more.pop("width", 1100), "height": 800}, "color_scheme": scheme}
        script = more.pop("script", True)
        at = more.pop("at", "")
        for name, content in site_files(answer, **more).items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        contexts.append(browser.new_context(java_script_enabled=script, **settings))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda one: complaints.append(one.text))
        page.goto((address or tmp_path.as_uri()) + "/index.html" + at)
        return page

    yield publish
    for context in contexts:
        context.close()
    assert complaints == []


def names(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "tbody tr", "rows => rows.filter(r => r.checkVisibility()).map(r => r.cells[0].textContent)"
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("case", ["rank", "rank_baseline", "rank_datasets", "rank_votes"])
def test_every_board_is_whole_quiet_and_accessible(case: str, scheme: str, published: Published) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415  (only where there is a browser)

    page = published(cast("Board", made(case)), title="A board", scheme=scheme, width=390)
    result = Axe().run(page, options=LEVELS)
    assert result.violations_count == 0, result.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_others_beside_a_chosen_system_are_those_of_the_answer(published: Published) -> None:
    answer = board(20)
    page = published(answer)
    chosen = answer.systems[4].name
    page.get_by_role("link", name=chosen, exact=True).click()
    for pair in answer.pairs:
        if chosen not in {pair.a, pair.b}:
            continue
        other = pair.b if pair.a == chosen else pair.a
        row = page.locator("tbody tr", has=page.get_by_role("link", name=other, exact=True))
        said = row.locator(".beside").inner_text()
        better = {"b better": pair.b, "a better": pair.a}.get(pair.verdict)
        assert ("not told apart" if better is None else "better" if better == other else "worse") in said
        effect = pair.effect if other == pair.b else -pair.effect
        printed = float(said.split(": ")[1].split(" [")[0].replace("−", "-"))
        assert abs(printed - effect) < 0.06
    assert page.evaluate("location.hash").endswith("system%204") or "system" in page.evaluate("location.hash")
    # The address is a link to the same choice, and the way back has none.
    link = page.evaluate("location.hash")
    again = published(answer, at=link)
    assert chosen in again.locator("#chosen").inner_text()
    page.go_back()
    assert page.locator(".beside").count() == 0


def test_rows_are_sorted_and_found(published: Published) -> None:
    answer = board(14)
    page = published(answer)
    first = names(page)
    assert first == [one.name for one in answer.systems]
    page.get_by_role("button", name="rank").first.click()
    page.get_by_role("button", name="rank").first.click()
    assert names(page)[0] == answer.systems[-1].name
    page.fill("#find", "SYSTEM 1")
    assert names(page)
    assert all("system 1" in name for name in names(page))
    page.get_by_role("button", name="system").click()
    assert page.locator("thead th").first.get_attribute("aria-sort") == "ascending"


def test_datasets_are_tabs_with_a_script_and_tables_without(published: Published) -> None:
    answer = cast("Leaderboard", made("rank_datasets"))
    page = published(answer)
    assert answer.datasets is not None
    within = answer.datasets.within
    assert page.locator(".board:visible").count() == 1
    page.select_option("#tab", label=within[1].name)
    assert sorted(names(page)) == sorted(one.name for one in within[1].systems)
    page = published(answer, script=False)
    assert page.locator(".board:visible").count() == 1 + len(within)
    assert page.locator("tbody tr").count() == len(answer.systems) + sum(len(one.systems) for one in within)


def test_served_by_a_strict_host(published: Published, tmp_path: Path) -> None:
    """Under a policy of the host's own, the style and the script work as from disk."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = published(cast("Leaderboard", made("rank")), address=f"http://127.0.0.1:{server.server_address[1]}")
        page.locator("tbody a").first.click()
        assert "chosen" in page.locator(".picked").inner_text()
        assert page.evaluate("getComputedStyle(document.querySelector('thead th')).position") == "sticky"
        server.shutdown()


def test_names_are_text_everywhere(published: Published) -> None:
    answer = board(4, name=HOSTILE + "</script>{}")
    page = published(answer, title=HOSTILE)
    page.locator("tbody a").first.click()
    assert page.title() != "run"
    assert page.query_selector("img:not([src='badge.svg'])") is None
    assert HOSTILE in page.inner_text("h1")
    assert HOSTILE in page.inner_text("#chosen")


def test_what_changed_since_the_last_board(published: Published) -> None:
    """A rank that moved within its range is shown and not called a rise; systems that came and went are named."""
    answer = board(6)
    fields = json.loads(answer.to_json())
    fields["systems"][0] |= {"name": "gone"}
    fields["systems"][5] |= {"rank": 9, "rank_low": 8, "rank_high": 9}
    page = published(answer, since=Since.of(fields))
    column = [row.split("\t")[-1] for row in page.locator("tbody").inner_text().splitlines() if "\t" in row]
    assert column[0] == "new"
    assert column[5].startswith("up from 9")
    assert not any("up" in one or "down" in one for one in column[:5])
    assert page.get_by_text("gone", exact=True).count() == 1
