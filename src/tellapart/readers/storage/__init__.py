"""Where bytes come from: files, folders, archives, standard input; and JSON and CSV read piece by piece."""
