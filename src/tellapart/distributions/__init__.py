"""Null laws and resampling kernels that several rooms share.

`sign_flip_law/` is the exact law of a sum whose signs are coins, `bootstrap/` what resamples say of an effect. Everything is
batch-first, knows no test and no alpha, and says in its docstring when it is exact and how far off it is when it is not.
"""
