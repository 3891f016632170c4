"""Pieces: the series of a job in parts, each stored as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.logs.reading.generic_values import GenericValues, LoggedValues, Report
from mindviz.datavisual.logs.reading.logged_blob import LoggedBlob
from mindviz.datavisual.logs.snapshots.series_lines import ScalarLine
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.payloads.packed_tensor import packed
from mindviz.datavisual.series.columns import STATS_DTYPES
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.generic_series import ScalarPoints
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
from mindviz.datavisual.sql.scalar_chunks import (
    ScalarChunk,
    SupersededChunk,
    chunks_of,
    nullable,
    superseded_chunks,
)
from mindviz.errors import DamagedValue

_PIECE_BYTES = 8 * 1024 * 1024
_LARGEST_TENSOR = 512 * 1024 * 1024
"""Bytes. Both databases limit a value to 1 GB."""


class SeriesDigest:
    """Tells whether a series still begins with the values that were imported."""

    def __init__(self, *columns: NDArray[Any]) -> None:
        """`columns` have equal lengths and identify each value."""
        self._columns = columns

    def of_first(self, count: int) -> bytes:
        """Digest of the first `count` values: 16 bytes."""
        digest = blake2b(digest_size=16)
        for column in self._columns:
            digest.update(np.ascontiguousarray(column[:count]).data)
        return digest.digest()

    def begins_with(self, count: int, digest: bytes) -> bool:
        """Whether the first `count` values exist and have this digest."""
        return count <= len(self._columns[0]) and self.of_first(count) == digest


class ScalarPieces:
    """Collects the scalars of many series for one piece."""

    def __init__(self, snapshot: TrainJobSnapshot) -> None:
        self._snapshot = snapshot
        self._clear()

    def _clear(self) -> None:
        self.points = 0
        self.replaced: list[SeriesRecord] = []
        self._series: list[SeriesRecord] = []
        self._chunks: list[ScalarChunk] = []
        self._superseded: list[SupersededChunk] = []
        self._summaries: list[tuple[Any, ...]] = []

    def add(self, record: SeriesRecord, first_rank: int, points: ScalarPoints) -> None:
        """Add a series and its new points, those from `first_rank` on."""
        self._series.append(record)
        self._chunks += chunks_of(record.tag_id, first_rank, points)
        self.points += len(points.step)

    def add_superseded(self, tag_id: int, points: ScalarLine) -> None:
        """Add the points of a series that a restart replaced."""
        if len(points.counting) == len(points.step):
            return
        rows = np.flatnonzero(points.superseded)
        columns = points.step[rows], points.wall_time[rows], points.value[rows]
        self._superseded += superseded_chunks(tag_id, rows, *columns)

    def add_summary(self, tag_id: int, tag: str) -> None:
        """Add the summary of a series, if there is one."""
        summaries = self._snapshot.summaries
        index = summaries.index_of(tag)
        if index >= 0:
            stats = [getattr(summaries.stats, name)[index] for name in STATS_DTYPES]
            row = [nullable(value.item()) for value in stats]
            self._summaries.append((tag_id, summaries.total[index], *row))

    def taken(self, share: float) -> Piece:
        """A piece of everything collected so far; starts the next one."""
        piece = Piece(
            series=tuple(self._series),
            replaced=tuple(self.replaced),
            scalars=tuple(self._chunks),
            superseded=tuple(self._superseded),
            summaries=tuple(self._summaries),
            share=share,
        )
        self._clear()
        return piece


def value_pieces(
    values: GenericValues, record: SeriesRecord, digest: SeriesDigest, report: Report
) -> Iterator[Piece]:
    """Pieces of the tensors or blobs of one series, from value `record.imported` on.

    The series' record grows with each piece. Damaged values are reported; only their steps are
    stored.
    """
    tensors: list[TensorRow] = []
    dropped: list[DroppedRow] = []
    blobs: list[BlobSequenceRow] = []
    nbytes = 0
    count = len(values.step)
    for index in range(record.imported, count):
        if isinstance(values, LoggedValues):
            values.read_whole(index)
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
        # Damaged values count in listings, as in those of a directory.
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
    """Value `index`, or the reason why it cannot be stored (already reported)."""
    point = record.tag_id, int(values.step[index]), float(values.wall_time[index])
    try:
        if record.stored_as != DataClass.BLOB_SEQUENCE:
            return TensorRow(*point, *_tensor(values, index))
        assert isinstance(values, LoggedValues)
        place, extents = values.placed(index)
        blobs = (b"".join(LoggedBlob(place, extent, report).chunks()) for extent in extents)
        return BlobSequenceRow(*point, tuple(blobs))
    except DamagedValue as error:
        return DroppedRow(*point, storable(str(error)))


def _tensor(values: GenericValues, index: int) -> tuple[str, str, bytes]:
    """Dtype, shape and data. Raises DamagedValue."""
    tensor = values.tensor(index)
    tag = values.series.tag[:100]
    if tensor.nbytes > _LARGEST_TENSOR:
        detail = f"Tag {tag!r} has a tensor of {tensor.nbytes} bytes, too large for a database."
        values.report(index, FindingKind.LARGE_TENSOR, detail)
        raise DamagedValue(detail)
    dtype, shape, data = packed(tensor)
    if len(data) > AnswerBounds().tensor_bytes:
        detail = (
            f"Tag {tag!r} has a tensor of {len(data)} bytes: it is left out of generic answers "
            "unless they are allowed to be so large, and shown in slices."
        )
        values.report(index, FindingKind.LARGE_TENSOR, detail)
    return dtype, shape, data
