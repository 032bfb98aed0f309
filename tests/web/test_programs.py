"""What a page shows as Python runs, whatever files and systems are called, and gives the numbers of the page."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import tellapart
from tellapart.answers.texts import add_text
from tellapart.render import render
from tellapart.verbs.describe import describe
from tellapart.web.command import answer_of
from tellapart.web.limits import ServeLimits
from tellapart.web.python_snippets import _READ, _READING, python
from tellapart.web.request_body import Uploaded
from tellapart.web.request_parsing import WebQuestion, asked
from tellapart.web.served_verbs import offers

LIMITS = ServeLimits()
EXAMPLES = Path(__file__).parents[2] / "examples"
A, B = "it's; print(1)", 'q"q\n$(touch x)'
"""Systems that nobody should be called."""
NAME = "';import os #\\n \u202e<b>\".csv"


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def scores(week: str = "week") -> bytes:
    rows = "".join(f"q{n},{n * 3 % 7 % 2},{n * 5 % 11 % 2},{n % 3 % 2},{n % 2}\n" for n in range(60))
    return f"item,{quoted(A)},{quoted(B)},third,{week}\n{rows}".encode()


def two() -> bytes:
    rows = "".join(f"q{n},{n % 7 / 7:.2f},{n * 5 % 11 / 11:.2f}\n" for n in range(60))
    return f"item,{quoted(A)},{quoted(B)}\n{rows}".encode()


def ratings() -> bytes:
    lines = (EXAMPLES / "ratings.csv").read_text()
    systems = json.loads(
        render(add_text(answer_of(_question("describe", {}, ("r.csv", lines.encode())), LIMITS)), "json")
    )["systems"]
    for old, new in zip((one["name"] for one in systems), (A, B), strict=True):
        lines = re.sub(rf"(?<=[,\n]){re.escape(old)}(?=[,\n])", quoted(new).replace("\\", r"\\"), lines)
    return lines.encode()


def _question(verb: str, fields: dict[str, Any], *files: tuple[str, bytes], **beside: tuple[str, bytes]) -> WebQuestion:
    given = [Uploaded("files", *one) for one in files] + [Uploaded(name, *one) for name, one in beside.items()]
    return asked(offers()[verb], fields, tuple(given), LIMITS)


WORDS = ["the", "a", "cat", "dog", "sat", "lay", "on", "at", "mat", "house", "door", "with", "new", "old"]
TEXT = "".join(" ".join(WORDS[n * (k + 2) % 13] for k in range(9)) + "\n" for n in range(1, 41)).encode()
OTHER = b"".join(
    line.replace(b"cat", b"cow") if n % 3 else line.replace(b"on", b"in")
    for n, line in enumerate(TEXT.splitlines(keepends=True))
)
QRELS = b"".join(b"q%d 0 d%d %d\n" % (n, k, n * (k + 1) % 3 == 0) for n in range(30) for k in range(4))
RUNS = [
    b"".join(b"q%d Q0 d%d %d %d.5 x\n" % (n, (k * step + n) % 4, k, 9 - k) for n in range(30) for k in range(4))
    for step in (1, 3)
]
PILOT = {"kind": "pilot", "items": 300, "replicates": 100}
CLAIMS = f'{quoted("what: " + A)},n of items,a,b\n"<b>",1000,0.70,0.72\n{quoted(B)},,0.61,0.66\n'.encode()
QUESTIONS: dict[str, Any] = {
    "pilot": ("plan", PILOT | {"a": A, "b": B, "effect": 0.05}, [(NAME, scores())], {}),
    "pilot with several effects and items": ("plan", PILOT | {"a": B, "b": A, "effect": [0.05, 0.1], "items": [100, 200, 300]}, [(NAME, scores())], {}),
    "pilot for its own effect": ("plan", PILOT | {"effect": "observed"}, [(NAME, two())], {}),
    "pilot solved for items": ("plan", {"kind": "pilot", "effect": 0.1, "power": 0.8, "b": B, "replicates": 100}, [(NAME, two())], {}),
    "pilot solved for the effect": ("plan", PILOT | {"power": 0.8}, [(NAME, two())], {}),
    "pilot of ratings": ("plan", PILOT | {"a": A, "b": B, "effect": 0.1, "raters": 4}, [(NAME, ratings())], {}),
    "pilot of texts": ("plan", PILOT | {"metric": "bleu", "effect": -5, "replicates": 30}, [("a's.txt", TEXT), ("b.txt", OTHER)], {"reference": ("r;.txt", TEXT)}),
    "pilot of runs": ("plan", PILOT | {"metric": "nDCG@3", "effect": 0.05}, [("a.run", RUNS[0]), ("b'.run", RUNS[1])], {"qrels": ("q'.txt", QRELS)}),
    "table of claims": ("audit", {"items": "500", "column": [f"name=what: {A}", "items=n of items"], "alpha": 0.01}, [(NAME, CLAIMS)], {}),
    "compare by weeks": ("compare", {"a": A, "b": B, "by": "week"}, [(NAME, scores())], {}),
    "compare by labels": ("compare", {"labels": "before,after"}, [("x.csv", two()), (NAME, two())], {}),
    "compare texts": ("compare", {"metric": "bleu"}, [("a's.txt", TEXT), ("b.txt", OTHER)], {"reference": ("r;.txt", TEXT)}),
    "compare runs": ("compare", {"metric": "nDCG@3"}, [("a.run", RUNS[0]), ("b'.run", RUNS[1])], {"qrels": ("q'.txt", QRELS)}),
    "rank": ("rank", {"baseline": A, "name": [f"third={NAME}"]}, [(NAME, scores())], {}),
    "agreement": ("agreement", {"resamples": 99}, [(NAME, ratings())], {}),
    "describe": ("describe", {}, [(NAME, scores())], {}),
    "evidence of one's own": ("fit", {}, [(NAME, scores())], {}),
}  # fmt: skip


HOSTILE = ("it's", "a b", "$(touch x)", "`touch x`", "-v", "--help", "a\\'b", 'q"q', "new\nline", "esc\x1b[31m", "é✓", "*", "a;b", "!!", "<b>", "\u202e")  # fmt: skip
MANY = (
    f"item,{','.join(map(quoted, HOSTILE))}\n"
    + "".join(f"q{n},{','.join(str(n * (k + 3) % 7 % 2) for k in range(len(HOSTILE)))}\n" for n in range(40))
).encode()
QUESTIONS |= {
    f"{a} and {b}": ("compare", {"a": a, "b": b}, [(f"{b}{a}.csv", MANY)], {})
    for a, b in zip(HOSTILE[::2], HOSTILE[1::2], strict=True)
}

RUN = """
import contextlib, io, json, os, re, sys
for folder, code in json.load(sys.stdin).items():
    os.chdir(folder)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(re.sub(r"^print\\((.*)\\)$", r"print(\\1.to_json())", code, flags=re.MULTILINE), {})
    print(json.dumps(said.getvalue()))
"""
"""One Python for all of them: to start one takes longer than to answer."""


def test_the_same_answer_in_python(tmp_path: Path) -> None:
    codes, mine, before = {}, {}, {}
    for number, (case, (verb, fields, files, beside)) in enumerate(QUESTIONS.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in [*files, *beside.values()]:
            (folder / name).write_bytes(content)
        question = _question(verb, fields, *files, **beside)
        codes[str(folder)] = python(question, rated=case == "pilot of ratings")
        mine[case] = json.loads(add_text(answer_of(question, LIMITS), "python").to_json())
        before[folder] = sorted(folder.iterdir())
    ran = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps(codes), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    for case, line in zip(mine, ran.stdout.splitlines(), strict=True):
        there = json.loads(json.loads(line))
        assert there | {"signature": ""} == mine[case] | {"signature": ""}, case
    assert {folder: sorted(folder.iterdir()) for folder in before} == before, "names are names, and run nothing"


def test_every_option_is_one_of_python() -> None:
    """A new option of a question is shown as Python has it, or this says that it has none."""
    for verb in ("compare", "rank", "agreement", "describe"):
        function: Any = describe if verb == "describe" else getattr(tellapart, verb)
        known = inspect.signature(function).parameters
        left = {*_READ, *_READING, "cluster"}
        assert {name for name in offers()[verb].by_name if name not in left} <= set(known)
    assert set(inspect.signature(tellapart.read).parameters) >= _READING
