"""Audio labels: Markdown texts for the clips of the audio series with the same tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import Audio, DataClass, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, TagNotFound


def tags(store: Store, train_id: str) -> Sequence[str]:
    """The audio series whose newest clips have labels. Raises TrainJobNotFound."""
    return [
        tag
        for tag in store.list_tags(train_id).get("audio", ())
        if _has_labels(store, train_id, tag)
    ]


def _has_labels(store: Store, train_id: str, tag: str) -> bool:
    try:
        series = store.read_values(train_id, "audio", tag)
        return bool(read_as(series, len(series.step) - 1, Audio, "audio").labels)
    except (DamagedValue, IndexError, TagNotFound):
        return False


@logged_view("labels", of="audio")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's labels, Markdown, one per clip."""
    return {"labels": list(read_as(series, row, Audio, "audio").labels)}


@logged_view("data", of="audio")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """The same as `data`."""
    return {"data": list(read_as(series, row, Audio, "audio").labels)}


PLUGIN = Plugin(
    "audio_labels",
    "/audio_labels",
    DataClass.TENSOR,
    view,
    values={"": values},
    tags=tags,
    names=(),
)
