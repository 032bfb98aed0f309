"""Powers, and bands of what was solved for: over past systems where some were seen, else over what is possible or expected."""

from tellapart.results.plan import Plan
from tellapart.wording import percent, significant, thousands

_BANDS = {"overlap_from_evidence", "spread_from_evidence"}
"""Notes that say what a band holds, and whether it was measured."""


def band_sentence(answer: Plan) -> str:
    """What evidence leaves open is said with the number that stands on it, wherever that is quoted."""
    band, unseen = _band(answer), _unseen(answer)
    return f" Over {unseen or 'the band of this evidence'}: {band}." if band else ""


def band_in_brackets(answer: Plan) -> str:
    band, unseen = _band(answer), _unseen(answer)
    return f" ({band} over {unseen or 'the band of past systems'})" if band else ""


def _unseen(answer: Plan) -> str:
    """What the band is where nothing was measured; nothing where all was."""
    noted = (note.values for note in answer.notes if note.code in _BANDS)
    bands = [one for values in noted for one in values.get("supposed", [values])]
    if all(one["measured"] for one in bands):
        return ""
    if any(one["measured"] for one in bands):
        return "the band of this evidence"
    return " and ".join(dict.fromkeys(one["band"] for one in bands))


def _band(answer: Plan) -> str:
    """Between which numbers the one that was solved for lies, where it stands on evidence; nothing elsewhere."""
    row = answer.rows[0]
    if "evidence" not in row.options:
        return ""
    if answer.solved_for == "power":
        return f"{share(row.power_low)} to {share(row.power_high)}"
    if row.solved_low is None or row.solved_high is None:
        return ""
    if answer.solved_for == "items":
        return f"{thousands(round(row.solved_low))} to {thousands(round(row.solved_high))} {row.counts}"
    return f"{significant(row.solved_low, 3)} to {significant(row.solved_high, 3)}"


def share(power: float) -> str:
    """A power in percent to one decimal, never rounded up to certainty.

    >>> share(0.8), share(0.99999), share(1e-6)
    ('80 %', 'more than 99.9 %', 'less than 0.1 %')
    """
    if 0.9995 <= power < 1.0:
        return "more than 99.9 %"
    return "less than 0.1 %" if 0.0 < power < 0.0005 else percent(round(power, 3))
