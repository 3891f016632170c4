"""Rows of points into columns, and the statistics of each series."""

from libc.math cimport NAN, isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memcpy

from mindviz.datavisual.logs.scanner.native.memory cimport Log, log_drop_first
from mindviz.datavisual.logs.scanner.native.rows cimport Point

cdef struct PointColumns:       # of ScalarColumns
    int32_t* series
    int64_t* count
    int64_t* step_start
    int64_t* wall_start
    int64_t* value_start
    uint8_t* wide
    int64_t* steps
    double* wall_times
    float* values32
    double* values64

cdef struct Ends:               # of what each pool holds so far
    int64_t steps
    int64_t wall_times
    int64_t values32
    int64_t values64

cdef struct StatsColumns:
    double* first
    double* last
    double* min
    double* max
    int64_t* first_step
    int64_t* last_step
    int64_t* min_step
    int64_t* max_step
    int64_t* nan_count
    double* first_wall_time
    double* last_wall_time
    uint8_t* increasing


cdef inline bint holds(const Log* log, int segment) noexcept nogil:
    """Whether there are points of `segment`; there are none of earlier ones."""
    return log.first != NULL and log.first.segment == segment


cdef inline void copy_points(
    Log* log, int segment, int64_t* steps, double* wall_times, float* values32, double* values64
) noexcept nogil:
    """Copy the points of `segment` into columns, freeing the log on the way."""
    cdef const Point* row
    cdef int64_t j, count, at = 0
    cdef uint32_t bits
    while log.first != NULL and log.first.segment == segment:
        row = <const Point*>(log.first + 1)
        count = log.first.used
        for j in range(count):
            steps[at + j] = row[j].step
            wall_times[at + j] = row[j].wall_time
        if log.first.wide:
            for j in range(count):
                memcpy(&values64[at + j], &row[j].bits, 8)
        else:
            for j in range(count):
                bits = <uint32_t>row[j].bits
                memcpy(&values32[at + j], &bits, 4)
        at += count
        log_drop_first(log)


cdef inline void value_stats(
    StatsColumns* stats, Py_ssize_t i, int64_t count, const int64_t* steps,
    const float* values32, const double* values64,
) noexcept nogil:
    """Row i of the statistics of values and their steps; `values64` is NULL if they are narrow."""
    cdef bint wide = values64 != NULL
    cdef int64_t j = 0, nans, lowest = 0, highest = 0
    cdef double value, low = NAN, high = NAN
    while j < count and low != low:
        low = high = values64[j] if wide else <double>values32[j]
        lowest = highest = j
        j += 1
    if low != low:
        lowest = highest = 0
        nans = count
    else:
        nans = j - 1
    while j < count:
        value = values64[j] if wide else <double>values32[j]
        if value < low:
            low = value
            lowest = j
        if value > high:
            high = value
            highest = j
        nans += value != value
        j += 1
    stats.first[i] = values64[0] if wide else <double>values32[0]
    stats.last[i] = values64[count - 1] if wide else <double>values32[count - 1]
    stats.min[i] = low
    stats.max[i] = high
    stats.first_step[i] = steps[0]
    stats.last_step[i] = steps[count - 1]
    stats.min_step[i] = steps[lowest]
    stats.max_step[i] = steps[highest]
    stats.nan_count[i] = nans


cdef inline bint is_increasing(const int64_t* steps, int64_t count) noexcept nogil:
    cdef bint increasing = True
    cdef int64_t j
    for j in range(1, count):
        increasing &= steps[j] > steps[j - 1]
    return increasing


cdef inline void time_span(
    const double* wall_times, int64_t count, double* earliest, double* latest
) noexcept nogil:
    """The smallest and largest finite time; NaN if there is none."""
    cdef bint ordered = isfinite(wall_times[0]) and isfinite(wall_times[count - 1])
    cdef int64_t j
    cdef double value
    for j in range(1, count):
        ordered &= wall_times[j] >= wall_times[j - 1]
    if ordered:
        earliest[0] = wall_times[0]
        latest[0] = wall_times[count - 1]
        return
    earliest[0] = latest[0] = NAN
    for j in range(count):
        value = wall_times[j]
        if isfinite(value):
            if not value >= earliest[0]:
                earliest[0] = value
            if not value <= latest[0]:
                latest[0] = value


cdef inline void freeze_part(
    PointColumns* columns, StatsColumns* stats, Ends* ends, Py_ssize_t i, Log* log, int segment
) noexcept nogil:
    """Move the points of part i to the ends of the pools, and compute its statistics.

    Steps or wall times that equal those of the part before stay out of the pool.
    """
    cdef int64_t count = columns.count[i]
    cdef int64_t* steps = columns.steps + ends.steps
    cdef double* wall_times = columns.wall_times + ends.wall_times
    cdef float* values32 = NULL
    cdef double* values64 = NULL
    cdef bint may_repeat = i > 0 and count == columns.count[i - 1]
    if columns.wide[i]:
        values64 = columns.values64 + ends.values64
        columns.value_start[i] = ends.values64
        ends.values64 += count
    else:
        values32 = columns.values32 + ends.values32
        columns.value_start[i] = ends.values32
        ends.values32 += count
    copy_points(log, segment, steps, wall_times, values32, values64)
    value_stats(stats, i, count, steps, values32, values64)
    if may_repeat and memcmp(columns.steps + columns.step_start[i - 1], steps, 8 * count) == 0:
        columns.step_start[i] = columns.step_start[i - 1]
        stats.increasing[i] = stats.increasing[i - 1]
    else:
        columns.step_start[i] = ends.steps
        ends.steps += count
        stats.increasing[i] = is_increasing(steps, count)
    if may_repeat and memcmp(
        columns.wall_times + columns.wall_start[i - 1], wall_times, 8 * count
    ) == 0:
        columns.wall_start[i] = columns.wall_start[i - 1]
        stats.first_wall_time[i] = stats.first_wall_time[i - 1]
        stats.last_wall_time[i] = stats.last_wall_time[i - 1]
    else:
        columns.wall_start[i] = ends.wall_times
        ends.wall_times += count
        time_span(wall_times, count, &stats.first_wall_time[i], &stats.last_wall_time[i])
