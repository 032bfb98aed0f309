"""Studies of this package itself: `calibration` measures every default, `reproduction` recomputes published tables.

Nothing but the command line imports them.
"""
