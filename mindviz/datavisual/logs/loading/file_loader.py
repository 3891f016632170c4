"""FileLoader: the write side of one log file. Turns what the file gained into columns.

All mutable state is here; callers get frozen snapshots.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.formats import HEAD_SIZE
from mindviz.datavisual.logs.loading.file_columns import FileColumns
from mindviz.datavisual.logs.loading.file_findings import reading_findings
from mindviz.datavisual.logs.loading.file_head import FileHead, head_of
from mindviz.datavisual.logs.loading.later_part import begin_ahead
from mindviz.datavisual.logs.loading.lineage_reader import LineageReader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.shared_tables import is_quiet, shared_metadata, shared_series
from mindviz.datavisual.logs.log_file import FileIdentity, OpenLogFile, ReadMark, reason
from mindviz.datavisual.logs.scanner.damage import is_verified
from mindviz.datavisual.logs.scanner.scan import Scanner, make_scanner, scanner_name
from mindviz.datavisual.logs.scanner.scan_state import ScanState, scan_findings
from mindviz.datavisual.logs.snapshots.file_snapshot import (
    NO_SERIES,
    FileSnapshot,
    SegmentSeries,
    SegmentSpan,
    extended_span,
)
from mindviz.datavisual.logs.snapshots.series_totals import NO_TOTALS
from mindviz.datavisual.logs.warm.kept_file import KeptFile, PackedFile, packed_file
from mindviz.datavisual.logs.warm.pack import DamagedPack, PackWriter, Place
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.series.columns import ScanResult, SeriesHead, all_finite
from mindviz.datavisual.series.findings import Finding

PUBLISH_INTERVAL = 0.5
"""Seconds between publications of a file that is still being read."""

PACKED_BYTES = 65_536
"""Of columns that may be packed."""


class FileLoader:
    """The write side of one log file. `refresh` is called by one thread at a time."""

    def __init__(
        self,
        found: FoundFile,
        options: ScanOptions,
        kept: KeptFile | None = None,
        place: Place | None = None,
    ) -> None:
        """It begins where `kept` ended, which is at a `place` in the warm cache or nowhere."""
        self.found = found
        self.finished_once = False
        """Whether it has been read to its end, or reading it failed, at least once."""
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
        self.reading = Lock()
        """Held while the file is read or kept."""
        self.abandoned = False  # once set, reading ends early
        self._begin()
        if kept is not None:
            self._restore(kept, place)
        self.snapshot = self._frozen()

    def _begin(self) -> None:
        """Reset: the next refresh starts at the beginning of the file."""
        self._scanner: Scanner | None = None
        self._scanned: ScanState | None = None
        """Where the last scan ended, if there is no scanner."""
        self._identity: FileIdentity | None = None
        """Of the file that has been read to its end."""
        self._kept_identity: FileIdentity | None = None
        """`_identity` when the warm cache was written, ..."""
        self.kept_place: Place | None = None
        """... and where."""
        self.kept_bytes = 0
        """Bytes of the log that the warm cache has."""
        self._series: Sequence[SeriesHead] = []
        self._metadata: Mapping[int, bytes] = {}
        self._columns = FileColumns()
        self._totals = NO_TOTALS
        self._spans: dict[int, SegmentSpan] = {}
        self._held: dict[int, SegmentSeries] = {}
        self._records = self._offset = 0
        self._mark: ReadMark | None = None
        self._timeless = False
        self.verified = True
        """Whether the checksums of all records were verified."""
        self._head = FileHead()
        self._has_session = False
        self._lineage = LineageReader(self.found)

    def _restore(self, kept: KeptFile, place: Place | None) -> None:
        """Be as the loader was that was kept."""
        snapshot = kept.snapshot
        self.finished_once = True
        self._identity = kept.identity
        if place is not None:
            self._kept_identity, self.kept_place = kept.identity, place
            self.kept_bytes = kept.offset
        self._scanned = kept.scan
        self._columns = FileColumns(kept.places, kept.batches, complete=kept.complete)
        self._series = snapshot.series
        self._metadata = snapshot.metadata
        self._totals, self._records = snapshot.totals, snapshot.records
        self._spans = {span.segment: span for span in snapshot.spans}
        self._held = dict(snapshot.held)
        self._offset, self._has_session = snapshot.offset, kept.has_session
        self._mark, self._timeless, self.verified = kept.mark, kept.timeless, kept.verified
        self._generation, self._head = kept.generation, head_of(kept)
        self._lineage.resume(kept.lineage, self._series, self._metadata)

    def refresh(self, publish: Callable[[], None], *, two_threads: bool = True) -> None:
        """Read what the file gained into `snapshot`; call `publish` every half second meanwhile.

        If reading fails, earlier data is kept, `error` says why, and the next call continues there.
        `two_threads` allows a second thread for a large file.
        """
        with self.reading:
            identity, self._identity = self.found.identity, None
            try:
                if self.found.kind.schema is not None:
                    with self._log_file.opened(0 if self._mark else identity.size) as opened:
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
                if not self._options.closed.is_set():
                    self._identity = identity
                    self._rest()
            self.finished_once = True
            self._freeze()

    def _rest(self) -> None:
        """Free what is needed only to continue: a run may have thousands of files."""
        with self._lock:
            if self._scanner and self._mark and is_quiet(self.found.identity):
                self._scanned, self._scanner = self._scanner.state, None
            self._series = shared_series(self._series)
            self._metadata = shared_metadata(self._metadata)

    def is_continued(self) -> bool:
        """Whether the file still begins with what was read. Raises OSError."""
        with self._log_file.opened() as opened:
            return self._mark is None or opened.continues(self._mark)

    def _recognize(self, opened: OpenLogFile) -> None:
        """Reset if the file no longer begins with what was read."""
        if self._mark is None:
            if self._scanner is not None and self._scanner.wanted[0]:  # a read failed early
                with self._lock:
                    self._begin()
        elif not opened.continues(self._mark):
            with self._lock:
                self._begin()
                self._generation += 1

    def _continue_scan(self) -> Scanner:
        """The scanner, where the last one ended."""
        schema, path, options = self.found.kind.schema, self.found.relative_path, self._options
        assert schema is not None  # other files are not scanned
        scanner = make_scanner(schema, path, verify_all=options.verify_all, scanner=options.scanner)
        if self._scanned is not None:
            scanner.resume(self._scanned, self._series, self._metadata.keys())
        return scanner

    def _scan(self, opened: OpenLogFile, publish: Callable[[], None], *, two_threads: bool) -> None:
        if self._scanner is None:
            self._scanner = self._continue_scan()
        scanner = self._scanner
        size = opened.status.st_size
        if self._head.size < HEAD_SIZE:
            offset, length = scanner.wanted
            # One read for the header and for the scanner, if it starts at the beginning.
            head = opened.read(0, min(size, HEAD_SIZE if offset else length))
            self._head = self._head.inspected(bytes(head[:HEAD_SIZE]), self.found, self._generation)
        later_part = None
        if two_threads and (self._options.scanner or scanner_name()) == "native":
            later_part = begin_ahead(self.found, opened, scanner.wanted[0], size, self._options)
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

    def _feed(
        self, opened: OpenLogFile, scanner: Scanner, size: int, publish: Callable[[], None]
    ) -> None:
        """Scan the first `size` bytes of the file."""
        due, frozen = time.monotonic() + PUBLISH_INTERVAL, scanner.wanted[0]
        while True:
            offset, length = scanner.wanted
            data = opened.read(offset, min(length, max(0, size - offset)))
            going = scanner.feed(data, offset, size, opened.descriptor)
            if not going or self.abandoned or self._options.closed.is_set():
                break
            is_much = offset > frozen + self._options.memory.freeze_bytes
            if is_much:
                self._take(scanner.take())
                frozen = offset
            # At once after a spill: the budget counts, and may drop, what is published.
            if (is_much and self._spill()) or time.monotonic() > due:
                self._take(scanner.take())
                self._mark_position(opened)
                self._freeze()
                publish()
                due = time.monotonic() + PUBLISH_INTERVAL

    def _mark_position(self, opened: OpenLogFile) -> None:
        """Decode facts; mark how far it is read. OSError leaves the results so far complete."""
        self._mark = opened.mark(self._offset)
        self._lineage.read_facts(opened.read)

    def _spill(self) -> bool:
        with self._lock:
            return self._columns.spill(self._options)

    def _take(self, result: ScanResult) -> None:
        """Add the results of a scan. Reads nothing, as a failed read must not lose half of them."""
        with self._lock:
            if result.new_series:
                self._series = [*self._series, *result.new_series]
            session_tag = self.found.format.session_tag
            if session_tag and not self._has_session:
                self._has_session = any(head.tag == session_tag for head in result.new_series)
            if result.metadata:
                self._metadata = {**self._metadata, **result.metadata}
            self._records += result.records
            self._offset = result.offset
            self._lineage.take(result)
            for batch in result.batches:
                if len(batch.scalars.series):
                    self._totals = self._totals.extended(len(self._series), batch.scalars)
                span = extended_span(batch, self._spans.get(batch.segment))
                self._spans[batch.segment] = span
                self._held[batch.segment] = self._held.get(batch.segment, NO_SERIES).extended(batch)
                self._timeless = self._timeless or not all_finite(batch.scalars.wall_times)
                self.verified &= self._options.verify_all or is_verified(batch.values.records)
                self._columns.add(batch, self._options.scratch)

    def drop_columns(self) -> None:
        """Drop the points, but go on counting them."""
        with self._lock:
            self._columns.drop()
            self.snapshot = self._frozen()

    @property
    def is_resident(self) -> bool:
        """Whether the snapshot has all points."""
        return self._columns.is_resident

    @property
    def is_cached(self) -> bool:
        """Whether it has them or can map them."""
        return self._columns.complete

    def map_columns(self) -> bool:
        """Map the points that the warm cache has; whether all points are at hand then."""
        with self._lock:
            if self._options.warm is not None:
                try:
                    self._columns.map(self._options.warm)
                except DamagedPack:
                    return False
                self.snapshot = self._frozen()
            return self._columns.is_resident

    # The warm cache -----------------------------------------------------------------------------

    @property
    def is_current(self) -> bool:
        """Whether the file has been read to its end, as it was found."""
        return self._identity == self.found.identity

    @property
    def unkept_bytes(self) -> int:
        """Bytes of the log that the warm cache does not have, 1 if only its identity is new.

        0 if the cache cannot have them now.
        """
        if self._identity is None or not self._columns.complete:
            return 0
        if self._identity == self._kept_identity:
            return 0
        return max(1, self._offset - self.kept_bytes)

    def keep(self, writer: PackWriter, warm: WarmCache) -> KeptFile | None:
        """Add the columns to a pack, if possible. The caller holds `reading`, until `kept`.

        Raises OSError, DamagedPack.
        """
        with self._lock:
            if not self.unkept_bytes:
                return None
            return replace(self._state(), places=self._columns.write(writer, warm))

    def _state(self) -> KeptFile:
        assert self._identity is not None
        return KeptFile(
            snapshot=replace(self._frozen(), batches=(), read_bytes=0),
            identity=self._identity,
            mark=self._mark,
            scan=self._scanned if self._scanner is None else self._scanner.state,
            lineage=self._lineage.state,
            generation=self._generation,
            head_size=self._head.size,
            has_session=self._has_session,
            is_text=self._head.is_text,
            timeless=self._timeless,
            verified=self.verified,
            complete=self._columns.complete,
        )

    def kept(self, kept: KeptFile, place: Place) -> None:
        """Free what the warm cache has now."""
        with self._lock:
            self._kept_identity, self.kept_place = kept.identity, place
            self.kept_bytes = kept.offset
            self._scanner, self._scanned = None, kept.scan
            self._columns.replace(kept.places)
            self.snapshot = self._frozen()

    def packed(self) -> Place | PackedFile | None:
        """What has been read, compactly; None if it is incomplete, large or partly kept."""
        if not self.reading.acquire(blocking=False):
            return None
        try:
            with self._lock:
                if self.error is not None or not self.is_current:
                    return None
                if self._identity == self._kept_identity:
                    return self.kept_place
                if self._columns.is_kept or self._columns.read_bytes > PACKED_BYTES:
                    return None
                return packed_file(replace(self._state(), batches=self._columns.batches))
        finally:
            self.reading.release()

    def _freeze(self) -> None:
        # Under the lock, since `drop_columns` freezes, too: the last snapshot must win.
        with self._lock:
            self.snapshot = self._frozen()

    def _frozen(self) -> FileSnapshot:
        return FileSnapshot(
            found=self.found,
            fingerprint=self._head.fingerprint,
            label=self._head.label,
            begun=self._head.begun,
            series=self._series,
            series_count=len(self._series),
            metadata=self._metadata,
            metadata_count=len(self._metadata),
            batches=self._columns.batches,
            read_bytes=self._columns.read_bytes,
            totals=self._totals.of_size(len(self._series)),
            spans=tuple(self._spans.values()),
            held=dict(self._held),
            records=self._records,
            offset=self._offset,
            findings=tuple(self._findings()),
            facts=self._lineage.facts,
            unread="" if self.error is None else reason(self.error),
            restart_step=self._head.restart_step,
            is_hparams_session=self._has_session and self._totals.are_of_one_step,
        )

    def _findings(self) -> Iterator[Finding]:
        scan = self._scanned if self._scanner is None else self._scanner
        yield from scan_findings(scan, is_text=self._head.is_text)
        yield from self._lineage.findings
        place = self.found.relative_path, self._offset
        yield from reading_findings(*place, self.error, timeless=self._timeless)
