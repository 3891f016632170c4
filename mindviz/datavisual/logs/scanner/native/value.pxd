"""One value while it is read."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from mindviz.datavisual.logs.scanner.native.field_table cimport (
    BLOB, METADATA, STEP, TAG, TAGGED_FLOAT, TF_TENSOR, VERSION,
)
from mindviz.datavisual.logs.scanner.native.wire_format cimport (
    DELIMITED, FIXED32, VARINT, load32, read_key, read_varint, skip_field,
)

cdef enum:
    SECONDS_BELOW = 2000000000      # Role.WALL_TIME_MILLISECONDS

# Of several contents the last one counts, as in protobuf's oneof.
cdef enum Content:
    NOTHING
    NUMBER
    TAGGED_NUMBER
    PLACE
    SEGMENT_MARK

cdef struct Value:
    Content content
    uint8_t kind
    bint wide               # `bits` are a double's, not a float's
    bint from_tensor
    bint has_metadata
    uint64_t bits
    const uint8_t* tag
    uint32_t tag_size
    uint32_t subtag_size
    const uint8_t* subtag
    const uint8_t* metadata
    int64_t metadata_size
    int64_t place           # offset in the file, and size, of an indexed value
    int64_t size
    int64_t step
    double wall_time


cdef inline double wall_time_of(uint64_t milliseconds) noexcept nogil:
    cdef int64_t value = <int64_t>milliseconds
    if value < SECONDS_BELOW:
        return <double>value
    return <double>value / 1000.0


cdef inline bint session_starts(
    const uint8_t* p, const uint8_t* end, bint* malformed
) noexcept nogil:
    """Whether a SessionLog message says START."""
    cdef uint64_t key, status = 0
    while p < end:
        p = read_key(p, end, &key)
        if p != NULL:
            if key == (1 << 3 | VARINT):
                p = read_varint(p, end, &status)
            else:
                p = skip_field(p, end, key & 7)
        if p == NULL:
            malformed[0] = True
            return False
    return status == 1


cdef inline bint read_tagged_float(
    const uint8_t* p, const uint8_t* end, Value* value
) noexcept nogil:
    """Set `value` from the message {1: sub-tag, 2: float}; False if it is malformed."""
    cdef uint64_t key, size
    value.content = TAGGED_NUMBER
    value.wide = False
    value.from_tensor = False
    value.bits = 0
    value.subtag = p
    value.subtag_size = 0
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        if key == (1 << 3 | DELIMITED):
            p = read_varint(p, end, &size)
            if p == NULL or size > <uint64_t>(end - p):
                return False
            value.subtag = p
            value.subtag_size = <uint32_t>size
            p += size
        elif key == (2 << 3 | FIXED32):
            if end - p < 4:
                return False
            value.bits = load32(p)
            p += 4
        else:
            p = skip_field(p, end, key & 7)
            if p == NULL:
                return False
    return True


cdef inline void set_place(Value* value, uint8_t kind, int64_t place, int64_t size) noexcept nogil:
    value.content = PLACE
    value.kind = kind
    value.place = place
    value.size = size


cdef inline void set_float(Value* value, uint32_t bits) noexcept nogil:
    value.content = NUMBER
    value.wide = False
    value.from_tensor = False
    value.bits = bits


cdef inline void value_number(Value* value, int role, uint64_t number) noexcept nogil:
    if role == STEP:
        value.step = <int64_t>number
    else:
        value.wall_time = wall_time_of(number)
