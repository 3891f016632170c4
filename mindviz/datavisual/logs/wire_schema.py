"""Wire schemas: the fields of a log format, as plain data for the scanners.

Records of all formats have the same shape: a *record* message, perhaps with a *summary* message in
it, has *value* messages. For each of the three levels, a format assigns roles to field numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from mindviz.wire.fields import FIXED32, FIXED64, LENGTH_DELIMITED, VARINT
from mindviz.wire.framing import Framing

SCALAR_KIND = "scalar"
"""The kind of all scalar points."""

RANK0_TENSOR_LIMIT = 256
"""Bytes. A larger TensorProto is indexed without looking for a single number in it."""


class Role(IntEnum):
    """What the scanner does with a field."""

    WALL_TIME_SECONDS = 1
    """fixed64, a double: seconds since the epoch."""
    WALL_TIME_MILLISECONDS = 2
    """varint: milliseconds since the epoch; under 2,000,000,000 seconds, as in VisualDL."""
    STEP = 3
    """varint, int64."""
    SUMMARY = 4
    """A summary message."""
    VALUE = 5
    """A value message."""
    TAG = 6
    """String: the name of the value's series."""
    FLOAT = 7
    """fixed32, a float: one scalar point."""
    TAGGED_FLOAT = 8
    """Message {1: sub-tag string, 2: float}: one scalar point of series `tag/sub-tag`."""
    TF_TENSOR = 9
    """TensorFlow's TensorProto: a scalar point if it is one number, else indexed."""
    BLOB = 10
    """Length-delimited: indexed by offset and length as `Field.kind`."""
    METADATA = 11
    """Length-delimited: the first of each series is kept."""
    VERSION = 12
    """Starts a new segment, except at the start of a file."""
    SESSION_LOG = 13
    """Message {1: status}; status 1 (START) starts a new segment."""
    IGNORE = 14
    """Skipped like an unknown field, but expected."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message, by number."""

    number: int
    """1 to 31."""
    role: Role
    kind: str = ""
    """For BLOB and TF_TENSOR: the kind in the index."""
    tag: str = ""
    """For BLOB at record level: the tag of its series."""


TIMES = frozenset({Role.STEP, Role.WALL_TIME_SECONDS, Role.WALL_TIME_MILLISECONDS})
_LEVELS: dict[str, frozenset[Role]] = {
    "record": TIMES
    | {Role.SUMMARY, Role.VALUE, Role.BLOB, Role.VERSION, Role.SESSION_LOG, Role.IGNORE},
    "summary": frozenset({Role.VALUE, Role.IGNORE}),
    "value": TIMES
    | {Role.TAG, Role.FLOAT, Role.TAGGED_FLOAT, Role.TF_TENSOR, Role.BLOB}
    | {Role.METADATA, Role.VERSION, Role.IGNORE},
}
"""The roles that are possible at each level."""
_WIRE_TYPES = {
    Role.WALL_TIME_SECONDS: (FIXED64,),
    Role.WALL_TIME_MILLISECONDS: (VARINT,),
    Role.STEP: (VARINT,),
    Role.FLOAT: (FIXED32,),
    Role.IGNORE: (VARINT, FIXED64, LENGTH_DELIMITED, FIXED32),
}
"""Of the other roles: length-delimited."""


@dataclass(frozen=True, slots=True)
class WireSchema:
    """The relevant fields of a log format, per level.

    Raises ValueError for a role that is not possible at its level, a field number out of range, and
    records without checksum that are not exactly one value: its length is the only check on theirs.
    """

    name: str
    framing: Framing
    record: tuple[Field, ...]
    summary: tuple[Field, ...] = ()
    value: tuple[Field, ...] = ()
    kinds: tuple[str, ...] = field(init=False, compare=False)
    """All kinds; index 0 is `SCALAR_KIND`."""
    tensor_kind: int = field(init=False, compare=False)
    """Index of the kind of TensorFlow's tensors; 0 if there is none."""
    levels: tuple[Mapping[int, Field], ...] = field(init=False, compare=False, repr=False)
    """For the record, summary and value level: key (number << 3 | wire type) -> field."""
    timed_values: bool = field(init=False, compare=False)
    """Whether step and wall time belong to values, not to records."""

    def __post_init__(self) -> None:
        for level, roles in _LEVELS.items():
            fields: tuple[Field, ...] = getattr(self, level)
            for spec in fields:
                if spec.role not in roles or not 1 <= spec.number <= 31:
                    raise ValueError(f"{self.name}: {level} field {spec.number} is not possible")
        values = sum(spec.role is Role.VALUE for spec in self.record)
        if self.framing is Framing.LENGTH_PREFIXED and values != 1:
            raise ValueError(f"{self.name}: a record without checksum must hold a value")
        levels = (self.record, self.summary, self.value)
        kinds = (SCALAR_KIND, *dict.fromkeys(f.kind for level in levels for f in level if f.kind))
        tensors = [kinds.index(spec.kind) for spec in self.value if spec.role is Role.TF_TENSOR]
        by_key = tuple(
            {
                spec.number << 3 | wire_type: spec
                for spec in level
                for wire_type in _WIRE_TYPES.get(spec.role, (LENGTH_DELIMITED,))
            }
            for level in levels
        )
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "tensor_kind", tensors[0] if tensors else 0)
        object.__setattr__(self, "levels", by_key)
        object.__setattr__(self, "timed_values", any(f.role is Role.STEP for f in self.value))
