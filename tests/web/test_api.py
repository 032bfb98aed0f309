"""The API answers what the command line answers, byte for byte, and refuses in its words."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from tellapart.web.openapi import openapi_document

EXAMPLES = Path(__file__).parents[2] / "examples"

PLANS: list[tuple[dict[str, Any], list[str]]] = [
    ({"kind": "gaussian", "sd": 0.12, "correlation": 0.8, "effect": 0.01, "power": 0.8},
     ["gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01", "--power", "0.8"]),
    ({"accuracy": 0.7, "effect": 0.02}, ["--accuracy", "0.7", "--effect", "0.02"]),
    ({"kind": "gaussian", "sd": [0.1, 0.2], "correlation": 0.5, "items": [200, 400], "effect": 0.05},
     ["gaussian", "--sd", "0.1,0.2", "--correlation", "0.5", "--items", "200,400", "--effect", "0.05"]),
    ({"kind": "clustered", "population": "gaussian(sd=0.1,correlation=0.8)", "size": 5, "icc": 0.2, "effect": 0.02, "items": 500},
     ["clustered", "--population", "gaussian(sd=0.1,correlation=0.8)", "--size", "5", "--icc", "0.2", "--effect", "0.02", "--items", "500"]),
    ({"kind": "beta", "mean": 0.6, "sd": 0.2, "correlation": 0.8, "effect": 0.02, "items": 50, "test": "wilcoxon", "replicates": 200},
     ["beta", "--mean", "0.6", "--sd", "0.2", "--correlation", "0.8", "--effect", "0.02", "--items", "50", "--test", "wilcoxon", "--replicates", "200"]),
]  # fmt: skip
SCORES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("compare", "answers.csv", {"a": "small", "b": "large"}, ["--a", "small", "--b", "large"]),
    ("compare", "answers.csv", {"a": "small", "b": "large", "test": "all", "margin": 0.05},
     ["--a", "small", "--b", "large", "--test", "all", "--margin", "0.05"]),
    ("compare", "answers.csv", {"a": "-x", "b": "large", "lower_is_better": True, "name": {"small": "-x"}},
     ["--a=-x", "--b", "large", "--lower-is-better", "--name", "small=-x"]),
    ("rank", "answers.csv", {"baseline": "small"}, ["--baseline", "small"]),
    ("agreement", "ratings.csv", {"resamples": 200}, ["--resamples", "200"]),
    ("describe", "answers.csv", {}, []),
    ("evidence/fit", "answers.csv", {}, []),
    ("plan", "answers.csv", {"kind": "pilot", "a": "small", "b": "large", "effect": 0.03, "items": 500}, ["--a", "small", "--b", "large", "--effect", "0.03", "--items", "500"]),
]  # fmt: skip


def typed(*words: str, folder: Path = EXAMPLES) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "-m", "tellapart", *words], cwd=folder, capture_output=True, check=False)


@pytest.mark.parametrize(("question", "words"), PLANS, ids=lambda one: str(one)[:40])
def test_plans_byte_for_byte(client: httpx.Client, question: dict[str, Any], words: list[str]) -> None:
    answer = client.post("/api/v2/plan", json=question)
    assert answer.status_code == 200, answer.text
    assert answer.content == typed("plan", *words, "--format", "json").stdout


@pytest.mark.parametrize(("verb", "file", "question", "words"), SCORES, ids=lambda one: str(one)[:40])
def test_files_byte_for_byte(
    client: httpx.Client, verb: str, file: str, question: dict[str, Any], words: list[str]
) -> None:
    files = {"files": (file, (EXAMPLES / file).read_bytes())}
    answer = client.post(f"/api/v2/{verb}", data={"question": json.dumps(question)}, files=files)
    assert answer.status_code == 200, answer.text
    named = [verb, "pilot", file] if verb == "plan" else [*verb.split("/"), file]
    assert answer.content == typed(*named, *words, "--format", "json").stdout
    assert_valid(verb, answer.json())


@pytest.mark.parametrize("verb", ["compare", "rank"])
def test_a_saved_plan_is_followed(client: httpx.Client, tmp_path: Path, verb: str) -> None:
    plan = tmp_path / "plan.json"
    saving = ["--accuracy", "0.7", "--effect", "0.05", "--items", "400", "--save", str(plan)]
    assert typed("plan", *saving).returncode == 0
    (tmp_path / "answers.csv").write_bytes((EXAMPLES / "answers.csv").read_bytes())
    sides = {"a": "small", "b": "large"} if verb == "compare" else {"baseline": "small"}
    files = [
        ("files", ("answers.csv", (EXAMPLES / "answers.csv").read_bytes())),
        ("plan", ("plan.json", plan.read_bytes())),
    ]
    answer = client.post(f"/api/v2/{verb}", data={"question": json.dumps(sides)}, files=files)
    assert answer.status_code == 200, answer.text
    words = [f"--{name}={value}" for name, value in sides.items()]
    run = typed(verb, "answers.csv", *words, "--plan=plan.json", "--format=json", folder=tmp_path)
    assert answer.content == run.stdout
    assert answer.json()["plan"] is not None
    named = client.post(f"/api/v2/{verb}", data={"question": json.dumps(sides | {"plan": str(plan)})}, files=files[:1])
    assert named.status_code == 400, "a path is no upload"
    bad = [files[0], ("plan", ("plan.json", b"{}"))]
    assert client.post(f"/api/v2/{verb}", data={"question": json.dumps(sides)}, files=bad).status_code == 422


def test_claims_and_evidence_byte_for_byte(client: httpx.Client) -> None:
    claim = client.post("/api/v2/audit", json={"a": "0.70", "b": "0.72", "items": 1000})
    assert claim.content == typed("audit", "--a", "0.70", "--b", "0.72", "--items", "1000", "--format", "json").stdout
    listed = client.get("/api/v2/evidence")
    assert listed.content == typed("evidence", "--format", "json").stdout
    assert_valid("audit", claim.json())
    assert_valid("evidence", listed.json())


def assert_valid(verb: str, answer: Any) -> None:
    document = openapi_document()
    path = document["paths"][f"/api/v2/{verb}"]
    (operation,) = path.values()
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(answer, {**schema, "components": document["components"]})


@pytest.mark.parametrize(
    ("verb", "question", "words"),
    [
        ("plan", {"kind": "gaussian", "sd": -1, "correlation": 0.5, "effect": 0.1}, ["gaussian", "--sd=-1", "--correlation=0.5", "--effect=0.1"]),
        ("plan", {"sd": 1}, ["--sd", "1"]),
        ("plan", {"accuracy": 0.7, "effect": 0.02, "items": "many"}, ["--accuracy=0.7", "--effect=0.02", "--items=many"]),
        ("plan", {"accuracy": 0.7, "effect": 0.02, "alpha": 5}, ["--accuracy=0.7", "--effect=0.02", "--alpha=5"]),
        ("plan", {"accuracy": 0.7, "effect": 0.02, "test": "t-test"}, ["--accuracy=0.7", "--effect=0.02", "--test=t-test"]),
        ("audit", {"a": "0.7"}, ["--a", "0.7"]),
        ("audit", {"a": "0.7", "b": "x", "items": 100}, ["--a=0.7", "--b=x", "--items=100"]),
    ],
)  # fmt: skip
def test_refusals_are_the_command_lines(
    client: httpx.Client, verb: str, question: dict[str, Any], words: list[str]
) -> None:
    answer = client.post(f"/api/v2/{verb}", json=question)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    said = answer.json()
    assert said["status"] == 400
    run = typed(verb, *words)
    assert run.returncode == 2
    assert said["detail"] in run.stderr.decode()


def test_a_bad_file_is_refused_in_the_command_lines_words(client: httpx.Client, tmp_path: Path) -> None:
    content = b"item,a,b\nq1,1,0\nq2,zero,1\n"
    (tmp_path / "bad.csv").write_bytes(content)
    answer = client.post("/api/v2/compare", files={"files": ("bad.csv", content)})
    assert answer.status_code == 422
    run = typed("compare", "bad.csv", folder=tmp_path)
    assert run.returncode == 3
    assert answer.json()["detail"] in run.stderr.decode()


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{", 400),
        ("application/json", b"[1]", 400),
        ("application/json", b'{"sd": NaN}', 400),
        ("application/json", b'{"sd": 1, "sd": 2}', 400),
        ("application/json", b'{"sd": ' + b"9" * 6000 + b"}", 400),
        ("application/json", b"[" * 100_000, 400),
        ("application/json", b'{"kind": "gau\\u0000ssian"}', 400),
        ("application/json", b'{"kind": "gaussian\\ud800"}', 400),
        ("application/json", b'{"kind": ["gaussian"]}', 400),
        ("application/json", b'{"kind": {"a": 1}}', 400),
        ("application/json", b"\xff\xfe", 400),
        ("text/plain", b"sd=1", 415),
        ("application/x-www-form-urlencoded", b"kind=gaussian", 415),
        ("multipart/form-data", b"x", 415),
        ("multipart/form-data; boundary=x", b"nothing of the kind", 400),
        ("multipart/form-data; boundary=x", b"--x\r\n" + b"a" * 10_000, 400),
    ],
)  # fmt: skip
def test_bodies_that_are_no_questions(client: httpx.Client, kind: str, body: bytes, status: int) -> None:
    answer = client.post("/api/v2/plan", content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_api_is_described(client: httpx.Client) -> None:
    served = client.get("/api/v2/openapi.json").json()
    printed = json.loads(typed("serve", "--print-openapi").stdout)
    assert served == printed == json.loads(json.dumps(openapi_document()))
    assert set(served["paths"]) == {
        f"/api/v2/{verb}"
        for verb in ["plan", "compare", "rank", "audit", "agreement", "evidence", "evidence/fit", "describe"]
    } | {"/healthz"}
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404


def test_no_option_is_offered_that_names_a_file_or_a_worker() -> None:
    offered = {
        name
        for parts in openapi_document()["components"]["schemas"].items()
        if parts[0].endswith(".question")
        for name in parts[1]["properties"]
    }
    assert not offered & {
        "files",
        "reference",
        "documents",
        "qrels",
        "universe",
        "plan",
        "save",
        "workers",
        "output",
        "chart",
        "limit",
        "executor",
        "folder",
        "data",
    }
    assert "kind" in offered
