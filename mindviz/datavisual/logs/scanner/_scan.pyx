# cython: language_level=3
# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native scanner: walks log bytes without the GIL and touches no Python object per record.

The twin of `_scan_python`; what a scanner does is said in `scan`. The pieces, included below:
memory (logs of rows), series (the table of tags), message (protobuf and one value), freeze (rows
to arrays), likeness (records that look like the one before).

How a record is read. One up to SMALL_RECORD bytes is waited for, verified, parsed into `stage` and
then committed; nothing of a record that turns out bad is left behind. A larger one is walked field
by field, skipping what is only indexed (`walk`); its values are staged too, and committed at its
end, after its checksum was computed over a second reading (`verify`) if it needs one.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject_GenericSetAttr
from libc.math cimport NAN, isfinite
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memmove, memset
from posix.unistd cimport pread

from functools import cache
from os import urandom

import numpy

from mindviz.datavisual.series.columns import (
    Batch,
    RecordColumns,
    ScalarColumns,
    ScanResult,
    SeriesHead,
    SeriesStats,
    ValueColumns,
)
from mindviz.datavisual.logs.scanner.damage import (
    MAX_SEGMENTS,
    MAX_VALUES,
    NAMED_FINDINGS,
    damage,
    further_damage,
)
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.logs.wire_schema import RANK0_TENSOR_LIMIT, Role
from mindviz.wire.framing import Framing

cdef extern from "crc32c.h" nogil:
    void crc32c_prepare(int use_instruction)
    uint32_t crc32c_extend(uint32_t crc, const uint8_t* data, size_t size)
    uint32_t crc32c_mask(uint32_t crc)

crc32c_prepare(True)

cdef object INT32 = numpy.dtype(numpy.int32)
cdef object UINT32 = numpy.dtype(numpy.uint32)
cdef object INT64 = numpy.dtype(numpy.int64)
cdef object FLOAT32 = numpy.dtype(numpy.float32)
cdef object FLOAT64 = numpy.dtype(numpy.float64)
cdef object BOOL = numpy.dtype(numpy.bool_)

include "_scan_memory.pxi"
include "_scan_series.pxi"
include "_scan_schema.pxi"
include "_scan_message.pxi"
include "_scan_tensor.pxi"
include "_scan_freeze.pxi"
include "_scan_damage.pxi"

cdef enum:
    SMALL_RECORD = 65536            # bytes, framing included: verified before it is parsed
    HEADING_LIMIT = 65536           # of a tag and other fields that a large record's walk must hold
    METADATA_LIMIT = 16777216
    HELD_LIMIT = 134217728          # of all of these in one record
    FIRST_READ = 256                # behind something skipped; doubled while nothing is
    LARGEST_READ = 262144
    FIELD_START = 20                # a key and a varint, or a key and eight bytes, fit in it
    SMALL_FEED = 16384              # below it, letting the GIL go costs more than it gives
    NAMED = 100
    SEGMENTS = 1000
    VALUES = 262144                 # of one record

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

if (
    NAMED != NAMED_FINDINGS or SEGMENTS != MAX_SEGMENTS or VALUES != MAX_VALUES
    or RANK0_LIMIT != RANK0_TENSOR_LIMIT
):
    raise ImportError("the native scanner was built for other limits")

cdef struct Given:                  # metadata that take() has not handed over yet
    int32_t series
    int64_t size
    uint8_t* data


cdef class Scanner:
    """See `mindviz.datavisual.logs.scanner.scan.Scanner`."""

    cdef SchemaTable table
    cdef object path
    cdef bint verify_all

    # Where we are. All offsets are the file's.
    cdef Mode mode
    cdef int64_t start
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
    cdef const uint8_t* seen_wall_time  # where in the buffer its fields are
    cdef const uint8_t* seen_step
    cdef const uint8_t* seen_step_end
    cdef const uint8_t* seen_number
    cdef Arena likeness_arena
    cdef int likenesses
    cdef Arena scratch              # bytes that `stage` points to and no buffer holds
    cdef int64_t held               # ... that the walk through the current record took there

    # What was found.
    cdef SeriesTable series
    cdef Log points
    cdef Log places
    cdef Log place_records
    cdef int32_t place_record_count # since results were taken
    cdef int segment
    cdef bint segment_has_data
    cdef bint starts_first          # a segment was to start before there was any data
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

    def __cinit__(self, schema, path="", *, verify_all=False, int64_t start=0):
        self.table = table_of(schema)
        self.path = path
        self.verify_all = verify_all
        self.points.row_size = sizeof(Point)
        self.places.row_size = sizeof(Place)
        self.place_records.row_size = sizeof(PlaceRecord)
        self.series.latest = -1
        self.read_size = LARGEST_READ
        self.want_size = LARGEST_READ
        self.position = self.want_offset = self.start = start

    def __dealloc__(self):
        cdef Py_ssize_t i
        while self.points.first != NULL:
            log_drop_first(&self.points)
        while self.places.first != NULL:
            log_drop_first(&self.places)
        while self.place_records.first != NULL:
            log_drop_first(&self.place_records)
        for i in range(self.given_count):
            free(self.given[i].data)
        free(self.given)
        free(self.stage)
        arena_clear(&self.scratch)
        series_clear(&self.series)
        arena_clear(&self.likeness_arena)

    @property
    def wanted(self):
        """Offset and size of the next read."""
        return self.want_offset, self.want_size

    def feed(self, data, int64_t offset, int64_t file_size, int descriptor=-1):
        """Scan `data`, the file's bytes from `offset`; whether more can be done now."""
        cdef Py_buffer view
        cdef Verdict verdict
        if offset != self.want_offset:
            raise ValueError(f"fed from {offset}, wanted from {self.want_offset}")
        PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
        try:
            if view.len < SMALL_FEED and descriptor < 0:
                verdict = self._scan_buffer(<const uint8_t*>view.buf, view.len, file_size)
            else:
                with nogil:
                    verdict = self._scan_buffer(<const uint8_t*>view.buf, view.len, file_size)
                    if verdict == READ_ON and descriptor >= 0:
                        verdict = read_small(self, descriptor, file_size)
        finally:
            PyBuffer_Release(&view)
        if verdict == NO_MEMORY:
            raise MemoryError
        return verdict == READ_ON

    @property
    def collisions(self):
        """How many slots of the tag table were looked at in vain."""
        return self.series.collisions

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
            values = freeze_places(&self.places, &self.place_records, segment)
            batches.append(Batch(segment, scalars, values))
        self.place_record_count = 0
        heads = []
        for i in range(self.heads_taken, self.series.count):
            row = &self.series.rows[i]
            heads.append(series_head(row))
        self.heads_taken = self.series.count
        forget_likenesses(self)
        metadata = {}
        for j in range(self.given_count):
            metadata[self.given[j].series] = PyBytes_FromStringAndSize(
                <const char*>self.given[j].data, self.given[j].size
            )
            free(self.given[j].data)
        self.given_count = 0
        if self.mode == RECORDS:
            # Nothing is staged. A scanner lives as long as its file is watched; the room that its
            # largest record took is not to be kept for so long.
            free(self.stage)
            self.stage = NULL
            self.stage_size = 0
        records = self.records
        self.records = 0
        return ScanResult(tuple(batches), tuple(heads), metadata, records, self.position)

    def adopt(self, Scanner other not None):
        """Go on behind `other`, which began where this one stands. See `adopt_scan`."""
        return adopt_scan(self, other)

    # ---- reading on and standing still

    cdef Verdict _scan_buffer(
        self, const uint8_t* data, int64_t size, int64_t file_size
    ) noexcept nogil:
        cdef int64_t offset = self.want_offset, asked = self.want_size
        cdef Verdict verdict
        self.data = data
        self.data_offset = offset
        self.data_end = offset + size
        verdict = self._scan(max(file_size, self.data_end))
        if verdict == READ_ON and size < asked and self.want_offset == offset:
            # Less came than was asked for, and it was not enough: the file has shrunk.
            return self._stand_still(TRUNCATED)
        return verdict

    cdef Verdict _scan(self, int64_t file_size) noexcept nogil:
        cdef Verdict verdict = GO_ON
        self.stop_kind = NONE
        if self.mode in (WALK, GATHER, VERIFY) and self.record_end > file_size:
            return self._stand_still(TRUNCATED)
        while verdict == GO_ON:
            if self.mode == RECORDS:
                verdict = records(self, file_size)
            elif self.mode == WALK:
                verdict = walk(self)
            elif self.mode == GATHER:
                verdict = gather(self)
            elif self.mode == VERIFY:
                verdict = verify(self)
            else:
                verdict = zeros(self, file_size)
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


include "_scan_likeness.pxi"
include "_scan_framing.pxi"
include "_scan_stage.pxi"
include "_scan_small.pxi"
include "_scan_large.pxi"
include "_scan_ahead.pxi"
