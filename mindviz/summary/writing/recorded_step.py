"""RecordedStep: what a training hands over to be written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mindviz.summary.writing.log_names import Log


@dataclass(frozen=True, slots=True)
class PooledValue:
    """A value that is worth being encoded by a thread of its own: one record."""

    log: Log
    what: str
    """`image 'input'`, for messages."""
    encode: Callable[[float, int], bytes | None]
    """(wall_time, step) -> the record's payload; None if there is nothing for the log."""
    nbytes: int = 0
    """What it holds in memory."""
    droppable: bool = False
    """Whether it may be lost when there are too many of them."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """What was recorded at once."""

    wall_time: float
    step: int
    scalars: dict[str, float]
    values: Sequence[PooledValue] = ()
