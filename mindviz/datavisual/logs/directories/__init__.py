"""What lies below a base dir: directories, log files and train jobs.

`summary_watcher` is the entry. Only names, times and sizes are inspected here, and the first bytes
of files whose name does not tell their format.
"""
