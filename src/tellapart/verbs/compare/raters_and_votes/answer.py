"""The answer of a comparison by raters, with the effect that it could detect."""

from typing import Any

import numpy as np

from tellapart import planning, populations
from tellapart.answers.comparison import Comparison, Detectable
from tellapart.answers.comparison.parts import VotesResult
from tellapart.answers.parts import Note
from tellapart.compute.work import Budget
from tellapart.data.rater_pairs import RatedPair, VotePair
from tellapart.data.summaries.rater_samples import ByRaters, Crossed
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import TellapartError
from tellapart.methods.intervals import Interval
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.mixed_model import MixedModel
from tellapart.methods.significance.rater_sign_flip import RaterSignFlip
from tellapart.metrics import METRICS
from tellapart.numerics.null_laws.noncentral_t import t_shift
from tellapart.numerics.null_laws.tails import sides, t_tails
from tellapart.verbs import compare as package
from tellapart.verbs.compare.answer import build_comparison
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.raters_and_votes.analysis import RaterAnalysis, ratings_result, systems
from tellapart.verbs.compare.raters_and_votes.methods import choose_by_raters, refuse_order_alone
from tellapart.verbs.compare.raters_and_votes.notes import notes_on_raters, sign_people
from tellapart.verbs.judging_options import POWER

# What so many raters and items could have shown, at the spreads that were seen.

REPLICATES = 1_000
"""Simulated evaluations of raters' means, which are few numbers each."""


def detectable_by_raters(analysis: RaterAnalysis) -> Detectable | None:
    """The smallest effect that the test finds with 80 % power; None where nothing spreads, or no effect however large is found."""
    if not analysis.standard_error > 0.0:
        return None
    found = _by_rule(analysis, analysis.inner)
    # Votes differ by 1 at most, all of them for one system.
    out_of_reach = found is not None and isinstance(analysis.pair, VotePair) and found.effect >= 1.0
    return None if out_of_reach else found


def _by_rule(analysis: RaterAnalysis, test: Procedure) -> Detectable | None:
    if isinstance(test, MixedModel):
        return _exact(analysis, test) or _formula(analysis, test)
    if isinstance(test, RaterSignFlip):
        return _simulated(analysis, test)
    return _over_raters(analysis, test)


def _exact(analysis: RaterAnalysis, test: MixedModel) -> Detectable | None:
    """Where every rater rated every item: the very rule, over all mean squares that such spreads give."""
    judged = analysis.judged
    if not isinstance(judged, Crossed) or not bool(judged.rated.all()) or test.fit != "reml":
        return None
    if judged.order is not None:  # which takes some of what the ratings tell
        return None
    sds: dict[str, Any] = {name: float(sd) for name, sd in analysis.fitted.sds.items()}
    try:
        squares = populations.RatedSystems(raters=judged.raters, **sds).mean_squares(judged.items)
    except TellapartError:  # more raters than a plan has
        return None
    if squares is None or analysis.alpha >= 0.5:
        return None
    return Detectable(planning.detected(squares, test, analysis.alpha, POWER), POWER, None, "exact")


def _formula(analysis: RaterAnalysis, test: MixedModel) -> Detectable:
    """By a noncentral t at the critical value of the rule; off by some hundredths of the effect with few raters."""
    fitted, alpha = analysis.fitted, analysis.alpha
    level = 1.0 - 2.0 * alpha / sides(test.alternative)
    # The normal law and Cochran's rule say nothing of how well the error is known, which the model does.
    known = fitted.degrees_of_freedom(test.df)
    model = fitted.df_kenward_roger if test.fit == "reml" else fitted.df_satterthwaite
    df = np.where(np.isfinite(known), known, model)
    beyond = sides(test.alternative) * t_tails(fitted.critical_value(level, test.df), df)[1]
    shift = abs(float(t_shift(POWER, df, beyond, test.alternative)))
    return Detectable(shift * float(fitted.standard_error(test.df)), POWER, None, "formula")


def _over_raters(analysis: RaterAnalysis, test: Procedure) -> Detectable:
    df = analysis.df
    assert df is not None, "raters' means have degrees of freedom"
    effect = abs(float(t_shift(POWER, df, analysis.alpha, test.alternative))) * analysis.standard_error
    return Detectable(effect, POWER, None, "formula")


def _simulated(analysis: RaterAnalysis, test: RaterSignFlip) -> Detectable | None:
    """From normal means of as many raters, whose signs are flipped as those seen were."""
    raters = int(analysis.judged.raters)
    if not rejects(test.least_pvalue(raters), analysis.alpha):
        return None
    spread = analysis.standard_error * raters**0.5
    means = populations.RatedSystems(
        raters=raters, per_item=1, rater_effect_sd=spread, item_effect_sd=0.0, residual_sd=0.0
    )
    study = planning.Study(means, test, raters, analysis.alpha)
    axis = planning.EffectAxis(study, POWER, Budget("monte_carlo", REPLICATES, analysis.seed), package.current_runner())
    root = planning.simulate_root(axis)
    return Detectable(root.x, POWER, None, "monte_carlo", REPLICATES, root.low, root.high)


def analyse_raters(pair: RatedPair | VotePair, question: CompareQuestion) -> tuple[RaterAnalysis, tuple[Note, ...]]:
    """The analysis with its methods, and notes on the choice."""
    metric = METRICS.parse("mean")
    sample: ByRaters = ByRaters.of(pair, metric)
    choice = choose_by_raters(sample, question)
    analysis = RaterAnalysis(
        pair,
        metric,
        choice.test,
        Interval.parse(choice.interval),
        question.alpha,
        question.margin_of(choice.test),
        question.seed,
        made={ByRaters: sample},
    )
    return analysis, choice.reasons


def answer_by_raters(
    pair: RatedPair | VotePair,
    names: tuple[str, str],
    question: CompareQuestion,
    measure: str,
    votes: VotesResult | None = None,
) -> Comparison:
    """Would other raters, on other items, judge alike?"""
    analysis, reasons = analyse_raters(pair, question)
    if isinstance(analysis.judged, Crossed):
        refuse_order_alone(analysis.judged, analysis.standard_error)
    claims = claims_asked(analysis, question)
    spread = ratings_result(analysis, pair)
    return build_comparison(
        analysis,
        claims,
        question,
        systems(pair, names, analysis),
        measure=measure,
        signature=sign_people(analysis, question),
        detectable=detectable_by_raters(analysis),
        reasons=reasons,
        notes=notes_on_raters(analysis, claims, spread, question),
        ratings=spread,
        votes=votes,
    )
