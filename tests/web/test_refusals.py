"""What cannot be answered is refused in words, never by a 500, and before it costs two seconds of the processor."""

import gzip
import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.web.conftest import Running

from tellapart import read
from tellapart.foundation.errors import ReadError
from tellapart.web.job_handler import answered
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job
from tellapart.web.request_body import FORM, JSON, PARTS

USUAL = ServeLimits()
QUICK = 2.0


def part(number: int) -> bytes:
    return b'--x\r\nContent-Disposition: form-data; name="f%d"\r\n\r\n1\r\n' % number


def archive_of(members: int) -> bytes:
    """An archive of as many empty members; its list is copied, which costs less than to write each."""
    one = io.BytesIO()
    with zipfile.ZipFile(one, "w") as made:
        made.writestr("m000000", b"")
    content = one.getvalue()
    start = content.index(b"PK\x01\x02")
    local, entry = content[:start], content[start : content.index(b"PK\x05\x06")]
    many = b"".join(entry.replace(b"m000000", b"m%06d" % number) for number in range(members))
    end = (len(local) + len(many)).to_bytes(8, "little")
    large = b"PK\x06\x06" + (44).to_bytes(8, "little") + b"\x2d\0\x2d\0" + bytes(8) + members.to_bytes(8, "little") * 2
    large += len(many).to_bytes(8, "little") + len(local).to_bytes(8, "little")
    locator = b"PK\x06\x07" + bytes(4) + end + (1).to_bytes(4, "little")
    last = b"PK\x05\x06" + bytes(4) + b"\xff" * 4 + len(many).to_bytes(4, "little") + b"\xff" * 4 + bytes(2)
    return local + many + large + locator + last


def uploaded(name: bytes, content: bytes) -> bytes:
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="%b"\r\n\r\n' % name
    return head + content + b"\r\n--x--\r\n"


def number(digits: int) -> bytes:
    return b'{"kind": "gaussian", "sd": 1, "effect": 0.1, "items": ' + b"9" * digits + b"}"


HOSTILE: dict[str, tuple[str, str, Callable[[], bytes], int]] = {
    "a number of 4,000 digits": ("plan", JSON, lambda: number(4_000), 400),
    "a number of 400 digits": ("plan", JSON, lambda: number(400), 400),
    "more digits than Python reads": ("plan", JSON, lambda: number(5_000), 400),
    "a long boundary": ("compare", f"{PARTS}; boundary={'x' * 300}", lambda: b"--" + b"x" * 300 + b"--\r\n", 400),
    "100,000 parts": ("compare", f"{PARTS}; boundary=x", lambda: b"".join(map(part, range(100_000))) + b"--x--\r\n", 400),
    "a million headers": ("compare", f"{PARTS}; boundary=x", lambda: b"--x\r\n" + b"X-A: y\r\n" * 10**6 + b"\r\n", 400),
    "a hundred thousand fields": ("plan", FORM, lambda: b"&".join(b"a%d=1" % n for n in range(100_000)), 400),
    "250,000 members": ("compare", f"{PARTS}; boundary=x", lambda: uploaded(b"t.zip", archive_of(250_000)), 422),
    "a bomb of gzip": ("rank", f"{PARTS}; boundary=x", lambda: uploaded(b"t.csv.gz", gzip.compress(bytes(1 << 30))), 422),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_refused_in_words_and_soon(name: str) -> None:
    verb, media, made, status = HOSTILE[name]
    job = Job(verb, "json", content_type=media, body=made())
    began = time.process_time()
    reply = answered(job, USUAL)
    assert time.process_time() - began < QUICK
    assert reply.status == status, reply.body


def test_bombs_at_a_command_line(tmp_path: Path) -> None:
    """By what the file says of itself, and where it lies by what was unpacked so far."""
    rows = b"item,a,b\n" + b"q1,1,0\n" * (20 << 20)
    packed = gzip.compress(rows, 9)
    lying = packed[:-4] + (1000).to_bytes(4, "little")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        made.writestr("t.csv", rows)
    for name, content, quick in (
        ("t.csv.gz", packed, QUICK),
        ("lying.csv.gz", lying, 15.0),
        ("t.zip", archive.getvalue(), QUICK),
        ("many.zip", archive_of(250_000), QUICK),
    ):
        file = tmp_path / name
        file.write_bytes(content)
        began = time.process_time()
        with pytest.raises(ReadError, match=r"500 times its size|more than 200,000 files"):
            read(str(file))
        assert time.process_time() - began < quick, name


def test_logging_in_with_anything(serving: Callable[..., Running]) -> None:
    """Of all pages this one is open to those who know no token."""
    server = serving(TELLAPART_TOKEN="t" * 20)
    with server.client() as client:
        for fields in (21, 500, 2_000):
            answer = client.post("/login", content="&".join(f"a{n}=1" for n in range(fields)))
            assert answer.status_code in {400, 401}, fields
            assert answer.headers["content-type"].startswith("text/html")
        assert client.post("/login", content=b"a=" + b"x" * 40_000).status_code == 413
        assert client.post("/login", content=b"token=\xff\xfe&token=%ff").status_code == 400
        entered = client.post("/login", data={"token": "t" * 20, **{f"a{n}": "1" for n in range(30)}})
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
