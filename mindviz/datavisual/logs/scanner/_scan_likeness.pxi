# Likeness: writers log the same tags in the same order, so a record of one number nearly always
# looks like the one its series had before, but for the time, the step and the number. Where it
# does, what parsing it would give is known: comparing costs a third of it.

cdef enum:
    LIKENESS_SERIES = 4096      # series that have one, at most
    LIKENESS_PAYLOAD = 256      # bytes, at most

cdef struct Likeness:
    uint32_t payload_size
    uint16_t wall_time          # where in the record these begin
    uint16_t step
    uint16_t step_size
    uint16_t number
    int words                   # of eight bytes, from the record's beginning to its payload's end
    uint64_t* mask              # ones where the record has to be equal
    uint64_t* bytes


cdef inline bint read_alike(Scanner self, const uint8_t* p, int64_t there) noexcept nogil:
    """Read the record at `p`, header included, if it looks as expected; False if it does not."""
    cdef Likeness* like
    cdef Point* point
    cdef const uint8_t* footer
    cdef uint64_t difference = 0, step = 0
    cdef int series, i
    if self.series.latest < 0:
        return False
    series = self.series.rows[self.series.latest].follower
    like = self.series.rows[series].likeness
    if like == NULL or there < 8 * like.words + 4:
        return False
    for i in range(like.words):
        difference |= (load64(p + 8 * i) & like.mask[i]) ^ like.bytes[i]
    if difference != 0:
        return False
    footer = p + 12 + like.payload_size
    if crc32c_mask(crc32c_extend(0, p + 12, like.payload_size)) != load32(footer):
        return False
    point = <Point*>log_append(&self.points, self.segment)
    if point == NULL:
        return False            # parsing it will fail in the same way
    i = like.step_size
    while i > 0:
        i -= 1
        step = step << 7 | (p[like.step + i] & 127)
    point.step = <int64_t>step
    memcpy(&point.wall_time, p + like.wall_time, 8)
    point.bits = load32(p + like.number)
    point.series = <uint32_t>series
    self.series.latest = series
    self.segment_has_data = True
    self.records += 1
    self.record_end = self.position + 16 + like.payload_size
    return True


cdef inline bint has_likeness(Scanner self) noexcept nogil:
    """Whether what is staged is one number of a record that said its time and step."""
    cdef Value* value = self.stage
    return (
        self.staged == 1
        and not self.starts_segment
        and value.content == NUMBER
        and not (value.wide or value.from_tensor or value.has_metadata)
        and self.table.checksums
        and not self.table.timed_values
        and self.seen_wall_time != NULL
        and self.seen_step != NULL
    )


cdef void learn_likeness(Scanner self, const uint8_t* p, int64_t payload_size) noexcept nogil:
    """Remember what the record at `p` looks like; its only value was a number, just committed."""
    cdef Series* row = &self.series.rows[self.series.latest]
    cdef Likeness* like = row.likeness
    cdef int words = <int>((12 + payload_size + 7) // 8)
    cdef uint8_t* mask
    cdef uint8_t* bytes
    cdef Py_ssize_t i
    if payload_size > LIKENESS_PAYLOAD or self.seen_step_end - self.seen_step > 9:
        return
    if like == NULL or like.words < words:
        if self.likenesses == LIKENESS_SERIES:
            return
        like = <Likeness*>arena_take(
            &self.likeness_arena, (sizeof(Likeness) + 16 * words + 7) & ~<size_t>7
        )
        if like == NULL:
            return
        self.likenesses += 1
        like.mask = <uint64_t*>(like + 1)
        like.bytes = like.mask + words
        row.likeness = like
    like.words = words
    like.payload_size = <uint32_t>payload_size
    like.wall_time = <uint16_t>(self.seen_wall_time - p)
    like.step = <uint16_t>(self.seen_step - p)
    like.step_size = <uint16_t>(self.seen_step_end - self.seen_step)
    like.number = <uint16_t>(self.seen_number - p)
    mask = <uint8_t*>like.mask
    bytes = <uint8_t*>like.bytes
    memset(mask, 255, 12 + payload_size)
    memset(mask + 12 + payload_size, 0, 8 * words - 12 - payload_size)
    memset(mask + like.wall_time, 0, 8)
    memset(mask + like.step, 128, like.step_size)   # a varint's continuation bits
    memset(mask + like.number, 0, 4)
    for i in range(8 * words):
        bytes[i] = (p[i] if i < 12 + payload_size else 0) & mask[i]


cdef void forget_likenesses(Scanner self) noexcept nogil:
    """Free them: a scanner lives as long as its file is watched, and they are soon learnt again."""
    cdef int i
    if self.likenesses > 0:
        for i in range(self.series.count):
            self.series.rows[i].likeness = NULL
        arena_clear(&self.likeness_arena)
        self.likenesses = 0
