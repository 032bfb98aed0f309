"""Counts per item from systems' texts and their references, for metrics of text."""
