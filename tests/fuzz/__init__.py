"""Made-up tables, damaged files and odd questions: what is promised of any input, tried on as many as there is time for."""
