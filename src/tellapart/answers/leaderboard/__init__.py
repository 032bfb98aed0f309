"""The answer of one question: many systems on the same items."""
