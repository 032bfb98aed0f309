"""Store of finished blocks in one file, from which interrupted computations resume with bit-identical results."""

from tellapart.compute.store.file import Store, StoredStudy

__all__ = ["Store", "StoredStudy"]
