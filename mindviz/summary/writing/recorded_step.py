"""RecordedStep: the values of one step, queued for writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mindviz.summary.writing.log_names import Log


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
