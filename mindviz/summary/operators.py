"""The summary operators: recording from inside a network's forward pass.

    self.log_scalar = ScalarSummary()
    ...
    self.log_scalar("loss", loss)

They add to the active `SummaryRecord`, the one made or entered last, whose next `record(step)`
takes the values; they do nothing when there is none or when it is in `eval` mode.
Source: mindspore.ops.
"""

from __future__ import annotations

from typing import ClassVar

from mindviz.summary import active_record


class _SummaryOperator:
    """A callable that records one kind of value."""

    plugin: ClassVar[str]

    def __call__(self, name: str, value: object) -> None:
        """Record the value under the name. Raises InvalidValue if it is not of the kind."""
        record = active_record.current()
        if record is not None and record.mode == "train":
            record.add_value(self.plugin, name, value)


class ScalarSummary(_SummaryOperator):
    """Records a number."""

    plugin = "scalar"


class ImageSummary(_SummaryOperator):
    """Records an image or a batch of images."""

    plugin = "image"


class HistogramSummary(_SummaryOperator):
    """Records how the elements of an array are distributed."""

    plugin = "histogram"


class TensorSummary(_SummaryOperator):
    """Records an array."""

    plugin = "tensor"
