"""Tables of scores, ratings and votes, pairs of systems, and the summaries that tests and intervals need.

Arrays are `(*batch, item, run, part)`; `batch` is empty for real scores. A table too large for memory lies in a temporary
file (`score_storage`) and acts as an array for code that reads a part of it; code that needs all of it uses `rows_of` or
`blocks_of`, which release what was read. Blocks depend on the table's shape alone, so sums have the same bits wherever it
lies. Right or wrong answers are stored as bytes.
"""
