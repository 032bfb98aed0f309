"""A real browser plays the people who open the page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Running

pytest_plugins: list[str] = []
PLAN = "/plan?kind=gaussian&sd=0.12&correlation=0.8&effect=0.01&power=0.8"
LONG = "/plan?kind=retrieval&mean=0.3&sd=0.3&zero_share=0.2&correlation=0.7&effect=0.02&power=0.8"
EXAMPLES = Path(__file__).parents[2] / "examples"
Visit = Callable[..., Any]


@pytest.fixture
def visit(browser: Any, server: Running) -> Iterator[Visit]:
    """Opens an address; whatever the page complains of, or asks of others, fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def visited(address: str, **settings: Any) -> Any:
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)  # however busy the machine is
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda one: (
                complaints.append(one.text) if "Content Security" in one.text or "Refused" in one.text else None
            ),
        )
        page.on(
            "request",
            lambda one: complaints.append(one.url) if not one.url.startswith((server.address, "data:")) else None,
        )
        page.goto(server.address + address)
        return page

    yield visited
    for context in contexts:
        context.close()
    assert complaints == []


def violations(page: Any) -> list[Any]:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415  (where there is a browser)

    levels = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
    return [
        (one["id"], [node["html"] for node in one["nodes"]][:3])
        for one in Axe().run(page, options=levels).response["violations"]
    ]


def test_a_slider_is_moved_and_curve_and_sentence_follow(visit: Visit) -> None:
    page = visit(PLAN)
    headline, curve = page.locator("#headline"), page.locator(".canvas svg")
    assert "455" in headline.inner_text()
    before = curve.inner_html()
    slider = page.get_by_label("correlation, slider")
    slider.focus()
    slider.press("ArrowLeft")
    headline.filter(has_not_text="455").wait_for()
    assert page.input_value("#f-correlation") == "0.79"
    assert curve.inner_html() != before
    assert "correlation=0.79" in page.url
    page.reload()
    assert "455" not in page.locator("#headline").inner_text()


def test_solving_for_another_thing_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/plan?kind=gaussian")
    page.focus("[name=solve]:checked")
    page.keyboard.press("ArrowRight")
    assert page.locator("[name=solve]:checked").get_attribute("value") == "power"
    for name, value in (("sd", "0.12"), ("correlation", "0.8"), ("effect", "0.01"), ("items", "500")):
        for _ in range(60):
            if page.evaluate("document.activeElement.id") == f"f-{name}":
                break
            page.keyboard.press("Tab")
        else:
            page.focus(f"#f-{name}")  # the fields stand in another order than here
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
    page.keyboard.press("Enter")
    page.locator("#headline", has_text="power").wait_for()
    page.wait_for_url("**items=500*")
    assert "power=" not in page.url


def test_the_explorer_is_answered_on_arrival(visit: Visit) -> None:
    """The number, its chart with the point on the line, no empty field with a slider, and no complaint."""
    page = visit("/plan")
    assert "3,813" in page.locator("#headline").inner_text()
    assert page.locator("#solved-items").inner_text() == "= 3,813"
    chart = page.locator(".canvas svg")
    assert chart.bounding_box()["width"] > 600
    assert chart.bounding_box()["y"] < 700
    assert chart.locator(".reading").text_content() == "3,813 items: 80 % power"
    assert page.locator(".refusal, .problem").count() == 0
    for slider in page.locator("input[type=range]:visible").all():
        field = slider.locator("xpath=preceding-sibling::input[1]")
        assert field.input_value() or field.get_attribute("placeholder")
    assert violations(page) == []


def test_another_number_is_solved_for(visit: Visit) -> None:
    """What was solved until then stands in its field, so that the answer is the number that was given before."""
    page = visit("/plan")
    page.locator(".switch label", has_text="power").click()
    page.locator("#solved-power", has_text="0.8").wait_for()
    assert page.input_value("#f-items") == "3813"
    page.locator(".switch label", has_text="effect").click()
    page.locator("#solved-effect", has_text="0.02").wait_for()
    address = page.url
    page.reload()
    assert page.url == address
    assert page.locator("[name=solve]:checked").get_attribute("value") == "effect"


def test_the_overlap_is_one_choice_and_percent_is_a_share(visit: Visit) -> None:
    page = visit("/plan")
    assert not page.locator("#f-discordance").is_visible()
    page.select_option("#known", "agreement")
    assert page.locator("#f-agreement").is_visible()
    assert not page.locator("#f-discordance").is_visible()
    page.locator("#headline", has_not_text="3,813").wait_for()
    page.select_option("#known", "past")
    page.locator("#headline", has_text="3,813").wait_for()
    page.fill("#f-effect", "4%")
    page.locator("#headline", has_not_text="3,813").wait_for()
    with_percent = page.locator("#headline").inner_text()
    page.fill("#f-effect", "0.04")
    page.wait_for_url("**effect=0.04*")
    page.locator("#answer:not(.busy)").wait_for()
    assert page.locator("#headline").inner_text() == with_percent


def test_the_point_is_dragged_and_moved_by_keys(visit: Visit) -> None:
    """While it moves the page alone draws; when it is let go the server answers for that number of items."""
    page = visit("/plan")
    box = page.locator(".canvas .point").bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] - 150, box["y"] + 90)
    moved = page.input_value("#f-items")
    page.mouse.up()
    page.locator("#headline", has_text="power").wait_for()
    assert 1000 < int(moved) < 3800
    assert page.input_value("#f-items") == moved
    page.locator(".canvas .point").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda address: f"items={moved}&" not in address + "&")
    assert int(page.input_value("#f-items")) > int(moved)


def test_the_smallest_detectable_effect_is_drawn_on_log_axes(visit: Visit) -> None:
    page = visit(PLAN)
    page.get_by_role("button", name="Smallest detectable effect").click()
    line = page.locator(".canvas .line")
    line.wait_for()
    assert line.get_attribute("d").count("L") >= 6
    assert "effect" in page.locator(".canvas svg").text_content()


def test_a_phone_shows_the_answer_first(visit: Visit) -> None:
    page = visit("/plan", viewport={"width": 390, "height": 760})
    assert page.locator("#headline").bounding_box()["y"] < 400
    page.locator("#f-accuracy").scroll_into_view_if_needed()
    bar = page.locator("#bar")
    assert bar.inner_text().endswith("3,813 items needed")
    assert bar.bounding_box()["y"] + bar.bounding_box()["height"] <= 760


def test_files_are_dropped_and_a_bad_one_shows_its_sentence(visit: Visit, tmp_path: Path) -> None:
    page = visit("/compare")
    page.set_input_files("#files", str(EXAMPLES / "retrieval.csv"))
    page.click("button.primary")
    page.wait_for_selector("#headline")
    assert violations(page) == []
    bad = tmp_path / "bad.csv"
    bad.write_text("item,a,b\nq1,1,0\nq2,zero,1\n")
    page.set_input_files("#files", str(bad))
    page.click("button.primary")
    page.wait_for_selector(".refusal")
    assert "bad.csv, line 3" in page.locator(".refusal").inner_text()


def dropped(page: Any, *files: tuple[str, str]) -> None:
    """Files let go above the page, as a hand does it."""
    held = page.evaluate_handle(
        "files => { const held = new DataTransfer();"
        " for (const [name, text] of files) held.items.add(new File([text], name)); return held; }",
        [list(one) for one in files],
    )
    page.dispatch_event("body", "drop", {"dataTransfer": held})


def test_the_calculator_follows_its_numbers(visit: Visit) -> None:
    """A newcomer has the number of items without a click; another accuracy has another, and the address says which."""
    page = visit("/", viewport={"width": 390, "height": 760})
    needed = page.locator("#needed")
    assert "3,813 items" in needed.inner_text()
    assert needed.bounding_box()["y"] < 760
    page.get_by_label("Gain in points").fill("5")
    needed.filter(has_not_text="3,813").wait_for()
    assert "gain=5" in page.url
    items = needed.locator("a").inner_text()
    needed.locator("a").click()
    assert items in page.locator("#headline").inner_text()


def test_scores_on_the_home_page_are_led_to_what_suits_them(visit: Visit) -> None:
    """Two systems to the comparison, more to the board; the files go along, so that a choice there needs no second upload."""
    page = visit("/")
    dropped(page, ("two.csv", (EXAMPLES / "retrieval.csv").read_text()))
    page.wait_for_url("**/compare")
    page.locator("#headline").wait_for()
    page.go_back()
    page.locator("#sums").wait_for()
    page.fill("#pasted", (EXAMPLES / "answers.csv").read_text())
    page.wait_for_url("**/rank")
    assert "large" in page.locator("#headline").inner_text()
    assert violations(page) == []


@pytest.mark.parametrize("name", ["retrieval", "board", "ratings", "votes", "claims"])
def test_an_example_is_one_click(visit: Visit, name: str) -> None:
    page = visit("/")
    page.locator(f'a[href$="example={name}"]').click()
    page.locator("#headline").wait_for()


def lm_eval_log(shift: int) -> str:
    rows = (
        {"doc_id": n, "doc": {"q": n}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"]}
        | {
            "acc": int((n * 7 + shift) % 10 < 5 + shift),
            "doc_hash": f"h{n}",
            "prompt_hash": "p",
            "target_hash": "t",
        }
        | {"arguments": {}, "filter": "none", "metrics": ["acc"]}
        for n in range(200)
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_logs_are_dropped_and_compared_without_a_click(visit: Visit) -> None:
    page = visit("/compare")
    dropped(page, *((f"samples_arc_2024-01-0{n}T00-00-00.000000.jsonl", lm_eval_log(n)) for n in (1, 2)))
    page.locator("#headline").wait_for()
    page.locator("#detected", has_text="200 items").wait_for(state="attached")
    known = [name for name in page.locator("#f-a option").evaluate_all("all => all.map(one => one.value)") if name]
    assert len(known) == 2
    page.locator("#headline").wait_for()
    assert not page.locator("#question").is_visible()
    assert page.locator("#folded > summary").inner_text().startswith("200 items · ")
    page.locator("#folded > summary").click()
    # The sides are picked from what was found, and the report follows with the files still in place.
    page.select_option("#f-a", known[1])
    page.select_option("#f-b", known[0])
    page.click("button.primary")
    page.locator("#answer:not(.busy)").wait_for()
    assert page.locator("#headline").count() == 1
    page = visit("/compare")
    dropped(page, ("bad.csv", "item,a,b\nq1,1,0\nq2,zero,1\n"))
    page.locator(".refusal", has_text="bad.csv, line 3").wait_for()


def test_a_refusal_has_a_button_that_mends_it(visit: Visit) -> None:
    """Too many systems: to the board, with the files. Items without scores: dropped. Several measures: one is chosen."""
    page = visit("/compare")
    board = "item,a,b,c\n" + "".join(f"q{i},{i % 2},{i % 3 // 2},{'' if i == 3 else i % 5 // 4}\n" for i in range(40))
    dropped(page, ("board.csv", board))
    page.get_by_role("button", name="Go to rank").click()
    page.wait_for_url("**/rank")
    page.get_by_role("button", name="missing: drop").click()
    page.locator("#headline").wait_for()
    assert page.locator("#folded > summary").inner_text().startswith("39 items · 3 systems")
    page = visit("/compare")
    rows = "".join(f"q{i},{s},{i % 2},0.{i % 7}\n" for i in range(30) for s in "ab")
    dropped(page, ("two.csv", "item,system,acc,f1\n" + rows))
    page.get_by_role("button", name="measure: acc").click()
    page.locator("#headline").wait_for()
    assert page.input_value("#f-measure") == "acc"


def test_an_answer_is_seen_at_once_on_a_phone(visit: Visit) -> None:
    page = visit("/compare?example=retrieval", viewport={"width": 390, "height": 760})
    assert page.locator("#headline").bounding_box()["y"] < 500
    assert page.locator("#bar").is_visible()


def test_a_board_of_44_is_ranked(visit: Visit, tmp_path: Path) -> None:
    names = [f"system {n:02d}" for n in range(44)]
    rows = "".join(
        f"q{i}," + ",".join(str(int((i * 7 + n * 13) % 50 < 15 + n // 2)) for n in range(44)) + "\n" for i in range(200)
    )
    board = tmp_path / "board.csv"
    board.write_text("item," + ",".join(names) + "\n" + rows)
    page = visit("/rank")
    page.set_input_files("#files", str(board))
    page.click("button.primary")
    page.wait_for_selector("#headline")
    assert page.get_by_text("system 43").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address",
    [
        "/",
        PLAN,
        "/plan?kind=beta&mean=0.6&sd=2&correlation=0.8&effect=0.01",
        "/compare",
        "/audit?a=0.706&b=0.714&items=1000",
        "/evidence?find=squad2",
        "/calibration?find=mcnemar",
        "/reproduction?find=correlation%3D0.95",
    ],
)
def test_everybody_can_read_it_on_a_phone_by_day_and_by_night(visit: Visit, address: str, scheme: str) -> None:
    page = visit(address, color_scheme=scheme, viewport={"width": 375, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert violations(page) == []


def test_a_long_plan_is_looked_at_refined_and_stopped(visit: Visit) -> None:
    page = visit(f"{LONG}&look=400")
    page.locator(".found[data-look]").wait_for()
    looked = page.locator("#headline").inner_text()
    page.locator("#state", has_text="being refined").wait_for()
    page.locator("#stop").click()
    page.locator("#state", has_text="Stopped").wait_for()
    assert page.locator("#headline").inner_text() == looked
    assert violations(page) == []
    # A shorter one goes on by itself until all of it is simulated.
    page = visit("/plan?kind=beta&mean=0.6&sd=0.2&correlation=0.8&effect=0.02&items=60&look=400")
    page.locator(".found:not([data-look])").wait_for()
    page.locator("#stop").wait_for(state="hidden")
    assert page.locator("#state").inner_text() == ""


def test_without_a_script(visit: Visit) -> None:
    page = visit("/plan?kind=gaussian", java_script_enabled=False)
    for name, value in (("sd", "0.12"), ("correlation", "0.8"), ("effect", "0.01"), ("power", "0.8")):
        page.fill(f"#f-{name}", value)
    page.click("button.primary")
    assert "455" in page.locator("#headline").inner_text()
    page.select_option("#kind", "votes")
    page.click('button:text("Choose")')
    assert page.locator("#f-share").count() == 1
