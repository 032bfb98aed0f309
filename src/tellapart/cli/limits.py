"""The flag that lets larger files through than usual, of every command that reads any."""

from typing import Any

from tellapart.cli.mapping import mapping
from tellapart.spelling import setting


def limit_setting() -> Any:
    return setting(
        (),
        "Take larger files than usual: bytes (8 GiB once unpacked), ratio (500 times its size, past 64 MiB), line (64 MiB), "
        "record (256 MiB), columns (100000), nesting (200), members (200000), entries (100000), depth (8).",
        metavar="LIMIT=N",
    )


def limits_of(given: tuple[str, ...]) -> dict[str, str]:
    """What the flag says, by the name of the limit."""
    return mapping("limit", given, "limit=number", "bytes=1e10")
