"""File formats of evaluation programs and of tables, one module each, discovered automatically."""
