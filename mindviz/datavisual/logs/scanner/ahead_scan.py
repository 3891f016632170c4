"""AheadScan: scans the later part of a large file while another thread scans the earlier part.

    start = find_start(schema, read, size // 2, size)   # None: scan with one thread
    ahead = AheadScan(schema, path, start)
    ahead.run(other_read, size)                         # in another thread
    ...feed the main scanner as if the file ended at `start`...
    results = ahead.joined_to(scanner)                  # None: no fit, the main scanner continues

`start` is a guess backed by checksums. It is right if and only if the earlier scan ends exactly
there; the joined results then equal those of a single scan. Native scanners only: threads running
pure Python gain nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from importlib import import_module
from typing import Any, Final

import numpy as np

from mindviz.datavisual.logs.scanner.scan import Scanner
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import (
    Batch,
    Bools,
    Int32s,
    Int64s,
    ScalarColumns,
    ScanResult,
    SeriesStats,
)

Read = Callable[[int, int], bytes | bytearray | memoryview]
"""(offset, size) -> the bytes there, fewer at the end of the file. One per thread."""

WINDOW: Final = 262144
"""Bytes to search for the start of a record."""


def find_start(schema: WireSchema, read: Read, offset: int, size: int) -> int | None:
    """Offset of the first record after `offset` in a file of `size` bytes; None if none is near."""
    found: int | None = _native().find_record(schema, read(offset, WINDOW), offset, size)
    return found


def _native() -> Any:
    return import_module("mindviz.datavisual.logs.scanner._scan")


class AheadScan:
    """A scan that begins at `start`, which `find_start` returned."""

    def __init__(
        self,
        schema: WireSchema,
        path: str,
        start: int,
        *,
        verify_all: bool = False,
        freeze_bytes: int = 1 << 26,
    ) -> None:
        """`freeze_bytes` are scanned between freezes, as unfrozen rows take more memory."""
        self.start = start
        self._freeze_bytes = freeze_bytes
        self._scanner = _native().Scanner(schema, path, verify_all=verify_all, start=start)
        self._results: list[ScanResult] = []

    def run(self, read: Read, size: int, descriptor: int = -1) -> None:
        """Scan to the end of the file of `size` bytes; `descriptor` as in `Scanner.feed`.

        Raises OSError if `read` does.
        """
        scanner, going, due = self._scanner, True, self.start + self._freeze_bytes
        while going:
            offset, length = scanner.wanted
            going = scanner.feed(read(offset, length), offset, size, descriptor)
            if not going or offset > due:
                self._results.append(scanner.take())
                due = offset + self._freeze_bytes

    def joined_to(self, scanner: Scanner) -> list[ScanResult] | None:
        """What `scanner` found since its last `take`, then what this scan found.

        Afterwards `scanner` continues at the end of this scan. None, with nothing changed, if
        `scanner` did not end exactly at `start` or both scans together have too many segments.
        """
        if scanner.wanted[0] != self.start or scanner.stopped is not None:
            return None
        joined = scanner.continue_after(self._scanner)  # type: ignore[attr-defined]
        if joined is None:
            return None
        segment, ids, is_first = joined
        first = scanner.take()
        offset = self._results[0].offset if self._results else first.offset
        return [
            replace(first, offset=min(self.start, offset)),
            *(_renumbered(result, segment, ids, is_first) for result in self._results),
        ]


def _renumbered(result: ScanResult, segment: int, ids: Int32s, is_first: Bools) -> ScanResult:
    """`result` with the segments and series ids of the scanner that it is joined to."""
    return ScanResult(
        batches=tuple(
            Batch(
                segment=batch.segment + segment,
                scalars=_renumbered_scalars(batch.scalars, ids),
                values=replace(batch.values, series=ids[batch.values.series]),
            )
            for batch in result.batches
        ),
        new_series=(),
        metadata={
            int(ids[series]): metadata
            for series, metadata in result.metadata.items()
            if is_first[series]
        },
        records=result.records,
        offset=result.offset,
    )


def _renumbered_scalars(columns: ScalarColumns, ids: Int32s) -> ScalarColumns:
    series = ids[columns.series]
    order: Int64s = np.argsort(series)
    if len(order) < 2 or bool(np.all(order[1:] > order[:-1])):
        return replace(columns, series=series)
    per_series = ("count", "step_start", "wall_start", "value_start", "wide")
    stats = columns.stats
    return replace(
        columns,
        series=series[order],
        stats=SeriesStats(*(getattr(stats, field.name)[order] for field in fields(stats))),
        **{name: getattr(columns, name)[order] for name in per_series},
    )
