"""Powers as sentences say them."""

from tellapart.wording import percent


def share(power: float) -> str:
    """A power in percent to one decimal, never rounded up to certainty.

    >>> share(0.8), share(0.99999), share(1e-6)
    ('80 %', 'more than 99.9 %', 'less than 0.1 %')
    """
    if 0.9995 <= power < 1.0:
        return "more than 99.9 %"
    return "less than 0.1 %" if 0.0 < power < 0.0005 else percent(round(power, 3))
