"""How much one request may hold: what is more is refused in plain words, and never takes the server along."""

import gzip
import io
import json
import zipfile
from typing import Any

import httpx
import pytest
from tests.web.conftest import SMALL, Running

from tellapart.web.job_handler import answered
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job
from tellapart.web.request_body import PARTS

USUAL = ServeLimits()


def table(rows: int, systems: int = 2) -> bytes:
    names = ",".join(f"s{n}" for n in range(systems))
    line = ",".join(str(n % 2) for n in range(systems))
    return f"item,{names}\n".encode() + b"".join(f"q{n},{line}\n".encode() for n in range(rows))


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def in_a_form(*files: tuple[str, bytes], question: dict[str, Any] | None = None) -> bytes:
    parts = [
        b'Content-Disposition: form-data; name="files"; filename="%b"\r\n\r\n%b' % (name.encode(), content)
        for name, content in files
    ]
    if question is not None:
        parts.append(b'Content-Disposition: form-data; name="question"\r\n\r\n' + json.dumps(question).encode())
    return b"".join(b"--x\r\n%b\r\n" % part for part in parts) + b"--x--\r\n"


def asked(
    verb: str, *files: tuple[str, bytes], limits: ServeLimits, question: dict[str, Any] | None = None
) -> tuple[int, dict[str, Any]]:
    job = Job(verb, "json", content_type=f"{PARTS}; boundary=x", body=in_a_form(*files, question=question))
    reply = answered(job, limits)
    return reply.status, json.loads(reply.body)


def test_the_usual_limits_are_those_that_are_promised() -> None:
    assert (USUAL.most_query, USUAL.most_spelling, USUAL.most_depth) == (8_000, 1_000, 10)
    assert (USUAL.most_body, USUAL.most_expanded) == (64_000_000, 512_000_000)
    assert (USUAL.most_rows, USUAL.most_systems) == (5_000_000, 500)
    assert (USUAL.most_grid, USUAL.most_replicates) == (200, 100_000)
    assert (USUAL.most_seconds, USUAL.most_memory, USUAL.silence) == (30.0, 2_000_000_000, 10.0)


@pytest.mark.parametrize(("allowed", "processes"), [({0}, 1), ({3}, 1), ({0, 5}, 1), (set(range(7)), 6)])
def test_processes_are_as_many_as_the_cores_that_may_be_used(
    monkeypatch: pytest.MonkeyPatch, allowed: set[int], processes: int
) -> None:
    """In a container these are not all that the machine has."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: allowed)
    assert ServeLimits().patient == processes
    assert ServeLimits(processes=3).patient == 3


@pytest.mark.parametrize(
    ("field", "text", "wanted"),
    [
        ("test", "paired_t" + " " * 60_000, "wanted at most 1,000"),
        ("test", "x" * 1_001, "wanted at most 1,000"),
        ("test", "(" * 11 + ")" * 11, "wanted at most 10"),
        ("evidence", "mine.json", "send a file of evidence"),
        ("evidence", "squad2_pairs, /etc/x.json", "send a file of evidence"),
    ],
)
def test_spellings_are_refused_before_anybody_parses_them(field: str, text: str, wanted: str) -> None:
    """By their length, their depth and their ending: whoever would parse them might say no for other reasons, and late."""
    body = json.dumps({"accuracy": 0.7, "effect": 0.02, field: text}).encode()
    reply = answered(Job("plan", "json", content_type="application/json", body=body), USUAL)
    assert reply.status == 400
    assert wanted in json.loads(reply.body)["detail"]


LOG = "samples_arc_2024-01-01T00-00-00.jsonl"
SAMPLES = b"".join(
    json.dumps(
        {"doc_id": n, "doc": {}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"], "acc": n % 2}
        | {"doc_hash": f"h{n}", "prompt_hash": "p", "target_hash": "t", "arguments": {}, "filter": "none"}
        | {"metrics": ["acc"]}
    ).encode()
    + b"\n"
    for n in range(120)
)
ROWS = [
    ("table", [("t.csv", table(60))]),
    ("two tables", [("s0.csv", b"item,score\n" + b"".join(b"q%d,1\n" % n for n in range(60))), ("s1.csv", b"item,score\n" + b"".join(b"q%d,0\n" % n for n in range(60)))]),
    ("votes", [("v.csv", b"item,model_a,model_b,winner\n" + b"".join(b"q%d,x,y,model_a\n" % n for n in range(120)))]),
    ("ratings", [("r.csv", b"item,rater,system,rating\n" + b"".join(b"q%d,r%d,s%d,%d\n" % (n, n % 2, n % 3 % 2, n % 5) for n in range(120)))]),
    ("log", [(LOG, SAMPLES)]),
    ("archive", [("z.zip", zipped(**{LOG: SAMPLES}))]),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "files"), [(verb, files) for verb in ("compare", "describe") for _, files in ROWS], ids=lambda one: one if isinstance(one, str) else one[0][0])  # fmt: skip
def test_more_rows_than_are_taken(verb: str, files: list[tuple[str, bytes]]) -> None:
    """By whichever way rows are read."""
    few = ServeLimits(most_rows=100)
    status, said = asked(verb, *files, limits=few)
    assert (status, said["error"]) == (422, "ReadError"), said
    assert "more than 100 rows" in said["detail"]
    status, said = asked(verb, *files, limits=ServeLimits(most_rows=240))
    assert "rows" not in said.get("detail", ""), said


@pytest.mark.parametrize("verb", ["compare", "rank", "describe", "plan"])
def test_more_systems_than_are_taken(verb: str) -> None:
    question = {"kind": "pilot", "effect": 0.1, "items": 50} if verb == "plan" else None
    limits = ServeLimits(most_systems=7)
    status, said = asked(verb, ("t.csv", table(20, 8)), limits=limits, question=question)
    assert (status, "8 systems; at most 7" in said.get("detail", "")) == (422, True), said
    status, said = asked(verb, ("t.csv", table(20, 7)), limits=limits, question=question)
    assert "at most 7" not in said.get("detail", "")


@pytest.mark.parametrize("packed", ["gzip", "zip", "several", "nested gzip"])
def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(packed: str) -> None:
    """Also where no file alone does."""
    limits = ServeLimits(most_expanded=2_000_000)
    bomb = b"item,a,b\n" + b"q,1,0\n" * 500_000
    files = {
        "gzip": [("t.csv.gz", gzip.compress(bomb))],
        "zip": [("z.zip", zipped(**{"a.csv": bomb}))],
        "several": [(f"s{n}.csv.gz", gzip.compress(table(100_000))) for n in range(3)],
        "nested gzip": [("t.csv.gz.gz", gzip.compress(gzip.compress(bomb)))],
    }[packed]
    for verb in ("compare", "describe"):
        status, said = asked(verb, *files, limits=limits)
        assert status == 422, said
        assert "--limit" not in said["detail"], "there is no such flag here"


def test_the_limits_over_http(server: Running, client: httpx.Client) -> None:
    """The server of this suite has small ones, given as flags."""
    most = dict(zip(SMALL[::2], map(int, SMALL[1::2]), strict=True))

    def refused(content: bytes, name: str = "t.csv") -> httpx.Response:
        answer = client.post("/api/v2/rank", files={"files": (name, content)})
        assert answer.headers["content-type"] == "application/problem+json"
        return answer

    rows = most["--most-rows"] // 2 + 1
    assert refused(table(rows)).status_code == 422
    assert f"{most['--most-rows']:,} rows" in refused(table(rows)).json()["detail"]
    assert "systems" in refused(table(3, most["--most-systems"] + 1)).json()["detail"]
    bomb = b"item,a,b\n" + b"q,1,0\n" * (most["--most-expanded"] // 6)
    assert refused(gzip.compress(bomb), "t.csv.gz").status_code == 422
    assert refused(zipped(**{"t.csv": bomb}), "t.zip").status_code == 422
    too_much = b"x" * (most["--most-body"] + 1)
    assert client.post("/api/v2/rank", content=too_much).status_code == 413
    page = client.post("/rank", content=too_much)
    assert (page.status_code, page.headers["content-type"]) == (413, "text/html; charset=utf-8")

    def pieces() -> Any:
        for _ in range(0, len(too_much), 65_536):
            yield b"x" * 65_536

    assert client.post("/api/v2/rank", content=pieces()).status_code == 413  # nobody said how long it would be
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        'a"; filename="b.csv',
        "a\r\nX-Injected: 1.csv",
        "a%0d%0aX-Injected: 1.csv",
        "../../etc/passwd",
        "..\\..\\boot.ini",
        "\u202egpj.csv",
    ],
)
def test_names_of_files_are_no_headers_and_no_paths(client: httpx.Client, name: str) -> None:
    for path in ("/api/v2/rank", "/rank"):
        answer = client.post(path, files={"files": (name, table(30, 3))})
        assert "x-injected" not in answer.headers
        assert answer.status_code in {200, 400}, answer.text[-500:]
        kept = client.post("/rank", data={"download": "json"}, files={"files": (name, table(30, 3))})
        assert "x-injected" not in kept.headers
        if kept.status_code == 200:
            assert kept.headers["content-disposition"] == 'attachment; filename="tellapart-leaderboard.json"'


def test_headers_cannot_be_put_in_by_an_address(client: httpx.Client) -> None:
    for text in ("%0d%0aX-Injected:%201", "%0aX-Injected:%201", "%E5%98%8A%E5%98%8DX-Injected:%201"):
        for path in (f"/plan?kind={text}", f"/plan?download={text}&sd=1", f"/{text}", f"/login?next={text}"):
            answer = client.get(path)
            assert "x-injected" not in answer.headers
            assert answer.status_code < 500


def test_numbers_in_a_list_are_one_series_and_texts_are_rows() -> None:
    """Thresholds were taken one by one once, and the last alone was left."""

    def sentence(thresholds: Any) -> str:
        made = {
            "kind": "ordinal",
            "population": "ratings(raters=5,rater_effect_sd=0.1,item_effect_sd=0.2,residual_sd=0.5)",
            "effect": 0.1,
            "items": 50,
            "replicates": 20,
            "thresholds": thresholds,
        }
        job = Job("plan", "json", content_type="application/json", body=json.dumps(made).encode())
        return str(json.loads(answered(job, USUAL).body)["sentence"])

    assert sentence([-1, 0, 1]) == sentence("-1:0:1")
    assert sentence(["-1:0", "-1:1"]).startswith("The power to detect")
    assert sentence([[-1, 0], [-1, 1]]) == sentence(["-1:0", "-1:1"])


def test_counting_that_takes_long_starts_no_process() -> None:
    """At a command line TER is counted by processes; here a process answers alone, and may start no other."""
    texts = [f"the cat number {n} sat on the mat" for n in range(600)]
    other = [text.replace("sat", "was") for text in texts]
    body = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="%b"; filename="%b"\r\n\r\n%b\r\n'
        % (field, name, "\n".join(lines).encode())
        for field, name, lines in (
            (b"files", b"a.txt", texts),
            (b"files", b"b.txt", other),
            (b"reference", b"r.txt", texts),
        )
    )
    body += b'--x\r\nContent-Disposition: form-data; name="question"\r\n\r\n{"metric": "ter"}\r\n--x--\r\n'
    reply = answered(Job("compare", "json", content_type=f"{PARTS}; boundary=x", body=body), USUAL)
    assert reply.status == 200, reply.body
