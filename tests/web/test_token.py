"""Those who know the token come in, by a header or by a form, and nobody else."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.conftest import Running

from tellapart.cli import main
from tellapart.foundation.errors import UsageError
from tellapart.web.access import SLOWED, Names, Sessions, refusal
from tellapart.web.server import Place, token_of

PLAN = {"kind": "gaussian", "sd": 0.12, "correlation": 0.8, "effect": 0.01, "power": 0.8}
TOKEN = "long-enough-to-be-random"  # noqa: S105
LINK = "/plan?kind=gaussian&sd=0.12&correlation=0.8&effect=0.01&power=0.8"
PERSON = {"accept": "text/html"}


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_others_than_this_machine_need_a_token() -> None:
    places: list[dict[str, Any]] = [
        {"host": "10.0.0.1"},
        {"host": "0.0.0.0"},  # noqa: S104
        {"host": "::"},
        {"public_url": "https://plans.example"},
    ]
    for place in places:
        with pytest.raises(UsageError, match="token"):
            Place(**place)
        Place(**place, token=TOKEN)


@pytest.mark.parametrize("token", ["short", "two words of a long token", "ein-schönes-langes-Wort", "one-line-of-it\nanother-line"])  # fmt: skip
def test_a_token_that_can_be_guessed_or_cannot_be_sent_is_refused(token: str) -> None:
    with pytest.raises(UsageError, match="token has"):
        Place(token=token)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\xff\xfe" * 20, "no text"),
        (b"x" * 2_000, "more than"),
        (b"short\n", "5 characters"),
        (b"a-token-of-one-line\nand-another-line\n", "one line"),
    ],
)
def test_files_without_a_token_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SystemExit) as left:
        main(["serve", "--token-file", str(file), "--host", "127.0.0.2"])
    assert left.value.code == 2
    message = capsys.readouterr().err
    assert said in message
    assert "a-token-of" not in message


def test_folders_and_files_that_may_not_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        token_of(str(tmp_path))

    def locked(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", locked)  # whoever runs the tests may read all there is
    with pytest.raises(UsageError, match="Permission denied"):
        token_of("/run/token")


def test_the_token_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is read as a file is; what is blank is none, and a file goes before it."""
    (tmp_path / "token").write_text(f"{TOKEN}-of-the-file\r\n")
    for said, meant in (("", None), (" \n", None), (f"{TOKEN}\n", TOKEN)):
        monkeypatch.setenv("TELLAPART_TOKEN", said)
        assert token_of(None) == meant
    assert token_of(str(tmp_path / "token")) == f"{TOKEN}-of-the-file"


def test_sessions_are_random_and_end() -> None:
    sessions = Sessions(TOKEN)
    one, other = sessions.begin(), sessions.begin()
    assert len({one, other, TOKEN}) == 3
    assert len(one) >= 43
    assert sessions.knows(one)
    assert not sessions.knows(one[:-1])
    for known in list(sessions._known):
        sessions._known[known] = time.monotonic() - 1
    assert not sessions.knows(one)
    assert not sessions.knows_token(f"{TOKEN} ")


def test_every_address_of_the_machine_is_a_name_where_all_are_listened_on() -> None:
    """A number says where one is; a name can be pointed here by anybody."""
    names = Names.of("0.0.0.0", 8321)  # noqa: S104
    for host in ("192.168.1.7:8321", "evil.example:8321", "192.168.1.7:80", "localhost:8321"):
        allowed = refusal(names.at(("192.168.1.7", 8321)), "GET", {"host": host}) is None
        assert allowed == (host == "192.168.1.7:8321")
    assert refusal(names.at(("127.0.0.1", 8321)), "GET", {"host": "localhost:8321"}) is None
    one = Names.of("192.168.1.7", 8321)
    assert one.at(("10.0.0.1", 8321)) is one


def test_a_server_with_a_file_of_its_token(serving: Callable[..., Running], tmp_path: Path) -> None:
    """On every address of the machine: asked by programs, and by people who followed a link."""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    server = serving("--host", "0.0.0.0", "--token-file", str(file))  # noqa: S104
    with server.client() as client:
        _by_programs(client)
        _by_people(client)
        assert client.post("/api/v2/plan", json=PLAN).status_code == 200
        assert client.get("/healthz", headers={"host": "evil.example"}).status_code == 421
    with httpx.Client(base_url=f"http://127.0.0.2:{server.port}", timeout=120) as elsewhere:
        assert elsewhere.get("/healthz").status_code == 200
        assert elsewhere.post("/api/v2/plan", json=PLAN, headers=bearer(TOKEN)).status_code == 200
    with server.client(cookies={"tellapart_session": "made-up"}) as stranger:
        assert stranger.get("/plan", headers=PERSON).status_code == 303
        assert stranger.get("/plan").status_code == 401
    assert TOKEN not in server.said()


def _by_programs(client: httpx.Client) -> None:
    assert client.get("/healthz").status_code == 200
    asked = client.post("/api/v2/plan", json=PLAN)
    assert (asked.status_code, asked.headers["www-authenticate"]) == (401, "Bearer")
    for wrong in ("wrong", TOKEN[:-1], f"{TOKEN}x", TOKEN.upper()):
        began = time.monotonic()
        assert client.post("/api/v2/plan", json=PLAN, headers=bearer(wrong)).status_code == 401
        assert time.monotonic() - began > 0.9 * SLOWED
    assert client.post("/api/v2/plan", json=PLAN, headers=bearer(TOKEN)).status_code == 200


def _by_people(client: httpx.Client) -> None:
    away = client.get(LINK, headers=PERSON)
    assert away.status_code == 303
    form = client.get(away.headers["location"], headers=PERSON)
    onward = re.findall(r'name="next" value="([^"]*)"', form.text)[0].replace("&amp;", "&")
    assert onward == LINK
    began = time.monotonic()
    refused = client.post("/login", data={"token": "wrong", "next": onward})
    assert (refused.status_code, "set-cookie" in refused.headers) == (401, False)
    assert time.monotonic() - began > 0.9 * SLOWED
    assert 'value="/plan?kind=gaussian&amp;' in refused.text, "the way on is kept"
    for elsewhere in (
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "/x\r\nx: y",
        "javascript:1",
    ):
        assert client.post("/login", data={"token": TOKEN, "next": elsewhere}).headers["location"] == "/", elsewhere
    client.cookies.clear()
    entered = client.post("/login", data={"token": f" {TOKEN}\n", "next": onward})  # as it was pasted
    assert (entered.status_code, entered.headers["location"]) == (303, LINK)
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert TOKEN not in cookie
    assert "455 items" in client.get(LINK, headers=PERSON).text


def test_behind_a_proxy_another_name_is_known_and_cookies_are_for_https(
    serving: Callable[..., Running],
) -> None:
    server = serving("--public-url", "https://plans.example", TELLAPART_TOKEN=TOKEN)
    there = {"host": "plans.example", "origin": "https://plans.example"}
    with server.client() as client:
        known = bearer(TOKEN)
        assert client.post("/api/v2/plan", json=PLAN, headers=known | there).status_code == 200
        told = {"x-forwarded-host": "plans.example", "host": "evil"}
        assert client.post("/api/v2/plan", json=PLAN, headers=known | told).status_code == 421
        entered = client.post("/login", data={"token": TOKEN}, headers=there)
        assert entered.status_code == 303
        assert "Secure" in entered.headers["set-cookie"]
        # A form of somebody else's cannot log anybody in.
        strange = {"host": "plans.example", "origin": "https://evil.example"}
        assert client.post("/login", data={"token": TOKEN}, headers=strange).status_code == 403
    assert TOKEN not in server.said()
