"""Hashes of data, against hashlib."""

import hashlib

from tellapart.foundation.seeds import digest, fingerprint, shown


def test_pieces_are_hashed_one_after_the_other() -> None:
    """SHA-256 of all bytes, however they are cut, from a list or as they come."""
    expected = hashlib.sha256(b"scores of a").hexdigest()
    assert digest([b"scores ", b"of a"]) == expected
    assert digest(piece for piece in (b"scores of", b" a")) == expected


def test_what_is_printed() -> None:
    """The name of the hash and its first sixteen digits."""
    full = digest([b"a"])
    assert fingerprint([b"a"]) == shown(full) == f"sha256:{full[:16]}"
    assert fingerprint([b"a"]) != fingerprint([b"b"])
