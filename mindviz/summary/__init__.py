"""Collecting: what a training records, for any framework. See docs/recording.md."""

from mindviz.summary.collector import SummaryCollector
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
from mindviz.summary.training import Training

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
    "SummaryCollector",
    "SummaryRecord",
    "TensorSummary",
    "TrainLineage",
    "Training",
]
