"""The verbs: short, each one question. They join the rooms below and know no printing.

They live in a room of their own so that `tellapart.compare` is the function and never a module of that name.
"""
