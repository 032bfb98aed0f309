"""How large an archive may become."""

import pytest

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.limits import SMALL, Limits


def test_an_archive_is_held_against_its_own_size() -> None:
    """Past what is small anyway, five hundred times its size and no more."""
    limits = Limits()
    stored = SMALL // 100
    limits.refuse_large("a.gz", 500 * stored, stored)
    limits.refuse_large("a.gz", SMALL, 1)
    with pytest.raises(ReadError, match="500 times its size"):
        limits.refuse_large("a.gz", 500 * stored + 1, stored)
    with pytest.raises(ReadError, match="500 times its size"):
        limits.refuse_large("a.gz", SMALL + 1, 1)
