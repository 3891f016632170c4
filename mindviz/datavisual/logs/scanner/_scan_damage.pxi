# Damage: why a record is lost or reading stands still.

cdef enum Damage:
    NONE
    TRUNCATED
    ZERO_TAIL
    BAD_LENGTH
    BAD_PAYLOAD
    BAD_RECORD
    TOO_MANY_SEGMENTS

cdef tuple DAMAGE = (
    None,
    FindingKind.TRUNCATED,
    FindingKind.ZERO_TAIL,
    FindingKind.BAD_LENGTH,
    FindingKind.BAD_PAYLOAD,
    FindingKind.BAD_RECORD,
    FindingKind.TOO_MANY_SEGMENTS,
)

cdef struct Named:
    Damage kind
    int64_t offset
