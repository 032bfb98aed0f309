"""The null law of a sum of differences when every sign is a fair coin: exact wherever it can be, without chance always.

The way is chosen by work alone; all agree within the errors they report.
"""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.distributions.characteristic import characteristic_tails
from tellapart.distributions.convolution import (
    binomial_tails,
    convolution_tail,
    fourier_tails,
    fourier_work,
    same_sized,
)
from tellapart.distributions.enumeration import enumerated_tails, grouped_tail, subset_lists
from tellapart.distributions.subset_sums import SubsetSums, Tail

EXACT = 1e9
"""Nanoseconds that an exact answer may take, about, for all rows together."""
