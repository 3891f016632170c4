"""Memory of a scan: arenas for bytes that keep their address, and logs of rows.

Each series has a log of its own, so freezing a series is one sequential read.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc

cdef enum:
    ARENA_CHUNK = 65536
    FIRST_CHUNK = 144       # bytes; doubled up to LARGEST_CHUNK
    LARGEST_CHUNK = 1 << 20

cdef struct ArenaChunk:
    ArenaChunk* older
    size_t used
    size_t size

cdef struct Arena:
    ArenaChunk* newest

cdef struct Chunk:
    Chunk* next
    int segment
    bint wide                   # of points: whether all of the segment are doubles
    unsigned int used           # rows
    unsigned int capacity       # rows

cdef struct Log:
    Chunk* first
    Chunk* last


cdef inline uint8_t* arena_take(Arena* arena, size_t size) noexcept nogil:
    """`size` bytes with a lasting address; NULL if there is no memory."""
    cdef ArenaChunk* chunk = arena.newest
    cdef size_t chunk_size
    if chunk == NULL or chunk.size - chunk.used < size:
        # Most files have a handful of tags.
        chunk_size = max(size, <size_t>(1024 if chunk == NULL else ARENA_CHUNK))
        chunk = <ArenaChunk*>malloc(sizeof(ArenaChunk) + chunk_size)
        if chunk == NULL:
            return NULL
        chunk.older = arena.newest
        chunk.used = 0
        chunk.size = chunk_size
        arena.newest = chunk
    chunk.used += size
    return <uint8_t*>(chunk + 1) + chunk.used - size


cdef inline void arena_clear(Arena* arena) noexcept nogil:
    cdef ArenaChunk* chunk = arena.newest
    cdef ArenaChunk* older
    while chunk != NULL:
        older = chunk.older
        free(chunk)
        chunk = older
    arena.newest = NULL


cdef inline void* log_grow(Log* log, int segment, size_t row_size) noexcept nogil:
    """Append a chunk for `segment`; its first row, NULL if there is no memory."""
    cdef size_t size = FIRST_CHUNK
    cdef Chunk* chunk
    if log.last != NULL and log.last.segment == segment:
        size = min(2 * (sizeof(Chunk) + log.last.capacity * row_size), <size_t>LARGEST_CHUNK)
    chunk = <Chunk*>malloc(size)
    if chunk == NULL:
        return NULL
    chunk.next = NULL
    chunk.segment = segment
    chunk.wide = False
    chunk.used = 1
    chunk.capacity = (size - sizeof(Chunk)) // row_size
    if log.last == NULL:
        log.first = chunk
    else:
        log.last.next = chunk
    log.last = chunk
    return chunk + 1


cdef inline void* log_append(Log* log, int segment, size_t row_size) noexcept nogil:
    """A new row of `segment`; NULL if there is no memory."""
    cdef Chunk* chunk = log.last
    if chunk == NULL or chunk.used == chunk.capacity or chunk.segment != segment:
        return log_grow(log, segment, row_size)
    chunk.used += 1
    return <uint8_t*>(chunk + 1) + (chunk.used - 1) * row_size


cdef inline void log_drop_first(Log* log) noexcept nogil:
    cdef Chunk* chunk = log.first
    log.first = chunk.next
    if log.first == NULL:
        log.last = NULL
    free(chunk)


cdef inline void log_clear(Log* log) noexcept nogil:
    while log.first != NULL:
        log_drop_first(log)


cdef inline Py_ssize_t log_rows(Log* log, int segment) noexcept nogil:
    """Number of rows of `segment`, which is at the front."""
    cdef Chunk* chunk = log.first
    cdef Py_ssize_t rows = 0
    while chunk != NULL and chunk.segment == segment:
        rows += chunk.used
        chunk = chunk.next
    return rows
