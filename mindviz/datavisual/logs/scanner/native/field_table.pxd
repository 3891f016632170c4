"""A wire schema as a table: what to do with each key of each level."""

from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    LEVELS = 3
    RECORD_LEVEL = 0
    SUMMARY_LEVEL = 1
    VALUE_LEVEL = 2
    KEYS = 256                      # keys of fields 1 to 31: number << 3 | wire type

    UNKNOWN = 0
    WALL_TIME_SECONDS = 1           # from here on: wire_schema.Role
    WALL_TIME_MILLISECONDS = 2
    STEP = 3
    SUMMARY = 4
    VALUE = 5
    TAG = 6
    FLOAT = 7
    TAGGED_FLOAT = 8
    TF_TENSOR = 9
    BLOB = 10
    METADATA = 11
    VERSION = 12
    SESSION_LOG = 13
    IGNORE = 14

    RANK0_LIMIT = 256               # wire_schema.RANK0_TENSOR_LIMIT

cdef struct FieldTable:
    uint8_t roles[LEVELS][KEYS]
    uint8_t kinds[LEVELS][KEYS]
    const uint8_t* record_tags[KEYS]
    uint32_t record_tag_sizes[KEYS]
    bint checksums                  # whether records have checksums
    bint timed_values               # step and wall time belong to values, not to records
    uint8_t first_key               # what a record without checksum must begin with
    uint8_t tensor_kind             # of values that have metadata and no content
