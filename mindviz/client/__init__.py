"""The Python API: logs of a directory, a database or a server as tables."""
