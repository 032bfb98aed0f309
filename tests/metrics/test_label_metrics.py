"""Values of metrics of labels by hand, where classes lack labels or predictions."""

import numpy as np
import pytest

from tellapart.metrics import METRICS
from tellapart.metrics.from_labels import LabelMetric, in_order

LABELS = np.array([0, 0, 0, 1, 1, 2])
PREDICTIONS = np.array([0, 0, 1, 1, 0, 0])
CLASSES = ("a", "b", "c")


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("accuracy", 3 / 6),
        ("balanced_accuracy", (2 / 3 + 1 / 2 + 0) / 3),
        ("recall(average=macro)", (2 / 3 + 1 / 2 + 0) / 3),
        ("precision(average=macro)", (2 / 4 + 1 / 2 + 0) / 3),
        ("f1(average=macro)", (4 / 7 + 1 / 2 + 0) / 3),
        ("f1(average=weighted)", (3 * 4 / 7 + 2 * 1 / 2) / 6),
        ("f1(average=micro)", 3 / 6),
        # (c·s − Σ p·t) / √((s² − Σ p²)(s² − Σ t²)) with s = 6, c = 3, p = 4, 2, 0 and t = 3, 2, 1.
        ("mcc", (18 - 16) / np.sqrt((36 - 20) * (36 - 14))),
    ],
)
def test_by_hand(spelled: str, expected: float) -> None:
    """Three classes, of which one is never predicted: 0/0 is 0."""
    metric = METRICS.parse(spelled)
    assert isinstance(metric, LabelMetric)
    parts = metric.count(LABELS, PREDICTIONS, CLASSES)
    assert parts.shape == (6, len(metric.parts(CLASSES)))
    assert float(metric.value(parts.mean(axis=0), 6)) == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_a_class_without_labels_is_left_out_of_balanced_accuracy_alone() -> None:
    """In a resample a class may have no label left: it is no recall of 0 there, and one for the macro average."""
    kept = LABELS != 2
    for spelled, expected in (
        ("balanced_accuracy", (2 / 3 + 1 / 2) / 2),
        ("recall(average=macro)", (2 / 3 + 1 / 2) / 3),
    ):
        metric = METRICS.parse(spelled)
        assert isinstance(metric, LabelMetric)
        parts = metric.count(LABELS[kept], PREDICTIONS[kept], CLASSES)
        assert float(metric.value(parts.mean(axis=0), 5)) == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_two_classes_of_mcc_are_those_of_many() -> None:
    """The formula for any number of classes gives what that of two does."""
    metric = METRICS.parse("mcc")
    assert isinstance(metric, LabelMetric)
    labels, predictions = LABELS % 2, PREDICTIONS % 2
    two, many = (metric.count(labels, predictions, classes) for classes in (("a", "b"), CLASSES))
    assert (two.shape[1], many.shape[1]) == (4, 9)
    first, second = (float(metric.value(parts.mean(axis=0), 6)) for parts in (two, many))
    assert first == pytest.approx(second, rel=1e-12, abs=0.0)


def test_classes_are_in_the_order_of_their_names_or_sizes() -> None:
    assert in_order(["10", "9", "b", "1.5", "a"]) == ("1.5", "9", "10", "a", "b")
