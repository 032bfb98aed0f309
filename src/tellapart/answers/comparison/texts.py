"""Sentences about a comparison: headline, result sentence, and the number of items that would settle it."""

from dataclasses import replace

from tellapart.answers.comparison import Comparison, Needed
from tellapart.answers.comparison.groups import drift_headline, drift_sentence
from tellapart.answers.comparison.item_notes import over_repeats
from tellapart.answers.comparison.judged import by_labels, judged_to_settle, labels_alone, labels_and_judge
from tellapart.answers.comparison.measures import measures_headline, measures_sentence
from tellapart.answers.comparison.notes import NOTES
from tellapart.answers.comparison.parts import AcrossDatasets
from tellapart.answers.comparison.raters_and_votes import (
    counted_as,
    detecting,
    in_whose_eyes,
    more_would_settle,
    sample_of,
    these,
    together,
)
from tellapart.answers.comparison.reasons import REASONS
from tellapart.answers.comparison.sequential import sequential_headline, sequential_reach
from tellapart.answers.plan.file import PlanCheck
from tellapart.answers.reading_texts import cut_short
from tellapart.foundation.formatting import (
    amount,
    confidence,
    number,
    one_line,
    percent,
    pvalue,
    short_share,
    thousands,
)
from tellapart.foundation.surfaces import option

# What a comparison says of its datasets, in words.


def across_datasets(found: AcrossDatasets, b: str, alpha: float) -> str:
    """On how many datasets B is ahead, which chance gives half of the time, and on how many significantly."""
    bounds = f"{confidence(alpha)} CI of that share [{short_share(found.wins_low)}, {short_share(found.wins_high)}]"
    after = f"after {found.correction_label}"
    losses = (
        f", and significantly behind on {found.uncorrected_losses} before and {found.significant_losses} {after}"
        if found.uncorrected_losses
        else ""
    )
    return (
        f"{b} is ahead on {found.wins} of {thousands(found.datasets)} datasets ({bounds}); "
        f"significantly on {found.uncorrected_wins} before and {found.significant_wins} {after}{losses}."
    )


Names = tuple[str, str]
"""The systems' names as they stand in a sentence."""


def with_texts(answer: Comparison) -> Comparison:
    if answer.measures is not None:
        return replace(
            answer,
            headline=measures_headline(answer),
            sentence=measures_sentence(answer),
            notes=NOTES.with_texts(answer, answer.notes),
            plan=None if answer.plan is None else _comparison_plan_check(answer.plan),
        )
    needed, names = answer.needed, (one_line(answer.a.name), one_line(answer.b.name))
    across, notes = _comparison_across(answer, names), NOTES.with_texts(answer, answer.notes)
    return replace(
        answer,
        headline=("partial, " if answer.partial else "") + _comparison_headline(answer, names) + drift_headline(answer),
        sentence=" ".join(
            filter(
                None,
                [
                    _comparison_sentence(answer, names),
                    "" if across is None else across.sentence,
                    drift_sentence(answer),
                ],
            )
        )
        + cut_short(notes),
        to_settle=_comparison_to_settle(answer),
        needed=None if needed is None else replace(needed, question=_comparison_question(answer, needed)),
        reasons=REASONS.with_texts(answer, answer.reasons),
        notes=notes,
        across_datasets=across,
        plan=None if answer.plan is None else _comparison_plan_check(answer.plan),
    )


def _comparison_plan_check(plan: PlanCheck) -> PlanCheck:
    from tellapart.answers.plan.check_texts import checked  # noqa: PLC0415  (most comparisons follow no plan)

    return checked(plan)


def _comparison_across(answer: Comparison, names: Names) -> AcrossDatasets | None:
    across = answer.across_datasets
    if across is None:
        return None
    return replace(across, sentence=across_datasets(across, names[1], answer.alpha))


def _comparison_headline(answer: Comparison, names: Names) -> str:
    """The verdict as a sentence, in the terms of what was tested."""
    claim, repeats = _claim_at_once(answer, names), over_repeats(answer)
    claim += f", over {repeats}" if repeats else ""
    return claim if answer.sequential is None else sequential_headline(answer, claim, names)


def _claim_at_once(answer: Comparison, names: Names) -> str:
    """The headline of an answer that looks once."""
    if answer.verdict == "undetermined":
        sample = f"{answer.items} labels and a judge" if answer.judged and by_labels(answer) else these(answer)
        return f"undetermined: {sample} do not {_comparison_left_open(answer, names)}"
    if answer.verdict not in _BETTER:
        return _margin_claim(answer, names)
    better, worse = names[::-1] if answer.verdict == "b better" else names
    by = ", by human labels and a judge" if answer.judged and by_labels(answer) else ""
    return f"{better} is better than {worse}{judged_by(answer)}{in_whose_eyes(answer)}{by}{_by_less(answer)}"


def judged_by(answer: Comparison) -> str:
    """What the test is about, where that is not the mean."""
    estimand = answer.tested.estimand
    return "" if estimand == "mean difference" else f", judged by the {estimand}"


_BETTER = {"b better": "not_better", "a better": "not_worse"}
"""Who is better, and the claim that it is by no more than the margin."""


def _by_less(answer: Comparison) -> str:
    if answer.margin is None or not answer.shown.holds(_BETTER[answer.verdict]):
        return ""
    return f", but by less than the margin of {answer.unit.as_given(answer.margin)}"


def _margin_claim(answer: Comparison, names: Names) -> str:
    a, b = names
    if answer.verdict == "equivalent":
        return f"{a} and {b} are equivalent {_comparison_within(answer)}{judged_by(answer)}{in_whose_eyes(answer)}"
    side = "worse" if answer.verdict == "b not worse" else "better"
    margin = answer.unit.as_given(answer.margin or 0.0)
    by = f"by more than {margin}{judged_by(answer)}{in_whose_eyes(answer)}"
    return f"{b} is not {side} than {a} {by}"


def _comparison_within(answer: Comparison) -> str:
    return f"within ±{answer.unit.as_given(answer.margin or 0.0)}"


def _comparison_left_open(answer: Comparison, names: Names) -> str:
    a, b = names
    if answer.tested.claim == "equivalence":
        return f"show that {a} and {b} are equivalent {_comparison_within(answer)}"
    if answer.tested.claim == "non-inferiority":
        return f"show that {b} is not worse than {a} by more than {answer.unit.as_given(answer.margin or 0.0)}"
    sides = {
        "two-sided": f"tell {a} and {b} apart",
        "greater": f"show that {b} scores higher than {a}",
        "less": f"show that {b} scores lower than {a}",
    }
    nor = "" if answer.margin is None else f", nor show that they are equivalent {_comparison_within(answer)}"
    return sides[answer.tested.alternative] + nor


def _comparison_sentence(answer: Comparison, names: Names) -> str:
    """The result in one paragraph: both systems, the difference with its interval and test, what the items can detect."""
    return " ".join(
        filter(
            None,
            [
                _finding(answer, names),
                labels_alone(answer) if answer.judged else None,
                sequential_reach(answer),
                _conclusion(answer, names),
                _detects(answer),
            ],
        )
    )


def _finding(answer: Comparison, names: Names) -> str:
    repeats = f", {over_repeats(answer)}" if over_repeats(answer) else ""
    unit = answer.unit
    (a, b), found, sides, label = (
        names,
        answer.interval,
        _comparison_sides(answer, names),
        _comparison_label(answer),
    )
    places = unit.places(found.low, found.high)
    about = "" if found.target == "mean difference" else f" for the {found.target}"
    clusters = "" if answer.clusters is None else f" in {amount(answer.clusters, 'cluster')}"
    sample = (
        sample_of(answer) if answer.ratings or answer.votes else f"{thousands(answer.items)} items{clusters}{repeats}"
    )
    if answer.judged is not None and by_labels(answer):
        sample = labels_and_judge(answer.judged) + clusters
    return (
        f"{b} {unit.score(answer.b.mean, places)} vs {a} {unit.score(answer.a.mean, places)} "
        f"({label}, {sample}): "
        f"Δ = {unit.difference(answer.effect, places)}, {unit.confidence_interval(found.level, found.low, found.high)}{about}, "
        f"{pvalue(answer.pvalue, answer.alpha)} ({answer.tested.label}, {sides})."
    )


def _comparison_label(answer: Comparison) -> str:
    """What the numbers are: the measure, and the metric when it is no plain mean."""
    measure = one_line(answer.measure)
    if answer.metric == "mean":
        return measure
    return answer.metric if measure == "score" else f"{answer.metric} of {measure}"


def _comparison_sides(answer: Comparison, names: Names) -> str:
    a, b = names
    claims = {"equivalence": "two one-sided tests", "non-inferiority": "one-sided"}
    sides = {"greater": f"one-sided, {b} above {a}", "less": f"one-sided, {b} below {a}"}
    return claims.get(answer.tested.claim, sides.get(answer.tested.alternative, "two-sided"))


def _conclusion(answer: Comparison, names: Names) -> str:
    tested, (a, b) = answer.tested, names
    if answer.verdict in {"equivalent", "b not worse", "b not better"}:
        shown = (
            f"The systems are equivalent {_comparison_within(answer)}"
            if answer.verdict == "equivalent"
            else _margin_claim(answer, names)
        )
        return f"{shown}."
    if answer.verdict in _BETTER and _by_less(answer):
        return f"{b if answer.verdict == 'b better' else a} is better{_by_less(answer)}."
    if tested.claim == "non-inferiority" and not tested.rejected:
        return f"That {b} is not worse than {a} by more than {answer.unit.as_given(answer.margin or 0.0)} is not shown."
    if tested.claim == "equivalence" and not tested.rejected:
        return f"That the systems are equivalent {_comparison_within(answer)} is not shown."
    if tested.estimand != "mean difference":
        return f"The test is about the {tested.estimand}, not about means."
    return ""


def _detects(answer: Comparison) -> str:
    found = answer.detectable
    if found is None:
        return ""
    at, whose = "", together(answer)
    if found.at == "discordance" and answer.discordance is not None:
        of = "items" if answer.votes is None else "votes"
        at = f" at this discordance ({percent(answer.discordance, 3)} of {of})"
    elif found.at == "correlation" and answer.correlation is not None:
        at = f" at this correlation (r = {number(answer.correlation, 2)})"
    elif found.at == "accuracy":
        at = " if as many answers are right in all"
    sample = detecting(answer) if answer.ratings or answer.votes else f"{thousands(answer.items)} items{whose}"
    sample = f"{thousands(answer.items)} labels with this judge" if answer.judged and by_labels(answer) else sample
    # A test of a margin finds no effect: what is detectable is so for the test of a difference inside it.
    what = "" if answer.tested.claim == "difference" else "a difference of "
    return f"{sample} detect {what}{answer.unit.size(found.effect)} with {percent(found.power)} power{at}."


def _comparison_question(answer: Comparison, needed: Needed) -> str:
    size = answer.unit.as_given(needed.size)
    if needed.claim == "difference":
        return f"detect an effect of {size}"
    within = "±" if needed.claim == "equivalence" else ""
    return f"show {needed.claim} within {within}{size} if the systems are equal"


_ANSWER_EFFECTS = {
    "no_bounds",
    "resamples_tell_no_items",
    "untold_by_test",
    "raters_by_plan",
    "no_items_find_effect",
    "items_do_not_vary",
    "seeds_limit_power",
}
"""Notes that say how many items an effect takes, or why that is not known."""


def _comparison_enough(answer: Comparison, needed: Needed) -> str:
    """What follows where there are as many items already."""
    if answer.verdict != "undetermined":
        return "these are enough"
    if needed.claim == "difference":
        return "these are enough, so an effect of that size would probably have been found"
    return "these are enough, so that would probably have been shown if they were"


def _comparison_to_settle(answer: Comparison) -> str:
    """What it would take, where the question was left open or an effect was asked about; which option asks for that, where none did."""
    needed = answer.needed
    if answer.sequential is not None:
        return ""
    if needed is not None:
        enough = f"; {_comparison_enough(answer, needed)}" if needed.items <= answer.items else ""
        return f"{thousands(needed.items)} {counted_as(answer)} would {_comparison_question(answer, needed)} ({percent(needed.power)} power){enough}"
    asked = any(note.code in _ANSWER_EFFECTS for note in answer.notes)
    if asked or answer.margin is not None or answer.verdict != "undetermined":
        return ""
    if answer.judged and by_labels(answer):
        return judged_to_settle(answer)
    return more_would_settle(answer) or (
        f"give {option('margin')} or {option('effect')} to learn how many {counted_as(answer)} it would take"
    )
