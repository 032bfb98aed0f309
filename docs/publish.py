"""The documentation as a site: `make docs` puts all pages together below build/pages and has them built into build/site."""

import contextlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import api  # noqa: E402  (beside this file)
import console  # noqa: E402
import desk  # noqa: E402
import gallery  # noqa: E402
import methods  # noqa: E402

PAGES = ROOT / "build" / "pages"
SHOWING = [HERE / "index.md", *sorted((HERE / "tutorials").glob("*.md"))]
"""Pages that show commands with their output."""


def refresh() -> list[Path]:
    """Rewrite what commands print on the pages that show it; the pages that changed."""
    changed = []
    for page in SHOWING:
        with tempfile.TemporaryDirectory() as folder:
            desk.lay_out(Path(folder))
            before = page.read_text(encoding="utf-8")
            after = console.refreshed(before, Path(folder))
        if after != before:
            page.write_text(after, encoding="utf-8")
            changed.append(page)
    draw(HERE / "images")
    return changed


PICTURES = {
    "difference": ("difference", "tellapart compare examples/retrieval.csv --a baseline --b candidate"),
    "board": ("means", "tellapart rank examples/answers.csv"),
    "plan": ("power", "tellapart plan --accuracy 0.70 --effect 0.02"),
    "two_logs": ("counts", "tellapart compare base.json tuned.json"),
    "two_runs": ("items", "tellapart compare bm25.run dense.run --qrels qrels.txt --measure nDCG@10"),
    "repeats": ("solved", "tellapart plan runs greedy.json searching.json --effect 0.05 --runs 1,2,5,10"),
    "human_ratings": ("spread", "tellapart compare examples/ratings.csv"),
    "paper": ("pvalues", "tellapart audit claims.csv"),
    "runs": (
        "solved",
        (
            "tellapart plan runs --accuracy 0.7 --discordance 0.2 --disagreement 0.12 --effect 0.02 --runs 1,2,3,4,6,10,20 "
            "--budget 1000 --cost-item 1 --cost-run 0.1"
        ),
    ),
    "arena": ("ratings", "tellapart rank arena.csv"),
}
"""The pictures of README, guide, runs and tutorials: the chart, and the command of the page that draws it."""


def draw(folder: Path) -> None:
    """Each picture as its command draws it."""
    with tempfile.TemporaryDirectory() as desk_folder, contextlib.chdir(desk_folder):
        desk.lay_out(Path(desk_folder))
        for name, (chart, command) in PICTURES.items():
            console.run(f"{command} --chart {chart}={folder / name}.svg")


def assemble() -> None:
    """All pages: those that are written, and those that are made."""
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    for page in sorted(HERE.rglob("*.md")):
        _put(str(page.relative_to(HERE)), page.read_text(encoding="utf-8"))
    for name in ("ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "RELEASING", "VISION"):
        _put(f"{name.lower()}.md", (ROOT / f"{name}.md").read_text(encoding="utf-8"))
    for path, text in methods.pages():
        _put(f"methods/{path}", text)
    for folder in ("images", "styles"):
        shutil.copytree(HERE / folder, PAGES / folder)
    shutil.copy(HERE / "agents.md", PAGES / "llms.txt")
    _put("api.md", api.page())
    _put("gallery.md", gallery.page(PAGES / "charts"))
    # JSON is YAML, and needs no library to be written.
    (PAGES.parent / "mkdocs.yml").write_text(json.dumps(settings(), indent=1), encoding="utf-8")


def settings() -> dict[str, Any]:
    """What the builder is told: every page has its place, warnings are for the strict."""
    shelves = [{shelf.title: _shelf(folder, shelf)} for folder, shelf in methods.SHELVES.items()]
    return {
        "site_name": "tellapart",
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "features": ["navigation.indexes", "navigation.sections", "navigation.footer", "toc.follow", "content.code.copy"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default"},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate"},
            ],
        },
        "extra_css": ["styles/site.css"],
        "extra_javascript": ["styles/tables.js"],
        "plugins": ["search"],
        "markdown_extensions": ["admonition", "attr_list", "md_in_html", "tables", "pymdownx.superfences", {"pymdownx.highlight": {"anchor_linenums": False}}],
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "unrecognized_links": "warn"}, "nav": {"omitted_files": "warn"}},
        "nav": [
            {"Home": "index.md"},
            {"Tutorials": re.findall(r"\((tutorials/\w+\.md)\)", (HERE / "index.md").read_text(encoding="utf-8"))},
            {"Guide": ["guide.md", "gates.md", "people.md", "arenas.md", "judges.md", "runs.md", "metrics.md", "populations.md", "formats.md", "serve.md", "scale.md", "agents.md"]},
            {"Methods": shelves},
            {"Python API": "api.md"},
            {"Gallery": "gallery.md"},
            {"Evidence": ["calibration.md", "reproduction.md", "leaderboards.md"]},
            {"About": ["vision.md", "architecture.md", "contributing.md", "releasing.md", "changelog.md"]},
        ],
    }  # fmt: skip


def _shelf(folder: str, shelf: Any) -> list[str]:
    return [f"methods/{folder}/index.md", *(f"methods/{folder}/{name}.md" for name in shelf.registry)]


def _put(path: str, text: str) -> None:
    target = PAGES / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if "--refresh" in sys.argv:
        refresh()
    assemble()
