"""A base dir as a Store: from bytes in log files to frozen series.

`scanner` turns bytes into columns as `formats` describe them, `directories` finds log files and
notices changes, `loading` reads what files gained and keeps it as `snapshots`, and `answers` reads
single values.
"""
