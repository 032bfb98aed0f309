"""What became of those who computed, in words; answers of every kind that may take long repeat it."""

from typing import Any

from tellapart.words.sayings import Sayings

WORKERS: Sayings[Any] = Sayings()


@WORKERS
def mixed_workers(_: Any, unlike: list[str]) -> str:
    return f"some workers are unlike this machine ({'; '.join(unlike)}): computed elsewhere, or here again, the last digits may differ"
