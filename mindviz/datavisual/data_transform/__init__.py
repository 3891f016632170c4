"""Loading and cache: from bytes in a log file to frozen series.

The packages are the stations of the pipeline, from the disk upwards: `directories` finds log
files, `scanner` makes columns of their bytes as `formats` say, `loading` reads what they gained and
keeps it as `snapshots`, `answers` says what is asked about them and decodes their `payloads`. `sql`
does the same with databases. The modules beside them are the words in which all of them speak.
"""
