"""Synonyms from other programs for tests, metrics and options; errors use them to suggest the name used here."""

import re
from collections.abc import Collection, Mapping

from tellapart.foundation.errors import nearest
from tellapart.foundation.surfaces import option, verb

_NAMES: Mapping[str, Mapping[str, str]] = {
    "test": {
        "paired_t": "t, t test, student, student t, paired t test, dependent t, ttest rel",
        "welch_t": "welch, unpaired t, independent t, ttest ind",
        "wilcoxon": "signed rank, wilcoxon signed rank, mann whitney, mann whitney u",
        "permutation": "permutation test, randomization, randomisation, approximate randomization, sign flip",
        "mcnemar": "mcnemars, mcnemar test, chi2, chi square, chi squared",
        "two_proportion_z": "z, z test, two proportion, proportions ztest, prop test",
        "sign": "sign test, binomial, binomial test",
        "equivalence": "tost",
        "bootstrap(kind=bca)": "bca",
    },
    "interval": {
        "student_t": "t, t test, student, paired t, normal",
        "clopper_pearson": "exact, binomial",
        "bootstrap(kind=bca)": "bca",
        "bootstrap(kind=percentile)": "percentile",
    },
    "metric": {"mean": "average, exact match", "accuracy": "acc", "f1": "f score, f measure", "mcc": "matthews, phi"},
    "correction": {
        "bonferroni": "bonf",
        "holm": "holm bonferroni",
        "bh": "fdr, fdr bh, benjamini hochberg",
        "by": "fdr by, benjamini yekutieli",
        "max_t": "westfall young, step down",
    },
    "population": {"gaussian": "normal, continuous", "paired_binary": "binary, accuracy, bernoulli, binomial, mcnemar"},
    "require": {
        "better": "superior, superiority, improved, improvement, win, wins",
        "not-worse": "non inferior, non inferiority, no worse, worse, no regression",
        "equivalent": "equivalence, equal, same, tost, no difference",
    },
    "fail_on": {
        "worse": "inferior, inferiority, regression, regressed, loss, loses",
        "not-better": "no better, not superior, no improvement",
        "undetermined": "inconclusive, undecided, unclear, not significant, insignificant",
        "drift": "change, changed",
    },
    "command": {
        "compare": "diff, test, significance, ab test, versus",
        "plan": "power, power analysis, sample size, samples, mde",
        "rank": "leaderboard, ranking, board, best",
        "agreement": "kappa, iaa, irr, reliability",
        "describe": "info, show, inspect, summary",
        "convert": "export",
        "audit": "claim, paper, check",
        "--help": "help, usage, commands",
    },
}
"""For each kind of plug-in, for rules of gates and for commands, by the spelling that is right here: names it has elsewhere."""

_OPTIONS: Mapping[tuple[str, str | None], str] = {
    (
        "alpha",
        "0.05",
    ): "confidence, confidence level, conf, conf level, ci level, level, significance, significance level, threshold, cutoff",
    ("items", None): "n, samples, sample size, size, num items",
    ("test", None): "tests, method, statistic",
    ("test", "paired_t(alternative=greater)"): "alternative, one sided, sided, tail, tails",
    ("test", "bootstrap(resamples=10000)"): "resamples, n resamples, bootstrap, bootstraps, n boot",
    ("interval", None): "ci, intervals, confidence interval",
    ("power", None): "beta",
    ("effect", None): "mde, delta, effect size, difference, gain, improvement, lift",
    ("correlation", None): "rho, corr",
    ("sd", None): "sigma, std, stdev",
    ("correction", None): "adjust, adjustment, multiple testing",
    ("measure", None): "score, scores",
    ("metric", None): "metrics, aggregate",
    ("cluster", None): "clusters, cluster column",
    ("size", None): "cluster size, per cluster, items per cluster",
    ("icc", None): "intraclass, intraclass correlation",
    ("runs", None): "repeats, n runs, num runs, runs per item, samples per item, trials",
    ("raters", None): "annotators, n raters, num raters, judges",
    ("accuracy", None): "acc, baseline accuracy",
    ("discordance", None): "disagree, disagreements, overlap",
    ("comparisons", None): "n comparisons, num comparisons, hypotheses",
    ("missing", None): "na, nan, on missing, nan policy",
    ("title", None): "heading, caption",
    ("chart", None): "plot, figure, graph, svg, png",
    ("a", None): "baseline, system a, model a, control",
    ("b", None): "candidate, system b, model b, treatment",
    ("systems", None): "models, model, system",
    ("margin", None): "equivalence, tolerance, rope, tost, non inferiority",
    ("replicates", None): "simulations, n sim, iterations",
    ("workers", None): "jobs, threads, n jobs",
    ("format", None): "output",
    ("format", "json"): "json",
    ("format", "markdown"): "markdown, md",
    ("format", "latex"): "latex, tex",
    ("output", "answer.html"): "html, report, save to",
    ("seed", None): "random state, random seed, rng",
    ("where", None): "filter, query, subset, select",
    ("lower_is_better", None): "minimize, minimise, lower, smaller is better, loss",
    ("reported_p", None): "p, p value, pval",
    ("column", None): "columns, col, cols",
    ("name", None): "rename, renames, names",
    ("by", None): "group by, over, time, date, group, groups, group column, week, weeks",
    ("test", "welch_t"): "unpaired, independent",
}
"""Names that options have elsewhere, by our option, with a value where that makes it clearer."""

_MAY_BE_TOO: Mapping[str, str] = {"group": "cluster", "groups": "cluster"}
"""Alternative meanings of a word, where the first is no option here or is not the only one."""

_OF_ANOTHER_VERB: Mapping[str, str] = {
    **dict.fromkeys(("by", "labels", "human", "judge"), "compare"),
    "control": "rank",
}
"""Options that one verb alone has, by what they are called there."""

_NEEDLESS: Mapping[str, str] = {
    "paired": "items that both systems have are paired anyway: leave it out",
    "twosided": "tests are two-sided unless one side is named: leave it out",
}
"""Behaviour that is the default and needs no option."""


def _normalised_word(word: str) -> str:
    """A word without what people write differently: capitals, and what stands between its parts."""
    return re.sub(r"[^a-z0-9]", "", word.casefold())


_NAMED_HERE = {
    kind: {_normalised_word(word): right for right, words in names.items() for word in words.split(", ")}
    for kind, names in _NAMES.items()
}
_OPTION_HERE = {_normalised_word(word): right for right, words in _OPTIONS.items() for word in words.split(", ")}


def right_name(kind: str, word: str, known: Collection[str]) -> str:
    """A clause with the name that a plug-in has here, or those that are spelled like the word.

    >>> right_name("test", "T-Test", ["paired_t", "sign"]), right_name("test", "sing", ["paired_t", "sign"])
    ("did you mean 'paired_t'?", "did you mean 'sign'?")
    """
    key = _normalised_word(word)
    right = _NAMED_HERE.get(kind, {}).get(key) or {_normalised_word(name): name for name in known}.get(key)
    return nearest(word, known) if right is None else f"did you mean {right!r}?"


def _plugged_in(key: str) -> tuple[str, str | None]:
    """The option that takes a test or a correction whose name, here or elsewhere, was given as an option of its own."""
    for kind in ("test", "correction"):
        right = _NAMED_HERE[kind].get(key) or {_normalised_word(name): name for name in _NAMES[kind]}.get(key)
        if right is not None:
            return kind, right
    return "", None


def right_option(word: str, known: Collection[str]) -> str | None:
    """A clause with the option that is called otherwise elsewhere, marked for the door that shows it, if it is known there."""
    key = _normalised_word(word)
    if key in _NEEDLESS and "test" in known:
        return _NEEDLESS[key]
    elsewhere = f"{verb(_OF_ANOTHER_VERB[key])} has {option(key)}" if key in _OF_ANOTHER_VERB else None
    name, value = _OPTION_HERE.get(key) or (("", None) if elsewhere else _plugged_in(key))
    meant = [(name, value), (_MAY_BE_TOO.get(key, ""), None)]
    offered = " or ".join(option(*one) for one in meant if one[0] in known)
    remark = " for a confidence of 0.95" if name == "alpha" and "conf" in key else ""
    meant_here = f"did you mean {offered}{remark}?" if offered else ""
    return " ".join(filter(None, (meant_here, elsewhere))) or None
