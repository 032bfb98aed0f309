"""Recount of the survey of human evaluations in Card et al. (2020), section 5.1 and appendix H.1."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import FILES, Ours, Setting, recomputes

Lines = list[dict[str, str]]
LEFT_OUT = 2
"""The largest negative effects, which they leave out of the correlation."""


@recomputes("card2020-survey")
def survey(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    papers, scales, effects = (_survey_lines(setting, name) for name in FILES["survey"])
    known = _paper_counts(papers) | _designs(effects) | _effect_sizes(effects, _scale_ranges(effects, scales))
    return [Ours(known[row.settings["quantity"]]) for row in rows]


def _survey_lines(setting: Setting, name: str) -> Lines:
    header, *lines = setting.table(name)
    return [dict(zip(header, line, strict=True)) for line in lines]


def _paper_counts(papers: Lines) -> dict[str, float]:
    relevant = [line for line in papers if line["Probably not relevant to us"] == "0"]
    kinds = Counter(line["ResponseCategory"] for line in relevant)
    experiments = len(relevant)
    return {
        "papers found": float(len({line["Link"] for line in papers})),
        "papers with relevant evaluations": float(len({line["Link"] for line in relevant})),
        "experiments": float(experiments),
        "of these Likert scales": float(kinds["l"]),
        "of these direct comparisons": float(kinds["h"]),
        "of these others": float(kinds["o"]),
        "% of experiments that report a test": 100.0 * sum(float(x["HasTest"]) for x in relevant) / experiments,
        "% of experiments with bold results": 100.0
        * sum(x["Bold text in results table"] == "yes" for x in relevant)
        / experiments,
    }


def _designs(effects: Lines) -> dict[str, float]:
    every = len(effects)
    items, workers, ratings = ([line[name] for line in effects] for name in ("Examples", "Tot.Ann", "Ann.Per.Ex"))
    told = [float(x) for x in items if x]
    three = sum(x == "3.0" for x in ratings)
    return {
        "comparisons of Likert ratings": float(every),
        "papers they come from": float(len({line["Link"] for line in effects})),
        "% with 100 items or fewer, of those that report them": 100.0 * sum(n <= 100 for n in told) / len(told),
        "% with more than 200 items, of those that report them": 100.0 * sum(n > 200 for n in told) / len(told),
        "% that do not report ratings per item": 100.0 * ratings.count("") / every,
        "% that do not report workers": 100.0 * workers.count("") / every,
        "% that do not report items": 100.0 * items.count("") / every,
        "% with 3 ratings per item, of those that report it": 100.0 * three / (every - ratings.count("")),
        "% with 3 ratings per item, of all": 100.0 * three / every,
        "most frequent number of workers": float(Counter(x for x in workers if x).most_common(1)[0][0]),
    }


def _scale_ranges(effects: Lines, scales: Lines) -> FloatArray:
    """By how much a difference of ratings over their maximum grows on a scale that is brought to 0–1."""
    keys = ("Link", "Eval number", "Dataset", "Metric")
    of = {tuple(line[key] for key in keys): line["Response"] for line in scales}
    ends = [of[tuple(line[key] for key in keys)].split("_") for line in effects]
    return np.array([float(high) / (float(high) - float(low)) for low, high in ends])


def _effect_sizes(effects: Lines, ranges: FloatArray) -> dict[str, float]:
    printed = np.array([float(line["diff"]) for line in effects])
    items = np.array([float(line["Examples"] or "nan") for line in effects])
    tau, pvalue = _kendall(items, printed)
    return {
        "sd of effects, ratings divided by the maximum of their scale": float(printed.std(ddof=1)),
        "sd of effects on a 0–1 scale": float((printed * ranges).std(ddof=1)),
        "Kendall's tau of items and effect": tau,
        "its p-value": pvalue,
        "Kendall's tau on a 0–1 scale": _kendall(items, printed * ranges)[0],
    }


def _kendall(items: FloatArray, effects: FloatArray) -> tuple[float, float]:
    from scipy import stats  # noqa: PLC0415  (a large module, for one table)

    kept = np.isfinite(items)
    kept[np.argsort(effects)[:LEFT_OUT]] = False
    found = stats.kendalltau(items[kept], effects[kept])
    return float(found.statistic), float(found.pvalue)
