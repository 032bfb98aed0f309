"""Leaderboards from votes between pairs of systems: `rank` of votes.

`prepared` turns votes into arrays and refuses what has no strengths, `board` fits and judges all pairs together, `verb` makes the answer.
"""
