"""The answer of one question: two systems on the same items."""
