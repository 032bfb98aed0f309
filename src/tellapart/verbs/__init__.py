"""The verbs, such as `compare` or `plan`, one folder each: options, computation and notes.

A question is a frozen dataclass of options, each with its type, default, range and help. The command line makes its flags of them, Python its
signature (`asking`), a page its form. A verb returns an answer without sentences.

The verbs have a room of their own so that `tellapart.compare` is the function and never a module of that name.
"""
