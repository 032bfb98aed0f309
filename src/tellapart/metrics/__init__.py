"""Metrics: the number computed from all items. One metric per file; a new metric is one new file here."""

from tellapart.metrics.metric import METRICS, Metric

METRICS.lies_in(__name__, __path__)

__all__ = ["METRICS", "Metric"]
