"""Who is let in, and what every answer says to the browser that gets it."""

import socket
import time

import httpx
import pytest
from tests.web.conftest import Running

from tellapart.web.access import Names, refusal

PLAN = {"kind": "gaussian", "sd": 0.12, "correlation": 0.8, "effect": 0.01, "power": 0.8}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example:{port}",
        "{port}",
        "127.0.0.1:{port}@evil.example",
    ],
)
def test_another_host_is_refused(server: Running, client: httpx.Client, host: str) -> None:
    answer = client.post("/api/v2/plan", json=PLAN, headers={"host": host.format(port=server.port)})
    assert answer.status_code == 421


def test_its_own_names_are_not(server: Running, client: httpx.Client) -> None:
    for host in (f"localhost:{server.port}", f"127.0.0.1:{server.port}", f"LOCALHOST:{server.port}"):
        assert client.get("/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    ("heads", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1:{port}"}, 403),
        ({"origin": "http://127.0.0.1:{port}"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}, 403),  # a form that is sent is no link
        ({"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:{port}"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, 200),  # our own form, under no-referrer
        ({"sec-fetch-site": "cross-site", "origin": "null"}, 403),
        ({"sec-fetch-site": "same-origin", "origin": "http://evil.example"}, 403),
    ],
)  # fmt: skip
def test_pages_of_others_are_refused(server: Running, client: httpx.Client, heads: dict[str, str], status: int) -> None:
    made = {name: value.format(port=server.port) for name, value in heads.items()}
    assert client.post("/api/v2/plan", json=PLAN, headers=made).status_code == status


def test_a_link_may_be_followed_and_a_frame_or_picture_not() -> None:
    names = Names.of("127.0.0.1", 8321)
    link = {
        "host": "localhost:8321",
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    assert refusal(names, "GET", link) is None
    assert refusal(names, "GET", link | {"sec-fetch-dest": "iframe"}) is not None
    assert refusal(names, "GET", link | {"sec-fetch-mode": "no-cors"}) is not None


def test_headers_of_every_answer(client: httpx.Client) -> None:
    for answer in (
        client.get("/healthz"),
        client.post("/api/v2/plan", json={}),
        client.get("/nothing"),
        client.get("/healthz", headers={"host": "x"}),
    ):
        heads = answer.headers
        assert heads["content-security-policy"].startswith("default-src 'none';")
        assert "unsafe" not in heads["content-security-policy"]
        assert heads["x-content-type-options"] == "nosniff"
        assert heads["referrer-policy"] == "no-referrer"
        assert heads["cache-control"] == "no-store"
        assert heads["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in heads


def test_silence_and_half_requests_are_closed(server: Running, client: httpx.Client) -> None:
    """Two hundred that say nothing, and those that stop in the middle, while others are answered."""
    half = b"POST /api/v2/plan HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port
    openings = [b""] * 200 + [
        half,
        half + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        b"\x16\x03\x01",
    ]
    lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in openings]
    for line, opening in zip(lines, openings, strict=True):
        if opening:
            line.sendall(opening)
    assert client.post("/api/v2/plan", json=PLAN).status_code == 200
    for line in lines:
        line.settimeout(60)  # the patience of this server is 2 seconds, and the machine may have much else to do
        try:
            while line.recv(4096):
                pass
        except ConnectionResetError:
            pass
        line.close()


@pytest.mark.parametrize(
    "opening",
    [b"", b"Host: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"],
    ids=["head", "body"],
)
def test_a_request_that_trickles_is_closed(server: Running, opening: bytes) -> None:
    """A byte after the other: neither silent nor ever done."""
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        if opening:
            line.sendall(b"POST /api/v2/plan HTTP/1.1\r\n" + opening % server.port)
        began = time.monotonic()
        with pytest.raises(OSError, match=r"reset|[Bb]roken"):  # noqa: PT012  (a byte after the other)
            while time.monotonic() - began < 120:
                line.sendall(b"G")
                time.sleep(0.2)
