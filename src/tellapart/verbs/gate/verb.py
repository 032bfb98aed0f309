"""Did this change make it worse? A loss that matters must be excluded for it to pass."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tellapart.decision import GateVerdict
from tellapart.errors import DataError
from tellapart.readers.sides import read_sides
from tellapart.results.comparison import Needed
from tellapart.results.gated import Check, Gate
from tellapart.results.note import Note
from tellapart.scores import Scores
from tellapart.significance import NonInferiority
from tellapart.verbs.asking import asking
from tellapart.verbs.compare import comparison
from tellapart.verbs.compare.detectable import POWER, for_margin, margin_test
from tellapart.verbs.compare.systems import two_systems
from tellapart.verbs.deviations import Run, check, created, only_dataset
from tellapart.verbs.gate.checks import Judgement, corrected, on_items_of_baseline
from tellapart.verbs.gate.question import GateQuestion
from tellapart.verbs.given_scores import Frame
from tellapart.verbs.planned_question import Followed
from tellapart.verbs.signature import sign

Source: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]] | Frame


def gated(scores: Any, question: GateQuestion) -> Gate:
    """Is B, the candidate, shown to be no worse than A, the baseline, by more than the margin?

    >>> scores = Scores.from_arrays({"old": [0, 1] * 200, "new": [0, 1] * 199 + [1, 1]})
    >>> gated(scores, GateQuestion(margin=0.02)).verdict
    'pass'
    """
    margin = question.known_margin
    scores = _plain(scores, question)
    metric, names = question.aggregation(scores), two_systems(scores, question.a, question.b)
    question = question.facing(scores).turned_by(metric)
    kept, new = on_items_of_baseline(scores, names, question.missing)
    asked = question.comparing(names)
    whole = Judgement.of(kept, metric, asked)
    checks = _checks(kept, whole, question, names)
    overall, verdict = whole.check(None), _together(checks)
    needed = _needed(whole, margin, question) if verdict == "undetermined" else None
    answer = Gate(
        verdict=verdict,
        margin=margin,
        low=overall.low,
        high=overall.high,
        level=1.0 - question.alpha,
        effect=overall.effect,
        alpha=question.alpha,
        baseline=names[0],
        candidate=names[1],
        measure=kept.measure,
        items=overall.items,
        needed_items=None if needed is None else needed.items,
        power=POWER,
        checks=checks,
        comparison=comparison(kept, asked),
        notes=_notes(whole, new),
        signature=_signature(whole, margin, question),
    )
    return answer if question.followed is None else _beside_plan(answer, kept, question.followed)


def _plain(scores: Any, question: GateQuestion) -> Scores:
    if isinstance(scores, Scores):
        return scores
    from tellapart.verbs.people import plain_scores  # noqa: PLC0415  (most gates are about plain scores)

    return plain_scores(scores, "gate", fixed=question.raters_as == "fixed")


def _signature(whole: Judgement, margin: float, question: GateQuestion) -> str:
    return sign(
        "gate",
        whole.analysis.pair,
        metric=whole.analysis.metric,
        test=whole.analysis.test,
        interval=whole.analysis.interval,
        margin=margin,
        alpha=question.alpha,
        each=question.each,
        lower_is_better=question.lower_is_better or None,
        seed=question.seed,
    )


def _beside_plan(answer: Gate, scores: Scores, followed: Followed) -> Gate:
    compared = answer.comparison
    run = Run(
        test=compared.test,
        alpha=answer.alpha,
        comparisons=len(answer.checks),
        items=answer.items,
        dropped=sum(compared.lost.values()),
        margin=answer.margin,
        measure=answer.measure,
        dataset=only_dataset(scores),
        created=created(scores),
        direction="lower" if compared.lower_is_better else "higher",
    )
    return replace(answer, plan=check(followed, run))


def _checks(
    scores: Scores, whole: Judgement, question: GateQuestion, names: tuple[str, str]
) -> tuple[Check, ...]:
    if question.each is None:
        return (whole.check(None),)
    if not any(dataset for dataset, _ in scores.items):
        raise DataError(
            "each dataset must pass, and no item has a dataset; name the column of datasets, or leave each out"
        )
    metric, asked = question.aggregation(scores), question.comparing(names)
    found = [Judgement.of(part, metric, asked).check(name) for name, part in scores.datasets.items()]
    return corrected(found, question.known_margin, question.alpha)


def _together(checks: tuple[Check, ...]) -> GateVerdict:
    """One that fails is enough to fail; all must pass to pass."""
    verdicts = {check.verdict for check in checks}
    if "fail" in verdicts:
        return "fail"
    return "pass" if verdicts == {"pass"} else "undetermined"


def _needed(whole: Judgement, margin: float, question: GateQuestion) -> Needed | None:
    """Items that would let an equal candidate pass; None where no formula says so in a moment."""
    test = margin_test(whole.chosen, margin, named=question.test is not None, kind=NonInferiority)
    found = for_margin(whole.chosen, margin, test)
    return found if isinstance(found, Needed) else None


def _notes(whole: Judgement, new: int) -> tuple[Note, ...]:
    left_out = [Note("new_items_left_out", {"items": new})] if new else []
    lean = [] if whole.passes is None else [Note("leans_to_losses", {"passes": whole.passes})]
    return (*left_out, *lean)


class Change(NamedTuple):
    """What is held against what, and which score of it."""

    baseline: Source
    candidate: Source
    measure: str | None
    dataset: str | None
    how: dict[str, Any]
    """What else `read` is told."""


def _on_change(change: Change, question: GateQuestion) -> Gate:
    followed = question.followed
    scores = read_sides(
        change.baseline,
        change.candidate,
        metric=question.metric,
        systems=(question.a, question.b),
        measure=change.measure or (None if followed is None else followed.plan.measure),
        dataset=change.dataset or (None if followed is None else followed.plan.dataset),
        **change.how,
    )
    return gated(scores, question)


_ask = asking("gate", GateQuestion, _on_change)


def gate(
    baseline: Source,
    candidate: Source,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    where: Mapping[str, str] = MappingProxyType({}),
    **options: Any,
) -> Gate:
    """Is the candidate shown to be no worse than the baseline by more than the margin?

    Each is a file, several, or a frame. `pass`: a loss of the margin is excluded at alpha. `fail`: the candidate is shown to be
    worse, and a loss of the margin is not excluded. Else `undetermined`, with the number of items on which a candidate that
    is as good as its baseline would pass. `measure`, `dataset` and `where` pick what both hold, as in `read`; `options` are
    those of `GateQuestion`.
    """
    return _ask(Change(baseline, candidate, measure, dataset, {"where": where}), **options)
