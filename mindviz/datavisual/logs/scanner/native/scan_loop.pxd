"""Scanning one buffer after the other."""

from libc.stdint cimport int64_t, uint8_t
from posix.unistd cimport pread

from mindviz.datavisual.logs.scanner.native.framing cimport scan_records, scan_zeros
from mindviz.datavisual.logs.scanner.native.large_record cimport copy_field, verify, walk
from mindviz.datavisual.logs.scanner.native.scan_state cimport (
    COPY, NEED_DATA, NO_DAMAGE, OUT_OF_MEMORY, PROCEED, RECORDS, TRUNCATED, VERIFY, WALK,
    Progress, Scan, stop,
)

cdef enum:
    SMALL_READ = 4096
    SMALL_READS = 256       # per call: between calls, the caller may publish or stop


cdef inline Progress scan_buffer(Scan* scan, int64_t file_size) noexcept nogil:
    cdef Progress progress = PROCEED
    scan.stop_reason = NO_DAMAGE
    if scan.mode in (WALK, COPY, VERIFY) and scan.record_end > file_size:
        return stop(scan, TRUNCATED)
    while progress == PROCEED:
        if scan.mode == RECORDS:
            progress = scan_records(scan, file_size)
        elif scan.mode == WALK:
            progress = walk(scan)
        elif scan.mode == COPY:
            progress = copy_field(scan)
        elif scan.mode == VERIFY:
            progress = verify(scan)
        else:
            progress = scan_zeros(scan, file_size)
        if scan.out_of_memory:
            return OUT_OF_MEMORY
    return progress


cdef inline Progress feed_buffer(
    Scan* scan, const uint8_t* data, int64_t size, int64_t file_size
) noexcept nogil:
    cdef int64_t offset = scan.want_offset, asked = scan.want_size
    cdef Progress progress
    scan.data = data
    scan.data_offset = offset
    scan.data_end = offset + size
    progress = scan_buffer(scan, max(file_size, scan.data_end))
    if progress == NEED_DATA and size < asked and scan.want_offset == offset:
        # A short read that was not enough: the file has shrunk.
        return stop(scan, TRUNCATED)
    return progress


cdef inline Progress read_small(Scan* scan, int descriptor, int64_t file_size) noexcept nogil:
    """Do small reads here while they succeed. Through Python, each takes three times as long."""
    cdef uint8_t buffer[SMALL_READ]
    cdef int64_t size
    cdef int i
    cdef Progress progress = NEED_DATA
    for i in range(SMALL_READS):
        size = min(scan.want_size, file_size - scan.want_offset)
        if size <= 0 or size > SMALL_READ:
            break
        if pread(descriptor, buffer, size, scan.want_offset) != size:
            break           # the caller's read reports why
        progress = feed_buffer(scan, buffer, size, file_size)
        if progress != NEED_DATA:
            break
    return progress
