"""ValuePieces: the tensors or blobs of one series, in pieces to be stored one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.logs.reading.generic_values import (
    GenericValues,
    LoggedValues,
    Report,
)
from mindviz.datavisual.logs.reading.logged_blob import LoggedBlob
from mindviz.datavisual.payloads.packed_tensor import packed
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.records import (
    BlobSequenceRow,
    DroppedRow,
    Piece,
    SeriesRecord,
    TensorRow,
    largest,
    storable,
)
from mindviz.datavisual.sql.series_digest import SeriesDigest
from mindviz.errors import DamagedValue

_PIECE_BYTES = 8 * 1024 * 1024
_LARGEST_TENSOR = 512 * 1024 * 1024
"""Bytes. Neither database takes a value of 1 GB."""


def value_pieces(
    values: GenericValues, record: SeriesRecord, digest: SeriesDigest, report: Report
) -> Iterator[Piece]:
    """Values from number `record.imported` on; the series' record grows with each piece.

    What is damaged is reported and left out, but for its step.
    """
    tensors: list[TensorRow] = []
    dropped: list[DroppedRow] = []
    blobs: list[BlobSequenceRow] = []
    nbytes = 0
    count = len(values.step)
    for index in range(record.imported, count):
        row = _row(values, index, record, report)
        if isinstance(row, TensorRow):
            tensors.append(row)
            nbytes += len(row.data)
        elif isinstance(row, DroppedRow):
            dropped.append(row)
            nbytes += len(row.reason)
        else:
            blobs.append(row)
            nbytes += sum(map(len, row.blobs))
        # Listings go by where values lie, as those of a directory do.
        record = replace(
            record,
            length=record.length + (not isinstance(row, DroppedRow)),
            max_step=row.step,
            max_wall_time=largest((row.wall_time, record.max_wall_time)),
            max_length=max(
                record.max_length, len(row.blobs) if isinstance(row, BlobSequenceRow) else 0
            ),
        )
        if nbytes >= _PIECE_BYTES and index + 1 < count:
            record = replace(record, imported=index + 1, digest=digest.of_first(index + 1))
            yield Piece(
                (record,), tensors=tuple(tensors), blobs=tuple(blobs), dropped=tuple(dropped)
            )
            tensors, blobs, dropped, nbytes = [], [], [], 0
    record = replace(record, imported=count, digest=digest.of_first(count))
    yield Piece((record,), tensors=tuple(tensors), blobs=tuple(blobs), dropped=tuple(dropped))


def _row(
    values: GenericValues, index: int, record: SeriesRecord, report: Report
) -> TensorRow | BlobSequenceRow | DroppedRow:
    """Value number `index`, or why it cannot be stored, which has been reported."""
    try:
        if record.stored_as == DataClass.BLOB_SEQUENCE:
            assert isinstance(values, LoggedValues)
            return _blobs(values, index, record.tag_id, report)
        return _tensor(values, index, record.tag_id)
    except DamagedValue as error:
        step, wall_time = int(values.step[index]), float(values.wall_time[index])
        return DroppedRow(record.tag_id, step, wall_time, storable(str(error)))


def _tensor(values: GenericValues, index: int, tag_id: int) -> TensorRow:
    """Raises DamagedValue."""
    step, wall_time = int(values.step[index]), float(values.wall_time[index])
    tensor = values.tensor(index)
    tag = values.series.tag[:100]
    if tensor.nbytes > _LARGEST_TENSOR:
        detail = f"Tag {tag!r} has a tensor of {tensor.nbytes} bytes, too large for a database."
        values.report(index, FindingKind.LARGE_TENSOR, detail)
        raise DamagedValue(detail)
    row = TensorRow(tag_id, step, wall_time, *packed(tensor))
    if len(row.data) > AnswerBounds().tensor_bytes:
        detail = (
            f"Tag {tag!r} has a tensor of {len(row.data)} bytes: it is left out of generic answers "
            "unless they are allowed to be so large, and shown in slices."
        )
        values.report(index, FindingKind.LARGE_TENSOR, detail)
    return row


def _blobs(values: LoggedValues, index: int, tag_id: int, report: Report) -> BlobSequenceRow:
    """Raises DamagedValue."""
    step, wall_time = int(values.step[index]), float(values.wall_time[index])
    place, extents = values.placed(index)
    blobs = (b"".join(LoggedBlob(place, extent, report).chunks()) for extent in extents)
    return BlobSequenceRow(tag_id, step, wall_time, tuple(blobs))
