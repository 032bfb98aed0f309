"""Failures of the machine, of a file or of an archive, as refusals that say what to do."""

import gzip
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tellapart.errors import NoSuchFile, ReadError

if TYPE_CHECKING:
    pass


@contextmanager
def in_words(name: str) -> Iterator[None]:
    """Failures of the machine as refusals that say what to do."""
    try:
        yield
    except FileNotFoundError:
        if re.match(r"[a-z][a-z0-9+.-]+://", name):
            raise ReadError(
                f"{name}: addresses are not fetched. Download the file, and pass its path"
            ) from None
        raise NoSuchFile(f"{name}: there is no such file. Check the path", name) from None
    except PermissionError:
        raise ReadError(f"{name}: permission to read it is denied. Check its owner and mode") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ReadError(f"{name}: damaged gzip ({error}). Fetch or write the file again") from None
    except RecursionError:
        raise  # a RuntimeError too, but of whoever reads the content
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        way = (
            "Is it whole? Fetch or write it again"
            if isinstance(error, zipfile.BadZipFile)
            else "Unpack it and pass the files"
        )
        raise ReadError(f"{name}: a zip archive that cannot be read ({error}). {way}") from None
    except OSError as error:
        raise ReadError(f"{name}: cannot be read ({error.strerror or error})") from None
