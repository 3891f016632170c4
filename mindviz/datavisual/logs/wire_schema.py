"""What a log format says about its fields: plain data that one scanner understands.

Records of all formats have the same shape: a message (the *record*), which may hold a *summary*
message, which holds *value* messages. A format says for each of the three levels which field
number plays which role; the scanner knows the roles and no format.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from mindviz.wire.framing import Framing

SCALAR_KIND = "scalar"
"""The kind of every scalar point, whatever field it came from."""

RANK0_TENSOR_LIMIT = 256
"""Bytes. A TensorProto larger than this is never a rank-0 number, so it is indexed, not parsed."""


class Role(IntEnum):
    """What the scanner does with a field."""

    IGNORE = 0
    WALL_TIME_SECONDS = 1
    """fixed64, a double: seconds since the epoch."""
    WALL_TIME_MILLISECONDS = 2
    """varint: milliseconds since the epoch; under 2,000,000,000 seconds, as in VisualDL."""
    STEP = 3
    """varint, int64."""
    SUMMARY = 4
    """Message of the summary level."""
    VALUE = 5
    """Message of the value level."""
    TAG = 6
    """String. The name of the value's series."""
    FLOAT = 7
    """fixed32, a float: one scalar point."""
    TAGGED_FLOAT = 8
    """Message {1: sub-tag string, 2: float}: one scalar point of series `tag/sub-tag`."""
    TF_TENSOR = 9
    """TensorFlow's TensorProto: of rank 0 and numeric dtype it is a scalar point, else indexed."""
    BLOB = 10
    """Length-delimited: indexed by offset and length as `Field.kind`, never decoded in the scan."""
    METADATA = 11
    """Length-delimited: the first one of each series is kept."""
    VERSION = 12
    """Starts a new segment, unless it is the file's first."""
    SESSION_LOG = 13
    """Message {1: status}; status 1 (START) starts a new segment."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message, by number."""

    number: int
    """1 to 31."""
    role: Role
    kind: str = ""
    """For BLOB and TF_TENSOR: the kind under which it is indexed."""
    tag: str = ""
    """For BLOB at record level: the tag of its series, since such a record names none."""


_TIMES = {Role.STEP, Role.WALL_TIME_SECONDS, Role.WALL_TIME_MILLISECONDS}
_LEVELS: dict[str, set[Role]] = {
    "record": _TIMES
    | {Role.SUMMARY, Role.VALUE, Role.BLOB, Role.VERSION, Role.SESSION_LOG, Role.IGNORE},
    "summary": {Role.VALUE, Role.IGNORE},
    "value": _TIMES
    | {Role.TAG, Role.FLOAT, Role.TAGGED_FLOAT, Role.TF_TENSOR, Role.BLOB}
    | {Role.METADATA, Role.VERSION, Role.IGNORE},
}
"""The roles that scanners know at each level."""


@dataclass(frozen=True, slots=True)
class WireSchema:
    """The fields of one log format that matter, per level.

    Raises ValueError for what no scanner could follow: a role at a level where it means nothing,
    a field number out of range, and records without checksum that hold no value (the value's length
    is the only check on theirs).
    """

    name: str
    framing: Framing
    record: tuple[Field, ...]
    summary: tuple[Field, ...] = ()
    value: tuple[Field, ...] = ()
    kinds: tuple[str, ...] = field(init=False, compare=False)
    """All kinds in a fixed order; `SCALAR_KIND` is number 0, as in the scanner's columns."""
    tensor_kind: int = field(init=False, compare=False)
    """Number of the kind of TensorFlow's tensors, which are scalars if of rank 0; 0 for none."""

    def __post_init__(self) -> None:
        """Refuse what no scanner could follow."""
        for level, roles in _LEVELS.items():
            fields: tuple[Field, ...] = getattr(self, level)
            for one in fields:
                if one.role not in roles or not 1 <= one.number <= 31:
                    raise ValueError(f"{self.name}: {level} field {one.number} is not possible")
        values = sum(one.role is Role.VALUE for one in self.record)
        if self.framing is Framing.LENGTH_PREFIXED and values != 1:
            raise ValueError(f"{self.name}: a record without checksum must hold a value")
        named = [one.kind for level in (self.record, self.summary, self.value) for one in level]
        kinds = (SCALAR_KIND, *dict.fromkeys(kind for kind in named if kind))
        object.__setattr__(self, "kinds", kinds)
        tensors = [one.kind for one in self.value if one.role is Role.TF_TENSOR]
        object.__setattr__(self, "tensor_kind", kinds.index(tensors[0]) if tensors else 0)
