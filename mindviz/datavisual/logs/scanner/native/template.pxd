"""Templates: reading records that differ from one before only in time, step and number.

Writers log the same tags in the same order, so the next record of a series nearly always has the
bytes of its last one but for these fields. Comparing under a mask takes a third of parsing.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from mindviz.datavisual.logs.scanner.native.checksum cimport crc32c_extend, crc32c_mask
from mindviz.datavisual.logs.scanner.native.memory cimport Chunk, arena_clear, arena_take
from mindviz.datavisual.logs.scanner.native.rows cimport Point
from mindviz.datavisual.logs.scanner.native.scan_state cimport Scan
from mindviz.datavisual.logs.scanner.native.series_table cimport Series, Template
from mindviz.datavisual.logs.scanner.native.value cimport NUMBER, Value
from mindviz.datavisual.logs.scanner.native.wire_format cimport load32, load64


cdef enum:
    MAX_TEMPLATES = 4096
    MAX_TEMPLATE_PAYLOAD = 256      # bytes


cdef inline int64_t read_by_templates(
    Scan* scan, const uint8_t* p, const uint8_t* end
) noexcept nogil:
    """Read records from `p`, headers included, while each fits the expected template.

    Returns their size.
    """
    cdef Series* rows = scan.series.rows
    cdef Series* row
    cdef const Template* template
    cdef Chunk* chunk
    cdef Point* point
    cdef const uint8_t* start = p
    cdef const uint8_t* footer
    cdef uint64_t step
    cdef int i, series, last = scan.series.last_series
    cdef int64_t records = 0
    while last >= 0:
        series = rows[last].next_series
        row = &rows[series]
        template = row.template
        if template == NULL or end - p < 8 * template.words + 4 or not is_equal(template, p):
            break
        chunk = row.points.last
        if (
            chunk == NULL
            or chunk.used == chunk.capacity
            or chunk.segment != scan.segment
            or chunk.wide
        ):
            break               # `commit` adds a chunk or a double
        footer = p + 12 + template.payload_size
        if crc32c_mask(crc32c_extend(0, p + 12, template.payload_size)) != load32(footer):
            break
        point = <Point*>(chunk + 1) + chunk.used
        chunk.used += 1
        step = 0
        i = template.step_size
        while i > 0:
            i -= 1
            step = step << 7 | (p[template.step + i] & 127)
        point.step = <int64_t>step
        memcpy(&point.wall_time, p + template.wall_time, 8)
        point.bits = load32(p + template.number)
        last = series
        records += 1
        p = footer + 4
    if records > 0:
        scan.series.last_series = last
        scan.segment_has_data = True
        scan.records += records
    return p - start


cdef inline bint is_equal(const Template* template, const uint8_t* p) noexcept nogil:
    """Whether the record at `p` has the template's bytes."""
    cdef size_t i
    for i in range(<size_t>template.words):
        if load64(p + 8 * i) & template.mask[i] != template.bytes[i]:
            return False
    return True


cdef inline bint fits_template(Scan* scan) noexcept nogil:
    """Whether the stage holds one number of a record with a time and a step."""
    cdef Value* value = scan.stage
    return (
        scan.staged == 1
        and not scan.starts_segment
        and value.content == NUMBER
        and not (value.wide or value.from_tensor or value.has_metadata)
        and scan.table.checksums
        and not scan.table.timed_values
        and scan.seen_wall_time != NULL
        and scan.seen_step != NULL
    )


cdef inline void learn_template(Scan* scan, const uint8_t* p, int64_t payload_size) noexcept nogil:
    """Make a template of the record at `p`, whose only value was just committed."""
    cdef Series* row = &scan.series.rows[scan.series.last_series]
    cdef Template* template = row.template
    cdef int words = <int>((12 + payload_size + 7) // 8)
    cdef uint8_t* mask
    cdef uint8_t* bytes
    cdef Py_ssize_t i
    if payload_size > MAX_TEMPLATE_PAYLOAD or scan.seen_step_end - scan.seen_step > 9:
        return
    if template == NULL or template.words < words:
        if scan.template_count == MAX_TEMPLATES:
            return
        template = <Template*>arena_take(
            &scan.template_arena, (sizeof(Template) + 16 * words + 7) & ~<size_t>7
        )
        if template == NULL:
            return
        scan.template_count += 1
        template.mask = <uint64_t*>(template + 1)
        template.bytes = template.mask + words
        row.template = template
    template.words = words
    template.payload_size = <uint32_t>payload_size
    template.wall_time = <uint16_t>(scan.seen_wall_time - p)
    template.step = <uint16_t>(scan.seen_step - p)
    template.step_size = <uint16_t>(scan.seen_step_end - scan.seen_step)
    template.number = <uint16_t>(scan.seen_number - p)
    mask = <uint8_t*>template.mask
    bytes = <uint8_t*>template.bytes
    memset(mask, 255, 12 + payload_size)
    memset(mask + 12 + payload_size, 0, 8 * words - 12 - payload_size)
    memset(mask + template.wall_time, 0, 8)
    memset(mask + template.step, 128, template.step_size)   # the varint's continuation bits
    memset(mask + template.number, 0, 4)
    for i in range(8 * words):
        bytes[i] = (p[i] if i < 12 + payload_size else 0) & mask[i]


cdef inline void clear_templates(Scan* scan) noexcept nogil:
    """Free all templates: a scanner lives as long as its file is watched."""
    cdef int i
    if scan.template_count > 0:
        for i in range(scan.series.count):
            scan.series.rows[i].template = NULL
        arena_clear(&scan.template_arena)
        scan.template_count = 0
