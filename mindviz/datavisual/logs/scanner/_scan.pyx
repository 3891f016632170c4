# cython: language_level=3
# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native scanner: scans log bytes without the GIL and touches no Python object per record.

Here are its Python classes; the modules in `native` do the work on a C struct, `Scan`. A record up
to SMALL_RECORD bytes is verified, parsed into the stage and committed. A larger one is walked field
by field, skipping what is only indexed; it is committed at its end, after a second reading for its
checksum if it needs one. A bad record leaves nothing behind.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject_GenericSetAttr
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from mindviz.datavisual.logs.scanner._freeze cimport column, freeze_places, freeze_points
from mindviz.datavisual.logs.scanner.native.checksum cimport crc32c_prepare
from mindviz.datavisual.logs.scanner.native.field_table cimport RANK0_LIMIT, FieldTable
from mindviz.datavisual.logs.scanner.native.scan_loop cimport feed_buffer, read_small
from mindviz.datavisual.logs.scanner.native.scan_state cimport (
    LARGEST_READ, MAX_NAMED, MAX_SEGMENTS, MAX_VALUES, NEED_DATA, NO_DAMAGE, OUT_OF_MEMORY,
    RECORDS, Damage, Progress, Scan, free_scan, report_loss,
)
from mindviz.datavisual.logs.scanner.native.search cimport search_record
from mindviz.datavisual.logs.scanner.native.series_table cimport Series, SeriesTable, series_search
from mindviz.datavisual.logs.scanner.native.template cimport clear_templates
from mindviz.datavisual.logs.scanner.native.wire_format cimport DELIMITED

from os import urandom

import numpy

from mindviz.datavisual.logs.scanner import damage as limits
from mindviz.datavisual.logs.scanner.damage import damage, further_damage
from mindviz.datavisual.logs.scanner.scan_state import ScanState
from mindviz.datavisual.logs.wire_schema import RANK0_TENSOR_LIMIT, Role
from mindviz.datavisual.series.columns import Batch, ScanResult, SeriesHead
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire.framing import Framing

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* object)

crc32c_prepare(True)

cdef enum:
    SMALL_FEED = 16384              # bytes; below, releasing the GIL costs more than it gains

if (
    MAX_NAMED != limits.NAMED_FINDINGS or MAX_SEGMENTS != limits.MAX_SEGMENTS
    or MAX_VALUES != limits.MAX_VALUES or RANK0_LIMIT != RANK0_TENSOR_LIMIT
):
    raise ImportError("the native scanner was built for other limits")

cdef tuple FINDING_KINDS = (        # by Damage
    None,
    FindingKind.TRUNCATED,
    FindingKind.ZERO_TAIL,
    FindingKind.BAD_LENGTH,
    FindingKind.BAD_PAYLOAD,
    FindingKind.BAD_RECORD,
    FindingKind.TOO_MANY_SEGMENTS,
)

cdef bytes HASH_KEY = urandom(16)


cdef class Schema:
    """A wire schema and its field table."""

    cdef FieldTable table
    cdef object schema
    cdef list tags                  # keeps alive what the table refers to

    def __cinit__(self, schema):
        cdef FieldTable* table = &self.table
        self.schema = schema
        self.tags = [field.tag.encode() for field in schema.record]
        table.checksums = schema.framing is Framing.TFRECORD
        table.timed_values = schema.timed_values
        table.tensor_kind = schema.tensor_kind
        for level, fields in enumerate(schema.levels):
            for key, field in fields.items():
                table.roles[level][key] = field.role
                table.kinds[level][key] = schema.kinds.index(field.kind) if field.kind else 0
        for field, tag in zip(schema.record, self.tags):
            key = field.number << 3 | DELIMITED
            table.record_tags[key] = tag
            table.record_tag_sizes[key] = len(tag)
            if field.role == Role.VALUE:
                table.first_key = key


cdef dict _schemas = {}             # by id, since hashing a WireSchema is slow


cdef Schema schema_of(schema):
    found = _schemas.get(id(schema))
    if found is None:
        found = _schemas[id(schema)] = Schema(schema)   # keeps `schema`, and so its id, alive
    return <Schema>found


cdef class Scanner:
    """See `mindviz.datavisual.logs.scanner.scan.Scanner`."""

    cdef Scan scan
    cdef Schema schema
    cdef object path
    cdef int heads_taken

    def __cinit__(self, schema, path="", *, verify_all=False, int64_t start=0):
        cdef Scan* scan = &self.scan
        self.schema = schema_of(schema)
        self.path = path
        scan.table = &self.schema.table
        scan.verify_all = verify_all
        scan.series.last_series = -1
        memcpy(scan.series.hash_key, <const char*>HASH_KEY, sizeof(scan.series.hash_key))
        scan.read_size = scan.want_size = LARGEST_READ
        scan.position = scan.want_offset = scan.start = start

    def __dealloc__(self):
        free_scan(&self.scan)

    @property
    def wanted(self):
        """Offset and size of the next read."""
        return self.scan.want_offset, self.scan.want_size

    def feed(self, data, int64_t offset, int64_t file_size, int descriptor=-1):
        """Scan `data`, the file's bytes from `offset`; whether more can be done now."""
        cdef Scan* scan = &self.scan
        cdef Py_buffer view
        cdef Progress progress
        if offset != scan.want_offset:
            raise ValueError(f"fed from {offset}, wanted from {scan.want_offset}")
        PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
        try:
            if view.len < SMALL_FEED and descriptor < 0:
                progress = feed_buffer(scan, <const uint8_t*>view.buf, view.len, file_size)
            else:
                with nogil:
                    progress = feed_buffer(scan, <const uint8_t*>view.buf, view.len, file_size)
                    if progress == NEED_DATA and descriptor >= 0:
                        progress = read_small(scan, descriptor, file_size)
        finally:
            PyBuffer_Release(&view)
        if progress == OUT_OF_MEMORY:
            raise MemoryError
        return progress == NEED_DATA

    @property
    def collisions(self):
        """How many slots of the series table were inspected in vain."""
        return self.scan.series.collisions

    @property
    def stopped(self):
        """Why reading stopped before the end of the file, if it did."""
        if self.scan.stop_reason == NO_DAMAGE:
            return None
        kind = FINDING_KINDS[<int>self.scan.stop_reason]
        return damage(kind, self.path, self.scan.position)

    @property
    def findings(self):
        """Records lost so far."""
        cdef Scan* scan = &self.scan
        cdef int i
        found = []
        for i in range(scan.loss_count):
            kind = FINDING_KINDS[<int>scan.losses[i].kind]
            found.append(damage(kind, self.path, scan.losses[i].offset))
        if scan.unnamed_count:
            kind = FINDING_KINDS[<int>scan.first_unnamed.kind]
            offset = scan.first_unnamed.offset
            found.append(further_damage(kind, self.path, offset, scan.unnamed_count))
        return tuple(found)

    def take(self):
        """Freeze and return what was found since the last call."""
        cdef Scan* scan = &self.scan
        cdef int segment, i
        cdef Py_ssize_t j
        batches = []
        for segment in range(scan.first_segment, scan.segment + 1):
            scalars = freeze_points(&scan.series, segment)
            values = freeze_places(&scan.places, &scan.place_records, segment)
            if len(scalars.series) or len(values.series):
                batches.append(Batch(segment, scalars, values))
        scan.first_segment = scan.segment
        scan.place_record_count = 0
        heads = []
        for i in range(self.heads_taken, scan.series.count):
            heads.append(series_head(&scan.series.rows[i]))
        self.heads_taken = scan.series.count
        clear_templates(scan)
        metadata = {}
        for j in range(scan.metadata_count):
            metadata[scan.metadata[j].series] = PyBytes_FromStringAndSize(
                <const char*>scan.metadata[j].data, scan.metadata[j].size
            )
            free(scan.metadata[j].data)
        scan.metadata_count = 0
        if scan.mode == RECORDS:
            # Nothing is staged. A scanner lives as long as its file is watched and must not keep
            # the memory that its largest record took.
            free(scan.stage)
            scan.stage = NULL
            scan.stage_size = 0
        records = scan.records
        scan.records = 0
        return ScanResult(tuple(batches), tuple(heads), metadata, records, scan.position)

    @property
    def state(self):
        """For `resume`."""
        cdef Scan* scan = &self.scan
        return ScanState(
            scan.position, scan.segment, bool(scan.segment_has_data), bool(scan.too_many_segments),
            self.findings, self.stopped,
        )

    def resume(self, state, series, described):
        """Continue another scan. Raises ValueError if it is impossible."""
        cdef Scan* scan = &self.scan
        cdef const uint8_t* tag
        cdef int i
        if scan.series.count or scan.position:
            raise ValueError("the scanner is not new")
        for head in series:
            name = <bytes?>head.tag
            tag = name
            i = series_search(&scan.series, head.kind, tag, len(name), head.from_tensor)
            if i < 0:
                raise MemoryError
            if i != self.heads_taken:
                raise ValueError("a series appears twice")
            self.heads_taken += 1
        for i in described:
            if not 0 <= i < scan.series.count:
                raise ValueError("there is no such series")
            scan.series.rows[i].has_metadata = True
        scan.position = scan.want_offset = scan.start = state.offset
        scan.segment = scan.first_segment = state.segment
        scan.segment_has_data = state.segment_has_data
        scan.too_many_segments = state.too_many_segments
        if state.stopped is not None:
            scan.stop_reason = <Damage><int>FINDING_KINDS.index(state.stopped.kind)
        for finding in state.findings[:MAX_NAMED]:
            scan.losses[scan.loss_count].kind = <Damage><int>FINDING_KINDS.index(finding.kind)
            scan.losses[scan.loss_count].offset = finding.offset
            scan.loss_count += 1
        for finding in state.findings[MAX_NAMED:]:
            scan.first_unnamed.kind = <Damage><int>FINDING_KINDS.index(finding.kind)
            scan.first_unnamed.offset = finding.offset
            scan.unnamed_count = finding.lost_records

    def continue_after(self, Scanner other not None):
        """Continue where `other` ended, which began where this scanner is now.

        Returns (segment here of its segment 0, id here of each of its series, whether its metadata
        of each series is the first); None, with nothing changed, if there are too many segments.
        The results of `other` must have been taken. Raises ValueError.
        """
        cdef Scan* scan = &self.scan
        cdef Scan* later = &other.scan
        cdef int segment = scan.segment
        cdef int i
        if later.start != scan.position or scan.mode != RECORDS or later.mode != RECORDS:
            raise ValueError(f"a scan from {later.start} does not follow one to {scan.position}")
        if later.records:
            raise ValueError("the later results were not taken")
        if later.starts_first and scan.segment_has_data:
            segment += 1
        if segment + later.segment >= MAX_SEGMENTS or later.too_many_segments:
            return None
        ids, brings = merge_series(&scan.series, &later.series)
        if later.segment > 0 or segment != scan.segment:
            scan.segment_has_data = later.segment_has_data
        elif later.segment_has_data:
            scan.segment_has_data = True
        scan.segment = segment + later.segment
        for i in range(later.loss_count):
            scan.position = later.losses[i].offset
            report_loss(scan, later.losses[i].kind)
        if later.unnamed_count:
            if scan.unnamed_count == 0:
                scan.first_unnamed = later.first_unnamed
            scan.unnamed_count += later.unnamed_count
        scan.position = scan.want_offset = later.position
        scan.want_size = scan.read_size = LARGEST_READ
        scan.stop_reason = later.stop_reason
        return segment, ids, brings


cdef object series_head(const Series* row):
    """A SeriesHead, without its constructor, which takes four times as long."""
    head = SeriesHead.__new__(SeriesHead)
    PyObject_GenericSetAttr(head, "kind", row.kind)
    tag = PyBytes_FromStringAndSize(<const char*>row.tag, row.tag_size)
    PyObject_GenericSetAttr(head, "tag", tag)
    PyObject_GenericSetAttr(head, "from_tensor", True if row.from_tensor else False)
    PyObject_GC_UnTrack(<void*>head)    # it can be in no cycle, and there may be very many
    return head


cdef object merge_series(SeriesTable* table, SeriesTable* other):
    """(id here of each series there, whether it brings metadata that is missing here)."""
    cdef int32_t* ids_
    cdef uint8_t* brings_
    cdef Series* row
    cdef int i, series
    ids = column(numpy.int32, other.count, <void**>&ids_)
    brings = column(numpy.bool_, other.count, <void**>&brings_)
    for i in range(other.count):
        row = &other.rows[i]
        series = series_search(table, row.kind, row.tag, row.tag_size, row.from_tensor)
        if series < 0:
            raise MemoryError
        ids_[i] = series
        brings_[i] = row.has_metadata and not table.rows[series].has_metadata
        if brings_[i]:
            table.rows[series].has_metadata = True
    return ids, brings


def find_record(schema, data, int64_t offset, int64_t file_size):
    """Offset in the file of the first record in `data`, which lies at `offset`; None if none is.

    A guess: with checksums, a wrong one needs a collision of 32 bits; without, several records in
    a row must fit. The caller verifies it by scanning up to there.
    """
    cdef const FieldTable* table = &schema_of(schema).table
    cdef Py_buffer view
    cdef int64_t found = -1
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        with nogil:
            found = search_record(table, <const uint8_t*>view.buf, view.len, file_size - offset)
    finally:
        PyBuffer_Release(&view)
    return None if found < 0 else offset + found
