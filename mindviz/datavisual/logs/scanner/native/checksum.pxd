"""CRC-32C, as in `mindviz/wire/crc32c.h`."""

from libc.stdint cimport uint8_t, uint32_t

cdef extern from "crc32c.h" nogil:
    void crc32c_prepare(int use_instruction)
    uint32_t crc32c_extend(uint32_t crc, const uint8_t* data, size_t size)
    uint32_t crc32c_mask(uint32_t crc)
