"""Everything that the scan of one file knows."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free

from mindviz.datavisual.logs.scanner.native.field_table cimport LEVELS, FieldTable
from mindviz.datavisual.logs.scanner.native.memory cimport Arena, Log, arena_clear, log_clear
from mindviz.datavisual.logs.scanner.native.series_table cimport SeriesTable, series_clear
from mindviz.datavisual.logs.scanner.native.value cimport Value

cdef enum:
    SMALL_RECORD = 65536            # bytes, framing included: verified before it is parsed
    HEADING_LIMIT = 65536           # of a tag and other fields that must be copied whole
    METADATA_LIMIT = 16777216
    COPIED_LIMIT = 134217728        # of all copied fields of one record
    FIRST_READ = 256                # after a skip; doubled until the next skip
    LARGEST_READ = 262144
    FIELD_START = 20                # bytes that a key and a varint, or a key and a double, fit in
    MAX_NAMED = 100                 # lost records that are named
    MAX_SEGMENTS = 1000
    MAX_VALUES = 262144             # of one record

cdef enum Progress:
    PROCEED                         # another step is possible with this buffer
    NEED_DATA                       # `want_offset` and `want_size` say which
    STOPPED                         # all is read, or `stop_reason` says why not
    OUT_OF_MEMORY

cdef enum Mode:
    RECORDS                         # at the start of a record
    WALK                            # inside a large record
    COPY                            # inside a field of it that is needed whole
    VERIFY                          # reading it again for its checksum
    ZEROS                           # in a run of zeros

cdef enum Damage:                   # names of FindingKind
    NO_DAMAGE
    TRUNCATED
    ZERO_TAIL
    BAD_LENGTH
    BAD_PAYLOAD
    BAD_RECORD
    TOO_MANY_SEGMENTS

cdef struct Loss:
    Damage kind
    int64_t offset

cdef struct Metadata:               # that `take` has not returned yet
    int32_t series
    int64_t size
    uint8_t* data

cdef struct Scan:
    const FieldTable* table
    bint verify_all

    # The place in the file. All offsets are file offsets.
    Mode mode
    int64_t start
    int64_t position                # of the current record
    int64_t cursor                  # within it, unless the mode is RECORDS
    int64_t payload_end
    int64_t record_end
    int64_t want_offset
    int64_t want_size
    int64_t read_size
    Damage stop_reason

    # The buffer being fed.
    const uint8_t* data
    int64_t data_offset
    int64_t data_end

    # The walk through a large record.
    int64_t ends[LEVELS]            # of the messages around the cursor
    int levels[LEVELS]              # what they are; VisualDL has no summary level
    int depth
    int64_t value_start
    bint needs_checksum
    bint malformed
    uint32_t crc
    int field_role                  # the field being copied
    uint8_t field_kind
    int64_t field_place
    int64_t field_size
    int64_t field_copied
    uint8_t* field_data

    # The current record: committed if all of it is good.
    Value* stage
    Py_ssize_t staged
    Py_ssize_t stage_size
    double wall_time
    int64_t step
    bint starts_segment
    bint out_of_memory
    const uint8_t* seen_wall_time   # its fields in the buffer, for templates
    const uint8_t* seen_step
    const uint8_t* seen_step_end
    const uint8_t* seen_number
    Arena template_arena
    int template_count
    Arena scratch                   # bytes that `stage` refers to and no buffer holds
    int64_t copied                  # bytes of the current record in `scratch`

    # Results.
    SeriesTable series
    Log places
    Log place_records
    int32_t place_record_count      # since the last `take`
    int segment
    int first_segment               # since the last `take`
    bint segment_has_data
    bint starts_first               # a segment mark came before any data
    bint too_many_segments
    int64_t records
    Metadata* metadata
    Py_ssize_t metadata_count
    Py_ssize_t metadata_capacity
    Loss losses[MAX_NAMED]
    int loss_count
    int64_t unnamed_count
    Loss first_unnamed


cdef inline void free_scan(Scan* scan) noexcept nogil:
    cdef Py_ssize_t i
    log_clear(&scan.places)
    log_clear(&scan.place_records)
    for i in range(scan.metadata_count):
        free(scan.metadata[i].data)
    free(scan.metadata)
    free(scan.stage)
    arena_clear(&scan.scratch)
    series_clear(&scan.series)
    arena_clear(&scan.template_arena)


cdef inline Progress need(Scan* scan, int64_t offset, int64_t size) noexcept nogil:
    """Ask for `size` bytes or more from `offset`."""
    if offset > scan.data_end:
        scan.read_size = FIRST_READ
    elif scan.read_size < LARGEST_READ:
        scan.read_size *= 2
    scan.want_offset = offset
    scan.want_size = max(size, scan.read_size)
    return NEED_DATA


cdef inline Progress stop(Scan* scan, Damage reason) noexcept nogil:
    """Nothing more can be done now; the next feed starts with the current record."""
    scan.stop_reason = reason
    scan.mode = RECORDS
    drop_staged(scan)
    scan.read_size = LARGEST_READ
    scan.want_offset = scan.position
    scan.want_size = LARGEST_READ
    return STOPPED


cdef inline void drop_staged(Scan* scan) noexcept nogil:
    scan.staged = 0
    scan.starts_segment = False
    if scan.scratch.newest != NULL:
        arena_clear(&scan.scratch)


cdef inline void report_loss(Scan* scan, Damage kind) noexcept nogil:
    """Report the current record as lost."""
    if scan.loss_count < MAX_NAMED:
        scan.losses[scan.loss_count].kind = kind
        scan.losses[scan.loss_count].offset = scan.position
        scan.loss_count += 1
    else:
        if scan.unnamed_count == 0:
            scan.first_unnamed.kind = kind
            scan.first_unnamed.offset = scan.position
        scan.unnamed_count += 1
