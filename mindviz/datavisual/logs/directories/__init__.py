"""What lies below a base dir: directories, the log files in them, the train jobs that they are.

`summary_watcher` stands at the top and tells what changed since it last looked. Only names, times
and sizes are looked at here, and the first bytes of a file whose name doesn't tell its format.
"""
