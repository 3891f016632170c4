# cython: language_level=3
"""CRC-32C in native code; see `mindviz.wire.crc32c`, which chooses."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

cdef extern from "crc32c.h" nogil:
    int crc32c_has_instruction
    void crc32c_prepare(int use_instruction)
    uint32_t crc32c_extend(uint32_t crc, const uint8_t* data, size_t size)
    uint32_t crc32c_mask(uint32_t crc)

cdef enum:
    RELEASE_GIL_FROM = 65536

crc32c_prepare(True)


def crc32c(data, uint32_t crc=0):
    """Checksum of bytes-like `data`, continuing from `crc`."""
    cdef Py_buffer view
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        if view.len >= RELEASE_GIL_FROM:
            with nogil:
                crc = crc32c_extend(crc, <const uint8_t*>view.buf, view.len)
        else:
            crc = crc32c_extend(crc, <const uint8_t*>view.buf, view.len)
    finally:
        PyBuffer_Release(&view)
    return crc


def masked_crc32c(data):
    """Checksum of bytes-like `data` as TFRecord files store it."""
    return crc32c_mask(crc32c(data))


def use_tables(bint tables):
    """Compute by tables even where the CPU has an instruction; for tests of both ways."""
    crc32c_prepare(not tables)
    return bool(crc32c_has_instruction)
