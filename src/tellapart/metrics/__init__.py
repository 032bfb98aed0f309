"""How items become one number. One metric per file: a new file here is all that a new metric takes."""

from tellapart.metrics.metric import METRICS, Metric

METRICS.lies_in(__name__, __path__)

__all__ = ["METRICS", "Metric"]
