"""Access control of the server: host names, allowed origins, and tokens or sessions.

Everything here looks at the head of a request alone. What is refused is refused before its body is read.
"""

import hmac
import ipaddress
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import SplitResult, urlsplit

from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import digest

COOKIE = "tellapart_session"
SESSION_SECONDS = 12 * 3600
"""Half a day: who works with it logs in once in the morning."""
MOST_SESSIONS = 1_000
"""The oldest gives way: a program that logs in again and again fills no memory."""
SLOWED = 1.0
"""Seconds that a wrong token delays the reply."""

_CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    ("content-security-policy", _CONTENT),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("x-frame-options", "DENY"),
)
"""On every answer: nothing of elsewhere runs, nothing is guessed, told on, kept or framed."""


@dataclass(frozen=True)
class Names:
    """The hosts and origins that this server goes by."""

    hosts: frozenset[str]
    origins: frozenset[str]
    everywhere: bool = False
    """Whether it listens on every address of the machine: then the address that somebody reached is a name too."""

    @classmethod
    def of(cls, host: str, port: int, public_url: str | None = None) -> "Names":
        names = {host, "localhost", "127.0.0.1", "[::1]"} if is_loopback(host) else {host}
        names = {f"[{name}]" if ":" in name and not name.startswith("[") else name for name in names}
        hosts = {f"{name}:{port}" for name in names} | (names if port == 80 else set())
        origins = {f"http://{one}" for one in hosts}
        if public_url is not None:
            url = _public(public_url)
            hosts.add(url.netloc.lower())
            origins.add(f"{url.scheme}://{url.netloc}".lower())
        return cls(
            frozenset(one.lower() for one in hosts), frozenset(one.lower() for one in origins), _is_every_address(host)
        )

    def at(self, reached: tuple[str, int] | None) -> "Names":
        """With the address that a connection reached: a number, which no name of somebody else's can stand for."""
        if not self.everywhere or reached is None:
            return self
        here = Names.of(*reached)
        return Names(self.hosts | here.hosts, self.origins | here.origins)


def _public(url: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise UsageError(f"--public-url is {url!r}; wanted an address such as https://plans.example.org")
    return parts


def _is_every_address(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass
class Sessions:
    """Browsers that logged in: random names that say nothing, kept as long as the server runs or half a day."""

    token: str
    secure: bool = False
    """Whether browsers reach us by https alone."""
    _known: dict[str, float] = field(default_factory=dict)

    def knows_token(self, given: str) -> bool:
        """In a time that tells nothing of the token, nor of its length."""
        return hmac.compare_digest(_digest(self.token), _digest(given))

    def begin(self) -> str:
        now = time.monotonic()
        self._known = {name: until for name, until in self._known.items() if until > now}
        while len(self._known) >= MOST_SESSIONS:
            self._known.pop(next(iter(self._known)))
        name = secrets.token_urlsafe(32)
        self._known[_digest(name)] = now + SESSION_SECONDS
        return name

    def knows(self, name: str) -> bool:
        # By digest: looking up a hash tells nothing of how much of the name was right.
        return self._known.get(_digest(name), 0.0) > time.monotonic()


def _digest(name: str) -> str:
    return digest([name.encode("utf-8", "replace")])


Heads = Mapping[str, str]


def refusal(names: Names, method: str, heads: Heads) -> tuple[int, str] | None:
    """Why a request is not for us, or comes from a page that is not ours; None where it may go on."""
    if heads.get("host", "").lower() not in names.hosts:
        return (
            421,
            "this server does not go by that name (the Host of the request); start it with --public-url to give it another",
        )
    origin, site = heads.get("origin"), heads.get("sec-fetch-site", "none")
    # A browser that tells nobody where it was (no-referrer) says null of our own forms too, and beside it that they are ours.
    ours = origin is None or origin.lower() in names.origins or (origin == "null" and site == "same-origin")
    if not ours:
        return 403, "the request comes from a page of another origin"
    if site not in {"same-origin", "none"} and not _navigates(method, heads):
        return 403, "the request comes from a page of another site"
    return None


def _navigates(method: str, heads: Heads) -> bool:
    """Whether the request follows a link: it opens a page, which only its reader sees."""
    return (
        method in {"GET", "HEAD"}
        and heads.get("sec-fetch-mode") == "navigate"
        and heads.get("sec-fetch-dest") == "document"
    )


def from_elsewhere(heads: Heads) -> bool:
    """Whether a page was opened from another site, which must not make us work hard."""
    return heads.get("sec-fetch-site", "none") not in {"same-origin", "none"}


def bearer(heads: Heads) -> str | None:
    scheme, _, token = heads.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def session(heads: Heads) -> str | None:
    try:
        found = SimpleCookie(heads.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return None if found is None else found.value
