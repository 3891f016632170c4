"""Collecting: what a training records, for any framework. See docs/recording.md."""

from mindviz.summary.images import Image
from mindviz.summary.operators import (
    HistogramSummary,
    ImageSummary,
    ScalarSummary,
    TensorSummary,
)
from mindviz.summary.record import SummaryRecord

__all__ = [
    "HistogramSummary",
    "Image",
    "ImageSummary",
    "ScalarSummary",
    "SummaryRecord",
    "TensorSummary",
]
