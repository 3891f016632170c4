"""The series of `FakeStore`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.time_series import (
    DataClass,
    Image,
    ImageSize,
    ScalarTimeSeries,
    Value,
)
from mindviz.errors import DamagedValue


@dataclass
class FakeScalars:
    """The raw points of one series, in write order."""

    step: list[int] = field(default_factory=list)
    wall_time: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    epoch: int = 0

    def latest(self, total: int) -> list[int]:
        """Indices that count among the first `total`: the last of each step; restarts supersede."""
        kept: list[int] = []
        for i in range(total):
            while kept and self.step[kept[-1]] >= self.step[i]:
                kept.pop()
            kept.append(i)
        return kept


@dataclass
class FakeValues:
    """A series of tensors or blobs."""

    data_class: DataClass
    step: list[int]
    wall_time: list[float]
    values: list[Value]
    epoch: int = 0
    damaged: set[int] = field(default_factory=set)

    def read(self, i: int) -> Value:
        """Value number i."""
        if i in self.damaged:
            raise DamagedValue("The record fails its checksum.")
        return self.values[i]

    def read_size(self, i: int) -> ImageSize:
        """The size of value number i of an image series."""
        image = self.read(i)
        assert isinstance(image, Image)
        return ImageSize(image.width, image.height, len(image.encoded))


def points_of(
    series: FakeScalars, chosen: list[int], latest: list[int], total: int
) -> ScalarTimeSeries:
    """The `chosen` points; `latest` are those that count."""
    counting = set(latest)
    index: Int64s = np.array(chosen, dtype=np.int64)
    return ScalarTimeSeries(
        step=np.array(series.step, dtype=np.int64)[index],
        wall_time=np.array(series.wall_time, dtype=np.float64)[index],
        value=np.array(series.value, dtype=np.float64)[index],
        superseded=np.array([i not in counting for i in chosen], dtype=np.bool_),
        total=total,
        superseded_count=total - len(latest),
        epoch=str(series.epoch),
        writers=("events",),
    )


def stats_of(series: FakeScalars) -> dict[str, float]:
    """The fields of `SeriesStats`."""
    numbers = [(value, step) for value, step in zip(series.value, series.step, strict=True)]
    known = [pair for pair in numbers if not math.isnan(pair[0])] or [(math.nan, series.step[0])]
    low, high = min(known), max(known)
    return {
        "first": series.value[0],
        "last": series.value[-1],
        "min": low[0],
        "max": high[0],
        "first_step": series.step[0],
        "last_step": series.step[-1],
        "min_step": low[1],
        "max_step": high[1],
        "nan_count": sum(math.isnan(value) for value in series.value),
        "first_wall_time": min(series.wall_time),
        "last_wall_time": max(series.wall_time),
        "increasing": series.step == sorted(set(series.step)),
    }
