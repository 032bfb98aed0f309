"""What a block of work frees is kept for the next one, in a process that does nothing else."""

import functools

from tellapart import arrays

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""The names that glibc's `mallopt` has for these."""
KEPT, LARGEST = 1 << 28, 1 << 25
"""Bytes that stay with the process, and the largest piece that is taken from them: glibc allows no more."""


@functools.cache
def keep_freed_memory() -> None:
    """Else every block asks the system for its megabytes anew, page by page, which takes as long as the work itself.

    Said in so many words: the hint that does elsewhere is not heard where the environment names a threshold, and Dask leaves one in that
    of its workers and of whoever starts them.
    """
    import ctypes  # noqa: PLC0415  (workers alone need it)

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):  # another system, another allocator
        arrays.keep_freed_memory()
        return
    mallopt(TRIM_THRESHOLD, KEPT)
    mallopt(MMAP_THRESHOLD, LARGEST)
