"""Both scanners return equal results for any file and any sequence of reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import mindspore, tensorboard
from mindviz.datavisual.logs.scanner.scan import (
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import ScanResult
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire.encode import delimited, double_field, float_field, frames, varint_field
from mindviz.wire.framing import Framing
from tests.record_streams import (
    SCHEMAS,
    Reading,
    flattened,
    read,
    readings,
    record_streams,
    repetitive_streams,
)

pytestmark = pytest.mark.skipif(
    scanner_name() != "native", reason="the native scanner was not built here"
)


TWINS: tuple[ScannerName, ScannerName] = ("native", "python")


def compared(results: Iterable[ScanResult]) -> list[object]:
    """The contents of each result; not how its columns share memory."""
    return [
        [
            result.new_series,
            result.metadata,
            (result.records, result.offset),
            *(
                [
                    batch.segment,
                    batch.scalars.series,
                    batch.scalars.count,
                    *(batch.scalars.points_of(row) for row in range(len(batch.scalars.series))),
                    batch.scalars.stats,
                    batch.values,
                ]
                for batch in result.batches
            ),
        ]
        for result in results
    ]


def assert_equal(native: object, python: object, where: str = "") -> None:
    """Deeply equal; arrays in dtype, shape and values, with NaN equal to NaN."""
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
        make_scanner(schema, "log", verify_all=verify_all, scanner=name) for name in TWINS
    )
    assert_equal(compared(read(native, data, reading)), compared(read(python, data, reading)))
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


@pytest.mark.parametrize("schema", [tensorboard.EVENT, mindspore.EVENT], ids=lambda s: s.name)
@given(draw=st.data(), reading=readings)
def test_both_scanners_agree_on_similar_records(
    schema: WireSchema, draw: st.DataObject, reading: Reading
) -> None:
    assert_twins(schema, draw.draw(repetitive_streams(schema)), reading)


def test_both_scanners_detect_records_that_only_resemble_earlier_ones() -> None:
    tag = delimited(1, b"loss")
    time, numbers = double_field(1, 1.7e9), float_field(2, 1.5)
    # Four similar records: time, one number, then its tag, and the step (two bytes) at the end.
    usual = time + delimited(5, delimited(1, numbers + tag))
    no_step = usual + b"\x10\x05\x01"
    no_tag = time + delimited(5, delimited(1, numbers + b"\x12" + tag[1:])) + varint_field(2, 129)
    alike = [usual + varint_field(2, 128)] * 4
    data = frames([*alike, no_step, no_tag, *alike], Framing.TFRECORD)
    native, python = (make_scanner(tensorboard.EVENT, scanner=name) for name in TWINS)
    assert_equal(compared(read(native, data)), compared(read(python, data)))
    assert native.findings == python.findings
    assert [finding.kind for finding in native.findings] == [FindingKind.BAD_RECORD]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@given(data=st.binary(max_size=300), reading=readings)
def test_both_scanners_find_the_same_in_random_bytes(
    schema: WireSchema, data: bytes, reading: Reading
) -> None:
    assert_twins(schema, data, reading)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@pytest.mark.parametrize("name", ["native", "python"])
@given(draw=st.data(), reading=readings, hasty=st.booleans())
def test_reading_a_growing_file_in_any_pieces_finds_the_same_as_reading_it_at_once(
    name: ScannerName, schema: WireSchema, draw: st.DataObject, reading: Reading, *, hasty: bool
) -> None:
    data = draw.draw(record_streams(schema))
    at_once, in_pieces = (make_scanner(schema, "log", scanner=name) for _ in range(2))
    expected = flattened(read(at_once, data, Reading((1 << 20,))))
    assert flattened(read(in_pieces, data, reading, hasty=hasty)) == expected
    assert in_pieces.findings == at_once.findings
    assert in_pieces.stopped == at_once.stopped
