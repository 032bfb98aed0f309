"""A progress bar on stderr with the remaining time, for long commands; none where stderr is no terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tellapart.foundation.progress import current_listener, reporting_to

PATIENCE = 1.0
"""Seconds that a command may take before it shows how far it is."""


class Bar:
    """Shown from the first word of anything done after the patience has run out, until it is closed."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.shown: Any = None
        self.task: Any = None
        self.doing = ""
        self.closed = False

    def __call__(self, doing: str, done: float, total: float) -> None:
        early = time.monotonic() - self.started < PATIENCE or done >= total
        if self.closed or (self.shown is None and early):
            return
        if self.shown is None:
            from rich import console, progress  # noqa: PLC0415  (an optional dependency, and only what takes long needs it)

            # No stream is replaced: what older versions put in place of stderr is no terminal to whoever asks, and an answer that is
            # printed before the bar is closed would go to stderr.
            self.shown = progress.Progress(
                console=console.Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
            )
            self.shown.start()
        if doing != self.doing:
            if self.task is not None:
                self.shown.remove_task(self.task)
            self.task, self.doing = self.shown.add_task(doing, total=total), doing
        self.shown.update(self.task, completed=done, total=total)

    def close(self) -> None:
        self.closed = True
        if self.shown is not None:
            self.shown.stop()
            self.shown = None


@contextmanager
def progress_bar() -> Iterator[None]:
    """Show how far whatever is computed has come, if a terminal is there to show it."""
    if not sys.stderr.isatty():
        yield
        return
    bar = Bar()
    try:
        with reporting_to(bar):
            yield
    finally:
        bar.close()


def close_bar() -> None:
    """Close the bar before other output is printed."""
    shown = current_listener()
    if isinstance(shown, Bar):
        shown.close()


def simulation_progress() -> Callable[[int, int], None] | None:
    """The progress listener for a simulation that counts by itself; None without one."""
    told = current_listener()
    return None if told is None else lambda done, total: told("simulating", done, total)
