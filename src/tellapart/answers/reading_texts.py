"""Sentences of the notes on how scores were read, shared by all kinds of answers."""

from typing import Any

from tellapart.answers.parts import Note
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, first_of, one_line, thousands
from tellapart.foundation.surfaces import option, verb

# What became of those who computed, in words; answers of every kind that may take long repeat it.

STOPPED: NoteTexts[Any] = NoteTexts()
"""Of answers that may be partial, and whose parts may be kept in a store."""


@STOPPED
def mixed_workers(_: Any, unlike: list[str]) -> str:
    return f"some workers are unlike this machine ({'; '.join(unlike)}): computed elsewhere, or here again, the last digits may differ"


@STOPPED
def work_lost(_: Any, work: str, times: int) -> str:
    return (
        f"{work}: every worker that it was given to was lost ({times} of them, at last with nothing else to do), and all that comes after "
        "it is left out; it may need more memory than a worker has"
    )


@STOPPED
def not_stored(_: Any, file: str, failure: str) -> str:
    return f"not all of this could be kept in {file} ({failure}); the answer does not depend on it, and what was kept before is still there"


def cut_short(notes: tuple[Note, ...]) -> str:
    """A partial answer says so in its sentence, so that quotes of it do too."""
    return "".join(
        f" {note.text[:1].upper()}{note.text[1:]}." for note in notes if note.code in {"interrupted", "time_limit"}
    )


READING: NoteTexts[Any] = NoteTexts()


@READING
def unretrieved_queries(_: Any, system: str, queries: int, of: int, first: str, *, left_out: bool) -> str:
    done = "left out for all systems" if left_out else "scored 0"
    return (
        f"{one_line(system)} retrieved nothing for {thousands(queries)} of {thousands(of)} judged queries "
        f"(first: {first!r}), {_which(queries)} {done}"
    )


@READING
def unjudged_queries(_: Any, system: str, queries: int, first: str) -> str:
    return f"{_reading_queries(queries)} of {one_line(system)} (first: {first!r}) {_have(queries)} no judgements and {_was(queries)} left out"


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
def raters_fixed(_: Any, raters: int) -> str:
    return (
        f"ratings by {thousands(raters)} raters were averaged within each item: the answer is about these raters "
        "only, and others may disagree"
    )


@READING
def one_rater(_: Any, rater: str) -> str:
    return f"all was judged by one rater, {one_line(rater)}: another may judge otherwise, and how differently cannot be seen here"


@READING
def default_measure(_: Any, measure: str, others: list[str], more: int) -> str:
    left = f"{', '.join(map(one_line, others))}{f' and {thousands(more)} more' if more else ''}"
    return f"{one_line(measure)} was taken, the number that the program itself reports; {option('measure')} picks another: {left}"


@READING
def default_axis(_: Any, axis: str, value: str, others: list[str]) -> str:
    taken = f"rows of {axis} {one_line(value)}" if value else f"rows without a {axis}"
    return f"only {taken} were taken; {option('where', f'{axis}=…')} picks another: {', '.join(map(one_line, others))}"


@READING
def direction_assumed(_: Any) -> str:
    return f"no file says which scores are better: higher ones were taken for it; {option('lower_is_better')} says otherwise"


@READING
def direction_by_name(_: Any, name: str, *, several: bool = False) -> str:
    other = option("direction", f"{one_line(name)}=higher") if several else option("higher_is_better")
    return f"lower {one_line(name)} was taken as better because of its name; if not, pass {other}"


@READING
def perhaps_lower(_: Any, name: str) -> str:
    return (
        f"of what is called {one_line(name)} less is usually better, and more was taken for better: {option('lower_is_better')} turns "
        f"the verdict, {option('higher_is_better')} confirms it"
    )


@READING
def failures_left_out(_: Any, system: str, errors: int, of: int) -> str:
    return (
        f"{thousands(errors)} of {thousands(of)} evaluations of {one_line(system)} failed and {_have(errors)} no score: leaving "
        f"{_them(errors)} out may favour the system that failed; {option('errors', 'zero')} counts {_them(errors)} as 0"
    )


@READING
def empty_hypotheses(_: Any, system: str, lines: int, of: int) -> str:
    return f"{one_line(system)} wrote nothing on {thousands(lines)} of {thousands(of)} lines: they count as empty hypotheses"


@READING
def empty_references(_: Any, file: str, lines: int, of: int) -> str:
    return f"{thousands(lines)} of {thousands(of)} lines of {one_line(file)} are empty references"


@READING
def byte_order_mark(_: Any, file: str, **__: Any) -> str:
    return f"{one_line(file)} begins with a byte-order mark, which is kept as a part of its first segment, as sacrebleu keeps it"


@READING
def looks_tokenised(_: Any, system: str, lines: int, of: int) -> str:
    return (
        f"{thousands(lines)} of {thousands(of)} lines of {one_line(system)} end in a blank and a full stop: the text looks tokenised, "
        "and metrics of texts tokenise for themselves; give them plain text"
    )


@READING
def failures_as_zero(_: Any, system: str, errors: int, of: int) -> str:
    return f"{thousands(errors)} of {thousands(of)} evaluations of {one_line(system)} failed and {_was(errors)} counted as 0"


@READING
def paired_by_text(_: Any, items: int, of: int) -> str:
    return (
        f"the ids of {thousands(items)} of {thousands(of)} items stand for another question in another file, so items are paired by the text of "
        "their question"
    )


@READING
def unfinished_source(_: Any, file: str, because: str) -> str:
    return f"{one_line(file)} did not come to its end ({because}): what it has may not be like what it lacks"


@READING
def time_left_out(_: Any, column: str) -> str:
    name = one_line(column)
    return (
        f"column {name!r} says when items were scored and was taken for no system: {verb('compare')} with {option('by', name)} holds its groups "
        f"against each other; if it is a system, name it ({option('a')}, {option('b')} or {option('systems')})"
    )


@READING
def columns_left_out(_: Any, columns: list[str]) -> str:
    names = ", ".join(map(one_line, columns))
    return (
        f"by name, {names} {_was(len(columns))} taken for no score: name two systems with {option('a')} and {option('b')}, or a score with "
        f"{option('measure')}, to choose yourself"
    )


@READING
def other_measures(_: Any, measure: str, others: list[str]) -> str:
    return f"{one_line(measure)} was taken as the score; {option('measure')} picks another: {', '.join(map(one_line, others))}"


@READING
def judge_alone(_: Any, judge: str, human: str) -> str:
    return (
        f"{one_line(judge)} is a judge's score, and no interval here holds the judge's own error. People's lies beside it: correct the judge by it with "
        f"{verb('compare')}, {option('human', human)} {option('judge', judge)}"
    )


@READING
def summary_rows_left_out(_: Any, names: list[str]) -> str:
    rows = ", ".join(map(one_line, names))
    return f"rows called {rows} were left out: their scores are the mean or the sum of the others"


@READING
def other_encoding(_: Any, file: str, encoding: str) -> str:
    return (
        f"{one_line(file)} is not UTF-8 and was read as {encoding}: check names with accents or other special letters"
    )


@READING
def wide_margin(_: Any, margin: float, range: float) -> str:  # noqa: A002  (its values by their names)
    return f"a margin of {margin:g} is more than half of what two scores can differ by ({range:g}): is it meant in these units?"


@READING
def equal_records(_: Any, files: list[str]) -> str:
    return f"{' and '.join(map(one_line, files))} hold the same scores on the same items: is one a copy of the other?"


@READING
def micro_is_accuracy(_: Any, metric: str) -> str:
    return f"{metric} is the share of right predictions here, for every item has one label and one prediction: the same number as accuracy"


@READING
def few_labels(_: Any, labels: int, below: int, name: str | None = None, classes: int = 0) -> str:
    """Of a class, or of people's labels beside a judge."""
    if name is None:
        return f"{amount(labels, 'label')} (fewer than {below}) are few: the interval is wide, and rare failures may not be among them"
    others = f" ({thousands(classes)} classes have fewer than {below})" if classes > 1 else f" (fewer than {below})"
    return (
        f"class {name!r} has {amount(labels, 'label')}{others}, too few to know how well it is recognised: with 1 label of the class that decides 95 % "
        "intervals of F1 held the truth 25 % of the time, with 3 68 to 81 %, with 10 as promised"
    )


@READING
def predictions_outside(  # noqa: PLR0913, PLR0917  (what the note is about)
    _: Any, system: str, predictions: int, of: int, others: list[str], metric: str, scikit_learn: float | None
) -> str:
    told = (
        ""
        if scikit_learn is None
        else f"; scikit-learn, which averages over them too, says {scikit_learn:.4f} for {metric}"
    )
    return (
        f"{thousands(predictions)} of {thousands(of)} predictions of {one_line(system)} are not a class of the "
        f"labels ({', '.join(map(one_line, others))}): they are wrong{told}"
    )


@READING
def nothing_matched(_: Any, system: str) -> str:
    return f"nothing that {one_line(system)} wrote matches its references: it scores 0"


@READING
def unmatched_orders(_: Any, system: str, orders: list[int], smooth: str) -> str:
    named = ", ".join(map(str, orders))
    made = "so that BLEU is 0" if smooth == "none" else f"and smoothing ({smooth}) stands in for them"
    return f"{one_line(system)} has no match of n-grams of order {named}, {made}"


def _reading_queries(count: int) -> str:
    return "1 query" if count == 1 else f"{thousands(count)} queries"


def _which(count: int) -> str:
    return "which is" if count == 1 else "which are"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _them(count: int) -> str:
    return "it" if count == 1 else "them"


# What is said of a column that items are sliced by.

SLICED: NoteTexts[Any] = NoteTexts()

MOST_NAMED = 8
"""Slices that a note names one by one."""


@SLICED
def slices_left_out(_: Any, column: str, slices: list[dict[str, int | str]], below: int) -> str:
    named = first_of([f"{one_line(str(one['slice']))} ({one['items']})" for one in slices], MOST_NAMED)
    return (
        f"slices of {one_line(column)} that are not judged, with fewer than {below} items (clusters, where there are some) or no spread: "
        f"{named}"
    )


@SLICED
def slices_blank(_: Any, column: str, items: int) -> str:
    return f"{amount(items, 'item')} without {one_line(column)}: in no slice of it, and in the answer about all items"


@SLICED
def slices_overlap(_: Any, column: str) -> str:
    return f"slices of {one_line(column)} share items, so that their effects hang together"
