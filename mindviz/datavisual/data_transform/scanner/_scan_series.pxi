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


cdef uint64_t hash_tag(uint8_t kind, const uint8_t* tag, uint32_t size) noexcept nogil:
    cdef uint64_t value = <uint64_t>0x9E3779B97F4A7C15 * (size + 1) ^ kind
    cdef uint64_t word
    while size > 0:
        if size >= 8:
            word = load64(tag)
            tag += 8
            size -= 8
        else:
            word = 0
            memcpy(&word, tag, size)
            size = 0
        value = (value ^ word) * <uint64_t>0xD6E8FEB86659FD93
        value ^= value >> 32
    return value


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
