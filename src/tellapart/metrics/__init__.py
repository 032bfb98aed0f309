"""How items become one number. One file per metric; importing this room registers them all."""

from tellapart.metrics import f1, mcc, mean  # noqa: F401  (registration)
from tellapart.metrics.metric import METRICS, Metric

__all__ = ["METRICS", "Metric"]
