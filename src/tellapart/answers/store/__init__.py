"""The answer of one question: what a file of finished work holds."""
