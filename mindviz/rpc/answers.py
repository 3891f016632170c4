"""Answers: what a provider found, as the messages that TensorBoard reads.

The six answers about series nest alike: runs 1 {run_name 1, tags 2 {tag_name 1, content 2}}.
They are packed by hand: there may be a hundred thousand series, or millions of points, and columns
go from numpy into the message without a Python object per point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from mindviz.datavisual.generic.data_provider import (
    BlobReference,
    BlobSequenceColumns,
    ScalarColumns,
    SeriesListing,
    SummaryMetadata,
    TensorColumns,
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
    varint_field,
)
from mindviz.wire.packed import packed_doubles, packed_floats, packed_varints

LARGEST = 256 * 1024 * 1024
"""Bytes of an answer that TensorBoard's client takes."""

_DATA_CLASSES = tuple(DataClass)

Series = TypeVar("Series")
Parts = Sequence[Buffer]
"""A message in pieces, to be copied once, when the answer is put together."""


def answer_message(
    found: Mapping[str, Mapping[str, Series]], content: Callable[[Series], Parts]
) -> bytes:
    """train_id -> tag -> series, as an answer. Raises AnswerTooLarge."""
    answer = _Message(())
    for train_id, tags in found.items():
        run = _Message([_text(1, run_name(train_id))])
        for tag, series in tags.items():
            entry = _Message([_text(1, tag)])
            entry.add_message(2, _Message(content(series)))
            run.add_message(2, entry)
            if answer.length + run.length > LARGEST:
                raise _too_large()
        answer.add_message(1, run)
    if answer.length > LARGEST:
        raise _too_large()
    return b"".join(answer.parts)


class _Message:
    """A message in pieces that knows its length, which stands before it in another one."""

    def __init__(self, parts: Parts) -> None:
        self.parts = list(parts)
        self.length = sum(map(len, self.parts))

    def add_message(self, number: int, inner: _Message) -> None:
        """A field that is a message itself."""
        head = delimited_head(number, inner.length)
        self.parts += (head, *inner.parts)
        self.length += len(head) + inner.length


def _too_large() -> AnswerTooLarge:
    return AnswerTooLarge(
        f"The answer would be larger than the {LARGEST} bytes that TensorBoard takes: ask for "
        "fewer runs or tags, or for fewer samples."
    )


# Lists --------------------------------------------------------------------------------------------


def series_metadata(listing: SeriesListing) -> Parts:
    """ScalarMetadata and TensorMetadata, which are the same."""
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
    """The field: most series of an experiment have the same few."""
    plugin_data = _text(1, metadata.plugin_name) + delimited(2, metadata.plugin_content)
    return message(
        number,
        delimited(1, plugin_data),
        _text(2, metadata.display_name),
        _text(3, metadata.description),
        varint_field(4, _DATA_CLASSES.index(metadata.data_class)),
    )


# Values -------------------------------------------------------------------------------------------


def scalar_data(columns: ScalarColumns) -> Parts:
    """ScalarData."""
    values = packed_floats(columns.value)
    return (*_times(columns), delimited_head(3, len(values)), values)


def tensor_data(columns: TensorColumns) -> Parts:
    """TensorData; tensors that the client could not decode are left out."""
    encoded = [tensor_message(tensor) for tensor in columns.value]
    kept = [index for index, tensor in enumerate(encoded) if tensor is not None]
    parts = _times(replace(columns, step=columns.step[kept], wall_time=columns.wall_time[kept]))
    for tensor in encoded:
        if tensor is not None:
            parts += (delimited_head(3, len(tensor)), tensor)
    return parts


def blob_sequence_data(columns: BlobSequenceColumns) -> Parts:
    """BlobSequenceData."""
    sequences = (message(3, *map(_reference, sequence)) for sequence in columns.references)
    return (*_times(columns), *sequences)


def _times(columns: ScalarColumns | TensorColumns | BlobSequenceColumns) -> list[Buffer]:
    """The first two fields of all data: steps and wall times."""
    steps, times = packed_varints(columns.step), packed_doubles(columns.wall_time)
    return [delimited_head(1, len(steps)), steps, delimited_head(2, len(times)), times]


def _reference(reference: BlobReference) -> bytes:
    field = _text(1, reference.key) if reference.key else _text(2, reference.url)
    return delimited(1, field)


def _text(number: int, text: str) -> bytes:
    return delimited(number, text.encode(errors="replace"))
