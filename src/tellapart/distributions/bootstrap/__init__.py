"""What a bootstrap says: the bounds of an interval, and the tail probabilities that invert the same interval.

Three ways from the same resamples. `percentile` takes their quantiles, and is too short for few items; `bca` moves them for
median bias and acceleration, which also needs many; `studentised` takes quantiles of (resampled − observed effect) over
the resample's own standard error, whose law hardly depends on the unknown spread. Efron & Tibshirani (1993).

`inversion` is the front of both; `limits` says which resamples and how many items will do, and loads none of it.
"""
