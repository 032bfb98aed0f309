"""Tables of scores, ratings and votes, pairs of systems, and the summaries that tests and intervals need.

Arrays are `(*batch, item, run, part)`; `batch` is empty for real scores. A table that is too large for memory lies in a temporary file
(`scores_on_disk`) and is an array as any other to code that looks at a part of it; code that needs all of it goes through `rows_of` or
`blocks_of`, which let go of what was read. How a table is cut into blocks depends on its shape alone, so sums have the same bits wherever it
lies. Right or wrong answers are bytes (`score_bytes`).
"""
