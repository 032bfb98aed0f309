"""What reading the scores left to say, in words; answers of every kind that are made of scores repeat it."""

from typing import Any

from tellapart.wording import one_line, thousands
from tellapart.words.sayings import Sayings

READING: Sayings[Any] = Sayings()


@READING
def unretrieved_queries(_: Any, system: str, queries: int, of: int, first: str, *, left_out: bool) -> str:
    done = "left out for all systems" if left_out else "scored 0"
    return (
        f"{one_line(system)} retrieved nothing for {thousands(queries)} of {thousands(of)} judged queries "
        f"(first: {first!r}), {_which(queries)} {done}"
    )


@READING
def unjudged_queries(_: Any, system: str, queries: int, first: str) -> str:
    return f"{_queries(queries)} of {one_line(system)} (first: {first!r}) {_have(queries)} no judgements and {_was(queries)} left out"


@READING
def queries_without_relevant(_: Any, queries: int, of: int, first: str) -> str:
    return (
        f"{thousands(queries)} of {thousands(of)} judged queries (first: {first!r}) {_have(queries)} no relevant document: "
        "every system scores 0 there"
    )


@READING
def negative_relevance(_: Any, judgements: int, first: str) -> str:
    each = "1 judgement is" if judgements == 1 else f"{thousands(judgements)} judgements are"
    return f"{each} negative (first: query {first!r}) and counted as relevance 0"


@READING
def one_rater(_: Any, rater: str) -> str:
    return f"all was judged by one rater, {one_line(rater)}: another may judge otherwise, and how differently cannot be seen here"


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{thousands(count)} queries"


def _which(count: int) -> str:
    return "which is" if count == 1 else "which are"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"
