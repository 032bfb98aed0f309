"""The documentation: what pages show is what commands print, every method has its page, and the site builds without a warning."""

import importlib
import inspect
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lxml import etree
from tests.web.test_browser import violations

import tellapart
from tellapart.answers import drawing, schema
from tellapart.foundation.spelling import options

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILDER = Path(sys.executable).parent / "zensical"


def module(name: str) -> ModuleType:
    """A script beside the documents."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        return importlib.import_module(name)


SHOWING = sorted([DOCS / "index.md", *(DOCS / "tutorials").glob("*.md")])


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: str(page.stem))
def test_what_pages_show_is_current(page: Path, tmp_path: Path) -> None:
    """Every command is run; `make docs`, or `python docs/publish.py --refresh`, rewrites what it prints."""
    module("desk").lay_out(tmp_path)
    console = module("console")
    text = page.read_text(encoding="utf-8")
    assert console.commands(text)
    assert console.refreshed(text, tmp_path) == text


def test_every_tutorial_is_linked_from_home() -> None:
    home = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in (DOCS / "tutorials").glob("*.md"):
        assert f"(tutorials/{page.name})" in home


def test_a_command_that_fails_is_found(tmp_path: Path) -> None:
    """Negative control: an unknown flag, another program, an output that is out of date."""
    console = module("console")
    for command in ("tellapart compare nothing.csv", "rm -r x"):
        with pytest.raises(console.Failed):
            console.refreshed(f"```console\n$ {command}\n```\n", tmp_path)
    stale = "```console\n$ tellapart --version\n0.0.0\n```\n"
    assert console.refreshed(stale, tmp_path) == stale.replace("0.0.0", f"tellapart, version {tellapart.__version__}")


def methods() -> list[Any]:
    made = module("methods")
    return [pytest.param(shelf, name, id=f"{folder}-{name}") for folder, shelf in made.SHELVES.items() for name in shelf.registry]  # fmt: skip


@pytest.mark.parametrize(("shelf", "name"), methods())
def test_every_method_has_its_page(shelf: Any, name: str) -> None:
    """All that is said of it, its options, and its rows of the calibration where it was measured."""
    page = module("methods")._page(shelf, name)
    kind = shelf.registry[name]
    assert page.startswith(f"# `{name}`")
    assert str(inspect.getdoc(kind)) in page
    assert all(f"| `{one.name}` |" in page for one in options(kind))
    rows = [r for r in module("methods").CALIBRATION["rows"] if shelf.measured and not r.get("choices") and str(r[shelf.measured]).partition("(")[0] == name]  # fmt: skip
    assert page.count(f"| `{name}") - sum(o.name.startswith(name) for o in options(kind)) >= len(rows)


def test_every_public_name_is_in_the_reference() -> None:
    """With its signature as Python has it, and what its docstring says first."""
    page = module("api").page()
    for name in tellapart.__all__:
        if not name.startswith("_"):
            assert f"\n### `{name}`\n" in page
            said = (inspect.getdoc(getattr(tellapart, name)) or "").partition("\n")[0]
            assert said.startswith(f"{name}(") or said in page, name
    assert "tellapart." not in "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))


def test_methods_have_a_worked_example() -> None:
    """Every test, correction and population, and every interval of a difference: those of one share stand in no comparison."""
    methods = module("methods")
    pages = {path: text for path, text in methods.pages() if not path.endswith("index.md")}
    lacking = {Path(path).stem for path, text in pages.items() if "## Worked example" not in text}
    of_one_share = {"agresti_coull", "clopper_pearson", "jeffreys", "wilson"}
    elsewhere = {name for kind in ("effects", "metrics", "readers") for name in methods.SHELVES[kind].registry}
    assert lacking == of_one_share | {"pilot"} | (elsewhere & lacking)


def test_the_gallery_has_every_chart() -> None:
    """One of each that there is, and no folder of the machine that drew them."""
    drawn = list(module("gallery").drawn())
    found = {(kind, name) for kind, name, _, picture in drawn if picture.startswith(b"<svg")}
    assert not any(str(ROOT).encode() in picture for *_, picture in drawn)
    assert found == {(kind, one.name) for kind in schema.kinds() for one in drawing.drawings(kind)}


def test_every_picture_is_shown_and_its_command_stands_on_a_page(tmp_path: Path) -> None:
    """README, guide, runs and tutorials have pictures; each is what its command draws."""
    publish = module("publish")
    pages = [ROOT / "README.md", DOCS / "guide.md", DOCS / "runs.md", *SHOWING]
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    assert [page.name for page, text in texts.items() if ".svg" not in text] == []
    publish.draw(tmp_path)
    for name, (_, command) in publish.PICTURES.items():
        assert any(command in text for text in texts.values()), command
        assert any(f"images/{name}.svg" in text for text in texts.values()), name
        assert words(DOCS / "images" / f"{name}.svg") == words(tmp_path / f"{name}.svg")


def words(picture: Path) -> list[str]:
    """The text in a picture: its lines may move by the last bit."""
    return re.findall(r">([^<>]+)<", picture.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """The site, built from all pages; what warns, fails."""
    if not BUILDER.exists():
        pytest.skip("the builder is not installed: make docs installs it")
    site = module("publish")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "PAGES", Path(folder) / "build" / "pages")
        site.assemble()
        done = build(Path(folder))
        assert done.returncode == 0, done.stdout + done.stderr
        yield Path(folder) / "build" / "site"
        with (site.PAGES / "vision.md").open("a", encoding="utf-8") as page:
            page.write("\n[nowhere](nowhere.md)\n")
        assert build(Path(folder)).returncode != 0


def build(folder: Path) -> "subprocess.CompletedProcess[str]":
    words: list[str | Path] = [BUILDER, "build", "--strict", "--config-file", folder / "build" / "mkdocs.yml"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_the_site_builds_without_a_warning(built: Path) -> None:
    """And a link that leads nowhere is one. No page names a folder of the machine that built it."""
    assert (built / "index.html").exists()
    assert (built / "llms.txt").read_text(encoding="utf-8") == (DOCS / "agents.md").read_text(encoding="utf-8")
    texts = {page.name: page.read_text(encoding="utf-8") for page in [*built.rglob("*.html"), *built.rglob("*.svg")]}
    assert [name for name, text in texts.items() if str(ROOT) in text or str(Path.home()) in text] == []
    tutorials = [(built / f"{page}.html").read_text(encoding="utf-8") for page in ("tutorials/two_runs", "guide")]
    assert all('aria-label="Previous: ' in text and 'aria-label="Next: ' in text for text in tutorials)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_site(scheme: str, browser: Any, built: Path) -> None:
    """Colour contrast, and tables that are scrolled; a page asks no other machine for anything, and a prompt is not copied."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    pages = ("index", "tutorials/two_runs", "calibration", "gallery", "methods/tests/paired_t")
    for name in pages:
        page.goto((built / f"{name}.html").as_uri())
        assert violations(page) == [], name
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page.goto((built / "tutorials" / "two_runs.html").as_uri())
    page.evaluate("document.body.setAttribute('data-md-copying', '')")
    copied = page.locator("pre code").first.inner_text().strip()
    assert copied == "tellapart compare bm25.run dense.run --qrels qrels.txt --measure nDCG@10"
    context.close()


def test_axe_would_find_faint_text(browser: Any, built: Path) -> None:
    """Negative control: text that hardly differs from its ground."""
    page = browser.new_context().new_page()
    page.goto((built / "index.html").as_uri())
    page.add_style_tag(content=".md-typeset p { color: #ddd !important }")
    assert [rule for rule, _ in violations(page)] == ["color-contrast"]
    page.context.close()


def test_every_method_has_its_formula() -> None:
    """Typeset in every part; of populations and readers, which are spelled, none."""
    formulas, shelves = module("formulas"), module("methods").SHELVES
    assert {shelf: set(names) for shelf, names in formulas.FORMULAS.items()} == {
        shelf: set(shelves[shelf].registry) for shelf in shelves if shelf not in {"populations", "readers"}
    }
    for shelf, names in formulas.FORMULAS.items():
        for name in names:
            page = formulas.typeset(shelf, name)
            assert "\\" not in page, name
            for piece in re.findall(r"<math.*?</math>", page):
                etree.fromstring(piece)
