"""Logs written for the scanners, and their results."""

from __future__ import annotations

import numpy as np

from mindviz.datavisual.logs.formats import tensorboard
from mindviz.datavisual.logs.scanner.scan import (
    Scanner,
    ScannerName,
    make_scanner,
)
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import Batch, ScalarColumns, ScanResult
from mindviz.wire.encode import delimited, double_field, float_field, frame, varint_field
from mindviz.wire.framing import Framing
from tests.record_streams import read

WALL_TIME = 1.7e9
TFRECORD = Framing.TFRECORD


def event(step: int, *values: bytes, wall_time: float = WALL_TIME, rest: bytes = b"") -> bytes:
    """A framed Event of TensorBoard."""
    summary = b"".join(delimited(1, value) for value in values)
    message = double_field(1, wall_time) + varint_field(2, step)
    return frame(message + (delimited(5, summary) if values else b"") + rest, TFRECORD)


def number(tag: bytes, value: float) -> bytes:
    return delimited(1, tag) + float_field(2, value)


def vdl(value: bytes) -> bytes:
    """A framed Record of VisualDL."""
    return frame(delimited(1, value), Framing.LENGTH_PREFIXED)


def vdl_number(step: int, tag: bytes, value: float, milliseconds: int = 5) -> bytes:
    numbers = varint_field(1, step) + delimited(2, tag) + varint_field(3, milliseconds)
    return vdl(numbers + float_field(4, value))


def scan(
    kind: ScannerName,
    data: bytes,
    schema: WireSchema = tensorboard.EVENT,
    *,
    verify_all: bool = False,
) -> tuple[Scanner, ScanResult]:
    scanner = make_scanner(schema, "log", verify_all=verify_all, scanner=kind)
    return scanner, read(scanner, data)[-1]


def points(result: ScanResult) -> dict[bytes, list[tuple[int, float, float]]]:
    """Tag -> step, wall time, value of its scalar points."""
    found: dict[bytes, list[tuple[int, float, float]]] = {}
    for batch in result.batches:
        for i, series in enumerate(batch.scalars.series.tolist()):
            steps, wall_times, values = part(batch.scalars, i)
            tag = result.new_series[series].tag
            rows = zip(steps.tolist(), wall_times.tolist(), values.tolist(), strict=True)
            found.setdefault(tag, []).extend(rows)
    return found


def part(columns: ScalarColumns, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    count = slice(None, columns.count[i])
    values = columns.values64 if columns.wide[i] else columns.values32
    return (
        columns.steps[columns.step_start[i] :][count],
        columns.wall_times[columns.wall_start[i] :][count],
        values[columns.value_start[i] :][count],
    )


def only(result: ScanResult) -> Batch:
    assert len(result.batches) == 1
    return result.batches[0]
