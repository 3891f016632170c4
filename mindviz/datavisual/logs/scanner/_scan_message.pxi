# Protobuf messages: the wire format, and one value while it is read.

# What a value holds so far: of several contents the last one counts, as protobuf's oneof has it.
cdef enum Content:
    NOTHING
    NUMBER
    TAGGED_NUMBER
    PLACE
    SEGMENT_MARK

cdef struct Value:
    Content content
    uint8_t kind
    bint wide               # bits are a double's, else a float's
    bint from_tensor
    bint has_metadata
    uint64_t bits
    const uint8_t* tag
    uint32_t tag_size
    uint32_t subtag_size
    const uint8_t* subtag
    const uint8_t* metadata
    int64_t metadata_size
    int64_t place           # offset in the file, and size, of what is indexed
    int64_t size
    int64_t step
    double wall_time


cdef inline const uint8_t* read_varint(
    const uint8_t* p, const uint8_t* end, uint64_t* value
) noexcept nogil:
    """Behind the varint at `p`; NULL if it is cut off or longer than ten bytes."""
    cdef uint64_t result
    cdef int shift = 7
    if p >= end:
        return NULL
    result = p[0]
    p += 1
    if result < 128:
        value[0] = result
        return p
    result &= 127
    while shift < 70:
        if p >= end:
            return NULL
        result |= <uint64_t>(p[0] & 127) << shift
        if p[0] < 128:
            value[0] = result
            return p + 1
        p += 1
        shift += 7
    return NULL


cdef inline const uint8_t* skip_field(
    const uint8_t* p, const uint8_t* end, int wire_type
) noexcept nogil:
    """Behind the field whose key ends at `p`; NULL if it is malformed."""
    cdef uint64_t size
    if wire_type == VARINT:
        return read_varint(p, end, &size)
    if wire_type == DELIMITED:
        p = read_varint(p, end, &size)
        if p == NULL or size > <uint64_t>(end - p):
            return NULL
        return p + size
    size = 8 if wire_type == FIXED64 else 4
    if (wire_type != FIXED64 and wire_type != FIXED32) or <uint64_t>(end - p) < size:
        return NULL
    return p + size


cdef inline const uint8_t* read_key(
    const uint8_t* p, const uint8_t* end, uint64_t* key
) noexcept nogil:
    """Behind a field's key; NULL if it is malformed or of field 0."""
    p = read_varint(p, end, key)
    if p == NULL or key[0] < 8:
        return NULL
    return p


cdef inline double wall_time_of(uint64_t milliseconds) noexcept nogil:
    cdef int64_t value = <int64_t>milliseconds
    if value < SECONDS_BELOW:
        return <double>value
    return <double>value / 1000.0


cdef bint session_starts(const uint8_t* p, const uint8_t* end, bint* malformed) noexcept nogil:
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


cdef bint read_tagged_float(const uint8_t* p, const uint8_t* end, Value* value) noexcept nogil:
    """The message {1: sub-tag, 2: float} into `value`; False if it is malformed."""
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


cdef inline bint apply_bytes(
    Value* value, int role, uint8_t kind, const uint8_t* p, int64_t size, int64_t place
) noexcept nogil:
    """A length-delimited field of the value level into `value`; False if it is malformed."""
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
