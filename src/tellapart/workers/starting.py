"""Processes that are started import the script that started them: one that asks for more of them while it is imported cannot have them."""

import multiprocessing
from typing import Any

from tellapart.errors import UsageError

GUARD = (
    'Each of them imports the script that asks: put what it runs under the line `if __name__ == "__main__":`, or ask for threads, which need '
    "no such line"
)


def refuse_while_imported() -> None:
    """Where this very process is one that was started, and is still importing the script."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise UsageError(f"this script asks for worker processes while one of them imports it. {GUARD}")


def unstarted(said: Any) -> UsageError:
    """What is said where none of them came as far as to compute."""
    return UsageError(
        f"worker processes ended while they were started ({said}; Python says more above). {GUARD}"
    )
