"""Python functions of the verbs, with the options of a question as keyword arguments."""

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import tellapart
from tellapart.answers.answer import Answer
from tellapart.answers.texts import add_text
from tellapart.foundation.blas_threads import ONE_THREAD
from tellapart.foundation.errors import UsageError, nearest
from tellapart.foundation.spelling import right_option
from tellapart.foundation.surfaces import spell_marks

Options = ParamSpec("Options")
Asked = TypeVar("Asked")
Subject = TypeVar("Subject")
Answered = TypeVar("Answered", bound=Answer)


@dataclass(frozen=True)
class SubjectOptions:
    """A subject that may be told by options of its own, which stand among those of the question."""

    options: Iterable[str]
    subject: Callable[[Any, dict[str, Any]], Any]
    """Makes it of what was given first, or None, and of the options that were given."""


def python_verb(
    name: str,
    question: Callable[Options, Asked],
    answer: Callable[[Subject, Asked], Answered],
    describing: SubjectOptions | None = None,
) -> Callable[Concatenate[Subject, Options], Answered]:
    """The verb as Python calls it: the options of its question are its parameters, listed nowhere else, and its answer has words.

    Another door makes the question itself, calls `answer`, and has the words spelled its own way.
    """
    signature, make = _signature(question, answer), cast("Callable[..., Asked]", question)
    if describing is not None:
        signature = _described(signature, describing.options)

    @functools.wraps(answer)
    def ask(*given: Any, **named: Any) -> Answered:
        _refuse_unknown(name, signature, named)
        options = _bound(name, signature, given, named)
        _refuse_scores_as_names(name, options)
        subject = options.pop(_first(signature), None)
        if describing is not None:
            own = {one: options.pop(one) for one in describing.options if one in options}
            subject = describing.subject(subject, own)
        with ONE_THREAD:
            return add_text(answer(subject, _as_planned(make(**options), options)))

    ask.__name__ = ask.__qualname__ = name
    ask.__signature__ = signature  # type: ignore[attr-defined]  # what inspect and help() read
    return ask


GATES, GATED = ("require", "fail_on"), ("compare", "rank")
"""Flags that in Python are a method of the answer, and the commands that have them."""


def _as_planned(question: Asked, given: Iterable[str]) -> Asked:
    """A question that names a plan, with what the plan says in place of what was not given."""
    if getattr(question, "plan", None) is None:
        return question
    followed: Asked = cast(Any, question).as_planned(list(given))
    return followed


def _signature(question: Callable[..., Any], answer: Callable[..., Any]) -> inspect.Signature:
    """The verb's subject, then the question's options."""
    own = inspect.signature(answer)
    subject = next(iter(own.parameters.values()))
    return own.replace(parameters=[subject, *inspect.signature(question).parameters.values()])


def _described(signature: inspect.Signature, options: Iterable[str]) -> inspect.Signature:
    """The signature with an optional subject and options that describe it."""
    subject, *rest = signature.parameters.values()
    # By place alone: what is given by name is one of its options.
    first = subject.replace(kind=inspect.Parameter.POSITIONAL_ONLY, default=None)
    own = [inspect.Parameter(one, inspect.Parameter.KEYWORD_ONLY, default=None) for one in options]
    return signature.replace(parameters=[first, *rest, *own])


def _bound(verb: str, signature: inspect.Signature, given: Any, named: dict[str, Any]) -> dict[str, Any]:
    """The arguments by parameter name; a call that does not fit names the verb and its parameters."""
    try:
        return signature.bind(*given, **named).arguments
    except TypeError as error:
        by_place = [one.name for one in signature.parameters.values() if one.kind is not one.KEYWORD_ONLY]
        raise TypeError(
            f"{verb}(): {error}; it takes {' and '.join(by_place)} by place, and the rest by name"
        ) from None


def _refuse_scores_as_names(verb: str, options: dict[str, Any]) -> None:
    """Systems are named, and their scores are given together: the second of two arrays is no name."""
    for side in ("a", "b"):
        if hasattr(options.get(side), "__len__") and not isinstance(options[side], str):
            raise UsageError(
                f"{side} is the name of a system, found a {type(options[side]).__name__}. Give the scores of all systems as one mapping: "
                f"{verb}({{'base': …, 'new': …}})"
            )


def _first(signature: inspect.Signature) -> str:
    return next(iter(signature.parameters))


def _refuse_unknown(verb: str, signature: inspect.Signature, named: dict[str, Any]) -> None:
    for name, value in named.items():
        if name in GATES and verb in GATED:
            said = f"require({'' if name == 'require' else f'{name}='}{value!r})"
            raise TypeError(f"{verb}() takes no {name!r}; ask its answer: .{said}")
        if name not in signature.parameters:
            if (maker := _maker(verb, name)) is not None:
                raise TypeError(f"{verb}() takes no {name!r}, {maker}() does: {verb}({maker}(…, {name}={value!r}))")
            right = right_option(name, signature.parameters) or nearest(name, signature.parameters)
            raise TypeError(f"{verb}() takes no {name!r}; {spell_marks(right, 'python')}")


def _maker(verb: str, option: str) -> str | None:
    """The function that makes the subject of this verb, where the option belongs to it."""
    if verb == "audit":
        return "Claim" if option in inspect.signature(tellapart.Claim).parameters else None
    reads = verb in GATED or verb == "agreement"
    return "read" if reads and option in inspect.signature(tellapart.read).parameters else None
