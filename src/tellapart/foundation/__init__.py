"""The basis of every other room: errors, arrays, random streams, options and their spelling, number formatting, files.

Nothing here knows about scores. `surfaces` spells an option for the reader of a message: `--missing drop` at the command line,
`missing='drop'` in Python.
"""
