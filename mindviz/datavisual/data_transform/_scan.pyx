# cython: language_level=3
# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native scanner: walks log bytes without the GIL and touches no Python object per record.

The twin of `_scan_python`; what a scanner does is said in `scan`. The pieces, included below:
memory (logs of rows), series (the table of tags), message (protobuf and one value), freeze (rows
to arrays).

How a record is read. One up to SMALL_RECORD bytes is waited for, verified, parsed into `stage` and
then committed; nothing of a record that turns out bad is left behind. A larger one is walked field
by field, skipping what is only indexed (`walk`); its values are staged too, and committed at its
end, after its checksum was computed over a second reading (`verify`) if it needs one.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport NAN, isfinite
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from functools import cache

import numpy

from mindviz.datavisual.data_transform.columns import (
    Batch,
    ScalarColumns,
    ScanResult,
    SeriesHead,
    SeriesStats,
    ValueIndex,
)
from mindviz.datavisual.data_transform.damage import (
    MAX_SEGMENTS,
    NAMED_FINDINGS,
    damage,
    further_damage,
)
from mindviz.datavisual.data_transform.findings import FindingKind
from mindviz.datavisual.data_transform.wire_schema import RANK0_TENSOR_LIMIT, Role
from mindviz.wire.framing import Framing

cdef extern from "crc32c.h" nogil:
    void crc32c_prepare(int use_instruction)
    uint32_t crc32c_extend(uint32_t crc, const uint8_t* data, size_t size)
    uint32_t crc32c_mask(uint32_t crc)

crc32c_prepare(True)

cdef object INT32 = numpy.dtype(numpy.int32)
cdef object INT64 = numpy.dtype(numpy.int64)
cdef object FLOAT32 = numpy.dtype(numpy.float32)
cdef object FLOAT64 = numpy.dtype(numpy.float64)
cdef object BOOL = numpy.dtype(numpy.bool_)

include "_scan_memory.pxi"
include "_scan_series.pxi"
include "_scan_message.pxi"
include "_scan_freeze.pxi"

cdef enum:
    SMALL_RECORD = 65536            # bytes, framing included: verified before it is parsed
    HEADING_LIMIT = 65536           # of a tag and other fields that a large record's walk must hold
    METADATA_LIMIT = 16777216
    FIRST_READ = 512                # behind something skipped; doubled while nothing is
    LARGEST_READ = 262144
    FIELD_START = 20                # a key and a varint, or a key and eight bytes, fit in it
    SMALL_FEED = 16384              # below it, letting the GIL go costs more than it gives
    NAMED = 100
    SEGMENTS = 1000

# What a step of the walk says.
cdef enum Verdict:
    GO_ON                           # another step can be done in this buffer
    READ_ON                         # `want_offset` and `want_size` say what is needed
    STAND_STILL                     # all is read, or `stop_kind` says why not
    NO_MEMORY

cdef enum Mode:
    RECORDS                         # at the start of a record
    WALK                            # inside a large one
    GATHER                          # inside a field of it that is held whole
    VERIFY                          # reading it again for its checksum
    ZEROS                           # in a run of zeros

cdef enum Damage:
    NONE
    TRUNCATED
    ZERO_TAIL
    BAD_LENGTH
    BAD_PAYLOAD
    BAD_RECORD
    TOO_MANY_SEGMENTS

cdef tuple DAMAGE = (
    None,
    FindingKind.TRUNCATED,
    FindingKind.ZERO_TAIL,
    FindingKind.BAD_LENGTH,
    FindingKind.BAD_PAYLOAD,
    FindingKind.BAD_RECORD,
    FindingKind.TOO_MANY_SEGMENTS,
)

if NAMED != NAMED_FINDINGS or SEGMENTS != MAX_SEGMENTS or RANK0_LIMIT != RANK0_TENSOR_LIMIT:
    raise ImportError("the native scanner was built for other limits")

cdef struct Named:
    Damage kind
    int64_t offset

cdef struct Given:                  # metadata that take() has not handed over yet
    int32_t series
    int64_t size
    uint8_t* data


@cache
def schema_table(schema):
    """The table of a schema; schemas are few and live as long as the process."""
    return SchemaTable(schema)


cdef dict _tables = {}              # id(schema) -> SchemaTable: hashing a schema costs too much


cdef SchemaTable table_of(schema):
    table = _tables.get(id(schema))
    if table is None:
        table = schema_table(schema)
        if (<SchemaTable>table).schema is schema:
            _tables[id(schema)] = table     # which keeps the schema, and so its id, alive
    return <SchemaTable>table


cdef class Scanner:
    """See `mindviz.datavisual.data_transform.scan.Scanner`."""

    cdef SchemaTable table
    cdef object path
    cdef bint verify_all

    # Where we are. All offsets are the file's.
    cdef Mode mode
    cdef int64_t position           # of the record in hand; all before it is dealt with
    cdef int64_t cursor             # within it, outside of RECORDS
    cdef int64_t payload_end
    cdef int64_t record_end
    cdef int64_t want_offset
    cdef int64_t want_size
    cdef int64_t read_size
    cdef Damage stop_kind

    # The buffer being fed.
    cdef const uint8_t* data
    cdef int64_t data_offset
    cdef int64_t data_end

    # The walk through a large record.
    cdef int level
    cdef int64_t ends[LEVELS]       # of the messages around the cursor
    cdef int levels[LEVELS]         # what they are; VisualDL has no summary level
    cdef int depth
    cdef int64_t value_start
    cdef bint needs_checksum
    cdef bint malformed
    cdef uint32_t crc
    cdef int gather_role
    cdef uint8_t gather_kind
    cdef int64_t gather_place
    cdef int64_t gather_size
    cdef int64_t gathered
    cdef uint8_t* gather_data

    # The record in hand: what will be committed if it is good.
    cdef Value* stage
    cdef Py_ssize_t staged
    cdef Py_ssize_t stage_size
    cdef double wall_time
    cdef int64_t step
    cdef bint starts_segment
    cdef bint no_memory
    cdef Arena scratch              # bytes that `stage` points to and no buffer holds

    # What was found.
    cdef SeriesTable series
    cdef Log points
    cdef Log places
    cdef int segment
    cdef bint segment_has_data
    cdef bint too_many_segments
    cdef int64_t records
    cdef Given* given
    cdef Py_ssize_t given_count
    cdef Py_ssize_t given_size
    cdef Named named[NAMED]
    cdef int named_count
    cdef int64_t unnamed_count
    cdef Named unnamed
    cdef int heads_taken

    def __cinit__(self, schema, path="", *, verify_all=False):
        self.table = table_of(schema)
        self.path = path
        self.verify_all = verify_all
        self.points.row_size = sizeof(Point)
        self.places.row_size = sizeof(Place)
        self.series.latest = -1
        self.read_size = LARGEST_READ
        self.want_size = LARGEST_READ

    def __dealloc__(self):
        cdef Py_ssize_t i
        while self.points.first != NULL:
            log_drop_first(&self.points)
        while self.places.first != NULL:
            log_drop_first(&self.places)
        for i in range(self.given_count):
            free(self.given[i].data)
        free(self.given)
        free(self.stage)
        arena_clear(&self.scratch)
        series_clear(&self.series)

    @property
    def wanted(self):
        """Offset and size of the next read."""
        return self.want_offset, self.want_size

    def feed(self, data, int64_t offset, int64_t file_size):
        """Scan `data`, the file's bytes from `offset`; whether more can be done now."""
        cdef Py_buffer view
        cdef int64_t asked = self.want_size
        cdef Verdict verdict
        if offset != self.want_offset:
            raise ValueError(f"fed from {offset}, wanted from {self.want_offset}")
        PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
        try:
            self.data = <const uint8_t*>view.buf
            self.data_offset = offset
            self.data_end = offset + view.len
            file_size = max(file_size, self.data_end)
            if view.len < SMALL_FEED:
                verdict = self._scan(file_size)
            else:
                with nogil:
                    verdict = self._scan(file_size)
            if verdict == READ_ON and view.len < asked and self.want_offset == offset:
                # Less came than was asked for, and it was not enough: the file has shrunk.
                verdict = self._stand_still(TRUNCATED)
        finally:
            PyBuffer_Release(&view)
        if verdict == NO_MEMORY:
            raise MemoryError
        return verdict == READ_ON

    @property
    def stopped(self):
        """Why reading stands still before the end of the file, if it does."""
        if self.stop_kind == NONE:
            return None
        return damage(DAMAGE[<int>self.stop_kind], self.path, self.position)

    @property
    def findings(self):
        """Records lost so far."""
        cdef int i
        found = [
            damage(DAMAGE[<int>self.named[i].kind], self.path, self.named[i].offset)
            for i in range(self.named_count)
        ]
        if self.unnamed_count:
            kind = DAMAGE[<int>self.unnamed.kind]
            found.append(
                further_damage(kind, self.path, self.unnamed.offset, self.unnamed_count)
            )
        return tuple(found)

    def take(self):
        """Freeze and hand over what was found since the last call."""
        cdef int segment, i
        cdef Py_ssize_t j
        cdef Series* row
        batches = []
        while self.points.first != NULL or self.places.first != NULL:
            if self.points.first == NULL:
                segment = self.places.first.segment
            elif self.places.first == NULL:
                segment = self.points.first.segment
            else:
                segment = min(self.points.first.segment, self.places.first.segment)
            scalars = freeze_points(&self.points, segment, self.series.count)
            batches.append(Batch(segment, scalars, freeze_places(&self.places, segment)))
        heads = []
        for i in range(self.heads_taken, self.series.count):
            row = &self.series.rows[i]
            tag = PyBytes_FromStringAndSize(<const char*>row.tag, row.tag_size)
            heads.append(SeriesHead(row.kind, tag, bool(row.from_tensor)))
        self.heads_taken = self.series.count
        metadata = {}
        for j in range(self.given_count):
            metadata[self.given[j].series] = PyBytes_FromStringAndSize(
                <const char*>self.given[j].data, self.given[j].size
            )
            free(self.given[j].data)
        self.given_count = 0
        records = self.records
        self.records = 0
        return ScanResult(tuple(batches), tuple(heads), metadata, records, self.position)

    # ---- reading on and standing still

    cdef Verdict _scan(self, int64_t file_size) noexcept nogil:
        cdef Verdict verdict = GO_ON
        self.stop_kind = NONE
        if self.mode in (WALK, GATHER, VERIFY) and self.record_end > file_size:
            return self._stand_still(TRUNCATED)
        while verdict == GO_ON:
            if self.mode == RECORDS:
                verdict = self._records(file_size)
            elif self.mode == WALK:
                verdict = walk(self)
            elif self.mode == GATHER:
                verdict = gather(self)
            elif self.mode == VERIFY:
                verdict = verify(self)
            else:
                verdict = self._zeros(file_size)
            if self.no_memory:
                return NO_MEMORY
        return verdict

    cdef Verdict _read_on(self, int64_t offset, int64_t size) noexcept nogil:
        """Ask for `size` bytes or more from `offset`."""
        if offset > self.data_end:
            self.read_size = FIRST_READ
        elif self.read_size < LARGEST_READ:
            self.read_size *= 2
        self.want_offset = offset
        self.want_size = max(size, self.read_size)
        return READ_ON

    cdef Verdict _stand_still(self, Damage why) noexcept nogil:
        """Nothing more can be done; begin with the record in hand when there is more."""
        self.stop_kind = why
        self.mode = RECORDS
        self._forget()
        self.read_size = LARGEST_READ
        self.want_offset = self.position
        self.want_size = LARGEST_READ
        return STAND_STILL

    cdef void _forget(self) noexcept nogil:
        """Drop what the record in hand has staged."""
        self.staged = 0
        self.starts_segment = False
        if self.scratch.newest != NULL:
            arena_clear(&self.scratch)

    cdef void _lose(self, Damage kind) noexcept nogil:
        """Report the record in hand."""
        if self.named_count < NAMED:
            self.named[self.named_count].kind = kind
            self.named[self.named_count].offset = self.position
            self.named_count += 1
        else:
            if self.unnamed_count == 0:
                self.unnamed.kind = kind
                self.unnamed.offset = self.position
            self.unnamed_count += 1

    # ---- records

    cdef Verdict _records(self, int64_t file_size) noexcept nogil:
        cdef bint checksums = self.table.checksums
        cdef int64_t position = self.position
        cdef int64_t left, there, framing = 16 if checksums else 8
        cdef const uint8_t* p
        cdef uint64_t length
        while True:
            self.position = position
            left = file_size - position
            there = self.data_end - position
            if left <= 0:
                return self._stand_still(NONE)
            if left < (12 if checksums else 8):
                return self._stand_still(TRUNCATED)
            if there < 12 and there < left:
                return self._read_on(position, 12)
            p = self.data + (position - self.data_offset)
            length = load64(p)
            if checksums:
                if crc32c_mask(crc32c_extend(0, p, 8)) != load32(p + 8):
                    if length == 0 and load32(p + 8) == 0:
                        self.mode = ZEROS
                        self.cursor = position
                        return GO_ON
                    return self._stand_still(BAD_LENGTH)
                if left < 16 or length > <uint64_t>(left - 16):
                    return self._stand_still(TRUNCATED)
                p += 12
            else:
                if length == 0:
                    self.mode = ZEROS
                    self.cursor = position
                    return GO_ON
                if there < min(left, <int64_t>19):
                    return self._read_on(position, 19)
                if not self._fills(p + 8, min(left, <int64_t>19) - 8, length):
                    return self._stand_still(BAD_LENGTH)
                if length > <uint64_t>(left - 8):
                    return self._stand_still(TRUNCATED)
                p += 8
            self.record_end = position + framing + <int64_t>length
            if framing + length > SMALL_RECORD:
                begin_walk(self, <int64_t>length)
                return GO_ON
            if there < framing + <int64_t>length:
                return self._read_on(position, framing + <int64_t>length)
            self.records += 1
            if checksums and crc32c_mask(crc32c_extend(0, p, length)) != load32(p + length):
                self._lose(BAD_PAYLOAD)
            elif not self._parse_record(p, p + length):
                self._lose(BAD_RECORD)
                self._forget()
            else:
                self._commit()
            if self.no_memory:
                return NO_MEMORY
            position = self.record_end

    cdef bint _fills(self, const uint8_t* p, int64_t there, uint64_t length) noexcept nogil:
        """Whether one value fills a record without CRC, as far as its first bytes are there."""
        cdef uint64_t size
        cdef const uint8_t* behind
        cdef const uint8_t* end = p + (there if length > <uint64_t>there else <int64_t>length)
        if p == end:
            return True
        if p[0] != self.table.first_key:
            return False
        behind = read_varint(p + 1, end, &size)
        if behind == NULL:
            # Cut off by the end of the file, or no varint at all.
            return end - p < 11 and <uint64_t>(end - p) < length
        return size == length - <uint64_t>(behind - p)

    cdef Verdict _zeros(self, int64_t file_size) noexcept nogil:
        """In a run of zeros: does it end before the file does?"""
        cdef const uint8_t* p
        cdef const uint8_t* end
        cdef int64_t frames
        if self.cursor < file_size:
            if self.cursor >= self.data_end:
                return self._read_zeros(file_size)
            p = self.data + (self.cursor - self.data_offset)
            end = self.data + (self.data_end - self.data_offset)
            while end - p >= 8 and load64(p) == 0:
                p += 8
            while p < end and p[0] == 0:
                p += 1
            self.cursor = self.data_offset + (p - self.data)
            if p == end and self.cursor < file_size:
                return self._read_zeros(file_size)
        if self.cursor >= file_size:
            return self._stand_still(ZERO_TAIL)
        if self.table.checksums:
            return self._stand_still(BAD_LENGTH)
        # Without checksums, eight zeros are an empty record.
        frames = (self.cursor - self.position) // 8
        self.records += frames
        self.position += 8 * frames
        self.mode = RECORDS
        if self.position < self.data_offset:
            return self._read_on(self.position, 12)
        return GO_ON

    cdef Verdict _read_zeros(self, int64_t file_size) noexcept nogil:
        self.want_offset = self.cursor
        self.want_size = min(file_size - self.cursor, <int64_t>LARGEST_READ)
        return READ_ON

    # ---- messages of a small record

    cdef bint _parse_record(self, const uint8_t* p, const uint8_t* end) noexcept nogil:
        """Stage all of a record; False if it is malformed."""
        cdef uint64_t key, number
        cdef const uint8_t* stop
        cdef int role
        cdef bint malformed = False
        self.wall_time = 0.0
        self.step = 0
        while p < end:
            p = read_key(p, end, &key)
            if p == NULL:
                return False
            role = self.table.roles[RECORD_LEVEL][key] if key < KEYS else UNKNOWN
            if role == WALL_TIME_SECONDS:
                if end - p < 8:
                    return False
                memcpy(&self.wall_time, p, 8)
                p += 8
            elif role == STEP or role == WALL_TIME_MILLISECONDS:
                p = read_varint(p, end, &number)
                if p == NULL:
                    return False
                self._record_number(role, number)
            elif role == UNKNOWN or role == KNOWN:
                p = skip_field(p, end, key & 7)
                if p == NULL:
                    return False
            else:
                p = read_varint(p, end, &number)
                if p == NULL or number > <uint64_t>(end - p):
                    return False
                stop = p + number
                if role == SUMMARY:
                    if not self._parse_summary(p, stop):
                        return False
                elif role == VALUE:
                    if not self._parse_value(p, stop):
                        return False
                elif role == BLOB:
                    self._stage_record_blob(
                        <int>key, self.data_offset + (p - self.data), <int64_t>number
                    )
                elif role == VERSION:
                    self.starts_segment = True
                elif role == SESSION_LOG:
                    if session_starts(p, stop, &malformed):
                        self.starts_segment = True
                    if malformed:
                        return False
                p = stop
        return True

    cdef bint _parse_summary(self, const uint8_t* p, const uint8_t* end) noexcept nogil:
        cdef uint64_t key, size
        while p < end:
            p = read_key(p, end, &key)
            if p == NULL:
                return False
            if key < KEYS and self.table.roles[SUMMARY_LEVEL][key] == VALUE:
                p = read_varint(p, end, &size)
                if p == NULL or size > <uint64_t>(end - p):
                    return False
                if not self._parse_value(p, p + size):
                    return False
                p += size
            else:
                p = skip_field(p, end, key & 7)
                if p == NULL:
                    return False
        return True

    cdef bint _parse_value(self, const uint8_t* p, const uint8_t* end) noexcept nogil:
        cdef uint64_t key, number
        cdef int role
        cdef const uint8_t* start = p
        cdef Value* value = self._stage_next()
        if value == NULL:
            return True
        while p < end:
            p = read_key(p, end, &key)
            if p == NULL:
                return False
            role = self.table.roles[VALUE_LEVEL][key] if key < KEYS else UNKNOWN
            if role == FLOAT:
                if end - p < 4:
                    return False
                set_float(value, load32(p))
                p += 4
            elif role == WALL_TIME_SECONDS:
                if end - p < 8:
                    return False
                memcpy(&value.wall_time, p, 8)
                p += 8
            elif role == STEP or role == WALL_TIME_MILLISECONDS:
                p = read_varint(p, end, &number)
                if p == NULL:
                    return False
                value_number(value, role, number)
            elif role == UNKNOWN or role == KNOWN:
                p = skip_field(p, end, key & 7)
                if p == NULL:
                    return False
            else:
                p = read_varint(p, end, &number)
                if p == NULL or number > <uint64_t>(end - p):
                    return False
                if not apply_bytes(
                    value, role, self.table.kinds[VALUE_LEVEL][key], p, <int64_t>number,
                    self.data_offset + (p - self.data),
                ):
                    return False
                p += number
        self._end_value(value, self.data_offset + (start - self.data))
        return True

    cdef inline void _record_number(self, int role, uint64_t number) noexcept nogil:
        if role == STEP:
            self.step = <int64_t>number
        else:
            self.wall_time = wall_time_of(number)

    # ---- staging and committing

    cdef inline Value* _stage_next(self) noexcept nogil:
        """An empty value behind those staged; NULL (and `no_memory`) if there is no memory."""
        cdef Value* value
        cdef Py_ssize_t size
        if self.staged == self.stage_size:
            size = max(2 * self.stage_size, <Py_ssize_t>16)
            value = <Value*>realloc(self.stage, size * sizeof(Value))
            if value == NULL:
                self.no_memory = True
                return NULL
            self.stage = value
            self.stage_size = size
        value = &self.stage[self.staged]
        memset(value, 0, sizeof(Value))
        return value

    cdef inline void _end_value(self, Value* value, int64_t start) noexcept nogil:
        """Keep the value behind those staged if it says anything."""
        if value.content == SEGMENT_MARK:
            self.starts_segment = True
            return
        if value.content == NOTHING:
            if not value.has_metadata or self.table.tensor_kind == 0:
                return
            set_place(value, self.table.tensor_kind, start, 0)
            self.needs_checksum = True      # nobody will read this record again
        self.staged += 1

    cdef void _stage_record_blob(self, int key, int64_t place, int64_t size) noexcept nogil:
        cdef Value* value = self._stage_next()
        if value == NULL:
            return
        value.tag = self.table.record_tags[key]
        value.tag_size = self.table.record_tag_sizes[key]
        set_place(value, self.table.kinds[RECORD_LEVEL][key], place, size)
        self.staged += 1

    cdef void _commit(self) noexcept nogil:
        """What the record in hand has staged becomes data."""
        cdef Py_ssize_t i
        cdef Value* value
        cdef Point* point
        cdef Place* place
        cdef int series
        cdef bint timed_values = self.table.timed_values
        if self.starts_segment:
            self._begin_segment()
        for i in range(self.staged):
            value = &self.stage[i]
            if not timed_values:
                value.step = self.step
                value.wall_time = self.wall_time
            if value.content == PLACE:
                series = series_find(
                    &self.series, value.kind, value.tag, value.tag_size, False
                )
                place = <Place*>log_append(&self.places, self.segment)
                if series < 0 or place == NULL:
                    self.no_memory = True
                    return
                place.step = value.step
                place.wall_time = value.wall_time
                place.record_offset = self.position
                place.record_length = self.record_end - self.position
                place.value_offset = value.place
                place.value_length = value.size
                place.series = series
            else:
                if value.content == TAGGED_NUMBER and not self._join_tags(value):
                    return
                series = series_find(
                    &self.series, 0, value.tag, value.tag_size, value.from_tensor
                )
                point = <Point*>log_append(&self.points, self.segment)
                if series < 0 or point == NULL:
                    self.no_memory = True
                    return
                point.step = value.step
                point.wall_time = value.wall_time
                point.bits = value.bits
                point.series = <uint32_t>series | (WIDE if value.wide else 0)
            if value.has_metadata and not self.series.rows[series].has_metadata:
                self._give_metadata(series, value)
            self.segment_has_data = True
        self._forget()

    cdef bint _join_tags(self, Value* value) noexcept nogil:
        """The tag of a tagged number becomes `tag/sub-tag`."""
        cdef uint32_t size = value.tag_size + 1 + value.subtag_size
        cdef uint8_t* joined = arena_take(&self.scratch, size)
        if joined == NULL:
            self.no_memory = True
            return False
        memcpy(joined, value.tag, value.tag_size)
        joined[value.tag_size] = c"/"
        memcpy(joined + value.tag_size + 1, value.subtag, value.subtag_size)
        value.tag = joined
        value.tag_size = size
        return True

    cdef void _give_metadata(self, int series, Value* value) noexcept nogil:
        cdef Given* given
        cdef Py_ssize_t size
        cdef uint8_t* copy = <uint8_t*>malloc(max(value.metadata_size, <int64_t>1))
        if self.given_count == self.given_size:
            size = max(2 * self.given_size, <Py_ssize_t>8)
            given = <Given*>realloc(self.given, size * sizeof(Given))
            if given != NULL:
                self.given = given
                self.given_size = size
        if copy == NULL or self.given_count == self.given_size:
            free(copy)
            self.no_memory = True
            return
        memcpy(copy, value.metadata, value.metadata_size)
        given = &self.given[self.given_count]
        given.series = series
        given.size = value.metadata_size
        given.data = copy
        self.given_count += 1
        self.series.rows[series].has_metadata = True

    cdef void _begin_segment(self) noexcept nogil:
        if not self.segment_has_data:
            return
        if self.segment + 1 < SEGMENTS:
            self.segment += 1
            self.segment_has_data = False
        elif not self.too_many_segments:
            self.too_many_segments = True
            self._lose(TOO_MANY_SEGMENTS)


include "_scan_large.pxi"
