"""Non-inferiority gate: a candidate passes if a loss beyond the margin is excluded."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tellapart.answers.comparison import Comparison, Needed
from tellapart.answers.gate import Check, Gate
from tellapart.answers.parts import Note
from tellapart.answers.plan.file import Deviation
from tellapart.data.judged_pair import JudgedScores
from tellapart.data.scales import refuse_wide_margin
from tellapart.data.scores import Scores
from tellapart.foundation.decision import GateVerdict
from tellapart.foundation.errors import DataError, Degenerate, TooFew, UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.margins import NonInferiority
from tellapart.metrics import Metric
from tellapart.readers.logs.request import Errors
from tellapart.readers.tables.sides import disambiguated_names, read_sides
from tellapart.verbs.anytime import at_any_time, refuse_alone
from tellapart.verbs.compare import CompareQuestion, comparison, judged_analysis
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.detectable import for_margin, margin_test
from tellapart.verbs.compare.systems import two_systems
from tellapart.verbs.deviations import StudyRun, check, created, only_dataset, peeking
from tellapart.verbs.gate.checks import Judgement, corrected, on_items_of_baseline, rule_checks
from tellapart.verbs.gate.looks import gate_at_look
from tellapart.verbs.gate.question import GateQuestion
from tellapart.verbs.given_scores import Frame
from tellapart.verbs.judged_scores import check_judge_options, read_judged
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.looks import has_looks
from tellapart.verbs.planned_question import Followed
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import wide_margin

Source: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]] | Frame


def gated(scores: Any, question: GateQuestion) -> Gate:
    """Is B, the candidate, shown to be no worse than A, the baseline, by more than the margin?

    >>> scores = Scores.from_arrays({"old": [0, 1] * 200, "new": [0, 1] * 199 + [1, 1]})
    >>> gated(scores, GateQuestion(margin=0.02)).verdict
    'pass'
    """
    if question.direction and not question.measure_names:
        question = question.about(getattr(scores, "measure", ""))
    judge = _by_rules if question.measure_names else _gated
    if question.executor is None and not question.mixed:
        return judge(scores, question)
    from tellapart.verbs.workers import add_worker_notes, use_workers  # noqa: PLC0415  (few gates take long)

    with use_workers(question) as runner:
        return add_worker_notes(judge(scores, question), runner)


def _gated(scores: Any, question: GateQuestion) -> Gate:
    margin = question.known_margin
    question.refuse_one_side()
    check_judge_options(question)
    if isinstance(scores, JudgedScores):
        return _by_labels(scores, question)
    scores = _plain(scores, question)
    metric, names = question.aggregation(scores), _names(scores, question)
    question = question.facing(scores).turned_by(metric)
    refuse_alone(question)
    # In a given order, items that one system has not reached yet are waiting, not left out.
    ordered = question.item_order is not None
    kept, new = (scores, 0) if ordered else on_items_of_baseline(scores, names, question.missing)
    if has_looks(question):
        return _gated_at_look(kept, question, names)
    compared = kept
    if question.anytime:
        moment = at_any_time(kept, names, metric, question)
        kept, question = moment.scores, moment.question
    asked = question.comparing(names)
    whole = Judgement.of(kept, metric, asked)
    checks = _checks(kept, whole, question, names)
    refuse_wide_margin(kept, margin)
    notes = (*_notes(new, 1 if question.each else len(kept.datasets)), *wide_margin(kept, margin))
    answer = _answer(whole, checks, question, comparison(compared, asked), notes)
    return answer if question.followed is None else _beside_plan(answer, kept, question.followed)


def _answer(
    whole: Judgement, checks: tuple[Check, ...], question: GateQuestion, compared: Comparison, notes: tuple[Note, ...]
) -> Gate:
    overall = whole.check(None)
    return Gate(
        verdict=_together(checks),
        margin=question.known_margin,
        low=overall.low,
        high=overall.high,
        level=1.0 - question.alpha,
        effect=overall.effect,
        alpha=question.alpha,
        baseline=compared.a.name,
        candidate=compared.b.name,
        measure=compared.measure,
        items=overall.items,
        needed_items=checks[0].needed_items if question.each is None else None,
        power=POWER,
        checks=checks,
        comparison=compared,
        notes=notes,
        signature=_signature(whole, question),
    )


def _gated_at_look(scores: Scores, question: GateQuestion, names: tuple[str, str]) -> Gate:
    answer, look = gate_at_look(scores, question, names, _gated)
    assert question.followed is not None
    return _beside_plan(answer, scores, question.followed, look.deviations)


def _by_rules(given: Mapping[str, Any], question: GateQuestion) -> Gate:
    """One decision about several measures; each rule is a check. Its numbers are those of the first measure."""
    question.refuse_without_rules()
    question.refuse_one_side()
    plain = {name: _plain(scores, question) for name, scores in given.items()}
    first = next(iter(plain.values()))
    names = _names(first, question)
    kept = {name: on_items_of_baseline(scores, names, question.missing)[0] for name, scores in plain.items()}
    new = max(len(plain[name].items) - len(scores.items) for name, scores in kept.items())
    compared = comparison(kept, replace(question.comparing(names), plan=question.followed))
    assert compared.decision is not None
    checks = rule_checks(compared)
    return Gate(
        verdict=compared.decision.verdict,
        margin=math.nan,
        low=checks[0].low,
        high=checks[0].high,
        level=1.0 - question.alpha,
        effect=checks[0].effect,
        alpha=question.alpha,
        baseline=names[0],
        candidate=names[1],
        measure=", ".join(question.measure_names),
        items=compared.items,
        needed_items=None,
        power=POWER,
        checks=checks,
        comparison=compared,
        notes=_notes(new, len(first.datasets)),
        plan=compared.plan,
        signature=compared.signature.replace(" compare ", " gate ", 1),
    )


def _by_labels(scores: Any, question: GateQuestion) -> Gate:
    """The gate on people's labels and a judge; on people's scores where they labelled every item."""
    names, question = _names(scores, question), question.facing(scores)
    asked = question.comparing(names)
    pair = scores.pair(*names, question.missing, question.strata)
    if len(pair.labelled) == len(pair.judge.items):
        plain = replace(question, human=None, judge=None, strata=None, missing="drop")
        return replace(_gated(scores.human, plain), comparison=comparison(scores, asked))
    refuse_wide_margin(scores.human, question.known_margin)
    analysis = judged_analysis(pair, asked)
    whole = Judgement(analysis, claims_asked(analysis, asked), question.lower_is_better)
    return _answer(whole, (whole.check(None),), question, comparison(scores, asked), ())


def _names(scores: Any, question: GateQuestion) -> tuple[str, str]:
    """Baseline and candidate, also where a system was asked for by the name that both call theirs."""
    for name in {question.a, question.b} - {None, *scores.systems}:
        if set(disambiguated_names(str(name))) == set(scores.systems):
            return disambiguated_names(str(name))
    return two_systems(scores, question.a, question.b)


def _plain(scores: Any, question: GateQuestion) -> Scores:
    if isinstance(scores, Scores):
        return scores
    from tellapart.verbs.compare.systems import plain_scores  # noqa: PLC0415  (most gates are about plain scores)

    return plain_scores(scores, "gate", fixed=question.raters_as == "fixed")


def _signature(whole: Judgement, question: GateQuestion) -> str:
    return sign(
        "gate",
        whole.analysis.pair,
        metric=whole.analysis.metric,
        test=whole.analysis.test,
        interval=whole.analysis.interval,
        margin=question.known_margin,
        human=question.human,
        judge=question.judge,
        strata=question.strata,
        alpha=question.alpha,
        each=question.each,
        lower_is_better=question.lower_is_better or None,
        seed=question.seed,
    )


def _beside_plan(answer: Gate, scores: Scores, followed: Followed, looks: tuple[Deviation, ...] | None = None) -> Gate:
    compared = answer.comparison
    run = StudyRun(
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
        looks=looks,
    )
    notes = (*compared.notes, *peeking(followed, run))
    return replace(answer, plan=check(followed, run), comparison=replace(compared, notes=notes))


def _checks(scores: Scores, whole: Judgement, question: GateQuestion, names: tuple[str, str]) -> tuple[Check, ...]:
    if question.each is None:
        return (_settled(whole.check(None), whole, question),)
    if not any(dataset for dataset, _ in scores.items):
        raise DataError(
            "each dataset must pass, and no item has a dataset; name the column of datasets, or leave that out"
        )
    metric, asked = question.aggregation(scores), question.comparing(names)
    judged = {name: _alone(name, part, metric, asked) for name, part in scores.datasets.items()}
    found = [judgement.check(name) for name, judgement in judged.items()]
    checks = corrected(found, question.alpha)
    return tuple(_settled(check, one, question) for check, one in zip(checks, judged.values(), strict=True))


def _alone(dataset: str, part: Scores, metric: Metric, asked: CompareQuestion) -> Judgement:
    try:
        return Judgement.of(part, metric, asked)
    except (TooFew, Degenerate) as error:
        raise type(error)(
            f"dataset {dataset!r} must pass by itself: {error.message}; or leave {option('each')} out"
        ) from None


def _settled(check: Check, judgement: Judgement, question: GateQuestion) -> Check:
    """With the items that would settle it, where it is open."""
    needed = _needed(judgement, question.known_margin, question) if check.verdict == "undetermined" else None
    return check if needed is None else replace(check, needed_items=needed.items)


def _together(checks: tuple[Check, ...]) -> GateVerdict:
    """One that fails is enough to fail; all must pass to pass."""
    verdicts = {check.verdict for check in checks}
    if "fail" in verdicts:
        return "fail"
    return "pass" if verdicts == {"pass"} else "undetermined"


def _needed(whole: Judgement, margin: float, question: GateQuestion) -> Needed | None:
    """Items that would let an equal candidate pass; None where no formula says so in a moment."""
    test = margin_test(whole.analysis, margin, named=question.test is not None, kind=NonInferiority)
    found = for_margin(whole.analysis, margin, test)
    return found if isinstance(found, Needed) else None


def _notes(new: int, pooled: int) -> tuple[Note, ...]:
    left_out = [Note("new_items_left_out", {"items": new})] if new else []
    together = [Note("datasets_pooled", {"datasets": pooled})] if pooled > 1 else []
    return (*left_out, *together)


class HeldAgainst(NamedTuple):
    """What is held against what, and which score of it."""

    baseline: Source
    candidate: Source
    measure: str | None
    dataset: str | None
    how: dict[str, Any]
    """What else `read` is told."""


def _on_change(change: HeldAgainst, question: GateQuestion) -> Gate:
    question.refuse_one_side()
    if question.measure_names:
        if change.measure is not None:
            raise UsageError(f"{option('measure')} picks one measure, and several are named; leave it out")
        each = {name: _read_change(change._replace(measure=name), question) for name in question.measure_names}
        return gated(each, question)
    return gated(_read_change(change, question), question)


def _read_change(change: HeldAgainst, question: GateQuestion) -> Any:
    followed = question.followed
    how = dict(change.how)
    if question.slice_columns:
        how["columns"] = {**how.get("columns", {}), **question.slice_roles}
    check_judge_options(question)
    read = partial(
        read_sides,
        change.baseline,
        change.candidate,
        metric=question.metric,
        systems=(question.a, question.b),
        dataset=change.dataset or (None if followed is None else followed.plan.dataset),
        **how,
    )
    if question.human is not None:
        return read_judged(read, question)
    return read(measure=change.measure or _planned_measure(change, followed))


def _planned_measure(change: HeldAgainst, followed: Followed | None) -> str | None:
    return None if followed is None or change.how.get("measure_name") else followed.plan.measure


_ask = python_verb("gate", GateQuestion, _on_change)


def gate(  # noqa: PLR0913  (one argument per thing that a caller may know of the sources)
    baseline: Source,
    candidate: Source,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    measure_name: str | None = None,
    rescale: Mapping[str, float | str] = MappingProxyType({}),
    blank: Any = None,
    where: Mapping[str, str] = MappingProxyType({}),
    errors: Errors = "apart",
    **options: Any,
) -> Gate:
    """Is the candidate shown to be no worse than the baseline by more than the margin?

    Each is a file, several, or a frame. `pass`: a loss of the margin is excluded at alpha. `fail`: the candidate is shown to be
    worse, and a loss of the margin is not excluded. Else `undetermined`, with the number of items on which a candidate that
    is as good as its baseline would pass. `measure`, `dataset` and `where` pick what both hold, as in `read`; `options` are
    those of `GateQuestion`. `measure_name` is what a lone score is to be called, `rescale` divides the scores of a system,
    `blank` names numbers that stand for no score, and `errors="zero"` counts failed evaluations as 0.
    """
    how = {"where": where, "errors": errors, "measure_name": measure_name, "rescale": rescale, "blank": blank}
    return _ask(HeldAgainst(baseline, candidate, measure, dataset, how), **options)
