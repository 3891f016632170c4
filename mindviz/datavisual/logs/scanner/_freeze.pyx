# cython: language_level=3
# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Freezing: the rows of one segment in the logs become the arrays of a `Batch`."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint32_t

from mindviz.datavisual.logs.scanner.native.memory cimport Chunk, Log, log_drop_first, log_rows
from mindviz.datavisual.logs.scanner.native.point_columns cimport (
    Ends, PointColumns, StatsColumns, freeze_part, holds,
)
from mindviz.datavisual.logs.scanner.native.rows cimport Place, PlaceRecord
from mindviz.datavisual.logs.scanner.native.series_table cimport SeriesTable

from functools import cache

import numpy

from mindviz.datavisual.series.columns import (
    RecordColumns,
    ScalarColumns,
    SeriesStats,
    ValueColumns,
)

cdef object INT32 = numpy.dtype(numpy.int32)
cdef object UINT32 = numpy.dtype(numpy.uint32)
cdef object INT64 = numpy.dtype(numpy.int64)
cdef object FLOAT32 = numpy.dtype(numpy.float32)
cdef object FLOAT64 = numpy.dtype(numpy.float64)
cdef object BOOL = numpy.dtype(numpy.bool_)


cdef object column(object dtype, Py_ssize_t size, void** data):
    """A new array; `data` is set to its items."""
    cdef Py_buffer view
    array = numpy.empty(size, dtype)
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    data[0] = view.buf
    PyBuffer_Release(&view)     # the array's memory stays
    return array


cdef object frozen(object array):
    array.setflags(write=False)
    return array


cdef object freeze_points(SeriesTable* table, int segment):
    """ScalarColumns of `segment`, the first one with points. Frees its rows."""
    cdef Py_ssize_t parts = 0, i
    cdef Log* log
    cdef int64_t total = 0, narrow = 0, wide = 0
    cdef PointColumns columns
    cdef StatsColumns stats
    cdef Ends ends
    with nogil:
        for i in range(table.count):
            parts += holds(&table.rows[i].points, segment)
    if parts == 0:
        return no_scalars()
    series = column(INT32, parts, <void**>&columns.series)
    count = column(INT64, parts, <void**>&columns.count)
    step_start = column(INT64, parts, <void**>&columns.step_start)
    wall_start = column(INT64, parts, <void**>&columns.wall_start)
    value_start = column(INT64, parts, <void**>&columns.value_start)
    is_wide = column(BOOL, parts, <void**>&columns.wide)
    first = column(FLOAT64, parts, <void**>&stats.first)
    last = column(FLOAT64, parts, <void**>&stats.last)
    low = column(FLOAT64, parts, <void**>&stats.min)
    high = column(FLOAT64, parts, <void**>&stats.max)
    first_step = column(INT64, parts, <void**>&stats.first_step)
    last_step = column(INT64, parts, <void**>&stats.last_step)
    min_step = column(INT64, parts, <void**>&stats.min_step)
    max_step = column(INT64, parts, <void**>&stats.max_step)
    nan_count = column(INT64, parts, <void**>&stats.nan_count)
    first_wall_time = column(FLOAT64, parts, <void**>&stats.first_wall_time)
    last_wall_time = column(FLOAT64, parts, <void**>&stats.last_wall_time)
    increasing = column(BOOL, parts, <void**>&stats.increasing)
    with nogil:
        parts = 0
        for i in range(table.count):
            log = &table.rows[i].points
            if holds(log, segment):
                columns.series[parts] = <int32_t>i
                columns.count[parts] = log_rows(log, segment)
                columns.wide[parts] = log.first.wide
                total += columns.count[parts]
                if log.first.wide:
                    wide += columns.count[parts]
                parts += 1
        narrow = total - wide
    steps = column(INT64, total, <void**>&columns.steps)
    walls = column(FLOAT64, total, <void**>&columns.wall_times)
    values32 = column(FLOAT32, narrow, <void**>&columns.values32)
    values64 = column(FLOAT64, wide, <void**>&columns.values64)
    with nogil:
        ends.steps = ends.wall_times = ends.values32 = ends.values64 = 0
        for i in range(parts):
            log = &table.rows[columns.series[i]].points
            freeze_part(&columns, &stats, &ends, i, log, segment)
    if ends.steps < total:
        steps.resize(ends.steps, refcheck=False)
    if ends.wall_times < total:
        walls.resize(ends.wall_times, refcheck=False)
    return ScalarColumns(
        frozen(series), frozen(count), frozen(step_start), frozen(wall_start), frozen(value_start),
        frozen(is_wide), frozen(steps), frozen(walls), frozen(values32), frozen(values64),
        SeriesStats(
            frozen(first), frozen(last), frozen(low), frozen(high), frozen(first_step),
            frozen(last_step), frozen(min_step), frozen(max_step), frozen(nan_count),
            frozen(first_wall_time), frozen(last_wall_time), frozen(increasing),
        ),
    )


cdef object freeze_places(Log* log, Log* records, int segment):
    """ValueColumns of `segment`, which is at the front of the logs. Frees its rows."""
    cdef Py_ssize_t rows = log_rows(log, segment)
    cdef Py_ssize_t i = 0, j
    cdef const Place* row
    cdef const Chunk* chunk = log.first
    cdef int32_t first_record
    cdef int64_t largest = 0
    cdef int32_t* series_
    cdef int32_t* records_
    cdef int64_t* places_
    cdef int64_t* lengths_
    cdef uint32_t* places32_
    cdef uint32_t* lengths32_
    if rows == 0:
        return no_values()
    first_record = (<const Place*>(log.first + 1)).record
    with nogil:
        while chunk != NULL and chunk.segment == segment:
            row = <const Place*>(chunk + 1)
            for j in range(chunk.used):
                largest |= row.place | row.length
                row += 1
            chunk = chunk.next
    series = column(INT32, rows, <void**>&series_)
    record = column(INT32, rows, <void**>&records_)
    if largest >> 32:
        place = column(INT64, rows, <void**>&places_)
        length = column(INT64, rows, <void**>&lengths_)
    else:
        place = column(UINT32, rows, <void**>&places32_)
        length = column(UINT32, rows, <void**>&lengths32_)
    with nogil:
        while log.first != NULL and log.first.segment == segment:
            row = <const Place*>(log.first + 1)
            for j in range(log.first.used):
                series_[i] = row.series
                records_[i] = row.record - first_record
                if largest >> 32:
                    places_[i] = row.place
                    lengths_[i] = row.length
                else:
                    places32_[i] = <uint32_t>row.place
                    lengths32_[i] = <uint32_t>row.length
                row += 1
                i += 1
            log_drop_first(log)
    return ValueColumns(
        frozen(series), frozen(record), frozen(place), frozen(length),
        freeze_records(records, segment),
    )


cdef object freeze_records(Log* log, int segment):
    """RecordColumns of `segment`, which is at the front of the log. Frees its rows."""
    cdef Py_ssize_t rows = log_rows(log, segment)
    cdef Py_ssize_t i = 0, j
    cdef const PlaceRecord* row
    cdef int64_t* steps_
    cdef double* walls_
    cdef int64_t* offsets_
    cdef int64_t* lengths_
    step = column(INT64, rows, <void**>&steps_)
    wall_time = column(FLOAT64, rows, <void**>&walls_)
    offset = column(INT64, rows, <void**>&offsets_)
    length = column(INT64, rows, <void**>&lengths_)
    with nogil:
        while log.first != NULL and log.first.segment == segment:
            row = <const PlaceRecord*>(log.first + 1)
            for j in range(log.first.used):
                steps_[i] = row.step
                walls_[i] = row.wall_time
                offsets_[i] = row.offset
                lengths_[i] = row.length
                row += 1
                i += 1
            log_drop_first(log)
    return RecordColumns(frozen(step), frozen(wall_time), frozen(offset), frozen(length))


@cache
def no_scalars():
    """Empty ScalarColumns, shared."""
    ints = frozen(numpy.empty(0, INT64))
    floats = frozen(numpy.empty(0, FLOAT64))
    bools = frozen(numpy.empty(0, BOOL))
    return ScalarColumns(
        frozen(numpy.empty(0, INT32)), ints, ints, ints, ints, bools, ints, floats,
        frozen(numpy.empty(0, FLOAT32)), floats,
        SeriesStats(
            floats, floats, floats, floats, ints, ints, ints, ints, ints, floats, floats, bools
        ),
    )


@cache
def no_values():
    """Empty ValueColumns, shared."""
    ints = frozen(numpy.empty(0, INT64))
    ids = frozen(numpy.empty(0, INT32))
    offsets = frozen(numpy.empty(0, UINT32))
    records = RecordColumns(ints, frozen(numpy.empty(0, FLOAT64)), ints, ints)
    return ValueColumns(ids, ids, offsets, offsets, records)
