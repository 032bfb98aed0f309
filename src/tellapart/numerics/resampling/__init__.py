"""Bootstrap of an effect: resampling, interval bounds and tail probabilities.

`percentile` takes their quantiles, and is too short for few items; `bca` corrects for median bias and acceleration, which also needs many
items; `studentised` takes quantiles of (resampled − observed effect) over the resample's own standard error, whose law hardly depends on the
unknown spread. Efron & Tibshirani (1993).
"""
