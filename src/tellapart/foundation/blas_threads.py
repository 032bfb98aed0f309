"""Limits on the threads of BLAS libraries: a single one while an answer is computed.

Our work is many small matrices, shared out among workers of our own: threads of a library below them wait for each other
longer than they compute (fourteen seconds for what takes one and a half, on two busy cores).
"""

import os
import sys
from _thread import allocate_lock, get_ident  # `threading` is not worth its start-up here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "ARROW_NUM_THREADS")
"""Environment variables that limit the threads of numeric libraries; read only when those are loaded."""
BLAS = NAMES[:3]


def leave_threads_to_us() -> None:
    """Limit a process of our own to one thread at its start, unless its environment says otherwise."""
    for name in BLAS:
        os.environ.setdefault(name, "1")


class OneThread:
    """Limits BLAS to one thread in a process that already loaded it: `with ONE_THREAD` around an answer.

    Whoever comes first sets it and puts back what was, so that nobody ever puts back what another one set; those who come
    meanwhile let it be.
    """

    def __init__(self) -> None:
        self._owner: int | None = None
        self._depth = 0
        self._limit: Any = None
        self._known: tuple[bool, Any] | None = None
        self._lock = allocate_lock()
        # Asked once, at import: Dask sets these names later, in the process that starts its workers, where no library reads them any more.
        self.set_by_user = any(name in os.environ for name in BLAS)

    def __enter__(self) -> None:
        if self.set_by_user:
            return
        with self._lock:
            if self._owner is None:
                self._limit = self._libraries().limit(limits=1, user_api="blas")
                self._owner = get_ident()
            self._depth += self._owner == get_ident()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= self._owner == get_ident()
            if self._owner == get_ident() and not self._depth:
                self._limit.restore_original_limits()
                self._owner = None

    def _libraries(self) -> "Any":
        """Those that are loaded; looked for again where SciPy has brought its own since."""
        brought = "scipy.linalg" in sys.modules
        if self._known is None or self._known[0] != brought:
            from threadpoolctl import ThreadpoolController  # noqa: PLC0415  (a command never needs it)

            self._known = brought, ThreadpoolController()
        return self._known[1]


ONE_THREAD = OneThread()
