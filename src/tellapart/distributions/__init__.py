"""Null laws and resampling kernels that several rooms share."""
