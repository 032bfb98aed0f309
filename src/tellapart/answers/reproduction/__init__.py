"""The answer of one question: published numbers beside ours."""
