"""Handling of Ctrl-C and SIGTERM: the first ends the command with partial results or none, the second at once.

Loaded before anything else, so it imports next to nothing.
"""

import _thread
import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
    from typing import Any, Self
else:
    import _signal as signal  # the module `signal` would load `enum` and more while nobody listens yet

CODES: dict[int, int] = {signal.SIGINT: 130, signal.SIGTERM: 143}
"""128 and the number of the signal, as shells tell of a program that a signal ended."""
WORDS: dict[int, str] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
PATIENCE = 0.7
"""Seconds that a computation which cannot be asked to stop, such as one call of a numerical library, is waited for."""
SAME = 0.1
"""Seconds within which a signal that comes again is the same one: `timeout` sends it to the command, and then to its group."""
CURSOR = b"\x1b[?25h"
"""Shows the cursor again, which a progress bar hides."""


class Interrupts:
    """Listens while a command runs; `which` is the signal that came, None while none did.

    `owns_process` is true at a command line and false where a program calls the command: only the former is ever ended from in
    here, without waiting for its threads. Signals that were ignored when the command started stay ignored.
    """

    def __init__(self, *, owns_process: bool) -> None:
        self.owns_process = owns_process
        self.which: int | None = None
        self._came = 0.0
        self.printed = "nothing was printed"
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Self":
        for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
            try:
                if signal.getsignal(number) is usual or signal.getsignal(number) == usual:
                    self._before[number] = signal.signal(number, self._stop)
            except ValueError:  # not in the main thread: whoever started it listens
                pass
        if self.owns_process and self._before:
            self._watch()
        return self

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        """Whatever comes after an interrupt comes of it: an import that was broken off says that a module is missing."""
        if self.which is None and isinstance(error, KeyboardInterrupt):
            self.which = signal.SIGINT
        self._listen_no_more()
        if self.which is None:
            return
        _print_signal(f"{WORDS[self.which]}: {self.printed}\n")
        if self.owns_process:
            _leave(CODES[self.which])
        raise SystemExit(CODES[self.which]) from None

    def _stop(self, number: int, _: "FrameType | None") -> None:
        if self.which is not None:
            if time.monotonic() - self._came > SAME:
                _interrupts_end(CODES[number])
            return
        self.which, self._came = number, time.monotonic()
        raise KeyboardInterrupt

    def _listen_no_more(self) -> None:
        """A program gets back what it had; at a command line all is said, and a signal just ends it."""
        for number, before in self._before.items():
            signal.signal(number, (lambda n, _: _interrupts_end(CODES[n])) if self.owns_process else before)

    def _watch(self) -> None:
        """End the process from a thread where the main thread is too busy to hear of a signal."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        _thread.start_new_thread(self._wait_for_signals, (reading,))

    def _wait_for_signals(self, reading: int) -> None:
        first, came = _next(reading, None), time.monotonic()
        patience: float | None = PATIENCE
        while True:
            number = _next(reading, patience)
            if number and time.monotonic() - came > SAME:
                _interrupts_end(CODES[number])
            if not number and self.which is None:
                os.write(2, f"{WORDS[first]}: {self.printed}\n".encode())
                _interrupts_end(CODES[first])
            # Once the first was heard, only a second one matters.
            patience = max(0.0, came + PATIENCE - time.monotonic()) if number else None


class SilentStream:
    """A stream that is full, closed or was never there; what `contextlib` has for this would be one more module to load."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> bool:
        return isinstance(error, OSError | ValueError | AttributeError)


def _next(reading: int, patience: float | None) -> int:
    """The next signal of ours, 0 where none came in time."""
    while select.select([reading], [], [], patience)[0]:
        number = os.read(reading, 1)[0]
        if number in CODES:
            return number
    return 0


def _print_signal(line: str) -> None:
    with SilentStream():
        sys.stderr.write(line)


def _leave(code: int) -> None:
    """Exit without waiting for threads, whose results would be thrown away."""
    for stream in (sys.stdout, sys.stderr):
        with SilentStream():
            stream.flush()
    os._exit(code)


def _interrupts_end(code: int) -> None:
    """At once."""
    if os.isatty(2):
        os.write(2, CURSOR)
    os._exit(code)
