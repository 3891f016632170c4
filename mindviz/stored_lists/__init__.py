"""Lists of runs in databases."""
