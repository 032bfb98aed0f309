"""Refuses and notes every address that is not this machine's; Python imports it by its name in whatever the suite starts."""

import ipaddress
import os
import sys
from typing import Any

LOG = "TELLAPART_NETWORK_LOG"
"""The variable that names the file of notes."""
HERE = frozenset(("", "localhost", "0.0.0.0", "::"))  # noqa: S104  (nothing is bound)
DATAGRAMS = 2


def host_of(event: str, arguments: tuple[Any, ...]) -> str | None:
    """Whom a call would reach; None where it is nobody else, or is another kind of call."""
    if event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        host = arguments[0]
        return host.decode() if isinstance(host, bytes) else host if isinstance(host, str) else None
    if event not in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        return None
    end, place = arguments[:2]
    # Connecting a socket of datagrams sends nothing: programs ask by it which address they have.
    if not isinstance(place, tuple) or (event == "socket.connect" and end.type & 0xF == DATAGRAMS):
        return None
    return str(place[0])


def is_here(name: str | None) -> bool:
    if name is None or name in HERE or name == os.uname().nodename:
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith("socket.") and not is_here(host := host_of(event, arguments)):
        with open(os.environ[LOG], "a", encoding="utf-8") as log:  # noqa: PTH123  (early, and everywhere)
            log.write(f"{event} {host}\n")
        raise PermissionError(f"the suite reaches out: {event} {host}")


if os.environ.get(LOG):
    sys.addaudithook(guard)
