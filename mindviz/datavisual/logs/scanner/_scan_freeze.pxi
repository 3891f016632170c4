# Freezing: the rows of one segment in the logs -> the arrays of one Batch.

cdef packed struct Point:       # 28 bytes
    int64_t step
    double wall_time
    uint64_t bits               # of a double, or of a float in the lower half
    uint32_t series             # WIDE set if the bits are a double's

cdef enum:
    WIDE = 0x80000000u

cdef struct Place:              # a value that is only indexed
    int64_t place               # from its record
    int64_t length
    int32_t series
    int32_t record              # among those that `take` has not handed over

cdef struct PlaceRecord:        # what the values of a record have in common
    int64_t step
    double wall_time
    int64_t offset
    int64_t length

cdef struct Tally:              # of one series, while its points are counted and placed
    int64_t points
    int64_t next                # where its next step and wall time go
    int64_t next_value          # where its next value goes
    bint wide


cdef object column(object dtype, Py_ssize_t size, void** data):
    """A new array and where its items are."""
    cdef Py_buffer view
    array = numpy.empty(size, dtype)
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    data[0] = view.buf
    PyBuffer_Release(&view)     # the array keeps its memory
    return array


cdef object frozen(object array):
    array.setflags(write=False)
    return array


cdef int compare_ids(const void* a, const void* b) noexcept nogil:
    return (<const int32_t*>a)[0] - (<const int32_t*>b)[0]


cdef Py_ssize_t count_points(
    Log* log, int segment, Tally* tallies, int series_count, int32_t* ids
) noexcept nogil:
    """Points and width per series; the ids of series that have any, ascending, and their number."""
    cdef Chunk* chunk = log.first
    cdef const Point* row
    cdef const Point* end
    cdef Tally* tally
    cdef Py_ssize_t found = 0
    cdef int i
    memset(tallies, 0, series_count * sizeof(Tally))
    while chunk != NULL and chunk.segment == segment:
        row = <const Point*>(chunk + 1)
        end = row + chunk.used
        while row < end:
            tally = &tallies[row.series & ~WIDE]
            if tally.points == 0:
                ids[found] = <int32_t>(row.series & ~WIDE)
                found += 1
            tally.points += 1
            if row.series & WIDE:
                tally.wide = True
            row += 1
        chunk = chunk.next
    if found > series_count // 16:
        found = 0
        for i in range(series_count):
            if tallies[i].points:
                ids[found] = i
                found += 1
    else:
        qsort(ids, found, sizeof(int32_t), compare_ids)
    return found


cdef void place_points(
    Log* log, int segment, Tally* tallies,
    int64_t* steps, double* wall_times, float* values32, double* values64,
) noexcept nogil:
    """Move every point to its place, freeing the log on the way."""
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


cdef inline double value_at(
    const float* values32, const double* values64, bint wide, int64_t at
) noexcept nogil:
    return values64[at] if wide else <double>values32[at]


cdef void summarise(
    StatsColumns* stats, Py_ssize_t i, int64_t count, const int64_t* steps,
    const double* wall_times, const float* values32, const double* values64, bint wide,
) noexcept nogil:
    """Row i of the statistics, of one series' points."""
    cdef int64_t j, nans = 0, lowest = -1, highest = -1
    cdef double value, low = 0, high = 0
    cdef double earliest = NAN, latest = NAN
    cdef bint increasing = True
    for j in range(count):
        value = values64[j] if wide else <double>values32[j]
        if value < low or lowest < 0:
            if value == value:
                low = value
                lowest = j
        if value > high or highest < 0:
            if value == value:
                high = value
                highest = j
        nans += value != value
    for j in range(1, count):
        increasing &= steps[j] > steps[j - 1]
    for j in range(count):
        value = wall_times[j]
        if isfinite(value):
            if not value >= earliest:
                earliest = value
            if not value <= latest:
                latest = value
    stats.first[i] = values64[0] if wide else <double>values32[0]
    stats.last[i] = values64[count - 1] if wide else <double>values32[count - 1]
    stats.min[i] = low if lowest >= 0 else NAN
    stats.max[i] = high if highest >= 0 else NAN
    stats.first_step[i] = steps[0]
    stats.last_step[i] = steps[count - 1]
    stats.min_step[i] = steps[lowest if lowest >= 0 else 0]
    stats.max_step[i] = steps[highest if highest >= 0 else 0]
    stats.nan_count[i] = nans
    stats.first_wall_time[i] = earliest
    stats.last_wall_time[i] = latest
    stats.increasing[i] = increasing


cdef int64_t share_equal_parts(
    uint64_t* pool, const int64_t* counts, int64_t* starts, Py_ssize_t parts
) noexcept nogil:
    """Let a part that equals the one before it share its place; the length of what remains."""
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


cdef object freeze_points(Log* log, int segment, int series_count):
    """ScalarColumns of the segment at the front of the log, which is freed."""
    cdef Py_ssize_t rows = log_rows(log, segment)
    cdef Py_ssize_t parts, i
    cdef Tally* tallies
    cdef Tally* tally
    cdef int32_t* ids
    cdef int64_t total = 0, narrow = 0, wide = 0
    cdef int64_t step_total, wall_total
    cdef StatsColumns stats
    cdef int32_t* series_
    cdef int64_t* counts
    cdef int64_t* step_starts
    cdef int64_t* wall_starts
    cdef int64_t* value_starts
    cdef uint8_t* wides
    cdef int64_t* steps_
    cdef double* walls_
    cdef float* values32_
    cdef double* values64_
    if rows == 0:
        return no_scalars()
    tallies = <Tally*>malloc(series_count * sizeof(Tally))
    ids = <int32_t*>malloc(series_count * sizeof(int32_t))
    try:
        if tallies == NULL or ids == NULL:
            raise MemoryError
        with nogil:
            parts = count_points(log, segment, tallies, series_count, ids)
        series = column(INT32, parts, <void**>&series_)
        count = column(INT64, parts, <void**>&counts)
        step_start = column(INT64, parts, <void**>&step_starts)
        wall_start = column(INT64, parts, <void**>&wall_starts)
        value_start = column(INT64, parts, <void**>&value_starts)
        is_wide = column(BOOL, parts, <void**>&wides)
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
            for i in range(parts):
                tally = &tallies[ids[i]]
                series_[i] = ids[i]
                counts[i] = tally.points
                step_starts[i] = wall_starts[i] = tally.next = total
                total += tally.points
                wides[i] = tally.wide
                if tally.wide:
                    value_starts[i] = tally.next_value = wide
                    wide += tally.points
                else:
                    value_starts[i] = tally.next_value = narrow
                    narrow += tally.points
        steps = column(INT64, total, <void**>&steps_)
        walls = column(FLOAT64, total, <void**>&walls_)
        values32 = column(FLOAT32, narrow, <void**>&values32_)
        values64 = column(FLOAT64, wide, <void**>&values64_)
        with nogil:
            place_points(log, segment, tallies, steps_, walls_, values32_, values64_)
            for i in range(parts):
                summarise(
                    &stats, i, counts[i], steps_ + step_starts[i], walls_ + wall_starts[i],
                    values32_ + value_starts[i], values64_ + value_starts[i], wides[i],
                )
            step_total = share_equal_parts(<uint64_t*>steps_, counts, step_starts, parts)
            wall_total = share_equal_parts(<uint64_t*>walls_, counts, wall_starts, parts)
    finally:
        free(tallies)
        free(ids)
    if step_total < total:
        steps.resize(step_total, refcheck=False)
    if wall_total < total:
        walls.resize(wall_total, refcheck=False)
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
    """ValueColumns of the segment at the front of the logs, which is freed."""
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
    """RecordColumns of the segment at the front of the log, which is freed."""
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
    """ScalarColumns of nothing; one for all."""
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
    """ValueColumns of nothing; one for all."""
    ints = frozen(numpy.empty(0, INT64))
    ids = frozen(numpy.empty(0, INT32))
    offsets = frozen(numpy.empty(0, UINT32))
    records = RecordColumns(ints, frozen(numpy.empty(0, FLOAT64)), ints, ints)
    return ValueColumns(ids, ids, offsets, offsets, records)
