"""Calibration of the defaults: size, coverage and power over a grid of scenarios, known failures included."""

from tellapart.studies.calibration.run import calibrate

__all__ = ["calibrate"]
