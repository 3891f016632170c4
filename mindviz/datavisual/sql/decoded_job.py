"""DecodedJob: the files of a train job as new rows for a database."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob
from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.log_file import OpenLogFile, is_gone, is_transient
from mindviz.datavisual.logs.migration import GenericSeries
from mindviz.datavisual.logs.reading.asset_values import asset_values
from mindviz.datavisual.logs.reading.generic_values import (
    GenericValues,
    fact_values,
    generic_values,
)
from mindviz.datavisual.logs.reading.value_reader import KeptOpen, OpenFile, unreadable
from mindviz.datavisual.logs.snapshots.generic_catalog import GenericEntry
from mindviz.datavisual.logs.snapshots.series_lines import Line
from mindviz.datavisual.series.findings import Finding, are_harmless
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.pieces import ScalarPieces, SeriesDigest, value_pieces
from mindviz.datavisual.sql.records import (
    FileRecord,
    Finished,
    Piece,
    RunRecord,
    SeriesKey,
    SeriesRecord,
    largest,
    storable,
)
from mindviz.datavisual.sql.stored_runs import StoredRun

_PIECE_POINTS = 262_144
"""Approximate scalar points per piece: enough for full speed, little in memory."""
_ATTEMPTS = 3
"""A file may be replaced while it is read."""

_DELETED = "deleted while it was imported"
_REPLACED = "replaced while it was imported"

_PROGRESS = ("imported", "length", "max_step", "max_wall_time", "max_length", "digest")
"""Fields of a `SeriesRecord` that tell how much is stored."""


class DecodedJob:
    """One train job, read from its logs."""

    def __init__(
        self, job: FoundJob, base_dir: Path | str, stored: StoredRun, *, verify_all: bool = True
    ) -> None:
        """Read all files of the job into memory. Raises LogUnreadable."""
        self._stored = stored
        loader = TrainJobLoader(job, ScanOptions(verify_all=verify_all))
        self._files = loader.update(job)
        for file in self._files:
            _read(file)
        self._snapshot = loader.snapshot(0)
        self._next_tag_id = 1 + max((record.tag_id for record in stored.series.values()), default=0)
        self._tag_ids: set[int] = set()
        self._reported: list[Finding] = []
        self._assets = ProjectorAssets(job.directory, base_dir, self._reported.append)
        self._fingerprint = self._assets.fingerprint()

    def pieces(self) -> Iterator[Piece | Finished]:
        """The new rows, ordered by series and step; the end of the run last.

        Raises LogUnreadable, also at the end: if a file was replaced meanwhile.
        """
        used: set[str] = set()
        with KeptOpen() as kept:

            @contextmanager
            def open_file(file: FoundFile) -> Iterator[OpenLogFile]:
                used.add(file.path)
                try:
                    with kept(file) as opened:
                        yield opened
                except FileNotFoundError as error:  # the value is not lost, its run is gone
                    raise OSError(errno.ESTALE, _DELETED) from error

            yield from self._logged(open_file)
        for file in self._files:
            if file.found.path in used:
                _check_continued(file)
        for values in asset_values(self._assets, self._snapshot.generic.entries):
            yield from self._values(values, 0, "")
        for facts in fact_values(self._snapshot):
            yield from self._values(facts, 0, "", is_logged=False)
        yield Finished(self._record(), frozenset(self._tag_ids))

    def _logged(self, open_file: OpenFile) -> Iterator[Piece]:
        snapshot = self._snapshot
        entries = list(snapshot.generic.every_entry())
        scalars = ScalarPieces(snapshot)
        for number, entry in enumerate(entries):
            for rank, line in enumerate(snapshot.lines(entry.logged)):
                if entry.logged.is_scalar:
                    self._add_scalars(scalars, entry, rank, line)
                    if scalars.points >= _PIECE_POINTS:
                        yield scalars.taken(number / len(entries))
                    continue
                values = generic_values(snapshot, entry, line, self._reported.append, open_file)
                for piece in self._values(values, rank, line.writer):
                    yield replace(piece, share=number / len(entries))
        yield scalars.taken(1.0)

    def _add_scalars(
        self, pieces: ScalarPieces, entry: GenericEntry, rank: int, line: Line
    ) -> None:
        points = self._snapshot.scalar_line(line)
        counting = points.counting
        step, wall_time = points.step[counting], points.wall_time[counting]
        value = points.value[counting]
        digest = SeriesDigest(step, wall_time, value)
        record, stored = self._begun(
            entry.series, rank, line.writer, digest, stored_as=DataClass.SCALAR
        )
        known = record.imported
        finite = wall_time[np.isfinite(wall_time)]
        record = replace(
            record,
            imported=len(step),
            length=len(step),
            max_step=int(step[-1]),
            max_wall_time=largest([float(finite.max())] if len(finite) else []),
            digest=digest.of_first(len(step)),
        )
        if record != stored:
            if stored is not None and not known:
                pieces.replaced.append(stored)
            new = ScalarPoints(step[known:], wall_time[known:], value[known:])
            pieces.add(record, known, new)
        elif len(counting) == len(points.step):
            return
        # Even if no counting point is new, a new point may be superseded.
        pieces.add_superseded(record.tag_id, points)
        if rank == 0:
            pieces.add_summary(record.tag_id, entry.logged.series_class.tag)

    def _values(
        self, values: GenericValues, rank: int, writer: str, *, is_logged: bool = True
    ) -> Iterator[Piece]:
        sizes = np.array([values.size(index) for index in range(len(values.step))], np.int64)
        digest = SeriesDigest(values.step, values.wall_time, sizes)
        series = values.completed()
        stored_as = series.metadata.data_class
        if stored_as is not DataClass.BLOB_SEQUENCE:
            stored_as = DataClass.TENSOR
        record, stored = self._begun(
            series, rank, writer, digest, stored_as=stored_as, is_logged=is_logged
        )
        if record == stored and record.imported == len(values.step):
            return
        if stored is not None and not record.imported:
            yield Piece(series=(record,), replaced=(stored,))
        yield from value_pieces(values, record, digest, self._reported.append)

    def _begun(
        self,
        series: GenericSeries,
        rank: int,
        writer: str,
        digest: SeriesDigest,
        *,
        stored_as: DataClass,
        is_logged: bool = True,
    ) -> tuple[SeriesRecord, SeriesRecord | None]:
        """The record of the stored part of a series that is still valid, and the stored record.

        If the beginning of the series changed, nothing is valid and a new epoch begins.
        """
        metadata = series.metadata
        key = SeriesKey(storable(metadata.plugin_name), storable(series.tag), storable(writer))
        stored = self._stored.series.get(key)
        same = stored is not None and digest.begins_with(stored.imported, stored.digest)
        if stored is None:
            tag_id, epoch = self._next_tag_id, 0
            self._next_tag_id += 1
        else:
            tag_id, epoch = stored.tag_id, stored.epoch + (not same)
        self._tag_ids.add(tag_id)
        record = SeriesRecord(
            tag_id=tag_id,
            plugin_name=key.plugin_name,
            tag=key.tag,
            writer=key.writer,
            writer_rank=rank,
            data_class=metadata.data_class.value,
            stored_as=stored_as.value,
            is_logged=is_logged and series.companion is None,
            display_name=storable(metadata.display_name),
            description=storable(metadata.description),
            plugin_content=metadata.plugin_content,
            epoch=epoch,
        )
        if same and stored is not None:
            progress = {name: getattr(stored, name) for name in _PROGRESS}
            record = replace(record, **progress)
        return record, stored

    def _record(self) -> RunRecord:
        snapshot = self._snapshot
        of_files = [(at, f) for at, file in enumerate(snapshot.files) for f in file.findings]
        of_run: list[tuple[int | None, Finding]] = [(None, f) for f in snapshot.found.findings]
        later = snapshot.findings[len(of_run) + len(of_files) :]
        dropped = tuple(dict.fromkeys((*self._stored.dropped, *self._reported)))
        return RunRecord(
            train_id=snapshot.found.train_id,
            display_name=snapshot.label,
            start_time=snapshot.start_time,
            create_time=snapshot.create_time,
            update_time=snapshot.update_time,
            points=snapshot.points,
            is_integrity=are_harmless((*snapshot.findings, *dropped)),
            facts=snapshot.lineage.facts,
            assets=self._fingerprint,
            files=tuple(
                FileRecord(
                    path=storable(file.found.relative_path),
                    format=file.found.format.name,
                    kind=file.found.kind.name,
                    bytes=file.found.identity.size,
                    records=file.records,
                    modified=file.found.identity.mtime_ns,
                )
                for file in snapshot.files
            ),
            findings=(*of_run, *of_files, *((None, finding) for finding in later)),
            value_findings=dropped,
        )


def _read(file: FileLoader) -> None:
    """Read a file to its end. Raises LogUnreadable, since the job would count as unchanged."""
    for _ in range(_ATTEMPTS):
        file.refresh(lambda: None)
        if file.error is None:
            return
        if is_gone(file.error):
            raise unreadable(file.snapshot, OSError(errno.ESTALE, _DELETED))
        if isinstance(file.error, PermissionError):
            break
        if not is_transient(file.error):
            return
    assert file.error is not None
    raise unreadable(file.snapshot, file.error)


def _check_continued(file: FileLoader) -> None:
    """Raise LogUnreadable if the file is not the one that was read."""
    try:
        is_continued = file.is_continued()
    except OSError as error:
        failure = OSError(errno.ESTALE, _DELETED) if is_gone(error) else error
        raise unreadable(file.snapshot, failure) from error
    if not is_continued:
        raise unreadable(file.snapshot, OSError(errno.ESTALE, _REPLACED))
