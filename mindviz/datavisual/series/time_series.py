"""Three classes of time series, frozen, and their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Bools, Float64s, Int64s

SCALAR_PLUGIN, TENSOR_PLUGIN = "scalar", "tensor"
"""Stores list all numbers under the first, and tensors that no plugin claims under the second."""


class DataClass(StrEnum):
    """The class of a series' values."""

    UNKNOWN = "UNKNOWN"
    """Neither the log nor a plugin declares it; not served to generic clients."""
    SCALAR = "SCALAR"
    """One number per step."""
    TENSOR = "TENSOR"
    """One array of numbers or strings per step."""
    BLOB_SEQUENCE = "BLOB_SEQUENCE"
    """A sequence of byte strings per step."""


@dataclass(frozen=True, slots=True, eq=False)
class ScalarTimeSeries:
    """Points of one scalar series, oldest first; all arrays have the shape (n,).

    With `restarts="latest"`, steps increase strictly and `superseded` is False everywhere; with
    `restarts="all"`, all points are in the order written, and replaced ones are marked.
    """

    step: Int64s
    wall_time: Float64s
    """Unix seconds."""
    value: Float64s
    """NaN and infinities are data."""
    superseded: Bools
    total: int
    """Points in the log, superseded ones included."""
    superseded_count: int
    epoch: str
    """Changes when earlier answers are no longer a prefix of the log (file replaced)."""
    writers: tuple[str, ...] = ()
    """Files that wrote this series at the same time; the first is the default."""


@dataclass(frozen=True, slots=True, eq=False)
class ScalarIncrement:
    """What is new in a scalar series since a cursor.

    A reader drops its points with step >= `truncate_from_step` (if not None) and appends `points`;
    if `reset`, it drops all points first.
    """

    points: ScalarTimeSeries
    truncate_from_step: int | None
    reset: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """One tensor."""

    data: NDArray[np.generic]
    """Shape as logged, with numpy's nearest dtype (bfloat16 becomes float32)."""
    dtype_name: str
    """MindSpore's name of the logged dtype, such as `DT_FLOAT32`."""


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
    """One step of an image series: usually one image."""

    width: int
    height: int
    encoded: tuple[bytes, ...]
    """As logged: PNG, JPEG or another format."""


class ImageSize(NamedTuple):
    """The size of one step of an image series."""

    width: int
    height: int
    samples: int = 1
    """Number of images. As the log declares it: there may be fewer in a damaged value."""


@dataclass(frozen=True, slots=True)
class Audio:
    """One step of an audio series: usually one clip."""

    clips: tuple[bytes, ...]
    """As logged: WAV or another format."""
    labels: tuple[str, ...] = ()
    """Markdown, one per clip; empty if not logged."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """High-dimensional points with labels."""

    vectors: NDArray[np.float32]
    """Shape (n, dimensions)."""
    labels: tuple[tuple[str, ...], ...] = ()
    """One text per point and name in `header`; empty if not logged."""
    header: tuple[str, ...] = ()
    sprite: bytes = b""
    """A grid of small images, one per point, row by row; empty if not logged."""
    sprite_size: tuple[int, int] = (0, 0)
    """Width and height of each small image, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class LoggedGraph:
    """A decoded graph message."""

    form: str
    """`mindspore`, `tensorflow`, `run_metadata`, `keras` or `visualdl`."""
    content: object
    """A protobuf message, or for `keras` and `visualdl` JSON."""


@dataclass(frozen=True, slots=True, eq=False)
class LandscapePoints:
    """Coordinates of points; empty arrays if not logged."""

    x: Float64s
    y: Float64s
    z: Float64s
    """The loss; shape (len(y), len(x)) for a surface, (len(x),) for a path."""


@dataclass(frozen=True, slots=True, eq=False)
class LossLandscape:
    """The loss around a training's path, in the plane of two directions."""

    points: LandscapePoints
    path: LandscapePoints
    """Path of the training; empty for the landscape around its result."""
    intervals: tuple[int, ...]
    """Steps or epochs of the path; empty for the landscape around the result."""
    decomposition: str
    """How the plane was computed, such as `PCA`."""
    unit: str
    """`step` or `epoch`: unit of `intervals`."""
    step_per_epoch: int
    convergence_point: tuple[float, ...]
    """x, y and z; empty if not logged."""


@dataclass(frozen=True, slots=True)
class LayoutChart:
    """A chart of scalars in a layout."""

    title: str
    expressions: tuple[str, ...] = ()
    """Lines of a line chart: regular expressions, matched from the start of tags."""
    margins: tuple[tuple[str, str, str], ...] = ()
    """Bands of a margin chart: tags of value, lower and upper bound."""


@dataclass(frozen=True, slots=True)
class LayoutCategory:
    """A group of charts."""

    title: str
    charts: tuple[LayoutChart, ...]
    closed: bool = False
    """Whether it is initially collapsed."""


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
"""A decoded value; texts, curves and meshes are tensors, and values without a class are bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class ValueTimeSeries:
    """A series of tensors or blob sequences, whose values are decoded on demand."""

    data_class: DataClass
    step: Int64s
    """Shape (n,), strictly increasing."""
    wall_time: Float64s
    """Shape (n,), Unix seconds."""
    read: Callable[[int], Value] = field(repr=False)
    """Value i, after its checksum was verified. Raises DamagedValue."""
    read_size: Callable[[int], ImageSize] | None = field(default=None, repr=False)
    """The size of value i of an image series, from the value's first bytes."""
    variety: str = ""
    """As in `SeriesClass`."""
    epoch: str = ""
    writers: tuple[str, ...] = ()
    """Files that wrote this series at the same time; the first is the default."""
    config: Mapping[str, object] = field(default_factory=dict)
    """Logged display options, such as a mesh's camera and material."""
