"""What `plan` is asked where a comparison has no time to: a note with the question, or with the reason why these items are no pilot for it."""

from tellapart.populations.tilted_items import TiltedItems
from tellapart.results.note import Note
from tellapart.significance import Procedure
from tellapart.significance.margins import Equivalence, Margin
from tellapart.verbs.compare.analysis import Analysis


def ask_detectable(analysis: Analysis, test: Procedure, power: float) -> Note:
    """Effects are looked for from 0 on, to the side of the alternative: some must be there."""
    low, high = _effects(analysis)
    sought = {"less": low < 0.0, "greater": high > 0.0}.get(test.alternative, low < high)
    if not (low <= 0.0 <= high and sought):
        return Note("detectable_outside_pilot", {"items": analysis.items, "low": low, "high": high})
    return Note("detectable_by_plan", {"test": str(test), "items": analysis.items, "power": power})


def ask_items_for_effect(analysis: Analysis, test: Procedure, size: float, power: float) -> Note:
    """For an effect of this size on a side that the test looks at, and that these items can be weighted to."""
    low, high = _effects(analysis)
    sides = {"less": (-size,), "greater": (size,)}.get(test.alternative, (size, -size))
    effect = next((side for side in sides if low < side < high), None)
    if effect is None:
        return Note("items_outside_pilot", {"effect": sides[0], "margin": None, "low": low, "high": high})
    return Note("items_by_plan", {"test": str(test), "effect": effect, "margin": None, "power": power})


def ask_items_for_margin(analysis: Analysis, test: Procedure, margin: float, power: float) -> Note:
    """For systems that are equal."""
    low, high = _effects(analysis)
    if not low < 0.0 < high:
        return Note("items_outside_pilot", {"effect": None, "margin": margin, "low": low, "high": high})
    asked = str(_at_margin(analysis, test, margin))
    return Note("items_by_plan", {"test": asked, "effect": None, "margin": margin, "power": power})


def _at_margin(analysis: Analysis, test: Procedure, margin: float) -> Procedure:
    """A test that a plan can move to the margin: of a metric the stand-in of resampling tests; one of a difference, where an interval judged."""
    moved = test if isinstance(test, Margin) else Equivalence(test.replace(alternative="two-sided"), margin=margin)  # fmt: skip
    if moved.needs.holds_parts and not analysis.metric.linear:
        return moved.replace(test=analysis.margin_stand_in)
    return moved


def _effects(analysis: Analysis) -> tuple[float, float]:
    """Between which effects these items are, whatever the chances that they are drawn with."""
    if analysis.metric.linear and analysis.pair.clusters is None:
        # As below, without putting a million items in order.
        values = analysis.differences.values
        return float(values.min()), float(values.max())
    return TiltedItems.of(analysis.pair, analysis.metric).effect_range
