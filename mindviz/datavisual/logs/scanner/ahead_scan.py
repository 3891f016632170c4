"""AheadScan: scans a later part of a large file while another thread scans the earlier part.

    start = find_start(schema, read, size // 2, size)   # None: don't
    ahead = AheadScan(schema, path, start)
    ahead.run(read_of_its_own, size)                    # in another thread
    ...feed the file's scanner as if the file ended at `start`...
    results = ahead.joined_to(scanner)                  # None: it did not fit, go on alone

Where a record begins in the middle of a file is a guess, though one that checksums make a safe one:
it is right if and only if the earlier scan ends exactly there. Then the joined results are what a
single scan would have found. Native scanners only: two threads of pure Python gain nothing.
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
"""(offset, size) -> the file's bytes there, fewer at its end; each thread has its own."""

WINDOW: Final = 262144
"""Bytes that are searched for the beginning of a record."""
SKIPPED_FROM: Final = 65536
"""Bytes of a record. Larger ones are skipped rather than read, in many small steps under the GIL:
two threads at that take twice as long as one (10,000 images of 100 KB: 34 ms instead of 17)."""
_FREEZE_EVERY: Final = 1 << 26
"""Bytes scanned between freezes, which bounds what is held in rows."""


def find_start(schema: WireSchema, read: Read, offset: int, size: int) -> int | None:
    """The first record behind `offset` in a file of `size` bytes.

    None if none is near, or if what is there would be skipped.
    """
    window = read(offset, WINDOW)
    found: int | None = _native().find_record(schema, window, offset, size)
    if found is None:
        return None
    length = int.from_bytes(window[found - offset :][:8], "little")
    return found if length <= SKIPPED_FROM else None


def _native() -> Any:
    return import_module("mindviz.datavisual.logs.scanner._scan")


class AheadScan:
    """The scan of a file from `start` on, a record's offset that `find_start` gave."""

    def __init__(
        self, schema: WireSchema, path: str, start: int, *, verify_all: bool = False
    ) -> None:
        self.start = start
        self._scanner = _native().Scanner(schema, path, verify_all=verify_all, start=start)
        self._results: list[ScanResult] = []

    def run(self, read: Read, size: int) -> None:
        """Scan to the end of the file of `size` bytes. Raises OSError if `read` does."""
        scanner, going, due = self._scanner, True, self.start + _FREEZE_EVERY
        while going:
            offset, length = scanner.wanted
            going = scanner.feed(read(offset, length), offset, size)
            if not going or offset > due:
                self._results.append(scanner.take())
                due = offset + _FREEZE_EVERY

    def joined_to(self, scanner: Scanner) -> list[ScanResult] | None:
        """All that `scanner`, which read up to our start, has not handed over, and then ours.

        From here on `scanner` stands where we ended. None, and nothing is changed, if it does not
        stand exactly at our start or the segments of both together are too many.
        """
        if scanner.wanted[0] != self.start or scanner.stopped is not None:
            return None
        adopted = scanner.adopt(self._scanner)  # type: ignore[attr-defined]
        if adopted is None:
            return None
        segment, ids, is_first = adopted
        first = scanner.take()
        offset = self._results[0].offset if self._results else first.offset
        return [
            replace(first, offset=min(self.start, offset)),
            *(_renumbered(result, segment, ids, is_first) for result in self._results),
        ]


def _renumbered(result: ScanResult, segment: int, ids: Int32s, is_first: Bools) -> ScanResult:
    """The same in the other scanner's numbers; its series table has our series already."""
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
