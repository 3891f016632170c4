"""What the current record holds, and how it becomes data."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from mindviz.datavisual.logs.scanner.native.field_table cimport (
    BLOB, METADATA, RANK0_LIMIT, RECORD_LEVEL, STEP, TAG, TAGGED_FLOAT, TF_TENSOR, VERSION,
)
from mindviz.datavisual.logs.scanner.native.memory cimport Chunk, Log, arena_take, log_append
from mindviz.datavisual.logs.scanner.native.rank0 cimport read_rank0
from mindviz.datavisual.logs.scanner.native.rows cimport Place, PlaceRecord, Point
from mindviz.datavisual.logs.scanner.native.scan_state cimport (
    MAX_SEGMENTS, TOO_MANY_SEGMENTS, Metadata, Scan, drop_staged, report_loss,
)
from mindviz.datavisual.logs.scanner.native.series_table cimport series_find
from mindviz.datavisual.logs.scanner.native.value cimport (
    NOTHING, PLACE, SEGMENT_MARK, TAGGED_NUMBER, Value, read_tagged_float, set_place,
    wall_time_of,
)


cdef inline void record_number(Scan* scan, int role, uint64_t number) noexcept nogil:
    if role == STEP:
        scan.step = <int64_t>number
    else:
        scan.wall_time = wall_time_of(number)


cdef inline bint apply_bytes(
    Value* value, int role, uint8_t kind, const uint8_t* p, int64_t size, int64_t place
) noexcept nogil:
    """Apply a length-delimited field to `value`; False if it is malformed."""
    if role == TAG:
        value.tag = p
        value.tag_size = <uint32_t>size
    elif role == BLOB:
        set_place(value, kind, place, size)
    elif role == METADATA:
        value.has_metadata = True
        value.metadata = p
        value.metadata_size = size
    elif role == TF_TENSOR:
        if size > RANK0_LIMIT or not read_rank0(p, p + size, value):
            set_place(value, kind, place, size)
    elif role == TAGGED_FLOAT:
        return read_tagged_float(p, p + size, value)
    elif role == VERSION:
        value.content = SEGMENT_MARK
    return True


cdef inline Value* stage_next(Scan* scan) noexcept nogil:
    """The next value to stage, empty; NULL and `out_of_memory` if there is no memory."""
    cdef Value* value
    cdef Py_ssize_t size
    if scan.staged == scan.stage_size:
        size = max(2 * scan.stage_size, <Py_ssize_t>16)
        value = <Value*>realloc(scan.stage, size * sizeof(Value))
        if value == NULL:
            scan.out_of_memory = True
            return NULL
        scan.stage = value
        scan.stage_size = size
    value = &scan.stage[scan.staged]
    memset(value, 0, sizeof(Value))
    return value


cdef inline void end_value(Scan* scan, Value* value, int64_t start) noexcept nogil:
    """Stage the value unless it is empty."""
    if value.content == SEGMENT_MARK:
        scan.starts_segment = True
        return
    if value.content == NOTHING:
        if not value.has_metadata or scan.table.tensor_kind == 0:
            return
        set_place(value, scan.table.tensor_kind, start, 0)
        scan.needs_checksum = True      # the record is not read again
    scan.staged += 1


cdef inline void stage_record_blob(Scan* scan, int key, int64_t place, int64_t size) noexcept nogil:
    cdef Value* value = stage_next(scan)
    if value == NULL:
        return
    value.tag = scan.table.record_tags[key]
    value.tag_size = scan.table.record_tag_sizes[key]
    set_place(value, scan.table.kinds[RECORD_LEVEL][key], place, size)
    scan.staged += 1


cdef inline void commit(Scan* scan) noexcept nogil:
    """Turn the staged values into rows."""
    cdef Py_ssize_t i
    cdef Value* value
    cdef Place* place
    cdef PlaceRecord* record = NULL
    cdef int series
    cdef bint timed_values = scan.table.timed_values
    if scan.starts_segment:
        begin_segment(scan)
    for i in range(scan.staged):
        value = &scan.stage[i]
        if not timed_values:
            value.step = scan.step
            value.wall_time = scan.wall_time
        if value.content == PLACE:
            series = series_find(
                &scan.series, value.kind, value.tag, value.tag_size, False
            )
            place = <Place*>log_append(&scan.places, scan.segment, sizeof(Place))
            if series < 0 or place == NULL:
                scan.out_of_memory = True
                return
            place.place = value.place - scan.position
            place.length = value.size
            place.series = series
            if record == NULL or (timed_values and not same_time(record, value)):
                record = <PlaceRecord*>log_append(
                    &scan.place_records, scan.segment, sizeof(PlaceRecord)
                )
                if record == NULL:
                    scan.out_of_memory = True
                    return
                record.step = value.step
                record.wall_time = value.wall_time
                record.offset = scan.position
                record.length = scan.record_end - scan.position
                scan.place_record_count += 1
            place.record = scan.place_record_count - 1
        else:
            if value.content == TAGGED_NUMBER and not join_tags(scan, value):
                return
            series = series_find(
                &scan.series, 0, value.tag, value.tag_size, value.from_tensor
            )
            if series < 0 or not add_point(
                &scan.series.rows[series].points, scan.segment, value
            ):
                scan.out_of_memory = True
                return
        if value.has_metadata and not scan.series.rows[series].has_metadata:
            add_metadata(scan, series, value)
        scan.segment_has_data = True
    drop_staged(scan)


cdef inline bint add_point(Log* log, int segment, const Value* value) noexcept nogil:
    """Append a point of `segment` to those of its series; False if there is no memory."""
    cdef Point* point
    cdef bint follows = log.last != NULL and log.last.segment == segment
    cdef bint wide = value.wide or (follows and log.last.wide)
    if follows and wide and not log.last.wide:
        widen(log, segment)
    point = <Point*>log_append(log, segment, sizeof(Point))
    if point == NULL:
        return False
    log.last.wide = wide
    point.step = value.step
    point.wall_time = value.wall_time
    point.bits = widened(value.bits) if wide and not value.wide else value.bits
    return True


cdef inline void widen(Log* log, int segment) noexcept nogil:
    """Turn the values of `segment`, which is at the end of the log, from floats to doubles."""
    cdef Chunk* chunk = log.first
    cdef Point* point
    cdef unsigned int i
    while chunk != NULL:
        if chunk.segment == segment:
            point = <Point*>(chunk + 1)
            for i in range(chunk.used):
                point[i].bits = widened(point[i].bits)
            chunk.wide = True
        chunk = chunk.next


cdef inline uint64_t widened(uint64_t bits) noexcept nogil:
    """The bits of a double that equals a float."""
    cdef uint32_t narrow = <uint32_t>bits
    cdef float number
    cdef double wide
    memcpy(&number, &narrow, 4)
    wide = number
    memcpy(&bits, &wide, 8)
    return bits


cdef inline bint same_time(const PlaceRecord* record, const Value* value) noexcept nogil:
    """Whether step and wall time are equal; values' own times are never NaN."""
    return record.step == value.step and record.wall_time == value.wall_time


cdef inline bint join_tags(Scan* scan, Value* value) noexcept nogil:
    """Set the tag of a tagged number to `tag/sub-tag`."""
    cdef uint32_t size = value.tag_size + 1 + value.subtag_size
    cdef uint8_t* joined = arena_take(&scan.scratch, size)
    if joined == NULL:
        scan.out_of_memory = True
        return False
    if value.tag_size > 0:      # an empty tag may be NULL
        memcpy(joined, value.tag, value.tag_size)
    joined[value.tag_size] = c"/"
    memcpy(joined + value.tag_size + 1, value.subtag, value.subtag_size)
    value.tag = joined
    value.tag_size = size
    return True


cdef inline void add_metadata(Scan* scan, int series, Value* value) noexcept nogil:
    cdef Metadata* entry
    cdef Py_ssize_t size
    cdef uint8_t* copy = <uint8_t*>malloc(max(value.metadata_size, <int64_t>1))
    if scan.metadata_count == scan.metadata_capacity:
        size = max(2 * scan.metadata_capacity, <Py_ssize_t>8)
        entry = <Metadata*>realloc(scan.metadata, size * sizeof(Metadata))
        if entry != NULL:
            scan.metadata = entry
            scan.metadata_capacity = size
    if copy == NULL or scan.metadata_count == scan.metadata_capacity:
        free(copy)
        scan.out_of_memory = True
        return
    memcpy(copy, value.metadata, <size_t>value.metadata_size)
    entry = &scan.metadata[scan.metadata_count]
    entry.series = series
    entry.size = value.metadata_size
    entry.data = copy
    scan.metadata_count += 1
    scan.series.rows[series].has_metadata = True


cdef inline void begin_segment(Scan* scan) noexcept nogil:
    if not scan.segment_has_data:
        if scan.segment == 0:
            scan.starts_first = True
        return
    if scan.segment + 1 < MAX_SEGMENTS:
        scan.segment += 1
        scan.segment_has_data = False
    elif not scan.too_many_segments:
        scan.too_many_segments = True
        report_loss(scan, TOO_MANY_SEGMENTS)
