"""Where log files are: on a file system, or in an object store."""
