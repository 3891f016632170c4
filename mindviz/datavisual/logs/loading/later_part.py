"""LaterPart: a second thread for a large file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from threading import Event, Thread

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.log_file import LogFile, OpenLogFile
from mindviz.datavisual.logs.scanner.ahead_scan import AheadScan, find_start
from mindviz.datavisual.logs.scanner.scan import Scanner
from mindviz.datavisual.series.columns import ScanResult

AHEAD_SIZE = 64 * 1024 * 1024
"""Bytes. From here on two threads may read one file; less is read before a second one pays."""


def begin_ahead(
    found: FoundFile, opened: OpenLogFile, offset: int, size: int, options: ScanOptions
) -> LaterPart | None:
    """Start a second thread in the middle of the part from `offset`, if that is large."""
    schema = found.kind.schema
    if schema is None or size - offset < AHEAD_SIZE:
        return None
    start = find_start(schema, opened.read, (offset + size) // 2, size)
    if start is None:
        return None
    scan = AheadScan(
        schema,
        found.relative_path,
        start,
        verify_all=options.verify_all,
        freeze_bytes=options.memory.freeze_bytes,
    )
    later_part = LaterPart(scan, found.log_file, size, options.closed)
    later_part.start()
    return later_part


class LaterPart(Thread):
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
        self._cancelled = scanner.wanted[0] != self.scan.start  # that scan ended early
        self.join()
        return () if self._failed else self.scan.joined_to(scanner) or ()
