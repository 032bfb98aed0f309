"""Null distributions and power of classical tests, as functions of arrays."""
