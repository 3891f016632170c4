"""The vocabulary of what is read: three classes of time series, frozen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Bools, Float64s, Int64s

SCALAR_PLUGIN, TENSOR_PLUGIN = "scalar", "tensor"
"""Stores list all numbers under the first, and tensors that no plugin claims under the second."""


class DataClass(StrEnum):
    """What a series is made of."""

    UNKNOWN = "UNKNOWN"
    """The log does not say, and nobody knows the plugin: not served to generic clients."""
    SCALAR = "SCALAR"
    """One number per step."""
    TENSOR = "TENSOR"
    """One array of numbers or strings per step."""
    BLOB_SEQUENCE = "BLOB_SEQUENCE"
    """Some byte strings per step."""

    @property
    def number(self) -> int:
        """As in `SummaryMetadata.data_class`."""
        return list(DataClass).index(self)


@dataclass(frozen=True, slots=True, eq=False)
class ScalarTimeSeries:
    """Points of one scalar series, oldest first; all arrays have the shape (n,).

    Read with `restarts="latest"` the steps are strictly increasing and `superseded` is all False;
    with `restarts="all"` it is every point in the order written, those replaced later marked.
    """

    step: Int64s
    wall_time: Float64s
    """Seconds since the epoch."""
    value: Float64s
    """May hold NaN and infinities: they are data."""
    superseded: Bools
    total: int
    """Points in the log, superseded ones included."""
    superseded_count: int
    epoch: str
    """Changes when what was served before is no longer a prefix of the log (file replaced)."""
    writers: tuple[str, ...] = ()
    """Names of the files that wrote this series at the same time; the first is the default."""


@dataclass(frozen=True, slots=True, eq=False)
class ScalarIncrement:
    """What is new in a scalar series since a cursor was handed out.

    A reader drops its points with step >= `truncate_from_step` (if given) and appends `points`;
    if `reset`, it drops all.
    """

    points: ScalarTimeSeries
    truncate_from_step: int | None
    reset: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """One tensor."""

    data: NDArray[np.generic]
    """Shape as logged; dtype the nearest numpy has (bfloat16 is widened to float32)."""
    dtype_name: str
    """MindSpore's name of the dtype as logged, e.g. `DT_FLOAT32`."""


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """One histogram."""

    buckets: Float64s
    """Shape (k, 3): left edge, right edge, count; k may be 0."""
    nan_count: int = 0
    positive_infinity_count: int = 0
    negative_infinity_count: int = 0


@dataclass(frozen=True, slots=True)
class Image:
    """One step of an image series: usually one image, sometimes several samples."""

    width: int
    height: int
    encoded: tuple[bytes, ...]
    """PNG, JPEG or whatever the writer chose, as logged."""


@dataclass(frozen=True, slots=True)
class Audio:
    """One step of an audio series: usually one clip, sometimes several."""

    clips: tuple[bytes, ...]
    """WAV or whatever the writer chose, as logged."""
    labels: tuple[str, ...] = ()
    """Markdown, one per clip; empty if the log has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """Points in a space of many dimensions, and what is known of each."""

    vectors: NDArray[np.float32]
    """Shape (n, dimensions)."""
    labels: tuple[tuple[str, ...], ...] = ()
    """Of each point one text per name in `header`; empty if the log has none."""
    header: tuple[str, ...] = ()
    sprite: bytes = b""
    """A picture of small images, one per point, row by row; empty if there is none."""
    sprite_size: tuple[int, int] = (0, 0)
    """Width and height of each of these, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class LoggedGraph:
    """A graph, parsed but not looked into."""

    form: str
    """`mindspore`, `tensorflow`, `run_metadata`, `keras` or `visualdl`."""
    content: object
    """The protobuf message of that form, or of the last two forms the JSON value."""


@dataclass(frozen=True, slots=True, eq=False)
class LandscapePoints:
    """Coordinates of some points; empty arrays where a log has none."""

    x: Float64s
    y: Float64s
    z: Float64s
    """The loss: of shape (len(y), len(x)) for a surface, as long as x for a path."""


@dataclass(frozen=True, slots=True, eq=False)
class LossLandscape:
    """The loss around where a training went, in the plane of two directions."""

    points: LandscapePoints
    """The surface."""
    path: LandscapePoints
    """Where the training went; empty for the landscape around its result."""
    intervals: tuple[int, ...]
    """The steps or epochs of the path; empty for the landscape around the result."""
    decomposition: str
    """How the plane was found, e.g. `PCA`."""
    unit: str
    """`step` or `epoch`: what `intervals` counts."""
    step_per_epoch: int
    convergence_point: tuple[float, ...]
    """x, y and z; empty if the log has none."""


@dataclass(frozen=True, slots=True)
class LayoutChart:
    """A chart of scalars that somebody laid out."""

    title: str
    expressions: tuple[str, ...] = ()
    """Of a chart of many lines: regular expressions, matched from the beginning of tags."""
    margins: tuple[tuple[str, str, str], ...] = ()
    """Of a chart of bands: tags of a value, of its lower and of its upper bound."""


@dataclass(frozen=True, slots=True)
class LayoutCategory:
    """Charts that are shown together."""

    title: str
    charts: tuple[LayoutChart, ...]
    closed: bool = False
    """Whether it is folded at first."""


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """A dashboard of charts of scalars (TensorBoard's custom scalars)."""

    categories: tuple[LayoutCategory, ...]
    content: bytes = field(repr=False)
    """The message as logged."""


Value = (
    Tensor
    | Histogram
    | Image
    | Audio
    | Embedding
    | LoggedGraph
    | LossLandscape
    | ChartLayout
    | bytes
)
"""A decoded value; texts, curves and meshes are tensors, `bytes` is what has no richer form."""


@dataclass(frozen=True, slots=True, eq=False)
class ValueTimeSeries:
    """A series of tensors or blob sequences: where they are, decoded one at a time on request."""

    data_class: DataClass
    step: Int64s
    """Shape (n,), strictly increasing."""
    wall_time: Float64s
    """Shape (n,), seconds."""
    read: Callable[[int], Value] = field(repr=False)
    """Value number i, its checksum verified. Raises DamagedValue."""
    read_size: Callable[[int], tuple[int, int]] | None = field(default=None, repr=False)
    """For images: width and height of number i, from the first bytes of the value alone."""
    variety: str = ""
    """As in `SeriesClass`."""
    epoch: str = ""
    writers: tuple[str, ...] = ()
    """Names of the files that wrote this series at the same time; the first is the default."""
    config: Mapping[str, object] = field(default_factory=dict)
    """What the log says of how to show it (meshes: camera and material)."""
