# Records of a Scanner that are all there: parsed at once into its stage.


cdef bint parse_record(Scanner self, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Stage all of a record; False if it is malformed."""
    cdef uint64_t key, number
    cdef const uint8_t* stop
    cdef int role
    cdef bint malformed = False
    self.wall_time = 0.0
    self.step = 0
    self.seen_wall_time = NULL
    self.seen_step = NULL
    self.seen_number = NULL
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        role = self.table.roles[RECORD_LEVEL][key] if key < KEYS else UNKNOWN
        if role == WALL_TIME_SECONDS:
            if end - p < 8:
                return False
            memcpy(&self.wall_time, p, 8)
            self.seen_wall_time = p
            p += 8
        elif role == STEP or role == WALL_TIME_MILLISECONDS:
            self.seen_step = p
            p = read_varint(p, end, &number)
            if p == NULL:
                return False
            self.seen_step_end = p
            if role == WALL_TIME_MILLISECONDS:
                self.seen_step = self.seen_wall_time = NULL     # not what a likeness can say
            record_number(self, role, number)
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
                if not parse_summary(self, p, stop):
                    return False
            elif role == VALUE:
                if not parse_value(self, p, stop):
                    return False
            elif role == BLOB:
                stage_record_blob(
                    self, <int>key, self.data_offset + (p - self.data), <int64_t>number
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


cdef bint parse_summary(Scanner self, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef uint64_t key, size
    while p < end:
        p = read_key(p, end, &key)
        if p == NULL:
            return False
        if key < KEYS and self.table.roles[SUMMARY_LEVEL][key] == VALUE:
            p = read_varint(p, end, &size)
            if p == NULL or size > <uint64_t>(end - p):
                return False
            if not parse_value(self, p, p + size):
                return False
            p += size
        else:
            p = skip_field(p, end, key & 7)
            if p == NULL:
                return False
    return True


cdef bint parse_value(Scanner self, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef uint64_t key, number
    cdef int role
    cdef const uint8_t* start = p
    cdef Value* value = stage_next(self)
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
            self.seen_number = p
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
    end_value(self, value, self.data_offset + (start - self.data))
    return True


cdef inline void record_number(Scanner self, int role, uint64_t number) noexcept nogil:
    if role == STEP:
        self.step = <int64_t>number
    else:
        self.wall_time = wall_time_of(number)
