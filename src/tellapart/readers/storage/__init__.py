"""Access to stored bytes: files, folders, archives and streams, previews of them, and JSON and CSV parsing."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.readers.storage.archive import Archive, ArchiveIndex, open_zstd

__all__ = ["Archive", "ArchiveIndex", "open_zstd"]

__getattr__ = lazy_names(__name__)
