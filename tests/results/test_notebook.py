"""A notebook, executed: answers show their page and a chart, names in them are text, and frames are frames."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter
from nbclient import NotebookClient
from tests.golden.cases import ANSWERS, made

import tellapart
from tellapart import answers

ROOT = Path(__file__).parents[2]
CELLS = [
    f"import tellapart\nscores = tellapart.read({str(ROOT / 'examples' / 'retrieval.csv')!r})\ntellapart.compare(scores, 'baseline', 'candidate')",
    "tellapart.compare(scores, 'baseline', 'candidate').to_frame()",
    "evil = tellapart.Scores.from_arrays({'<script>alert(1)</script>': [0.1, 0.4, 0.5], 'b': [0.3, 0.2, 0.9]})\ntellapart.compare(evil)",
    "tellapart.plan('gaussian(sd=0.12, correlation=0.8, effect=0.01)', items=[500, 1000])",
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What each cell shows, by media type."""
    # The kernel is this interpreter, whatever others are installed for notebooks.
    kernels = tmp_path_factory.mktemp("jupyter") / "kernels" / "here"
    kernels.mkdir(parents=True)
    source = str(Path(tellapart.__file__).parents[1])
    words = f'["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"]'
    (kernels / "kernel.json").write_text(
        f'{{"argv": {words}, "display_name": "here", "language": "python", "env": {{"PYTHONPATH": "{source}"}}}}',
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(kernels.parents[1]))
        make: Any = nbformat.v4
        book = make.new_notebook(cells=[make.new_code_cell(cell) for cell in CELLS])
        NotebookClient(book, kernel_name="here", timeout=120).execute()
    return [dict(cell.outputs[-1]["data"]) for cell in book.cells]


@pytest.mark.filterwarnings("ignore")
def test_an_executed_notebook(outputs: list[dict[str, Any]]) -> None:
    """A comparison with its table and its chart; a frame; a name that is text; a plan."""
    compared, framed, evil, planned = outputs
    assert set(compared) >= {"text/plain", "text/html", "image/svg+xml"}
    assert "<table>" in compared["text/html"]
    assert "0.495" in compared["text/html"]
    assert compared["text/html"].count("<svg") == 1
    assert compared["text/plain"].startswith("<Comparison: candidate is better")
    assert ET.fromstring(compared["image/svg+xml"]).tag.endswith("svg")  # noqa: S314  (our own)
    assert "a.name" in framed["text/html"]
    assert "<script>" not in evil["text/html"]
    assert "&lt;script&gt;" in evil["text/html"]
    assert "500" in planned["text/html"]


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_shows(name: str) -> None:
    """The page always; a chart where the answer has one."""
    answer = made(name)
    shown = answer._repr_mimebundle_()
    assert shown["text/plain"] == repr(answer)
    assert (answer._repr_html_() or "?") in shown["text/html"]
    assert ("image/svg+xml" in shown) == bool(answer.charts)


def test_a_chart_alone_is_shown_without_a_network() -> None:
    """Altair's own display would fetch its scripts from elsewhere; the picture still restyles."""
    chart = made("compare_binary").chart()
    shown = DisplayFormatter().format(chart)[0]  # type: ignore[no-untyped-call]  # IPython has no types
    assert set(shown) == {"text/plain", "image/svg+xml"}
    assert shown["image/svg+xml"] == made("compare_binary")._repr_mimebundle_()["image/svg+xml"]
    assert chart.properties(width=300).to_dict()["width"] == 300


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page, and no error about what is not installed."""
    monkeypatch.setattr(answers, "ready", lambda: False, raising=False)
    shown = made("compare_continuous")._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
