# Framing: where records begin, how long they are, whether zeros are all that is left.


cdef Verdict records(Scanner self, int64_t file_size) noexcept nogil:
    cdef bint checksums = self.table.checksums
    cdef int64_t position = self.position
    cdef int64_t left, there, framing = 16 if checksums else 8
    cdef const uint8_t* p
    cdef uint64_t length
    cdef bint alike
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
        if read_alike(self, p, there):
            position = self.record_end
            continue
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
            if not value_fills(self.table, p + 8, min(left, <int64_t>19) - 8, length):
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
        elif not parse_record(self, p, p + length):
            self._lose(BAD_RECORD)
            self._forget()
        else:
            alike = has_likeness(self)
            commit(self)
            if alike and not self.no_memory:
                learn_likeness(self, p - 12, <int64_t>length)
        if self.no_memory:
            return NO_MEMORY
        position = self.record_end


cdef bint value_fills(
    SchemaTable table, const uint8_t* p, int64_t there, uint64_t length
) noexcept nogil:
    """Whether one value fills a record without CRC, as far as its first bytes are there."""
    cdef uint64_t size
    cdef const uint8_t* behind
    cdef const uint8_t* end = p + (there if length > <uint64_t>there else <int64_t>length)
    if p == end:
        return True
    if p[0] != table.first_key:
        return False
    behind = read_varint(p + 1, end, &size)
    if behind == NULL:
        # Cut off by the end of the file, or no varint at all.
        return end - p < 11 and <uint64_t>(end - p) < length
    return size == length - <uint64_t>(behind - p)


cdef Verdict zeros(Scanner self, int64_t file_size) noexcept nogil:
    """In a run of zeros: does it end before the file does?"""
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef int64_t frames
    if self.cursor < file_size:
        if self.cursor >= self.data_end:
            return read_zeros(self, file_size)
        p = self.data + (self.cursor - self.data_offset)
        end = self.data + (self.data_end - self.data_offset)
        while end - p >= 8 and load64(p) == 0:
            p += 8
        while p < end and p[0] == 0:
            p += 1
        self.cursor = self.data_offset + (p - self.data)
        if p == end and self.cursor < file_size:
            return read_zeros(self, file_size)
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


cdef Verdict read_zeros(Scanner self, int64_t file_size) noexcept nogil:
    self.want_offset = self.cursor
    self.want_size = min(file_size - self.cursor, <int64_t>LARGEST_READ)
    return READ_ON
