"""Series as generic clients see them: three data classes, each listed and read."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.selection import Downsample, StepRange, kept_ranks, step_slice
from mindviz.datavisual.series.time_series import DataClass

T = TypeVar("T")
Nested = Mapping[str, Mapping[str, T]]
"""train_id -> tag -> T."""


@dataclass(frozen=True, slots=True)
class SummaryMetadata:
    """Metadata of a series, from its first value."""

    plugin_name: str
    plugin_content: bytes = b""
    """The plugin's own metadata, serialized."""
    display_name: str = ""
    description: str = ""
    """Markdown."""
    data_class: DataClass = DataClass.SCALAR


@dataclass(frozen=True, slots=True)
class SeriesListing:
    """One series, without its values."""

    data_class: DataClass
    max_step: int
    max_wall_time: float
    """Unix seconds."""
    max_length: int
    """Of blob sequences: elements of the longest one. 0 for other classes."""
    summary_metadata: SummaryMetadata


@dataclass(frozen=True, slots=True, eq=False)
class ScalarPoints:
    """Points of a series of scalars; all arrays have the shape (n,), steps increase strictly."""

    step: Int64s
    wall_time: Float64s
    value: Float64s

    def selected(self, steps: StepRange, downsample: Downsample | None) -> ScalarPoints:
        """The points in a range of steps, downsampled."""
        part = step_slice(self.step, steps)
        columns = self.step[part], self.wall_time[part], self.value[part]
        kept = kept_ranks(len(columns[0]), downsample, columns[2])
        return ScalarPoints(*(columns if kept is None else (column[kept] for column in columns)))


@dataclass(frozen=True, slots=True, eq=False)
class TensorPoints:
    """Points of a series of tensors; `step` and `wall_time` have the shape (n,)."""

    step: Int64s
    wall_time: Float64s
    value: tuple[NDArray[np.generic], ...]
    """n tensors; strings as an object array of `bytes`."""


@dataclass(frozen=True, slots=True, eq=False)
class BlobElements:
    """Blobs of a series of blob sequences; `step` and `wall_time` have the shape (n,)."""

    step: Int64s
    wall_time: Float64s
    blobs: tuple[tuple[tuple[int, int], ...], ...]
    """Per step: index and edition (see `BlobAddress`) of each blob."""


@dataclass(frozen=True, slots=True)
class ScalarAggregate:
    """Count, extremes and ends of the points of one series. Extremes ignore NaN."""

    count: int
    """At least 1."""
    min: float
    """NaN if all points are."""
    argmin: int
    """The first step with this value; the first step if all points are NaN."""
    max: float
    argmax: int
    first: float
    last: float

    @staticmethod
    def of(points: ScalarPoints) -> ScalarAggregate | None:
        """None without points."""
        step, value = points.step, points.value
        if not len(step):
            return None
        low, high = int(value.argmin()), int(value.argmax())
        if math.isnan(value[low]):
            numbers = np.flatnonzero(~np.isnan(value))
            low = int(numbers[value[numbers].argmin()]) if len(numbers) else 0
            high = int(numbers[value[numbers].argmax()]) if len(numbers) else 0
        return ScalarAggregate(
            count=len(step),
            min=float(value[low]),
            argmin=int(step[low]),
            max=float(value[high]),
            argmax=int(step[high]),
            first=float(value[0]),
            last=float(value[-1]),
        )

    def followed_by(self, other: ScalarAggregate) -> ScalarAggregate:
        """The aggregate of these points, then the other ones."""
        lower = other.min < self.min or math.isnan(self.min) > math.isnan(other.min)
        higher = other.max > self.max or math.isnan(self.max) > math.isnan(other.max)
        return ScalarAggregate(
            count=self.count + other.count,
            min=other.min if lower else self.min,
            argmin=other.argmin if lower else self.argmin,
            max=other.max if higher else self.max,
            argmax=other.argmax if higher else self.argmax,
            first=self.first,
            last=other.last,
        )


class Blob(ABC):
    """One blob, not yet read."""

    content_type: str
    """Media type, detected from the first bytes."""
    length: int
    """Bytes."""
    etag: str
    """Equal for equal bytes of the same blob."""

    @abstractmethod
    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Bytes `start` to `stop`, in pieces of a few MiB at most. Raises DamagedValue."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One train job, as generic clients see it."""

    train_id: str
    display_name: str
    start_time: float | None
    """Unix seconds of its first value or file header; None without either."""

    def place(self) -> tuple[float, str]:
        """Sort key: by start time, then train_id; jobs without a start time last."""
        return math.inf if self.start_time is None else self.start_time, self.train_id
