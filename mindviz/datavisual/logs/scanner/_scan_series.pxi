# The series table of a file: (kind, tag) -> id, in order of appearance.

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* object)

cdef struct Likeness

cdef struct Series:
    const uint8_t* tag
    uint32_t tag_size
    uint8_t kind
    bint from_tensor
    bint has_metadata
    int follower        # the series whose value came after this one's last time
    uint64_t hash
    Likeness* likeness  # NULL at first

cdef struct SeriesTable:
    Series* rows
    int count
    int capacity
    int* slots          # open addressing; -1 is free
    int slot_mask
    int latest          # the series of the last value, -1 at first
    int64_t collisions  # slots looked at that held another tag
    Arena tags


cdef inline uint64_t load64(const uint8_t* p) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, p, 8)
    return word


cdef inline uint32_t load32(const uint8_t* p) noexcept nogil:
    cdef uint32_t word
    memcpy(&word, p, 4)
    return word


cdef inline bint same_bytes(const uint8_t* a, const uint8_t* b, uint32_t size) noexcept nogil:
    cdef uint32_t i = 0
    if size >= 8:
        while i + 8 <= size:
            if load64(a + i) != load64(b + i):
                return False
            i += 8
        return load64(a + size - 8) == load64(b + size - 8)
    while i < size:
        if a[i] != b[i]:
            return False
        i += 1
    return True


cdef uint64_t HASH_KEY[2]
cdef bytes HASH_KEY_BYTES = urandom(sizeof(HASH_KEY))
memcpy(HASH_KEY, <const char*>HASH_KEY_BYTES, sizeof(HASH_KEY))


cdef inline void sip_round(uint64_t* v) noexcept nogil:
    v[0] += v[1]
    v[2] += v[3]
    v[1] = (v[1] << 13 | v[1] >> 51) ^ v[0]
    v[3] = (v[3] << 16 | v[3] >> 48) ^ v[2]
    v[0] = v[0] << 32 | v[0] >> 32
    v[2] += v[1]
    v[0] += v[3]
    v[1] = (v[1] << 17 | v[1] >> 47) ^ v[2]
    v[3] = (v[3] << 21 | v[3] >> 43) ^ v[0]
    v[2] = v[2] << 32 | v[2] >> 32


cdef inline void sip_word(uint64_t* v, uint64_t word) noexcept nogil:
    v[3] ^= word
    sip_round(v)
    v[0] ^= word


cdef uint64_t hash_tag(uint8_t kind, const uint8_t* tag, uint32_t size) noexcept nogil:
    """SipHash-1-3 of size, kind and tag; the key is random, so no log can hold colliding tags."""
    cdef uint64_t v[4]
    cdef uint64_t word
    v[0] = HASH_KEY[0] ^ <uint64_t>0x736F6D6570736575
    v[1] = HASH_KEY[1] ^ <uint64_t>0x646F72616E646F6D
    v[2] = HASH_KEY[0] ^ <uint64_t>0x6C7967656E657261
    v[3] = HASH_KEY[1] ^ <uint64_t>0x7465646279746573
    sip_word(v, <uint64_t>size << 8 | kind)
    while size >= 8:
        sip_word(v, load64(tag))
        tag += 8
        size -= 8
    if size > 0:
        word = 0
        memcpy(&word, tag, size)
        sip_word(v, word)
    v[2] ^= 0xFF
    sip_round(v)
    sip_round(v)
    sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


cdef int series_rehash(SeriesTable* table) noexcept nogil:
    """Double the slots; -1 if there is no memory."""
    cdef int size = 64 if table.slots == NULL else 2 * (table.slot_mask + 1)
    cdef int* slots = <int*>malloc(size * sizeof(int))
    cdef int i, at
    if slots == NULL:
        return -1
    memset(slots, 255, size * sizeof(int))
    free(table.slots)
    table.slots = slots
    table.slot_mask = size - 1
    for i in range(table.count):
        at = <int>(table.rows[i].hash & <uint64_t>table.slot_mask)
        while slots[at] >= 0:
            at = (at + 1) & table.slot_mask
        slots[at] = i
    return 0


cdef int series_search(
    SeriesTable* table, uint8_t kind, const uint8_t* tag, uint32_t size, bint from_tensor
) noexcept nogil:
    """Id of the series, added if it is new; -1 if there is no memory."""
    cdef uint64_t hash = hash_tag(kind, tag, size)
    cdef int at, found
    cdef Series* row
    cdef uint8_t* copy
    if 2 * table.count >= table.slot_mask and series_rehash(table) < 0:
        return -1
    at = <int>(hash & <uint64_t>table.slot_mask)
    while True:
        found = table.slots[at]
        if found < 0:
            break
        row = &table.rows[found]
        if (
            row.hash == hash
            and row.kind == kind
            and row.tag_size == size
            and same_bytes(row.tag, tag, size)
        ):
            return found
        table.collisions += 1
        at = (at + 1) & table.slot_mask
    if table.count == table.capacity:
        found = 32 if table.capacity == 0 else 2 * table.capacity
        row = <Series*>realloc(table.rows, found * sizeof(Series))
        if row == NULL:
            return -1
        table.rows = row
        table.capacity = found
    copy = arena_take(&table.tags, size)
    if copy == NULL:
        return -1
    if size > 0:            # an empty tag may have no address
        memcpy(copy, tag, size)
    row = &table.rows[table.count]
    row.tag = copy
    row.tag_size = size
    row.kind = kind
    row.from_tensor = from_tensor
    row.has_metadata = False
    row.follower = 0
    row.hash = hash
    row.likeness = NULL
    table.slots[at] = table.count
    table.count += 1
    return table.count - 1


cdef inline int series_find(
    SeriesTable* table, uint8_t kind, const uint8_t* tag, uint32_t size, bint from_tensor
) noexcept nogil:
    """As `series_search`, but tries first the series that followed the latest one last time.

    Writers log the same tags in the same order, step after step, so the guess nearly always holds
    and saves hashing the tag.
    """
    cdef int latest = table.latest
    cdef int guess
    cdef Series* row
    if latest >= 0:
        guess = table.rows[latest].follower
        row = &table.rows[guess]
        if row.tag_size == size and row.kind == kind and same_bytes(row.tag, tag, size):
            table.latest = guess
            return guess
    guess = series_search(table, kind, tag, size, from_tensor)
    if guess >= 0:
        if latest >= 0:
            table.rows[latest].follower = guess
        table.latest = guess
    return guess


cdef void series_clear(SeriesTable* table) noexcept nogil:
    free(table.rows)
    free(table.slots)
    arena_clear(&table.tags)


cdef object series_head(const Series* row):
    """A row as Python sees it; past the constructor, which takes four times as long."""
    head = SeriesHead.__new__(SeriesHead)
    PyObject_GenericSetAttr(head, "kind", row.kind)
    tag = PyBytes_FromStringAndSize(<const char*>row.tag, row.tag_size)
    PyObject_GenericSetAttr(head, "tag", tag)
    PyObject_GenericSetAttr(head, "from_tensor", True if row.from_tensor else False)
    PyObject_GC_UnTrack(<void*>head)    # it can be in no cycle, and there may be very many
    return head
