"""GenericValues: the tensors or blob sequences of one generic series, read on demand."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.data_class_rules import check_blobs, check_tensor
from mindviz.datavisual.logs.formats import HEAD_SIZE
from mindviz.datavisual.logs.log_file import OpenLogFile
from mindviz.datavisual.logs.migration import GenericSeries, generic_tensor, with_first_tensor
from mindviz.datavisual.logs.reading.blob_extents import BlobExtent, blob_extent, tensor_extents
from mindviz.datavisual.logs.reading.value_reader import (
    KeptOpen,
    OpenFile,
    ValuePlace,
    ValueReader,
    opened_anew,
    unreadable,
)
from mindviz.datavisual.logs.snapshots.catalog import CatalogEntry
from mindviz.datavisual.logs.snapshots.generic_catalog import GenericEntry, is_tensor, series_of
from mindviz.datavisual.logs.snapshots.series_lines import Line
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.generic_name import SIZE_BLOBS
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import DataClass, Image, Value
from mindviz.errors import BrokenDataClass, DamagedValue

MAX_EXPANSION = 1024
"""How many times its size in the log a tensor may take that holds one element for all."""

_READ_AT_ONCE = 4 * 1024 * 1024
"""Bytes. Larger records are read in parts."""

Report = Callable[[Finding], None]
"""Reports a problem with a value."""


class GenericValues(ABC):
    """What one writer and its restarts wrote of a series of tensors or blob sequences."""

    def __init__(self, series: GenericSeries, step: Int64s, wall_time: Float64s) -> None:
        self.series = series
        self.step = step
        """Shape (n,), strictly increasing."""
        self.wall_time = wall_time
        """Shape (n,), seconds."""

    @abstractmethod
    def report(self, index: int, kind: FindingKind, detail: str) -> None:
        """Report a problem with value number `index`."""

    @abstractmethod
    def size(self, index: int) -> int:
        """Bytes that value number `index` takes where it is kept."""

    @abstractmethod
    def tensor(self, index: int) -> NDArray[np.generic]:
        """Value number `index` of a series of tensors; of a companion, what goes with it.

        Raises DamagedValue, also where it is not what the series is made of.
        """

    def completed(self) -> GenericSeries:
        """The series with metadata that depends on the first value."""
        return self.series


class HeldValues(GenericValues):
    """Tensors in memory: numbers, or empty ones of series whose data is metadata."""

    def __init__(
        self,
        series: GenericSeries,
        step: Int64s,
        wall_time: Float64s,
        tensors: NDArray[np.generic] | Sequence[NDArray[np.generic]],
    ) -> None:
        """Of an array, each element is a tensor of rank 0."""
        super().__init__(series, step, wall_time)
        self._tensors = tensors

    def report(self, index: int, kind: FindingKind, detail: str) -> None:
        """Ignored: only the size of a tensor in memory can be a problem."""

    def size(self, index: int) -> int:
        """Bytes of the tensor."""
        return int(self.tensor(index).nbytes)

    def tensor(self, index: int) -> NDArray[np.generic]:
        """The tensor."""
        return np.asarray(self._tensors[index])


class LoggedValues(GenericValues):
    """Values that were left in the log files."""

    def __init__(
        self,
        series: GenericSeries,
        step: Int64s,
        wall_time: Float64s,
        reader: ValueReader,
        rows: Int64s,
        *,
        report: Report,
        is_tensor: bool,
    ) -> None:
        """Value number i is number `rows[i]` of the reader's."""
        super().__init__(series, step, wall_time)
        self._reader = reader
        self._rows = rows
        self._report = report
        self.is_tensor = is_tensor
        self._name = generic_names().get(series.metadata.plugin_name)
        self._is_sized = self._name is not None and self._name.is_sized

    def edition(self, index: int) -> int:
        """Tells value number `index` from all others that were ever written for its step."""
        place = self._place(index)
        return zlib.crc32(f"{place.offset} {place.file.found.name}".encode())

    def report(self, index: int, kind: FindingKind, detail: str) -> None:
        """Take note of it, with its place in the log."""
        self._report(self._place(index).finding(kind, detail))

    def _place(self, index: int) -> ValuePlace:
        return self._reader.place(int(self._rows[index]))

    def size(self, index: int) -> int:
        """Bytes of the message."""
        return self._place(index).length

    def tensor(self, index: int) -> NDArray[np.generic]:
        """Decoded, its checksum and its class checked.

        Raises DamagedValue also for a tensor that is many times as large as what the log holds of
        it: one element may stand for any number.
        """
        tensor = self._checked(index, self._reader.read(int(self._rows[index])))
        if 0 in tensor.strides and tensor.size * tensor.itemsize > MAX_EXPANSION * self.size(index):
            detail = (
                f"Tag {self.series.tag[:100]!r} has a tensor that claims {tensor.size} elements "
                f"in {self.size(index)} bytes: it is left out of generic answers."
            )
            self.report(index, FindingKind.LARGE_TENSOR, detail)
            raise DamagedValue(detail)
        return tensor

    def _checked(self, index: int, value: Value) -> NDArray[np.generic]:
        tensor = generic_tensor(self.series, value)
        try:
            if self.series.companion is None:
                check_tensor(self.series.metadata, tensor)
        except BrokenDataClass as error:
            self.report(index, FindingKind.BROKEN_CLASS, str(error))
            raise
        return tensor

    def check(self, index: int, value: Value) -> None:
        """Raise DamagedValue, and report it, if value number `index` breaks the series' class."""
        data_class = self.series.metadata.data_class
        if data_class is DataClass.TENSOR:
            self._checked(index, value)
        elif data_class is DataClass.BLOB_SEQUENCE and self.is_tensor:
            self.placed(index)

    def extents(self, indices: Iterable[int]) -> Iterator[tuple[int, Sequence[BlobExtent]]]:
        """Of blob sequences: index, and where the blobs lie.

        Those that are damaged or no sequences are reported and left out. No blob is read.
        """
        with KeptOpen() as kept:
            for index in indices:
                try:
                    _, blobs = self._placed(replace(self._place(index), open_file=kept), index)
                except DamagedValue:
                    continue
                yield index, blobs

    def placed(self, index: int) -> tuple[ValuePlace, Sequence[BlobExtent]]:
        """Where blob sequence number `index` lies, and its blobs.

        Raises DamagedValue, which has been reported, or LogUnreadable.
        """
        return self._placed(self._place(index), index)

    def read_whole(self, index: int) -> None:
        """Read the record of value number `index` at once; what follows finds it in memory."""
        place = self._place(index)
        if place.record_length <= _READ_AT_ONCE:
            # Those who need the bytes report errors.
            with suppress(OSError), place.opened() as file:
                file.read(place.record_offset, place.record_length)

    def _placed(self, place: ValuePlace, index: int) -> tuple[ValuePlace, Sequence[BlobExtent]]:
        try:
            with place.opened() as file:
                return place, self._blobs(index, place, file)
        except BrokenDataClass as error:
            self._report(place.finding(FindingKind.BROKEN_CLASS, str(error)))
            raise
        except DamagedValue as error:
            self._report(place.finding(FindingKind.BAD_VALUE, str(error)))
            raise DamagedValue(str(error)) from error
        except OSError as error:
            problem = unreadable(place.file, error)
            if isinstance(problem, DamagedValue):
                self._report(place.finding(FindingKind.BAD_VALUE, str(problem)))
            raise problem from error

    def max_length(self, first: int = 0) -> int:
        """Blobs of the longest of the values from number `first` on."""
        if not self.is_tensor and first < len(self.step):
            return SIZE_BLOBS + 1 if self._is_sized else 1
        indices = range(first, len(self.step))
        return max((len(blobs) for _, blobs in self.extents(indices)), default=0)

    def completed(self) -> GenericSeries:
        """As in `GenericValues`."""
        metadata = self.series.metadata
        if self._name is None or self._name.content_of is None or metadata.plugin_content:
            return self.series
        try:
            completed = with_first_tensor(metadata, self.tensor(0))
        except (DamagedValue, IndexError):
            return self.series
        return GenericSeries(self.series.tag, completed)

    def _blobs(self, index: int, place: ValuePlace, file: OpenLogFile) -> Sequence[BlobExtent]:
        """Raises DamagedValue, OSError."""
        companion = self.series.companion
        if companion is not None:
            row = int(self._rows[index])
            return (BlobExtent(make=lambda: companion.of(self._reader.read(row))),)
        if self.is_tensor:
            ranks = range(1, 2) if self._name is None else self._name.ranks
            blobs = tensor_extents(file.read, place.offset, place.length, ranks)
            heads = [bytes(file.read(blob.offset, min(blob.length, 16))) for blob in blobs[:2]]
            check_blobs(self.series.metadata, heads)
            return blobs
        field = place.file.found.format.blob_fields.get(place.kind)
        if field is None:
            return (BlobExtent(place.offset, place.length),)
        blob = blob_extent(file.read, place.offset, place.length, field)
        if not self._is_sized:
            return (blob,)
        width, height = self._image_size(index, place, file)
        return (BlobExtent(make=str(width).encode), BlobExtent(make=str(height).encode), blob)

    def _image_size(self, index: int, place: ValuePlace, file: OpenLogFile) -> tuple[int, int]:
        read_size = place.file.found.format.image_size
        if read_size is not None:
            try:
                head = bytes(file.read(place.offset, min(HEAD_SIZE, place.length)))
                return read_size(place.kind, head)[:2]
            except DamagedValue:
                pass  # the header may lie further back, behind a camera's notes and thumbnail
        image = self._reader.read(int(self._rows[index]))
        assert isinstance(image, Image)
        return image.width, image.height


def generic_values(
    snapshot: TrainJobSnapshot,
    entry: GenericEntry,
    line: Line,
    report: Report,
    open_file: OpenFile = opened_anew,
) -> GenericValues:
    """The values of one line of a series."""
    series, logged = entry.series, entry.logged
    if logged.is_scalar:
        points = snapshot.scalar_line(line)
        kept = points.counting
        return HeldValues(series, points.step[kept], points.wall_time[kept], points.value[kept])
    rows, owner, _ = snapshot.value_rows(line)
    places = [(snapshot.files[part.ref.file], part.ref.kind) for part in line.parts]
    reader = ValueReader(rows, owner, places, logged.metadata, report, open_file)
    ref = logged.refs[0]
    return LoggedValues(
        series,
        rows.step,
        rows.wall_time,
        reader,
        np.arange(len(rows.step)),
        report=report,
        is_tensor=is_tensor(snapshot.files[ref.file], ref),
    )


def checked_read(
    read: Callable[[int], Value],
    snapshot: TrainJobSnapshot,
    entry: CatalogEntry,
    line: Line,
    report: Report,
) -> Callable[[int], Value]:
    """Like `read`, but raises DamagedValue for values that break the class of their series."""
    series = next(iter(series_of(entry, snapshot.files)), None)
    if series is None:
        return read
    of_generic = GenericEntry(series, entry)
    if of_generic in snapshot.generic.broken:
        return read
    generic = generic_values(snapshot, of_generic, line, report)
    if not isinstance(generic, LoggedValues) or not generic.is_tensor:
        return read

    def checked(index: int) -> Value:
        value = read(index)
        generic.check(index, value)
        return value

    return checked


def fact_values(snapshot: TrainJobSnapshot, plugin_name: str = "") -> Iterator[GenericValues]:
    """Lineage of a job as the series that it could have logged; one kind of them, or all."""
    start = snapshot.start_time
    time = snapshot.update_time if start is None else start
    for name in generic_names().facts:
        if name.name in snapshot.generic.entries or plugin_name not in ("", name.name):
            continue
        assert name.facts is not None
        for tag, content in name.facts(snapshot.lineage.facts, time).items():
            metadata = SummaryMetadata(name.name, content, data_class=name.data_class)
            yield HeldValues(
                GenericSeries(tag, metadata),
                np.zeros(1, np.int64),
                np.array([time]),
                [np.empty(0, np.float32)],
            )
