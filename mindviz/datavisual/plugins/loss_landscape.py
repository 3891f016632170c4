"""Loss landscapes: the surface of the loss around a training's path, or around its result.

A path belongs to an interval of steps or epochs. Intervals go by an id that follows from their
numbers alone: it is the same after a restart, and in every job that has the same interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from mindviz.datavisual.payloads.landscape_message import mindspore_landscape
from mindviz.datavisual.plugins import Plugin, SeriesView
from mindviz.datavisual.series.generic_name import GenericName, only_blob
from mindviz.datavisual.series.time_series import DataClass, LossLandscape, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue


@dataclass(frozen=True, slots=True)
class Interval:
    """Steps or epochs that there is a landscape of."""

    id: str
    first: int
    last: int


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """What there is a landscape of at each step. Raises TrainJobNotFound, TagNotFound."""
    series = store.read_values(train_id, PLUGIN.name, tag, writer=writer)
    found: list[LossLandscape | None] = []
    problems: dict[int, str] = {}
    for i in range(len(series.step)):
        try:
            found.append(_landscape(series, i))
        except DamagedValue as error:
            found.append(None)
            problems[i] = str(error)
    return SeriesView(
        step=series.step,
        wall_time=series.wall_time,
        columns={
            "interval_id": [one and interval_id(one.intervals) for one in found],
            "intervals": [one and list(one.intervals) for one in found],
            "unit": [one and one.unit for one in found],
            "step_per_epoch": [one and one.step_per_epoch for one in found],
            "decomposition": [one and one.decomposition for one in found],
            "dims": [one and list(one.points.z.shape) for one in found],
        },
        epoch=series.epoch,
        problems=problems,
    )


def list_intervals(store: Store, train_id: str) -> list[Interval]:
    """The intervals of a job, each once, by their first step. Raises TrainJobNotFound.

    What is damaged is left out; the job has a finding that says where it is.
    """
    found = {
        landscape.intervals: Interval(
            interval_id(landscape.intervals), landscape.intervals[0], landscape.intervals[-1]
        )
        for landscape in _landscapes(store, train_id)
        if landscape.intervals
    }
    return sorted(found.values(), key=lambda interval: interval.first)


def find_interval(store: Store, train_id: str, wanted: str) -> LossLandscape | None:
    """The newest landscape of the interval with this id. Raises TrainJobNotFound."""
    return _newest(store, train_id, lambda one: interval_id(one.intervals) == wanted)


def find_final(store: Store, train_id: str) -> LossLandscape | None:
    """The newest landscape around the result of the training. Raises TrainJobNotFound."""
    return _newest(store, train_id, lambda one: not one.intervals)


def interval_id(intervals: tuple[int, ...]) -> str:
    """The id of an interval: digits; empty for the landscape around the result, which is none."""
    if not intervals:
        return ""
    text = ",".join(map(str, intervals))
    digest = blake2b(text.encode("ascii"), digest_size=8).digest()
    return str(int.from_bytes(digest, "big"))


def _newest(
    store: Store, train_id: str, is_wanted: Callable[[LossLandscape], bool]
) -> LossLandscape | None:
    newest = None
    for landscape in _landscapes(store, train_id):
        if is_wanted(landscape):
            newest = landscape
    return newest


def _landscapes(store: Store, train_id: str) -> Iterator[LossLandscape]:
    """All landscapes of a job that can be read, in the order of their times."""
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
    value = series.read(row)
    if not isinstance(value, LossLandscape):
        raise DamagedValue("The value is not a landscape.")
    return value


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
