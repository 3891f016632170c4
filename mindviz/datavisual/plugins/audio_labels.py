"""Audio labels: Markdown texts for the clips of the audio series with the same tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.series_view import ValuesView, read_as
from mindviz.datavisual.series.time_series import Audio, DataClass
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


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's labels, Markdown, one per clip. Raises TrainJobNotFound, TagNotFound."""
    return _labels(store, train_id, tag, writer, "labels")


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The same as `data`. Raises as `view`."""
    return _labels(store, train_id, tag, writer, "data")


def _labels(store: Store, train_id: str, tag: str, writer: str | None, column: str) -> ValuesView:
    series = store.read_values(train_id, "audio", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        return {column: list(read_as(series, row, Audio, "audio").labels)}

    return ValuesView.of(series, (column,), look)


PLUGIN = Plugin(
    "audio_labels",
    "/audio_labels",
    DataClass.TENSOR,
    view,
    values={"": values},
    tags=tags,
    names=(),
)
