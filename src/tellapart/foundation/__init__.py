"""Base package of all others: errors, arrays, random streams, options and their spelling, formatting, files.

Nothing here knows about scores. `surfaces` spells an option for the reader of a message: `--missing drop` at the command line,
`missing='drop'` in Python.
"""
