"""Who does what takes long in an answer, as a question names them."""

from dataclasses import dataclass
from typing import Any

from tellapart.spelling import Question, setting


@dataclass(frozen=True)
class Worked(Question):
    """Base of the questions whose answers may take long."""

    executor: Any = setting(None, flag=False)
    """Who resamples: a number of threads, another spelling of workers, or a `concurrent.futures.Executor`; the answer is the same."""
    mixed: bool = setting(default=False, flag=False)
    """Whether workers may be unlike this process, in versions or in what they compute."""
