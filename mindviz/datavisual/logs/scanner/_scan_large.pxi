# Records of a Scanner that are too large to wait for: walked field by field.


cdef void begin_walk(Scanner self, int64_t length) noexcept nogil:
    self.cursor = self.record_end - length - (4 if self.table.checksums else 0)
    self.payload_end = self.cursor + length
    self.depth = 0
    self.ends[0] = self.payload_end
    self.levels[0] = RECORD_LEVEL
    self.wall_time = 0.0
    self.step = 0
    self.held = 0
    self.needs_checksum = self.verify_all
    self.malformed = False
    self.mode = WALK


cdef Verdict walk(Scanner self) noexcept nogil:
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef const uint8_t* behind
    cdef int64_t left
    cdef uint64_t key
    while True:
        left = self.ends[self.depth] - self.cursor
        if left == 0:
            if self.depth == 0:
                return end_walk(self)
            if self.levels[self.depth] == VALUE_LEVEL:
                end_value(self, &self.stage[self.staged], self.value_start)
            self.depth -= 1
            continue
        if self.cursor < self.data_offset or (
            self.data_end - self.cursor < min(left, <int64_t>FIELD_START)
        ):
            return self._read_on(self.cursor, min(left, <int64_t>FIELD_START))
        p = self.data + (self.cursor - self.data_offset)
        end = p + min(left, self.data_end - self.cursor)
        behind = read_key(p, end, &key)
        if behind == NULL:
            break
        if key & 7 == DELIMITED:
            if not walk_message(self, key, p, behind, end, left):
                break
            if self.mode == GATHER or self.no_memory:
                return GO_ON
        else:
            behind = walk_number(self, key, behind, end)
            if behind == NULL:
                break
            self.cursor += behind - p
    self.malformed = True
    return end_walk(self)


cdef const uint8_t* walk_number(
    Scanner self, uint64_t key, const uint8_t* p, const uint8_t* end
) noexcept nogil:
    """Behind a field that is no message, staged; NULL if it is malformed."""
    cdef int level = self.levels[self.depth]
    cdef int role = self.table.roles[level][key] if key < KEYS else UNKNOWN
    cdef Value* value = &self.stage[self.staged]    # of use at the value level only
    cdef const uint8_t* behind = skip_field(p, end, key & 7)
    cdef uint64_t number = 0
    if behind == NULL:
        return NULL
    if role == FLOAT and level == VALUE_LEVEL:
        set_float(value, load32(p))
        self.needs_checksum = True
    elif role == WALL_TIME_SECONDS:
        if level == VALUE_LEVEL:
            memcpy(&value.wall_time, p, 8)
        else:
            memcpy(&self.wall_time, p, 8)
    elif role == STEP or role == WALL_TIME_MILLISECONDS:
        read_varint(p, end, &number)
        if level == VALUE_LEVEL:
            value_number(value, role, number)
        else:
            record_number(self, role, number)
    elif role != KNOWN:
        self.needs_checksum = True
    return behind


cdef bint walk_message(
    Scanner self, uint64_t key, const uint8_t* p, const uint8_t* behind, const uint8_t* end,
    int64_t left,
) noexcept nogil:
    """Enter, skip or begin to gather a length-delimited field; False if it is malformed."""
    cdef int level = self.levels[self.depth]
    cdef int role = self.table.roles[level][key] if key < KEYS else UNKNOWN
    cdef uint64_t size
    behind = read_varint(behind, end, &size)
    if behind == NULL or size > <uint64_t>(left - (behind - p)):
        return False
    if (role == VALUE or (role == BLOB and level == RECORD_LEVEL)) and self.staged >= VALUES:
        return False
    self.cursor += behind - p
    if role == SUMMARY or role == VALUE:
        self.depth += 1
        self.ends[self.depth] = self.cursor + <int64_t>size
        self.levels[self.depth] = SUMMARY_LEVEL if role == SUMMARY else VALUE_LEVEL
        if role == VALUE:
            self.value_start = self.cursor
            stage_next(self)
        return True
    if role == BLOB and level == RECORD_LEVEL:
        stage_record_blob(self, <int>key, self.cursor, <int64_t>size)
    elif role == BLOB or (role == TF_TENSOR and size > RANK0_LIMIT):
        set_place(
            &self.stage[self.staged], self.table.kinds[level][key], self.cursor, <int64_t>size
        )
    elif role == VERSION:
        self.needs_checksum = True
        if level == RECORD_LEVEL:
            self.starts_segment = True
        else:
            self.stage[self.staged].content = SEGMENT_MARK
    elif role == UNKNOWN:
        self.needs_checksum = True
    elif role != KNOWN:
        if size > <uint64_t>(METADATA_LIMIT if role == METADATA else HEADING_LIMIT):
            return False
        self.held += <int64_t>size
        if self.held > HELD_LIMIT:
            return False
        self.gather_role = role
        self.gather_kind = self.table.kinds[level][key]
        self.gather_place = self.cursor
        self.gather_size = <int64_t>size
        self.gathered = 0
        self.gather_data = arena_take(&self.scratch, size)
        self.no_memory = self.gather_data == NULL
        self.mode = GATHER
        return True
    self.cursor += <int64_t>size
    return True


cdef Verdict gather(Scanner self) noexcept nogil:
    """Copy a field that is needed whole, then stage it and walk on."""
    cdef int64_t there = min(self.gather_size - self.gathered, self.data_end - self.cursor)
    cdef Value* value = &self.stage[self.staged]
    cdef bint malformed = False
    memcpy(
        self.gather_data + self.gathered,
        self.data + (self.cursor - self.data_offset),
        <size_t>there,
    )
    self.gathered += there
    self.cursor += there
    if self.gathered < self.gather_size:
        self.want_offset = self.cursor
        self.want_size = min(
            self.gather_size - self.gathered + FIRST_READ, <int64_t>LARGEST_READ
        )
        return READ_ON
    if self.gather_role == SESSION_LOG:
        self.needs_checksum = True
        if session_starts(self.gather_data, self.gather_data + self.gather_size, &malformed):
            self.starts_segment = True
    else:
        malformed = not apply_bytes(
            value, self.gather_role, self.gather_kind,
            self.gather_data, self.gather_size, self.gather_place,
        )
        if value.content == NUMBER or value.content == TAGGED_NUMBER:
            self.needs_checksum = True
    self.mode = WALK
    if malformed:
        self.malformed = True
        return end_walk(self)
    return GO_ON


cdef Verdict end_walk(Scanner self) noexcept nogil:
    """The walk is at its end: verify the record, or be done with it."""
    if self.table.checksums and (self.needs_checksum or self.malformed):
        self.mode = VERIFY
        self.cursor = self.position + 12
        self.crc = 0
        return GO_ON
    return end_record(self, self.malformed, BAD_RECORD)


cdef Verdict verify(Scanner self) noexcept nogil:
    """Compute the checksum of the whole record, however large, in bounded reads."""
    cdef int64_t there
    if self.cursor < self.data_offset:
        return read_to_verify(self)
    there = min(self.data_end, self.payload_end) - self.cursor
    if there > 0:
        self.crc = crc32c_extend(
            self.crc, self.data + (self.cursor - self.data_offset), <size_t>there
        )
        self.cursor += there
    if self.cursor < self.payload_end or self.data_end - self.cursor < 4:
        return read_to_verify(self)
    if crc32c_mask(self.crc) != load32(self.data + (self.cursor - self.data_offset)):
        return end_record(self, True, BAD_PAYLOAD)
    return end_record(self, self.malformed, BAD_RECORD)


cdef Verdict read_to_verify(Scanner self) noexcept nogil:
    self.want_offset = self.cursor
    self.want_size = min(self.record_end - self.cursor + FIRST_READ, <int64_t>LARGEST_READ)
    return READ_ON


cdef Verdict end_record(Scanner self, bint lost, Damage kind) noexcept nogil:
    self.records += 1
    if lost:
        self._lose(kind)
        self._forget()
    else:
        commit(self)
    self.position = self.record_end
    self.mode = RECORDS
    return GO_ON


cdef enum:
    SMALL_READ = 4096
    SMALL_READS = 1024      # in one call: between calls, the caller publishes or stops


cdef Verdict read_small(Scanner self, int descriptor, int64_t file_size) noexcept nogil:
    """Do small reads here while they succeed: through Python, each takes three times as long."""
    cdef uint8_t buffer[SMALL_READ]
    cdef int64_t size
    cdef int i
    cdef Verdict verdict = READ_ON
    for i in range(SMALL_READS):
        size = min(self.want_size, file_size - self.want_offset)
        if size <= 0 or size > SMALL_READ:
            break
        if pread(descriptor, buffer, size, self.want_offset) != size:
            break           # the caller's read finds out why
        verdict = self._scan_buffer(buffer, size, file_size)
        if verdict != READ_ON:
            break
    return verdict
