"""What reading the scores left to say, in the words it was agreed to have."""

from typing import Any

import pytest

from tellapart.answers.comparison.notes import NOTES as OF_COMPARISON
from tellapart.answers.leaderboard.notes import NOTES as OF_LEADERBOARD
from tellapart.answers.parts import Note
from tellapart.answers.plan.notes import NOTES as OF_PLAN
from tellapart.answers.reading_texts import READING
from tellapart.foundation.surfaces import option, verb

SAID: list[tuple[str, dict[str, Any], str]] = [
    (
        "unretrieved_queries",
        {"system": "bm25", "queries": 1, "of": 50, "first": "q7", "left_out": False},
        "bm25 retrieved nothing for 1 of 50 judged queries (first: 'q7'), which is scored 0",
    ),
    (
        "unretrieved_queries",
        {"system": "bm25", "queries": 3, "of": 1050, "first": "q7", "left_out": True},
        "bm25 retrieved nothing for 3 of 1,050 judged queries (first: 'q7'), which are left out for all systems",
    ),
    (
        "unjudged_queries",
        {"system": "bm25", "queries": 2, "first": "q9"},
        "2 queries of bm25 (first: 'q9') have no judgements and were left out",
    ),
    (
        "unjudged_queries",
        {"system": "bm25", "queries": 1, "first": "q9"},
        "1 query of bm25 (first: 'q9') has no judgements and was left out",
    ),
    (
        "queries_without_relevant",
        {"queries": 2, "of": 6, "first": "q2"},
        "2 of 6 judged queries (first: 'q2') have no relevant document: every system scores 0 there",
    ),
    (
        "negative_relevance",
        {"judgements": 3, "first": "q3"},
        "3 judgements are negative (first: query 'q3') and counted as relevance 0",
    ),
    (
        "negative_relevance",
        {"judgements": 1, "first": "q3"},
        "1 judgement is negative (first: query 'q3') and counted as relevance 0",
    ),
    (
        "raters_fixed",
        {"raters": 3},
        "ratings by 3 raters were averaged within each item: the answer is about these raters only, and others may disagree",
    ),
    (
        "one_rater",
        {"rater": "gpt-4"},
        "all was judged by one rater, gpt-4: another may judge otherwise, and how differently cannot be seen here",
    ),
    (
        "default_measure",
        {"measure": "success", "others": ["score", "exact"], "more": 1},
        f"success was taken, the number that the program itself reports; {option('measure')} picks another: score, exact and 1 more",
    ),
    (
        "default_axis",
        {"axis": "perturbation", "value": "", "others": ["typos"]},
        f"only rows without a perturbation were taken; {option('where', 'perturbation=…')} picks another: typos",
    ),
    (
        "default_axis",
        {"axis": "split", "value": "test", "others": ["dev"]},
        f"only rows of split test were taken; {option('where', 'split=…')} picks another: dev",
    ),
    (
        "direction_assumed",
        {},
        f"no file says which scores are better: higher ones were taken for it; {option('lower_is_better')} says otherwise",
    ),
    (
        "direction_by_name",
        {"name": "latency"},
        f"lower latency was taken as better because of its name; if not, pass {option('higher_is_better')}",
    ),
    (
        "perhaps_lower",
        {"name": "latency"},
        (
            "of what is called latency less is usually better, and more was taken for better: "
            f"{option('lower_is_better')} turns the verdict, {option('higher_is_better')} confirms it"
        ),
    ),
    (
        "failures_left_out",
        {"system": "m", "errors": 1, "of": 40},
        (
            "1 of 40 evaluations of m failed and has no score: leaving it out may favour the system that failed; "
            f"{option('errors', 'zero')} counts it as 0"
        ),
    ),
    (
        "failures_left_out",
        {"system": "m", "errors": 2, "of": 40},
        (
            "2 of 40 evaluations of m failed and have no score: leaving them out may favour the system that failed; "
            f"{option('errors', 'zero')} counts them as 0"
        ),
    ),
    (
        "failures_as_zero",
        {"system": "m", "errors": 2, "of": 40},
        "2 of 40 evaluations of m failed and were counted as 0",
    ),
    (
        "columns_left_out",
        {"columns": ["length"]},
        (
            f"by name, length was taken for no score: name two systems with {option('a')} and {option('b')}, or a score with {option('measure')}, to "
            "choose yourself"
        ),
    ),
    (
        "other_measures",
        {"measure": "score", "others": ["latency", "cost"]},
        f"score was taken as the score; {option('measure')} picks another: latency, cost",
    ),
    (
        "judge_alone",
        {"judge": "judge", "human": "expert"},
        (
            "judge is a judge's score, and no interval here holds the judge's own error. People's lies beside it: correct the judge by it with "
            f"{verb('compare')}, {option('human', 'expert')} {option('judge', 'judge')}"
        ),
    ),
    (
        "summary_rows_left_out",
        {"names": ["Total", "Average"]},
        "rows called Total, Average were left out: their scores are the mean or the sum of the others",
    ),
    (
        "other_encoding",
        {"file": "x.csv", "encoding": "Latin-1"},
        "x.csv is not UTF-8 and was read as Latin-1: check names with accents or other special letters",
    ),
    (
        "wide_margin",
        {"margin": 0.6, "range": 1.0},
        "a margin of 0.6 is more than half of what two scores can differ by (1): is it meant in these units?",
    ),
    (
        "paired_by_text",
        {"items": 2, "of": 40},
        "the ids of 2 of 40 items stand for another question in another file, so items are paired by the text of their question",
    ),
    (
        "unfinished_source",
        {"file": "x.eval", "because": "its status is 'error'"},
        "x.eval did not come to its end (its status is 'error'): what it has may not be like what it lacks",
    ),
    (
        "equal_records",
        {"files": ["a.eval", "b.eval"]},
        "a.eval and b.eval hold the same scores on the same items: is one a copy of the other?",
    ),
    (
        "time_left_out",
        {"column": "week"},
        f"column 'week' says when items were scored and was taken for no system: {verb('compare')} with {option('by', 'week')} holds its groups against each other; if it is a system, name it ({option('a')}, {option('b')} or {option('systems')})",
    ),
    (
        "empty_hypotheses",
        {"system": "new", "lines": 2, "of": 3004},
        "new wrote nothing on 2 of 3,004 lines: they count as empty hypotheses",
    ),
    (
        "empty_references",
        {"file": "ref.txt", "lines": 1, "of": 30},
        "1 of 30 lines of ref.txt are empty references",
    ),
    (
        "byte_order_mark",
        {"file": "a.txt"},
        "a.txt begins with a byte-order mark, which is kept as a part of its first segment, as sacrebleu keeps it",
    ),
    (
        "looks_tokenised",
        {"system": "new", "lines": 20, "of": 30},
        (
            "20 of 30 lines of new end in a blank and a full stop: the text looks tokenised, and metrics of texts tokenise for themselves; "
            "give them plain text"
        ),
    ),
    (
        "micro_is_accuracy",
        {"metric": "f1(average=micro)"},
        (
            "f1(average=micro) is the share of right predictions here, for every item has one label and one prediction: the same number "
            "as accuracy"
        ),
    ),
    (
        "few_labels",
        {"name": "rare", "labels": 3, "classes": 1, "below": 10},
        (
            "class 'rare' has 3 labels (fewer than 10), too few to know how well it is recognised: with 1 label of the class that decides 95 % intervals of F1 "
            "held the truth 25 % of the time, with 3 68 to 81 %, with 10 as promised"
        ),
    ),
    (
        "few_labels",
        {"name": "rare", "labels": 1, "classes": 4, "below": 10},
        (
            "class 'rare' has 1 label (4 classes have fewer than 10), too few to know how well it is recognised: with 1 label of the class that decides 95 % "
            "intervals of F1 held the truth 25 % of the time, with 3 68 to 81 %, with 10 as promised"
        ),
    ),
    (
        "predictions_outside",
        {
            "system": "old",
            "predictions": 15,
            "of": 250,
            "others": ["other"],
            "metric": "f1(average=macro)",
            "scikit_learn": 0.470975,
        },
        (
            "15 of 250 predictions of old are not a class of the labels (other): they are wrong; scikit-learn, which "
            "averages over them too, says 0.4710 for f1(average=macro)"
        ),
    ),
    (
        "predictions_outside",
        {"system": "old", "predictions": 1, "of": 9, "others": ["x"], "metric": "f1", "scikit_learn": None},
        "1 of 9 predictions of old are not a class of the labels (x): they are wrong",
    ),
    (
        "nothing_matched",
        {"system": "new"},
        "nothing that new wrote matches its references: it scores 0",
    ),
    (
        "unmatched_orders",
        {"system": "new", "orders": [3, 4], "smooth": "exp"},
        "new has no match of n-grams of order 3, 4, and smoothing (exp) stands in for them",
    ),
    (
        "unmatched_orders",
        {"system": "new", "orders": [4], "smooth": "none"},
        "new has no match of n-grams of order 4, so that BLEU is 0",
    ),
]


@pytest.mark.parametrize(("code", "values", "text"), SAID)
@pytest.mark.parametrize("notes", [OF_COMPARISON, OF_LEADERBOARD, OF_PLAN], ids=["compare", "rank", "plan"])
def test_said_alike_by_every_answer(notes: Any, code: str, values: dict[str, Any], text: str) -> None:
    """A comparison, a leaderboard and a plan of a pilot repeat it in the same words."""
    assert notes.with_text(None, Note(code, values)).text == text


def test_every_remark_is_here() -> None:
    """A new code without its words in the list above is seen."""
    assert {code for code, *_ in SAID} == set(READING)
