"""TrainJobSnapshot: everything known of one train job at one moment, frozen.

Columns stay per file. What follows from all files (plugins of tags, superseded points, concurrent
writers) is derived lazily and cached in the snapshot.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.formats import count_kinds
from mindviz.datavisual.logs.snapshots.catalog import Catalog, CatalogEntry
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.logs.snapshots.generic_catalog import GenericCatalog
from mindviz.datavisual.logs.snapshots.lazy_attribute import lazy_attribute
from mindviz.datavisual.logs.snapshots.series_lines import (
    Line,
    ScalarLine,
    declared_restarts,
    epoch_of,
    lines_of,
)
from mindviz.datavisual.logs.snapshots.series_totals import SeriesTotals
from mindviz.datavisual.logs.snapshots.session_values import session_values
from mindviz.datavisual.logs.snapshots.step_order import counting_points_of_segments
from mindviz.datavisual.series.columns import (
    STATS_DTYPES,
    Int64s,
    SeriesStats,
    ValueIndex,
    concatenated,
    stats_row,
)
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.lineage_facts import NO_FACTS, JobLineage, LineageFacts, merged_facts
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import CacheStatus, ScalarSummaries, TrainJobInfo
from mindviz.gc_control import gc_paused

YEAR_2000 = 946_684_800.0
"""Unix seconds."""


@dataclass(frozen=True, eq=False)
class TrainJobSnapshot:
    """One train job at one moment."""

    found: FoundJob
    files: tuple[FileSnapshot, ...]
    """Sorted by path."""
    version: int
    complete: bool
    """Whether every file has been read to its end at least once."""
    resident: bool = True
    """Whether it has the columns."""
    cached: bool = True
    """Whether it has them, or they can be mapped from the warm cache."""

    @property
    def unread(self) -> str:
        """A sentence about a file that is unreadable at the moment; empty if there is none."""
        return next((unread_sentence(file) for file in self.files if file.unread), "")

    @lazy_attribute
    def catalog(self) -> Catalog:
        """The job's series."""
        with gc_paused():
            return Catalog.of(self.files)

    @lazy_attribute
    def generic(self) -> GenericCatalog:
        """The series as generic clients see them."""
        catalog = self.catalog
        with gc_paused():
            return GenericCatalog.of(catalog, self.files)

    @lazy_attribute
    def tags(self) -> Mapping[str, Sequence[str]]:
        """plugin_name -> tags, sorted."""
        return {name: sorted(tags) for name, tags in self.catalog.entries.items()}

    @property
    def catalog_key(self) -> tuple[object, ...]:
        """Snapshots with equal keys have equal catalogs."""
        return tuple(
            (file.fingerprint, file.series_count, file.metadata_count, file.first_wall_time)
            for file in self.files
        )

    def with_catalog_of(self, earlier: TrainJobSnapshot) -> TrainJobSnapshot:
        """This snapshot, with the catalog of `earlier` if it is still valid."""
        if "catalog" in vars(earlier) and earlier.catalog_key == self.catalog_key:
            for name in ("catalog", "generic", "tags"):
                if name in vars(earlier):
                    vars(self)[name] = vars(earlier)[name]
        if not self.resident:
            vars(self)["earlier_summaries"] = earlier.latest_summaries
        return self

    @lazy_attribute
    def findings(self) -> tuple[Finding, ...]:
        """All findings of the job and its files."""
        of_files = (finding for file in self.files for finding in file.findings)
        return (
            *self.found.findings,
            *of_files,
            *self.catalog.findings,
            *self._writers(),
            *self.generic.findings(self.files),
        )

    @lazy_attribute
    def problems_of_files(self) -> int:
        """Number of findings of its files; needs no catalog."""
        return len(self.found.findings) + sum(len(file.findings) for file in self.files)

    @lazy_attribute
    def create_time(self) -> float:
        """Unix seconds: the earliest of the times in the files' names, else of their ctimes.

        A training that is resumed writes new files.
        """
        files = self.found.files
        if not files:
            return self.found.assets_time
        named = [file.format.creation_time(file.name) for file in files]
        times = [time for time in named if time is not None]
        if times:
            return min(times)
        return min(file.identity.ctime_ns for file in files) / 1e9

    @lazy_attribute
    def update_time(self) -> float:
        """Unix seconds: the newest wall time of its records; the newest mtime if there is none.

        Copied logs have new mtimes. Wall times before 2000, or more than a second after the mtime,
        are wrong; file systems are some milliseconds behind the clock.
        """
        if not self.found.files:
            return self.found.assets_time
        written = max(file.identity.mtime_ns for file in self.found.files) / 1e9
        times = (file.last_wall_time for file in self.files)
        plausible = [time for time in times if YEAR_2000 <= time <= written + 1]
        return max(plausible, default=written)

    @property
    def label(self) -> str:
        """The label in the logs; usually empty."""
        return next((file.label for file in self.files if file.label), "")

    @lazy_attribute
    def start_time(self) -> float | None:
        """Unix seconds of the first record, for formats that use it; else None."""
        times = [file.first_wall_time for file in self.files]
        times += [file.begun for file in self.files if file.begun is not None]
        first = min(times, default=math.inf)
        return first if math.isfinite(first) else None

    @lazy_attribute
    def lineage(self) -> JobLineage:
        """The merged lineage facts of all files."""
        return JobLineage(
            self.found.train_id, self.version, self.create_time, self.update_time, self._facts()
        )

    def _facts(self) -> LineageFacts:
        telling = [file for file in self.files if file.facts is not NO_FACTS]
        if len(telling) > 1:
            telling.sort(key=_age_of_facts)
        facts = merged_facts(file.facts for file in telling)
        sessions = [file.is_hparams_session for file in self.files]
        if all(sessions) or not any(sessions):
            return facts
        return replace(facts, session_values=session_values(self.files, self.catalog))

    @lazy_attribute
    def info(self) -> TrainJobInfo:
        """The listing's entry."""
        files = self.found.files
        summaries, lineages, graphs = count_kinds(file.kind for file in files)
        cached = CacheStatus.CACHED if self.cached else CacheStatus.NOT_IN_CACHE
        return TrainJobInfo(
            train_id=self.found.train_id,
            create_time=self.create_time,
            update_time=self.update_time,
            formats=tuple(sorted({file.format.name for file in files})),
            summary_files=summaries,
            lineage_files=lineages,
            graph_files=graphs,
            bytes=sum(file.identity.size for file in files),
            cache_status=cached if self.complete else CacheStatus.CACHING,
            version=self.version,
            points=self.points,
            problems=self.findings,
            display_name=self.label,
            session_status=self.lineage.facts.session_status,
        )

    @property
    def nbytes(self) -> int:
        """Bytes that the columns take."""
        return sum(batch.nbytes for file in self.files for batch in file.batches)

    @property
    def column_bytes(self) -> int:
        """Bytes of the columns of all files, judging by what has been read."""
        known = read = 0
        for file in self.files:
            if file.offset:
                known += file.column_bytes
                read += max(file.offset, file.found.identity.size)
        size = sum(file.identity.size for file in self.found.files)
        return known * max(read, size) // max(1, read)

    @lazy_attribute
    def points(self) -> int:
        """Scalar points of all series, superseded ones included."""
        return sum(int(file.totals.count.sum()) for file in self.files)

    def lines(self, entry: CatalogEntry) -> tuple[Line, ...]:
        """The writers of the series; the first is the default."""
        return lines_of(self.files, entry)

    def counting_points(self, entry: CatalogEntry) -> ScalarPoints:
        """The counting points of a scalar series' default writer."""
        ref = entry.refs[0]
        file = self.files[ref.file]
        one_part = len(entry.refs) == 1 and len(file.spans) == 1
        if one_part and file.totals.stats.increasing[ref.series]:
            # Nearly every series: without restarts, all points count (3 us instead of 20).
            return ScalarPoints(*file.scalars(ref.series, file.spans[0].segment))
        line = self.scalar_line(self.lines(entry)[0])
        kept = line.counting
        return ScalarPoints(line.step[kept], line.wall_time[kept], line.value[kept])

    def scalar_line(self, line: Line) -> ScalarLine:
        """All points of a line."""
        return ScalarLine.of(self.files, line)

    def value_rows(self, line: Line) -> tuple[ValueIndex, Int64s, str]:
        """Values of a line that count, by step: index rows, positions in `line.parts`, epoch."""
        parts = [
            self.files[part.ref.file].values(part.ref.series, part.segment) for part in line.parts
        ]
        sizes = [len(part.step) for part in parts]
        kept = counting_points_of_segments(
            [part.step for part in parts], declared_restarts(self.files, line)
        )
        owner = np.repeat(np.arange(len(parts)), sizes)[kept]
        return concatenated(parts).selected(kept), owner, epoch_of(self.files, line, sizes)

    @property
    def has_summaries(self) -> bool:
        """Whether `summaries` is cached or can be computed from memory."""
        if self.resident or "summaries" in vars(self):
            return True
        entries = tuple(self.catalog.entries.get(SCALAR_PLUGIN, {}).values())
        known = sum(len(rows) for rows, _ in self._rows_of_totals(entries).values())
        return known == len(entries)

    @lazy_attribute
    def earlier_summaries(self) -> ScalarSummaries | None:
        """`summaries` of an earlier version, for when columns cannot be read."""
        return None

    @property
    def latest_summaries(self) -> ScalarSummaries | None:
        """The newest `summaries` computed, for this version or an earlier one."""
        return vars(self).get("summaries", self.earlier_summaries)

    def with_summaries(self, summaries: ScalarSummaries) -> TrainJobSnapshot:
        """Set `summaries`, computed elsewhere; returns this snapshot."""
        vars(self)["summaries"] = summaries
        return self

    @lazy_attribute
    def summaries(self) -> ScalarSummaries:
        """n, first, last, min, max of every scalar series, of the points that count.

        Needs the columns unless `has_summaries`.
        """
        tags = sorted(self.catalog.entries.get(SCALAR_PLUGIN, {}).items())
        entries = [entry for _, entry in tags]
        total = np.zeros(len(entries), dtype=np.int64)
        columns: dict[str, NDArray[Any]] = {
            name: np.zeros(len(entries), dtype) for name, dtype in STATS_DTYPES.items()
        }
        pending = np.ones(len(entries), dtype=np.bool_)
        for index, (rows, series) in self._rows_of_totals(entries).items():
            totals = self.files[index].totals
            total[rows] = totals.count[series]
            for name, column in columns.items():
                column[rows] = getattr(totals.stats, name)[series]
            pending[rows] = False
        for row in np.flatnonzero(pending).tolist():
            entry = entries[row]
            total[row] = sum(int(self.files[r.file].totals.count[r.series]) for r in entry.refs)
            figures = _NO_POINTS
            if total[row]:
                line = self.scalar_line(self.lines(entry)[0])
                kept = line.counting
                figures = stats_row(
                    *(line.step[kept], line.wall_time[kept], line.value[kept]),
                    increasing=len(kept) == len(line.step),
                )
            for column, figure in zip(columns.values(), figures, strict=True):
                column[row] = figure
        return ScalarSummaries(
            tags=tuple(tag for tag, _ in tags),
            total=tuple(total.tolist()),
            stats=SeriesStats(**columns),
        )

    def _rows_of_totals(
        self, entries: Sequence[CatalogEntry]
    ) -> Mapping[int, tuple[Sequence[int], Sequence[int]]]:
        """File -> rows of `entries` whose summary is in the file's totals, and the rows there."""
        rows_by_file: dict[int, tuple[list[int], list[int]]] = {}
        increasing = [
            file.totals.stats.increasing.tolist() if len(file.spans) <= 1 else None
            for file in self.files
        ]
        for row, entry in enumerate(entries):
            ref = entry.refs[0]
            of_file = increasing[ref.file]
            if len(entry.refs) == 1 and of_file is not None and of_file[ref.series]:
                rows, series = rows_by_file.setdefault(ref.file, ([], []))
                rows.append(row)
                series.append(ref.series)
        return rows_by_file

    def _writers(self) -> list[Finding]:
        """One finding for each file that wrote known series while another file did."""
        if len(self.files) + sum(len(file.spans) > 1 for file in self.files) < 2:
            return []
        paths = {
            self.files[line.parts[0].ref.file].found.relative_path
            for tags in self.catalog.entries.values()
            for entry in tags.values()
            for line in self.lines(entry)[1:]
        }
        return [
            Finding(
                FindingKind.SEVERAL_WRITERS,
                path,
                detail="Written at the same time as another file with the same series; "
                "its points are shown as separate lines.",
            )
            for path in sorted(paths)
        ]

    def moved(self, files: tuple[FileSnapshot, ...], *, resident: bool) -> TrainJobSnapshot:
        """This snapshot with the same data elsewhere; derived data stays."""
        moved = replace(self, files=files, resident=resident, cached=True)
        for name in vars(self).keys() - self.__dataclass_fields__.keys():
            vars(moved)[name] = vars(self)[name]
        return moved

    def without_columns(self, *, cached: bool = False) -> TrainJobSnapshot:
        """This snapshot without the columns; derived data stays. `cached` as in the field."""
        files = tuple(replace(file, batches=()) for file in self.files)
        dropped = replace(self, files=files, resident=False, cached=cached)
        for name in ("catalog", "generic", "findings"):
            with suppress(Exception):  # the error appears on the next access
                vars(dropped)[name] = getattr(self, name)
        if self.has_summaries:
            with suppress(Exception):
                vars(dropped)["summaries"] = self.summaries
        vars(dropped)["earlier_summaries"] = self.latest_summaries
        return dropped


def unread_sentence(file: FileSnapshot) -> str:
    """Which file is unreadable at the moment, and why."""
    return f"{file.found.relative_path} cannot be read at the moment ({file.unread})."


def _age_of_facts(file: FileSnapshot) -> tuple[float, list[int]]:
    """Oldest first, by the time in the name as in the contract.

    Of equally old files the first by name counts: that of rank 0.
    """
    found = file.found
    written = found.format.creation_time(found.name)
    return (
        file.first_wall_time if written is None else written,
        [-ord(character) for character in found.name],
    )


_NO_POINTS = tuple(getattr(SeriesTotals.empty(1).stats, name)[0] for name in STATS_DTYPES)
