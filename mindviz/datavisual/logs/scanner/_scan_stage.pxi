# The stage of a Scanner: what the record in hand holds, and how it becomes data.


cdef inline Value* stage_next(Scanner self) noexcept nogil:
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


cdef inline void end_value(Scanner self, Value* value, int64_t start) noexcept nogil:
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


cdef void stage_record_blob(Scanner self, int key, int64_t place, int64_t size) noexcept nogil:
    cdef Value* value = stage_next(self)
    if value == NULL:
        return
    value.tag = self.table.record_tags[key]
    value.tag_size = self.table.record_tag_sizes[key]
    set_place(value, self.table.kinds[RECORD_LEVEL][key], place, size)
    self.staged += 1


cdef void commit(Scanner self) noexcept nogil:
    """What the record in hand has staged becomes data."""
    cdef Py_ssize_t i
    cdef Value* value
    cdef Point* point
    cdef Place* place
    cdef PlaceRecord* record = NULL
    cdef int series
    cdef bint timed_values = self.table.timed_values
    if self.starts_segment:
        begin_segment(self)
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
            place.place = value.place - self.position
            place.length = value.size
            place.series = series
            if record == NULL or (timed_values and not same_time(record, value)):
                record = <PlaceRecord*>log_append(&self.place_records, self.segment)
                if record == NULL:
                    self.no_memory = True
                    return
                record.step = value.step
                record.wall_time = value.wall_time
                record.offset = self.position
                record.length = self.record_end - self.position
                self.place_record_count += 1
            place.record = self.place_record_count - 1
        else:
            if value.content == TAGGED_NUMBER and not join_tags(self, value):
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
            give_metadata(self, series, value)
        self.segment_has_data = True
    self._forget()


cdef inline bint same_time(const PlaceRecord* record, const Value* value) noexcept nogil:
    """Whether step and wall time are equal; times of values come from integers, none is NaN."""
    return record.step == value.step and record.wall_time == value.wall_time


cdef bint join_tags(Scanner self, Value* value) noexcept nogil:
    """The tag of a tagged number becomes `tag/sub-tag`."""
    cdef uint32_t size = value.tag_size + 1 + value.subtag_size
    cdef uint8_t* joined = arena_take(&self.scratch, size)
    if joined == NULL:
        self.no_memory = True
        return False
    if value.tag_size > 0:      # an empty tag may have no address
        memcpy(joined, value.tag, value.tag_size)
    joined[value.tag_size] = c"/"
    memcpy(joined + value.tag_size + 1, value.subtag, value.subtag_size)
    value.tag = joined
    value.tag_size = size
    return True


cdef void give_metadata(Scanner self, int series, Value* value) noexcept nogil:
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
    memcpy(copy, value.metadata, <size_t>value.metadata_size)
    given = &self.given[self.given_count]
    given.series = series
    given.size = value.metadata_size
    given.data = copy
    self.given_count += 1
    self.series.rows[series].has_metadata = True


cdef void begin_segment(Scanner self) noexcept nogil:
    if not self.segment_has_data:
        if self.segment == 0:
            self.starts_first = True
        return
    if self.segment + 1 < SEGMENTS:
        self.segment += 1
        self.segment_has_data = False
    elif not self.too_many_segments:
        self.too_many_segments = True
        self._lose(TOO_MANY_SEGMENTS)
