"""Freezing the rows at the front of a log into the arrays of a `Batch`."""

from mindviz.datavisual.logs.scanner.native.memory cimport Log
from mindviz.datavisual.logs.scanner.native.series_table cimport SeriesTable

cdef object column(object dtype, Py_ssize_t size, void** data)
cdef object freeze_points(SeriesTable* table, int segment)
cdef object freeze_places(Log* log, Log* records, int segment)
