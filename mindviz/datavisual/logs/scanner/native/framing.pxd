"""Framing: where records begin, how long they are, and runs of zeros."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from mindviz.datavisual.logs.scanner.native.checksum cimport crc32c_extend, crc32c_mask
from mindviz.datavisual.logs.scanner.native.field_table cimport FieldTable
from mindviz.datavisual.logs.scanner.native.large_record cimport begin_walk
from mindviz.datavisual.logs.scanner.native.scan_state cimport (
    BAD_LENGTH, BAD_PAYLOAD, BAD_RECORD, LARGEST_READ, NEED_DATA, NO_DAMAGE, OUT_OF_MEMORY,
    PROCEED, RECORDS, SMALL_RECORD, TRUNCATED, ZEROS, ZERO_TAIL, Progress, Scan, drop_staged,
    need, report_loss, stop,
)
from mindviz.datavisual.logs.scanner.native.small_record cimport parse_record
from mindviz.datavisual.logs.scanner.native.stage cimport commit
from mindviz.datavisual.logs.scanner.native.template cimport (
    fits_template, learn_template, read_by_templates,
)
from mindviz.datavisual.logs.scanner.native.wire_format cimport load32, load64, read_varint


cdef inline Progress scan_records(Scan* scan, int64_t file_size) noexcept nogil:
    cdef bint checksums = scan.table.checksums
    cdef int64_t position = scan.position
    cdef int64_t left, there, size, framing = 16 if checksums else 8
    cdef const uint8_t* p
    cdef uint64_t length
    cdef bint repeatable
    while True:
        scan.position = position
        left = file_size - position
        there = scan.data_end - position
        if left <= 0:
            return stop(scan, NO_DAMAGE)
        if left < (12 if checksums else 8):
            return stop(scan, TRUNCATED)
        if there < 12 and there < left:
            return need(scan, position, 12)
        p = scan.data + (position - scan.data_offset)
        size = read_by_templates(scan, p, p + there)
        if size > 0:
            position += size
            continue
        length = load64(p)
        if checksums:
            if crc32c_mask(crc32c_extend(0, p, 8)) != load32(p + 8):
                if length == 0 and load32(p + 8) == 0:
                    scan.mode = ZEROS
                    scan.cursor = position
                    return PROCEED
                return stop(scan, BAD_LENGTH)
            if left < 16 or length > <uint64_t>(left - 16):
                return stop(scan, TRUNCATED)
            p += 12
        else:
            if length == 0:
                scan.mode = ZEROS
                scan.cursor = position
                return PROCEED
            if there < min(left, <int64_t>19):
                return need(scan, position, 19)
            if not value_fills(scan.table, p + 8, min(left, <int64_t>19) - 8, length):
                return stop(scan, BAD_LENGTH)
            if length > <uint64_t>(left - 8):
                return stop(scan, TRUNCATED)
            p += 8
        scan.record_end = position + framing + <int64_t>length
        if framing + length > SMALL_RECORD:
            begin_walk(scan, <int64_t>length)
            return PROCEED
        if there < framing + <int64_t>length:
            return need(scan, position, framing + <int64_t>length)
        scan.records += 1
        if checksums and crc32c_mask(crc32c_extend(0, p, length)) != load32(p + length):
            report_loss(scan, BAD_PAYLOAD)
        elif not parse_record(scan, p, p + length):
            report_loss(scan, BAD_RECORD)
            drop_staged(scan)
        else:
            repeatable = fits_template(scan)
            commit(scan)
            if repeatable and not scan.out_of_memory:
                learn_template(scan, p - 12, <int64_t>length)
        if scan.out_of_memory:
            return OUT_OF_MEMORY
        position = scan.record_end


cdef inline bint value_fills(
    const FieldTable* table, const uint8_t* p, int64_t there, uint64_t length
) noexcept nogil:
    """Whether one value fills a record without checksum, judging by the bytes that are there."""
    cdef uint64_t size
    cdef const uint8_t* after
    cdef const uint8_t* end = p + (there if length > <uint64_t>there else <int64_t>length)
    if p == end:
        return True
    if p[0] != table.first_key:
        return False
    after = read_varint(p + 1, end, &size)
    if after == NULL:
        # Cut off by the end of the file, or malformed.
        return end - p < 11 and <uint64_t>(end - p) < length
    return size == length - <uint64_t>(after - p)


cdef inline Progress scan_zeros(Scan* scan, int64_t file_size) noexcept nogil:
    """Skip a run of zeros, or stop if it reaches the end of the file."""
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef int64_t frames
    if scan.cursor < file_size:
        if scan.cursor >= scan.data_end:
            return read_zeros(scan, file_size)
        p = scan.data + (scan.cursor - scan.data_offset)
        end = scan.data + (scan.data_end - scan.data_offset)
        while end - p >= 8 and load64(p) == 0:
            p += 8
        while p < end and p[0] == 0:
            p += 1
        scan.cursor = scan.data_offset + (p - scan.data)
        if p == end and scan.cursor < file_size:
            return read_zeros(scan, file_size)
    if scan.cursor >= file_size:
        return stop(scan, ZERO_TAIL)
    if scan.table.checksums:
        return stop(scan, BAD_LENGTH)
    # Without checksums, eight zeros are an empty record.
    frames = (scan.cursor - scan.position) // 8
    scan.records += frames
    scan.position += 8 * frames
    scan.mode = RECORDS
    if scan.position < scan.data_offset:
        return need(scan, scan.position, 12)
    return PROCEED


cdef inline Progress read_zeros(Scan* scan, int64_t file_size) noexcept nogil:
    scan.want_offset = scan.cursor
    scan.want_size = min(file_size - scan.cursor, <int64_t>LARGEST_READ)
    return NEED_DATA
