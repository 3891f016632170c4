"""TensorFlow's TensorProto messages that hold one number."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mindviz.datavisual.logs.scanner.native.value cimport NUMBER, Value
from mindviz.datavisual.logs.scanner.native.wire_format cimport (
    DELIMITED, FIXED32, FIXED64, VARINT, load32, load64, read_key, read_varint, skip_field,
)

# TensorFlow's DataType.
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


cdef inline int list_of(uint64_t dtype) noexcept nogil:
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


cdef inline int item_size(uint64_t dtype) noexcept nogil:
    if dtype in (DT_UINT8, DT_INT8, DT_BOOL):
        return 1
    if dtype in (DT_INT16, DT_UINT16, DT_HALF, DT_BFLOAT16):
        return 2
    if dtype in (DT_DOUBLE, DT_INT64, DT_UINT64):
        return 8
    return 4


cdef inline uint32_t half_bits(uint32_t half) noexcept nogil:
    """Bits of the float equal to this half."""
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
            exponent -= 1       # may wrap below zero; + 112 undoes that
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


cdef inline void set_number(Value* value, uint64_t dtype, uint64_t raw) noexcept nogil:
    """Set the number of a dtype from its little-endian bytes or varint."""
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


cdef inline bint has_dims(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Whether a TensorShapeProto has dimensions, an unknown rank, or is malformed."""
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


cdef inline bint read_rank0(const uint8_t* p, const uint8_t* end, Value* value) noexcept nogil:
    """Set `value` from a TensorProto of one number; False if it is anything else."""
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
