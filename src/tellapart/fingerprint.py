"""A name for a piece of data that depends on its bytes alone: equal for equal scores, whatever file they came from."""

from collections.abc import Iterable

SHOWN = 16
"""Hexadecimal digits that are printed: 64 bits, so that any two of a million data sets share them with a chance of one in 37 million."""


def digest(pieces: "Iterable[bytes | memoryview]") -> str:
    """The SHA-256 of the pieces one after the other, in hexadecimal; say in the pieces where one ends and the next begins."""
    import hashlib  # noqa: PLC0415  (only real scores have a fingerprint)

    running = hashlib.sha256()
    for piece in pieces:
        running.update(piece)
    return running.hexdigest()


def fingerprint(pieces: "Iterable[bytes | memoryview]") -> str:
    """The first digits of the digest, with the name of the hash in front.

    >>> fingerprint([b"scores"])
    'sha256:a6235752ef51e86c'
    """
    return shown(digest(pieces))


def shown(full: str) -> str:
    """A digest as it is printed."""
    return f"sha256:{full[:SHOWN]}"
