"""Loss landscapes: the loss around a training's path, or around its result.

A path belongs to an interval of steps or epochs. An interval's id is a hash of its numbers, the
same after a restart and in every job with this interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from mindviz.datavisual.payloads.landscape_message import mindspore_landscape
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.generic_name import GenericName, only_blob
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import DataClass, LossLandscape, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue


@dataclass(frozen=True, slots=True)
class Interval:
    """Steps or epochs with a landscape."""

    id: str
    first: int
    last: int


_COLUMNS = ("interval_id", "intervals", "unit", "step_per_epoch", "decomposition", "dims")


@logged_view(*_COLUMNS)
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """The interval and size of a step's landscape."""
    landscape = _landscape(series, row)
    return {
        "interval_id": interval_id(landscape.intervals),
        "intervals": list(landscape.intervals),
        "unit": landscape.unit,
        "step_per_epoch": landscape.step_per_epoch,
        "decomposition": landscape.decomposition,
        "dims": list(landscape.points.z.shape),
    }


def list_intervals(store: Store, train_id: str) -> list[Interval]:
    """The distinct intervals of a job, by their first step. Raises TrainJobNotFound.

    Skips damaged values, which are findings of the job.
    """
    intervals = {
        landscape.intervals: Interval(
            interval_id(landscape.intervals), landscape.intervals[0], landscape.intervals[-1]
        )
        for landscape in _landscapes(store, train_id)
        if landscape.intervals
    }
    return sorted(intervals.values(), key=lambda interval: interval.first)


def find_landscape(store: Store, train_id: str, interval: str = "") -> LossLandscape | None:
    """The newest landscape of the interval with this id; without one, around the result.

    Raises TrainJobNotFound.
    """
    newest = None
    for landscape in _landscapes(store, train_id):
        if interval_id(landscape.intervals) == interval:
            newest = landscape
    return newest


def interval_id(intervals: tuple[int, ...]) -> str:
    """The id of an interval, in digits; empty for the landscape around the result."""
    if not intervals:
        return ""
    text = ",".join(map(str, intervals))
    digest = blake2b(text.encode("ascii"), digest_size=8).digest()
    return str(int.from_bytes(digest, "big"))


def _landscapes(store: Store, train_id: str) -> Iterator[LossLandscape]:
    """All readable landscapes of a job, by time."""
    tags = store.list_tags(train_id).get(PLUGIN.name, ())
    values = []
    for tag in tags:
        series = store.read_values(train_id, PLUGIN.name, tag)
        times = enumerate(series.wall_time.tolist())
        values += [(wall_time, tag, row, series) for row, wall_time in times]
    for _, _, row, series in sorted(values, key=lambda value: value[:3]):
        try:
            yield _landscape(series, row)
        except DamagedValue:
            continue


def _landscape(series: ValueTimeSeries, row: int) -> LossLandscape:
    return read_as(series, row, LossLandscape, "a landscape")


PLUGIN = Plugin(
    "loss_landscape",
    "/loss_landscape",
    DataClass.TENSOR,
    view,
    names=(
        GenericName(
            "loss_landscape",
            DataClass.BLOB_SEQUENCE,
            fields=("loss_landscape",),
            from_blobs=only_blob(mindspore_landscape),
        ),
    ),
    error_code="50545017",
)
