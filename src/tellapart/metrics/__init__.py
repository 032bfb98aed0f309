"""Metrics of a system over all items, one per file; a new file here adds one."""

from tellapart.metrics.metric import METRICS, Metric

METRICS.lies_in(__name__, __path__)

__all__ = ["METRICS", "Metric"]
