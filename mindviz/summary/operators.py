"""The summary operators record from inside a network's forward pass.

    self.log_scalar = ScalarSummary()
    ...
    self.log_scalar("loss", loss)

They add to the active `SummaryRecord`, the open one that was created or entered last, which stores
the values at its next `record(step)`. Without one, or in `eval` mode, they do nothing.
Source: mindspore.ops.
"""

from __future__ import annotations

import weakref
from functools import cache
from typing import ClassVar, Protocol


class Record(Protocol):
    """What operators need of a `SummaryRecord`."""

    @property
    def mode(self) -> str:
        """`train` or `eval`."""

    def add_value(self, plugin: str, name: str | None, value: object) -> None:
        """Collect a value for the next step."""


class _SummaryOperator:
    plugin: ClassVar[str]

    def __call__(self, name: str, value: object) -> None:
        """Record the value under this name. Raises InvalidValue for a value of another kind."""
        record = active_record()
        if record is not None and record.mode == "train":
            record.add_value(self.plugin, name, value)


class ScalarSummary(_SummaryOperator):
    """Records a number."""

    plugin = "scalar"


class ImageSummary(_SummaryOperator):
    """Records an image or a batch of images."""

    plugin = "image"


class HistogramSummary(_SummaryOperator):
    """Records the distribution of an array's elements."""

    plugin = "histogram"


class TensorSummary(_SummaryOperator):
    """Records an array."""

    plugin = "tensor"


def active_record() -> Record | None:
    """The open record that was created or entered last."""
    records = _open_records()
    while records:
        record = records[-1]()
        if record is not None:
            return record
        records.pop()
    return None


def activate(record: Record) -> None:
    """Make this the active record."""
    deactivate(record)
    _open_records().append(weakref.ref(record))


def deactivate(record: Record) -> None:
    """Make the previous record the active one."""
    records = _open_records()
    records[:] = [reference for reference in records if reference() is not record]


@cache
def _open_records() -> list[weakref.ref[Record]]:
    """Weak references, so that a record which is dropped without `close` can be collected."""
    return []
