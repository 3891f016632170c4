"""Encodes what a provider returns as the messages of TensorBoard's protocol.

The six responses about series nest alike: runs 1 {run_name 1, tags 2 {tag_name 1, content 2}}.
They are encoded by hand, because protobuf would make a Python object per point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from mindviz.datavisual.generic.data_provider import BlobReference, BlobSequencePoints
from mindviz.datavisual.series.generic_series import (
    ScalarPoints,
    SeriesListing,
    SummaryMetadata,
    TensorPoints,
)
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import AnswerTooLarge
from mindviz.rpc.run_names import run_name
from mindviz.rpc.tensor_encoding import tensor_message
from mindviz.wire.encode import (
    Buffer,
    delimited,
    delimited_head,
    double_field,
    message,
    text_field,
    varint_field,
)
from mindviz.wire.packed import packed_doubles, packed_floats, packed_varints

LARGEST = 256 * 1024 * 1024
"""The largest response that TensorBoard's client accepts, in bytes."""

_DATA_CLASSES = tuple(DataClass)

Series = TypeVar("Series")
Parts = Sequence[Buffer]
"""A message in parts, which are copied only once, into the response."""


def response_message(
    found: Mapping[str, Mapping[str, Series]], content: Callable[[Series], Parts]
) -> bytes:
    """The response for train_id -> tag -> series. Raises AnswerTooLarge."""
    response = _Message(())
    for train_id, tags in found.items():
        run = _Message([text_field(1, run_name(train_id))])
        for tag, series in tags.items():
            entry = _Message([text_field(1, tag)])
            entry.add_message(2, _Message(content(series)))
            run.add_message(2, entry)
            if response.length + run.length > LARGEST:
                raise _too_large()
        response.add_message(1, run)
    if response.length > LARGEST:
        raise _too_large()
    return b"".join(response.parts)


class _Message:
    """A message in parts, and its length, which a message around it needs first."""

    def __init__(self, parts: Parts) -> None:
        self.parts = list(parts)
        self.length = sum(map(len, self.parts))

    def add_message(self, number: int, inner: _Message) -> None:
        head = delimited_head(number, inner.length)
        self.parts += (head, *inner.parts)
        self.length += len(head) + inner.length


def _too_large() -> AnswerTooLarge:
    return AnswerTooLarge(
        f"The response would exceed the {LARGEST} bytes that TensorBoard accepts: request fewer "
        "runs, tags or samples."
    )


def series_metadata(listing: SeriesListing) -> Parts:
    """ScalarMetadata and TensorMetadata, which are equal."""
    return (
        varint_field(1, listing.max_step),
        double_field(2, listing.max_wall_time),
        _summary_metadata(3, listing.summary_metadata),
    )


def blob_sequence_metadata(listing: SeriesListing) -> Parts:
    """BlobSequenceMetadata."""
    return (
        varint_field(1, listing.max_step),
        double_field(2, listing.max_wall_time),
        varint_field(3, listing.max_length),
        _summary_metadata(4, listing.summary_metadata),
    )


@lru_cache(maxsize=1024)
def _summary_metadata(number: int, metadata: SummaryMetadata) -> bytes:
    """The field; cached, as most series of an experiment share a few values."""
    plugin_data = text_field(1, metadata.plugin_name) + delimited(2, metadata.plugin_content)
    return message(
        number,
        delimited(1, plugin_data),
        text_field(2, metadata.display_name),
        text_field(3, metadata.description),
        varint_field(4, _DATA_CLASSES.index(metadata.data_class)),
    )


def scalar_data(columns: ScalarPoints) -> Parts:
    """ScalarData."""
    values = packed_floats(columns.value)
    return (*_times(columns), delimited_head(3, len(values)), values)


def tensor_data(columns: TensorPoints) -> Parts:
    """TensorData, without tensors that the client cannot decode."""
    encoded = [tensor_message(tensor) for tensor in columns.value]
    kept = [index for index, tensor in enumerate(encoded) if tensor is not None]
    parts = _times(replace(columns, step=columns.step[kept], wall_time=columns.wall_time[kept]))
    for tensor in encoded:
        if tensor is not None:
            parts += (delimited_head(3, len(tensor)), tensor)
    return parts


def blob_sequence_data(columns: BlobSequencePoints) -> Parts:
    """BlobSequenceData."""
    sequences = (message(3, *map(_reference, sequence)) for sequence in columns.references)
    return (*_times(columns), *sequences)


def _times(columns: ScalarPoints | TensorPoints | BlobSequencePoints) -> list[Buffer]:
    """The first two fields of all data messages: steps and wall times."""
    steps, times = packed_varints(columns.step), packed_doubles(columns.wall_time)
    return [delimited_head(1, len(steps)), steps, delimited_head(2, len(times)), times]


def _reference(reference: BlobReference) -> bytes:
    field = text_field(1, reference.key) if reference.key else text_field(2, reference.url)
    return delimited(1, field)
