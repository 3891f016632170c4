"""Collecting: what a training records, for any framework. See docs/recording.md."""

from mindviz.summary.images import Image
from mindviz.summary.landscape import Landscape
from mindviz.summary.lineage import EvalLineage, TrainLineage
from mindviz.summary.operators import (
    HistogramSummary,
    ImageSummary,
    ScalarSummary,
    TensorSummary,
)
from mindviz.summary.record import SummaryRecord
from mindviz.summary.tensorboard_values import Audio, Embedding, Mesh, PrCurve

__all__ = [
    "Audio",
    "Embedding",
    "EvalLineage",
    "HistogramSummary",
    "Image",
    "ImageSummary",
    "Landscape",
    "Mesh",
    "PrCurve",
    "ScalarSummary",
    "SummaryRecord",
    "TensorSummary",
    "TrainLineage",
]
