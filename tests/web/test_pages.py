"""Pages without a script: forms made of questions, answers, links, downloads, and names that stay names."""

import html
import json
import re
import shlex
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from tests.web.conftest import Running
from tests.web.test_programs import HOSTILE, MANY

from tellapart.foundation.spelling import options
from tellapart.populations import POPULATIONS
from tellapart.web.command import command
from tellapart.web.limits import ServeLimits
from tellapart.web.request_body import Uploaded
from tellapart.web.request_parsing import asked
from tellapart.web.served_verbs import offers

GAUSSIAN = {"kind": "gaussian", "sd": "0.12", "correlation": "0.8", "effect": "0.01", "power": "0.8"}


@pytest.mark.parametrize("kind", list(POPULATIONS))
def test_every_population_has_its_form(client: httpx.Client, kind: str) -> None:
    """By itself: nobody lists them for the page."""
    page = client.get("/plan", params={"kind": kind})
    assert page.status_code == 200
    for one in options(POPULATIONS[kind]):
        assert f'name="{one.name}"' in page.text
    for name in ("items", "power", "test", "alpha", "seed", "replicates"):
        assert f'name="{name}"' in page.text
    for name in ("save", "workers", "limit", "plan", "output"):
        assert f'name="{name}"' not in page.text


def test_an_answer_with_its_chart_its_link_and_its_downloads(client: httpx.Client) -> None:
    page = client.get("/plan", params=GAUSSIAN)
    assert page.status_code == 200
    assert "455 items" in page.text
    assert "<svg" in page.text
    assert "style=" not in page.text  # the policy of the page would not have it
    link = html.unescape(re.findall(r'id="link" href="([^"]+)"', page.text)[0])
    assert "455 items" in client.get(link).text
    for form in ("json", "csv", "html", "markdown", "svg", "png"):
        kept = client.get(f"{link}&download={form}")
        assert kept.status_code == 200, form
        assert kept.headers["content-disposition"].startswith('attachment; filename="tellapart-plan.')
    asked_by_program = {**GAUSSIAN, "power": 0.8}
    assert client.get(f"{link}&download=json").content == client.post("/api/v2/plan", json=asked_by_program).content


def test_designs_side_by_side_have_a_curve_each(client: httpx.Client) -> None:
    page = client.get("/plan", params={**GAUSSIAN, "power": "", "correlation": "0.5, 0.8", "items": "200, 400, 800"})
    assert page.status_code == 200, page.text[-1500:]
    assert 'id="chart-power"' in page.text
    for said in ("0.5", "0.8"):
        assert re.search(rf"correlation\s*=?\s*{said}", page.text), said


def test_what_is_wrong_is_said_beside_its_field(client: httpx.Client) -> None:
    page = client.get(
        "/plan", params={"kind": "beta", "mean": "0.6", "sd": "2", "correlation": "0.8", "effect": "0.01"}
    )
    assert page.status_code == 400
    assert re.search(r'name="sd"[^>]*aria-invalid="true"', page.text)
    assert 'id="p-sd"' in page.text
    assert "below 0.4899" in page.text


@pytest.mark.parametrize("address", ["/plan?kind=nothing&sd=1", "/plan?strange=1", "/plan?kind=gaussian&sd=%00&effect=1", "/plan?kind=%2Fetc%2Fpasswd&effect=1", "/plan?part=1&sd=x&effect=1", "/audit?a=x&b=y&items=z", "/plan?kind=gaussian&sd=1&correlation=0.5&effect=0.1&items=5&download=exe", "/plan?sd=%ff"])  # fmt: skip
def test_strange_addresses_are_refused_on_a_page(client: httpx.Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 400
    assert page.headers["content-type"].startswith("text/html")
    assert 'role="alert"' in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "//etc/passwd",
        "/plan/../../etc/passwd",
        "/static/",
        "/api/v2/convert",
        "/api/v2/plan/",
        "/api/v1/plan",
    ],
)
def test_nothing_lies_at_other_addresses(server: Running, path: str) -> None:
    with httpx.Client(timeout=30) as client:
        answer = client.send(httpx.Request("GET", httpx.URL(server.address).copy_with(raw_path=path.encode())))
    assert answer.status_code == 404


def test_the_page_for_coding_agents_is_served(client: httpx.Client) -> None:
    """What `tellapart skill` prints, where an agent looks for it."""
    answer = client.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == (resources.files("tellapart.cli") / "agents.md").read_text(encoding="utf-8")


def test_a_query_that_is_too_long_is_refused(client: httpx.Client) -> None:
    assert client.get("/plan?sd=" + "1" * 9000).status_code == 414


def test_markup_in_names_is_text(client: httpx.Client) -> None:
    name = "<img src=x onerror=alert(1)>"
    table = f'item,"{name}","b"\n' + "".join(f"<i>{n},{n % 2},{n % 3 == 0:d}\n" for n in range(40))
    page = client.post("/compare", files={"files": ("<script>.csv", table.encode())})
    assert page.status_code == 200, page.text
    assert "<img" not in page.text
    assert "<script>.csv" not in page.text
    assert "&lt;img src=x" in page.text


def test_files_tables_and_bad_files(client: httpx.Client) -> None:
    examples = Path(__file__).parents[2] / "examples"
    for verb, file in (
        ("compare", "retrieval.csv"),
        ("rank", "answers.csv"),
        ("agreement", "ratings.csv"),
        ("describe", "answers.csv"),
    ):
        page = client.post(f"/{verb}", files={"files": (file, (examples / file).read_bytes())})
        assert page.status_code == 200, (verb, page.text[-2000:])
        assert 'id="headline"' in page.text
    pasted = client.post("/audit", data={"pasted": "name,items,a,b\nx,1000,0.70,0.72\n"})
    assert 'id="headline"' in pasted.text
    bad = client.post("/compare", files={"files": ("bad.csv", b"item,a,b\nq1,1,0\nq2,zero,1\n")})
    assert bad.status_code == 422
    assert "bad.csv, line 3" in bad.text
    kept = client.post(
        "/rank",
        data={"download": "csv"},
        files={"files": ("answers.csv", (examples / "answers.csv").read_bytes())},
    )
    assert kept.headers["content-type"].startswith("text/csv")


def test_a_link_from_elsewhere_makes_nobody_simulate(client: httpx.Client) -> None:
    came = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert "455 items" in client.get("/plan", params=GAUSSIAN, headers=came).text
    drawn = {
        "kind": "beta",
        "mean": "0.6",
        "sd": "0.2",
        "correlation": "0.8",
        "effect": "0.02",
        "items": "50",
        "test": "wilcoxon",
        "replicates": "200",
    }
    waiting = client.get("/plan", params=drawn, headers=came)
    assert "press Answer" in waiting.text
    assert 'id="headline"' not in waiting.text
    assert 'id="headline"' in client.get("/plan", params=drawn, headers={"sec-fetch-site": "same-origin"}).text


def run_in(folder: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_runs_whatever_names_are(tmp_path: Path) -> None:
    """Executed by a real shell, in a folder where a mistake would leave something behind."""
    (tmp_path / "tellapart").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tellapart "$@"\n')
    (tmp_path / "tellapart").chmod(0o755)
    lines = []
    for a, b in zip(HOSTILE[::2], HOSTILE[1::2], strict=True):
        file = f"{b}{a}.csv"
        (tmp_path / file).write_bytes(MANY)
        question = asked(offers()["compare"], {"a": a, "b": b}, (Uploaded("files", file, MANY),), ServeLimits())
        lines.append(command(question).replace(" -- ", " --format json -- "))
    made = sorted(tmp_path.iterdir())
    said = run_in(tmp_path, "bash", "-ec", "PATH=.:$PATH\n" + "\n".join(lines))
    answers = [json.loads(one) for one in re.split(r"(?<=^})\n(?={)", said, flags=re.MULTILINE)]
    names = [{one["a"]["name"], one["b"]["name"]} for one in answers]
    assert names == [{a, b} for a, b in zip(HOSTILE[::2], HOSTILE[1::2], strict=True)]
    assert sorted(tmp_path.iterdir()) == made


@pytest.mark.parametrize(
    "fields",
    [
        GAUSSIAN,
        {"accuracy": "0.7", "effect": "-0.02", "items": "500,1000"},
        {"kind": "gaussian", "sd": "1", "correlation": "0.5", "clip": "0:1", "mean": "0.5", "effect": "0.1", "items": "100", "replicates": "200"},
        {"kind": "clustered", "population": "gaussian(sd=0.1,correlation=0.8)", "size": "5", "icc": "0.2", "effect": "0.02", "items": "500"},
        {"kind": "votes", "share": "0.6", "ties": "0.2", "power": "0.8", "test": "sign"},
    ],
)  # fmt: skip
def test_a_plan_taken_along_is_the_same_plan(client: httpx.Client, tmp_path: Path, fields: dict[str, str]) -> None:
    page = client.get(f"/plan?{urlencode(fields)}")
    assert page.status_code == 200, page.text[-1500:]
    typed = html.unescape(re.findall(r'id="command">(.*?)</code>', page.text, re.DOTALL)[0])
    code = html.unescape(re.findall(r'id="python">(.*?)</code>', page.text, re.DOTALL)[0])
    words = f"{typed.replace('tellapart', f'{shlex.quote(sys.executable)} -m tellapart', 1)} --format json"
    answer: Any = json.loads(run_in(tmp_path, "bash", "-c", words))
    assert answer["sentence"] in html.unescape(page.text)
    assert run_in(tmp_path, sys.executable, "-c", code).strip() == answer["sentence"]
