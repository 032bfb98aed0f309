"""One line with everything needed to rerun a comparison by people."""

from typing import Any

import numpy as np

from tellapart.fingerprint import fingerprint
from tellapart.ratings import RatedPair
from tellapart.results.comparison import Comparison
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.signature import sign
from tellapart.votes import VotePair


def sign_people(analysis: Analysis, question: CompareQuestion) -> str:
    """Options that the answer depends on, and a hash of what was judged."""
    pair: Any = analysis.pair
    return sign(
        "compare",
        people_fingerprint(pair),
        test=analysis.test,
        interval=analysis.interval,
        alpha=analysis.alpha,
        margin=question.margin,
        lower_is_better=question.lower_is_better or None,
        ties=question.ties if isinstance(pair, VotePair) else None,
        order=_order(question),
    )


def sign_votes(answer: Comparison, pair: VotePair, question: CompareQuestion) -> str:
    """The same of votes that were counted, or averaged within items."""
    return sign(
        "compare",
        people_fingerprint(pair),
        test=answer.test,
        interval=answer.interval.method,
        alpha=answer.alpha,
        margin=question.margin,
        effect=question.effect,
        lower_is_better=question.lower_is_better or None,
        ties=question.ties,
        order=_order(question),
    )


def _order(question: CompareQuestion) -> str | None:
    """Only where it was asked to be ignored; what it was is part of the votes."""
    return question.order if question.order == "ignore" else None


def people_fingerprint(pair: RatedPair | VotePair) -> str:
    """A short hash: equal for equal ratings or votes, whatever file they came from."""
    side = pair.of_b if isinstance(pair, RatedPair) else pair.b_first
    arrays = [np.ascontiguousarray(x) for x in (pair.values, side, pair.rater, pair.item) if x is not None]
    pieces = [piece for x in arrays for piece in (repr(x.shape).encode(), x.tobytes())]
    names = ["\x00".join(named or ()).encode(errors="surrogatepass") for named in (pair.raters, pair.items)]
    return fingerprint([*pieces, *names])
