"""Damage places: the step and time in a job's charts of a damaged place in its log.

Columns don't keep file offsets of points, so the file is scanned again up to that place. Such
requests are rare.
"""

from __future__ import annotations

import math

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.scanner.scan import make_scanner
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import ScalarColumns, ScanResult
from mindviz.datavisual.series.findings import DamagePlace

AROUND = 50
"""Points of the series before the place that belong to its picture."""
_TAKEN_EVERY = 16 * 1024 * 1024
"""Bytes of the file whose points are held at once."""


def place_before(file: FoundFile, offset: int) -> DamagePlace | None:
    """The last point before the byte at `offset`; None if there is none, or the file is gone."""
    schema = file.kind.schema
    try:
        return None if schema is None else _scanned(file, schema, offset)
    except OSError:
        return None


def _scanned(file: FoundFile, schema: WireSchema, offset: int) -> DamagePlace | None:
    scanner = make_scanner(schema, file.relative_path)
    place: DamagePlace | None = None
    held = 0
    with file.log_file.opened() as opened:
        size = min(offset, opened.status.st_size)
        while True:
            at, length = scanner.wanted
            data = opened.read(at, min(length, max(0, size - at)))
            held += len(data)
            more = scanner.feed(data, at, size)
            if held > _TAKEN_EVERY or not more:
                place = _last(scanner.take(), place)
                held = 0
            if not more:
                return place


def _last(result: ScanResult, before: DamagePlace | None) -> DamagePlace | None:
    """The latest by the clock; of points without a time the last series counts."""
    for batch in result.batches:
        columns = batch.scalars
        for row in range(len(columns.series)):
            last = _last_of(columns, row)
            if (
                before is None
                or math.isnan(last.wall_time)
                or not last.wall_time < before.wall_time
            ):
                before = last
    return before


def _last_of(columns: ScalarColumns, row: int) -> DamagePlace:
    steps, times, _ = columns.points_of(row)
    step = int(steps[-1])
    around = max(3, min(AROUND, len(steps) // 10))
    apart = max(1, abs(step - int(steps[max(0, len(steps) - 1 - around)])))
    return DamagePlace(step, float(times[-1]), (max(0, step - apart), step + apart))
