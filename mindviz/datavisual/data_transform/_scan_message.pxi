# Protobuf messages: the schema's table, the wire format, one value, rank-0 tensors.

cdef enum:
    LEVELS = 3
    RECORD_LEVEL = 0
    SUMMARY_LEVEL = 1
    VALUE_LEVEL = 2
    KEYS = 256                      # keys of fields 1 to 31: number << 3 | wire type

    VARINT = 0
    FIXED64 = 1
    DELIMITED = 2
    FIXED32 = 5

    UNKNOWN = 0                     # the roles of wire_schema.Role, checked in SchemaTable
    WALL_TIME_SECONDS = 1
    WALL_TIME_MILLISECONDS = 2
    STEP = 3
    SUMMARY = 4
    VALUE = 5
    TAG = 6
    FLOAT = 7
    TAGGED_FLOAT = 8
    TF_TENSOR = 9
    BLOB = 10
    METADATA = 11
    VERSION = 12
    SESSION_LOG = 13
    KNOWN = 14                      # Role.IGNORE: skipped like an unknown field, but expected

    SECONDS_BELOW = 2000000000      # Role.WALL_TIME_MILLISECONDS
    RANK0_LIMIT = 256               # wire_schema.RANK0_TENSOR_LIMIT

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


cdef class SchemaTable:
    """A wire schema as the walk reads it: what to do for each key of each level."""

    cdef uint8_t roles[LEVELS][KEYS]
    cdef uint8_t kinds[LEVELS][KEYS]
    cdef const uint8_t* record_tags[KEYS]
    cdef uint32_t record_tag_sizes[KEYS]
    cdef bint checksums             # whether records carry CRCs
    cdef bint timed_values          # step and wall time belong to values, not to records
    cdef uint8_t first_key          # what a record without CRC must begin with
    cdef uint8_t tensor_kind        # of values that are nothing but metadata
    cdef object schema              # keeps alive what the tags point into
    cdef list tags

    def __cinit__(self, schema):
        kinds = {kind: number for number, kind in enumerate(schema.kinds)}
        wire_types = {
            Role.WALL_TIME_SECONDS: FIXED64,
            Role.WALL_TIME_MILLISECONDS: VARINT,
            Role.STEP: VARINT,
            Role.FLOAT: FIXED32,
        }
        self.schema = schema
        self.tags = []
        self.checksums = schema.framing is Framing.TFRECORD
        self.timed_values = any(field.role == Role.STEP for field in schema.value)
        self.first_key = 0
        self.tensor_kind = 0
        for level, fields in enumerate((schema.record, schema.summary, schema.value)):
            for field in fields:
                if field.role == Role.IGNORE:
                    keys = [field.number << 3 | wire_type for wire_type in (0, 1, 2, 5)]
                else:
                    keys = [field.number << 3 | wire_types.get(field.role, DELIMITED)]
                for key in keys:
                    self.roles[level][key] = KNOWN if field.role == Role.IGNORE else field.role
                    self.kinds[level][key] = kinds.get(field.kind, 0)
                if level == RECORD_LEVEL and field.role == Role.VALUE:
                    self.first_key = keys[0]
                if field.role == Role.TF_TENSOR:
                    self.tensor_kind = kinds[field.kind]
                if level == RECORD_LEVEL:
                    tag = field.tag.encode()
                    self.tags.append(tag)
                    self.record_tags[keys[0]] = tag
                    self.record_tag_sizes[keys[0]] = len(tag)


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


# TensorFlow's DataType, and the field of TensorProto that holds its values if they are listed.
cdef enum:
    DT_FLOAT = 1
    DT_DOUBLE = 2
    DT_INT32 = 3
    DT_UINT8 = 4
    DT_INT16 = 5
    DT_INT8 = 6
    DT_INT64 = 9
    DT_BOOL = 10
    DT_BFLOAT16 = 14
    DT_UINT16 = 17
    DT_HALF = 19
    DT_UINT32 = 22
    DT_UINT64 = 23

cdef enum:
    LISTS = 17


cdef int list_of(uint64_t dtype) noexcept nogil:
    if dtype == DT_FLOAT:
        return 5
    if dtype == DT_DOUBLE:
        return 6
    if dtype in (DT_INT32, DT_UINT8, DT_INT16, DT_INT8, DT_UINT16):
        return 7
    if dtype == DT_INT64:
        return 10
    if dtype == DT_BOOL:
        return 11
    if dtype in (DT_HALF, DT_BFLOAT16):
        return 13
    if dtype == DT_UINT32:
        return 16
    if dtype == DT_UINT64:
        return 17
    return 0


cdef int item_size(uint64_t dtype) noexcept nogil:
    if dtype in (DT_UINT8, DT_INT8, DT_BOOL):
        return 1
    if dtype in (DT_INT16, DT_UINT16, DT_HALF, DT_BFLOAT16):
        return 2
    if dtype in (DT_DOUBLE, DT_INT64, DT_UINT64):
        return 8
    return 4


cdef uint32_t half_bits(uint32_t half) noexcept nogil:
    """Bits of the float that equals this half."""
    cdef uint32_t sign = (half & 0x8000) << 16
    cdef uint32_t exponent = (half >> 10) & 31
    cdef uint32_t fraction = half & 1023
    if exponent == 31:
        return sign | 0x7F800000 | fraction << 13
    if exponent == 0:
        if fraction == 0:
            return sign
        exponent = 1
        while not fraction & 1024:
            fraction <<= 1
            exponent -= 1       # wraps below zero and comes back with the + 112
        fraction &= 1023
    return sign | (exponent + 112) << 23 | fraction << 13


cdef inline uint64_t float_bits(float number) noexcept nogil:
    cdef uint32_t bits
    memcpy(&bits, &number, 4)
    return bits


cdef inline uint64_t double_bits(double number) noexcept nogil:
    cdef uint64_t bits
    memcpy(&bits, &number, 8)
    return bits


cdef void set_number(Value* value, uint64_t dtype, uint64_t raw) noexcept nogil:
    """The number of a dtype whose little-endian bytes or varint are `raw`."""
    value.wide = item_size(dtype) >= 4 and dtype != DT_FLOAT
    if dtype == DT_FLOAT:
        value.bits = <uint32_t>raw
    elif dtype == DT_DOUBLE:
        value.bits = raw
    elif dtype == DT_HALF:
        value.bits = half_bits(raw & 0xFFFF)
    elif dtype == DT_BFLOAT16:
        value.bits = (raw & 0xFFFF) << 16
    elif dtype == DT_BOOL:
        value.bits = float_bits(1.0 if raw else 0.0)
    elif dtype == DT_UINT8:
        value.bits = float_bits(<float>(<uint8_t>raw))
    elif dtype == DT_INT8:
        value.bits = float_bits(<float>(<int8_t>raw))
    elif dtype == DT_UINT16:
        value.bits = float_bits(<float>(<uint16_t>raw))
    elif dtype == DT_INT16:
        value.bits = float_bits(<float>(<int16_t>raw))
    elif dtype == DT_INT32:
        value.bits = double_bits(<double>(<int32_t>raw))
    elif dtype == DT_UINT32:
        value.bits = double_bits(<double>(<uint32_t>raw))
    elif dtype == DT_INT64:
        value.bits = double_bits(<double>(<int64_t>raw))
    else:
        value.bits = double_bits(<double>raw)


cdef bint has_dims(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Whether a TensorShapeProto is of another rank than 0, of an unknown one, or malformed."""
    cdef uint64_t key, flag
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL or key == (2 << 3 | DELIMITED):
            return True
        if key == (3 << 3 | VARINT):
            p = read_varint(p, end, &flag)
            if p == NULL or flag:
                return True
        else:
            p = skip_field(p, end, key & 7)
            if p == NULL:
                return True
    return False


cdef bint read_rank0(const uint8_t* p, const uint8_t* end, Value* value) noexcept nogil:
    """A TensorProto into `value` if it is one number; False if it is anything else."""
    cdef uint64_t key, size, raw = 0, dtype = 0
    cdef uint64_t listed[LISTS + 1]
    cdef int counts[LISTS + 1]
    cdef const uint8_t* content = NULL
    cdef uint64_t content_size = 0
    cdef const uint8_t* stop
    cdef int number, wire_type, item
    memset(counts, 0, sizeof(counts))
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        wire_type = key & 7
        number = <int>(key >> 3) if key < 256 else 0
        if key == (1 << 3 | VARINT):
            p = read_varint(p, end, &dtype)
        elif wire_type == DELIMITED:
            p = read_varint(p, end, &size)
            if p == NULL or size > <uint64_t>(end - p):
                return False
            stop = p + size
            if number == 2:
                if has_dims(p, stop):
                    return False
            elif number == 4:
                content = p
                content_size = size
            elif number in (5, 6):
                item = 4 if number == 5 else 8
                if size % item:
                    return False
                if size:
                    memcpy(&raw, stop - item, item)
                    listed[number] = raw if item == 8 else <uint32_t>raw
                    counts[number] += <int>(size // item)
            elif number in (7, 10, 11, 13, 16, 17):
                while p < stop:
                    p = read_varint(p, stop, &listed[number])
                    if p == NULL:
                        return False
                    counts[number] += 1
            p = stop
        elif key == (5 << 3 | FIXED32) and end - p >= 4:
            listed[5] = load32(p)
            counts[5] += 1
            p += 4
        elif key == (6 << 3 | FIXED64) and end - p >= 8:
            listed[6] = load64(p)
            counts[6] += 1
            p += 8
        elif wire_type == VARINT and number in (7, 10, 11, 13, 16, 17):
            p = read_varint(p, end, &listed[number])
            counts[number] += 1
        else:
            p = skip_field(p, end, wire_type)
        if p == NULL:
            return False
    number = list_of(dtype)
    if number == 0:
        return False
    if content_size:
        if content_size != <uint64_t>item_size(dtype):
            return False
        raw = 0
        memcpy(&raw, content, content_size)
    elif counts[number] == 1:
        raw = listed[number]
    else:
        return False
    value.content = NUMBER
    value.from_tensor = True
    set_number(value, dtype, raw)
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
