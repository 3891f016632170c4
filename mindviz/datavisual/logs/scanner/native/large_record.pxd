"""Records too large to buffer: walked field by field, skipping what is only indexed."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from mindviz.datavisual.logs.scanner.native.checksum cimport crc32c_extend, crc32c_mask
from mindviz.datavisual.logs.scanner.native.field_table cimport (
    BLOB, FLOAT, IGNORE, KEYS, METADATA, RANK0_LIMIT, RECORD_LEVEL, SESSION_LOG, STEP, SUMMARY,
    SUMMARY_LEVEL, TF_TENSOR, UNKNOWN, VALUE, VALUE_LEVEL, VERSION, WALL_TIME_MILLISECONDS,
    WALL_TIME_SECONDS,
)
from mindviz.datavisual.logs.scanner.native.memory cimport arena_take
from mindviz.datavisual.logs.scanner.native.scan_state cimport (
    BAD_PAYLOAD, BAD_RECORD, COPIED_LIMIT, COPY, FIELD_START, FIRST_READ, HEADING_LIMIT,
    LARGEST_READ, MAX_VALUES, METADATA_LIMIT, NEED_DATA, PROCEED, RECORDS, VERIFY, WALK, Damage,
    Progress, Scan, drop_staged, need, report_loss,
)
from mindviz.datavisual.logs.scanner.native.stage cimport (
    apply_bytes, commit, end_value, record_number, stage_next, stage_record_blob,
)
from mindviz.datavisual.logs.scanner.native.value cimport (
    NUMBER, SEGMENT_MARK, TAGGED_NUMBER, Value, session_starts, set_float, set_place,
    value_number,
)
from mindviz.datavisual.logs.scanner.native.wire_format cimport (
    DELIMITED, load32, read_key, read_varint, skip_field,
)


cdef inline void begin_walk(Scan* scan, int64_t length) noexcept nogil:
    scan.cursor = scan.record_end - length - (4 if scan.table.checksums else 0)
    scan.payload_end = scan.cursor + length
    scan.depth = 0
    scan.ends[0] = scan.payload_end
    scan.levels[0] = RECORD_LEVEL
    scan.wall_time = 0.0
    scan.step = 0
    scan.copied = 0
    scan.needs_checksum = scan.verify_all
    scan.malformed = False
    scan.mode = WALK


cdef inline Progress walk(Scan* scan) noexcept nogil:
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef const uint8_t* after
    cdef int64_t left
    cdef uint64_t key
    while True:
        left = scan.ends[scan.depth] - scan.cursor
        if left == 0:
            if scan.depth == 0:
                return end_walk(scan)
            if scan.levels[scan.depth] == VALUE_LEVEL:
                end_value(scan, &scan.stage[scan.staged], scan.value_start)
            scan.depth -= 1
            continue
        if scan.cursor < scan.data_offset or (
            scan.data_end - scan.cursor < min(left, <int64_t>FIELD_START)
        ):
            return need(scan, scan.cursor, min(left, <int64_t>FIELD_START))
        p = scan.data + (scan.cursor - scan.data_offset)
        end = p + min(left, scan.data_end - scan.cursor)
        after = read_key(p, end, &key)
        if after == NULL:
            break
        if key & 7 == DELIMITED:
            if not walk_message(scan, key, p, after, end, left):
                break
            if scan.mode == COPY or scan.out_of_memory:
                return PROCEED
        else:
            after = walk_number(scan, key, after, end)
            if after == NULL:
                break
            scan.cursor += after - p
    scan.malformed = True
    return end_walk(scan)


cdef inline const uint8_t* walk_number(
    Scan* scan, uint64_t key, const uint8_t* p, const uint8_t* end
) noexcept nogil:
    """Stage a field that is not length-delimited; the end of it, NULL if it is malformed."""
    cdef int level = scan.levels[scan.depth]
    cdef int role = scan.table.roles[level][key] if key < KEYS else UNKNOWN
    cdef Value* value = &scan.stage[scan.staged]    # valid at the value level only
    cdef const uint8_t* after = skip_field(p, end, key & 7)
    cdef uint64_t number = 0
    if after == NULL:
        return NULL
    if role == FLOAT and level == VALUE_LEVEL:
        set_float(value, load32(p))
        scan.needs_checksum = True
    elif role == WALL_TIME_SECONDS:
        if level == VALUE_LEVEL:
            memcpy(&value.wall_time, p, 8)
        else:
            memcpy(&scan.wall_time, p, 8)
    elif role == STEP or role == WALL_TIME_MILLISECONDS:
        read_varint(p, end, &number)
        if level == VALUE_LEVEL:
            value_number(value, role, number)
        else:
            record_number(scan, role, number)
    elif role != IGNORE:
        scan.needs_checksum = True
    return after


cdef inline bint walk_message(
    Scan* scan, uint64_t key, const uint8_t* p, const uint8_t* after, const uint8_t* end,
    int64_t left,
) noexcept nogil:
    """Enter, skip or start copying a length-delimited field; False if it is malformed."""
    cdef int level = scan.levels[scan.depth]
    cdef int role = scan.table.roles[level][key] if key < KEYS else UNKNOWN
    cdef uint64_t size
    after = read_varint(after, end, &size)
    if after == NULL or size > <uint64_t>(left - (after - p)):
        return False
    if (role == VALUE or (role == BLOB and level == RECORD_LEVEL)) and scan.staged >= MAX_VALUES:
        return False
    scan.cursor += after - p
    if role == SUMMARY or role == VALUE:
        scan.depth += 1
        scan.ends[scan.depth] = scan.cursor + <int64_t>size
        scan.levels[scan.depth] = SUMMARY_LEVEL if role == SUMMARY else VALUE_LEVEL
        if role == VALUE:
            scan.value_start = scan.cursor
            stage_next(scan)
        return True
    if role == BLOB and level == RECORD_LEVEL:
        stage_record_blob(scan, <int>key, scan.cursor, <int64_t>size)
    elif role == BLOB or (role == TF_TENSOR and size > RANK0_LIMIT):
        set_place(
            &scan.stage[scan.staged], scan.table.kinds[level][key], scan.cursor, <int64_t>size
        )
    elif role == VERSION:
        scan.needs_checksum = True
        if level == RECORD_LEVEL:
            scan.starts_segment = True
        else:
            scan.stage[scan.staged].content = SEGMENT_MARK
    elif role == UNKNOWN:
        scan.needs_checksum = True
    elif role != IGNORE:
        if size > <uint64_t>(METADATA_LIMIT if role == METADATA else HEADING_LIMIT):
            return False
        scan.copied += <int64_t>size
        if scan.copied > COPIED_LIMIT:
            return False
        scan.field_role = role
        scan.field_kind = scan.table.kinds[level][key]
        scan.field_place = scan.cursor
        scan.field_size = <int64_t>size
        scan.field_copied = 0
        scan.field_data = arena_take(&scan.scratch, size)
        scan.out_of_memory = scan.field_data == NULL
        scan.mode = COPY
        return True
    scan.cursor += <int64_t>size
    return True


cdef inline Progress copy_field(Scan* scan) noexcept nogil:
    """Copy a field that is needed whole, then stage it."""
    cdef int64_t there = min(scan.field_size - scan.field_copied, scan.data_end - scan.cursor)
    cdef Value* value = &scan.stage[scan.staged]
    cdef bint malformed = False
    memcpy(
        scan.field_data + scan.field_copied,
        scan.data + (scan.cursor - scan.data_offset),
        <size_t>there,
    )
    scan.field_copied += there
    scan.cursor += there
    if scan.field_copied < scan.field_size:
        scan.want_offset = scan.cursor
        scan.want_size = min(
            scan.field_size - scan.field_copied + FIRST_READ, <int64_t>LARGEST_READ
        )
        return NEED_DATA
    if scan.field_role == SESSION_LOG:
        scan.needs_checksum = True
        if session_starts(scan.field_data, scan.field_data + scan.field_size, &malformed):
            scan.starts_segment = True
    else:
        malformed = not apply_bytes(
            value, scan.field_role, scan.field_kind,
            scan.field_data, scan.field_size, scan.field_place,
        )
        if value.content == NUMBER or value.content == TAGGED_NUMBER:
            scan.needs_checksum = True
    scan.mode = WALK
    if malformed:
        scan.malformed = True
        return end_walk(scan)
    return PROCEED


cdef inline Progress end_walk(Scan* scan) noexcept nogil:
    """Verify or finish the record."""
    if scan.table.checksums and (scan.needs_checksum or scan.malformed):
        scan.mode = VERIFY
        scan.cursor = scan.position + 12
        scan.crc = 0
        return PROCEED
    return end_record(scan, scan.malformed, BAD_RECORD)


cdef inline Progress verify(Scan* scan) noexcept nogil:
    """Compute the checksum of the whole record in bounded reads."""
    cdef int64_t there
    if scan.cursor < scan.data_offset:
        return read_to_verify(scan)
    there = min(scan.data_end, scan.payload_end) - scan.cursor
    if there > 0:
        scan.crc = crc32c_extend(
            scan.crc, scan.data + (scan.cursor - scan.data_offset), <size_t>there
        )
        scan.cursor += there
    if scan.cursor < scan.payload_end or scan.data_end - scan.cursor < 4:
        return read_to_verify(scan)
    if crc32c_mask(scan.crc) != load32(scan.data + (scan.cursor - scan.data_offset)):
        return end_record(scan, True, BAD_PAYLOAD)
    return end_record(scan, scan.malformed, BAD_RECORD)


cdef inline Progress read_to_verify(Scan* scan) noexcept nogil:
    scan.want_offset = scan.cursor
    scan.want_size = min(scan.record_end - scan.cursor + FIRST_READ, <int64_t>LARGEST_READ)
    return NEED_DATA


cdef inline Progress end_record(Scan* scan, bint lost, Damage kind) noexcept nogil:
    scan.records += 1
    if lost:
        report_loss(scan, kind)
        drop_staged(scan)
    else:
        commit(scan)
    scan.position = scan.record_end
    scan.mode = RECORDS
    return PROCEED
