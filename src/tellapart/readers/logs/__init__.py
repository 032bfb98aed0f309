"""Logs of evaluation programs: rows of many files, reduced to one measure and one value per axis."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.readers.logs.combine import refuse_unfit_groups
    from tellapart.readers.logs.reading import read_logs

__all__ = ["read_logs", "refuse_unfit_groups"]

__getattr__ = lazy_names(__name__)
