"""The two scanners are twins: whatever the file and however it is read, they answer alike."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.data_transform.scan import (
    Scanner,
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.data_transform.wire_schema import WireSchema
from tests.record_streams import (
    SCHEMAS,
    Reading,
    read,
    readings,
    record_streams,
)

pytestmark = pytest.mark.skipif(
    scanner_name() != "native", reason="the native scanner was not built here"
)


def assert_equal(native: object, python: object, where: str = "") -> None:
    """Deeply equal; arrays in dtype, shape and values, NaN being equal to NaN."""
    assert type(native) is type(python), where
    if isinstance(native, np.ndarray) and isinstance(python, np.ndarray):
        assert native.dtype == python.dtype, where
        np.testing.assert_array_equal(native, python, where)
    elif isinstance(native, (tuple, list)) and isinstance(python, (tuple, list)):
        assert len(native) == len(python), where
        for i, (one, other) in enumerate(zip(native, python, strict=True)):
            assert_equal(one, other, f"{where}[{i}]")
    elif dataclasses.is_dataclass(native):
        for field in dataclasses.fields(native):
            one, other = getattr(native, field.name), getattr(python, field.name)
            assert_equal(one, other, f"{where}.{field.name}")
    else:
        assert native == python, where


def assert_twins(
    schema: WireSchema, data: bytes, reading: Reading, *, verify_all: bool = False
) -> None:
    native, python = (
        make_scanner(schema, "log", verify_all=verify_all, scanner=name)
        for name in ("native", "python")
    )
    assert_equal(read(native, data, reading), read(python, data, reading))
    assert native.stopped == python.stopped
    assert native.findings == python.findings


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@given(draw=st.data(), reading=readings, verify_all=st.booleans())
def test_both_scanners_find_the_same_in_any_stream(
    schema: WireSchema, draw: st.DataObject, reading: Reading, *, verify_all: bool
) -> None:
    assert_twins(schema, draw.draw(record_streams(schema)), reading, verify_all=verify_all)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@given(draw=st.data(), reading=readings)
def test_both_scanners_find_the_same_where_bits_are_flipped(
    schema: WireSchema, draw: st.DataObject, reading: Reading
) -> None:
    data = bytearray(draw.draw(record_streams(schema, damaged=False)))
    for _ in range(min(len(data), draw.draw(st.integers(1, 3)))):
        data[draw.draw(st.integers(0, len(data) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
    assert_twins(schema, bytes(data), reading)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@given(data=st.binary(max_size=300), reading=readings)
def test_both_scanners_find_the_same_in_random_bytes(
    schema: WireSchema, data: bytes, reading: Reading
) -> None:
    assert_twins(schema, data, reading)


def flattened(scanner: Scanner, data: bytes, reading: Reading) -> object:
    """All that was found, without how it was cut into batches."""
    heads: list[object] = []
    metadata: dict[int, bytes] = {}
    points: dict[tuple[int, int], list[object]] = {}
    places: list[object] = []
    records = 0
    for result in read(scanner, data, reading):
        heads += result.new_series
        metadata |= result.metadata
        records += result.records
        for batch in result.batches:
            columns = batch.scalars
            for i, series in enumerate(columns.series.tolist()):
                part = slice(None, columns.count[i])
                values = columns.values64 if columns.wide[i] else columns.values32
                rows = zip(
                    columns.steps[columns.step_start[i] :][part].tolist(),
                    map(repr, columns.wall_times[columns.wall_start[i] :][part].tolist()),
                    map(repr, values[columns.value_start[i] :][part].tolist()),
                    strict=True,
                )
                points.setdefault((batch.segment, series), []).extend(rows)
            index = batch.values
            columns_of_places = (
                index.series,
                index.step,
                index.wall_time.astype(str),
                index.record_offset,
                index.record_length,
                index.value_offset,
                index.value_length,
            )
            places += zip(*(column.tolist() for column in columns_of_places), strict=True)
    offset = result.offset
    return heads, metadata, points, places, records, offset, scanner.findings, scanner.stopped


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@pytest.mark.parametrize("name", ["native", "python"])
@given(draw=st.data(), reading=readings)
def test_reading_a_growing_file_in_any_pieces_finds_the_same_as_reading_it_at_once(
    name: ScannerName, schema: WireSchema, draw: st.DataObject, reading: Reading
) -> None:
    data = draw.draw(record_streams(schema))
    at_once, in_pieces = (make_scanner(schema, "log", scanner=name) for _ in range(2))
    assert flattened(in_pieces, data, reading) == flattened(at_once, data, Reading((1 << 20,)))
