"""Records that are in the buffer as a whole: parsed at once into the stage."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from mindviz.datavisual.logs.scanner.native.field_table cimport (
    BLOB, FLOAT, IGNORE, KEYS, RECORD_LEVEL, SESSION_LOG, STEP, SUMMARY, SUMMARY_LEVEL, UNKNOWN,
    VALUE, VALUE_LEVEL, VERSION, WALL_TIME_MILLISECONDS, WALL_TIME_SECONDS,
)
from mindviz.datavisual.logs.scanner.native.scan_state cimport Scan, stop
from mindviz.datavisual.logs.scanner.native.stage cimport (
    apply_bytes, end_value, record_number, stage_next, stage_record_blob,
)
from mindviz.datavisual.logs.scanner.native.value cimport (
    Value, session_starts, set_float, value_number,
)
from mindviz.datavisual.logs.scanner.native.wire_format cimport (
    load32, read_key, read_varint, skip_field,
)


cdef inline bint parse_record(Scan* scan, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Stage a record; False if it is malformed."""
    cdef uint64_t key, number
    cdef const uint8_t* stop
    cdef int role
    cdef bint malformed = False
    scan.wall_time = 0.0
    scan.step = 0
    scan.seen_wall_time = NULL
    scan.seen_step = NULL
    scan.seen_number = NULL
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        role = scan.table.roles[RECORD_LEVEL][key] if key < KEYS else UNKNOWN
        if role == WALL_TIME_SECONDS:
            if end - p < 8:
                return False
            memcpy(&scan.wall_time, p, 8)
            scan.seen_wall_time = p
            p += 8
        elif role == STEP or role == WALL_TIME_MILLISECONDS:
            scan.seen_step = p
            p = read_varint(p, end, &number)
            if p == NULL:
                return False
            scan.seen_step_end = p
            if role == WALL_TIME_MILLISECONDS:
                scan.seen_step = scan.seen_wall_time = NULL     # templates cannot express it
            record_number(scan, role, number)
        elif role == UNKNOWN or role == IGNORE:
            p = skip_field(p, end, key & 7)
            if p == NULL:
                return False
        else:
            p = read_varint(p, end, &number)
            if p == NULL or number > <uint64_t>(end - p):
                return False
            stop = p + number
            if role == SUMMARY:
                if not parse_summary(scan, p, stop):
                    return False
            elif role == VALUE:
                if not parse_value(scan, p, stop):
                    return False
            elif role == BLOB:
                stage_record_blob(
                    scan, <int>key, scan.data_offset + (p - scan.data), <int64_t>number
                )
            elif role == VERSION:
                scan.starts_segment = True
            elif role == SESSION_LOG:
                if session_starts(p, stop, &malformed):
                    scan.starts_segment = True
                if malformed:
                    return False
            p = stop
    return True


cdef inline bint parse_summary(Scan* scan, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef uint64_t key, size
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        if key < KEYS and scan.table.roles[SUMMARY_LEVEL][key] == VALUE:
            p = read_varint(p, end, &size)
            if p == NULL or size > <uint64_t>(end - p):
                return False
            if not parse_value(scan, p, p + size):
                return False
            p += size
        else:
            p = skip_field(p, end, key & 7)
            if p == NULL:
                return False
    return True


cdef inline bint parse_value(Scan* scan, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef uint64_t key, number
    cdef int role
    cdef const uint8_t* start = p
    cdef Value* value = stage_next(scan)
    if value == NULL:
        return True
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        role = scan.table.roles[VALUE_LEVEL][key] if key < KEYS else UNKNOWN
        if role == FLOAT:
            if end - p < 4:
                return False
            set_float(value, load32(p))
            scan.seen_number = p
            p += 4
        elif role == WALL_TIME_SECONDS:
            if end - p < 8:
                return False
            memcpy(&value.wall_time, p, 8)
            p += 8
        elif role == STEP or role == WALL_TIME_MILLISECONDS:
            p = read_varint(p, end, &number)
            if p == NULL:
                return False
            value_number(value, role, number)
        elif role == UNKNOWN or role == IGNORE:
            p = skip_field(p, end, key & 7)
            if p == NULL:
                return False
        else:
            p = read_varint(p, end, &number)
            if p == NULL or number > <uint64_t>(end - p):
                return False
            if not apply_bytes(
                value, role, scan.table.kinds[VALUE_LEVEL][key], p, <int64_t>number,
                scan.data_offset + (p - scan.data),
            ):
                return False
            p += number
    end_value(scan, value, scan.data_offset + (start - scan.data))
    return True
