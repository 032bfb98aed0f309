"""Can this evaluation tell these systems apart?"""

__version__ = "0.1.0"
