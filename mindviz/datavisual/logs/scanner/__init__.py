"""From bytes to columns: one pass over a log file, in native code or in plain Python.

`scan` has the contract of both scanners and chooses one. Only the native scanner does I/O: small
reads of an open file that its caller has passed.
"""
