"""The answer of `rank` about votes between systems."""
