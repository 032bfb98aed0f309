"""Flags of commands that read files: which logs are taken and how, and the one that lets larger files through than usual."""

from typing import Any

from tellapart.cli.mapping import mapping
from tellapart.doors import verb
from tellapart.spelling import setting


def partial_setting() -> Any:
    return setting(default=False, help="Read also logs of evaluations that did not come to their end.")


def runs_setting() -> Any:
    return setting(None, "Two runs of one system: systems of their own, repeats of one, or the latest alone.")


def format_setting() -> Any:
    return setting(
        None,
        f"Which format the files have, where their content leaves it open (see {verb('formats')}).",
        metavar="NAME",
    )


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
