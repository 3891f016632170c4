"""Finding the start of a record in the middle of a file."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from mindviz.datavisual.logs.scanner.native.checksum cimport crc32c_extend, crc32c_mask
from mindviz.datavisual.logs.scanner.native.field_table cimport FieldTable
from mindviz.datavisual.logs.scanner.native.framing cimport value_fills
from mindviz.datavisual.logs.scanner.native.wire_format cimport load32, load64


cdef enum:
    MIN_FRAMES = 4          # consecutive, where no checksum confirms a record


cdef inline int64_t search_record(
    const FieldTable* table, const uint8_t* data, int64_t size, int64_t left
) noexcept nogil:
    cdef int64_t at
    for at in range(size - 19):
        if table.checksums:
            if checksum_fits(data + at, size - at, left - at):
                return at
        elif frames_fit(table, data + at, size - at, left - at):
            return at
    return -1


cdef inline bint checksum_fits(const uint8_t* p, int64_t size, int64_t left) noexcept nogil:
    cdef uint64_t length = load64(p)
    if left < 16 or length > <uint64_t>(left - 16):
        return False
    if crc32c_mask(crc32c_extend(0, p, 8)) != load32(p + 8):
        return False
    if length > <uint64_t>(size - 16):
        return True
    return crc32c_mask(crc32c_extend(0, p + 12, length)) == load32(p + 12 + length)


cdef inline bint frames_fit(
    const FieldTable* table, const uint8_t* p, int64_t size, int64_t left
) noexcept nogil:
    cdef uint64_t length
    cdef int frame
    for frame in range(MIN_FRAMES):
        if size < 19:
            return False
        length = load64(p)
        if length == 0 or length > <uint64_t>(left - 8):
            return False
        if not value_fills(table, p + 8, 11, length):
            return False
        if length > <uint64_t>(size - 8):
            return frame > 0
        p += 8 + length
        size -= 8 + <int64_t>length
        left -= 8 + <int64_t>length
    return True
