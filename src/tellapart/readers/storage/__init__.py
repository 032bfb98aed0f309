"""Bytes: files, folders, archives and streams, what their heads show, and JSON and CSV in them."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.readers.storage.archive import Archive, ArchiveIndex, open_zstd

__all__ = ["Archive", "ArchiveIndex", "open_zstd"]

__getattr__ = lazy_names(__name__)
