"""The answer of one question: how far raters agree."""
