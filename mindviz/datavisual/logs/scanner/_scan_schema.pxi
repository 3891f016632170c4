# The wire schema as a table, and the numbers of protobuf's wire format.

cdef enum:
    LEVELS = 3
    RECORD_LEVEL = 0
    SUMMARY_LEVEL = 1
    VALUE_LEVEL = 2
    KEYS = 256                      # keys of fields 1 to 31: number << 3 | wire type

    VARINT = 0
    FIXED64 = 1
    DELIMITED = 2
    FIXED32 = 5

    UNKNOWN = 0                     # the roles of wire_schema.Role, checked in SchemaTable
    WALL_TIME_SECONDS = 1
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
    KNOWN = 14                      # Role.IGNORE: skipped like an unknown field, but expected

    SECONDS_BELOW = 2000000000      # Role.WALL_TIME_MILLISECONDS
    RANK0_LIMIT = 256               # wire_schema.RANK0_TENSOR_LIMIT


cdef class SchemaTable:
    """A wire schema as the walk reads it: what to do for each key of each level."""

    cdef uint8_t roles[LEVELS][KEYS]
    cdef uint8_t kinds[LEVELS][KEYS]
    cdef const uint8_t* record_tags[KEYS]
    cdef uint32_t record_tag_sizes[KEYS]
    cdef bint checksums             # whether records carry CRCs
    cdef bint timed_values          # step and wall time belong to values, not to records
    cdef uint8_t first_key          # what a record without CRC must begin with
    cdef uint8_t tensor_kind        # of values that are nothing but metadata
    cdef object schema              # keeps alive what the tags point into
    cdef list tags

    def __cinit__(self, schema):
        kinds = {kind: number for number, kind in enumerate(schema.kinds)}
        wire_types = {
            Role.WALL_TIME_SECONDS: FIXED64,
            Role.WALL_TIME_MILLISECONDS: VARINT,
            Role.STEP: VARINT,
            Role.FLOAT: FIXED32,
        }
        self.schema = schema
        self.tags = []
        self.checksums = schema.framing is Framing.TFRECORD
        self.timed_values = any(field.role == Role.STEP for field in schema.value)
        self.first_key = 0
        self.tensor_kind = 0
        for level, fields in enumerate((schema.record, schema.summary, schema.value)):
            for field in fields:
                if field.role == Role.IGNORE:
                    keys = [field.number << 3 | wire_type for wire_type in (0, 1, 2, 5)]
                else:
                    keys = [field.number << 3 | wire_types.get(field.role, DELIMITED)]
                for key in keys:
                    self.roles[level][key] = KNOWN if field.role == Role.IGNORE else field.role
                    self.kinds[level][key] = kinds.get(field.kind, 0)
                if level == RECORD_LEVEL and field.role == Role.VALUE:
                    self.first_key = keys[0]
                if field.role == Role.TF_TENSOR:
                    self.tensor_kind = kinds[field.kind]
                if level == RECORD_LEVEL:
                    tag = field.tag.encode()
                    self.tags.append(tag)
                    self.record_tags[keys[0]] = tag
                    self.record_tag_sizes[keys[0]] = len(tag)


@cache
def schema_table(schema):
    """The table of a schema; schemas are few and live as long as the process."""
    return SchemaTable(schema)


cdef dict _tables = {}              # id(schema) -> SchemaTable: hashing a schema costs too much


cdef SchemaTable table_of(schema):
    table = _tables.get(id(schema))
    if table is None:
        table = schema_table(schema)
        if (<SchemaTable>table).schema is schema:
            _tables[id(schema)] = table     # which keeps the schema, and so its id, alive
    return <SchemaTable>table
