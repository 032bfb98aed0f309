"""Sentences and notes of a comparison by a judge and a few human labels."""

from collections.abc import Iterator

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import JudgedResult
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, one_line, significant, thousands
from tellapart.foundation.formatting import pvalue as pvalue_in_words
from tellapart.foundation.surfaces import option

JUDGED: NoteTexts[Comparison] = NoteTexts()


def labels_and_judge(found: JudgedResult) -> str:
    """The sample, in a sentence to quote."""
    return f"{amount(found.labels, 'label')}, {amount(found.judged, 'item')} judged by {one_line(found.judge)}"


def labels_alone(answer: Comparison) -> str:
    """What the labels say without the judge, for the sentence to quote."""
    found = None if answer.judged is None else answer.judged.labels_alone
    if found is None or answer.judged is None or answer.judged.labels == answer.judged.judged:
        return ""
    bounds = found.interval
    return f"Labels alone: {answer.unit.confidence_interval(bounds.level, bounds.low, bounds.high)}."


def by_labels(answer: Comparison) -> bool:
    """Whether the answer is the corrected one, and not that of items all of which people labelled."""
    return answer.judged is not None and answer.judged.labels < answer.judged.judged


Bounds = tuple[float, float] | tuple[None, None]


def judged_estimates(answer: Comparison) -> Iterator[tuple[str, float, Bounds]]:
    """The difference by labels and judge, by labels, and by the judge, with bounds where there is an interval."""
    found = answer.judged
    yield "labels and judge", answer.effect, (answer.interval.low, answer.interval.high)
    if found is not None and (alone := found.labels_alone) is not None:
        yield "labels alone", alone.effect, (alone.interval.low, alone.interval.high)
    if found is not None and found.judge_alone is not None:
        yield "judge alone", found.judge_alone, (None, None)


def judged_to_settle(answer: Comparison) -> str:
    """The plan that says what these labels find; with an effect in their place, how many find it."""
    found = answer.judged
    seen = None if found is None else found.correlation["differences"]
    if found is None or seen is None or answer.verdict != "undetermined" or not answer.sd_difference:
        return ""
    command = (
        f"tellapart plan judged --sd-difference {significant(answer.sd_difference)} --judge-correlation {significant(seen.value)} "
        f"--labels {found.labels} --items {found.judged}"
    )
    apart = ", were items independent" if answer.clusters else ""
    return f"what so many labels find, or with --effect in place of --labels how many find it{apart}: {command}"


@JUDGED
def few_differ(_: Comparison, differ: int, below: int) -> str:
    return (
        f"people see a difference on {amount(differ, 'labelled item')} (fewer than {below}): two labels were added, one for each system, without which "
        "such intervals are too short"
    )


@JUDGED
def judge_adds_little(_: Comparison, labels: int, worth: float) -> str:
    return (
        f"the judge adds little: {amount(labels, 'label')} with it tell as much as {thousands(round(worth))} alone. That is no reason to switch to labels "
        "alone here: choosing by the look of the result would not cover"
    )


@JUDGED
def judge_sees_none(_: Comparison) -> str:
    return "the judge sees too little on the labelled items to learn from: labels alone decide"


@JUDGED
def judge_favours(answer: Comparison, by: float) -> str:
    name = one_line(answer.b.name if by > 0.0 else answer.a.name)
    return f"the judge favours {name}: by {answer.unit.size(abs(by))} more than people do on labelled items. The difference above is corrected for it"


@JUDGED
def labels_not_random(_: Comparison, labelled: float, unlabelled: float, pvalue: float) -> str:
    return (
        f"labelled items are unlike the others: the judge's mean difference is {significant(labelled)} on them and {significant(unlabelled)} elsewhere "
        f"({pvalue_in_words(pvalue)}). Labels have to be a random sample; where they were drawn stratum by stratum, name {option('strata')}. Items that are alike "
        "here would not prove it either"
    )


@JUDGED
def labels_miss_tails(_: Comparison, labelled: float, everywhere: float) -> str:
    return (
        f"the judge's differences spread more over all items (sd {significant(everywhere)}) than over labelled ones ({significant(labelled)}): rare large "
        "failures may be missing among the labels, and the interval then covers too seldom"
    )


@JUDGED
def labels_dropped(_: Comparison, labels: int) -> str:
    return f"{amount(labels, 'labelled item')} without a judge's score {'was' if labels == 1 else 'were'} left out"


@JUDGED
def judge_not_needed(_: Comparison) -> str:
    return "people labelled every item: the answer is theirs, and the judge is only reported on"


@JUDGED
def people_averaged(_: Comparison, people: int) -> str:
    return f"scores of up to {thousands(people)} people were averaged within items: the answer is about these people"


@JUDGED
def other_scale(_: Comparison) -> str:
    return "people and judge use other scales: the slope takes care of that, and a difference by the judge alone, or a bias, has no meaning"


@JUDGED
def means_apart(answer: Comparison, difference: float) -> str:
    return (
        f"the corrected means of the systems differ by {answer.unit.size(difference)}, each being corrected by itself; the claim is the difference "
        "above"
    )
