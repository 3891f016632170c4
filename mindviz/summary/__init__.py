"""Records training logs from any framework. See docs/recording.md."""

from mindviz.summary.collecting.collector import SummaryCollector
from mindviz.summary.collecting.training import Training
from mindviz.summary.operators import (
    HistogramSummary,
    ImageSummary,
    ScalarSummary,
    TensorSummary,
)
from mindviz.summary.record import SummaryRecord
from mindviz.summary.values.images import Image
from mindviz.summary.values.landscape import Landscape
from mindviz.summary.values.tensorboard_values import Audio, Embedding, Mesh, PrCurve
from mindviz.wire.encode_lineage import EvalLineage, TrainLineage

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
