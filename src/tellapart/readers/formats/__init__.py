"""One file per program that writes logs of evaluations; files of this folder are found by themselves."""
