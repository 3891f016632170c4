"""Protobuf's wire format: numbers, keys, fields."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    VARINT = 0
    FIXED64 = 1
    DELIMITED = 2
    FIXED32 = 5


cdef inline uint64_t load64(const uint8_t* p) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, p, 8)
    return word


cdef inline uint32_t load32(const uint8_t* p) noexcept nogil:
    cdef uint32_t word
    memcpy(&word, p, 4)
    return word


cdef inline const uint8_t* read_varint(
    const uint8_t* p, const uint8_t* end, uint64_t* value
) noexcept nogil:
    """The end of the varint at `p`; NULL if it is cut off or longer than ten bytes."""
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
    """The end of the field whose key ends at `p`; NULL if it is malformed."""
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
    """The end of the key at `p`; NULL if it is malformed or has field number 0."""
    p = read_varint(p, end, key)
    if p == NULL or key[0] < 8:
        return NULL
    return p
