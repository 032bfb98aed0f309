"""Finished blocks of long computations in one file: what was stopped goes on where it was, to the same bits."""

from tellapart.compute.store.file import Store, StoredStudy

__all__ = ["Store", "StoredStudy"]
