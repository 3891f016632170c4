"""Rows that a scan collects until they are frozen."""

from libc.stdint cimport int32_t, int64_t, uint64_t

cdef struct Point:
    int64_t step
    double wall_time
    uint64_t bits               # of a double, or of a float in the lower half

cdef struct Place:              # a value that is only indexed
    int64_t place               # offset from its record
    int64_t length
    int32_t series
    int32_t record              # row, counted since the last `take`

cdef struct PlaceRecord:        # what the values of a record have in common
    int64_t step
    double wall_time
    int64_t offset
    int64_t length
