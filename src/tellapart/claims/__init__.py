"""Published comparisons: what was reported, and which results allow it. Numbers count as printed, with their rounding."""

from tellapart.claims.claim import Claim

__all__ = ["Claim"]
