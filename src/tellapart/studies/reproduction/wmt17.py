"""P-values of Moses and MultEval for WMT17 English–German systems against LIUM-NMT, on whitespace-split text."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS
from tellapart.metrics.counting.texts import count_distinct
from tellapart.metrics.from_texts import TextMetric
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import FILES, Ours, Setting, recomputes
from tellapart.verbs.compare import compare

BASELINE = "LIUM-NMT.4900"
BLEU, TER = "bleu(tokenize=none)", "ter"
RESAMPLES = 10_000
NULLS, NULL_RESAMPLES = 600, 1_000
"""Pairs of outputs that were swapped at random, and resamples of each: a rate of .05 is then known to .01."""
ALPHA = 0.05
HELD = 1 << 24
"""Numbers held at once."""


@lru_cache(maxsize=2)
def _segment_parts(folder: Path, metric: str) -> Scores:
    """The parts of every system's segments by a metric."""
    header, *lines = Setting(0, 0, folder).table(FILES["wmt17"][1])
    texts = {name: [line[at].rstrip() for line in lines] for at, name in enumerate(header) if name != "seg"}
    wanted = [(text,) for text in texts.pop("reference")]
    made = METRICS.parse(metric)
    assert isinstance(made, TextMetric), "a metric of texts"
    segments = [segment for wrote in texts.values() for segment in zip(wrote, wanted, strict=True)]
    counts = np.split(count_distinct(segments, made.count), len(texts))
    parts = {name: found[:, np.newaxis] for name, found in zip(texts, counts, strict=True)}
    return Scores.from_arrays(parts, parts=made.parts())


def _swap_pvalue(scores: Scores, metric: str, system: str, setting: Setting) -> Ours:
    """Our own two-sided p, by as many swaps as MultEval's."""
    test = f"permutation(resamples={RESAMPLES})"
    found = compare(scores, BASELINE, system, metric=metric, test=test, seed=setting.seed)
    return Ours(found.pvalue, replicates=RESAMPLES, share=True)


@recomputes("wmt17-multeval")
def multeval(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    metrics = {"p of BLEU": BLEU, "p of TER": TER}

    def found(row: PublishedRow) -> Ours:
        metric = metrics[row.settings["quantity"]]
        return _swap_pvalue(_segment_parts(setting.data, metric), metric, row.settings["system"], setting)

    return [found(row) for row in rows]


@recomputes("wmt17-moses")
def moses(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """Its own rule, our swaps beside it, and how often the rule rejects what is alike."""
    scores = _segment_parts(setting.data, BLEU)
    drawn = _resampled_bleu(scores, setting.seed)
    ways: dict[str, Callable[[str], Ours]] = {
        "p by its own rule": lambda system: _ruled(scores, drawn, system),
        "p of swaps, two-sided": lambda system: _swap_pvalue(scores, BLEU, system, setting),
        "share of true nulls that the rule rejects at .05": lambda _: Ours(_rule_rejections(scores, setting.seed)),
    }
    return [ways[row.settings["quantity"]](row.settings["system"]) for row in rows]


def _bleu_value(means: FloatArray, items: int) -> FloatArray:
    return METRICS.parse(BLEU).value(means, items)


def _resample_weights(items: int, resamples: int, seed: int) -> FloatArray:
    """How often each sentence is drawn in each resample, as a share of all that are drawn."""
    drawn = stream(seed).multinomial(items, np.full(items, 1.0 / items), size=resamples)
    return np.asarray(drawn / items)


def _resampled_bleu(scores: Scores, seed: int) -> FloatArray:
    """The BLEU of every system on the same resamples, `(system, resample)`; those with all sentences come first."""
    values = scores.values[:, :, 0]
    items = values.shape[1]
    step = max(1, HELD // items)
    pieces = [
        np.matmul(_resample_weights(items, min(step, RESAMPLES - start), seed + start), values)
        for start in range(0, RESAMPLES, step)
    ]
    return _bleu_value(np.concatenate(pieces, axis=1), items)


def _ruled(scores: Scores, drawn: FloatArray, system: str) -> Ours:
    a, b = (scores.system(name) for name in (BASELINE, system))
    means = scores.values[[a, b], :, 0].mean(axis=1)
    effect = float(np.diff(_bleu_value(means, scores.values.shape[1]))[0])
    return Ours(rule(drawn[b] - drawn[a], effect), replicates=RESAMPLES, share=True)


def rule(differences: FloatArray, effect: float) -> float:
    """Moses's p: the share of resamples whose |difference|, less the mean of these, exceeds that observed. One side only."""
    sizes = np.abs(differences)
    return float(np.mean(sizes - sizes.mean() > abs(effect)))


def _rule_rejections(scores: Scores, seed: int) -> float:
    """How often the rule rejects at .05 where outputs of the baseline and of another system are swapped at random."""
    values = scores.values[:, :, 0]
    items, base = values.shape[1], scores.system(BASELINE)
    weights = _resample_weights(items, NULL_RESAMPLES, seed)
    others = [row for row in range(len(scores.systems)) if row != base]
    signs = stream(seed + 1).choice([-0.5, 0.5], size=(NULLS, items))
    return float(np.mean([
        _null(values[base], values[others[k % len(others)]], sign, weights) < ALPHA
        for k, sign in enumerate(signs)
    ]))  # fmt: skip


def _null(a: FloatArray, b: FloatArray, signs: FloatArray, weights: FloatArray) -> float:
    middle, apart = 0.5 * (a + b), signs[:, np.newaxis] * (b - a)
    sums, gaps = weights @ middle, weights @ apart
    items = len(a)
    observed = _bleu_value((middle + apart).mean(axis=0), items) - _bleu_value((middle - apart).mean(axis=0), items)
    return rule(_bleu_value(sums + gaps, items) - _bleu_value(sums - gaps, items), float(observed))
