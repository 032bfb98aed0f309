"""LaTeX as TeX reads it: every answer compiles, with whatever signs names hold, and nothing of a name is lost."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from tests.golden.cases import ANSWERS, made

from tellapart import Scores, compare, rank
from tellapart.answers.page import Page
from tellapart.answers.texts import add_text
from tellapart.render import render
from tellapart.render.latex import latex

ENGINE = next((name for name in ("pdflatex", "lualatex", "xelatex", "tectonic") if shutil.which(name)), None)
NAMES = [*"_%&#$}{~^\\", "a_b%c&d", "{x}", "--model", "[b]", "*", '"q"', "`q'", "a|b", "<<x>>", "ä–é…", "?`", "\\\\", "\\end{tabular}"]  # fmt: skip


def hostile_answers() -> list[str]:
    """A board of systems with these names, and a comparison of two of them on a measure called so."""
    scores = {name: [(i * (n + 2)) % 11 / 11 for i in range(40)] for n, name in enumerate(NAMES)}
    board = add_text(rank(Scores.from_arrays(scores, measure="F_1 & 50 %")), "command line")
    two = add_text(compare(Scores.from_arrays({k: scores[k] for k in ("_", "\\")}, measure="$x^2$ ~")), "command line")  # fmt: skip
    return [render(board, "latex"), render(two, "latex")]


def parsed(page: str) -> None:
    """What can be held against it without an engine: rows of as many cells as columns, groups closed, signs of TeX only as ours."""
    lines = [line for line in page.splitlines() if not line.startswith("%")]
    columns = 0
    for line in lines:
        bare = re.sub(r"\\[&%$#_{}]", "", line)
        assert bare.count("{") == bare.count("}"), line
        assert bare.count("$") % 2 == 0, line
        commands = set(re.findall(r"\\([a-zA-Z]+)", bare))
        known = {"begin", "end", "toprule", "midrule", "bottomrule", "textbackslash", "textasciitilde", "ldots", "times"}  # fmt: skip
        known |= {"textasciicircum", "textbar", "textasciigrave", "textbullet", "pm", "le", "ge", "approx", "to", "surd"}  # fmt: skip
        known |= {"infty", "cdot", "Delta", "alpha", "kappa", "rho", "tau", "chi", "sigma", "nu"}
        assert commands <= known, line
        outside = re.sub(r"\$[^$]*\$|\\[a-zA-Z]+(\{\})?|\\\\$", "", bare)
        assert re.search(r"[%#~^_]", outside) is None, line
        if line.startswith(r"\begin{tabular}"):
            columns = len(line.rpartition("{")[2]) - 1
        elif line.endswith(r" \\"):
            assert bare.count("&") == columns - 1, line


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_parses(name: str) -> None:
    parsed(render(made(name), "latex"))


def test_names_parse(hostile: Page) -> None:
    for page in (*hostile_answers(), latex(hostile)):
        parsed(page)


def test_what_is_wrong_does_not_parse(page: Page) -> None:
    """Negative control: a bare sign, a cell too many, a group left open."""
    right = latex(page)
    parsed(right)
    for wrong in (right.replace(r"student\_t", "student_t"), right.replace("wilson", "wilson & x"), right.replace("large", r"\textbf{large")):  # fmt: skip
        with pytest.raises(AssertionError):
            parsed(wrong)


@pytest.mark.skipif(
    ENGINE is None, reason="no TeX engine is found: apt install texlive-latex-base texlive-latex-recommended"
)
def test_every_answer_compiles(tmp_path: Path, hostile: Page) -> None:
    """In one document, so that the engine starts once; a line of a name that it makes another sign of would not stop it."""
    pages = [render(made(name), "latex") for name in ANSWERS] + hostile_answers()
    pages += [latex(hostile), latex(replace(hostile, sentence=" ".join(NAMES)))]
    body = "\n\n\\clearpage\n".join(pages)
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "page.tex").write_text(f"{head}{body}\n\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(
        [str(ENGINE), "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in (tmp_path / "page.log").read_text(errors="replace")
    assert (tmp_path / "page.pdf").exists()
