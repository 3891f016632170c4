"""From bytes to columns: one walk over a log file, in native code or in its Python twin.

`scan` chooses between the two and says what both must do. Nothing here does I/O.
"""
