"""The series of a file: (kind, tag) -> id, in order of appearance."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from mindviz.datavisual.logs.scanner.native.memory cimport (
    Arena, Log, arena_clear, arena_take, log_clear,
)
from mindviz.datavisual.logs.scanner.native.wire_format cimport load64

cdef struct Template:               # what the next record of a series probably looks like
    uint32_t payload_size
    uint16_t wall_time              # offsets of these in the record
    uint16_t step
    uint16_t step_size
    uint16_t number
    int words                       # of eight bytes, from the record's start to its payload's end
    uint64_t* mask                  # ones where the record must be equal
    uint64_t* bytes

cdef struct Series:
    const uint8_t* tag
    uint32_t tag_size
    uint8_t kind
    bint from_tensor
    bint has_metadata
    int next_series                 # the series of the value that followed this one's last value
    uint64_t hash
    Template* template              # NULL at first
    Log points                      # since the last `take`

cdef struct SeriesTable:
    Series* rows
    int count
    int capacity
    int* slots                      # open addressing; -1 is free
    int slot_mask
    int last_series                 # of the last value; -1 at first
    int64_t collisions              # slots inspected that contained another tag
    uint64_t hash_key[2]            # random
    Arena tags


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


cdef inline uint64_t hash_tag(
    const uint64_t* hash_key, uint8_t kind, const uint8_t* tag, uint32_t size
) noexcept nogil:
    """SipHash-1-3 of size, kind and tag. With a random key, no log can contain colliding tags."""
    cdef uint64_t v[4]
    cdef uint64_t word
    v[0] = hash_key[0] ^ <uint64_t>0x736F6D6570736575
    v[1] = hash_key[1] ^ <uint64_t>0x646F72616E646F6D
    v[2] = hash_key[0] ^ <uint64_t>0x6C7967656E657261
    v[3] = hash_key[1] ^ <uint64_t>0x7465646279746573
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


cdef inline int series_rehash(SeriesTable* table) noexcept nogil:
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


cdef inline int series_search(
    SeriesTable* table, uint8_t kind, const uint8_t* tag, uint32_t size, bint from_tensor
) noexcept nogil:
    """Id of the series, added if it is new; -1 if there is no memory."""
    cdef uint64_t hash = hash_tag(table.hash_key, kind, tag, size)
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
    if size > 0:            # an empty tag may be NULL
        memcpy(copy, tag, size)
    row = &table.rows[table.count]
    row.tag = copy
    row.tag_size = size
    row.kind = kind
    row.from_tensor = from_tensor
    row.has_metadata = False
    row.next_series = 0
    row.hash = hash
    row.template = NULL
    row.points.first = row.points.last = NULL
    table.slots[at] = table.count
    table.count += 1
    return table.count - 1


cdef inline int series_find(
    SeriesTable* table, uint8_t kind, const uint8_t* tag, uint32_t size, bint from_tensor
) noexcept nogil:
    """As `series_search`, but first tries the series that followed the last one before.

    Writers log the same tags in the same order at every step, which saves hashing the tag.
    """
    cdef int latest = table.last_series
    cdef int guess
    cdef Series* row
    if latest >= 0:
        guess = table.rows[latest].next_series
        row = &table.rows[guess]
        if row.tag_size == size and row.kind == kind and same_bytes(row.tag, tag, size):
            table.last_series = guess
            return guess
    guess = series_search(table, kind, tag, size, from_tensor)
    if guess >= 0:
        if latest >= 0:
            table.rows[latest].next_series = guess
        table.last_series = guess
    return guess


cdef inline void series_clear(SeriesTable* table) noexcept nogil:
    cdef int i
    for i in range(table.count):
        log_clear(&table.rows[i].points)
    free(table.rows)
    free(table.slots)
    arena_clear(&table.tags)
