"""A verb makes an answer of its subject and a question; users of Python give the question's options one by one."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from tellapart.doors import spelled
from tellapart.errors import nearest
from tellapart.results.answer import Answer
from tellapart.spelling import right_option
from tellapart.words import tell

Options = ParamSpec("Options")
Asked = TypeVar("Asked")
Subject = TypeVar("Subject")
Answered = TypeVar("Answered", bound=Answer)


def asking(
    name: str, question: Callable[Options, Asked], answer: Callable[[Subject, Asked], Answered]
) -> Callable[Concatenate[Subject, Options], Answered]:
    """The verb as Python calls it: the options of its question are its parameters, listed nowhere else, and its answer has words.

    Another door makes the question itself, calls `answer`, and has the words spelled its own way.
    """
    signature, make = _signature(question, answer), cast("Callable[..., Asked]", question)

    @functools.wraps(answer)
    def ask(*given: Any, **named: Any) -> Answered:
        _refuse_unknown(name, signature, named)
        options = signature.bind(*given, **named).arguments
        subject = options.pop(next(iter(signature.parameters)))
        return tell(answer(subject, make(**options)))

    ask.__name__ = ask.__qualname__ = name
    ask.__signature__ = signature  # type: ignore[attr-defined]  # what inspect and help() read
    return ask


def _signature(question: Callable[..., Any], answer: Callable[..., Any]) -> inspect.Signature:
    """The verb's subject, then the question's options."""
    own = inspect.signature(answer)
    subject = next(iter(own.parameters.values()))
    return own.replace(parameters=[subject, *inspect.signature(question).parameters.values()])


def _refuse_unknown(verb: str, signature: inspect.Signature, named: dict[str, Any]) -> None:
    for name in named:
        if name not in signature.parameters:
            right = right_option(name, signature.parameters) or nearest(name, signature.parameters)
            raise TypeError(f"{verb}() takes no {name!r}; {spelled(right, 'python')}")
