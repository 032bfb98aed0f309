"""A comparison beside its plan."""

from dataclasses import replace

from tellapart.results.comparison import Comparison
from tellapart.scores import Scores
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.deviations import StudyRun, check, created, only_dataset


def beside_plan(answer: Comparison, scores: Scores, question: CompareQuestion) -> Comparison:
    followed = question.followed
    assert followed is not None
    run = StudyRun(
        test=answer.test,
        alpha=answer.alpha,
        comparisons=1,
        items=answer.items,
        dropped=sum(answer.lost.values()),
        margin=answer.margin,
        measure=answer.measure,
        dataset=only_dataset(scores),
        created=created(scores),
        direction="lower" if answer.lower_is_better else "higher",
    )
    return replace(answer, plan=check(followed, run))
