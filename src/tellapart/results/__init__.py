"""Every public answer type, one file each, and nothing else."""
