"""RecordedStep: the values of one step, queued for writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from mindviz.errors import InvalidValue


class Log(Enum):
    """The kinds of files of a recording."""

    SUMMARY = "summary"
    """MindSpore's summary format: scalars, images, histograms, tensors, graphs, landscapes."""
    LINEAGE = "lineage"
    """MindSpore's lineage format: how the job was trained."""
    EVENTS = "events"
    """TensorBoard's event format: the kinds that MindSpore's format lacks."""


@dataclass(frozen=True, slots=True)
class PooledValue:
    """A value that becomes one record, encoded by a thread of the pool."""

    log: Log
    what: str
    """Description for messages: `image 'input'`."""
    encode: Callable[[float, int], bytes | None]
    """(wall_time, step) -> the record's payload, or None for no record."""
    nbytes: int = 0
    """Memory that it holds."""
    droppable: bool = False
    """Whether it may be dropped when the queue is full."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """The values of one `record` call."""

    wall_time: float
    step: int
    scalars: dict[str, float]
    values: Sequence[PooledValue] = ()


def describe(kind: str, tag: object) -> str:
    """A value's description for messages. Raises InvalidValue if the tag is not a string."""
    if not isinstance(tag, str):
        raise InvalidValue(f"The tag of a {kind} is {tag!r:.100}: it must be a string.")
    return f"{kind} {tag!r}"
