"""FileLoader: the write side of one log file. Turns what the file gained into columns.

All mutable state is here; callers get frozen snapshots.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from threading import Event, Lock, Thread

import numpy as np

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.formats import HEAD_SIZE
from mindviz.datavisual.logs.loading.lineage_reader import LineageReader
from mindviz.datavisual.logs.log_file import LogFile, OpenLogFile, ReadMark, is_text
from mindviz.datavisual.logs.scanner.ahead_scan import AheadScan, find_start
from mindviz.datavisual.logs.scanner.scan import Scanner, ScannerName, make_scanner, scanner_name
from mindviz.datavisual.logs.snapshots.file_snapshot import (
    NO_SERIES,
    FileSnapshot,
    SegmentSeries,
    SegmentSpan,
)
from mindviz.datavisual.logs.snapshots.series_totals import NO_TOTALS
from mindviz.datavisual.series.columns import Batch, Float64s, ScanResult, SeriesHead, merged
from mindviz.datavisual.series.findings import Finding, FindingKind

PUBLISH_INTERVAL = 0.5
"""Seconds between publications of a file that is still being read."""

MERGE_LIMIT = 65_536
"""Points. Larger batches stay as they are: a merge takes time, and duplicates what they share."""

FINGERPRINT_SIZE = 64

AHEAD_SIZE = 64 * 1024 * 1024
"""Bytes. From here on two threads may read one file; less is read before a second one pays."""

_TAG = attrgetter("tag")


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How files are scanned."""

    verify_all: bool = False
    scanner: ScannerName | None = None
    """None selects the native scanner if it was built."""

    closed: Event = field(default_factory=Event, compare=False)
    """Once set, reading ends early."""


class _LaterPart(Thread):
    """Scans the later part of a large file while its `FileLoader` reads the earlier part."""

    def __init__(self, scan: AheadScan, log_file: LogFile, size: int, closed: Event) -> None:
        super().__init__(name="mindviz-ahead", daemon=True)
        self.scan = scan
        self._log_file = log_file
        self._size = size
        self._closed = closed
        self._failed = False
        self._cancelled = False

    def cancel(self) -> None:
        """End early; returns when the thread has ended."""
        self._cancelled = True
        self.join()

    def run(self) -> None:
        """Scan to the end; a failed read is retried by the `FileLoader`."""
        try:
            with self._log_file.opened() as opened:
                read = partial(self._read, opened)
                self.scan.run(read, self._size, opened.descriptor)
        except OSError:
            self._failed = True

    def _read(self, opened: OpenLogFile, offset: int, size: int) -> memoryview:
        if self._cancelled or self._closed.is_set():
            raise InterruptedError
        return opened.read(offset, size)

    def joined_to(self, scanner: Scanner) -> Sequence[ScanResult]:
        """Wait for the end; the results, or nothing if the two parts don't fit together."""
        self.join()
        return () if self._failed else self.scan.joined_to(scanner) or ()


class FileLoader:
    """The write side of one log file. `refresh` is called by one thread at a time."""

    def __init__(self, found: FoundFile, options: ScanOptions) -> None:
        self.found = found
        self.finished_once = False
        """Whether it has been read to its end, or reading it failed, at least once."""
        self.keeps_columns = True
        self.failures = 0
        """Failed reads in a row."""
        self.error: OSError | None = None
        """Why the last read failed; None if it succeeded."""
        self._options = options
        self._log_file = found.log_file
        self._lock = Lock()
        """Guards the state: columns may be dropped while the file is being read."""
        self._generation = 0
        """How often the file was replaced."""
        self._begin()
        self.snapshot = self._frozen()

    def _begin(self) -> None:
        """Reset: the next refresh starts at the beginning of the file."""
        schema = self.found.kind.schema
        self._scanner: Scanner | None = None
        if schema is not None:
            self._scanner = make_scanner(
                schema,
                self.found.relative_path,
                verify_all=self._options.verify_all,
                scanner=self._options.scanner,
            )
        self._series: list[SeriesHead] = []
        self._metadata: dict[int, bytes] = {}
        self._batches: list[Batch] = []
        self._totals = NO_TOTALS
        self._spans: dict[int, SegmentSpan] = {}
        self._held: dict[int, SegmentSeries] = {}
        self._records = 0
        self._offset = 0
        self._mark: ReadMark | None = None
        self._timeless = False
        self._fingerprint = ""
        self._head_size = 0
        """Bytes of the file's beginning from which `_label` and the next fields were derived."""
        self._label = ""
        self._begun: float | None = None
        self._restart_step: int | None = None
        self._has_session = False
        self._is_text = False
        self._lineage = LineageReader(self.found)

    def refresh(self, publish: Callable[[], None], *, two_threads: bool = True) -> None:
        """Read what the file gained into `snapshot`; call `publish` every half second meanwhile.

        If reading fails, earlier data is kept, `error` says why, and the next call continues there.
        `two_threads` allows a second thread for a large file.
        """
        try:
            if self.found.kind.schema is not None:
                with self._log_file.opened() as opened:
                    self._recognize(opened)
                    self._scan(opened, publish, two_threads=two_threads)
            else:
                self._offset = self.found.identity.size  # read on request
        except OSError as error:
            self.failures += 1
            self.error = error.with_traceback(None)  # the traceback would keep the data alive
        else:
            self.failures = 0
            self.error = None
        self.finished_once = True
        self._freeze()

    def _recognize(self, opened: OpenLogFile) -> None:
        """Reset if the file no longer begins with what was read."""
        if self._mark is None:
            if self._scanner is not None and self._scanner.wanted[0]:
                # Reading failed before the first mark was set.
                with self._lock:
                    self._begin()
        elif not opened.continues(self._mark):
            with self._lock:
                self._begin()
                self._generation += 1

    def _scan(self, opened: OpenLogFile, publish: Callable[[], None], *, two_threads: bool) -> None:
        scanner = self._scanner
        if scanner is None:
            return
        size = opened.status.st_size
        if self._head_size < HEAD_SIZE:
            offset, length = scanner.wanted
            # One read for the header and for the scanner, if it starts at the beginning.
            head = opened.read(0, min(size, HEAD_SIZE if offset else length))
            self._inspect_head(bytes(head[:HEAD_SIZE]))
        later_part = self._begin_ahead(opened, scanner, size) if two_threads else None
        if later_part is not None:
            try:
                self._feed(opened, scanner, later_part.scan.start, publish)
            except BaseException:
                later_part.cancel()
                raise
            for result in later_part.joined_to(scanner):
                self._take(result)
        self._feed(opened, scanner, size, publish)
        self._take(scanner.take())
        self._mark_position(opened)

    def _begin_ahead(self, opened: OpenLogFile, scanner: Scanner, size: int) -> _LaterPart | None:
        """Start a second thread in the middle of the unread part, if that is large."""
        schema = self.found.kind.schema
        offset = scanner.wanted[0]
        is_python = (self._options.scanner or scanner_name()) == "python"
        if schema is None or size - offset < AHEAD_SIZE or is_python:
            return None
        start = find_start(schema, opened.read, (offset + size) // 2, size)
        if start is None:
            return None
        scan = AheadScan(
            schema, self.found.relative_path, start, verify_all=self._options.verify_all
        )
        later_part = _LaterPart(scan, self._log_file, size, self._options.closed)
        later_part.start()
        return later_part

    def _feed(
        self, opened: OpenLogFile, scanner: Scanner, size: int, publish: Callable[[], None]
    ) -> None:
        """Scan the first `size` bytes of the file."""
        due = time.monotonic() + PUBLISH_INTERVAL
        while True:
            offset, length = scanner.wanted
            data = opened.read(offset, min(length, max(0, size - offset)))
            going = scanner.feed(data, offset, size, opened.descriptor)
            if not going or self._options.closed.is_set():
                break
            if time.monotonic() > due:
                self._take(scanner.take())
                self._mark_position(opened)
                self._freeze()
                publish()
                due = time.monotonic() + PUBLISH_INTERVAL

    def _inspect_head(self, head: bytes) -> None:
        if not self._fingerprint:
            identity = self.found.identity
            crc = zlib.crc32(head[:FINGERPRINT_SIZE])
            self._fingerprint = f"{identity.device:x}.{identity.inode:x}.{crc:x}.{self._generation}"
        # The file may have been empty so far.
        self._head_size = len(head)
        self._label = self.found.format.display_name(head)
        self._begun = self.found.format.begun(head)
        self._restart_step = self.found.format.restart_step(head)
        self._is_text = is_text(head)

    def _mark_position(self, opened: OpenLogFile) -> None:
        """Decode the facts found, and mark how far the file is read.

        Raises OSError; the results taken so far are complete nonetheless.
        """
        self._mark = opened.mark(self._offset)
        self._lineage.read_facts(opened.read)

    def _take(self, result: ScanResult) -> None:
        """Add the results of a scan. Reads nothing, as a failed read must not lose half of them."""
        with self._lock:
            self._series.extend(result.new_series)
            session_tag = self.found.format.session_tag
            if session_tag and not self._has_session:
                self._has_session = session_tag in map(_TAG, result.new_series)
            self._metadata.update(result.metadata)
            self._records += result.records
            self._offset = result.offset
            self._lineage.take(result)
            for batch in result.batches:
                if len(batch.scalars.series):
                    self._totals = self._totals.extended(len(self._series), batch.scalars)
                span = _span(batch, self._spans.get(batch.segment))
                self._spans[batch.segment] = span
                self._held[batch.segment] = self._held.get(batch.segment, NO_SERIES).extended(batch)
                self._timeless = self._timeless or not _all_finite(batch.scalars.wall_times)
                if self.keeps_columns:
                    self._batches.append(batch)
                    _merge_tail(self._batches)

    def drop_columns(self) -> None:
        """Drop the points, but go on counting them."""
        with self._lock:
            self.keeps_columns = False
            self._batches = []
            self.snapshot = self._frozen()

    def _freeze(self) -> None:
        # Under the lock, since `drop_columns` freezes, too: the last snapshot must win.
        with self._lock:
            self.snapshot = self._frozen()

    def _frozen(self) -> FileSnapshot:
        return FileSnapshot(
            found=self.found,
            fingerprint=self._fingerprint,
            label=self._label,
            begun=self._begun,
            series=self._series,
            series_count=len(self._series),
            metadata=self._metadata,
            metadata_count=len(self._metadata),
            batches=tuple(self._batches),
            totals=self._totals.of_size(len(self._series)),
            spans=tuple(self._spans.values()),
            held=dict(self._held),
            records=self._records,
            offset=self._offset,
            findings=tuple(self._findings()),
            facts=self._lineage.facts,
            unread="" if self.error is None else _reason(self.error),
            restart_step=self._restart_step,
            is_hparams_session=self._has_session and self._totals.are_of_one_step,
        )

    def _findings(self) -> list[Finding]:
        scanner = self._scanner
        findings = list(scanner.findings) if scanner is not None else []
        if scanner is not None and scanner.stopped is not None:
            stopped = scanner.stopped
            if stopped.offset == 0 and self._is_text:
                detail = "This is text (a git-lfs pointer, an error page?), not a log."
                stopped = replace(stopped, kind=FindingKind.NOT_A_LOG, detail=detail)
            findings.append(stopped)
        findings += self._lineage.findings
        if self.error is not None:
            findings.append(
                Finding(
                    FindingKind.UNREADABLE,
                    self.found.relative_path,
                    self._offset,
                    f"Reading failed ({_reason(self.error)}); it is retried.",
                )
            )
        if self._timeless:
            findings.append(
                Finding(
                    FindingKind.BAD_WALL_TIME,
                    self.found.relative_path,
                    detail="Some points have a wall time that is not a finite number; "
                    "they are served, without a time.",
                )
            )
        return findings


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__


def _all_finite(numbers: Float64s) -> bool:
    # If a number is NaN, so are the extremes. `np.isfinite` of each number takes longer.
    low = np.minimum.reduce(numbers, initial=0.0)
    high = np.maximum.reduce(numbers, initial=0.0)
    return math.isfinite(low) and math.isfinite(high)


def _span(batch: Batch, known: SegmentSpan | None) -> SegmentSpan:
    first, last = batch.scalars.stats.first_wall_time, batch.scalars.stats.last_wall_time
    if len(batch.values):
        times = batch.values.records.wall_time
        finite = times[np.isfinite(times)]
        first, last = np.concatenate([first, finite]), np.concatenate([last, finite])
    if known is None:
        known = SegmentSpan(batch.segment, math.nan, math.nan)
    return SegmentSpan(  # fmin and fmax ignore NaN
        batch.segment,
        float(np.fmin.reduce(first, initial=known.first_wall_time)),
        float(np.fmax.reduce(last, initial=known.last_wall_time)),
    )


def _merge_tail(batches: list[Batch]) -> None:
    """Merge the last batches while they are small and of similar size, so that few remain."""
    while len(batches) > 1:
        earlier, later = batches[-2:]
        sizes = [b.scalars.points + len(b.values) for b in (earlier, later)]
        if earlier.segment != later.segment or sizes[0] > 2 * sizes[1] or sum(sizes) > MERGE_LIMIT:
            break
        batches[-2:] = [merged(earlier, later)]
