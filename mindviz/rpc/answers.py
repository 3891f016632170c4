"""Answers: what a provider found, as the messages that TensorBoard reads.

The six answers about series nest alike: runs 1 {run_name 1, tags 2 {tag_name 1, content 2}}.
They are packed by hand: there may be a hundred thousand series, or millions of points, and columns
go from numpy into the message without a Python object per point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from mindviz.datavisual.data_transform.data_provider import (
    BlobReference,
    BlobSequenceColumns,
    ScalarColumns,
    SeriesListing,
    SummaryMetadata,
    TensorColumns,
)
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.errors import AnswerTooLarge
from mindviz.rpc.run_names import run_name
from mindviz.rpc.tensor_encoding import tensor_message
from mindviz.wire.encode import delimited, double_field, message, varint_field
from mindviz.wire.packed import packed_doubles, packed_floats, packed_varints

LARGEST = 256 * 1024 * 1024
"""Bytes of an answer that TensorBoard's client takes."""

_DATA_CLASSES = tuple(DataClass)

Series = TypeVar("Series")


def answer_message(
    found: Mapping[str, Mapping[str, Series]], content: Callable[[Series], bytes]
) -> bytes:
    """train_id -> tag -> series, as an answer. Raises AnswerTooLarge."""
    runs: list[bytes] = []
    size = 0
    for train_id, tags in found.items():
        entries = []
        for tag, series in tags.items():
            entry = message(2, _text(1, tag), delimited(2, content(series)))
            size += len(entry)
            if size > LARGEST:
                raise _too_large()
            entries.append(entry)
        runs.append(message(1, _text(1, run_name(train_id)), *entries))
    if sum(map(len, runs)) > LARGEST:
        raise _too_large()
    return b"".join(runs)


def _too_large() -> AnswerTooLarge:
    return AnswerTooLarge(
        f"The answer would be larger than the {LARGEST} bytes that TensorBoard takes: ask for "
        "fewer runs or tags, or for fewer samples."
    )


# Lists --------------------------------------------------------------------------------------------


def series_metadata(listing: SeriesListing) -> bytes:
    """ScalarMetadata and TensorMetadata, which are the same."""
    return b"".join(
        (
            varint_field(1, listing.max_step),
            double_field(2, listing.max_wall_time),
            _summary_metadata(3, listing.summary_metadata),
        )
    )


def blob_sequence_metadata(listing: SeriesListing) -> bytes:
    """BlobSequenceMetadata."""
    return b"".join(
        (
            varint_field(1, listing.max_step),
            double_field(2, listing.max_wall_time),
            varint_field(3, listing.max_length),
            _summary_metadata(4, listing.summary_metadata),
        )
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


def scalar_data(columns: ScalarColumns) -> bytes:
    """ScalarData."""
    return b"".join(
        (
            delimited(1, packed_varints(columns.step)),
            delimited(2, packed_doubles(columns.wall_time)),
            delimited(3, packed_floats(columns.value)),
        )
    )


def tensor_data(columns: TensorColumns) -> bytes:
    """TensorData; tensors that the client could not decode are left out."""
    encoded = [tensor_message(tensor) for tensor in columns.value]
    kept = [index for index, tensor in enumerate(encoded) if tensor is not None]
    return b"".join(
        (
            delimited(1, packed_varints(columns.step[kept])),
            delimited(2, packed_doubles(columns.wall_time[kept])),
            *(delimited(3, tensor) for tensor in encoded if tensor is not None),
        )
    )


def blob_sequence_data(columns: BlobSequenceColumns) -> bytes:
    """BlobSequenceData."""
    return b"".join(
        (
            delimited(1, packed_varints(columns.step)),
            delimited(2, packed_doubles(columns.wall_time)),
            *(message(3, *map(_reference, sequence)) for sequence in columns.references),
        )
    )


def _reference(reference: BlobReference) -> bytes:
    field = _text(1, reference.key) if reference.key else _text(2, reference.url)
    return delimited(1, field)


def _text(number: int, text: str) -> bytes:
    return delimited(number, text.encode(errors="replace"))
