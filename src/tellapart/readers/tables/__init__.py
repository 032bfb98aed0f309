"""Tables of any make: which column plays which role, cells as scores, rows as `Scores`, `Ratings` or `Votes`."""
