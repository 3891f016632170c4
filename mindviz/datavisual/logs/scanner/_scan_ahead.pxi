# Scanning a later part of a file ahead of its turn: where to begin, and how it is joined to the rest.

cdef enum:
    ENOUGH_FRAMES = 4       # that follow each other well, where no checksum says so


def find_record(schema, data, int64_t offset, int64_t file_size):
    """Offset in the file of the first record in `data`, which lies at `offset`; None if none is.

    With checksums a false find needs a collision of 32 bits; without, several records in a row
    must fit. Either way the caller finds out: reading up to there must end exactly there.
    """
    cdef SchemaTable table = table_of(schema)
    cdef Py_buffer view
    cdef int64_t found = -1
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        with nogil:
            found = search_record(table, <const uint8_t*>view.buf, view.len, file_size - offset)
    finally:
        PyBuffer_Release(&view)
    return None if found < 0 else offset + found


cdef int64_t search_record(
    SchemaTable table, const uint8_t* data, int64_t size, int64_t left
) noexcept nogil:
    cdef int64_t at
    for at in range(size - 19):
        if table.checksums:
            if checksum_fits(data + at, size - at, left - at):
                return at
        elif frames_fit(table, data + at, size - at, left - at):
            return at
    return -1


cdef bint checksum_fits(const uint8_t* p, int64_t size, int64_t left) noexcept nogil:
    cdef uint64_t length = load64(p)
    if left < 16 or length > <uint64_t>(left - 16):
        return False
    if crc32c_mask(crc32c_extend(0, p, 8)) != load32(p + 8):
        return False
    if length > <uint64_t>(size - 16):
        return True
    return crc32c_mask(crc32c_extend(0, p + 12, length)) == load32(p + 12 + length)


cdef bint frames_fit(
    SchemaTable table, const uint8_t* p, int64_t size, int64_t left
) noexcept nogil:
    cdef uint64_t length
    cdef int frame
    for frame in range(ENOUGH_FRAMES):
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


cdef object adopt_series(SeriesTable* table, SeriesTable* other):
    """(id here of each series there, whether it brings metadata that is missing here)."""
    cdef int32_t* ids_
    cdef uint8_t* brings_
    cdef Series* row
    cdef int i, series
    ids = column(INT32, other.count, <void**>&ids_)
    brings = column(BOOL, other.count, <void**>&brings_)
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


cdef object adopt_scan(Scanner self, Scanner other):
    """How the results of `other`, which began where `self` stands, become its own.

    Gives (segment here of its segment 0, id here of each of its series, for each of these whether
    its metadata is the first); None, and nothing is changed, if there are too many segments. What
    `other` found must have been taken from it before. Raises ValueError.
    """
    cdef int segment = self.segment
    cdef int i
    if other.start != self.position or self.mode != RECORDS or other.mode != RECORDS:
        raise ValueError(f"a scan from {other.start} does not follow one to {self.position}")
    if other.points.first != NULL or other.places.first != NULL or other.given_count:
        raise ValueError("what was found ahead has not been taken")
    if other.starts_first and self.segment_has_data:
        segment += 1
    if segment + other.segment >= SEGMENTS or other.too_many_segments:
        return None
    ids, brings = adopt_series(&self.series, &other.series)
    if other.segment > 0 or segment != self.segment:
        self.segment_has_data = other.segment_has_data
    elif other.segment_has_data:
        self.segment_has_data = True
    self.segment = segment + other.segment
    for i in range(other.named_count):
        self.position = other.named[i].offset
        self._lose(other.named[i].kind)
    if other.unnamed_count:
        if self.unnamed_count == 0:
            self.unnamed = other.unnamed
        self.unnamed_count += other.unnamed_count
    self.position = self.want_offset = other.position
    self.want_size = self.read_size = LARGEST_READ
    self.stop_kind = other.stop_kind
    return segment, ids, brings
