"""Sorting rows of points into columns, and the statistics of each series."""

from libc.math cimport NAN, isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove

from mindviz.datavisual.logs.scanner.native.memory cimport Chunk, Log, log_drop_first
from mindviz.datavisual.logs.scanner.native.rows cimport WIDE, Point
from mindviz.datavisual.logs.scanner.native.series_table cimport Series

cdef struct Tally:              # of one series
    int64_t next                # row of its next step and wall time
    int64_t next_value          # row of its next value
    bint wide

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


cdef inline int count_points(
    Log* log, int segment, int64_t rows, Series* series, int series_count, int32_t* ids
) noexcept nogil:
    """The number of series that have points in `segment`, and their ids, ascending.

    Points are counted as they are appended. Only with several segments in the log, the counts are
    too high for one segment, and its points must be counted here.
    """
    cdef int64_t counted = 0
    cdef int i, parts = 0
    cdef Chunk* chunk = log.first
    cdef const Point* row
    cdef const Point* end
    for i in range(series_count):
        counted += series[i].points
    if counted != rows:
        for i in range(series_count):
            series[i].points = 0
            series[i].wide = False
        while chunk != NULL and chunk.segment == segment:
            row = <const Point*>(chunk + 1)
            end = row + chunk.used
            while row < end:
                series[row.series & ~WIDE].points += 1
                series[row.series & ~WIDE].wide |= (row.series & WIDE) != 0
                row += 1
            chunk = chunk.next
    for i in range(series_count):
        if series[i].points > 0:
            ids[parts] = i
            parts += 1
    return parts


cdef inline void place_points(
    Log* log, int segment, Tally* tallies,
    int64_t* steps, double* wall_times, float* values32, double* values64,
) noexcept nogil:
    """Move the points of `segment` to their columns, freeing the log on the way."""
    cdef const Point* row
    cdef const Point* end
    cdef Tally* tally
    cdef uint32_t bits
    cdef float narrow
    while log.first != NULL and log.first.segment == segment:
        row = <const Point*>(log.first + 1)
        end = row + log.first.used
        while row < end:
            tally = &tallies[row.series & ~WIDE]
            steps[tally.next] = row.step
            wall_times[tally.next] = row.wall_time
            tally.next += 1
            if row.series & WIDE:
                memcpy(&values64[tally.next_value], &row.bits, 8)
            else:
                bits = <uint32_t>row.bits
                if tally.wide:
                    memcpy(&narrow, &bits, 4)
                    values64[tally.next_value] = narrow
                else:
                    memcpy(&values32[tally.next_value], &bits, 4)
            tally.next_value += 1
            row += 1
        log_drop_first(log)


cdef inline void value_stats(
    StatsColumns* stats, Py_ssize_t i, int64_t count, const int64_t* steps,
    const float* values32, const double* values64, bint wide,
) noexcept nogil:
    """Row i of the statistics of values and their steps."""
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


cdef inline void summarize(
    StatsColumns* stats, Py_ssize_t parts, const int64_t* counts, const int64_t* steps,
    const int64_t* step_starts, const double* wall_times, const int64_t* wall_starts,
    const float* values32, const double* values64, const int64_t* value_starts,
    const uint8_t* wide,
) noexcept nogil:
    """The statistics of all series; what equal neighbors share is computed once."""
    cdef Py_ssize_t i
    for i in range(parts):
        value_stats(
            stats, i, counts[i], steps + step_starts[i],
            values32 + value_starts[i], values64 + value_starts[i], wide[i],
        )
        if i > 0 and step_starts[i] == step_starts[i - 1]:
            stats.increasing[i] = stats.increasing[i - 1]
        else:
            stats.increasing[i] = is_increasing(steps + step_starts[i], counts[i])
        if i > 0 and wall_starts[i] == wall_starts[i - 1]:
            stats.first_wall_time[i] = stats.first_wall_time[i - 1]
            stats.last_wall_time[i] = stats.last_wall_time[i - 1]
        else:
            time_span(
                wall_times + wall_starts[i], counts[i],
                &stats.first_wall_time[i], &stats.last_wall_time[i],
            )


cdef inline int64_t share_equal_parts(
    uint64_t* pool, const int64_t* counts, int64_t* starts, Py_ssize_t parts
) noexcept nogil:
    """Store a part that equals the one before it once; the length of what remains."""
    cdef int64_t end = 0, count
    cdef Py_ssize_t i
    for i in range(parts):
        count = counts[i]
        if (
            i > 0
            and count == counts[i - 1]
            and memcmp(pool + starts[i - 1], pool + starts[i], 8 * count) == 0
        ):
            starts[i] = starts[i - 1]
            continue
        if starts[i] != end:
            memmove(pool + end, pool + starts[i], 8 * count)
            starts[i] = end
        end += count
    return end
