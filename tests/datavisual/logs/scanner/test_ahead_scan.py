from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import tensorboard, visualdl
from mindviz.datavisual.logs.scanner.ahead_scan import AheadScan, find_start
from mindviz.datavisual.logs.scanner.scan import Scanner, make_scanner, scanner_name
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import ScanResult
from mindviz.datavisual.series.findings import Finding
from mindviz.wire.encode import delimited, frame
from mindviz.wire.framing import Framing
from tests.record_streams import SCHEMAS, flattened, messages, read, reader

pytestmark = pytest.mark.skipif(scanner_name() != "native", reason="for the native scanner only")

RESTART = b"\x3a\x02\x08\x01"  # Event.session_log: START
"""A restart for TensorBoard; an unknown field for other formats."""


def scan_ahead(
    schema: WireSchema, data: bytes, start: int
) -> tuple[Scanner, list[ScanResult] | None]:
    """Scan a file in two parts; the results of both."""
    ahead = AheadScan(schema, "log", start)
    ahead.run(reader(data), len(data))
    scanner = make_scanner(schema, "log")
    earlier = read(scanner, data[:start])
    later = ahead.joined_to(scanner)
    return scanner, None if later is None else earlier + later


def findings(scanner: Scanner) -> tuple[Finding | None, tuple[Finding, ...]]:
    return scanner.stopped, scanner.findings


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@given(draw=st.data())
def test_two_joined_parts_equal_one_scan(schema: WireSchema, draw: st.DataObject) -> None:
    payloads = draw.draw(st.lists(st.one_of(messages(schema), st.just(RESTART)), max_size=10))
    if schema.framing is Framing.LENGTH_PREFIXED:
        payloads = [delimited(1, payload) for payload in payloads]
    records = [frame(payload, schema.framing) for payload in payloads]
    cut = draw.draw(st.integers(0, len(records)))
    tail = draw.draw(st.sampled_from([b"", b"\x05\0", bytes(40)]))
    data = b"".join(records) + tail
    scanner, results = scan_ahead(schema, data, len(b"".join(records[:cut])))
    assert results is not None
    at_once = make_scanner(schema, "log")
    assert flattened(results) == flattened(read(at_once, data))
    assert findings(scanner) == findings(at_once)
    more = data[: len(data) - len(tail)] + b"".join(records)
    assert flattened(results + read(scanner, more)) == flattened(
        [*read(make_scanner(schema), more)]
    )


@given(offset=st.integers(0, 600))
def test_the_next_record_after_any_offset_is_found(offset: int) -> None:
    framed = [frame(bytes([10, i]) + bytes(i), Framing.TFRECORD) for i in range(30)]
    starts = [len(b"".join(framed[:i])) for i in range(len(framed))]
    data = b"".join(framed) + bytes(20)
    found = find_start(tensorboard.EVENT, reader(data), offset, len(data))
    assert found == next(start for start in starts if start >= offset)


def test_without_checksums_several_records_in_a_row_must_fit() -> None:
    value = b"\x12\x04loss\x25" + struct.pack("<f", 0.5)
    record = frame(delimited(1, value), Framing.LENGTH_PREFIXED)
    data = record * 20
    assert find_start(visualdl.RECORD, reader(data), 3, len(data)) == len(record)
    assert find_start(visualdl.RECORD, reader(bytes(5000)), 3, 5000) is None


def test_the_next_record_after_large_records_is_found() -> None:
    records = [frame(b"\x0a\x02ab", Framing.TFRECORD)] * 3
    records += [frame(bytes(70_000), Framing.TFRECORD)] * 3
    data = b"".join(records)
    assert find_start(tensorboard.EVENT, reader(data), 50, len(data)) == 60
    assert find_start(tensorboard.EVENT, reader(data), 61, len(data)) == 60 + 70_016


def test_a_part_that_does_not_follow_is_left_out() -> None:
    record = frame(b"\x10\x01", Framing.TFRECORD)
    data = record * 3
    ahead = AheadScan(tensorboard.EVENT, "log", 2 * len(record))
    ahead.run(reader(data), len(data))
    scanner = make_scanner(tensorboard.EVENT)
    read(scanner, record)
    assert ahead.joined_to(scanner) is None
    assert read(scanner, data)[-1].records == 2


def test_parts_of_too_many_segments_together_are_left_out() -> None:
    point = delimited(5, delimited(1, b"\x0a\x01a\x15" + struct.pack("<f", 0.5)))
    half = (frame(RESTART, Framing.TFRECORD) + frame(point, Framing.TFRECORD)) * 600
    scanner, results = scan_ahead(tensorboard.EVENT, half + half, len(half))
    assert results is None
    assert len(read(scanner, half + half)[-1].batches) == 400


def test_a_part_read_ahead_must_begin_at_the_scanners_offset() -> None:
    native = make_scanner(tensorboard.EVENT)
    other = AheadScan(tensorboard.EVENT, "log", 5)
    with pytest.raises(ValueError, match="does not follow"):
        native.continue_after(other._scanner)  # type: ignore[attr-defined]
