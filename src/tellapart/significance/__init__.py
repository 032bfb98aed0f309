"""One file a test; importing this room registers them all."""

from tellapart.significance import paired_t, sign  # noqa: F401  (registration)
from tellapart.significance.procedure import TESTS, Outcome, Procedure

__all__ = ["TESTS", "Outcome", "Procedure"]
